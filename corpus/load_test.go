package corpus_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replyproof/replyproof/corpus"
)

// good is a case on one line; parts of it are replaced.
const good = `{"id":"g/a","rule":"6","why":"w","request_id":1,"status":200,"headers":{"content-type":"application/json"},"body":"abcdef","expect":{"layer":"protocol","outcome":"MALFORMED_JSON"}}`

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		old, new string // replaced in good
		key      string
		says     string
	}{
		{"unknown key", `"rule"`, `"Rule"`, "Rule", "unknown key"},
		{"unknown key of expect", `"layer":"protocol",`, `"layer":"protocol","level":1,`, "expect.level", "unknown key"},
		{"repeated key", `"rule":"6"`, `"rule":"6","rule":"7"`, "rule", "twice"},
		{"no id", `"id":"g/a",`, ``, "id", "is no id"},
		{"id with capitals", `g/a`, `g/A`, "id", "is no id"},
		{"id with an underscore", `g/a`, `g/a_b`, "id", "is no id"},
		{"id with a hyphen at the end", `g/a`, `g/a-`, "id", "is no id"},
		{"id with an empty part", `g/a`, `g//a`, "id", "is no id"},
		{"id is a number", `"g/a"`, `5`, "id", "must be a string"},
		{"no why", `"why":"w",`, ``, "why", "is empty"},
		{"why of spaces", `"w"`, `" \n"`, "why", "is empty"},
		{"empty tag", `"rule":"6"`, `"tags":[""]`, "tags", "empty tag"},
		{"tags no list", `"rule":"6"`, `"tags":"x"`, "tags", "must be an array"},
		{"no request_id", `"request_id":1,`, ``, "request_id", "is absent"},
		{"request_id fraction", `"request_id":1`, `"request_id":1.5`, "request_id", "integer"},
		{"request_id real", `"request_id":1`, `"request_id":1.0`, "request_id", "plain digits"},
		{"request_id null", `"request_id":1`, `"request_id":null`, "request_id", "integer"},
		{"request_id too large", `"request_id":1`, `"request_id":9007199254740993`, "request_id", "2^53"},
		{"request_id too small", `"request_id":1`, `"request_id":-9007199254740993`, "request_id", "2^53"},
		{"no status", `"status":200,`, ``, "status", "is absent"},
		{"status a string", `"status":200`, `"status":"200"`, "status", "must be an integer"},
		{"status null with a body", `"status":200`, `"status":null`, "status", "is null"},
		{"header value a number", `"application/json"`, `5`, "headers.content-type", "must be a string"},
		{"header name twice", `{"content-type":"application/json"}`, `{"A":"1","a":"2"}`, "headers", "list of pairs"},
		{"header not a pair", `{"content-type":"application/json"}`, `[["a"]]`, "headers[0]", "must be a pair"},
		{"header name no token", `"content-type"`, `"content type"`, "headers", "is no name"},
		{"header value with a line end", `application/json`, `a\r\nb`, "headers", "line end"},
		{"headers a string", `{"content-type":"application/json"}`, `"a: b"`, "headers", "must be an object"},
		{"body a number", `"abcdef"`, `5`, "body", "must be a string"},
		{"body with half a surrogate pair", `"abcdef"`, `"abc\ud800def"`, "body", "half a surrogate pair"},
		{"bad base64", `"body":"abcdef"`, `"body_base64":"a"`, "body_base64", "base64"},
		{"two bodies", `"body":"abcdef"`, `"body":"abcdef","body_base64":"AAAA"`, "body_base64", "side by side"},
		{"split at zero", `"abcdef"`, `"abcdef","chunk_splits":[0]`, "chunk_splits", "out of range"},
		{"split at the end", `"abcdef"`, `"abcdef","chunk_splits":[6]`, "chunk_splits", "out of range"},
		{"splits that do not ascend", `"abcdef"`, `"abcdef","chunk_splits":[2,2]`, "chunk_splits", "out of range"},
		{"negative cut", `"abcdef"`, `"abcdef","cut_after":-1`, "cut_after", "negative"},
		{"cut that ends in eof", `"abcdef"`, `"abcdef","cut_after":1,"ended":"eof"`, "ended", "cut_after cuts"},
		{"negative delay", `"abcdef"`, `"abcdef","delay_ms":-1`, "delay_ms", "negative"},
		{"unknown end", `"abcdef"`, `"abcdef","ended":"EOF"`, "ended", "unknown end"},
		{"notification a string", `"abcdef"`, `"abcdef","notification":"yes"`, "notification", "must be true or false"},
		{"no outcome", `,"outcome":"MALFORMED_JSON"`, ``, "expect.outcome", "is absent"},
		{"no layer", `"layer":"protocol",`, ``, "expect.layer", "is absent"},
		{"unknown outcome", `MALFORMED_JSON`, `MALFORMED`, "expect.outcome", "unknown outcome"},
		{"unknown layer", `"protocol"`, `"Protocol"`, "expect.layer", "unknown layer"},
		{"layer of another outcome", `"protocol"`, `"transport"`, "expect.layer", "not the layer of MALFORMED_JSON"},
		{"unknown reason", `MALFORMED_JSON"`, `MALFORMED_JSON","reason":"bad"`, "expect.reason", "unknown reason"},
		{"reason of another outcome", `MALFORMED_JSON"`, `MALFORMED_JSON","reason":"tool-error"`, "expect.reason", "never leads to"},
		{"unknown finding", `MALFORMED_JSON"`, `MALFORMED_JSON","findings":["bad"]`, "expect.findings", "unknown finding"},
		{"finding twice", `MALFORMED_JSON"`, `MALFORMED_JSON","findings":["bom","bom"]`, "expect.findings", "twice"},
		{"unknown advice", `MALFORMED_JSON"`, `MALFORMED_JSON","advice":"retry"`, "expect.advice", "is no advice"},
		{"code of an outcome without", `MALFORMED_JSON"`, `MALFORMED_JSON","code":"1"`, "expect.code", "has no code"},
		{"code no number", `MALFORMED_JSON"`, `JSONRPC_ERROR","code":"x"`, "expect.code", "is no JSON number"},
		{"HTTP_ERROR of a 200", `"protocol","outcome":"MALFORMED_JSON"`, `"transport","outcome":"HTTP_ERROR"`, "expect.outcome", "rule 1"},
		{"MALFORMED_JSON of a 500", `"status":200`, `"status":500`, "expect.outcome", "rule 1"},
		{"ACCEPTED of a call", `"protocol","outcome":"MALFORMED_JSON"`, `"transport","outcome":"ACCEPTED"`, "expect.outcome", "rule N"},
		{"MALFORMED_JSON of a notification", `"abcdef"`, `"abcdef","notification":true`, "expect.outcome", "rule N"},
		{"unknown acceptable word", `JSON"}`, `JSON"},"also_acceptable":["ERROR"]`, "also_acceptable", "unknown outcome"},
		{"acceptable is expected", `JSON"}`, `JSON"},"also_acceptable":["MALFORMED_JSON"]`, "also_acceptable", "says already"},
		{"acceptable twice", `JSON"}`, `JSON"},"also_acceptable":["HTTP_ERROR","HTTP_ERROR"]`, "also_acceptable", "twice"},
		{"later exchange with an id", `JSON"}`, `JSON"},"then":[{"id":"x","request_id":1,"status":200}]`, "then[0].id", "unknown key"},
		{"later exchange with more", `JSON"}`, `JSON"},"then":[{"then":[],"request_id":1,"status":200}]`, "then[0].then", "unknown key"},
		{"later exchange without a status", `JSON"}`, `JSON"},"then":[{"request_id":1}]`, "then[0].status", "is absent"},
		{"later exchange that is wrong", `JSON"}`, `JSON"},"then":[{"request_id":1,"status":200,"expect":{"layer":"transport","outcome":"TOOL_ERROR"}}]`, "then[0].expect.layer", "not the layer"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(good, test.old, test.new, 1)
			if text == good {
				t.Fatalf("%q is not in the case", test.old)
			}
			_, err := corpus.Parse("my.jsonl", []byte("\n"+text+"\n"))
			var one *corpus.Error
			if !errors.As(err, &one) {
				t.Fatalf("got %v, want an error", err)
			}
			if one.Key != test.key || !strings.Contains(one.Err.Error(), test.says) || one.File != "my.jsonl" || one.Line != 2 {
				t.Errorf("got %v, want key %q in line 2, and %q", err, test.key, test.says)
			}
		})
	}
	if _, err := corpus.Parse("good", []byte(good)); err != nil {
		t.Errorf("got %v for the case that all others are made of, want none", err)
	}
}

func TestLoadRefusesNoAnswerThatEndsWell(t *testing.T) {
	t.Parallel()
	for _, ended := range []string{"eof", "size-limit"} {
		_, err := corpus.Parse("x", []byte(`{"id":"a","why":"w","request_id":1,"status":null,"ended":"`+ended+`"}`))
		if err == nil || !strings.Contains(err.Error(), `key "ended"`) {
			t.Errorf("%s: got %v, want a fault of ended", ended, err)
		}
	}
	_, err := corpus.Parse("x", []byte(`{"id":"a","why":"w","request_id":1,"status":null,"expect":{"layer":"transport","outcome":"HTTP_ERROR"}}`))
	if err == nil || !strings.Contains(err.Error(), "rule T") {
		t.Errorf("got %v, want a fault by rule T", err)
	}
}

// Every fault of every file is reported, with its line.
func TestLoadReportsEveryFault(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"b.json": {Data: []byte(`{
  "format": "replyproof-cases/1",
  "group": "b",
  "cases": [
    {
      "id": "b/one",
      "why": "",
      "request_id": 1,
      "status": 200,
      "expect": {
        "layer": "transport",
        "outcome": "TOOL_SUCCESS"
      }
    },
    {"id": "a/one", "why": "w", "request_id": 1, "status": 200,
     "bdy": ""}
  ]
}`)},
		"a.json": {Data: []byte("\xEF\xBB\xBF" + `{"format":"replyproof-cases/1","group":"a","cases":[
{"id":"a/one","why":"w","request_id":1,"status":200}]}`)},
		"c.json": {Data: []byte("{\n\"format\":\"replyproof-cases/2\",\n\"group\":\"C\",\"cases\":[]}")},
		"d.json": {Data: []byte("{\n\"format\": \n}")},
		"e.json": {Data: []byte("{\n\"format\": \"\xff\"}")},
	}
	_, err := corpus.Load(files, "*.json", "*.none")
	want := []string{
		`corpus: b.json:7: b/one: key "why": is empty; say in a sentence which rule the case shows`,
		`corpus: b.json:11: b/one: key "expect.layer": transport is not the layer of TOOL_SUCCESS, which is application`,
		`corpus: b.json:16: a/one: key "bdy": unknown key; the keys are also_acceptable, `,
		`corpus: b.json:15: a/one: key "id": "a/one" is the id of another case too, at a.json:2`,
		`corpus: c.json:1: key "format": must be "replyproof-cases/1", is "replyproof-cases/2"`,
		`corpus: c.json:1: key "group": "C" is no name of a group`,
		`corpus: d.json:3: not JSON: `,
		`corpus: e.json:2: not UTF-8; `,
		`corpus: *.none: no file matches "*.none"`,
	}
	lines := strings.Split(err.Error(), "\n")
	for i, line := range want {
		if i >= len(lines) || !strings.HasPrefix(lines[i], line) {
			t.Fatalf("got\n%v\nwant line %d to begin with\n%s", err, i+1, line)
		}
	}
	if len(lines) != len(want) {
		t.Errorf("got %d faults, want %d:\n%v", len(lines), len(want), err)
	}
}

func TestLoadReadsFilesAndLines(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"a.json":  {Data: []byte(`{"format":"replyproof-cases/1","group":"a","cases":[` + good + `]}`)},
		"b.jsonl": {Data: []byte(strings.Replace(good, "g/a", "g/b", 1) + "\n\n" + strings.Replace(good, "g/a", "g/c", 1))},
	}
	cases, err := corpus.Load(files, "*.json", "*.jsonl")
	if err != nil || len(cases) != 3 || cases[0].ID != "g/a" || cases[2].ID != "g/c" {
		t.Errorf("got %+v, %v, want g/a, g/b and g/c", cases, err)
	}
}

func TestUnmarshalTakesACaseFromTheWire(t *testing.T) {
	t.Parallel()
	var c corpus.Case
	if err := c.UnmarshalJSON([]byte(`{"request_id":1,"status":200,"headers":{},"body":""}`)); err != nil {
		t.Errorf("got %v for a case of wire fields only, want none", err)
	}
	err := c.UnmarshalJSON([]byte("{\"status\":200,\n\"x\":1,\n\"body\":2}"))
	var one *corpus.Error
	if !errors.As(err, &one) || one.Line != 2 || one.Key != "x" || !strings.Contains(err.Error(), "line 3: key \"body\"") {
		t.Errorf("got %v, want the faults of x in line 2 and of body in line 3", err)
	}
	for _, text := range []string{`[]`, `5`, `null`, ``, `{`, `{"status":200}{}`} {
		if err := c.UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("got no error for %q", text)
		}
	}
}
