package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/terminal"
)

// leftOut tells what a command did not take over, or not whole, and why: one line
// a kind, or, with each, one line a case.
type leftOut struct {
	each  bool
	order []string
	kinds map[string]*kindLeft
}

// kindLeft is what was left out for one kind of reason.
type kindLeft struct {
	name, why string // of the first
	more      int
}

// eachFlag asks for a line a case.
func eachFlag(cmd *cobra.Command, l *leftOut) {
	cmd.Flags().BoolVar(&l.each, "verbose", false, "tell what was left out case by case, not one line a kind")
}

// add takes down that name was left out and why.
func (l *leftOut) add(name, why string) {
	kind := kindOf(why)
	if l.each {
		kind = fmt.Sprint(len(l.order))
	}
	if known := l.kinds[kind]; known != nil {
		known.more++
		return
	}
	if l.kinds == nil {
		l.kinds = make(map[string]*kindLeft)
	}
	l.kinds[kind] = &kindLeft{name: name, why: why}
	l.order = append(l.order, kind)
}

// tell writes the lines.
func (l *leftOut) tell(s *terminal.Screen) {
	cut := false
	for _, kind := range l.order {
		k := l.kinds[kind]
		name := k.name
		if k.more > 0 {
			cut = true
			name = fmt.Sprintf("%s and %d more", name, k.more)
		}
		s.Notef("%s: %s", name, strings.ReplaceAll(k.why, "\n", "; "))
	}
	if cut {
		s.Notef("--verbose names each")
	}
}

// The words after which a reason names another case, or what that one shows.
var naming = []string{"the same as ", "the same seed as that of ", "shows what ", "go-fuzz's note on "}

// kindOf is a reason without what it says of one case alone: other names, texts
// in quotes, and numbers.
func kindOf(why string) string {
	for _, words := range naming {
		if at := strings.Index(why, words); at >= 0 {
			why = why[:at+len(words)]
		}
	}
	var b strings.Builder
	quoted := false
	for i, r := range why {
		switch {
		case r == '"' && (i == 0 || why[i-1] != '\\'):
			quoted = !quoted
		case quoted || '0' <= r && r <= '9':
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
