// Package scenario is an MCP server on loopback that misbehaves as it is told:
// for people who debug a client by hand, and for scripts that do it for them.
//
// A [Scenario] is a value of one [Table]. A [Choice] is one with its settings, or a
// case of the corpus, a recipe, or a sequence of all these. A [Server] gives the
// choice that was made last to each session that begins, and tells every exchange
// with its verdict.
//
//	choice, err := scenario.Choose("errors.http_status_sequence", []byte(`{"statusCodes":[503,200]}`))
//	s, err := scenario.Serve(choice, scenario.Options{Done: func(x *scenario.Exchange) { … }})
//	defer s.Close()
//
// It judges answers, and no clients: what a client should have done is for
// [Expectation], or for package callers.
package scenario

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/explanation"
)

// Scenario is a way to misbehave.
type Scenario struct {
	Name string
	Doc  string // one line: what a client meets
	// defaults is a struct with the settings as they are if nobody sets them.
	defaults any
	// begin checks settings of the type of defaults, and gives what begins a session.
	begin func(settings any) (func() *play, error)
}

// define makes a scenario whose settings are of one type.
func define[S any](name, doc string, defaults S, begin func(S) (func() *play, error)) Scenario {
	return Scenario{name, doc, defaults, func(settings any) (func() *play, error) { return begin(settings.(S)) }}
}

// play is a scenario in one session. Each of its functions may be nil; it is
// called by one goroutine at a time, and a nil reply lets the request go on to
// what comes after.
type play struct {
	// post sees every POST before the protocol does.
	post func(*query) *reply
	// list and call answer tools/list and tools/call.
	list, call func(*query) *reply
	// listen answers a stream of changes: subscriptions/listen, and GET before it.
	listen func(*query) *reply
	// offers tells whether the tool that a call names is one of this play's; nil
	// is [Tool] alone. A call of any other is answered as the specification asks.
	offers func(*query) bool
	// stateless gives no session to anybody.
	stateless bool
}

// anyTool is for plays whose answers are for whatever is called: clients have names
// of their own for what they call.
func anyTool(*query) bool { return true }

// Table is every scenario, in the order in which they are told.
func Table() []Scenario { return slices.Clone(table) }

var table = slices.Concat(plainScenarios, errorScenarios, elicitationScenarios, compatScenarios, timeoutScenarios, authScenarios, catalogueScenarios, streamScenarios)

// Choice is what the next session gets.
type Choice struct {
	Name     string // such as baseline, case:ID, recipe:TEXT or a file's name
	Settings json.RawMessage
	Doc      string
	begin    func() *play
}

// Choose makes a choice: the name of a scenario with its settings as a JSON object
// (empty: as they are if nobody sets them), case:ID for a case of the corpus,
// recipe:TEXT for a recipe; these two have no settings. An error tells what is
// wrong with which of them.
func Choose(name string, settings []byte) (*Choice, error) {
	kind, rest, found := strings.Cut(name, ":")
	switch {
	case found && kind == "case":
		return chooseCase(rest, settings)
	case found && kind == "recipe":
		return chooseRecipe(rest, settings)
	}
	i := slices.IndexFunc(table, func(s Scenario) bool { return s.Name == name })
	if i < 0 {
		var names []string
		for _, s := range table {
			names = append(names, s.Name)
		}
		if near := explanation.Closest(name, names); len(near) > 0 {
			return nil, fmt.Errorf("unknown scenario %q; did you mean %s?", name, strings.Join(near, " or "))
		}
		return nil, fmt.Errorf("unknown scenario %q; replyproof serve --list names them all", name)
	}
	s := table[i]
	given, err := s.settings(settings)
	if err != nil {
		return nil, fmt.Errorf("settings of %s: %w", name, err)
	}
	begin, err := s.begin(given)
	if err != nil {
		return nil, fmt.Errorf("settings of %s: %w", name, err)
	}
	text, err := json.Marshal(given)
	if err != nil {
		return nil, fmt.Errorf("settings of %s: %w", name, err)
	}
	return &Choice{Name: name, Settings: text, Doc: s.Doc, begin: begin}, nil
}

// none are the settings of a scenario that has none.
type none struct{}
