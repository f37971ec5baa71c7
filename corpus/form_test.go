package corpus_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

func ptr[T any](v T) *T { return &v }

// everyField holds a value in each field, and a body that is no text in the
// later exchange.
func everyField() corpus.Case {
	return corpus.Case{
		ID: "group/every-field", Rule: "6, 7", Why: "Says \"why\" in ünïcode.", Source: "owner/name#1", Tags: []string{"fault:both", "x"},
		RequestID: classifier.StringID("call \"7\""), Status: ptr(200),
		Headers: corpus.Headers{{Name: "Content-Type", Value: "application/json"}, {Name: "X-A", Value: "<&>"}},
		Body:    []byte("{\"a\":\"\u2028\x7f\U0001F600é\"}\r\n"), ChunkSplits: []int{1, 9}, CutAfter: ptr(12), DelayMS: 5,
		Ended: ptr(classifier.EndedDeadline),
		Then: []corpus.Case{{
			RequestID: classifier.IntID(-2), Status: ptr(-1), Headers: corpus.Headers{{"a", "1"}, {"A", "2"}}, Body: []byte("\xff{"),
			Expect: &corpus.Expect{Layer: classifier.Transport, Outcome: classifier.HTTPError},
		}},
		Expect: &corpus.Expect{
			Layer: classifier.Transport, Outcome: classifier.NoFinalResponse, Reason: "deadline",
			Findings: []string{}, Advice: "ask",
		},
		AlsoAcceptable: []string{"MALFORMED_JSON"},
	}
}

const everyFieldJSON = `{"id":"group/every-field","rule":"6, 7","why":"Says \"why\" in ünïcode.","source":"owner/name#1","tags":["fault:both","x"],` +
	`"request_id":"call \"7\"","status":200,"headers":{"Content-Type":"application/json","X-A":"<&>"},` +
	`"body":"{\"a\":\"\u2028\u007f😀é\"}\r\n","chunk_splits":[1,9],"cut_after":12,"delay_ms":5,"ended":"deadline",` +
	`"then":[{"request_id":-2,"status":-1,"headers":[["a","1"],["A","2"]],"body_base64":"/3s=","expect":{"layer":"transport","outcome":"HTTP_ERROR"}}],` +
	`"expect":{"layer":"transport","outcome":"NO_FINAL_RESPONSE","reason":"deadline","findings":[],"advice":"ask"},"also_acceptable":["MALFORMED_JSON"]}`

func TestJSONFormOfACase(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		c    corpus.Case
		want string
	}{
		{"every field", everyField(), everyFieldJSON},
		{"zero value", corpus.Case{}, `{"request_id":0,"status":null}`},
		{"notification", corpus.Case{Notification: true, Status: ptr(202), Body: []byte{}}, `{"status":202,"body":"","notification":true}`},
		{"empty lists", corpus.Case{Tags: []string{}, Headers: corpus.Headers{}, ChunkSplits: []int{}, Then: []corpus.Case{}, AlsoAcceptable: []string{}},
			`{"tags":[],"request_id":0,"status":null,"headers":{},"chunk_splits":[],"then":[],"also_acceptable":[]}`},
		{"id beyond text", corpus.Case{RequestID: classifier.StringID("a\xed\xa0\x80"), Status: ptr(0)}, `{"request_id":"a\ud800","status":0}`},
		{"surrogate bytes", corpus.Case{Status: ptr(1), Body: []byte("\xed\xa0\x80")}, `{"request_id":0,"status":1,"body_base64":"7aCA"}`},
		{"code", corpus.Case{Expect: &corpus.Expect{Layer: classifier.Protocol, Outcome: classifier.JSONRPCError, Code: "-3e4"}},
			`{"request_id":0,"status":null,"expect":{"layer":"protocol","outcome":"JSONRPC_ERROR","code":"-3e4"}}`},
	}
	for _, test := range tests {
		got, err := test.c.AppendJSON([]byte("x"))
		if err != nil || string(got) != "x"+test.want {
			t.Errorf("%s: got %s, %v\nwant %s", test.name, got, err, test.want)
		}
		var back corpus.Case
		if err := json.Unmarshal([]byte(test.want), &back); err != nil || !reflect.DeepEqual(back, test.c) {
			t.Errorf("%s read back: got %+v, %v\nwant %+v", test.name, back, err, test.c)
		}
		if marshaled, err := json.Marshal(test.c); err != nil || !json.Valid(marshaled) {
			t.Errorf("%s: json.Marshal gave %s, %v", test.name, marshaled, err)
		}
	}
}

func TestJSONFormIsReadHoweverItIsSpelled(t *testing.T) {
	t.Parallel()
	const spelled = "\n {\"st\\u0061tus\" : null,\n\t\"request_id\":\"\\uD83D\\ude00\\/\\b\\f\", \"headers\":[ ], \"expect\" : null_ }"
	var c corpus.Case
	if err := json.Unmarshal([]byte(strings.Replace(spelled, "null_", `{"layer":"transport","outcome":"NO_FINAL_RESPONSE"}`, 1)), &c); err != nil {
		t.Fatal(err)
	}
	want := corpus.Case{
		RequestID: classifier.StringID("😀/\b\f"), Headers: corpus.Headers{},
		Expect: &corpus.Expect{Layer: classifier.Transport, Outcome: classifier.NoFinalResponse},
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got %+v, want %+v", c, want)
	}
}

func TestMarshalRefusesWhatTheFormatCannotHold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]corpus.Case{
		"why not UTF-8":          {Why: "\xff"},
		"header not UTF-8":       {Headers: corpus.Headers{{"a", "\xff"}}},
		"header name not UTF-8":  {Headers: corpus.Headers{{"\xff", "a"}}},
		"tag not UTF-8":          {Tags: []string{"\xff"}},
		"no outcome":             {Expect: &corpus.Expect{Layer: classifier.Transport}},
		"no end":                 {Ended: ptr(classifier.Ended(99))},
		"id in a later exchange": {Then: []corpus.Case{{ID: "x"}}},
	} {
		if got, err := c.MarshalJSON(); err == nil {
			t.Errorf("%s: got %s, want an error", name, got)
		}
	}
}

// The shipped files are written as AppendFile writes them, and reading and
// writing loses nothing.
func TestShippedFilesAreInTheWrittenForm(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("cases/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("got %v, %v, want the files of the cases", names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := corpus.ParseFile(name, data)
		if err != nil {
			t.Error(err)
			continue
		}
		// One group may fill several files: real-go-sdk.json holds cases of the group real.
		if !strings.HasPrefix(filepath.Base(name), file.Group) {
			t.Errorf("%s: got group %q, want one that the file's name begins with", name, file.Group)
		}
		for _, c := range file.Cases {
			if !strings.HasPrefix(c.ID, file.Group+"/") {
				t.Errorf("%s: got id %s, want one that begins with the group", name, c.ID)
			}
			line, err := c.AppendJSON(nil)
			var back corpus.Case
			if err == nil {
				err = json.Unmarshal(line, &back)
			}
			if err != nil || !reflect.DeepEqual(back, c) {
				t.Errorf("%s: got %+v, %v after writing and reading, want the same case", c.ID, back, err)
			}
		}
		written, err := corpus.AppendFile(nil, file.Group, file.Cases)
		if err != nil || !bytes.Equal(written, data) {
			t.Errorf("%s is not in the written form (%v); write it with corpus.WriteFile", name, err)
		}
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	c := corpus.Case{Headers: corpus.Headers{{"content-type", " \ta/b "}, {"X-y", "1"}, {"x-Y", ""}}}
	got := c.HTTPHeader()
	if len(got) != 2 || got.Get("Content-Type") != "a/b" || len(got["X-Y"]) != 2 || got["X-Y"][0] != "1" || got["X-Y"][1] != "" {
		t.Errorf("HTTPHeader: got %v, want Content-Type a/b and X-Y 1 and empty", got)
	}
	if got := c.Headers.Get("x-y"); got != "1" {
		t.Errorf("Get: got %q, want the first line, 1", got)
	}
	want := corpus.Headers{{"content-type", "a/b"}, {"x-y", "1"}, {"x-y", ""}}
	if got := corpus.HeadersOf(c.HTTPHeader()); !reflect.DeepEqual(got, want) {
		t.Errorf("HeadersOf: got %v, want %v", got, want)
	}
}

func TestSameNumber(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"1", "1.0", true}, {"1", "10e-1", true}, {"100", "1E+02", true}, {"-0", "0", true}, {"0e9", "-0.0", true},
		{"1", "-1", false}, {"9007199254740993", "9007199254740992", false}, {"1e400", "10e399", true}, {"1e400", "1e401", false},
		{"1e-400", "0", false}, {"0.001", "1e-3", true}, {"120", "12", false}, {"1e18446744073709551616", "1", false},
		{"01", "1", false}, {"1.", "1.", false}, {".5", ".5", false}, {"+1", "+1", false}, {"1e", "1e", false}, {"1e+-2", "1e+-2", false},
		{"", "", false}, {"x", "x", false}, {"1x", "1x", false}, {"1e5x", "1e5x", false},
	} {
		if got := corpus.SameNumber(test.a, test.b); got != test.want {
			t.Errorf("SameNumber(%q, %q): got %t, want %t", test.a, test.b, got, test.want)
		}
	}
}
