package generators_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

// lawful are the answers with nothing odd to find, and nothing else to be said of
// them, that a strict client refuses all the same: by recipe or id, and why the law
// has it so.
var lawful = map[string]string{
	"+requests=unknown-method":         "rule 9 asks for a method, not for one that is known",
	"+requests=empty-method":           "rule 9 asks for a method, not for one that is known",
	"+result-meta=wrong-type":          "rule 9 does not look at _meta",
	"+sse-notifications=odd":           "rule S4: what else a notification holds does not matter",
	"+id-spelling=far":                 "it is the integer 0, which the checker does not see",
	"+code-spelling=zero":              "it is the integer 0, which the checker does not see",
	"ids/zero-huge-exponent":           "it is the integer 0, which the checker does not see",
	"result/meta-no-object":            "rule 9 does not look at _meta",
	"streams/notification-bare":        "rule S4: what else a notification holds does not matter",
	"streams/notification-null-method": "rule S4: what else a notification holds does not matter",
	"streams/lone-surrogate-elsewhere": "rule S4: what else a notification holds does not matter",
}

// What is called right is right for a strict client too: it can take every message
// up to the response.
func TestStrictClientTakesWhatIsRight(t *testing.T) {
	t.Parallel()
	strict, err := jsonschema.NewCompiler().Compile("testdata/strict.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	tried, met := 0, map[string]bool{}
	check := func(name string, c corpus.Case) {
		texts, ok := taken(c)
		if !ok {
			return
		}
		tried++
		var wrong error
		for _, text := range texts {
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err == nil {
				err = strict.Validate(v)
			}
			if err != nil {
				wrong = err
			}
		}
		word := name
		for _, part := range strings.Fields(name) {
			if lawful[part] != "" {
				word = part
			}
		}
		switch {
		case wrong == nil:
		case lawful[word] != "":
			met[word] = true
		default:
			t.Errorf("%s is refused: %v\n%s", name, wrong, c.Body)
		}
	}
	for r := range catalogue.Singles() {
		check(catalogue.Format(r), catalogue.Render(r))
	}
	src := generators.NewPlain(7)
	for range 20000 {
		r := catalogue.Build(src)
		check(catalogue.Format(r), catalogue.Render(r))
	}
	for _, c := range corpus.All() {
		for _, x := range c.Exchanges() {
			check(c.ID, x)
		}
	}
	for word, why := range lawful {
		if !met[word] {
			t.Errorf("%s (%s) is not refused any more", word, why)
		}
	}
	if tried < 5000 {
		t.Errorf("got %d answers, want thousands", tried)
	}
}

// taken is the messages of an answer up to its response, if a right client has to
// take it: there is nothing odd in it, and no other word for it.
func taken(c corpus.Case) ([]string, bool) {
	if c.Expect == nil || c.Status == nil || c.CutAfter != nil || len(c.Expect.Findings) > 0 || len(c.AlsoAcceptable) > 0 {
		return nil, false
	}
	right := []classifier.Outcome{classifier.ToolSuccess, classifier.ToolError, classifier.InputRequired, classifier.JSONRPCError}
	header := c.Answer().Header
	if !slices.Contains(right, c.Expect.Outcome) || header.Get("Content-Encoding") != "" {
		return nil, false
	}
	body := string(bytes.ReplaceAll(c.Body, []byte(corpus.Placeholder), []byte("1")))
	if !strings.Contains(strings.ToLower(header.Get("Content-Type")), "event-stream") {
		return []string{body}, true
	}
	var texts, data []string
	kind := ""
	for line := range strings.SplitSeq(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(body), "\n") {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case name == "data":
			data = append(data, value)
		case name == "event":
			kind = value
		case line == "":
			text := strings.Join(data, "\n")
			if text != "" && (kind == "" || kind == "message") {
				texts = append(texts, text)
				var members map[string]json.RawMessage
				if json.Unmarshal([]byte(text), &members) == nil && (members["result"] != nil || members["error"] != nil) {
					return texts, true
				}
			}
			data, kind = nil, ""
		}
	}
	return texts, true
}
