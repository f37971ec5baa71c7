// What stands behind a cell: a dialog, which keeps the focus, closes on Escape and gives the focus back.

const panel = $('panel');
let opened = null; // { row, column }; column -1 is the row itself

function term(list, name, ...content) {
	const item = make('div');
	const text = make('dd');
	text.append(...content);
	item.append(make('dt', '', name), text);
	list.append(item);
}

function piecesOf(pieces) {
	return pieces.map((text, i) => (i % 2 ? make('span', 'escape', text) : text));
}

function wireOf(exchanges) {
	return exchanges.map((exchange) => {
		const box = make('div', 'wire');
		box.append(make('p', 'wire-status', exchange.status));
		for (const [name, value] of exchange.headers ?? []) {
			const line = make('p', 'wire-header');
			line.append(make('span', 'quiet', `${name}:`), ` ${value}`);
			box.append(line);
		}
		if (exchange.body) {
			const body = make('pre');
			body.append(...piecesOf(exchange.body));
			box.append(body);
		}
		if (exchange.more) box.append(make('p', 'small quiet', `… ${exchange.more}`));
		if (exchange.how) box.append(make('p', 'small quiet', exchange.how));
		return box;
	});
}

function reproduceLine(text) {
	const line = make('div', 'line');
	line.append(make('pre', '', text), make('button', 'copy', 'Copy'));
	line.lastChild.type = 'button';
	return line;
}

function tag(cell) {
	const severity = severityOf(cell);
	const element = make('span', `tag ${severity}`);
	const mark = make('span', `mark ${severity}`);
	mark.setAttribute('aria-hidden', 'true');
	element.append(mark, severity);
	return element;
}

function heading(cell) {
	const line = make('p', 'verdict');
	if (deviates(cell)) {
		line.append(tag(cell), ' ', make('strong', '', cell.deviation));
		if (cell.became !== 'deviated') line.append(make('span', 'quiet', cell.became === 'known' ? ', known to the baseline' : ', below the severity that counts'));
		return [line, make('p', 'meaning', data.deviations[cell.deviation].meaning)];
	}
	line.append(make('span', cell?.became === 'passed' ? 'word-good' : 'quiet', face(cell).words));
	return [line];
}

function countLines(count) {
	const parts = [`${count.passed.toLocaleString('en')} passed`];
	for (const [word, n] of Object.entries(count.deviated ?? {})) parts.push(`${n.toLocaleString('en')} ${word}`);
	for (const [n, word] of [[count.known, 'known'], [count.ignored, 'below what counts'], [count.unrepeated, 'not repeated'], [count.skipped, 'skipped']]) {
		if (n) parts.push(`${n} ${word}`);
	}
	const lines = [make('p', '', count.cases ? `${plural(count.cases, 'case')} alone: ${parts.join(', ')}` : 'no case alone')];
	if (count.together) lines.push(make('p', 'small quiet', `with other faults: ${plural(count.together, 'case')}, ${(count.deviating ?? 0).toLocaleString('en')} deviating`));
	return lines;
}

function wants(list, want) {
	if (!want?.length) return;
	const content = [make('code', '', want[0])];
	if (want.length > 1) {
		const also = make('span', 'small quiet', ' also acceptable: ');
		want.slice(1).forEach((word, i) => also.append(i ? ', ' : '', make('code', '', word)));
		content.push(also);
	}
	term(list, 'Expected', ...content);
}

function about(list, row) {
	if (row.rule) {
		const rule = data.rules[row.rule];
		term(list, 'Rule', rule ? `${row.rule}. ${rule.title}` : row.rule, ...(rule ? [make('p', 'small quiet', rule.text)] : []));
	}
	if (row.why) term(list, row.kind === 'fault' ? 'Fault' : 'Why', row.why);
	if (row.faults?.length && row.kind !== 'fault') term(list, 'Faults', row.faults.join(', '));
}

// detailOf tells of one cell whose client has no cause of its own there.
function detailOf(row, client, cell) {
	const list = make('dl', 'detail');
	if (cell?.count) term(list, 'Generated', ...countLines(cell.count));
	if (cell?.count?.recipe) term(list, 'For example', make('code', 'name', cell.count.recipe));
	const wire = cell?.count?.wire ?? row.wire;
	if (wire !== undefined) {
		term(list, 'Wire', ...wireOf(data.wires[wire]));
		if (row.kind === 'fault' && cell?.count?.wire === undefined) list.lastChild.lastChild.prepend(make('p', 'small quiet', 'A case that shows the fault:'));
	}
	wants(list, cell?.count?.want ?? row.want);
	if (cell?.seen) term(list, 'Seen', make('code', `word-${severityOf(cell) || 'good'}`, cell.seen), ...(cell.text ? [make('p', 'small said', cell.text)] : []));
	else if (cell?.text) term(list, 'Said', cell.text);
	if (cell?.differ) term(list, 'Runs', 'Two runs of this client saw different things; the gravest is shown.');
	about(list, row);
	const line = cell?.count?.reproduce ?? (row.kind === 'case' && client.command && cell && /^[\w.\/-]+$/.test(row.name) ? `${client.command} --case ${row.name}` : '');
	if (line) term(list, 'Reproduce', reproduceLine(line));
	return list;
}

function causeOf(client, i) {
	const original = $(`cause-${client.id}-${i}`);
	if (!original) return null;
	const copy = original.cloneNode(true);
	copy.removeAttribute('id');
	copy.removeAttribute('tabindex');
	for (const button of copy.querySelectorAll('.copy')) button.hidden = false;
	return copy;
}

function fillCell(body, row, column) {
	const client = data.clients[column], cell = row.cells[column];
	const causes = (cell?.causes ?? []).map((i) => causeOf(client, i)).filter(Boolean);
	if (causes.length) {
		body.append(...causes);
		const list = make('dl', 'detail');
		if (cell.count) term(list, 'Generated', ...countLines(cell.count));
		if (row.kind === 'fault' && row.why) term(list, 'Fault', row.why);
		if (list.children.length) body.append(list);
	} else {
		body.append(...heading(cell), detailOf(row, client, cell));
	}
}

// fillRow tells of a row, and what every client made of it.
function fillRow(body, row) {
	const results = make('ul', 'results');
	data.clients.forEach((client, column) => {
		const { name, sign, words } = face(row.cells[column]);
		const button = make('button', 'result');
		button.type = 'button';
		const mark = make('span', `cell ${name}`, sign);
		mark.setAttribute('aria-hidden', 'true');
		button.append(mark, make('span', 'result-name', titleOf(client)), make('span', 'small quiet', words));
		button.addEventListener('click', () => openCell(row, column, false));
		const item = make('li');
		item.append(button);
		results.append(item);
	});
	const list = make('dl', 'detail');
	if (row.wire !== undefined) term(list, 'Wire', ...wireOf(data.wires[row.wire]));
	wants(list, row.want);
	about(list, row);
	body.append(results, list);
}

// openCell shows a cell; fresh is false where another is shown already.
function openCell(row, column, fresh, tell = true) {
	opened = { row, column };
	const client = data.clients[column];
	const kind = { case: 'Case of the corpus', fault: 'Fault', recipe: 'Recipe' }[row.kind];
	$('panel-over').textContent = [kind, row.rule && `rule ${row.rule}`, row.layer, client && titleOf(client)].filter(Boolean).join(' · ');
	$('panel-title').textContent = row.name;
	const body = $('panel-body');
	body.replaceChildren();
	if (column < 0) fillRow(body, row); else fillCell(body, row, column);
	body.scrollTop = 0;
	const places = deviations();
	$('panel-previous').disabled = step(places, -1) === null;
	$('panel-next').disabled = step(places, 1) === null;
	if (!panel.open) {
		panel.showModal();
		body.focus();
	}
	if (tell) tellOpened(fresh);
}

// deviations are the deviating cells that are shown, in the order of reading.
function deviations() {
	const places = [];
	shown.items.forEach((item, i) => {
		if (item.row) shown.columns.forEach((column, k) => { if (chosen(item.row.cells[column])) places.push({ i, k, row: item.row, column }); });
	});
	return places;
}

// step finds the deviation after or before the cell that is shown.
function step(places, direction) {
	const i = shown.items.findIndex((item) => item.row === opened.row);
	const k = opened.column < 0 ? -1 : shown.columns.indexOf(opened.column);
	const after = (p) => p.i > i || p.i === i && p.k > k, before = (p) => p.i < i || p.i === i && p.k < k;
	return (direction > 0 ? places.find(after) : places.findLast(before)) ?? null;
}

function go(direction) {
	const place = step(deviations(), direction);
	if (!place) return;
	moveTo(place.i, place.k, false);
	openCell(place.row, place.column, false);
}

$('panel-close').addEventListener('click', () => panel.close());
$('panel-previous').addEventListener('click', () => go(-1));
$('panel-next').addEventListener('click', () => go(1));
panel.addEventListener('keydown', (event) => {
	if (event.altKey || event.ctrlKey || event.metaKey) return;
	if (event.key === 'ArrowRight') go(1);
	else if (event.key === 'ArrowLeft') go(-1);
	else return;
	event.preventDefault();
});
panel.addEventListener('click', (event) => { if (event.target === panel) panel.close(); }); // beside it
panel.addEventListener('close', () => {
	opened = null;
	tellClosed();
	if (!$('matrix').hidden) moveTo(active.item, active.column);
});

// Copy buttons are there where the script runs.
document.addEventListener('click', async (event) => {
	if (!event.target.matches?.('.copy')) return;
	const line = event.target.parentElement.querySelector('pre');
	try {
		await navigator.clipboard.writeText(line.textContent);
		event.target.textContent = 'Copied';
	} catch {
		getSelection().selectAllChildren(line);
		event.target.textContent = 'Selected';
	}
	setTimeout(() => { event.target.textContent = 'Copy'; }, 1500);
});
