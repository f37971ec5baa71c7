#!/usr/bin/env node
// Puts the client of @modelcontextprotocol/client behind replyproof's adapter
// protocol, JSON lines on standard input and output:
//
//   replyproof check --adapter 'node cmd/adapters/ts-client-v2/adapter.mjs'              # 2026-07-28
//   replyproof check --adapter 'node cmd/adapters/ts-client-v2/adapter.mjs 2025-11-25'
//
// It is meant to be copied for another client: judge, connect, alive and call
// are the client's own, the loop at the end can stay as it is. Standard output
// is for the protocol alone; console.log of the client goes to standard error.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  Client, isInputRequiredResult, ProtocolError, SdkError, SdkErrorCode, SdkHttpError, StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

console.log = console.error;
const name = 'ts-client-v2';
const protocol = process.argv[2] ?? '2026-07-28';
const sdk = JSON.parse(readFileSync(new URL('node_modules/@modelcontextprotocol/client/package.json', import.meta.url)));

// What a caller of callTool can tell apart. fetch does not say whether bytes
// were missing or could not be decoded.
const tells = [
  'SUCCESS', 'TOOL_ERROR', 'INPUT_REQUIRED', 'RPC_ERROR', 'MALFORMED_JSON', 'INVALID_ENVELOPE', 'INVALID_TOOL_RESULT',
  'HTTP_ERROR', 'UNEXPECTED_CONTENT_TYPE', 'NO_FINAL_RESPONSE', 'NO_FINAL_RESPONSE|UNEXPECTED_CONTENT_TYPE', 'ERROR',
];

// The SDK's own errors that have a word.
const words = {
  [SdkErrorCode.InvalidResult]: 'INVALID_TOOL_RESULT',
  [SdkErrorCode.UnsupportedResultType]: 'INVALID_TOOL_RESULT',
  [SdkErrorCode.ClientHttpUnexpectedContent]: 'UNEXPECTED_CONTENT_TYPE',
  [SdkErrorCode.RequestTimeout]: 'NO_FINAL_RESPONSE',
};

// What an error of callTool tells any caller. What goes wrong with a message is
// told to onerror only, and the call then waits until its time is over: that
// something did is known from what was noticed, but not what decides.
function judge(error, noticed) {
  const text = [error, ...noticed].join('; ').slice(0, 600);
  if (error instanceof SdkHttpError) return { saw: 'HTTP_ERROR', status: error.status, text };
  if (error instanceof SdkError) {
    const late = error.code === SdkErrorCode.RequestTimeout && noticed.length > 0;
    return { saw: (!late && words[error.code]) || 'ERROR', text };
  }
  if (error instanceof ProtocolError) return { saw: 'RPC_ERROR', code: error.code, text };
  if (error instanceof SyntaxError) return { saw: 'MALFORMED_JSON', text };
  if (error instanceof TypeError) return { saw: 'NO_FINAL_RESPONSE|UNEXPECTED_CONTENT_TYPE', text: `${text}: ${error.cause}` };
  if (error.name === 'ZodError') return { saw: 'INVALID_ENVELOPE', text };
  return { saw: 'ERROR', text };
}

let timeout; // of a call, in milliseconds
let warm = 9000; // of the first one, which is the slowest
let connected; // { url, client }, or undefined

async function connect(url) {
  if (connected?.url === url) return connected.client;
  await close();
  const mode = protocol >= '2026-07-28' ? { pin: protocol } : 'legacy';
  // Requests for input come back to the caller instead of being fulfilled.
  const client = new Client({ name, version: '1' }, {
    versionNegotiation: { mode }, inputRequired: { autoFulfill: false }, supportedProtocolVersions: [protocol],
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const got = client.getNegotiatedProtocolVersion();
  if (got !== protocol) throw new Error(`got protocol version ${got}, want ${protocol}`);
  connected = { url, client };
  return client;
}

async function close() {
  await connected?.client.close();
  connected = undefined;
}

// Whether the connection still serves: it lists the tools.
const alive = client => client.listTools(undefined, { timeout: timeout / 2, cacheMode: 'bypass' }).then(() => true, () => false);

async function call({ url, tool, arguments: args }) {
  const client = await connect(url);
  const noticed = [];
  client.onerror = error => noticed.push(error);
  try {
    const result = await client.callTool({ name: tool, arguments: args }, { timeout: Math.max(timeout, warm), allowInputRequired: true });
    warm = 0;
    if (isInputRequiredResult(result)) return { saw: 'INPUT_REQUIRED' };
    return { saw: result.isError ? 'TOOL_ERROR' : 'SUCCESS' };
  } catch (error) {
    const verdict = { ...judge(error, noticed), alive: await alive(client) };
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
