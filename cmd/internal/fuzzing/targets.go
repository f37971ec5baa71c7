// Package fuzzing finds the native fuzz targets of a Go module and runs them:
// the engine for a time, or single inputs by the engine's own worker, which also
// tells what an input covers.
package fuzzing

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

	"github.com/replyproof/replyproof/cmd/internal/children"
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
	Dir     string // of the package; a test binary runs there
	Root    string // of the package's module
	Binary  string // the package's instrumented test binary
}

// tempName is the temporary folder of the test binaries, beside them: the engine
// keeps a large file there for each worker, which a kill leaves behind.
const tempName = "tmp"

// command is a run of the test binary.
func command(ctx context.Context, binary, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(filepath.Dir(binary), tempName))
	return cmd
}

// String is package and name.
func (t Target) String() string { return t.Package + " " + t.Name }

// Problem is a package whose tests do not build or cannot be listed.
type Problem struct {
	Package string `json:"package"`
	Output  string `json:"output"`
}

type listed struct {
	ImportPath, Dir, Name     string
	TestGoFiles, XTestGoFiles []string
	Module                    *struct{ Dir string }
	Error                     *struct{ Err string }
}

// Module gives the folder of the module that dir is in.
func Module(ctx context.Context, dir string) (string, error) {
	out, err := goTool(ctx, dir, "env", "GOMOD")
	if err != nil {
		return "", err
	}
	gomod := strings.TrimSpace(string(out))
	if gomod == "" || gomod == os.DevNull {
		return "", ErrNoModule
	}
	return filepath.Dir(gomod), nil
}

// Discover finds the fuzz targets of the packages in the module at dir and
// builds each package's test binary into work, once, instrumented for
// coverage. A package that does not build is a problem, not an error: the
// others can still be searched. targets chooses by name; nil takes all.
func Discover(ctx context.Context, dir, work string, packages []string, targets *regexp.Regexp, tell func(string)) ([]Target, []Problem, error) {
	if _, err := Module(ctx, dir); err != nil {
		return nil, nil, err
	}
	found, err := list(ctx, dir, packages)
	if err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(filepath.Join(work, tempName), 0o755); err != nil {
		return nil, nil, err
	}
	var all []Target
	var problems []Problem
	for i, p := range found {
		if p.Error != nil {
			problems = append(problems, Problem{p.ImportPath, p.Error.Err})
			continue
		}
		// A package without a target is not built.
		if declared, broken := p.declares(); len(declared) == 0 && !broken {
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
				all = append(all, Target{Package: p.ImportPath, Name: name, Dir: p.Dir, Root: p.root(), Binary: binary})
			}
		}
	}
	if len(all) == 0 && len(problems) == 0 {
		return nil, nil, ErrNoTargets
	}
	return all, problems, nil
}

func (p listed) root() string {
	if p.Module != nil && p.Module.Dir != "" {
		return p.Module.Dir
	}
	return p.Dir
}

// list is go list over the packages.
func list(ctx context.Context, dir string, packages []string) ([]listed, error) {
	args := append([]string{"list", "-e", "-json=ImportPath,Dir,Name,TestGoFiles,XTestGoFiles,Module,Error", "--"}, packages...)
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

// Empty is a target that does nothing, which stands in every test binary that
// [Discover] builds: what the engine itself costs there.
const Empty = "FuzzReplyproofEmpty"

// emptyFile is the file that holds it. It stands in no folder: the go command
// is told of it.
const (
	emptyFile = "replyproof_empty_test.go"
	emptyText = "package %s\n\nimport \"testing\"\n\nfunc %s(f *testing.F) {\n\tf.Add([]byte(\"0\"))\n\tf.Fuzz(func(*testing.T, []byte) {})\n}\n"
)

// build makes the package's instrumented test binary and asks it for its targets.
func build(ctx context.Context, dir string, p listed, binary string) ([]string, error) {
	file, overlay := binary+".go", binary+".overlay"
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(p.Dir, emptyFile): file}})
	if err != nil {
		return nil, err
	}
	err = errors.Join(os.WriteFile(file, fmt.Appendf(nil, emptyText, p.Name, Empty), 0o600), os.WriteFile(overlay, replace, 0o600))
	if err != nil {
		return nil, fmt.Errorf("add the empty target to %s: %w", p.ImportPath, err)
	}
	if _, err := goTool(ctx, dir, "test", "-c", "-fuzz=^Fuzz", "-overlay="+overlay, "-o", binary, p.ImportPath); err != nil {
		return nil, err
	}
	cmd := command(ctx, binary, p.Dir, "-test.list=^Fuzz")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = children.Hurry
	if err := children.Run(ctx, cmd); err != nil {
		return nil, fmt.Errorf("list the fuzz targets of %s: %w\n%s", p.ImportPath, err, out.String())
	}
	var names []string
	for name := range strings.FieldsSeq(out.String()) {
		if strings.HasPrefix(name, "Fuzz") && name != Empty {
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
	if err := children.Run(ctx, cmd); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(said.String()))
	}
	return out.Bytes(), nil
}
