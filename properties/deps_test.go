package properties_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/replyproof/replyproof"

// listed is a package as go list tells it, without its tests.
type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// packages are the packages of the module, by their path inside it.
func packages(t *testing.T) map[string]listed {
	t.Helper()
	command := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Deps", "./...")
	command.Dir = ".."
	var faults bytes.Buffer
	command.Stderr = &faults
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, faults.Bytes())
	}
	all := make(map[string]listed)
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		if inside, ok := strings.CutPrefix(p.ImportPath, module+"/"); ok {
			all[inside] = p
		}
	}
}

// foreign tells whether an import path is neither of the standard library nor
// of this module.
func foreign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") && path != module && !strings.HasPrefix(path, module+"/")
}

func under(path string, folders ...string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") })
}

var bindings = map[string]string{
	"generators/rapidgen":   "pgregory.net/rapid",
	"generators/goptergen":  "github.com/leanovate/gopter",
	"properties/rapidprop":  "pgregory.net/rapid",
	"properties/gopterprop": "github.com/leanovate/gopter",
}

// TestDeps holds the import rules of the house: what needs the standard library
// alone, where rapid and gopter may stand, and that imports run downwards.
func TestDeps(t *testing.T) {
	all := packages(t)
	for _, name := range []string{"classifier", "classifier/codings", "corpus", "generators", "properties", "properties/runner", "properties/subject", "properties/callers", "properties/loopback", "properties/broken"} {
		if _, ok := all[name]; !ok {
			t.Errorf("go list does not know the package %s", name)
		}
	}
	for name, p := range all {
		for _, dep := range p.Deps {
			if why := forbidden(name, dep); why != "" {
				t.Errorf("%s depends on %s: %s", name, dep, why)
			}
		}
		if under(name, "classifier/model") && slices.Contains(p.Imports, module+"/classifier/internal/scan") {
			t.Errorf("%s imports the classifier's scanner: the model shares no code with it", name)
		}
	}
}

// forbidden tells why a package must not depend on another; "" if it may.
func forbidden(name, dep string) string {
	if foreign(dep) {
		return forbiddenForeign(name, dep)
	}
	inside, ok := strings.CutPrefix(dep, module+"/")
	if !ok {
		return ""
	}
	switch {
	case under(name, "classifier") && !under(inside, "classifier"):
		return "imports run downwards, and nothing is below the classifier"
	case under(name, "corpus") && !under(inside, "classifier", "corpus"):
		return "below the corpus is only the classifier"
	case under(name, "generators") && !under(inside, "classifier", "corpus", "generators"):
		return "below the generators are only corpus and classifier"
	case under(name, "properties") && inside == "properties" && name != "properties/rapidprop" && name != "properties/gopterprop":
		return "of the packages in properties only rapidprop and gopterprop import it"
	case under(name, "properties") && under(inside, "cmd", "fuzz"):
		return "imports run downwards"
	case inside == "properties/broken" && name != "properties/broken" && !under(name, "fuzz", "cmd"):
		return "the broken judges are for tests"
	}
	if _, binding := bindings[inside]; binding {
		if _, ok := bindings[name]; !ok && under(name, "classifier", "corpus", "generators", "properties", "cmd") {
			return "bindings are for tests and for other bindings"
		}
	}
	return ""
}

func forbiddenForeign(name, dep string) string {
	switch {
	case under(dep, "pgregory.net/rapid", "github.com/leanovate/gopter"):
		if library, ok := bindings[name]; !ok || !under(dep, library) {
			return "rapid and gopter belong into their bindings and into tests"
		}
	case bindings[name] != "":
		return "a binding depends on its library alone"
	case under(name, "classifier/codings"):
		if !under(dep, "github.com/andybalholm/brotli", "github.com/klauspost/compress") {
			return "codings have their two compression libraries and nothing else"
		}
	case under(name, "fuzz"):
		if !under(dep, "github.com/andybalholm/brotli", "github.com/klauspost/compress") {
			return "fuzz binaries stay small: the codings' two libraries and nothing else"
		}
	case under(name, "classifier", "corpus", "generators", "properties"):
		return "it needs the standard library alone"
	}
	return ""
}

// The rules themselves: what they must refuse and what they must let pass.
func TestDepsRules(t *testing.T) {
	const own = module + "/"
	for _, test := range []struct {
		name, dep string
		allowed   bool
	}{
		{"classifier", "net/http", true},
		{"classifier", "golang.org/x/net/http2", false},
		{"classifier", own + "classifier/internal/scan", true},
		{"classifier", own + "corpus", false},
		{"classifier", "vendor/golang.org/x/net/http/httpguts", true},
		{"classifier/codings", "github.com/klauspost/compress/zstd", true},
		{"classifier/codings", "golang.org/x/text/unicode", false},
		{"corpus", own + "classifier/codings", true},
		{"corpus", "github.com/andybalholm/brotli", false},
		{"generators", own + "properties", false},
		{"generators", "pgregory.net/rapid", false},
		{"generators/rapidgen", "pgregory.net/rapid", true},
		{"generators/rapidgen", "github.com/leanovate/gopter", false},
		{"generators/goptergen", "github.com/leanovate/gopter/gen", true},
		{"generators/goptergen", "example.org/other", false},
		{"properties", own + "properties/runner", true},
		{"properties", own + "generators/rapidgen", false},
		{"properties/runner", own + "properties", false},
		{"properties/subject", own + "properties", false},
		{"properties/broken", own + "properties", false},
		{"properties/rapidprop", own + "properties", true},
		{"properties/runner", own + "properties/broken", false},
		{"cmd/replyproof", "github.com/spf13/cobra", true},
		{"cmd/replyproof", "pgregory.net/rapid", false},
		{"cmd/replyproof", own + "properties/rapidprop", false},
		{"fuzz", own + "generators", true},
		{"fuzz", "github.com/leanovate/gopter", false},
		{"fuzz", "github.com/klauspost/compress/zstd", true},
		{"fuzz", "github.com/spf13/cobra", false},
	} {
		if why := forbidden(test.name, test.dep); (why == "") != test.allowed {
			t.Errorf("%s on %s: got %q, want allowed %v", test.name, test.dep, why, test.allowed)
		}
	}
}
