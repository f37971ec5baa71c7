package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/replyproof/replyproof/properties"
)

// The goals of the table of judges.
const (
	wantAgreement = 0.95   // of random cases, for each judge
	rareRate      = 0.0001 // of random cases, below which a judge errs rarely
	wantRare      = 10     // judges that err rarely
	wantRapid     = 0.90   // of the searches with rapid
)

// report is the whole result as Markdown.
func (p *power) report() string {
	var b strings.Builder
	b.WriteString("<!-- Written by make power; do not edit. -->\n\n# What finds the broken judges\n\n")
	fmt.Fprintf(&b, "Made in %s on %d processors of %s/%s with %s, catalogue %s.\n\n", time.Since(p.began).Round(time.Second),
		runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, runtime.Version(), p.catalogue.Version())
	for _, line := range p.summary() {
		b.WriteString("- " + line + "\n")
	}
	b.WriteString(p.legend())
	b.WriteString(p.table())
	b.WriteString("\n## What each property kills\n\n")
	b.WriteString(p.propertyTable())
	return b.String()
}

func (p *power) legend() string {
	return fmt.Sprintf(`
The columns: how many cases a search needs for the first failure, and how long that takes. The exhaustive run is the
same in every run. Rapid and gopter: median and worst of %d seeds, each of at most %d cases; "-" is a seed that found
nothing. The byte fuzzer: one run of %s from %d plain answers, each input before all judges that are still alive, each
judge compared with the sound one. *Shrunk* is what rapid's first failure comes to: its recipe, the bytes of its body,
its faults, and how many the first answer of the exhaustive run has. *Errs* is the share of %d random cases (of a fifth
of them where that is enough) on which the judge says another outcome or code than the law. A judge with a star says nothing wrong but what a third party
may say, and is held to the law itself.

`, p.seeds, p.cases, p.fuzz, len(plainSeeds()), p.random)
}

func (p *power) table() string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"judge", "rule", "frozen case", "exhaustive", "rapid", "gopter", "bytes", "shrunk", "size", "faults", "errs"})
	for _, r := range p.rows {
		name := r.Name
		if r.Tolerated {
			name += " *"
		}
		shrunk, size, faults := "-", "-", "-"
		if r.bytes > 0 || r.rapidHits() > 0 {
			shrunk, size = "`"+p.catalogue.Format(r.shrunk)+"`", fmt.Sprint(r.bytes)
			faults = fmt.Sprintf("%d of %d", len(r.shrunk.Picks()), r.needed)
		}
		t.AppendRow(table.Row{name, r.Rule, r.frozen, one(r.exhaustive), several(r.rapid), several(r.gopter), one(r.byBytes), shrunk, size, faults, percent(r.errs, r.of)})
	}
	return t.RenderMarkdown() + "\n"
}

// propertyTable tells for each property which judges it kills.
func (p *power) propertyTable() string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"property", "kills", "judges"})
	for _, property := range properties.All() {
		var names []string
		for _, r := range p.rows {
			if slices.Contains(r.properties, property.Name) {
				names = append(names, r.Name)
			}
		}
		text := strings.Join(names, " ")
		if len(names) == len(p.rows) {
			text = "all"
		}
		t.AppendRow(table.Row{property.Name, len(names), text})
	}
	return t.RenderMarkdown() + "\n"
}

// summary is what the README tells.
func (p *power) summary() []string {
	exhaustive, bytes, hits, searches, gopterHits := 0, 0, 0, 0, 0
	var missed, rare []string
	for _, r := range p.rows {
		exhaustive += count(r.exhaustive.ok)
		bytes += count(r.byBytes.ok)
		hits += r.rapidHits()
		searches += len(r.rapid)
		for _, f := range r.gopter {
			gopterHits += count(f.ok)
		}
		if n := r.rapidHits(); n < len(r.rapid) {
			missed = append(missed, fmt.Sprintf("%s (%d of %d seeds, errs on %s)", r.Name, n, len(r.rapid), percent(r.errs, r.of)))
		}
		if p.rare(r) {
			rare = append(rare, r.Name)
		}
	}
	lines := []string{
		fmt.Sprintf("%d broken judges; the exhaustive run of %d cases kills %d, and the reference judges all of it in %.1f s on one processor.", len(p.rows), len(p.recipes), exhaustive, p.whole.Seconds()),
		fmt.Sprintf("rapid finds %s of its searches of %d cases, gopter %s; the byte fuzzer %d judges in %s.", percent(hits, searches), p.cases, percent(gopterHits, searches), bytes, p.fuzz),
		fmt.Sprintf("%d judges err on fewer than one random case in 10,000: %s.", len(rare), strings.Join(rare, ", ")),
	}
	if len(missed) > 0 {
		lines = append(lines, "rapid does not find in every search: "+strings.Join(missed, ", ")+".")
	}
	return lines
}

func (p *power) rare(r *row) bool { return float64(r.errs) < rareRate*float64(r.of) }

func (r *row) rapidHits() int {
	n := 0
	for _, f := range r.rapid {
		n += count(f.ok)
	}
	return n
}

// verdict is an error that names everything that is not good enough.
func (p *power) verdict() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	sets := map[uint64]string{}
	hits, searches, rare := 0, 0, 0
	for _, r := range p.rows {
		hits, searches = hits+r.rapidHits(), searches+len(r.rapid)
		rare += count(p.rare(r))
		if !r.exhaustive.ok {
			fail("%s survives the exhaustive run: %s", r.Name, r.Doc)
			continue
		}
		if r.frozen == "" {
			fail("%s: no case of the corpus kills it", r.Name)
		}
		if !slices.Contains(r.properties, properties.ByConstruction) {
			fail("%s: by-construction does not kill it", r.Name)
		}
		if float64(r.errs) > (1-wantAgreement)*float64(r.of) {
			fail("%s errs on %s of random cases, want at most %.0f%%: it is too easily found to prove anything", r.Name, percent(r.errs, r.of), 100*(1-wantAgreement))
		}
		if other, ok := sets[r.set]; ok {
			fail("%s is killed by the same cases as %s", r.Name, other)
		}
		sets[r.set] = r.Name
	}
	if p.judges != "" {
		return errors.Join(errs...) // the rest is of the whole table
	}
	if rare < wantRare {
		fail("%d judges err on fewer than one random case in 10,000, want %d", rare, wantRare)
	}
	if float64(hits) < wantRapid*float64(searches) {
		fail("rapid finds %s, want %.0f%%", percent(hits, searches), 100*wantRapid)
	}
	return errors.Join(errs...)
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.4g%%", 100*float64(n)/float64(of))
}

// one is a search of one run.
func one(f found) string {
	if !f.ok {
		return "-"
	}
	return fmt.Sprintf("%d in %s", f.cases, short(f.after))
}

// several are the median and the worst of several searches.
func several(all []found) string {
	if len(all) == 0 {
		return "-"
	}
	sorted := slices.SortedFunc(slices.Values(all), func(a, b found) int {
		switch {
		case a.ok != b.ok:
			return count(b.ok) - count(a.ok)
		default:
			return a.cases - b.cases
		}
	})
	return one(sorted[(len(sorted)-1)/2]) + "; " + one(sorted[len(sorted)-1])
}

// short is a time with two digits.
func short(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.2g ms", d.Seconds()*1000)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1000)
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
