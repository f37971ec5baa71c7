// Calls the tools of the server from a page in Chromium and saves the HAR.
//   node chromium.mjs ADDRESS CLOSED-PORT OUTPUT
import { createRequire } from 'node:module';

const [address, closed, output] = process.argv.slice(2);
const { chromium } = createRequire(process.env.PLAYWRIGHT + '/')('playwright-core');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const context = await browser.newContext({ recordHar: { path: output, content: 'embed' } });
const page = await context.newPage();
await page.goto(`http://${address}/`);
await page.evaluate(async ({ closed }) => {
  const post = async (url, message, wait) => {
    const abort = new AbortController();
    if (wait) setTimeout(() => abort.abort(), wait);
    try {
      const answer = await fetch(url, {
        method: 'POST', signal: abort.signal, body: JSON.stringify({ jsonrpc: '2.0', ...message }),
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28' },
      });
      await answer.text();
    } catch { /* the HAR tells it */ }
  };
  const call = (id, name, url = '/mcp', wait = 0) => post(url, { id, method: 'tools/call', params: { name, arguments: { city: 'Oslo' } } }, wait);
  await post('/mcp', { method: 'notifications/cancelled', params: { requestId: 0 } });
  await post('/mcp', { id: 'list', method: 'tools/list' });
  let id = 0;
  for (const name of ['ok', 'fails', 'params', 'input', 'other', 'down', 'login', 'stream', 'unfinished', 'cut', 'bytes', 'flaky', 'flaky']) {
    await call(++id, name);
  }
  await call('moved', 'ok', '/moved');
  await call('aborted', 'late', '/mcp', 300);
  await call('refused', 'ok', `http://127.0.0.1:${closed}/mcp`);
}, { closed });
await context.close();
await browser.close();
