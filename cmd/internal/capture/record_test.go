package capture

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings" // br and zstd
	"github.com/replyproof/replyproof/corpus"
)

func recordSchema(t *testing.T) func(line []byte) error {
	t.Helper()
	text, err := os.ReadFile("record.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("record.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("record.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return func(line []byte) error {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			return err
		}
		return schema.Validate(doc)
	}
}

// written are the records of an input, a line each.
func written(t *testing.T, judged []Judged, o LineOptions) []byte {
	t.Helper()
	var out []byte
	for _, j := range judged {
		var err error
		if out, err = AppendLine(out, j, o); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// Whatever a case is, its record follows the schema, and read back it is judged
// as the case was, whether all of it was kept or only what may be.
func TestRecordsOfTheCorpus(t *testing.T) {
	valid := recordSchema(t)
	for name, o := range map[string]LineOptions{"sanitised": {}, "raw": {Raw: true}, "bodies over 20 bytes left out": {BodyLimit: 20}} {
		t.Run(name, func(t *testing.T) {
			for _, c := range corpus.All() {
				j := Judge(FromCase(c))
				j.Settle(Step{Attempt: 1, Post: 1})
				line := written(t, []Judged{j}, o)
				if err := valid(line); err != nil {
					t.Errorf("%s: %v\n%s", c.ID, err, line)
				}
				_, back, faults := judgeAll(t, "records", Auto, line)
				if len(back) != 1 || len(faults) > 0 {
					t.Errorf("%s: got %d exchanges, %v from %s", c.ID, len(back), faults, line)
					continue
				}
				if got, want := VerdictKey(back[0].Verdict), VerdictKey(j.Verdict); got != want && !(back[0].lacksBody() && !j.Verdict.Error.Fits) {
					t.Errorf("%s: got  %s\nwant %s", c.ID, got, want)
				}
				if o.Raw && back[0].Answer != nil && !bytes.Equal(back[0].Answer.Body, j.Answer.Body) {
					t.Errorf("%s: got body %q, want %q", c.ID, back[0].Answer.Body, j.Answer.Body)
				}
			}
		})
	}
}

func TestRecordsOfRealCaptures(t *testing.T) {
	valid := recordSchema(t)
	for name, want := range realVerdicts {
		if len(want.faults) > 0 {
			continue // an exchange whose body is lost is read back as one
		}
		_, judged, _ := judgeAll(t, name, Auto, file(t, name))
		lines := written(t, judged, LineOptions{})
		for line := range bytes.Lines(lines) {
			if err := valid(line); err != nil {
				t.Errorf("%s: %v\n%s", name, err, line)
			}
		}
		got, back, faults := judgeAll(t, "records", Record, lines)
		if strings.Join(got, "\n") != strings.Join(want.lines, "\n") || len(faults) > 0 {
			t.Errorf("%s: got %s, %v, want %s", name, got, faults, want.lines)
		}
		for i := range back {
			if got, want := back[i].Step.Origin, judged[i].Step.Origin; got != want {
				t.Errorf("%s, %d: got origin %s, want %s", name, i, got, want)
			}
			if got, want := back[i].Started, judged[i].Started; !got.Equal(want) {
				t.Errorf("%s, %d: got start %s, want %s", name, i, got, want)
			}
		}
	}
}

func TestRecordOfALongBody(t *testing.T) {
	x := Exchange{ID: "1", RPC: Message{Kind: Call, ID: classifier.IntID(1)}, Started: time.Unix(1700000000, 0)}
	x.Answer = &Answer{Status: 200, Headers: corpus.Headers{{Name: "Content-Type", Value: "text/event-stream"}},
		Body: []byte("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],\"x\":\"" + strings.Repeat("a", 5000) + "\"}}\n\n")}
	j := Judge(x)
	j.Settle(Step{Attempt: 1})
	line := written(t, []Judged{j}, LineOptions{BodyLimit: 1000})
	if len(line) > 3000 {
		t.Errorf("got a line of %d bytes", len(line))
	}
	_, back, _ := judgeAll(t, "r", Record, line)
	lost := back[0].Answer.Lost
	if lost.Size != int64(len(x.Answer.Body)) || len(lost.SHA256) != 64 || len(lost.Head) != HeadSize || back[0].Verdict.Outcome != classifier.ToolSuccess {
		t.Errorf("got %+v, %s", lost, back[0].Verdict.Outcome)
	}
}

func TestRecordsThatAreNone(t *testing.T) {
	j := Judge(FromCase(corpus.All()[0]))
	j.Settle(Step{Attempt: 1})
	good := string(written(t, []Judged{j}, LineOptions{}))
	for name, test := range map[string]struct{ text, want string }{
		"half a line":         {good + good[:40], "r: line 2: half a record, with which the file ends"},
		"half a word":         {good + good[:4], "r: line 2: half a record, with which the file ends"},
		"another last line":   {good + "POST /mcp", "r: line 2: no record"},
		"another format":      {`{"format":"replyproof-record/2"}` + "\n" + good, `r: line 1: the format is "replyproof-record/2"`},
		"neither nor":         {`{"format":"replyproof-record/1","kind":"call","rpc":{"id":1}}` + "\n" + good, "line 1: neither answer nor ended is there"},
		"a call with no id":   {`{"format":"replyproof-record/1","kind":"call","rpc":{},"ended":"reset"}` + "\n" + good, "line 1: rpc.id is absent"},
		"an id that is none":  {`{"format":"replyproof-record/1","kind":"call","rpc":{"id":1.5},"ended":"reset"}` + "\n" + good, "line 1: rpc.id \"1.5\" is neither"},
		"a kind that is none": {`{"format":"replyproof-record/1","kind":"x","ended":"reset"}` + "\n" + good, `unknown kind of request "x"`},
	} {
		t.Run(name, func(t *testing.T) {
			lines, _, faults := judgeAll(t, "r", Record, []byte(test.text))
			if len(lines) != 1 || len(faults) != 1 || !strings.Contains(faults[0].Error(), test.want) {
				t.Errorf("got %v and %v, want one exchange and %q", lines, faults, test.want)
			}
		})
	}
}
