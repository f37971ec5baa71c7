#!/usr/bin/env node
// Speaks replyproof's adapter protocol, JSON lines on standard input and output,
// for the judge in judge.mjs.
import { createInterface } from 'node:readline';
import { judge } from './judge.mjs';

const ready = {
  ready: true,
  name: 'article',
  version: '1.0.0',
  kind: 'classifier',
  protocol_version: '2026-07-28',
  tells: [
    'TOOL_SUCCESS', 'TOOL_ERROR', 'INPUT_REQUIRED', 'JSONRPC_ERROR',
    'MALFORMED_JSON', 'INVALID_ENVELOPE', 'INVALID_TOOL_RESULT', 'HTTP_ERROR',
  ],
};

// The lines of one header, by its lower-case name. Headers are an object, or a
// list of pairs where a name stands more than once.
function headerLines(headers, wanted) {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers ?? {});
  return pairs
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value)
    .map(value => value.trim().toLowerCase());
}

// Why the judge has no input for a case, or undefined if it has.
function outOfReach(exchange, body) {
  if (exchange.notification) return 'a notification is no call';
  if (typeof exchange.status !== 'number') return 'there is no HTTP answer';
  const types = headerLines(exchange.headers, 'content-type');
  if (types.some(type => type.split(';')[0].trim() !== 'application/json')) return 'the media type is not application/json';
  if (headerLines(exchange.headers, 'content-encoding').some(coding => coding !== '')) return 'the body is coded';
  if ((exchange.ended ?? 'eof') !== 'eof') return `the body did not arrive whole: ${exchange.ended}`;
  if (exchange.cut_after != null && exchange.cut_after < body.length) return 'the body is cut';
  if (exchange.then?.length > 0) return 'one judgement cannot tell of several exchanges';
  return undefined;
}

function bodyOf(exchange) {
  if (exchange.body_base64 != null) return Buffer.from(exchange.body_base64, 'base64');
  return Buffer.from(exchange.body ?? '', 'utf8');
}

function answer(request) {
  if (request.cmd === 'start') return ready;
  const { seq, case: exchange } = request;
  if (exchange === undefined) return { seq, skip: 'this is a classifier; it plays no client' };
  const body = bodyOf(exchange);
  const why = outOfReach(exchange, body);
  if (why !== undefined) return { seq, skip: why };

  // Decoded as the text() of fetch does: one byte order mark dropped, bad UTF-8 replaced.
  const text = new TextDecoder().decode(body);
  const { outcome, code } = judge(exchange.status, text, exchange.request_id ?? 1);
  return { seq, saw: outcome, code, status: exchange.status };
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (line.trim() === '') continue;
  let request;
  try {
    request = JSON.parse(line);
    process.stdout.write(`${JSON.stringify(answer(request))}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ seq: request?.seq, broken: String(error) })}\n`);
  }
}
