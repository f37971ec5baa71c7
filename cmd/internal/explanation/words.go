package explanation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/builtin"
	"github.com/replyproof/replyproof/properties/runner"
)

// Entry is one word of the project, told for people.
type Entry struct {
	Word string `json:"word"`
	Kind string `json:"kind"` // rule, outcome, reason, finding, advice, deviation, property
	Rule string `json:"rule,omitempty"`
	Text string `json:"text"`
}

// Entries lists every word.
func Entries() []Entry {
	all := []Entry{{Word: streamRules, Kind: "rules", Text: "How a body of the media type text/event-stream is read: S1 to S7 together."}}
	for _, r := range rules {
		all = append(all, Entry{Word: r.Name, Kind: "rule", Rule: r.Name, Text: r.Title + ". " + r.Text})
	}
	for _, k := range knowledges {
		text := fmt.Sprintf("On the %s layer. What the client knows: %s.", k.outcome.Layer(), k.known)
		if k.unknown != "" {
			text += fmt.Sprintf(" What it does not: %s.", k.unknown)
		}
		all = append(all, Entry{Word: k.outcome.String(), Kind: "outcome", Text: text})
	}
	for _, e := range classifier.Reasons() {
		all = append(all, Entry{Word: e.Name, Kind: "reason", Rule: e.Rule, Text: sentence(e.Meaning)})
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
	for _, p := range builtin.Properties() {
		all = append(all, Entry{Word: p.Name, Kind: "property", Rule: p.Rule, Text: "What holds for every right judge: " + lower(p.Doc)})
	}
	return all
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

func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

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
