// Command power measures how well the harness finds the broken judges: for each
// it tells which properties and which frozen case kill it, how many cases and
// how long each search needs for the first failure, how small the answer is in
// the end, and how rarely the judge errs. It fails when one survives, and when
// the table itself is not good enough to prove anything.
//
//	go run . -out ../POWER.md -fuzz 10m
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/broken"
)

// options are the sizes of the run.
type options struct {
	seeds  int           // of rapid and gopter
	cases  int           // for each seed
	random int           // on which judges are compared with the sound one
	tries  int           // of each property on random recipes
	fuzz   time.Duration // of the byte fuzzer
	kills  string        // file of the byte fuzzer's kills
	out    string
	judges string
}

// found is a search for one judge: how many cases it took and how long, if it
// was successful.
type found struct {
	cases int
	after time.Duration
	ok    bool
}

// row is what there is to know of one judge.
type row struct {
	broken.Judge
	properties []string
	frozen     string              // id of the first case of the corpus that kills it
	set        uint64              // a hash of the cases that kill it
	killing    []generators.Recipe // some of them
	needed     int                 // faults in the first recipe of it, which has the fewest
	exhaustive found
	rapid      []found // by seed
	gopter     []found
	byBytes    found
	shrunk     generators.Recipe // what rapid's first failure shrinks to
	bytes      int               // of its body
	errs, of   int               // random cases on which it errs, of how many
}

// power is a run.
type power struct {
	options
	catalogue *generators.Catalogue
	rows      []*row
	recipes   []generators.Recipe // of the exhaustive run
	whole     time.Duration       // of the exhaustive run over the reference
	began     time.Time
}

func main() {
	debug.SetGCPercent(800) // judges leave much behind
	testing.Init()          // rapid asks package testing for its flags
	var o options
	flag.IntVar(&o.seeds, "seeds", 10, "runs of rapid and of gopter for each judge")
	flag.IntVar(&o.cases, "cases", 20000, "cases of rapid and of gopter for each seed")
	flag.IntVar(&o.random, "random", 100_000, "random cases on which the judges are compared with the sound one")
	flag.IntVar(&o.tries, "tries", 500, "random recipes that each property is tried on")
	flag.DurationVar(&o.fuzz, "fuzz", 30*time.Second, "time of the byte fuzzer; 0 for none")
	flag.StringVar(&o.kills, "kills", "", "file that keeps the byte fuzzer's kills; with -fuzz 0 those of the run that wrote it are told")
	flag.StringVar(&o.out, "out", "", "file that the table is written to as well")
	flag.StringVar(&o.judges, "judges", "", "only judges whose name matches this pattern")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "power:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	p, err := newPower(o)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"frozen cases", p.frozen},
		{"exhaustive run", p.exhaustive},
		{"random cases", p.agreement},
		{"properties", p.byProperties},
		{"rapid and gopter", p.libraries},
		{"byte fuzzer", p.byteFuzzer},
	} {
		began := time.Now()
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Fprintf(os.Stderr, "power: %s: %.0f s\n", step.name, time.Since(began).Seconds())
	}
	text := p.report()
	fmt.Print(text)
	if o.out != "" {
		fill := func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
		if err := corpus.WriteWhole(o.out, fill); err != nil {
			return fmt.Errorf("write %s: %w", o.out, err)
		}
	}
	return p.verdict()
}

func newPower(o options) (*power, error) {
	pattern, err := regexp.Compile(o.judges)
	if err != nil {
		return nil, fmt.Errorf("-judges: %w", err)
	}
	p := &power{options: o, catalogue: generators.Default(), began: time.Now()}
	for _, j := range broken.AllWith(decoders) {
		if pattern.MatchString(j.Name) {
			p.rows = append(p.rows, &row{Judge: j})
		}
	}
	if len(p.rows) == 0 {
		return nil, fmt.Errorf("-judges %q: no judge has such a name", o.judges)
	}
	p.recipes = slices.Collect(p.catalogue.Exhaustive())
	return p, nil
}

// each does something for each row, on all processors.
func (p *power) each(do func(*row)) { p.parallel(len(p.rows), func(i int) { do(p.rows[i]) }) }

// parallel does something for each number below n, on all processors.
func (p *power) parallel(n int, do func(int)) {
	work := make(chan int)
	done := make(chan struct{})
	workers := runtime.GOMAXPROCS(0)
	for range workers {
		go func() {
			for i := range work {
				do(i)
			}
			done <- struct{}{}
		}()
	}
	for i := range n {
		work <- i
	}
	close(work)
	for range workers {
		<-done
	}
}
