package corpus_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// schema compiles the schema, or a definition in it.
func schema(t *testing.T, part string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(corpus.Schema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("schema.json" + part)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func valid(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

func TestShippedFilesFollowTheSchema(t *testing.T) {
	t.Parallel()
	s := schema(t, "")
	names, _ := filepath.Glob("cases/*.json")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(t, s, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(names) == 0 {
		t.Error("found no file")
	}
}

func TestSchemaRefusesWhatTheLoaderRefuses(t *testing.T) {
	t.Parallel()
	s := schema(t, "#/$defs/case")
	for _, text := range []string{good, everyFieldJSON, `{"id":"a","why":"w","status":202,"notification":true}`} {
		if err := valid(t, s, []byte(text)); err != nil {
			t.Errorf("%s: got %v, want none", text, err)
		}
	}
	for _, test := range []struct{ old, new string }{
		{`"rule"`, `"Rule"`},
		{`"layer":"protocol",`, `"layer":"protocol","level":1,`},
		{`"id":"g/a",`, ``},
		{`g/a`, `g/A`},
		{`"why":"w",`, ``},
		{`"w"`, `" \n"`},
		{`"request_id":1,`, ``},
		{`"request_id":1`, `"request_id":1.5`},
		{`"request_id":1`, `"request_id":9007199254740993`},
		{`"status":200,`, ``},
		{`"status":200`, `"status":"200"`},
		{`"application/json"`, `5`},
		{`"content-type"`, `"content type"`},
		{`application/json`, `a\r\nb`},
		{`{"content-type":"application/json"}`, `[["a"]]`},
		{`"abcdef"`, `5`},
		{`"body":"abcdef"`, `"body":"abcdef","body_base64":"AAAA"`},
		{`"abcdef"`, `"abcdef","chunk_splits":[0]`},
		{`"abcdef"`, `"abcdef","cut_after":-1`},
		{`"abcdef"`, `"abcdef","ended":"EOF"`},
		{`,"outcome":"MALFORMED_JSON"`, ``},
		{`"layer":"protocol",`, ``},
		{`MALFORMED_JSON`, `MALFORMED`},
		{`"protocol"`, `"transport"`},
		{`MALFORMED_JSON"`, `MALFORMED_JSON","reason":"bad"`},
		{`MALFORMED_JSON"`, `MALFORMED_JSON","findings":["bad"]`},
		{`MALFORMED_JSON"`, `MALFORMED_JSON","findings":["bom","bom"]`},
		{`MALFORMED_JSON"`, `MALFORMED_JSON","advice":"retry"`},
		{`MALFORMED_JSON"`, `JSONRPC_ERROR","code":"x"`},
		{`JSON"}`, `JSON"},"also_acceptable":["ERROR"]`},
		{`JSON"}`, `JSON"},"then":[{"id":"x","request_id":1,"status":200}]`},
		{`JSON"}`, `JSON"},"then":[{"request_id":1}]`},
	} {
		text := strings.Replace(good, test.old, test.new, 1)
		if text == good {
			t.Fatalf("%q is not in the case", test.old)
		}
		if err := valid(t, s, []byte(text)); err == nil {
			t.Errorf("the schema takes %s", text)
		}
		if _, err := corpus.Parse("x", []byte(text)); err == nil {
			t.Errorf("the loader takes %s", text)
		}
	}
}

// The closed lists of the schema are those of the code.
func TestSchemaListsTheClosedLists(t *testing.T) {
	t.Parallel()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(corpus.Schema))
	if err != nil {
		t.Fatal(err)
	}
	at := func(path ...string) []string {
		var v any = doc
		for _, key := range path {
			v = v.(map[string]any)[key]
		}
		var words []string
		for _, word := range v.([]any) {
			words = append(words, word.(string))
		}
		return words
	}
	var reasons, findings, outcomes []string
	for _, entry := range classifier.Reasons() {
		reasons = append(reasons, entry.Name)
	}
	for _, entry := range classifier.Findings() {
		findings = append(findings, entry.Name)
	}
	for _, outcome := range classifier.Outcomes() {
		outcomes = append(outcomes, outcome.String())
	}
	expect := []string{"$defs", "expect", "properties"}
	for _, test := range []struct {
		got, want []string
	}{
		{at(append(expect, "reason", "enum")...), reasons},
		{at(append(expect, "findings", "items", "enum")...), findings},
		{at("$defs", "outcome", "enum"), outcomes},
		{at(append(expect, "advice", "enum")...), corpus.AdviceWords()},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("got %v, want %v", test.got, test.want)
		}
	}
}
