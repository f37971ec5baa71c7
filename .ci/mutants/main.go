// Command mutants tells how much of the classifier its tests hold: it changes the
// code in every place where one of a few changes can be made, and sees whether
// `go test` of the packages named in suites fails.
//
//	go run . [-run REGEXP] [-jobs N] [-shard I/N] [-keep DIR] [-write]
//
// All mutants are built at once, each behind a switch that an environment
// variable sets, so that a mutant costs a run of tests and no build. What does
// not compile is no mutant: it is left out before anything is counted. A test
// binary gets CPU seconds rather than time, so that a busy machine kills none.
//
// classifier/MUTANTS.md lists the mutants that may survive, each with the reason
// why no test can see it. A survivor that it does not list is a failure, and so
// is an entry of a mutant that is killed or is no more.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
)

//go:embed switches.go.txt
var switches string

// suites are the packages that are mutated, and those whose tests are run for
// each, the quickest to kill first.
var suites = []struct {
	pkg   string
	tests []string
}{
	{"classifier/internal/scan", []string{"classifier/internal/scan", "classifier", "classifier/model"}},
	{"classifier", []string{"classifier", "classifier/codings", "classifier/model"}},
	{"classifier/codings", []string{"classifier/codings", "classifier/model"}},
}

func main() {
	only := flag.String("run", "", "mutate only where file, function and change match this")
	jobs := flag.Int("jobs", runtime.NumCPU(), "how many mutants to run at a time")
	shard := flag.String("shard", "1/1", "which part of the mutants to run")
	write := flag.Bool("write", false, "add survivors to the list, with no reason yet")
	keep := flag.String("keep", "", "keep what is built in this folder, and take it from there if it is there")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *only, *jobs, *shard, *keep, *write); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string, jobs int, shard, keep string, write bool) error {
	filter, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	var part, parts int
	if _, err := fmt.Sscanf(shard, "%d/%d", &part, &parts); err != nil || part < 1 || part > parts {
		return fmt.Errorf("-shard %s: want I/N, such as 1/4", shard)
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	mutants, binaries, err := built(root, keep)
	if err != nil {
		return err
	}
	if keep == "" {
		defer os.RemoveAll(filepath.Dir(binaries["classifier"]))
	}
	for pkg := range binaries {
		if out, err := test(ctx, root, pkg, binaries[pkg], 0).CombinedOutput(); err != nil {
			return fmt.Errorf("the tests of %s fail without a mutant: %w\n%s", pkg, err, out)
		}
	}
	all := len(mutants)
	mutants = slices.DeleteFunc(mutants, func(m *mutant) bool { return m.ID%parts != part%parts || !filter.MatchString(m.key()) })
	fmt.Printf("%d mutants compile; running %d\n", all, len(mutants))
	// In no order of the code, so that what a run has told when it is cut short
	// is a fair sample.
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })

	var (
		group     sync.WaitGroup
		mutex     sync.Mutex
		survivors []*mutant
		done      int
		queue     = make(chan *mutant)
	)
	for range jobs {
		group.Go(func() {
			for m := range queue {
				if ctx.Err() != nil {
					continue
				}
				killed := kill(ctx, root, m, binaries)
				if ctx.Err() != nil {
					continue
				}
				mutex.Lock()
				done++
				if !killed {
					survivors = append(survivors, m)
					fmt.Printf("survived: line %d: %s\n", m.Line, m.key())
				}
				if done%20 == 0 {
					fmt.Fprintf(os.Stderr, "%d of %d, %d survived\n", done, len(mutants), len(survivors))
				}
				mutex.Unlock()
			}
		})
	}
	for _, m := range mutants {
		queue <- m
	}
	close(queue)
	group.Wait()

	fmt.Printf("%d of %d killed, %.1f%%\n", done-len(survivors), done, 100*float64(done-len(survivors))/float64(max(done, 1)))
	if ctx.Err() != nil {
		return fmt.Errorf("cut short after %d of %d mutants", done, len(mutants))
	}
	return compare(filepath.Join(root, "classifier", "MUTANTS.md"), mutants, survivors, write)
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

// built is what build makes, or made before.
func built(root, keep string) (mutants []*mutant, binaries map[string]string, err error) {
	var made struct {
		Mutants  []*mutant
		Binaries map[string]string
	}
	index := filepath.Join(keep, "mutants.json")
	if text, err := os.ReadFile(index); keep != "" && err == nil {
		err := json.Unmarshal(text, &made)
		return made.Mutants, made.Binaries, err
	}
	work := keep
	if keep == "" {
		work, err = os.MkdirTemp("", "mutants")
	} else {
		err = os.MkdirAll(keep, 0o777)
	}
	if err != nil {
		return nil, nil, err
	}
	if made.Mutants, made.Binaries, err = build(root, work); err != nil || keep == "" {
		return made.Mutants, made.Binaries, err
	}
	text, err := json.Marshal(made)
	if err == nil {
		err = os.WriteFile(index, text, 0o666)
	}
	return made.Mutants, made.Binaries, err
}

// build makes the test binaries with all mutants that compile in them.
func build(root, work string) (mutants []*mutant, binaries map[string]string, err error) {
	refused := map[string]bool{}
	for {
		mutants = nil
		next := 0
		overlay := map[string]string{}
		byLine := map[string]string{} // rewritten files, by their path
		for _, suite := range suites {
			files, err := filepath.Glob(filepath.Join(root, suite.pkg, "*.go"))
			if err != nil {
				return nil, nil, err
			}
			files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
			pkg, err := parse(files)
			if err != nil {
				return nil, nil, err
			}
			for i, path := range files {
				text, found, err := pkg.rewrite(root, i, &next, refused)
				if err != nil {
					return nil, nil, err
				}
				if len(found) == 0 {
					continue
				}
				to := filepath.Join(work, strings.ReplaceAll(found[0].File, "/", "_"))
				if err := os.WriteFile(to, text, 0o666); err != nil {
					return nil, nil, err
				}
				overlay[path] = to
				byLine[to] = string(text)
				mutants = append(mutants, found...)
			}
			to := filepath.Join(work, strings.ReplaceAll(suite.pkg, "/", "_")+"_switches.go")
			text := "package " + pkg.trees[0].Name.Name + "\n\n" + switches
			if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
				return nil, nil, err
			}
			overlay[filepath.Join(root, suite.pkg, "zz_mutants_switches.go")] = to
		}
		text, err := json.Marshal(map[string]any{"Replace": overlay})
		if err != nil {
			return nil, nil, err
		}
		overlayFile := filepath.Join(work, "overlay.json")
		if err := os.WriteFile(overlayFile, text, 0o666); err != nil {
			return nil, nil, err
		}
		binaries = map[string]string{}
		var complaints string
		for _, suite := range suites {
			for _, pkg := range suite.tests {
				if binaries[pkg] != "" || complaints != "" {
					continue
				}
				binaries[pkg] = filepath.Join(work, strings.ReplaceAll(pkg, "/", "_")+".test")
				cmd := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-e", "-overlay", overlayFile, "-o", binaries[pkg], "./"+pkg)
				cmd.Dir = root
				if out, err := cmd.CombinedOutput(); err != nil {
					complaints = string(out)
				}
			}
		}
		if complaints == "" {
			return mutants, binaries, nil
		}
		before := len(refused)
		refuse(complaints, byLine, mutants, refused)
		if len(refused) == before {
			return nil, nil, fmt.Errorf("build the mutants: %s", complaints)
		}
	}
}

var (
	complaint = regexp.MustCompile(`(?m)^(\S+?\.go):(\d+):(\d+): (.*)$`)
	breakUse  = regexp.MustCompile(`mutantIs\((\d+)\) \{\s+break`)
	switchUse = regexp.MustCompile(`mutant\w+\((\d+)`)
)

// refuse finds the mutants that the compiler complains of: those whose switch
// stands closest before the place.
func refuse(complaints string, files map[string]string, mutants []*mutant, refused map[string]bool) {
	for _, c := range complaint.FindAllStringSubmatch(complaints, -1) {
		var line, column int
		fmt.Sscan(c[2], &line)
		fmt.Sscan(c[3], &column)
		for path, text := range files {
			if filepath.Base(path) != filepath.Base(c[1]) {
				continue
			}
			lines := strings.Split(text, "\n")
			if line > len(lines) {
				continue
			}
			if c[4] == "missing return" {
				// A break that takes the place of a continue ends a loop without end.
				body := strings.Join(lines[:line], "\n")
				body = body[max(strings.LastIndex(body, "\nfunc "), 0):]
				for _, use := range breakUse.FindAllStringSubmatch(body, -1) {
					refuseID(use[1], mutants, refused)
				}
				continue
			}
			id := ""
			for _, use := range switchUse.FindAllStringSubmatchIndex(lines[line-1], -1) {
				if use[0] < column || id == "" {
					id = lines[line-1][use[2]:use[3]]
				}
			}
			refuseID(id, mutants, refused)
		}
	}
}

func refuseID(id string, mutants []*mutant, refused map[string]bool) {
	for _, m := range mutants {
		if fmt.Sprint(m.ID) == id {
			refused[m.key()] = true
		}
	}
}

// test runs the tests of a package with a mutant. The limits are on CPU seconds
// and memory: a mutant may loop or grow for ever.
func test(ctx context.Context, root, pkg, binary string, id int) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", `ulimit -t 20 -v 16000000; exec timeout 900 "$0" -test.failfast -test.timeout 0`, binary)
	cmd.Dir = filepath.Join(root, pkg)
	cmd.Env = append(os.Environ(), fmt.Sprintf("MUTANT=%d", id), "GOMAXPROCS=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}

// kill runs the tests with the mutant and tells whether one of them failed.
func kill(ctx context.Context, root string, m *mutant, binaries map[string]string) bool {
	pkg := m.File[:strings.LastIndexByte(m.File, '/')]
	for _, suite := range suites {
		if suite.pkg != pkg {
			continue
		}
		for _, tests := range suite.tests {
			if err := test(ctx, root, tests, binaries[tests], m.ID).Run(); err != nil {
				return true
			}
		}
	}
	return false
}
