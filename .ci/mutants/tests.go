package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// trial is a test, and what is known of it from a run without a mutant.
type trial struct {
	Pkg  string
	Name string
	CPU  time.Duration
	Wall time.Duration
	Met  []int // the mutants that it felt

	binary string
}

// runner runs tests with mutants.
type runner struct {
	root, work, code string
	prints           []string
	felt             map[int][]*trial // by mutant, the quickest first
}

// tested is a fingerprint of the tests.
func (r *runner) tested() string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(r.prints, ""))))[:16]
}

// explore runs every test alone and finds which mutants it feels.
func (r *runner) explore(ctx context.Context, mutants []*mutant, binaries map[string]string, jobs int) error {
	r.felt = map[int][]*trial{}
	ids := map[string]map[int]bool{} // by package of tests, the mutants that are run with them
	for _, m := range mutants {
		for _, suite := range suites {
			for _, pkg := range suite.tests {
				if ids[pkg] == nil {
					ids[pkg] = map[int]bool{}
				}
				if suite.pkg == m.File[:strings.LastIndexByte(m.File, '/')] {
					ids[pkg][m.ID] = true
				}
			}
		}
	}
	packages := make([]string, 0, len(binaries))
	for pkg := range binaries {
		packages = append(packages, pkg)
	}
	slices.Sort(packages)
	for _, pkg := range packages {
		trials, err := r.trials(ctx, pkg, binaries[pkg], len(mutants)+1, jobs)
		if err != nil {
			return err
		}
		for _, t := range trials {
			for _, id := range t.Met {
				if ids[pkg][id] {
					r.felt[id] = append(r.felt[id], t)
				}
			}
		}
	}
	for _, trials := range r.felt {
		slices.SortStableFunc(trials, func(a, b *trial) int { return cmp.Compare(a.CPU, b.CPU) })
	}
	return nil
}

// trials runs the tests of one package, or remembers what it found of the same
// binary.
func (r *runner) trials(ctx context.Context, pkg, binary string, size, jobs int) ([]*trial, error) {
	text, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	hash := fmt.Sprintf("%x", sha256.Sum256(text))[:16]
	r.prints = append(r.prints, hash)
	memory := filepath.Join(r.work, "felt-"+hash+".json")
	var trials []*trial
	if text, err := os.ReadFile(memory); err == nil {
		if err := json.Unmarshal(text, &trials); err != nil {
			return nil, fmt.Errorf("read %s, which may be removed: %w", memory, err)
		}
	} else {
		if trials, err = r.feel(ctx, pkg, binary, size, jobs); err != nil {
			return nil, err
		}
		if text, err = json.Marshal(trials); err != nil {
			return nil, err
		}
		if err := os.WriteFile(memory, text, 0o666); err != nil {
			return nil, err
		}
	}
	for _, t := range trials {
		t.binary = binary
	}
	return trials, nil
}

func (r *runner) feel(ctx context.Context, pkg, binary string, size, jobs int) ([]*trial, error) {
	list := exec.CommandContext(ctx, binary, "-test.list", ".")
	list.Dir = filepath.Join(r.root, pkg)
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the tests of %s: %w", pkg, err)
	}
	var trials []*trial
	for name := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(name, "Benchmark") {
			trials = append(trials, &trial{Pkg: pkg, Name: name, binary: binary})
		}
	}
	errs := make([]error, len(trials))
	var group sync.WaitGroup
	slots := make(chan bool, jobs)
	for i, t := range trials {
		slots <- true
		group.Go(func() {
			defer func() { <-slots }()
			errs[i] = r.feelOne(ctx, t, size)
		})
	}
	group.Wait()
	return trials, errors.Join(errs...)
}

func (r *runner) feelOne(ctx context.Context, t *trial, size int) error {
	met := filepath.Join(r.work, "met-"+strings.ReplaceAll(t.Pkg, "/", "_")+"-"+t.Name)
	if err := os.WriteFile(met, make([]byte, size), 0o666); err != nil {
		return err
	}
	defer os.Remove(met)
	cmd := r.command(ctx, t, 0, 600*time.Second, 1800*time.Second)
	cmd.Env = append(cmd.Env, "MUTANTS_MET="+met)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s of %s fails without a mutant: %w\n%s", t.Name, t.Pkg, err, out)
	}
	t.Wall = time.Since(start)
	t.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	bytes, err := os.ReadFile(met)
	for id, b := range bytes {
		if b != 0 {
			t.Met = append(t.Met, id)
		}
	}
	return err
}

// command runs a test with a mutant. The limits are on CPU seconds and memory,
// as a mutant may loop or grow for ever, and a generous one on time, as it may
// stand still.
func (r *runner) command(ctx context.Context, t *trial, id int, cpu, wall time.Duration) *exec.Cmd {
	script := fmt.Sprintf(`ulimit -t %d && ulimit -v 4000000 && exec timeout -s KILL %d "$0" -test.failfast -test.timeout 0 -test.run "^($1)\$"`, int(cpu.Seconds()), int(wall.Seconds()))
	cmd := exec.CommandContext(ctx, "sh", "-c", script, t.binary, t.Name)
	cmd.Dir = filepath.Join(r.root, t.Pkg)
	cmd.Env = append(os.Environ(), fmt.Sprintf("MUTANT=%d", id), "GOMAXPROCS=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}

const (
	// quickest is the CPU time of a test up to which it counts as quick.
	quickest = 150 * time.Millisecond
	// alone is how many quick tests are run each by itself before the others of
	// a package are run together.
	alone = 2
)

// rounds are the tests that feel the mutant, those that are quick or those that
// are not, as they are to be run: one at a time, and many quick ones together.
func (r *runner) rounds(m *mutant, quick bool) (rounds []*trial) {
	together := map[string]*trial{}
	for _, t := range r.felt[m.ID] {
		if quick != (t.CPU <= quickest) {
			continue
		}
		all := together[t.Pkg]
		switch {
		case !quick || len(rounds) < alone:
			rounds = append(rounds, t)
		case all == nil:
			one := *t
			together[t.Pkg] = &one
			rounds = append(rounds, &one)
		default:
			all.Name += "|" + t.Name
			all.CPU += t.CPU
			all.Wall += t.Wall
		}
	}
	return rounds
}

var failure = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// kill runs those of the tests that feel the mutant which are quick, or those
// which are not, until one fails.
func (r *runner) kill(ctx context.Context, m *mutant, quick bool) entry {
	start := time.Now()
	for _, t := range r.rounds(m, quick) {
		cpu, wall := (6*t.CPU + 2*time.Second).Truncate(time.Second), 5*t.Wall+60*time.Second
		cmd := r.command(ctx, t, m.ID, cpu, wall)
		began := time.Now()
		out, err := cmd.Output()
		if ctx.Err() != nil {
			return entry{}
		}
		if err == nil {
			continue
		}
		how, name := "failed", t.Name
		if named := failure.FindSubmatch(out); named != nil {
			name = string(named[1])
		}
		if cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime() > cpu-cpu/10 {
			how = "used up its CPU seconds"
		} else if time.Since(began) >= wall-time.Second {
			how = "stood still"
		}
		return entry{By: t.Pkg + " " + name, How: how, Time: time.Since(start).Seconds()}
	}
	if len(r.felt[m.ID]) == 0 {
		return entry{How: "no test feels it"}
	}
	return entry{How: fmt.Sprintf("felt by %d tests", len(r.felt[m.ID])), Time: time.Since(start).Seconds()}
}
