package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestHostile opens a page in which every text from outside attacks it: nothing
// of it must be more than text, and nothing of it must reorder what stands
// around it.
func TestHostile(t *testing.T) {
	b := open(t, hostile(t), "#/?show=all", desk)
	inert := func(part string) {
		t.Helper()
		if title := eval[string](b, "document.title"); strings.Contains(title, "owned") {
			t.Errorf("%s: a script from outside ran", part)
		}
		want(b, part+": elements from outside", "document.querySelectorAll('img, iframe, object, embed, link[href*=\"/\"], script[src]').length", 0)
		want(b, part+": scripts", "document.scripts.length", 3)
		want(b, part+": handlers and styles in the text", "document.querySelectorAll('[onerror], [onclick], [onload], body [style*=expression]').length", 0)
		want(b, part+": what cannot be seen", `/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/.test(document.body.textContent)`, false)
	}
	inert("matrix")
	b.js("openCell(data.rows.find((row) => row.kind === 'case' && row.name.startsWith('x/')), 0, true)")
	inert("cell")
	text := eval[string](b, "$('panel-body').textContent")
	for _, part := range []string{"</script>", "<img src=x onerror=", `\u202E`, `\u0000`, `\u001B[31m`, `\xFF`, "bytes more"} {
		if !strings.Contains(text, part) {
			t.Errorf("the cell lacks %q", part)
		}
	}
	if len(text) > 100_000 {
		t.Errorf("got %d bytes in the panel, want a body of a megabyte cut", len(text))
	}
	b.js("openCell(data.rows.find((row) => row.kind === 'fault'), 0, false)")
	inert("fault")
	b.js("openCell(opened.row, -1, false)")
	inert("row")
	b.js("panel.close()")
	b.js(settle)
	b.js("location.hash = `#/client/${data.clients[0].id}`")
	b.js(settle)
	inert("client")
	want(b, "the page is no wider than its window", "document.documentElement.scrollWidth <= document.documentElement.clientWidth", true)
}

// TestPrint makes a PDF, for which every row is put into the page, and looks
// that the matrix is whole again after it.
func TestPrint(t *testing.T) {
	b := open(t, ordinary(t), "#/?severity=critical", desk)
	b.js("window.printed = 0; addEventListener('beforeprint', () => { printed = grid.querySelectorAll('.grid-body .grid-row').length; })")
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(pdf), "%PDF-") || len(pdf) < 50_000 {
		t.Errorf("got %d bytes that begin %.8q, want a PDF", len(pdf), pdf)
	}
	want(b, "every row is on paper", "printed === shown.items.length && printed > 100", true)
	b.js(settle)
	if n := eval[int](b, "grid.querySelectorAll('.grid-body .grid-row').length"); n > 100 {
		t.Errorf("got %d rows in the page after printing, want those near the window", n)
	}
}
