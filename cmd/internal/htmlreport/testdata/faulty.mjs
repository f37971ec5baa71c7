// Small faulty judges behind the adapter protocol, each with a fault that real clients have had: node faulty.mjs NAME
import { createInterface } from 'node:readline';

const COARSE = ['SUCCESS', 'TOOL_ERROR', 'INPUT_REQUIRED', 'RPC_ERROR', 'ERROR'];
const header = (answer, name) => {
  const found = (Array.isArray(answer.headers) ? answer.headers : Object.entries(answer.headers ?? {})).find(([key]) => key.toLowerCase() === name);
  return String(found?.[1] ?? '');
};
const text = (answer) => answer.body ?? Buffer.from(answer.body_base64 ?? '', 'base64').toString();

// read gives the message of a body: JSON, or the last event of a stream that has data.
function read(answer, { split = /\r\n|\n|\r/, pick = (events) => events.at(-1) } = {}) {
  if (!header(answer, 'content-type').includes('event-stream')) return JSON.parse(text(answer));
  const events = [];
  let lines = [];
  for (const line of text(answer).split(split)) {
    if (line.startsWith('data:')) lines.push(line.slice(5).replace(/^ /, ''));
    else if (line === '' && lines.length) { events.push(JSON.parse(lines.join('\n'))); lines = []; }
  }
  return pick(events, answer);
}

function tell(message) {
  if (message?.error) return { saw: 'RPC_ERROR', code: Number.isFinite(message.error.code) ? message.error.code : null };
  if (!message?.result) return { saw: 'ERROR' };
  if (message.result.resultType === 'input_required') return { saw: 'INPUT_REQUIRED' };
  return { saw: message.result.isError ? 'TOOL_ERROR' : 'SUCCESS' };
}

const judges = {
  // Looks at nothing but the status.
  'status-only': { version: '0.3.1', tells: ['SUCCESS', 'ERROR'], judge: (a) => ({ saw: a.status >= 200 && a.status < 300 ? 'SUCCESS' : 'ERROR', status: a.status }) },
  // Reads the body whatever the status says, and compares no id.
  'body-first': { version: '2.4.0', tells: COARSE, judge: (a) => tell(read(a)) },
  // Has the status right, and takes the last event of a stream for the response, whatever its id.
  'last-event': { version: '1.9.2', tells: COARSE, judge: (a) => (a.status === 200 ? tell(read(a)) : { saw: 'ERROR', status: a.status }) },
  // The version after it: the response with the request's id, but lines end with LF only.
  'last-event-next': { name: 'last-event', version: '2.0.0', tells: COARSE,
    judge: (a) => (a.status === 200 ? tell(read(a, { split: '\n', pick: (events) => events.find((e) => e?.id === a.request_id) })) : { saw: 'ERROR', status: a.status }) },
  // Dies of what it cannot parse.
  fragile: { version: '0.1.0', tells: COARSE, dies: true, judge: (a) => (a.status === 200 ? tell(read(a)) : { saw: 'ERROR', status: a.status }) },
  // Says success unless something says otherwise.
  optimist: { version: '5.0.0-rc.1', tells: COARSE, judge: (a) => {
    if (a.status >= 500) return { saw: 'ERROR', status: a.status };
    if (/"isError":\s*true/.test(text(a))) return { saw: 'TOOL_ERROR' };
    return { saw: /"error":/.test(text(a)) ? 'RPC_ERROR' : 'SUCCESS' };
  } },
};

const name = process.argv[2] ?? 'status-only';
const { version, tells, judge, dies, name: title = name } = judges[name];
for await (const line of createInterface({ input: process.stdin })) {
  const { cmd, seq, case: answer } = JSON.parse(line);
  let reply;
  try {
    reply = cmd === 'start' ? { ready: true, name: title, version, kind: 'classifier', protocol_version: '2026-07-28', tells } : { seq, ...judge(answer) };
  } catch (error) {
    if (dies && text(answer).length > 0 && text(answer).length % 97 === 3) throw error;
    reply = { seq, saw: 'ERROR', text: error.message };
  }
  console.log(JSON.stringify(reply));
}
