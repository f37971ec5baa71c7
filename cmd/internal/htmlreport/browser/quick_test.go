package browser

import (
	"fmt"
	"testing"
)

// TestTenThousandCells looks that a page of 10,000 cells holds no more of them
// than are near its window, wherever it is scrolled and whatever is filtered.
// How long that takes is for the benchmark.
func TestTenThousandCells(t *testing.T) {
	b := open(t, huge(t), "#/?show=all", desk)
	if n := eval[int](b, "data.rows.length * data.clients.length"); n < 10_000 {
		t.Fatalf("got %d cells, want at least 10,000", n)
	}
	few := func(what string) {
		t.Helper()
		b.js(settle)
		if n := eval[int](b, "grid.querySelectorAll('[role=gridcell]').length"); n == 0 || n > 800 {
			t.Errorf("%s: got %d cells in the page, want some and no more than 800", what, n)
		}
		want(b, what+": the window is full", `(() => { const g = grid.getBoundingClientRect(); const hit = document.elementFromPoint(g.left + 30, (Math.max(g.top, 0) + Math.min(g.bottom, innerHeight)) / 2 + 40);
			return hit !== null && hit.closest('.grid-row') !== null; })()`, true)
	}
	b.js("grid.scrollIntoView()")
	few("at first")
	b.js("grid.scrollTop = grid.scrollHeight / 2")
	few("in the middle")
	b.js("grid.scrollTop = grid.scrollHeight")
	few("at the end")
	b.js("filters.q = 'id'; changed()")
	few("searched")
}

// BenchmarkTenThousandCells measures what a reader waits for on a page of
// 10,000 cells, in milliseconds: from the first byte of the page until
// its script has run, and for filters, jumps and cells
// until the browser has laid out what they show, the middle and the worst.
func BenchmarkTenThousandCells(b *testing.B) {
	file := huge(b)
	for b.Loop() {
		tab := open(b, file, "#/?show=all", desk)
		median := func(name, body string) {
			times := eval[[]float64](tab, fmt.Sprintf(`(() => { const times = []; %s; return times.sort((a, b) => a - b);
				function time(act) { const from = performance.now(); act(); grid.offsetHeight; times.push(performance.now() - from); } })()`, body))
			b.ReportMetric(times[len(times)/2], name+"-ms")
			b.ReportMetric(times[len(times)-1], name+"-worst-ms")
		}
		b.ReportMetric(eval[float64](tab, "(({ domContentLoadedEventEnd, responseStart }) => domContentLoadedEventEnd - responseStart)(performance.getEntriesByType('navigation')[0])"), "load-ms")
		median("filter", `for (const q of ['i', 'id', 'id ', 'gzip', 'error', '']) time(() => { filters.q = q; changed(); });
			for (const s of ['', 'all']) time(() => { filters.show = s; changed(); }); for (const g of ['layer', 'fault', '']) time(() => { filters.group = g; changed(); });`)
		median("scroll", `for (let i = 0; i < 50; i++) time(() => { grid.scrollTop = i * 700; draw(); });`)
		median("open", `for (const r of [1, 300, 800]) time(() => { openCell(data.rows[r], 3, false, false); panel.close(); });`)
	}
}
