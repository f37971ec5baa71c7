package scenario

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxSteps is how many steps a sequence has at most once its loops are unrolled.
const maxSteps = 10_000

// Sequence reads a sequence of answers from YAML. name is the file's, for errors,
// which name file and line:
//
//	count: calls            # or posts; calls if it is left out
//	steps:
//	  - status: 503
//	    times: 2
//	  - fail_first: 2       # fail the first n, then pass one
//	    with: {scenario: errors.rate_limit, settings: {seconds: 1}}
//	  - repeat: 3
//	    steps:
//	      - case: article/baseline-complete
//	      - recipe: success +status=503
//	      - pass
//	then: pass              # after the last step: pass, last or again
func Sequence(name string, text []byte) (*Choice, error) {
	s := sequence{file: name}
	document, err := s.document(text)
	if err == io.EOF {
		return nil, fmt.Errorf("%s: is empty; want a sequence, which has steps", name)
	} else if err != nil {
		return nil, err
	}
	if err := s.read(document); err != nil {
		return nil, err
	}
	return &Choice{Name: name, Doc: fmt.Sprintf("A sequence of %d steps.", len(s.steps)), begin: s.begin}, nil
}

// document is the one document of a file; io.EOF if there is none.
func (s *sequence) document(text []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	var document, more yaml.Node
	if err := decoder.Decode(&document); err == io.EOF {
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", s.file, err)
	}
	if err := decoder.Decode(&more); err != io.EOF {
		return nil, s.wrong(&more, "a second document; want one")
	}
	return document.Content[0], nil
}

// sequence is what was read.
type sequence struct {
	file  string
	posts bool // every POST takes a step, not only a call
	then  string
	steps []step
}

// step is an answer: a scenario, or the plain one.
type step struct {
	choice *Choice // nil: the request goes on as if there were no sequence
	what   string
}

func (s *sequence) wrong(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", s.file, n.Line, fmt.Sprintf(format, args...))
}

func (s *sequence) read(n *yaml.Node) error {
	members, err := s.members(n, "count", "steps", "then")
	if err != nil {
		return err
	}
	count, err := s.word(members["count"], "count", "calls", "posts")
	if err != nil {
		return err
	}
	s.posts = count == "posts"
	if s.then, err = s.word(members["then"], "then", "pass", "last", "again"); err != nil {
		return err
	}
	if s.steps, err = s.list(n, members["steps"]); err != nil {
		return err
	}
	return nil
}

// members are those of a mapping, none of them twice and none but these.
func (s *sequence) members(n *yaml.Node, names ...string) (map[string]*yaml.Node, error) {
	if n.Kind != yaml.MappingNode {
		return nil, s.wrong(n, "got %s, want a mapping with %s", described(n), strings.Join(names, ", "))
	}
	members := make(map[string]*yaml.Node)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if err := oneOf("key", key.Value, names...); err != nil {
			return nil, s.wrong(key, "unknown %v", err)
		}
		if members[key.Value] != nil {
			return nil, s.wrong(key, "%s stands here twice", key.Value)
		}
		members[key.Value] = n.Content[i+1]
	}
	return members, nil
}

// word is one of some words, the first of them if there is none.
func (s *sequence) word(n *yaml.Node, name string, words ...string) (string, error) {
	if n == nil {
		return words[0], nil
	}
	if err := oneOf(name, n.Value, words...); err != nil || n.Kind != yaml.ScalarNode {
		return "", s.wrong(n, "%s: got %s, want %s", name, described(n), strings.Join(words, " or "))
	}
	return n.Value, nil
}

// times is a number from 1.
func (s *sequence) times(n *yaml.Node, name string) (int, error) {
	var times int
	if n == nil {
		return 1, nil
	}
	if err := n.Decode(&times); err != nil || n.Tag != "!!int" || times < 1 || times > maxSteps {
		return 0, s.wrong(n, "%s: got %s, want 1 to %d", name, described(n), maxSteps)
	}
	return times, nil
}

// list reads steps. at is where they are missing.
func (s *sequence) list(at, n *yaml.Node) ([]step, error) {
	if n == nil {
		return nil, s.wrong(at, "steps are missing")
	}
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return nil, s.wrong(n, "steps: got %s, want a list with at least one", described(n))
	}
	var all []step
	for _, child := range n.Content {
		steps, err := s.step(child)
		if err != nil {
			return nil, err
		}
		if all = append(all, steps...); len(all) > maxSteps {
			return nil, s.wrong(child, "more than %d steps", maxSteps)
		}
	}
	return all, nil
}

func (s *sequence) step(n *yaml.Node) ([]step, error) {
	if n.Kind == yaml.ScalarNode && n.Value == "pass" {
		return []step{{what: "pass"}}, nil
	}
	keys := make(map[string]bool)
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		keys[n.Content[i].Value] = true
	}
	switch {
	case keys["repeat"]:
		members, err := s.members(n, "repeat", "steps")
		if err != nil {
			return nil, err
		}
		steps, err := s.list(n, members["steps"])
		if err != nil {
			return nil, err
		}
		return s.repeated(members["repeat"], "repeat", steps)
	case keys["fail_first"]:
		members, err := s.members(n, "fail_first", "with")
		if err != nil {
			return nil, err
		}
		fail := step{what: "503"}
		if fail.choice, err = Choose("errors.http_status_sequence", []byte(`{"statusCodes":[503]}`)); err != nil {
			return nil, err
		}
		failures := []step{fail}
		if with := members["with"]; with != nil {
			if failures, err = s.step(with); err != nil {
				return nil, err
			}
			if len(failures) != 1 || failures[0].choice == nil {
				return nil, s.wrong(with, "with: want one answer that fails")
			}
			if why := s.harmless(failures[0].choice); why != "" {
				return nil, s.wrong(with, "with: %s, and fail_first wants what fails, such as a status that is no 2xx, a JSON-RPC error or a tool's error", why)
			}
		}
		if failures, err = s.repeated(members["fail_first"], "fail_first", failures); err != nil {
			return nil, err
		}
		return append(failures, step{what: "pass"}), nil
	}
	return s.answer(n)
}

func (s *sequence) repeated(n *yaml.Node, name string, steps []step) ([]step, error) {
	times, err := s.times(n, name)
	if err != nil {
		return nil, err
	}
	if times*len(steps) > maxSteps {
		return nil, s.wrong(n, "%s: more than %d steps", name, maxSteps)
	}
	var all []step
	for range times {
		all = append(all, steps...)
	}
	return all, nil
}

// answer reads a step that is one answer.
func (s *sequence) answer(n *yaml.Node) ([]step, error) {
	members, err := s.members(n, "status", "scenario", "settings", "case", "recipe", "times")
	if err != nil {
		return nil, err
	}
	var settings []byte
	if given := members["settings"]; given != nil {
		var value any
		if err = given.Decode(&value); err == nil {
			settings, err = json.Marshal(value)
		}
		if err != nil {
			return nil, s.wrong(given, "settings: got %s, want a mapping that JSON can hold: its names are texts, and nothing in it holds itself", described(given))
		}
	}
	name, kinds := "", 0
	for _, kind := range []string{"status", "scenario", "case", "recipe"} {
		member := members[kind]
		if member == nil {
			continue
		}
		if member.Kind != yaml.ScalarNode {
			return nil, s.wrong(member, "%s: got %s, want a word", kind, described(member))
		}
		kinds++
		switch kind {
		case "status":
			name = "errors.http_status_sequence"
			if settings != nil {
				return nil, s.wrong(members["settings"], "settings: a status has none")
			}
			var code int
			if err := member.Decode(&code); err != nil || member.Tag != "!!int" {
				return nil, s.wrong(member, "status: got %s, want a number", described(member))
			}
			settings = fmt.Appendf(nil, `{"statusCodes":[%d]}`, code)
		case "scenario":
			name = member.Value
		default:
			name = kind + ":" + member.Value
		}
	}
	if kinds != 1 {
		return nil, s.wrong(n, "a step has one of status, scenario, case, recipe, repeat, fail_first, or is pass")
	}
	choice, err := Choose(name, settings)
	if err != nil {
		return nil, s.wrong(n, "%v", err)
	}
	if why := s.idle(choice); why != "" {
		return nil, s.wrong(n, "%s with these settings %s, so that this step would do nothing", name, why)
	}
	return s.repeated(members["times"], "times", []step{{choice, name}})
}

// described is a node in a few words.
func described(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	return fmt.Sprintf("%q", clip(n.Value))
}

// begin gives each session its own turn. Within a step the request is the first
// one that the step's scenario sees.
func (s *sequence) begin() *play {
	taken := 0
	plays := make(map[*Choice]*play) // what a step asked for is answered in another
	next := func(q *query) *reply {
		n := taken
		taken++
		if n >= len(s.steps) {
			switch s.then {
			case "pass":
				return nil
			case "last":
				n = len(s.steps) - 1
			case "again":
				n %= len(s.steps)
			}
		}
		one := s.steps[n]
		said := fmt.Sprintf("step %d of %d: %s", n+1, len(s.steps), one.what)
		if one.choice == nil {
			return pass(said)
		}
		first := *q
		first.posts, first.calls = 1, 1
		if plays[one.choice] == nil {
			plays[one.choice] = one.choice.begin()
		}
		r := plays[one.choice].first(&first)
		if r.passes() {
			return pass(said)
		}
		return r.saying(said)
	}
	if s.posts {
		return &play{post: next, offers: anyTool}
	}
	return &play{call: next, offers: anyTool}
}

// first is what a play answers to one request.
func (p *play) first(q *query) *reply {
	if p.post != nil {
		if r := p.post(q); !r.passes() {
			return r
		}
	}
	answer := map[string]func(*query) *reply{"tools/call": p.call, "tools/list": p.list}[q.Method]
	if answer == nil || !q.asked {
		return nil
	}
	return answer(q)
}
