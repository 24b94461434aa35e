// openai for JavaScript, chat completions with its own loop.
import OpenAI from "openai";

const { URLS, MODEL, TASK } = process.env;
let made = [];
const number = { type: "number" };
const tool = (name, description, properties, does) => ({
  type: "function",
  function: {
    name,
    description,
    parameters: { type: "object", properties, required: Object.keys(properties) },
    parse: JSON.parse,
    function: (given) => (made.push(name), String(does(given))),
  },
});
const tools = [
  tool("price_of", "The price of an item.", { item: { type: "string" } }, ({ item }) => (item.toLowerCase().includes("lamp") ? 37 : 0)),
  tool("add", "The sum of two numbers.", { a: number, b: number }, ({ a, b }) => a + b),
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
