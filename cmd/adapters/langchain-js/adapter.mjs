#!/usr/bin/env node
// Puts the client of @langchain/mcp-adapters, whose tools an agent calls, behind
// replyproof's adapter protocol, JSON lines on standard input and output:
//
//   replyproof check --adapter 'node cmd/adapters/langchain-js/adapter.mjs'
//
// It is meant to be copied for another client: judge, connect, alive and call
// are the client's own, the loop at the end can stay as it is. Standard output
// is for the protocol alone; console.log of the client goes to standard error.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';

console.log = console.error;
const name = 'langchain-js';
const protocol = LATEST_PROTOCOL_VERSION; // of @modelcontextprotocol/sdk 1, which is below
const sdk = JSON.parse(readFileSync(new URL('node_modules/@langchain/mcp-adapters/package.json', import.meta.url)));

// What a caller of a tool can tell apart. Whatever fails is a ToolException, the
// tool's own failure too, with a text alone: of a JSON-RPC error, a status, a
// broken body and a time that was over nothing is left but how they were worded.
// What zod threw is its cause, of an envelope and of a result alike.
const tells = ['SUCCESS', 'INVALID_ENVELOPE|INVALID_TOOL_RESULT', 'ERROR'];

const judge = error => ({
  saw: error.name === 'ToolException' && error.cause ? 'INVALID_ENVELOPE|INVALID_TOOL_RESULT' : 'ERROR',
  text: `${error}`.slice(0, 600),
});

let timeout; // of a call, in milliseconds
let warm = 9000; // of the first one, which is the slowest
let connected; // { url, client, tools }, or undefined

async function connect(url) {
  if (connected?.url === url) return connected;
  await close();
  const client = new MultiServerMCPClient({ mcpServers: { server: { transport: 'http', url } } });
  const tools = Object.fromEntries((await client.getTools()).map(tool => [tool.name, tool]));
  connected = { url, client, tools };
  return connected;
}

async function close() {
  await connected?.client.close();
  connected = undefined;
}

// Whether the connection still serves: it lists the tools.
const alive = async client => (await client.getClient('server')).listTools(undefined, { timeout: timeout / 2 }).then(() => true, () => false);

async function call({ url, tool, arguments: args }) {
  const { client, tools } = await connect(url);
  try {
    const { status } = await tools[tool].invoke({ type: 'tool_call', id: 'call', name: tool, args }, { timeout: Math.max(timeout, warm) });
    warm = 0;
    return { saw: status === 'error' ? 'ERROR' : 'SUCCESS' };
  } catch (error) {
    const verdict = { ...judge(error), alive: await alive(client) };
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
