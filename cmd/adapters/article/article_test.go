package article_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/subject"
)

func node(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("node")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("node is not installed; the article's decision is written in JavaScript")
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOwnTestsOfTheAdapter(t *testing.T) {
	if out, err := exec.Command(node(t), "--test").CombinedOutput(); err != nil {
		t.Errorf("node --test: %v\n%s", err, out)
	}
}

// For every status and body with no header that arrived whole, the classifier's
// verdict is the article's, strictly, but for what rules 3, 7 and 8 except.
func TestClassifierIsTheArticles(t *testing.T) {
	p := &subject.Process{Command: []string{node(t), "adapter.mjs"}}
	defer p.Close()
	ctx := context.Background()
	if _, err := p.Start(ctx, 30*time.Second); err != nil {
		t.Fatal(err)
	}
	judged := map[string]int{}
	compare := func(c corpus.Case) {
		if c.Status == nil || c.Notification || c.Answer().Ended != classifier.EndedEOF {
			return
		}
		bare := corpus.Case{ID: c.ID, RequestID: c.RequestID, Status: c.Status, Body: c.Body}
		v := bare.Classify()
		got, err := p.Ask(ctx, subject.Trial{Case: bare})
		switch {
		case err != nil:
			t.Fatalf("%s: %v", c.ID, err)
		case got.Fate != subject.Answered:
			t.Fatalf("%s: the adapter did not answer: %+v", c.ID, got)
		case got.Saw == v.Outcome.String():
			judged["same"]++
		case v.Reason == classifier.ReasonNoBody && got.Saw == "MALFORMED_JSON":
			judged["rule 3"]++
		case roundedToAgree(bare, v, got.Saw):
			judged["rules 7 and 8"]++
		default:
			t.Errorf("%s: the article says %s, the classifier %v (%v): %q", c.ID, got.Saw, v.Outcome, v.Reason, bare.Body)
		}
	}
	for _, c := range corpus.All() {
		compare(c)
	}
	catalogue := generators.Default()
	for r := range catalogue.Singles() {
		if c := catalogue.Render(r); len(c.Body) < 4<<10 {
			compare(c)
		}
	}
	source := generators.NewPlain(1)
	for range 10_000 {
		compare(catalogue.Render(catalogue.Build(source)))
	}
	if judged["same"] < 20_000 || judged["rule 3"] == 0 || judged["rules 7 and 8"] == 0 {
		t.Errorf("got %v, want at least 20,000 that are the same and some of each exception", judged)
	}
	t.Logf("%v", judged)
}

// roundedToAgree tells whether JavaScript's doubles explain that the article
// sees another outcome: an id or a code that is exact only beyond them.
func roundedToAgree(c corpus.Case, v classifier.Verdict, saw string) bool {
	switch v.Reason {
	case classifier.ReasonIDMismatch:
		id, err := strconv.ParseFloat(string(v.ID), 64)
		want, isNumber := c.RequestID.Int()
		return err == nil && isNumber && id == float64(want)
	case classifier.ReasonErrorCode:
		code, err := errorCode(c.Answer().Body)
		return saw == "JSONRPC_ERROR" && err == nil && code == math.Trunc(code) && !math.IsInf(code, 0)
	case classifier.ReasonRPCError:
		code, _ := errorCode(c.Answer().Body)
		return saw == "INVALID_ENVELOPE" && math.IsInf(code, 0)
	}
	return false
}

// errorCode is the error's code as a double; infinite, with an error, beyond it.
func errorCode(body []byte) (float64, error) {
	var envelope struct {
		Error struct{ Code json.Number }
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return 0, err
	}
	return strconv.ParseFloat(envelope.Error.Code.String(), 64)
}
