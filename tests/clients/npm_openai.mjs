// openai for JavaScript, chat completions with its own loop.
import OpenAI from "openai";

const { URLS, MODEL, TASK } = process.env;
let made = [];
const tool = (name, description, does) => ({
  type: "function",
  function: {
    name,
    description,
    parameters: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
    parse: JSON.parse,
    function: (given) => (made.push(name), String(does(given))),
  },
});
const tools = [
  tool("price_of", "The price of an item.", ({ item }) => (item.toLowerCase().includes("lamp") ? 37 : 0)),
  tool("stock_of", "How many of an item are in stock.", ({ item }) => (item.toLowerCase().includes("lamp") ? 14 : 0)),
];

async function answer(baseURL, stream) {
  const client = new OpenAI({ baseURL, apiKey: "any", maxRetries: 0 });
  const messages = [{ role: "user", content: TASK }];
  return client.chat.completions.runTools({ model: MODEL, stream, messages, tools, temperature: 0 }).finalContent();
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
