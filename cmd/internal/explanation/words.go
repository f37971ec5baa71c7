package explanation

import (
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/builtin"
	"github.com/replyproof/replyproof/properties/runner"
)

// Entry is one word of the project, told for people.
type Entry struct {
	Word string `json:"word"`
	Kind string `json:"kind"` // rule, layer, outcome, reason, finding, advice, deviation, severity, word of a report, word of a subject, property
	Rule string `json:"rule,omitempty"`
	Text string `json:"text"`
}

// Entries lists every word.
func Entries() []Entry {
	all := []Entry{{Word: streamRules, Kind: "rules", Text: "How a body of the media type text/event-stream is read: S1 to S7 together."}}
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
	for _, w := range reported {
		all = append(all, Entry{Word: w.name, Kind: "word of a report", Text: w.text})
	}
	for _, w := range coarse {
		all = append(all, Entry{Word: w.name, Kind: "word of a subject", Text: w.text})
	}
	for _, p := range builtin.Properties() {
		all = append(all, Entry{Word: p.Name, Kind: "property", Rule: p.Rule, Text: "What holds for every right judge: " + lower(p.Doc)})
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

// streamRules is the word for the rules of an event stream together.
const streamRules = "S"

// lower begins a sentence that follows a colon.
func lower(text string) string {
	if len(text) > 1 && 'a' <= text[1] && text[1] <= 'z' || strings.HasPrefix(text, "A ") {
		return strings.ToLower(text[:1]) + text[1:]
	}
	return text
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

// Find gives the entries of a word; a word may be of several kinds. Case does
// not matter, nor does "rule" before the number of a rule. S gives the rules of
// an event stream, each after the other.
func Find(word string) []Entry {
	word = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(word), "rule "), "rules "))
	var found []Entry
	for _, e := range Entries() {
		member := e.Kind == "rule" && strings.HasPrefix(e.Word, streamRules)
		if strings.ToLower(e.Word) == word || member && strings.EqualFold(word, streamRules) {
			found = append(found, e)
		}
	}
	return found
}
