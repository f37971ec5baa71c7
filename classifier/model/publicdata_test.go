package model_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
)

// publicData is the folder of public test data, which is not part of the repository.
func publicData(t *testing.T) string {
	dir := os.Getenv("REPLYPROOF_DATA")
	if dir == "" {
		t.Skip("REPLYPROOF_DATA names no folder: git clone github.com/nst/JSONTestSuite and github.com/dvyukov/go-fuzz-corpus into one, as json-test-suite and go-fuzz-corpus")
	}
	return dir
}

// The verdicts of the field reports, and that classifier and model agree on all of each.
func TestFieldReports(t *testing.T) {
	file, err := os.Open(filepath.Join(publicData(t), "field-reports.jsonl"))
	if os.IsNotExist(err) {
		t.Log("no field-reports.jsonl there; the reports stand in the corpus as field/…, which its own test judges")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	count := 0
	for lines.Scan() {
		var report struct {
			ID         string
			RequestID  json.RawMessage `json:"request_id"`
			Status     int
			Headers    map[string]string
			Body       string
			BodyBase64 []byte `json:"body_base64"`
			CutAfter   *int   `json:"cut_after"`
			Expect     struct{ Outcome string }
		}
		if err := json.Unmarshal(lines.Bytes(), &report); err != nil {
			t.Fatal(err)
		}
		count++
		a := classifier.Answer{Status: report.Status, Header: http.Header{}, Body: append([]byte(report.Body), report.BodyBase64...)}
		for name, value := range report.Headers {
			a.Header.Set(name, value)
		}
		if report.CutAfter != nil && *report.CutAfter < len(a.Body) {
			a.Body, a.Ended = a.Body[:*report.CutAfter], classifier.EndedReset
		}
		var call classifier.Call
		var text string
		var number int64
		if json.Unmarshal(report.RequestID, &text) == nil {
			call.ID = classifier.StringID(text)
		} else if err := json.Unmarshal(report.RequestID, &number); err == nil {
			call.ID = classifier.IntID(number)
		} else {
			t.Fatal(err)
		}
		v := sound.Classify(call, a)
		if v.Outcome.String() != report.Expect.Outcome {
			t.Errorf("%s: got %v %v, want %s", report.ID, v.Outcome, v.Reason, report.Expect.Outcome)
		}
		if diff := model.Diff(classifier.Classify(call, a), v); diff != "" {
			t.Errorf("%s: classifier, not model:\n%s", report.ID, diff)
		}
	}
	if count == 0 || lines.Err() != nil {
		t.Errorf("read %d field reports, %v", count, lines.Err())
	}
}

// Every text of the public suites, as a body, as a string's content and as event data.
func TestPublicTexts(t *testing.T) {
	count := 0
	err := filepath.WalkDir(publicData(t), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, ".jsonl") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		count++
		inResult := `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":` + string(data) + `}}`
		for _, a := range []classifier.Answer{
			jsonAnswer(string(data)), streamAnswer(string(data)),
			jsonAnswer(inResult), streamAnswer("data: " + strings.ReplaceAll(inResult, "\n", "\ndata: ") + "\n\n"),
		} {
			got, want := classifier.Classify(one, a), sound.Classify(one, a)
			if diff := model.Diff(got, want); diff != "" {
				t.Errorf("%s: classifier, not model:\n%s", path, diff)
			}
		}
		name := filepath.Base(path)
		if v := sound.Classify(one, jsonAnswer(string(data))); strings.Contains(path, "test_parsing") {
			if strings.HasPrefix(name, "y_") && v.Outcome == classifier.MalformedJSON || strings.HasPrefix(name, "n_") && v.Outcome != classifier.MalformedJSON {
				t.Errorf("%s: got %v", path, v.Outcome)
			}
		}
		return nil
	})
	if err != nil || count == 0 {
		t.Errorf("read %d texts, %v", count, err)
	}
}

// No depth, and no length of a number, is too much.
func TestNoLimits(t *testing.T) {
	const levels = 20 << 20
	v := model.Judge{}.Classify(one, classifier.Answer{Status: 200, Body: bytes.Repeat([]byte("["), levels)})
	if v.Reason != classifier.ReasonJSONSyntax || v.SyntaxOffset != levels {
		t.Errorf("20 MB of brackets: got %v at %d", v.Reason, v.SyntaxOffset)
	}
	deep := strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20)
	if got := names(model.Judge{}.Classify(one, jsonAnswer(deep))); got != "INVALID_ENVELOPE not-object deep-nesting" {
		t.Errorf("a million levels: got %s", got)
	}
	digits := strings.Repeat("1", 1<<20)
	v = model.Judge{}.Classify(one, jsonAnswer(`{"jsonrpc":"2.0","id":1,"error":{"code":1e`+digits+`,"message":""}}`))
	if v.Outcome != classifier.JSONRPCError || v.Error.Fits {
		t.Errorf("an exponent of a million digits: got %v, fits %v", v.Outcome, v.Error.Fits)
	}
}
