package corpus_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

func TestReadLines(t *testing.T) {
	t.Parallel()
	input := "\xEF\xBB\xBF" + strings.Join([]string{
		`{"status":200}`,
		``,
		`{"status":null,"id":"Any id","time":"12:00","headers":[["a","b"]],"request_id":"x"}`,
		`{"id":"no-status"}`,
		`{"status":"200","body":5}`,
		`{"status":200`,
		`{"status":200,"body":"` + strings.Repeat("x", 100) + `"}`,
		"{\"status\":200,\"body\":\"\xff\"}",
		`{"status":202,"notification":true}`,
		`[]`,
		`{"status":503,"expect":{"layer":"transport","outcome":"HTTP_ERROR","note":"kept by others"}}`,
	}, "\r\n")
	var got []string
	for c, err := range corpus.ReadLines(strings.NewReader(input), corpus.LineOptions{Name: "log", DefaultID: classifier.IntID(1), MaxLine: 110}) {
		if err != nil {
			got = append(got, strings.Split(err.Error(), "\n")...)
			continue
		}
		status := "none"
		if c.Status != nil {
			status = "some"
		}
		got = append(got, c.ID+" "+status+" "+c.RequestID.String())
	}
	want := []string{
		`line-1 some 1`,
		`Any id none "x"`,
		`corpus: log:4: no-status: key "status": is absent`,
		`corpus: log:5: key "status": must be an integer`,
		`corpus: log:5: key "body": must be a string`,
		`corpus: log:6: column 14: not JSON`,
		`corpus: log:7: the line is longer than 110 bytes`,
		`corpus: log:8: column 23: not UTF-8`,
		`line-9 some 0`,
		`corpus: log:10: must be an object`,
		`line-11 some 1`,
	}
	for i := range want {
		if i >= len(got) || !strings.HasPrefix(got[i], want[i]) {
			t.Fatalf("got %s\nwant entry %d to begin with %s", strings.Join(got, "\n"), i, want[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d entries, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
}

func TestReadLinesStopsWhenAsked(t *testing.T) {
	t.Parallel()
	for _, input := range []string{"{\"status\":1}\n{\"status\":2}\n", "x\ny\n", strings.Repeat("x", 99) + "\n{\"status\":2}\n"} {
		n := 0
		for range corpus.ReadLines(strings.NewReader(input), corpus.LineOptions{MaxLine: 50}) {
			n++
			break
		}
		if n != 1 {
			t.Errorf("got %d entries after a break, want 1", n)
		}
	}
}

func TestReadLinesTellsAReaderThatFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken disk")
	input := io.MultiReader(strings.NewReader("{\"status\":1}\n{\"sta"), iotest.ErrReader(broken))
	var errs []error
	n := 0
	for _, err := range corpus.ReadLines(input, corpus.LineOptions{}) {
		n++
		if err != nil {
			errs = append(errs, err)
		}
	}
	var fault *corpus.Error
	if n != 2 || len(errs) != 1 || !errors.Is(errs[0], broken) || errors.As(errs[0], &fault) {
		t.Errorf("got %d entries and %v, want a case and then the reader's error, which is no *Error", n, errs)
	}
}

// A line that is not held in memory may be longer than the buffer.
func TestReadLinesWithLongLines(t *testing.T) {
	t.Parallel()
	long := `{"status":200,"body":"` + strings.Repeat("x", 200_000) + `"}`
	var sizes []int
	for c, err := range corpus.ReadLines(iotest.HalfReader(strings.NewReader(long+"\n"+long)), corpus.LineOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(c.Body))
	}
	if !slices.Equal(sizes, []int{200_000, 200_000}) {
		t.Errorf("got bodies of %v bytes, want two of 200000", sizes)
	}
	n := 0
	for _, err := range corpus.ReadLines(strings.NewReader(long), corpus.LineOptions{MaxLine: 100_000}) {
		if n++; err == nil {
			t.Error("got a case from a last line that is too long")
		}
	}
	if n != 1 {
		t.Errorf("got %d entries, want 1", n)
	}
}

func TestWriteLines(t *testing.T) {
	t.Parallel()
	all := corpus.All()
	var out bytes.Buffer
	if err := corpus.WriteLines(&out, slices.Values(all)); err != nil {
		t.Fatal(err)
	}
	back, err := corpus.Parse("all.jsonl", out.Bytes())
	if err != nil || len(back) != len(all) {
		t.Fatalf("got %d cases, %v, want %d", len(back), err, len(all))
	}
	if err := corpus.WriteLines(&out, slices.Values([]corpus.Case{{Why: "\xff"}})); err == nil {
		t.Error("got no error for a why that is not UTF-8")
	}
	failing := iotest.TruncateWriter(io.Discard, 0)
	if err := corpus.WriteLines(failing, slices.Values(all[:1])); err != nil {
		t.Errorf("got %v from a writer that does not fail", err)
	}
}

// TestErrorsShowAnExcerpt: a value that is wrong may be a whole body, with secrets
// in it; of it an error shows how it begins, beside file, line and key.
func TestErrorsShowAnExcerpt(t *testing.T) {
	const head = `{"format":"replyproof-cases/1","group":"a","cases":[` + "\n"
	long := strings.Repeat("x", 500) + "secret"
	whole := func(id, expect string) string {
		return `{"id":"` + id + `","why":"w","rule":"1","request_id":1,"status":503,"headers":{},"body":"","expect":` + expect + `}`
	}
	right := `{"layer":"transport","outcome":"HTTP_ERROR"}`
	for key, text := range map[string]string{
		"id":              whole("B "+long, right),
		"outcome":         whole("a/b", `{"layer":"transport","outcome":"`+long+`"}`),
		"layer":           whole("a/b", `{"layer":"`+long+`","outcome":"HTTP_ERROR"}`),
		"reason":          whole("a/b", `{"layer":"transport","outcome":"HTTP_ERROR","reason":"`+long+`"}`),
		"findings":        whole("a/b", `{"layer":"transport","outcome":"HTTP_ERROR","findings":["`+long+`"]}`),
		"advice":          whole("a/b", `{"layer":"transport","outcome":"HTTP_ERROR","advice":"`+long+`"}`),
		"code":            whole("a/b", `{"layer":"transport","outcome":"HTTP_ERROR","code":"`+long+`"}`),
		"ended":           strings.Replace(whole("a/b", right), `"body":""`, `"ended":"`+long+`"`, 1),
		"also_acceptable": strings.Replace(whole("a/b", right), `"body":""`, `"also_acceptable":["`+long+`"]`, 1),
		"headers":         strings.Replace(whole("a/b", right), `"headers":{}`, `"headers":{"a `+long+`":"b"}`, 1),
		"status":          strings.Replace(whole("a/b", right), "503", `"`+long+`"`, 1),
		"x":               strings.Replace(whole("a/b", right), `"body":""`, `"`+long+`":1`, 1),
	} {
		_, err := corpus.Load(fstest.MapFS{"my.json": {Data: []byte(head + text + "]}")}}, "my.json")
		if err == nil {
			t.Errorf("%s: got no error", key)
			continue
		}
		for _, line := range strings.Split(err.Error(), "\n") {
			if strings.Contains(line, "secret") || len(line) > 600 || !strings.HasPrefix(line, "corpus: my.json:2: ") || !strings.Contains(line, "key \"") || !strings.Contains(line, key) {
				t.Errorf("%s: got %s", key, line)
			}
		}
	}
}
