package nightly

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// ErrNoModule is the current directory outside every Go module.
var ErrNoModule = errors.New("no Go module here: run nightly inside the module whose fuzz targets it is to run")

// ErrNoTargets is a module without a fuzz target, or with none that was asked
// for. A night without targets searches nothing and must not look like a good one.
var ErrNoTargets = errors.New("no fuzz target found")

// Target is one native fuzz target.
type Target struct {
	Package string // import path
	Name    string // such as FuzzEnvelope
	dir     string // of the package; a test binary runs there
	binary  string // the package's instrumented test binary
	cache   string // where the engine keeps the inputs that it found interesting
}

// Problem is a package whose tests do not build or cannot be listed.
type Problem struct {
	Package string `json:"package"`
	Output  string `json:"output"`
}

type listed struct {
	ImportPath, Dir           string
	TestGoFiles, XTestGoFiles []string
	Error                     *struct{ Err string }
}

// Discover finds the fuzz targets of the packages in the module at dir and
// builds each package's test binary into work, once, instrumented for
// coverage. A package that does not build is a problem, not an error: the
// others can still be searched. targets chooses by name; nil takes all.
func Discover(ctx context.Context, dir, work string, packages []string, targets *regexp.Regexp, tell func(string)) ([]Target, []Problem, error) {
	env, err := goTool(ctx, dir, "env", "GOMOD", "GOCACHE")
	if err != nil {
		return nil, nil, err
	}
	gomod, cache, _ := strings.Cut(strings.TrimSpace(string(env)), "\n")
	if gomod == "" || gomod == os.DevNull {
		return nil, nil, ErrNoModule
	}
	found, err := list(ctx, dir, packages)
	if err != nil {
		return nil, nil, err
	}
	var all []Target
	var problems []Problem
	for i, p := range found {
		if p.Error != nil {
			problems = append(problems, Problem{p.ImportPath, p.Error.Err})
			continue
		}
		if !p.mentionsFuzz() {
			continue
		}
		tell(p.ImportPath)
		binary := filepath.Join(work, fmt.Sprintf("%d.test", i))
		names, err := build(ctx, dir, p, binary)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			problems = append(problems, Problem{p.ImportPath, err.Error()})
			continue
		}
		for _, name := range names {
			if targets == nil || targets.MatchString(name) {
				all = append(all, Target{
					Package: p.ImportPath, Name: name, dir: p.Dir, binary: binary,
					cache: filepath.Join(cache, "fuzz", filepath.FromSlash(p.ImportPath)),
				})
			}
		}
	}
	if len(all) == 0 && len(problems) == 0 {
		return nil, nil, ErrNoTargets
	}
	return all, problems, nil
}

// list is go list over the packages.
func list(ctx context.Context, dir string, packages []string) ([]listed, error) {
	args := append([]string{"list", "-e", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,Error", "--"}, packages...)
	out, err := goTool(ctx, dir, args...)
	if err != nil {
		return nil, err
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("read what go list says: %w", err)
		}
		all = append(all, p)
	}
}

// mentionsFuzz tells whether a test file of the package could declare a fuzz
// target, so that packages without one are not built.
func (p listed) mentionsFuzz() bool {
	for _, name := range append(p.TestGoFiles, p.XTestGoFiles...) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err == nil && bytes.Contains(text, []byte("func Fuzz")) {
			return true
		}
	}
	return false
}

// build makes the package's instrumented test binary and asks it for its targets.
func build(ctx context.Context, dir string, p listed, binary string) ([]string, error) {
	if _, err := goTool(ctx, dir, "test", "-c", "-fuzz=^Fuzz", "-o", binary, p.ImportPath); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, binary, "-test.list=^Fuzz")
	cmd.Dir = p.Dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = hurry
	if err := run(ctx, cmd); err != nil {
		return nil, fmt.Errorf("list the fuzz targets of %s: %w\n%s", p.ImportPath, err, out.String())
	}
	var names []string
	for name := range strings.FieldsSeq(out.String()) {
		if strings.HasPrefix(name, "Fuzz") {
			names = append(names, name)
		}
	}
	return names, nil
}

// goTool runs the go command; its error holds what it said.
func goTool(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := run(ctx, cmd); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(said.String()))
	}
	return out.Bytes(), nil
}
