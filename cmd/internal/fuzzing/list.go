package fuzzing

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
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
		names, _ := p.declares()
		for _, name := range names {
			if targets == nil || targets.MatchString(name) {
				all = append(all, Target{Package: p.ImportPath, Name: name, Dir: p.Dir, Root: p.root()})
			}
		}
	}
	if len(all) == 0 {
		return nil, ErrNoTargets
	}
	return all, nil
}

// declares gives the names of the fuzz targets in the package's test files;
// broken tells of a file that cannot be parsed.
func (p listed) declares() (names []string, broken bool) {
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			broken = true
			continue
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && isTarget(f) {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names, broken
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
