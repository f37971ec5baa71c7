package generators

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// naming are the functions and methods of classifier and corpus that may be
// used: they name and spell, none of them judges.
var naming = map[string]bool{
	"classifier.IntID": true, "classifier.StringID": true,
	"classifier.Outcome.String": true, "classifier.Outcome.Layer": true, "classifier.Reason.String": true,
	"classifier.Reason.Entry": true, "classifier.Reason.UnmarshalText": true, "classifier.FindingKind.String": true,
	"classifier.ID.Int": true, "classifier.ID.Text": true,
}

// The expectation must follow from the recipe alone: of classifier and corpus
// only types, constants and what names them are used.
func TestNothingHereJudges(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	var files []*ast.File
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(fset, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
	}
	info := types.Info{Uses: make(map[*ast.Ident]types.Object)}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", exports(t))}
	pkg, err := config.Check("github.com/replyproof/replyproof/generators", fset, files, &info)
	if err != nil {
		t.Fatal(err)
	}
	for _, imported := range pkg.Imports() {
		if path := imported.Path(); strings.Contains(path, ".") && imported.Name() != "classifier" && imported.Name() != "corpus" {
			t.Errorf("imports %s; only the standard library, classifier and corpus may be", path)
		}
	}
	used := 0
	for ident, object := range info.Uses {
		function, ok := object.(*types.Func)
		if !ok || function.Pkg() == nil || !strings.HasPrefix(function.Pkg().Path(), "github.com/replyproof/") || function.Pkg() == pkg {
			continue
		}
		used++
		if name := strings.TrimPrefix(shortName(function), "*"); !naming[name] {
			t.Errorf("%s: uses %s, which the expectation must not need", fset.Position(ident.Pos()), name)
		}
	}
	if used == 0 {
		t.Error("found no use of any function of classifier; the test looks at nothing")
	}
}

// exports finds the compiled form of the packages that this one imports.
func exports(t *testing.T) func(path string) (io.ReadCloser, error) {
	list, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	files := make(map[string]string)
	for line := range strings.Lines(string(list)) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			files[path] = file
		}
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

// shortName is package.Function or package.Type.Method.
func shortName(f *types.Func) string {
	name := f.Pkg().Name() + "."
	if receiver := f.Signature().Recv(); receiver != nil {
		of := receiver.Type()
		if pointer, ok := of.(*types.Pointer); ok {
			of = pointer.Elem()
		}
		name += of.(*types.Named).Obj().Name() + "."
	}
	return name + f.Name()
}
