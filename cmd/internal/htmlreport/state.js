'use strict';
// What the page shows of its data: the filters, and the rows that pass them. All text from outside is set as text.

const $ = (id) => document.getElementById(id);
const data = JSON.parse($('data').textContent);

const make = (tag, className, text) => {
	const element = document.createElement(tag);
	if (className) element.className = className;
	if (text !== undefined) element.textContent = text;
	return element;
};

const plural = (n, noun) => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;

// A client that was not asked is written as 0, one that passed as what it saw.
for (const row of data.rows) {
	row.cells = row.cells.map((cell) => (cell === 0 ? null : typeof cell === 'string' ? { became: 'passed', seen: cell } : cell));
}
const rowOf = new Map(data.rows.map((row) => [row.key, row]));
const columnOf = new Map(data.clients.map((client, column) => [client.id, column]));

const deviates = (cell) => Boolean(cell && cell.deviation && cell.became !== 'unrepeated');
const severityOf = (cell) => (deviates(cell) ? data.deviations[cell.deviation].severity : '');
const weight = { '': 0, minor: 1, major: 2, critical: 3 };

// filters are what the reader chose; an empty word is no choice.
const filters = { q: '', show: '', layer: '', deviation: '', fault: '', group: '', severity: new Set(), hidden: new Set(), closed: new Set() };

const visibleColumns = () => data.clients.map((_, column) => column).filter((column) => !filters.hidden.has(data.clients[column].id));

const titleOf = (client) => (client.version ? `${client.name} ${client.version}` : client.name);

function haystack(row) {
	row.text ??= [row.name, row.why, row.rule && `rule ${row.rule}`, data.rules[row.rule]?.title, row.layer, ...(row.faults ?? []), ...(row.want ?? []),
		...row.cells.map((cell) => (cell ? `${cell.seen ?? ''} ${cell.deviation ?? ''}` : ''))].join('\n').toLowerCase();
	return row.text;
}

// chosen tells whether a cell is one that the filters ask for.
function chosen(cell) {
	return deviates(cell) && (filters.severity.size === 0 || filters.severity.has(severityOf(cell))) &&
		(!filters.deviation || cell.deviation === filters.deviation || Boolean(cell.count?.deviated?.[filters.deviation]));
}

function passes(row, columns, terms) {
	if (filters.layer && row.layer !== filters.layer) return false;
	if (filters.fault && !row.faults?.includes(filters.fault)) return false;
	if (filters.show === 'changed' && !row.change) return false;
	const any = filters.show === 'all' || filters.show === 'changed';
	if ((!any || filters.severity.size > 0 || filters.deviation) && !columns.some((column) => chosen(row.cells[column]))) return false;
	return terms.every((term) => haystack(row).includes(term));
}

const groupings = {
	'': (row) => row.rule ?? '',
	layer: (row) => row.layer ?? '',
	fault: (row) => row.faults?.[0] ?? '',
};

function groupTitle(key) {
	switch (filters.group) {
	case 'layer': return [key ? `${key[0].toUpperCase()}${key.slice(1)} layer` : 'No layer', ''];
	case 'fault': return [key || 'No fault named', ''];
	}
	if (!key) return ['No rule', ''];
	const title = data.rules[key]?.title ?? '';
	return [/^[A-Z]?\d/.test(key) ? `Rule ${key}` : key === 'advice' ? 'Advice' : `Rule ${key}`, title];
}

// listed gives the items of the matrix, a group before its rows, and how many rows pass.
function listed() {
	const columns = visibleColumns();
	const terms = filters.q.toLowerCase().split(/\s+/).filter(Boolean);
	const groups = new Map();
	let rows = 0, cells = 0;
	const keyOf = groupings[filters.group];
	for (const row of data.rows) {
		if (!passes(row, columns, terms)) continue;
		const key = keyOf(row);
		let group = groups.get(key);
		if (!group) {
			group = { key, rows: [], counts: columns.map(() => 0), worst: columns.map(() => '') };
			groups.set(key, group);
		}
		group.rows.push(row);
		rows++;
		columns.forEach((column, i) => {
			const severity = severityOf(row.cells[column]);
			if (!severity) return;
			group.counts[i]++;
			cells++;
			if (weight[severity] > weight[group.worst[i]]) group.worst[i] = severity;
		});
	}
	let ordered = [...groups.values()];
	if (filters.group === 'layer') {
		const place = (key) => (data.layers.indexOf(key) + data.layers.length + 1) % (data.layers.length + 1);
		ordered.sort((a, b) => (a.key === '' ? 1 : b.key === '' ? -1 : place(a.key) - place(b.key)));
	} else if (filters.group === 'fault') {
		ordered.sort((a, b) => (a.key === '' ? 1 : b.key === '' ? -1 : a.key < b.key ? -1 : 1));
	}
	const items = [];
	for (const group of ordered) {
		group.closed = filters.closed.has(group.key);
		items.push({ group });
		if (!group.closed) for (const row of group.rows) items.push({ row });
	}
	return { items, columns, rows, cells };
}

// What a cell shows: a class, a sign of at most two letters, and the words for those who hear it.
function face(cell) {
	if (!cell) return { name: 'none', sign: '', words: 'not asked' };
	if (deviates(cell)) {
		const { code, severity } = data.deviations[cell.deviation];
		const held = cell.became !== 'deviated';
		return { name: held ? 'known' : severity, sign: code,
			words: `${cell.deviation}, ${severity}${held ? `, ${cell.became}` : ''}${cell.seen ? `, saw ${cell.seen}` : ''}` };
	}
	switch (cell.became) {
	case 'passed': return { name: 'passed', sign: '', words: `as expected${cell.seen ? `, saw ${cell.seen}` : ''}` };
	case 'skipped': return { name: 'skipped', sign: '–', words: 'skipped' };
	}
	return { name: 'unrepeated', sign: '~', words: 'a deviation that did not repeat' };
}
