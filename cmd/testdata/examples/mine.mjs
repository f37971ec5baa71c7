import { createInterface } from 'node:readline';

const judge = ({ status, body }) => (status === 200 && body ? 'SUCCESS' : 'ERROR'); // yours

for await (const line of createInterface({ input: process.stdin })) {
  const { cmd, seq, case: answer } = JSON.parse(line);
  console.log(JSON.stringify(cmd === 'start'
    ? { ready: true, name: 'mine', version: '1', kind: 'classifier', tells: ['SUCCESS', 'ERROR'] }
    : { seq, saw: judge(answer) }));
}
