// The client of @modelcontextprotocol/client as a program meets it: its usual
// options, and a person who accepts whatever is asked. A line of standard input is
// { url, protocol }; the line that answers tells what came of connecting, listing
// the tools and calling one.
import { createInterface } from 'node:readline';
import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

console.log = console.error;
const tool = 'run_configured_test_scenario';
const timeout = 4000;

const told = error => {
  if (error instanceof ProtocolError) return `JSON-RPC error ${error.code}`;
  return `${error.name}${error.code === undefined ? '' : ` ${error.code}`}${error.status === undefined ? '' : ` ${error.status}`}`;
};
const within = (promise, what) => Promise.race([
  promise, new Promise((_, fail) => setTimeout(() => fail(Object.assign(new Error(what), { name: 'gave up' })), 2 * timeout).unref()),
]);

async function run({ url, protocol }) {
  const client = new Client({ name: 'ts-client', version: '1' }, {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: protocol >= '2026-07-28' ? { pin: protocol } : 'legacy' }, supportedProtocolVersions: [protocol],
  });
  client.onerror = () => {};
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { reason: 'it is fine' } }));
  const did = { connected: 'yes', listed: '', called: '' };
  try {
    await within(client.connect(new StreamableHTTPClientTransport(new URL(url)), { timeout }), 'connect');
  } catch (error) {
    return { ...did, connected: told(error) };
  }
  try {
    const { tools } = await within(client.listTools(undefined, { timeout }), 'tools/list');
    did.listed = `${tools.length}`;
  } catch (error) {
    did.listed = told(error);
  }
  try {
    const result = await within(client.callTool({ name: tool, arguments: {} }, { timeout }), 'tools/call');
    did.called = result.isError ? 'isError' : 'success';
  } catch (error) {
    did.called = told(error);
  }
  await within(client.close(), 'close').catch(() => {});
  return did;
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`);
}
process.exit();
