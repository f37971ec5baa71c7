// Calls the tool with nothing between two calls and prints the calls a second,
// for BenchmarkRate of the folder above: node loop.mjs URL CASE PROTOCOL CALLS.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, name, protocol, calls] = process.argv.slice(2);
const mode = protocol >= '2026-07-28' ? { pin: protocol } : 'legacy';
const client = new Client({ name: 'loop', version: '1' }, {
  versionNegotiation: { mode }, inputRequired: { autoFulfill: false }, supportedProtocolVersions: [protocol],
});
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
