// The Vercel AI SDK over @ai-sdk/openai-compatible.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const { URLS, MODEL, TASK } = process.env;
let made = [];
const noted = (name, does) => async (given) => (made.push(name), does(given));
const tools = {
  price_of: tool({
    description: "The price of an item.",
    inputSchema: z.object({ item: z.string() }),
    execute: noted("price_of", ({ item }) => (item.toLowerCase().includes("lamp") ? 37 : 0)),
  }),
  stock_of: tool({
    description: "How many of an item are in stock.",
    inputSchema: z.object({ item: z.string() }),
    execute: noted("stock_of", ({ item }) => (item.toLowerCase().includes("lamp") ? 14 : 0)),
  }),
};

async function answer(baseURL, stream) {
  const model = createOpenAICompatible({ name: "proxy", baseURL, apiKey: "any" })(MODEL);
  const asked = { model, prompt: TASK, maxRetries: 0, temperature: 0, stopWhen: stepCountIs(8), tools };
  if (!stream) return (await generateText(asked)).text;
  let failure;
  const result = streamText({ ...asked, onError: ({ error }) => (failure = error) });
  await result.consumeStream();
  if (failure) throw failure;
  return result.text;
}

for (const url of URLS.split(" ")) {
  for (const stream of [false, true]) {
    made = [];
    try {
      console.log("told: " + JSON.stringify({ answer: await answer(url, stream), made }));
    } catch (error) {
      console.log("told: " + JSON.stringify({ error: `${error.name}: ${error.message}` }));
    }
  }
}
