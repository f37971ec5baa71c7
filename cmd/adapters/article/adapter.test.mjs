import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { judge } from './judge.mjs';

const message = members => JSON.stringify({ jsonrpc: '2.0', id: 1, ...members });
const content = [{ type: 'text', text: 'x' }];
const good = { resultType: 'complete', content, isError: false };
const invalidParams = { code: -32602, message: 'synthetic' };

const cases = [
  ['baseline', 200, message({ result: good }), 'TOOL_SUCCESS'],
  ['first POST', 503, '{"note":"synthetic outage"}', 'HTTP_ERROR'],
  ['JSON-RPC error', 200, message({ error: invalidParams }), 'JSONRPC_ERROR'],
  ['tool error', 200, message({ result: { ...good, isError: true } }), 'TOOL_ERROR'],
  ['500 with a success', 500, message({ result: good }), 'HTTP_ERROR'],
  ['malformed', 200, '{unclosed', 'MALFORMED_JSON'],
  ['result and error', 200, message({ result: good, error: invalidParams }), 'INVALID_ENVELOPE'],
  ['wrong id', 200, message({ id: 99, result: good }), 'INVALID_ENVELOPE'],
  ['input required', 200, message({ result: { resultType: 'input_required', inputRequests: { approval: { method: 'elicitation/create', params: { mode: 'form', message: 'synthetic input', requestedSchema: { type: 'object', properties: {} } } } } } }), 'INPUT_REQUIRED'],
  ['no resultType', 200, message({ result: { content, isError: false } }), 'TOOL_SUCCESS'],
  ['content no array', 200, message({ result: { ...good, content: 'not-an-array' } }), 'INVALID_TOOL_RESULT'],
  ['error a string', 200, message({ error: 'no' }), 'INVALID_ENVELOPE'],
  ['error an array with members it cannot have', 200, message({ error: [] }), 'INVALID_ENVELOPE'],
  ['resultType null', 200, message({ result: { ...good, resultType: null } }), 'INVALID_TOOL_RESULT'],
  ['isError null', 200, message({ result: { ...good, isError: null } }), 'INVALID_TOOL_RESULT'],
  ['a member named __proto__', 200, '{"jsonrpc":"2.0","id":1,"__proto__":{"result":{"content":[]}}}', 'INVALID_ENVELOPE'],
];
for (const [name, status, body, want] of cases) {
  test(name, () => assert.equal(judge(status, body, 1).outcome, want));
}

test('protocol', () => {
  const json = { 'content-type': 'application/json' };
  const requests = [
    { replyproof: 1, cmd: 'start', deadline_ms: 1000 },
    { seq: 1, case: { request_id: 1, status: 200, headers: json, body: message({ error: invalidParams }) } },
    { seq: 2, case: { request_id: 'a', status: 200, headers: [['Content-Type', 'Application/JSON; charset=utf-8']], body_base64: Buffer.from(`\uFEFF${message({ id: 'a', result: good })}`).toString('base64') } },
    { seq: 3, case: { request_id: 1, status: 200, headers: { 'content-type': 'text/event-stream' }, body: '' } },
    { seq: 4, case: { request_id: 1, status: 200, headers: { ...json, 'content-encoding': 'gzip' }, body: '' } },
    { seq: 5, case: { request_id: 1, status: 200, headers: json, body: '{}', cut_after: 1 } },
    { seq: 6, case: { request_id: 1, status: 200, headers: json, body: '{}', cut_after: 2 } },
    { seq: 7, case: { request_id: 1, status: null } },
    { seq: 8, case: { status: 202, notification: true } },
    { seq: 9, case: { request_id: 1, status: 200, headers: json, body: '{}', ended: 'deadline' } },
  ];
  const adapter = fileURLToPath(new URL('adapter.mjs', import.meta.url));
  const run = spawnSync(process.execPath, [adapter], { input: requests.map(r => `${JSON.stringify(r)}\n`).join(''), encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const [hello, ...answers] = run.stdout.trim().split('\n').map(line => JSON.parse(line));
  assert.equal(hello.ready, true);
  assert.equal(hello.kind, 'classifier');
  assert.equal(hello.tells.length, 8);
  assert.deepEqual(answers.map(a => a.seq), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(answers[0], { seq: 1, saw: 'JSONRPC_ERROR', code: -32602, status: 200 });
  assert.deepEqual(answers[1], { seq: 2, saw: 'TOOL_SUCCESS', status: 200 });
  assert.equal(answers[5].saw, 'INVALID_ENVELOPE');
  for (const at of [2, 3, 4, 6, 7, 8]) assert.equal(typeof answers[at].skip, 'string');
});
