package explanation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/answers"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// Entry is one word of the project, told for people.
type Entry struct {
	Word string `json:"word"`
	Kind string `json:"kind"` // rule, layer, outcome, reason, finding, advice, deviation, severity, word of a subject, property
	Rule string `json:"rule,omitempty"`
	Text string `json:"text"`
}

// Entries lists every word.
func Entries() []Entry {
	var all []Entry
	for _, r := range rules {
		all = append(all, Entry{Word: r.Name, Kind: "rule", Rule: r.Name, Text: sentence(r.Title) + " " + r.Text})
	}
	for _, l := range layers {
		var outcomes []string
		for _, o := range classifier.Outcomes() {
			if o.Layer() == l.layer {
				outcomes = append(outcomes, o.String())
			}
		}
		all = append(all, Entry{Word: l.layer.String(), Kind: "layer", Text: l.text + " Its outcomes: " + strings.Join(outcomes, ", ") + "."})
	}
	for _, k := range knowledges {
		text := fmt.Sprintf("On the %s layer. What the client knows: %s.", k.outcome.Layer(), k.known)
		if k.unknown != "" {
			text += fmt.Sprintf(" What it does not: %s.", k.unknown)
		}
		all = append(all, Entry{Word: k.outcome.String(), Kind: "outcome", Text: text})
	}
	for i, e := range classifier.Reasons() {
		all = append(all, Entry{Word: e.Name, Kind: "reason", Rule: e.Rule, Text: sentence(e.Meaning) + decides(classifier.Reason(i+1), e.Rule)})
	}
	for _, e := range classifier.Findings() {
		all = append(all, Entry{Word: e.Name, Kind: "finding", Rule: e.Rule, Text: sentence(e.Meaning) + " It decides nothing."})
	}
	for _, w := range actionTexts {
		all = append(all, Entry{Word: w.name, Kind: "advice", Rule: "advice", Text: w.text})
	}
	for _, d := range runner.Deviations() {
		all = append(all, Entry{Word: d.String(), Kind: "deviation", Text: fmt.Sprintf(
			"What a subject said or did that no rule allows, %s: %s.", d.Severity(), d.Meaning())})
	}
	for _, s := range severities {
		var words []string
		for _, d := range runner.Deviations() {
			if d.Severity() == s.severity {
				words = append(words, d.String())
			}
		}
		all = append(all, Entry{Word: s.severity.String(), Kind: "severity", Text: s.text + " The deviations: " + strings.Join(words, ", ") + "."})
	}
	for _, w := range coarse {
		all = append(all, Entry{Word: w.name, Kind: "word of a subject", Text: w.text})
	}
	return all
}

// sentence ends a text as a sentence ends.
func sentence(text string) string {
	text = strings.ToUpper(text[:1]) + text[1:]
	if strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// decides tells what a reason makes of the verdict, and where to see it.
func decides(r classifier.Reason, rule string) string {
	c, ok := example(r)
	if !ok {
		return ""
	}
	a := answers.FromCase(c)
	a.Call.ID = c.RequestID
	v := a.Judge()
	by := "rule " + rule
	if strings.Contains(rule, ",") {
		by = "rules " + strings.ReplaceAll(rule, ",", " and")
	}
	text := fmt.Sprintf(" It makes %s on the %s layer, by %s. Where side effects are unknown the advice is %s. Example: %s.",
		v.Outcome, v.Layer, by, classifier.Advise(v, classifier.Facts{}).Action, c.ID)
	if r == classifier.ReasonIDMismatch {
		text += " Where classify is told no id, by the input or by --id, it takes the request's to be 1."
	}
	return text
}

// example is the first shipped case that shows a reason with the fewest findings.
func example(r classifier.Reason) (best corpus.Case, ok bool) {
	for _, c := range corpus.All() {
		if c.Expect == nil || c.Expect.Reason != r.String() || len(c.Then) > 0 {
			continue
		}
		if !ok || len(c.Expect.Findings) < len(best.Expect.Findings) {
			best, ok = c, true
		}
	}
	return best, ok
}

// Kinds gives the words of every kind, in the order of Entries.
func Kinds() (kinds []string, words map[string][]string) {
	words = make(map[string][]string)
	for _, e := range Entries() {
		if words[e.Kind] == nil {
			kinds = append(kinds, e.Kind)
		}
		words[e.Kind] = append(words[e.Kind], e.Word)
	}
	return kinds, words
}

var layers = []struct {
	layer classifier.Layer
	text  string
}{
	{classifier.Transport, "The HTTP exchange, from the connection to the last byte of the body: there is no answer, or none that can be read as one."},
	{classifier.Protocol, "JSON, JSON-RPC and MCP: an answer is there, and it is malformed, an error of the protocol, or a request for input."},
	{classifier.Application, "The tool: the protocol worked, and the final result is there, the tool's own success or its own error."},
}

var severities = []struct {
	severity runner.Severity
	text     string
}{
	{runner.Critical, "A deviation by which a caller believes or does what it must not."},
	{runner.Major, "A deviation by which a caller loses something."},
	{runner.Minor, "A deviation by which a caller is misled about the cause."},
}

// coarse are the words of tells that are no outcomes.
var coarse = []word{
	{subject.WordSuccess, "What a subject says for TOOL_SUCCESS if it has no finer word."},
	{subject.WordRPCError, "What a subject says for JSONRPC_ERROR if it has no finer word."},
	{subject.WordError, "What a subject says for any failure of transport or protocol, and for TOOL_ERROR, INPUT_REQUIRED and JSONRPC_ERROR where its tells name no word for them."},
}

// Find gives the entries of a word; a word may be of several kinds. Case does
// not matter, nor does "rule" before the number of a rule.
func Find(word string) []Entry {
	word = strings.TrimSpace(strings.TrimPrefix(strings.ToLower(word), "rule "))
	var found []Entry
	for _, e := range Entries() {
		if strings.ToLower(e.Word) == word {
			found = append(found, e)
		}
	}
	return found
}

// Closest gives the words that most resemble one that is none, the nearest
// first, and at most three; none if nothing resembles it.
func Closest(word string, among []string) []string {
	type near struct {
		word string
		far  int
	}
	word = strings.ToLower(word)
	var all []near
	for _, w := range among {
		lower := strings.ToLower(w)
		far := distance(word, lower)
		if strings.Contains(lower, word) || strings.Contains(word, lower) && len(w) > 3 {
			far = min(far, 2)
		}
		if far <= max(2, len(word)/3) {
			all = append(all, near{w, far})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return a.far - b.far })
	var words []string
	for _, n := range all {
		if len(words) < 3 && !slices.Contains(words, n.word) {
			words = append(words, n.word)
		}
	}
	return words
}

// distance is the number of letters to insert, remove or change between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
