#!/usr/bin/env node
// Puts the client of @ai-sdk/mcp behind replyproof's adapter protocol, JSON lines
// on standard input and output:
//
//   replyproof check --adapter 'cmd/adapters/ai-sdk/node_modules/.bin/node cmd/adapters/ai-sdk/adapter.mjs'   # 2026-07-28
//   replyproof check --adapter '… 2025-11-25'
//
// It is meant to be copied for another client: judge, connect, alive and call
// are the client's own, the loop at the end can stay as it is. Standard output
// is for the protocol alone; console.log of the client goes to standard error.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createMCPClient, ElicitationRequestSchema, MCPClientError } from '@ai-sdk/mcp';

console.log = console.error;
const name = 'ai-sdk';
const protocol = process.argv[2] ?? '2026-07-28';
const sdk = JSON.parse(readFileSync(new URL('node_modules/@ai-sdk/mcp/package.json', import.meta.url)));

// What a caller of a tool's execute can tell apart. Most failures are an
// MCPClientError that has a status, a code, a cause, or none of them. zod throws
// the same error for an envelope and for a result, and fetch for a body that
// cannot be decoded, for one that breaks off, and for a redirection.
const tells = [
  'SUCCESS', 'TOOL_ERROR', 'INPUT_REQUIRED', 'RPC_ERROR', 'MALFORMED_JSON', 'INVALID_ENVELOPE|INVALID_TOOL_RESULT', 'HTTP_ERROR',
  'UNEXPECTED_CONTENT_TYPE', 'NO_FINAL_RESPONSE', 'HTTP_ERROR|NO_FINAL_RESPONSE|UNEXPECTED_CONTENT_TYPE', 'ERROR',
];

// What an error of execute tells any caller. What goes wrong in a stream is told
// to onUncaughtError only, and the call then waits until its time is over: that
// something did is known from what was noticed, but not what decides.
function judge(error, noticed, signal) {
  const text = [error, error.cause, ...noticed].filter(Boolean).join('; ').slice(0, 600);
  if (error.cause === declined) return { saw: 'INPUT_REQUIRED' };
  if (signal.aborted) return { saw: noticed.length > 0 ? 'ERROR' : 'NO_FINAL_RESPONSE', text };
  if (MCPClientError.isInstance(error)) {
    if (error.statusCode >= 200 && error.statusCode <= 299) return { saw: 'UNEXPECTED_CONTENT_TYPE', text };
    if (error.statusCode !== undefined) return { saw: 'HTTP_ERROR', status: error.statusCode, text };
    if (error.code !== undefined) return { saw: 'RPC_ERROR', code: error.code, text };
  }
  // In 2026-07-28 what follows is the cause of an MCPClientError.
  const cause = MCPClientError.isInstance(error) ? error.cause : error;
  if (cause instanceof SyntaxError) return { saw: 'MALFORMED_JSON', text };
  if (cause instanceof TypeError) return { saw: 'HTTP_ERROR|NO_FINAL_RESPONSE|UNEXPECTED_CONTENT_TYPE', text: `${text}: ${cause.cause}` };
  if (cause?.name === 'ZodError') return { saw: 'INVALID_ENVELOPE|INVALID_TOOL_RESULT', text };
  return { saw: 'ERROR', text };
}

let timeout; // of a call, in milliseconds
let warm = 9000; // of the first one, which is the slowest
let connected; // { url, client, tools }, or undefined
let noticed; // what went wrong in this call, and nobody threw

let sent; // how often this call was sent

// A request for input is fulfilled by the client on its own, and the call sent
// again, up to ten times. Here it is not: the handler gives nothing, and what
// holds the state of a request for input is not sent. What is sent again without
// either goes out, to be counted, and ends the call. What is thrown for it comes
// back from the call.
const declined = new Error('no input is given here');
const decline = () => {
  throw declined;
};
async function send(url, init) {
  const { method, params } = JSON.parse(init.body ?? '{}');
  if (method !== 'tools/call') return fetch(url, init);
  if (params.requestState !== undefined) decline();
  const answer = await fetch(url, init);
  return sent++ ? decline() : answer;
}

async function connect(url) {
  if (connected?.url === url) return connected;
  await close();
  const client = await createMCPClient({
    transport: { type: 'http', url, fetch: send }, clientName: name, version: '1', capabilities: { elicitation: {} },
    protocolVersionDiscovery: protocol >= '2026-07-28', onUncaughtError: error => noticed?.push(error),
  });
  client.onElicitationRequest(ElicitationRequestSchema, decline);
  const got = client.initializeResult.protocolVersion;
  if (got !== protocol) throw new Error(`got protocol version ${got}, want ${protocol}`);
  connected = { url, client, tools: await client.tools() };
  return connected;
}

async function close() {
  await connected?.client.close();
  connected = undefined;
}

// Whether the connection still serves: it lists the tools.
const alive = client => client.listTools({ options: { timeout: timeout / 2 } }).then(() => true, () => false);

async function call({ url, tool, arguments: args }) {
  const { client, tools } = await connect(url);
  const signal = AbortSignal.timeout(Math.max(timeout, warm));
  noticed = [];
  sent = 0;
  try {
    const result = await tools[tool].execute(args, { toolCallId: 'call', messages: [], abortSignal: signal });
    warm = 0;
    return { saw: result.isError ? 'TOOL_ERROR' : 'SUCCESS' };
  } catch (error) {
    const verdict = { ...judge(error, noticed, signal), alive: await alive(client) };
    // Nothing of this call is left for a later one.
    await close();
    return verdict;
  }
}

const say = line => process.stdout.write(`${JSON.stringify(line)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const ask = JSON.parse(line);
  if (ask.cmd === 'start') {
    // A call gets a part of the time, so that the client can say that it was too
    // long, and the connection be looked at.
    timeout = Math.round(ask.deadline_ms * 0.6);
    say({ ready: true, name, version: sdk.version, kind: 'client', protocol_version: protocol, tells });
  } else {
    say({ seq: ask.seq, ...(await call(ask).catch(error => ({ saw: 'ERROR', text: `connect: ${error}` }))) });
  }
}
await close();
