#!/usr/bin/env node
// Puts the client of @modelcontextprotocol/sdk behind replyproof's adapter
// protocol, JSON lines on standard input and output:
//
//   replyproof check --adapter 'node cmd/adapters/ts-sdk-v1/adapter.mjs'
//
// It is meant to be copied for another client: judge, connect, alive and call
// are the client's own, the loop at the end can stay as it is. Standard output
// is for the protocol alone; console.log of the client goes to standard error.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';

console.log = console.error;
const name = 'ts-sdk-v1';
const protocol = '2025-11-25'; // the newest that this client speaks
const sdk = JSON.parse(readFileSync(new URL('node_modules/@modelcontextprotocol/sdk/package.json', import.meta.url)));

// What a caller of callTool can tell apart. It knows nothing of requests for
// input, which the protocol has since 2026-07-28. fetch does not say whether
// bytes were missing or could not be decoded, and zod throws the same error for
// an envelope and for a result.
const tells = [
  'SUCCESS', 'TOOL_ERROR', 'RPC_ERROR', 'MALFORMED_JSON', 'INVALID_ENVELOPE|INVALID_TOOL_RESULT', 'HTTP_ERROR',
  'UNEXPECTED_CONTENT_TYPE', 'NO_FINAL_RESPONSE', 'NO_FINAL_RESPONSE|UNEXPECTED_CONTENT_TYPE', 'ERROR',
];

// What an error of callTool tells any caller. What goes wrong with a message is
// told to onerror only, and the call then waits until its time is over: that
// something did is known from what was noticed, but not what decides.
function judge(error, noticed) {
  const text = [error, ...noticed].join('; ').slice(0, 600);
  if (timedOut(error)) return { saw: noticed.length > 0 ? 'ERROR' : 'NO_FINAL_RESPONSE', text };
  if (error instanceof McpError) return { saw: 'RPC_ERROR', code: error.code, text };
  if (error instanceof StreamableHTTPError) {
    return error.code === -1 ? { saw: 'UNEXPECTED_CONTENT_TYPE', text } : { saw: 'HTTP_ERROR', status: error.code, text };
  }
  if (error instanceof SyntaxError) return { saw: 'MALFORMED_JSON', text };
  if (error instanceof TypeError) return { saw: 'NO_FINAL_RESPONSE|UNEXPECTED_CONTENT_TYPE', text: `${text}: ${error.cause}` };
  if (/^\$?ZodError$/.test(error.name)) return { saw: 'INVALID_ENVELOPE|INVALID_TOOL_RESULT', text };
  return { saw: 'ERROR', text };
}

// The time-out is the client's own, but comes as a JSON-RPC error.
const timedOut = error => error instanceof McpError && error.code === ErrorCode.RequestTimeout && error.data?.timeout !== undefined;

let timeout; // of a call, in milliseconds
let warm = 9000; // of the first one, which is the slowest
let connected; // { url, client }, or undefined

async function connect(url) {
  if (connected?.url === url) return connected.client;
  await close();
  const client = new Client({ name, version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  connected = { url, client };
  return client;
}

async function close() {
  await connected?.client.close();
  connected = undefined;
}

// Whether the connection still serves: it lists the tools.
const alive = client => client.listTools(undefined, { timeout: timeout / 2 }).then(() => true, () => false);

async function call({ url, tool, arguments: args }) {
  const client = await connect(url);
  const noticed = [];
  client.onerror = error => noticed.push(error);
  try {
    const result = await client.callTool({ name: tool, arguments: args }, undefined, { timeout: Math.max(timeout, warm) });
    warm = 0;
    return { saw: result.isError ? 'TOOL_ERROR' : 'SUCCESS' };
  } catch (error) {
    const verdict = { ...judge(error, noticed), alive: await alive(client) };
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
