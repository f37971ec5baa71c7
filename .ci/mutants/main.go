// Command mutants tells how much of the classifier its tests hold: it changes the
// code in every place where one of a few changes can be made, and sees whether
// `go test` of the packages named in suites fails.
//
//	go run . [-run REGEXP] [-sample N [-seed S]] [-jobs N] [-keep DIR [-added]] [-write]
//
// All mutants are built at once, each behind a switch that an environment
// variable sets, so that a mutant costs a run of tests and no build. What does
// not compile is no mutant: it is left out before anything is counted.
//
// First each test is run alone, without a mutant, and the switches tell which
// mutants it would have felt. A mutant is then run with those tests only, the
// quickest first, until one fails; one that no test feels has survived. A test
// gets CPU seconds rather than time, so that a busy machine kills no mutant.
//
// classifier/MUTANTS.md lists the mutants that may survive, each with the reason
// why no test can see it. A survivor that it does not list is a failure, and so
// is an entry of a mutant that is killed or is no more.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// suites are the packages that are mutated, and those whose tests are run for
// each.
var suites = []struct {
	pkg   string
	tests []string
}{
	{"classifier/internal/scan", []string{"classifier/internal/scan", "classifier", "classifier/model"}},
	{"classifier", []string{"classifier", "classifier/codings", "classifier/model"}},
	{"classifier/codings", []string{"classifier/codings", "classifier/model"}},
}

// options are what the command line says.
type options struct {
	only   string
	sample int
	seed   uint64
	jobs   int
	keep   string
	added  bool
	write  bool
}

func main() {
	var o options
	flag.StringVar(&o.only, "run", "", "mutate only where file, function and change match this")
	flag.IntVar(&o.sample, "sample", 0, "run so many mutants, of every file its share, and not all")
	flag.Uint64Var(&o.seed, "seed", 1, "which sample, and the order of the run")
	flag.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "how many mutants to run at a time")
	flag.StringVar(&o.keep, "keep", "", "keep what is built and found in this folder, and go on from there")
	flag.BoolVar(&o.added, "added", false, "tests were only added since: what they killed before counts")
	flag.BoolVar(&o.write, "write", false, "add survivors to the list, with no reason yet")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (err error) {
	filter, err := regexp.Compile(o.only)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	work := o.keep
	if work == "" {
		if work, err = os.MkdirTemp("", "mutants"); err != nil {
			return err
		}
		defer os.RemoveAll(work)
	} else if work, err = filepath.Abs(work); err != nil {
		return err
	}
	if err := os.MkdirAll(work, 0o777); err != nil {
		return err
	}
	all, binaries, code, err := build(root, work)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d mutants are built; finding which tests feel which\n", len(all))
	r := &runner{root: root, work: work, code: code}
	if err := r.explore(ctx, all, binaries, o.jobs); err != nil {
		return err
	}
	mutants := spread(slices.DeleteFunc(slices.Clone(all), func(m *mutant) bool { return !filter.MatchString(m.key()) }), o.seed)
	if o.sample > 0 && o.sample < len(mutants) {
		mutants = mutants[:o.sample]
	}
	fmt.Printf("%d mutants compile; running %d, seed %d\n", len(all), len(mutants), o.seed)
	book, err := openJournal(filepath.Join(work, "journal.jsonl"), code, r.tested(), o.added)
	if err != nil {
		return err
	}
	defer book.file.Close()

	survivors, done := r.all(ctx, mutants, book, o.jobs)
	fmt.Printf("%d of %d killed, %.2f%%; %d survived\n", done-len(survivors), done, 100*float64(done-len(survivors))/float64(max(done, 1)), len(survivors))
	if done < len(mutants) {
		return fmt.Errorf("cut short after %d of %d mutants", done, len(mutants))
	}
	return compare(filepath.Join(root, "classifier", "MUTANTS.md"), all, mutants, survivors, o.write)
}

// all runs the mutants, and tells which survived and how many were run before
// the context ended. What quick tests do not kill waits for the others, as most
// of it survives and takes its time.
func (r *runner) all(ctx context.Context, mutants []*mutant, book *journal, jobs int) (survivors []*mutant, done int) {
	var mutex sync.Mutex
	settle := func(m *mutant, e entry) {
		done++
		if e.By == "" {
			survivors = append(survivors, m)
			fmt.Printf("survived (%s): line %d: %s\n", e.How, m.Line, m.key())
		}
		if done%50 == 0 {
			fmt.Fprintf(os.Stderr, "%d of %d, %d survived\n", done, len(mutants), len(survivors))
		}
	}
	var left []*mutant
	side(jobs, mutants, func(m *mutant) {
		e, known := book.find(m)
		if !known {
			e = r.kill(ctx, m, true)
		}
		mutex.Lock()
		defer mutex.Unlock()
		switch {
		case known:
			settle(m, e)
		case ctx.Err() != nil:
		case e.By != "" || len(r.felt[m.ID]) == 0:
			book.add(m, e)
			settle(m, e)
		default:
			left = append(left, m)
			fmt.Fprintf(os.Stderr, "not killed by quick tests: line %d: %s\n", m.Line, m.key())
		}
	})
	side(jobs, left, func(m *mutant) {
		e := r.kill(ctx, m, false)
		mutex.Lock()
		defer mutex.Unlock()
		if ctx.Err() == nil {
			book.add(m, e)
			settle(m, e)
		}
	})
	return survivors, done
}

// side does something with each mutant, so many at a time.
func side(jobs int, mutants []*mutant, do func(*mutant)) {
	var group sync.WaitGroup
	queue := make(chan *mutant)
	for range jobs {
		group.Go(func() {
			for m := range queue {
				do(m)
			}
		})
	}
	for _, m := range mutants {
		queue <- m
	}
	close(queue)
	group.Wait()
}

// spread puts the mutants into an order of which every beginning holds of every
// file its share, so that a sample is fair, and so is a run that is cut short.
func spread(mutants []*mutant, seed uint64) []*mutant {
	random := rand.New(rand.NewPCG(seed, seed))
	random.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	total, nth := map[string]int{}, map[string]int{}
	for _, m := range mutants {
		total[m.File]++
	}
	place := map[*mutant]float64{}
	for _, m := range mutants {
		place[m] = (float64(nth[m.File]) + 0.5) / float64(total[m.File])
		nth[m.File]++
	}
	slices.SortStableFunc(mutants, func(a, b *mutant) int {
		switch {
		case place[a] < place[b]:
			return -1
		case place[a] > place[b]:
			return 1
		}
		return 0
	})
	return mutants
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for d := dir; ; d = filepath.Dir(d) {
		if text, err := os.ReadFile(filepath.Join(d, "go.mod")); err == nil && strings.HasPrefix(string(text), "module github.com/replyproof/replyproof\n") {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("%s is not in a clone of replyproof", dir)
		}
	}
}
