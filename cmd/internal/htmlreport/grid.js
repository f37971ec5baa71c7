// The matrix: only the rows near the window are in the page, so that any number of them stays quick.

const ROW = 32, GROUP = 44, OVERSCAN = 12;
const grid = $('grid');
const gridHead = make('div', 'grid-head');
const gridBody = make('div', 'grid-body');
gridHead.setAttribute('role', 'rowgroup');
gridBody.setAttribute('role', 'rowgroup');
grid.append(gridHead, gridBody);

let shown = { items: [], columns: [], rows: 0, cells: 0 };
let offsets = [0];
let drawn = new Map(); // rows in the page by their place in the items
let laid = null; // the filters with which the matrix was last worked out
let active = { item: 0, column: -1 }; // the cell that the tab key reaches; column -1 is the name of the row

const heightOf = (item) => (item.group ? GROUP : ROW);

// layout works out what is shown, after the filters or the clients have changed.
function layout() {
	const before = shown.items[active.item];
	shown = listed();
	laid = query();
	offsets = [0];
	for (const item of shown.items) offsets.push(offsets.at(-1) + heightOf(item));
	const same = before ? shown.items.findIndex((item) => (before.row ? item.row === before.row : item.group?.key === before.group.key)) : -1;
	active = { item: Math.max(same, 0), column: Math.min(active.column, shown.columns.length - 1) };
	grid.style.setProperty('--columns', shown.columns.length);
	grid.setAttribute('aria-rowcount', shown.items.length + 1);
	grid.setAttribute('aria-colcount', shown.columns.length + 1);
	gridBody.style.height = `${offsets.at(-1)}px`;
	for (const element of drawn.values()) element.remove();
	drawn = new Map();
	drawHead();
	draw();
	const all = data.rows.length;
	$('count').textContent = shown.rows === 0 ? 'No row fits these filters.' :
		`${shown.rows.toLocaleString('en')} of ${plural(all, 'row')}, ${plural(shown.cells, 'deviating cell')}`;
}

function drawHead() {
	const row = make('div', 'grid-row');
	row.setAttribute('role', 'row');
	row.setAttribute('aria-rowindex', 1);
	const corner = make('div', 'label', 'Case, fault or recipe');
	corner.setAttribute('role', 'columnheader');
	row.append(corner);
	for (const column of shown.columns) {
		const client = data.clients[column];
		const head = make('div', 'client-head');
		head.setAttribute('role', 'columnheader');
		const link = make('a', '', client.name);
		link.href = `#/client/${client.id}`;
		link.tabIndex = -1;
		link.title = titleOf(client);
		head.append(link, make('span', 'quiet', client.version));
		row.append(head);
	}
	gridHead.replaceChildren(row);
}

// at finds the item at a height.
function at(y) {
	let low = 0, high = shown.items.length - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (offsets[middle] <= y) low = middle; else high = middle - 1;
	}
	return low;
}

// draw puts the rows near the window into the page and takes the others out.
function draw(everything = false) {
	if (shown.items.length === 0) return;
	let from = 0, to = shown.items.length - 1;
	if (!everything) {
		from = Math.max(at(grid.scrollTop) - OVERSCAN, 0);
		to = Math.min(at(grid.scrollTop + grid.clientHeight) + OVERSCAN, to);
	}
	for (const [i, element] of drawn) {
		if ((i < from || i > to) && i !== active.item) {
			element.remove();
			drawn.delete(i);
		}
	}
	const fresh = document.createDocumentFragment();
	const add = (i) => {
		if (drawn.has(i)) return;
		const element = shown.items[i].group ? groupRow(shown.items[i].group, i) : caseRow(shown.items[i].row, i);
		drawn.set(i, element);
		fresh.append(element);
	};
	for (let i = from; i <= to; i++) add(i);
	add(active.item);
	gridBody.append(fresh);
	markActive();
}

function newRow(i, className) {
	const element = make('div', className);
	element.setAttribute('role', 'row');
	element.setAttribute('aria-rowindex', i + 2);
	element.style.transform = `translateY(${offsets[i]}px)`;
	element.dataset.item = i;
	return element;
}

function groupRow(group, i) {
	const element = newRow(i, 'grid-row group');
	const label = make('div', 'label');
	label.setAttribute('role', 'rowheader');
	label.tabIndex = -1;
	label.setAttribute('aria-expanded', !group.closed);
	const [name, title] = groupTitle(group.key);
	label.append(make('span', 'turn'), make('span', 'group-name', name), make('span', 'group-title quiet', title));
	label.title = title ? `${name}. ${title}` : name;
	element.append(label);
	group.counts.forEach((n, k) => {
		const cell = make('div', `cell sum ${n ? `word-${group.worst[k]}` : ''}`, n ? String(n) : '');
		cell.setAttribute('role', 'gridcell');
		cell.tabIndex = -1;
		cell.setAttribute('aria-label', `${titleOf(data.clients[shown.columns[k]])}: ${plural(n, 'deviating row')}`);
		element.append(cell);
	});
	return element;
}

const kindWords = { case: 'case', fault: 'fault', recipe: 'recipe' };

function caseRow(row, i) {
	const element = newRow(i, `grid-row ${row.kind}`);
	const label = make('div', 'label');
	label.setAttribute('role', 'rowheader');
	label.tabIndex = -1;
	if (row.change) label.append(make('span', `change ${row.change}`, row.worse ? 'worse' : row.change));
	label.append(make('span', 'row-name', row.name), make('span', 'row-want quiet', row.kind === 'case' ? row.want?.[0] ?? '' : kindWords[row.kind]));
	label.title = row.name;
	element.append(label);
	for (const column of shown.columns) {
		const { name, sign, words } = face(row.cells[column]);
		const cell = make('div', `cell ${name}`, sign);
		if (deviates(row.cells[column]) && !chosen(row.cells[column])) cell.classList.add('dim');
		cell.setAttribute('role', 'gridcell');
		cell.tabIndex = -1;
		cell.setAttribute('aria-label', `${titleOf(data.clients[column])}: ${words}`);
		element.append(cell);
	}
	return element;
}

const elementOf = ({ item, column }) => drawn.get(item)?.children[column + 1];

function markActive() {
	grid.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
	elementOf(active)?.setAttribute('tabindex', '0');
}

// moveTo makes a cell the active one and brings it into sight.
function moveTo(item, column, focus = true) {
	active = { item: Math.min(Math.max(item, 0), shown.items.length - 1), column: Math.min(Math.max(column, -1), shown.columns.length - 1) };
	const head = gridHead.offsetHeight, top = offsets[active.item], bottom = offsets[active.item + 1];
	if (top < grid.scrollTop) grid.scrollTop = top;
	else if (bottom + head > grid.scrollTop + grid.clientHeight) grid.scrollTop = bottom + head - grid.clientHeight;
	draw();
	const element = elementOf(active);
	if (active.column >= 0 && element) {
		const label = element.parentElement.firstElementChild.offsetWidth;
		if (element.offsetLeft - label < grid.scrollLeft) grid.scrollLeft = element.offsetLeft - label;
		else if (element.offsetLeft + element.offsetWidth > grid.scrollLeft + grid.clientWidth) grid.scrollLeft = element.offsetLeft + element.offsetWidth - grid.clientWidth;
	}
	if (focus) element?.focus({ preventScroll: true });
}

function toggleGroup(group) {
	if (filters.closed.has(group.key)) filters.closed.delete(group.key); else filters.closed.add(group.key);
	layout();
}

// activate does what a click or the enter key means on a cell.
function activate({ item, column }) {
	const { group, row } = shown.items[item] ?? {};
	if (group) {
		toggleGroup(group);
		moveTo(shown.items.findIndex((other) => other.group?.key === group.key), column);
	} else if (row) {
		openCell(row, column < 0 ? -1 : shown.columns[column], true);
	}
}

function placeOf(target) {
	const cell = target.closest('.grid-body .label, .grid-body .cell');
	if (!cell) return null;
	return { item: Number(cell.parentElement.dataset.item), column: [...cell.parentElement.children].indexOf(cell) - 1 };
}

grid.addEventListener('scroll', () => requestAnimationFrame(() => draw()), { passive: true });
new ResizeObserver(() => draw()).observe(grid);
grid.addEventListener('click', (event) => {
	const place = placeOf(event.target);
	if (!place) return;
	moveTo(place.item, place.column);
	activate(place);
});
grid.addEventListener('focusin', (event) => {
	const place = placeOf(event.target);
	if (!place) return;
	active = place;
	markActive();
});

const page = () => Math.max(Math.floor((grid.clientHeight - gridHead.offsetHeight) / ROW) - 1, 1);
const moves = {
	ArrowDown: (a) => [a.item + 1, a.column], ArrowUp: (a) => [a.item - 1, a.column],
	ArrowRight: (a) => [a.item, a.column + 1], ArrowLeft: (a) => [a.item, a.column - 1],
	PageDown: (a) => [a.item + page(), a.column], PageUp: (a) => [a.item - page(), a.column],
	Home: (a, ends) => [ends ? 0 : a.item, -1], End: (a, ends) => [ends ? shown.items.length - 1 : a.item, shown.columns.length - 1],
};
grid.addEventListener('keydown', (event) => {
	if (!placeOf(event.target) || event.altKey || event.metaKey) return;
	if (event.key === 'Enter' || event.key === ' ') {
		event.preventDefault();
		activate(active);
	} else if (moves[event.key]) {
		event.preventDefault();
		moveTo(...moves[event.key](active, event.ctrlKey));
	}
});

// On paper every row that passes the filters is there, in the flow of the page.
const mostPrinted = 3000;
addEventListener('beforeprint', () => {
	if (shown.items.length > mostPrinted) return;
	grid.classList.add('whole');
	draw(true);
	gridBody.append(...[...drawn].sort(([a], [b]) => a - b).map(([, element]) => element));
});
addEventListener('afterprint', () => {
	grid.classList.remove('whole');
	draw();
});
