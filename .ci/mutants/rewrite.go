package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

// mutant is one change of the code.
type mutant struct {
	ID   int
	File string // within the module
	Line int
	Func string // that it is in
	What string // the expression, and what takes its place
	Nth  int    // which of those with the same file, function and change, from 1
}

// key names the mutant so that lines may move.
func (m *mutant) key() string {
	key := fmt.Sprintf("%s %s: %s", m.File, m.Func, m.What)
	if m.Nth > 1 {
		key += fmt.Sprintf(" (%d)", m.Nth)
	}
	return key
}

// rewriter puts every mutant of a file into it, each behind a switch.
type rewriter struct {
	set  *token.FileSet
	info *types.Info
	pkg  string
	file string
	src  []byte
	fn   string

	simple ast.Stmt // the last one met that must stay a simple statement

	next    *int
	mutants []*mutant
	seen    map[string]int
	refused map[string]bool // keys of mutants that do not compile
}

var (
	boundary = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR}
	negation = map[token.Token]token.Token{
		token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS, token.EQL: token.NEQ, token.NEQ: token.EQL,
	}
	arithmetic = map[token.Token]token.Token{
		token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
		token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
	}
	assignment = map[token.Token]token.Token{
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN,
		token.OR_ASSIGN: token.AND_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN, token.SHL_ASSIGN: token.SHR_ASSIGN,
		token.SHR_ASSIGN: token.SHL_ASSIGN, token.XOR_ASSIGN: token.AND_ASSIGN,
	}
	logical = map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}
)

// source is a package as written.
type source struct {
	set   *token.FileSet
	paths []string
	trees []*ast.File
	info  types.Info
}

// parse reads the files of a package and finds its types. Those of imports that
// are not in the standard library stay unknown; they are not needed.
func parse(paths []string) (*source, error) {
	s := &source{set: token.NewFileSet(), paths: paths, info: types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	for _, path := range paths {
		tree, err := parser.ParseFile(s.set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.trees = append(s.trees, tree)
	}
	config := types.Config{Importer: importer.ForCompiler(s.set, "source", nil), Error: func(error) {}}
	_, _ = config.Check(s.trees[0].Name.Name, s.set, s.trees, &s.info)
	return s, nil
}

// rewrite is a file of the package with its mutants.
func (s *source) rewrite(root string, i int, next *int, refused map[string]bool) ([]byte, []*mutant, error) {
	path, tree := s.paths[i], s.trees[i]
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	name, err := filepath.Rel(root, path)
	if err != nil {
		return nil, nil, err
	}
	r := &rewriter{set: s.set, info: &s.info, pkg: tree.Name.Name, file: filepath.ToSlash(name), src: src, next: next, seen: map[string]int{}, refused: refused}
	var out bytes.Buffer
	at := 0
	for _, decl := range tree.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		r.fn = f.Name.Name
		if f.Recv != nil {
			r.fn = strings.TrimLeft(r.text(f.Recv.List[0].Type), "*") + "." + r.fn
		}
		start, end := r.offset(f.Body.Pos()), r.offset(f.Body.End())
		out.Write(src[at:start])
		out.WriteString(r.node(f.Body))
		at = end
	}
	out.Write(src[at:])
	formatted, err := format.Source(out.Bytes())
	if err != nil {
		return out.Bytes(), r.mutants, fmt.Errorf("%s: %w", path, err)
	}
	return formatted, r.mutants, nil
}

func (r *rewriter) offset(p token.Pos) int { return r.set.Position(p).Offset }
func (r *rewriter) text(n ast.Node) string { return string(r.src[r.offset(n.Pos()):r.offset(n.End())]) }
func oneLine(s string) string              { return strings.Join(strings.Fields(s), " ") }
func (r *rewriter) add(n ast.Node, to string) int {
	m := &mutant{File: r.file, Line: r.set.Position(n.Pos()).Line, Func: r.fn, What: "`" + oneLine(r.text(n)) + "` -> `" + oneLine(to) + "`"}
	r.seen[m.key()]++
	m.Nth = r.seen[m.key()]
	if r.refused[m.key()] {
		return 0
	}
	*r.next++
	m.ID = *r.next
	r.mutants = append(r.mutants, m)
	return m.ID
}

// node is the source of n with the mutants of all that is in it.
func (r *rewriter) node(n ast.Node) string {
	if text, done := r.mutate(n); done {
		return text
	}
	return r.children(n)
}

// children is the source of n, its parts rewritten.
func (r *rewriter) children(n ast.Node) string {
	var out strings.Builder
	at := r.offset(n.Pos())
	ast.Inspect(n, func(c ast.Node) bool {
		if c == n {
			return true
		}
		if c == nil {
			return false
		}
		start, end := r.offset(c.Pos()), r.offset(c.End())
		if start < at {
			return false
		}
		out.Write(r.src[at:start])
		out.WriteString(r.node(c))
		at = end
		return false
	})
	out.Write(r.src[at:r.offset(n.End())])
	return out.String()
}

// constant tells whether the compiler knows the value.
func (r *rewriter) constant(e ast.Expr) bool { return r.info.Types[e].Value != nil }

// operand is the source of an operand, with its type if it is a constant.
func (r *rewriter) operand(e ast.Expr) string {
	t := r.info.Types[e]
	if basic, ok := t.Type.(*types.Basic); t.Value != nil && t.Type != nil && !(ok && basic.Info()&types.IsUntyped != 0) {
		return types.TypeString(t.Type, func(p *types.Package) string {
			if p.Path() == r.pkg {
				return ""
			}
			return p.Name()
		}) + "(" + r.text(e) + ")"
	}
	return r.node(e)
}

func (r *rewriter) isString(e ast.Expr) bool {
	t := r.info.Types[e].Type
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// mutate is the source of n with its own mutants, if it has any.
func (r *rewriter) mutate(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.IfStmt:
		r.simple = n.Init
	case *ast.SwitchStmt:
		r.simple = n.Init
	case *ast.GenDecl:
		if n.Tok == token.CONST || n.Tok == token.TYPE {
			return r.text(n), true
		}
	case *ast.ArrayType, *ast.StructType, *ast.MapType, *ast.FuncType:
		return r.text(n), true
	case *ast.BasicLit, *ast.Ident:
		return r.text(n), true
	case *ast.BinaryExpr:
		return r.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.SUB && !r.constant(n) {
			if id := r.add(n, r.text(n.X)); id > 0 {
				return fmt.Sprintf("mutantNegative(%d, %s)", id, r.node(n.X)), true
			}
		}
	case *ast.ForStmt:
		return r.loop(n), true
	case *ast.IncDecStmt:
		if ast.Stmt(n) == r.simple {
			break
		}
		op := "--"
		if n.Tok == token.DEC {
			op = "++"
		}
		if id := r.add(n, r.text(n.X)+op); id > 0 {
			x := r.node(n.X)
			return fmt.Sprintf("if mutantIs(%d) { %s%s } else { %s%s }", id, x, op, x, n.Tok), true
		}
	case *ast.AssignStmt:
		if op, ok := assignment[n.Tok]; ok && len(n.Lhs) == 1 && ast.Stmt(n) != r.simple {
			if id := r.add(n, r.text(n.Lhs[0])+" "+op.String()+" "+r.text(n.Rhs[0])); id > 0 {
				x, y := r.node(n.Lhs[0]), r.node(n.Rhs[0])
				return fmt.Sprintf("if mutantIs(%d) { %s %s %s } else { %s %s %s }", id, x, op, r.text(n.Rhs[0]), x, n.Tok, y), true
			}
		}
	case *ast.BranchStmt:
		to := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[n.Tok]
		if to != "" && n.Label == nil {
			if id := r.add(n, to); id > 0 {
				return fmt.Sprintf("if mutantIs(%d) { %s } else { %s }", id, to, n.Tok), true
			}
		}
	}
	return "", false
}

// loop is a for statement; what follows its second semicolon stays a simple
// statement.
func (r *rewriter) loop(n *ast.ForStmt) string {
	inc, ok := n.Post.(*ast.IncDecStmt)
	if !ok {
		if n.Post != nil {
			return r.rest(n)
		}
		return r.children(n)
	}
	op := "--"
	if inc.Tok == token.DEC {
		op = "++"
	}
	id := r.add(inc, r.text(inc.X)+op)
	if id == 0 {
		return r.rest(n)
	}
	fn := "mutantInc"
	if inc.Tok == token.DEC {
		fn = "mutantDec"
	}
	return r.loopWith(n, fmt.Sprintf("%s(%d, &%s)", fn, id, r.text(inc.X)))
}

func (r *rewriter) rest(n *ast.ForStmt) string { return r.loopWith(n, r.text(n.Post)) }

func (r *rewriter) loopWith(n *ast.ForStmt, post string) string {
	var init, cond string
	if n.Init != nil {
		init = r.children(n.Init)
	}
	if n.Cond != nil {
		cond = r.node(n.Cond)
	}
	return fmt.Sprintf("for %s; %s; %s %s", init, cond, post, r.node(n.Body))
}

// calls tells whether something is called or received in e.
func calls(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// binary is an expression with an operator.
func (r *rewriter) binary(n *ast.BinaryExpr) (string, bool) {
	if r.constant(n) {
		return r.text(n), true
	}
	swap := func(op token.Token) string { return r.text(n.X) + " " + op.String() + " " + r.text(n.Y) }
	if op, ok := logical[n.Op]; ok {
		id := r.add(n, swap(op))
		x, y := r.node(n.X), r.node(n.Y)
		if id == 0 {
			return x + " " + n.Op.String() + " " + y, true
		}
		fn := map[token.Token]string{token.LAND: "mutantAnd", token.LOR: "mutantOr"}[n.Op]
		return fmt.Sprintf("%s(%d, %t, %s, func() bool { return %s })", fn, id, calls(n.Y), x, y), true
	}
	if to, ok := negation[n.Op]; ok {
		edge := 0
		if op, ok := boundary[n.Op]; ok {
			edge = r.add(n, swap(op))
		}
		id := r.add(n, swap(to))
		x, y := r.node(n.X), r.node(n.Y)
		plain := x + " " + n.Op.String() + " " + y
		if edge > 0 {
			fn := map[token.Token]string{token.LSS: "mutantLess", token.LEQ: "mutantAtMost", token.GTR: "mutantMore", token.GEQ: "mutantAtLeast"}[n.Op]
			plain = fmt.Sprintf("%s(%d, %s, %s)", fn, edge, x, y)
		}
		if id > 0 {
			plain = fmt.Sprintf("mutantNot(%d, %s)", id, plain)
		}
		return plain, true
	}
	if op, ok := arithmetic[n.Op]; ok && !r.isString(n) {
		id := r.add(n, swap(op))
		x, y := r.operand(n.X), r.operand(n.Y)
		if id == 0 {
			return "(" + x + " " + n.Op.String() + " " + y + ")", true
		}
		return fmt.Sprintf("mutant%s(%d, %s, %s)", operators[n.Op], id, x, y), true
	}
	return "", false
}

var operators = map[token.Token]string{
	token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Quo", token.REM: "Rem", token.AND: "And2", token.OR: "Or2",
	token.XOR: "Xor", token.AND_NOT: "AndNot", token.SHL: "Shl", token.SHR: "Shr",
}
