#!/usr/bin/env node
// Puts the client of mcp-use for TypeScript behind replyproof's adapter protocol,
// JSON lines on standard input and output:
//
//   replyproof check --adapter 'node cmd/adapters/mcp-use-ts/adapter.mjs'
//
// It is meant to be copied for another client: judge, connect, alive and call
// are the client's own, the loop at the end can stay as it is. Standard output
// is for the protocol alone; console.log of the client goes to standard error.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, LATEST_PROTOCOL_VERSION, McpError } from '@modelcontextprotocol/sdk/types.js';

console.log = console.error;
process.env.MCP_USE_ANONYMIZED_TELEMETRY = 'false'; // read when the client is loaded
const { MCPClient } = await import('mcp-use/client');
const name = 'mcp-use-ts';
const protocol = LATEST_PROTOCOL_VERSION; // of @modelcontextprotocol/sdk 1, which is below
const sdk = JSON.parse(readFileSync(new URL('node_modules/mcp-use/package.json', import.meta.url)));

// What a caller of a session's callTool can tell apart: the errors of the SDK
// below. It knows nothing of requests for input. fetch throws the same error for a
// body that cannot be decoded, for one that breaks off and for redirections without
// end, and zod for an envelope and for a result. What goes wrong with a message is
// told to nobody, and the call then waits until its time is over, which may thus
// mean anything.
const tells = [
  'SUCCESS', 'TOOL_ERROR', 'RPC_ERROR', 'MALFORMED_JSON', 'INVALID_ENVELOPE|INVALID_TOOL_RESULT', 'HTTP_ERROR',
  'UNEXPECTED_CONTENT_TYPE', 'HTTP_ERROR|NO_FINAL_RESPONSE|UNEXPECTED_CONTENT_TYPE', 'ERROR',
];

function judge(error) {
  const text = `${error}`.slice(0, 600);
  if (timedOut(error)) return { saw: 'ERROR', text };
  if (error instanceof McpError) return { saw: 'RPC_ERROR', code: error.code, text };
  if (error instanceof StreamableHTTPError) {
    return error.code === -1 ? { saw: 'UNEXPECTED_CONTENT_TYPE', text } : { saw: 'HTTP_ERROR', status: error.code, text };
  }
  if (error instanceof SyntaxError) return { saw: 'MALFORMED_JSON', text };
  if (error instanceof TypeError) return { saw: 'HTTP_ERROR|NO_FINAL_RESPONSE|UNEXPECTED_CONTENT_TYPE', text: `${text}: ${error.cause}` };
  if (/^\$?ZodError$/.test(error.name)) return { saw: 'INVALID_ENVELOPE|INVALID_TOOL_RESULT', text };
  return { saw: 'ERROR', text };
}

// The time-out is the client's own, but comes as a JSON-RPC error.
const timedOut = error => error instanceof McpError && error.code === ErrorCode.RequestTimeout && error.data?.timeout !== undefined;

let timeout; // of a call, in milliseconds
let warm = 9000; // of the first one, which is the slowest
let connected; // { url, client, session }, or undefined

async function connect(url) {
  if (connected?.url === url) return connected.session;
  await close();
  const client = new MCPClient({ mcpServers: { server: { url } } });
  connected = { url, client, session: await client.createSession('server') };
  return connected.session;
}

async function close() {
  await connected?.client.close();
  connected = undefined;
}

// Whether the connection still serves: it lists the tools.
const alive = session => session.listTools({ timeout: timeout / 2 }).then(() => true, () => false);

async function call({ url, tool, arguments: args }) {
  const session = await connect(url);
  try {
    const result = await session.callTool(tool, args, { timeout: Math.max(timeout, warm) });
    warm = 0;
    return { saw: result.isError ? 'TOOL_ERROR' : 'SUCCESS' };
  } catch (error) {
    const verdict = { ...judge(error), alive: await alive(session) };
    // Its POST may still be open, and would be heard in a later call.
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
