// Calls the tool with nothing between two calls and prints the calls a second,
// for BenchmarkRate of the folder above: node loop.mjs URL CASE PROTOCOL CALLS.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, name, , calls] = process.argv.slice(2);
const client = new Client({ name: 'loop', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));

async function loop(times) {
  const begun = process.hrtime.bigint();
  for (let i = 0; i < times; i++) {
    const result = await client.callTool({ name: 'synthetic', arguments: { case: name } });
    if (result.isError) throw new Error('got an error of the tool, want a success');
  }
  return Number(process.hrtime.bigint() - begun) / times;
}

await loop(calls / 2); // until it is compiled
console.log(`${await loop(calls)} ns/op`);
await client.close();
