package model_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// The model calls no function of the classifier, or it would be no second judge.
func TestCallsNoFunctionOfTheClassifier(t *testing.T) {
	functions := map[string]bool{}
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
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if of, ok := s.X.(*ast.Ident); ok && of.Name == "classifier" && functions[s.Sel.Name] {
				t.Errorf("the model calls classifier.%s", s.Sel.Name)
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
