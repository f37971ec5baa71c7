package fuzzing

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
)

// List finds the fuzz targets of the packages in the module at dir by their
// sources, without building anything. Those that [Discover] finds are these, but
// for what does not build.
func List(ctx context.Context, dir string, packages []string, targets *regexp.Regexp) ([]Target, error) {
	if _, err := Module(ctx, dir); err != nil {
		return nil, err
	}
	found, err := list(ctx, dir, packages)
	if err != nil {
		return nil, err
	}
	var all []Target
	for _, p := range found {
		for _, name := range append(p.TestGoFiles, p.XTestGoFiles...) {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				continue // it does not build
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && isTarget(f) && (targets == nil || targets.MatchString(f.Name.Name)) {
					all = append(all, Target{Package: p.ImportPath, Name: f.Name.Name, Dir: p.Dir, Root: p.root()})
				}
			}
		}
	}
	if len(all) == 0 {
		return nil, ErrNoTargets
	}
	return all, nil
}

// isTarget tells whether a function is FuzzX(f *testing.F).
func isTarget(f *ast.FuncDecl) bool {
	if f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Fuzz") || f.Type.Params.NumFields() != 1 {
		return false
	}
	star, ok := f.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "F"
}
