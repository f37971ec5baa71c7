package cases

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

func one(id string) corpus.Case {
	return corpus.Case{ID: id, Why: "For the test.", RequestID: classifier.IntID(1), Status: new(503)}
}

func TestAdd(t *testing.T) {
	for _, name := range []string{"My Cases.json", "mine.jsonl", "not/there yet/mine.json"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			f, err := OpenFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Add(one("my-cases/a")); err != nil {
				t.Fatal(err)
			}
			if err := f.Add(one("my-cases/b")); err != nil {
				t.Fatal(err)
			}
			again, err := OpenFile(path)
			if err != nil || len(again.Cases) != 2 || again.Cases[1].ID != "my-cases/b" {
				t.Errorf("got %+v, %v, want two cases", again, err)
			}
			if err := f.Add(corpus.Case{ID: "x"}); err == nil {
				t.Error("a case that is wrong is added")
			}
			// Someone else adds a case between reading and writing.
			if err := again.Add(one("my-cases/c")); err != nil {
				t.Fatal(err)
			}
			if err := f.Add(one("my-cases/d")); err == nil || !strings.Contains(err.Error(), "was changed by someone else") {
				t.Errorf("got %v, want that the file was changed", err)
			}
		})
	}
}

func TestOpenFileKeepsTheGroup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	if err := corpus.WriteFile(path, "field", []corpus.Case{one("field/a")}); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFile(path)
	if err != nil || f.Group != "field" {
		t.Errorf("got group %q, %v, want field", f.Group, err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFile(path); err == nil {
		t.Error("a file that is none is read")
	}
}

func TestSuggest(t *testing.T) {
	f := File{Group: "field"}
	call := classifier.Call{ID: classifier.IntID(1)}
	header := map[string][]string{"Content-Type": {"application/json"}}
	for _, test := range []struct {
		answer classifier.Answer
		want   string
	}{
		{classifier.Answer{Status: 503}, "field/http-status-503"},
		{classifier.Answer{Status: 200, Header: header, Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":""}}`)}, "field/rpc-error-32602"},
		{classifier.Answer{Status: 200, Header: header, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)}, "field/tool-success-result-type-missing"},
	} {
		v := classifier.Classify(call, test.answer)
		if got := f.Suggest(v, func(string) bool { return false }); got != test.want || !corpus.ValidID(got) {
			t.Errorf("got %s, want %s", got, test.want)
		}
		if got := f.Suggest(v, func(id string) bool { return !strings.HasSuffix(id, "-3") }); got != test.want+"-3" {
			t.Errorf("got %s, want %s-3", got, test.want)
		}
	}
}

func TestWireKey(t *testing.T) {
	base := func() corpus.Case {
		c := one("x/a")
		c.Headers = corpus.Headers{{Name: "A", Value: "1"}, {Name: "b", Value: "2"}}
		c.Body = []byte("abc")
		return c
	}
	for name, test := range map[string]struct {
		change func(*corpus.Case)
		same   bool
	}{
		"another id and why":       {func(c *corpus.Case) { c.ID, c.Why = "x/b", "Else." }, true},
		"order of fields":          {func(c *corpus.Case) { c.Headers = corpus.Headers{{Name: "B", Value: "2"}, {Name: "a", Value: "1 "}} }, true},
		"pace":                     {func(c *corpus.Case) { c.ChunkSplits, c.DelayMS = []int{1}, 7 }, true},
		"a cut that is none":       {func(c *corpus.Case) { c.CutAfter = new(3) }, true},
		"the same cut":             {func(c *corpus.Case) { c.Body, c.CutAfter = []byte("abcdef"), new(3) }, false},
		"another body":             {func(c *corpus.Case) { c.Body = []byte("abd") }, false},
		"another status":           {func(c *corpus.Case) { c.Status = new(502) }, false},
		"another request":          {func(c *corpus.Case) { c.RequestID = classifier.IntID(2) }, false},
		"another field":            {func(c *corpus.Case) { c.Headers = c.Headers[:1] }, false},
		"another end":              {func(c *corpus.Case) { c.Ended = new(classifier.EndedDeadline) }, false},
		"an exchange that follows": {func(c *corpus.Case) { c.Then = []corpus.Case{{Status: new(200)}} }, false},
	} {
		changed := base()
		test.change(&changed)
		if got := WireKey(changed) == WireKey(base()); got != test.same {
			t.Errorf("%s: got same %v, want %v", name, got, test.same)
		}
	}
}
