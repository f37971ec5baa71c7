package browser

import (
	"flag"
	"testing"
)

var looked = flag.String("page", "", "take the pictures of this page, its whole path, in place of an invented one")

// settle waits until what the address asks for is drawn.
const settle = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))"

// TestLook takes pictures of the parts of a page in both themes and on a phone.
// A page must not be wider than the window that it is in.
func TestLook(t *testing.T) {
	file := *looked
	if file == "" {
		file = ordinary(t)
	}
	for _, w := range []struct {
		name string
		window
	}{{"light", desk}, {"dark", night}, {"phone", phone}, {"phone-dark", window{width: 360, height: 740, theme: "dark", phone: true}}} {
		t.Run(w.name, func(t *testing.T) {
			b := open(t, file, "", w.window)
			fits := func(part string) {
				t.Helper()
				if over := eval[int](b, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); over > 0 {
					t.Errorf("%s: the page is %d pixels wider than its window", part, over)
				}
			}
			fits("overview")
			b.shot(w.name + "-overview")
			b.js("document.getElementById('filters').scrollIntoView()")
			b.js(settle)
			b.shot(w.name + "-matrix")
			b.js("(() => { const places = deviations(); openCell(places[0].row, places[0].column, true); })()")
			fits("cell")
			b.shot(w.name + "-cell")
			b.js("openCell(opened.row, -1, false)")
			b.shot(w.name + "-row")
			b.js("panel.close()")
			b.js(settle)
			if eval[bool](b, "data.clients.length > 1") {
				b.js("location.hash = `#/client/${data.clients[1].id}`")
				b.js(settle)
				fits("client")
				b.shot(w.name + "-client")
			}
		})
	}
}
