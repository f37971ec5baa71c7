package nightly

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/fuzz"
)

// Verdicts is what the two judges make of a failing input.
type Verdicts struct {
	Reading    string  `json:"reading"` // as what the input was judged
	Answer     string  `json:"answer"`  // as text
	Classifier Verdict `json:"classifier"`
	Model      Verdict `json:"model"`
	// Case is a proposed case of a corpus, with what the model says as the
	// expectation; without it NoCase says why.
	Case   json.RawMessage `json:"case,omitempty"`
	NoCase string          `json:"no_case,omitempty"`
}

// Verdict is one judge's, or why it gave none.
type Verdict struct {
	Outcome string `json:"outcome,omitempty"`
	Layer   string `json:"layer,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Fault   string `json:"fault,omitempty"`
}

// String is the verdict in a line.
func (v Verdict) String() string {
	if v.Fault != "" {
		return v.Fault
	}
	return fmt.Sprintf("%s (%s, %s)", v.Outcome, v.Layer, v.Reason)
}

const ownTargets = "github.com/replyproof/replyproof/fuzz"

// judgeLimit is how long a judge may take.
const judgeLimit = 5 * time.Second

// Judge lets classifier and model judge an input of a target: of replyproof's
// own targets the answer that the target makes of it, of any other the body of
// an answer, a stream if it looks like one.
func Judge(pkg, target string, data []byte) Verdicts {
	s, reading := sampleOf(pkg, target, data)
	v := Verdicts{Reading: reading, Answer: s.String()}
	v.Classifier, _ = verdict(s.Classify)
	model, expected := verdict(s.Model)
	v.Model = model
	if model.Fault != "" {
		v.NoCase = "the model gives no verdict"
		return v
	}
	c := s.Case()
	sum := sha256.Sum256([]byte(s.String()))
	c.ID = "nightly/" + kebab(target) + "-" + hex.EncodeToString(sum[:4])
	c.Why = fmt.Sprintf("Found by %s. To be decided: what is expected is the model's verdict.", target)
	c.Source, c.Tags = "nightly", []string{"nightly"}
	c = c.Expecting(expected)
	text, err := c.AppendJSON(nil)
	if err = errors.Join(err, c.Check()); err != nil {
		v.NoCase = err.Error()
		return v
	}
	v.Case = text
	return v
}

func sampleOf(pkg, target string, data []byte) (fuzz.Sample, string) {
	if pkg == ownTargets {
		for _, t := range fuzz.Targets() {
			if t.Name == target {
				return t.Sample(data), "the answer that " + target + " makes of it"
			}
		}
	}
	s := fuzz.ParseSample([]byte("200\n\n"))
	s.Answer.Body = data
	for _, start := range []string{"data:", "event:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(data, []byte(start)) {
			s.Answer.Header.Set("Content-Type", "text/event-stream")
			return s, "an event stream with status 200, for id 1"
		}
	}
	s.Answer.Header.Set("Content-Type", "application/json")
	return s, "the body of a JSON answer with status 200, for id 1"
}

// verdict is what judge says, as it is told and as it was given, if it says it in
// time.
func verdict(judge func() classifier.Verdict) (Verdict, classifier.Verdict) {
	type saying struct {
		told  Verdict
		given classifier.Verdict
	}
	said := make(chan saying, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				said <- saying{told: Verdict{Fault: fmt.Sprintf("panics: %v", fault)}}
			}
		}()
		got := judge()
		said <- saying{Verdict{Outcome: got.Outcome.String(), Layer: got.Layer.String(), Reason: got.Reason.String()}, got}
	}()
	select {
	case s := <-said:
		return s.told, s.given
	case <-time.After(judgeLimit):
		return Verdict{Fault: fmt.Sprintf("gives no verdict within %s", judgeLimit)}, classifier.Verdict{}
	}
}

// kebab is a name such as FuzzRetryAfter as words of a case's id.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range strings.TrimPrefix(name, "Fuzz") {
		switch {
		case unicode.IsUpper(r) && i > 0:
			b.WriteString("-" + strings.ToLower(string(r)))
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteString(strings.ToLower(string(r)))
		}
	}
	if text := strings.Trim(b.String(), "-"); text != "" {
		return text
	}
	return "target"
}

// CaseFile is a corpus file with the proposed case, which is an error if it cannot
// be read.
func (v Verdicts) CaseFile() ([]byte, error) {
	var c corpus.Case
	if err := json.Unmarshal(v.Case, &c); err != nil {
		return nil, fmt.Errorf("write the proposed case: %w", err)
	}
	return corpus.AppendFile(nil, "nightly", []corpus.Case{c})
}
