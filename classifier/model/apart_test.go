package model_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// The model calls no function of the classifier, under whatever name, and does
// not feed its stream, or it would be no second judge.
func TestCallsNoFunctionOfTheClassifier(t *testing.T) {
	const path = `"github.com/replyproof/replyproof/classifier"`
	functions := map[string]bool{"Stream": true}
	eachFile(t, "../*.go", func(file *ast.File) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				functions[f.Name.Name] = true
			}
		}
	})
	if !functions["Classify"] {
		t.Fatal("package classifier was not found")
	}
	eachFile(t, "*.go", func(file *ast.File) {
		for _, spec := range file.Imports {
			if spec.Path.Value == path && spec.Name != nil {
				t.Errorf("the model imports the classifier as %s, which hides what it calls", spec.Name.Name)
			}
			if strings.HasPrefix(spec.Path.Value, strings.TrimSuffix(path, `"`)+"/") {
				t.Errorf("the model imports %s", spec.Path.Value)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if of, ok := s.X.(*ast.Ident); ok && of.Name == "classifier" && functions[s.Sel.Name] {
				t.Errorf("the model uses classifier.%s", s.Sel.Name)
			}
			return true
		})
	})
}

func eachFile(t *testing.T, pattern string, visit func(*ast.File)) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		visit(file)
	}
}
