// The address holds what is shown: #/ the matrix, #/client/ID, #/client/ID/cause/N, #/row/KEY, #/cell/KEY/ID, and the filters after ?.

const single = data.clients.length === 1;
const words = ['q', 'show', 'layer', 'deviation', 'fault', 'group']; // filters that are a word

function query() {
	const params = new URLSearchParams();
	for (const word of words) if (filters[word]) params.set(word, filters[word]);
	if (filters.severity.size) params.set('severity', [...filters.severity].join(','));
	if (filters.hidden.size) params.set('without', [...filters.hidden].join(','));
	const text = params.toString();
	return text ? `?${text}` : '';
}

function readQuery(text) {
	const params = new URLSearchParams(text);
	for (const word of words) filters[word] = params.get(word) ?? '';
	if (!groupings[filters.group]) filters.group = '';
	filters.severity = new Set((params.get('severity') ?? '').split(',').filter((name) => weight[name]));
	filters.hidden = new Set((params.get('without') ?? '').split(',').filter((id) => columnOf.has(id)));
	if (filters.hidden.size === data.clients.length) filters.hidden.clear();
}

const parts = () => {
	const [path, text = ''] = location.hash.replace(/^#\/?/, '').split('?');
	const decode = (part) => { try { return decodeURIComponent(part); } catch { return part; } };
	return { path: path.split('/').filter(Boolean).map(decode), text };
};

// showControls puts the filters into the form.
function showControls() {
	$('search').value = filters.q;
	for (const word of words.slice(1)) $(word).value = filters[word];
	for (const chip of document.querySelectorAll('[data-severity]')) chip.setAttribute('aria-pressed', filters.severity.has(chip.dataset.severity));
	for (const box of document.querySelectorAll('#columns input')) box.checked = !filters.hidden.has(box.value);
	$('reset').hidden = !query();
}

// route shows what the address asks for.
function route() {
	const { path, text } = parts();
	readQuery(text);
	const client = path[0] === 'client' && !single && columnOf.has(path[1]) ? path[1] : '';
	$('overview').hidden = $('matrix').hidden = Boolean(client);
	$('crumbs').hidden = !client;
	for (const section of document.querySelectorAll('section.client')) section.hidden = !single && section.id !== `client-${client}`;
	showControls();
	if (!client && query() !== laid) layout();
	if (path[0] === 'cell' || path[0] === 'row') {
		const row = rowOf.get(path[1]);
		const column = path[0] === 'cell' ? columnOf.get(path[2]) ?? -1 : -1;
		if (row) {
			const item = shown.items.findIndex((other) => other.row === row);
			if (item >= 0) moveTo(item, shown.columns.indexOf(column), false);
			openCell(row, column, false, false);
		}
	} else if (panel.open) {
		panel.close();
	}
	if (path[0] !== 'client') return;
	const target = path[2] === 'cause' ? $(`cause-${path[1]}-${path[3]}`) : $(`client-${path[1]}`);
	if (target && path[2] === 'cause') target.focus();
	if (path[2] === 'cause' || single) target?.scrollIntoView({ block: 'start' }); else scrollTo(0, 0);
}

function tellOpened(fresh) {
	const { row, column } = opened;
	const key = encodeURIComponent(row.key);
	const address = (column < 0 ? `#/row/${key}` : `#/cell/${key}/${data.clients[column].id}`) + query();
	if (fresh) history.pushState({ panel: true }, '', address); else history.replaceState(history.state, '', address);
}

function tellClosed() {
	const { path } = parts();
	if (path[0] !== 'cell' && path[0] !== 'row') return;
	if (history.state?.panel) history.back(); else history.replaceState(null, '', `#/${query()}`);
}

function changed() {
	history.replaceState(history.state, '', `#/${query()}`);
	$('reset').hidden = !query();
	grid.scrollTop = 0;
	layout();
}

function option(select, value, text) {
	const element = make('option', '', text ?? value);
	element.value = value;
	select.append(element);
}

function start() {
	const cells = data.rows.flatMap((row) => row.cells.filter(deviates));
	for (const layer of data.layers) if (data.rows.some((row) => row.layer === layer)) option($('layer'), layer);
	for (const word of Object.keys(data.deviations)) {
		const n = cells.filter((cell) => cell.deviation === word).length;
		if (n) option($('deviation'), word, `${word} (${n})`);
	}
	for (const fault of [...new Set(data.rows.flatMap((row) => row.faults ?? []))].sort()) option($('fault'), fault);
	for (const word of Object.keys(data.deviations)) {
		if (!cells.some((cell) => cell.deviation === word)) continue;
		const item = make('div');
		item.append(make('dt', '', data.deviations[word].code), make('dd', '', word));
		$('codes').append(item);
	}
	for (const word of words.slice(1)) {
		$(word).addEventListener('change', () => { filters[word] = $(word).value; changed(); });
	}
	$('search').addEventListener('input', () => { filters.q = $('search').value.trim(); changed(); });
	$('filters').addEventListener('submit', (event) => event.preventDefault());
	$('reset').addEventListener('click', () => {
		readQuery('');
		filters.closed.clear();
		showControls();
		changed();
		$('search').focus();
	});
	for (const chip of document.querySelectorAll('[data-severity]')) {
		chip.addEventListener('click', () => {
			const name = chip.dataset.severity;
			if (filters.severity.has(name)) filters.severity.delete(name); else filters.severity.add(name);
			chip.setAttribute('aria-pressed', filters.severity.has(name));
			changed();
		});
	}
	$('more').addEventListener('click', () => {
		const open = $('filters').classList.toggle('open');
		$('more').setAttribute('aria-expanded', open);
	});
	for (const box of document.querySelectorAll('#columns input')) {
		box.addEventListener('change', () => {
			if (box.checked) filters.hidden.delete(box.value); else filters.hidden.add(box.value);
			if (filters.hidden.size === data.clients.length) { // one at least is left
				filters.hidden.delete(box.value);
				box.checked = true;
			}
			changed();
		});
	}
	document.addEventListener('keydown', (event) => {
		if (event.key === 'Escape') $('columns')?.removeAttribute('open');
		if (event.key !== '/' || panel.open || $('matrix').hidden || event.target.matches('[type=search], select')) return;
		event.preventDefault();
		$('search').focus();
	});
	document.addEventListener('click', (event) => { if (!event.target.closest('#columns')) $('columns')?.removeAttribute('open'); });
	for (const button of document.querySelectorAll('.copy')) button.hidden = false;
	document.documentElement.classList.add('ready');
	$('matrix').hidden = false;
	document.querySelector('.skip-link').addEventListener('click', (event) => {
		event.preventDefault();
		if (!$('matrix').hidden) moveTo(active.item, active.column);
	});
	addEventListener('hashchange', route);
	route();
}
start();
