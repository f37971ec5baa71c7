// The live list: what the server tells by server-sent events, and one exchange opened.
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const at = id => document.getElementById(id);
const rows = new Map(); // number to its row's element
let shown = null; // the detail that is open
let selected = 0;

// make is an element with text in it; what comes from outside is never markup.
function make(name, text, className) {
	const element = document.createElement(name);
	if (text !== undefined && text !== '') element.textContent = text;
	if (className) element.className = className;
	return element;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' });
const took = ms => ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(1)} ms`;
const came = row => row.open ? 'under way' : `${row.status || 'no answer'}${row.ended ? ` (${row.ended})` : ''}`;

function fill(line, row) {
	const open = make('button', String(row.number));
	open.type = 'button';
	open.disabled = row.open;
	open.setAttribute('aria-label', `Open exchange ${row.number}`);
	open.addEventListener('click', () => openExchange(row.number, true));
	const number = make('td', '', 'number');
	number.append(open);
	const verdict = make('td');
	if (row.outcome) verdict.append(make('span', row.outcome, `outcome word-${row.tone}`));
	const did = make('td', row.said);
	if (row.retry) did.append(make('span', `sent again: ${row.retry}`, 'retry'));
	line.replaceChildren(number, make('td', clock.format(row.at), 'whole less'), make('td', `${row.session}${row.post ? ` POST ${row.post}` : ''}`, 'whole'),
		make('td', row.asked), make('td', came(row), 'whole'), verdict, make('td', row.advice, 'whole less'), make('td', row.open ? '' : took(row.took), 'number whole less'), did);
	line.dataset.call = row.asked.startsWith('tools/call');
	line.hidden = at('calls').checked && line.dataset.call !== 'true';
	line.classList.toggle('selected', row.number === selected);
}

// put shows a row, the newest on top, and drops the oldest.
function put(row) {
	let line = rows.get(row.number);
	if (!line) {
		line = document.createElement('tr');
		rows.set(row.number, line);
		const numbers = [...at('rows').children].find(other => Number(other.dataset.number) < row.number);
		line.dataset.number = row.number;
		at('rows').insertBefore(line, numbers ?? null);
		if (rows.size > data.kept) {
			const oldest = at('rows').lastElementChild;
			rows.delete(Number(oldest.dataset.number));
			oldest.remove();
		}
	}
	const focused = line.contains(document.activeElement);
	fill(line, row);
	if (focused) line.querySelector('button').focus();
	at('none').hidden = true;
}

let lost = 0;
function count() {
	at('live').textContent = `live; ${rows.size} shown${lost ? `, ${lost} older ones forgotten` : ''}`;
}

function tellChosen(choice) {
	at('chosen').textContent = choice.name;
	at('chosen-settings').textContent = Object.keys(choice.settings).length ? JSON.stringify(choice.settings) : '';
	at('chosen-doc').textContent = choice.doc;
}

function listen() {
	const events = new EventSource('/events');
	const on = (name, act) => events.addEventListener(name, event => act(JSON.parse(event.data)));
	on('all', all => {
		at('rows').replaceChildren();
		rows.clear();
		at('none').hidden = all.rows.length + all.began.length > 0;
		for (const row of [...all.rows, ...all.began]) put(row);
		lost = all.lost;
		tellChosen(all.chosen);
		count();
		document.documentElement.classList.add('ready');
	});
	on('began', row => { put(row); count(); });
	on('done', row => { put(row); count(); });
	on('chosen', tellChosen);
	// The browser connects again by itself.
	events.addEventListener('error', () => { at('live').textContent = 'The server cannot be reached; trying again'; });
}

async function openExchange(number, focus) {
	const answer = await fetch(`/exchange/${number}`);
	if (!answer.ok) {
		at('live').textContent = await answer.text();
		return;
	}
	shown = await answer.json();
	rows.get(selected)?.classList.remove('selected');
	selected = number;
	rows.get(number)?.classList.add('selected');
	at('detail-title').textContent = `Exchange ${number}: ${shown.asked}, ${came(shown)}`;
	at('verdict').replaceChildren(...shown.verdict.flatMap(line => {
		const text = make('dd', line.bare ? '' : line.text);
		if (line.bare) text.append(make('pre', line.text));
		return [make('dt', line.name), text];
	}));
	at('request-head').textContent = shown.request.head;
	const whole = message => message.body + (message.lost ? `\n… ${message.lost} bytes more, which are not kept` : '');
	at('request-body').textContent = whole(shown.request);
	at('request-hex').textContent = shown.request.hex;
	at('answer-head').textContent = shown.answer ? shown.answer.head : 'no answer came';
	at('answer-body').textContent = shown.answer ? whole(shown.answer) : '';
	at('answer-hex').textContent = shown.answer ? shown.answer.hex : '';
	at('copied').textContent = '';
	for (const [what, why] of [['case', shown.noCase], ['curl', shown.noCurl], ['har', shown.noHar]]) {
		const button = document.querySelector(`[data-copy="${what}"]`);
		button.disabled = why !== '';
		button.title = why;
	}
	at('detail').hidden = false;
	document.querySelector('.both').classList.add('opened');
	if (focus) at('detail').focus();
}

function closeExchange() {
	at('detail').hidden = true;
	document.querySelector('.both').classList.remove('opened');
	const line = rows.get(selected);
	line?.classList.remove('selected');
	line?.querySelector('button')?.focus();
	selected = 0;
}

async function copy(text, what) {
	try {
		await navigator.clipboard.writeText(text);
		return `${what} copied`;
	} catch {
		return `${what} could not be copied: the browser does not allow it`;
	}
}

for (const button of document.querySelectorAll('[data-copy]')) {
	button.addEventListener('click', async () => {
		const what = button.dataset.copy;
		if (what === 'url') at('told').textContent = await copy(at('url').textContent, 'The address');
		else at('copied').textContent = await copy(shown[what], { case: 'The case', curl: 'The command', har: 'The archive' }[what]);
	});
}

at('close').addEventListener('click', closeExchange);
addEventListener('keydown', event => { if (event.key === 'Escape' && !at('detail').hidden) closeExchange(); });
at('calls').addEventListener('change', () => {
	for (const line of rows.values()) line.hidden = at('calls').checked && line.dataset.call !== 'true';
});

// What can be set of the scenario that is picked.
const other = {
	case: ['Id', 'article/tool-is-error', 'The id of a case of the corpus; replyproof corpus stats counts them, explain shows one.'],
	recipe: ['Recipe', 'success +status=503', 'A base, and what differs from the plain answer; replyproof generate --help tells all.'],
	sequence: ['Steps', 'steps:\n  - fail_first: 2\n    with: {status: 503}\n  - repeat: 2\n    steps:\n      - case: article/tool-is-error\n      - pass\nthen: pass\n',
		'Answers in turn; replyproof serve --help tells all.'],
};

function pick() {
	const name = at('name').value;
	const known = data.scenarios.find(one => one.name === name);
	if (known) {
		at('settings-label').textContent = 'Settings';
		at('settings').value = JSON.stringify(Object.fromEntries(known.settings.map(one => [one.name, one.default])));
		at('doc').textContent = [known.doc, ...known.settings.map(one => `${one.name}: ${one.doc}`)].join('\n');
	} else {
		[at('settings-label').textContent, at('settings').value, at('doc').textContent] = other[name];
	}
	at('settings').rows = Math.min(10, Math.max(2, at('settings').value.split('\n').length));
}

at('name').addEventListener('change', pick);
at('choose').addEventListener('submit', async event => {
	event.preventDefault();
	const name = at('name').value, text = at('settings').value;
	const asked = { case: { name: `case:${text.trim()}` }, recipe: { name: `recipe:${text.trim()}` }, sequence: { sequence: text } }[name] ?? { name, settings: text };
	const answer = await fetch('/choose', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(asked) });
	at('told').classList.toggle('bad', !answer.ok);
	at('told').textContent = answer.ok ? 'Chosen: for each session that begins now, and for calls without one.' : await answer.text();
});
pick();
listen();
