package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// key presses a key where the focus is, and waits until the page has followed.
func (b *tab) key(keys string, options ...chromedp.KeyOption) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys, options...))
	b.js(settle)
}

// click clicks the first element of a selector.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(selector)))
	b.js(settle)
}

// focused is the words of the cell that has the focus.
const focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"

func TestFilters(t *testing.T) {
	b := open(t, ordinary(t), "", desk)
	count := func(what, condition string) {
		t.Helper()
		want(b, what, "shown.rows", eval[int](b, "data.rows.filter((row) => "+condition+").length"))
	}
	count("at first, the rows that deviate", "row.cells.some((c) => c && c.deviation)")
	if n := eval[int](b, "shown.rows"); n < 100 || n > 1000 {
		t.Errorf("got %d rows at first, want some and not all", n)
	}
	b.click("[data-severity=critical]")
	count("critical", "row.cells.some((c) => c && c.deviation === 'FALSE_SUCCESS')")
	want(b, "the chip says so", "document.querySelector('[data-severity=critical]').getAttribute('aria-pressed')", "true")
	b.click("[data-severity=major]")
	count("critical or major", "row.cells.some((c) => c && ['FALSE_SUCCESS', 'LOST_RESULT'].includes(c.deviation))")
	want(b, "the address says so", "location.hash", "#/?severity=critical%2Cmajor")
	b.click("#reset")
	want(b, "cleared", "location.hash", "#/")
	choose := func(name, value string) {
		t.Helper()
		b.js("(() => { const s = $('" + name + "'); s.value = '" + value + "'; s.dispatchEvent(new Event('change', { bubbles: true })); })()")
	}
	choose("show", "all")
	want(b, "all rows", "shown.rows", eval[int](b, "data.rows.length"))
	choose("layer", "transport")
	count("one layer", "row.layer === 'transport'")
	choose("layer", "")
	choose("fault", "id-absent")
	count("one fault", "row.faults && row.faults.includes('id-absent')")
	choose("fault", "")
	choose("deviation", "LOST_RESULT")
	count("one deviation", "row.cells.some((c) => c && c.deviation === 'LOST_RESULT')")
	b.click("#reset")
	b.js("$('columns').open = true")
	b.click("#columns input[value='gamma-1.2.0']")
	want(b, "without a client", "shown.columns.join()", "0,1,3,4")
	count("rows of the others", "row.cells.some((c, i) => i !== 2 && c && c.deviation)")
	b.click("#columns input[value='gamma-1.2.0']")
	b.key("/")
	// The key is for the search even while another control has the focus.
	want(b, "the slash finds the search", "document.activeElement.id", "search")
	b.js("$('search').value = ''") // the driver types what the page has prevented
	b.do(chromedp.SendKeys(chromedp.CSS("#search"), "Unexpected_Content gzip"))
	b.js(settle)
	count("search", "row.cells.some((c) => c && c.deviation) && haystack(row).includes('gzip') && haystack(row).includes('unexpected_content')")
	if n := eval[int](b, "shown.rows"); n == 0 || n > 50 {
		t.Errorf("got %d rows for the search, want a few", n)
	}
	b.do(chromedp.SendKeys(chromedp.CSS("#search"), " there-is-no-such-word"))
	b.js(settle)
	want(b, "nothing", "$('count').textContent", "No row fits these filters.")
	b.click("#reset")
	for group, first := range map[string]string{"layer": "Transport layer", "fault": "accept-post-header", "": "Rule 1"} {
		choose("group", group)
		if got := eval[string](b, "document.querySelector('.group .group-name').textContent"); group != "fault" && got != first || got == "" {
			t.Errorf("grouped by %q: got first group %q, want %q", group, got, first)
		}
	}
	open := eval[int](b, "shown.items.length")
	b.js("document.querySelector('[data-item=\"0\"] .label').click()")
	want(b, "a closed group", "document.querySelector('.group .label').getAttribute('aria-expanded')", "false")
	if closed := eval[int](b, "shown.items.length"); closed >= open {
		t.Errorf("got %d items with a group closed, want less than %d", closed, open)
	}
}

func TestMouse(t *testing.T) {
	b := open(t, ordinary(t), "", desk)
	b.do(chromedp.ScrollIntoView(chromedp.CSS("#grid")))
	b.click("#grid .case .cell.critical")
	want(b, "the panel", "panel.open", true)
	for _, part := range []string{"FALSE_SUCCESS", "told success, though there was none", "HTTP ", "Expected", "Seen", "SUCCESS", "Rule", "Why", "Reproduce", "replyproof check --adapter ./"} {
		if text := eval[string](b, "$('panel-body').textContent"); !strings.Contains(text, part) {
			t.Errorf("the panel lacks %q:\n%s", part, text)
		}
	}
	if address := eval[string](b, "location.hash"); !strings.HasPrefix(address, "#/cell/case%3A") {
		t.Errorf("got address %q, want one of the cell", address)
	}
	title := eval[string](b, "$('panel-over').textContent + $('panel-title').textContent")
	b.click("#panel-next")
	if next := eval[string](b, "$('panel-over').textContent + $('panel-title').textContent"); next == title {
		t.Errorf("got %q after Next, want another cell", next)
	}
	b.click("#panel-close")
	want(b, "closed", "panel.open", false)
	want(b, "the address after closing", "location.hash", "")
	b.click("#grid .case .label")
	want(b, "a row's name opens what all clients made of it", "$('panel-body').querySelectorAll('.result').length", 5)
	b.do(chromedp.NavigateBack())
	b.js(settle)
	want(b, "back closes", "panel.open", false)
	b.js("document.querySelector('.clients a').click()")
	b.js(settle)
	want(b, "a client's part", "[...document.querySelectorAll('section.client:not([hidden])')].map((s) => s.id).join()", "client-alpha-sdk-1.0.0")
	want(b, "the matrix is away", "$('matrix').hidden", true)
	b.click("#crumbs a")
	want(b, "and back", "$('matrix').hidden", false)
}

func TestKeyboard(t *testing.T) {
	b := open(t, ordinary(t), "", desk)
	b.js("document.querySelector('.skip-link').focus()")
	b.key(kb.Enter)
	want(b, "the skip link leads into the matrix", "document.activeElement.closest('.grid-body') !== null", true)
	b.key(kb.ArrowDown)
	b.key(kb.ArrowRight)
	want(b, "down and right", "[active.item, active.column].join()", "1,0")
	want(b, "the focus is on it", "document.activeElement === elementOf(active)", true)
	b.key(kb.End)
	want(b, "end of the row", "active.column", 4)
	b.key(kb.ArrowRight)
	want(b, "no further", "active.column", 4)
	b.key(kb.Home)
	want(b, "name of the row", "active.column", -1)
	b.key(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	want(b, "last row", "active.item === shown.items.length - 1", true)
	want(b, "it is drawn and has the focus", "document.activeElement === elementOf(active)", true)
	want(b, "and is in sight", "(() => { const a = elementOf(active).getBoundingClientRect(), g = grid.getBoundingClientRect(); return a.bottom <= g.bottom + 1 && a.top >= g.top; })()", true)
	b.key(kb.Home, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	want(b, "first row", "active.item", 0)
	b.key(kb.PageDown)
	if item := eval[int](b, "active.item"); item < 5 {
		t.Errorf("got row %d after a page, want more", item)
	}
	b.key(kb.ArrowRight)
	words := eval[string](b, focused)
	if !strings.Contains(words, "alpha-sdk 1.0.0: ") {
		t.Errorf("got %q, want the cell to say whose it is", words)
	}
	b.key(kb.Enter)
	want(b, "enter opens", "panel.open", true)
	want(b, "the focus is in the panel", "panel.contains(document.activeElement)", true)
	for range 12 {
		b.key(kb.Tab)
		want(b, "tab stays in the panel or the browser's own", "panel.contains(document.activeElement) || document.activeElement === document.body", true)
	}
	b.js("$('panel-body').focus()")
	b.key(kb.ArrowRight)
	want(b, "the next deviation", "panel.open && chosen(opened.row.cells[opened.column])", true)
	b.key(kb.Escape)
	want(b, "escape closes", "panel.open", false)
	want(b, "the focus is back on the cell", "document.activeElement === elementOf(active) && active.column >= 0", true)
	b.js("moveTo(0, -1)")
	b.key(" ")
	want(b, "space closes a group", "shown.items[0].group.closed", true)
	// Each control and the matrix are reached once: rows and cells are no tab stops of their own.
	want(b, "tab stops of the matrix", "grid.querySelectorAll('[tabindex=\"0\"]').length", 1)
	want(b, "everything that can be used has a name", `[...document.querySelectorAll('button, input, select, [role=gridcell], [role=rowheader], [role=region], dialog, a')]
		.filter((e) => !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML).join()`, "")
}

func TestAddresses(t *testing.T) {
	file := ordinary(t)
	t.Run("cell", func(t *testing.T) {
		b := open(t, file, "#/cell/case%3Aarticle%2Fjsonrpc-error/beta-client-1.1.0?show=all", desk)
		want(b, "title", "$('panel-title').textContent", "article/jsonrpc-error")
		want(b, "client", "$('panel-over').textContent.endsWith('beta-client 1.1.0')", true)
		want(b, "filter", "$('show').value", "all")
		b.key(kb.Escape)
		want(b, "address", "location.hash", "#/?show=all")
	})
	t.Run("cause", func(t *testing.T) {
		b := open(t, file, "#/client/gamma-1.2.0/cause/3", desk)
		want(b, "the cause has the focus", "document.activeElement.id", "cause-gamma-1.2.0-3")
		want(b, "and is in sight", "Math.abs(document.activeElement.getBoundingClientRect().top) < 200", true)
	})
	t.Run("unknown", func(t *testing.T) {
		b := open(t, file, "#/cell/case%3Anot-there/nobody?layer=nowhere&group=nothing&severity=odd&without=nobody&x=%E0%A4%A", desk)
		want(b, "no panel", "panel.open", false)
		b.click("#reset")
		want(b, "the matrix is whole", "shown.rows > 100", true)
	})
}

func TestTheme(t *testing.T) {
	b := open(t, ordinary(t), "", desk)
	const ground = "getComputedStyle(document.body).backgroundColor"
	light := eval[string](b, ground)
	b.click("[data-theme-switch]")
	dark := eval[string](b, ground)
	if light == dark {
		t.Errorf("got the same ground %s in both themes", light)
	}
	b.do(chromedp.Reload())
	want(b, "kept over a reload", ground, dark)
	b.click("[data-theme-switch]")
	want(b, "and back", ground, light)
	b.js("localStorage.clear()")
}
