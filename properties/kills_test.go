package properties_test

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/broken"
	"github.com/replyproof/replyproof/properties/runner"
)

// Every broken judge that is in the table dies; those that say nothing but what
// a third party may say die by the law itself.
func TestBrokenJudgesDie(t *testing.T) {
	t.Parallel()
	for _, judge := range broken.All() {
		options := []properties.Option{properties.First(), properties.Notifications(judge.Notification),
			properties.NoAnswers(judge.NoAnswer), properties.Only(properties.ByConstruction), properties.Cases(100000)}
		if judge.Tolerated {
			options = append(options, properties.Strict())
		}
		if err := properties.CheckClassifier(judge.Classify, options...); !failed(err) {
			t.Errorf("%s survives: %s (%v)", judge.Name, judge.Doc, err)
		}
	}
}

// odd are judges with faults that the table of broken judges has no place for:
// of the function and not of its rules.
var odd = map[string]properties.Judge{
	"foreign-headers": func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		if a.Header.Get("Retry-After") != "" {
			a.Status = http.StatusServiceUnavailable
		}
		return classifier.Classify(call, a)
	},
	"layer": func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		v := classifier.Classify(call, a)
		if v.Outcome == classifier.InvalidToolResult {
			v.Layer = classifier.Application
		}
		return v
	},
	"input-kept": func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		v := classifier.Classify(call, a)
		copy(a.Body, bytes.TrimSpace(a.Body))
		return v
	},
	"member-order": func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		v := classifier.Classify(call, a)
		if id := bytes.Index(a.Body, []byte(`"id"`)); v.Outcome == classifier.ToolSuccess && id > bytes.Index(a.Body, []byte(`"content"`)) {
			v.Outcome = classifier.InvalidEnvelope
		}
		return v
	},
	"is-error-absent": func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		v := classifier.Classify(call, a)
		if v.Outcome == classifier.ToolSuccess && !bytes.Contains(a.Body, []byte("isError")) {
			v.Outcome = classifier.InvalidToolResult
		}
		return v
	},
}

// Each relation alone, with by-construction switched off, finds the broken
// judges that it names.
func TestRelationsKill(t *testing.T) {
	t.Parallel()
	for _, p := range properties.All() {
		if p.Name == properties.ByConstruction {
			continue
		}
		for _, name := range p.Kills {
			judge, ok := broken.ByName(name)
			if !ok {
				t.Errorf("%s kills %s, which is no broken judge", p.Name, name)
				continue
			}
			err := properties.CheckClassifier(judge.Classify, properties.Only(p.Name), properties.First())
			if !failed(err) {
				t.Errorf("%s does not kill %s (%s): %v", p.Name, name, judge.Doc, err)
			}
		}
		if fn := odd[p.Name]; fn != nil {
			if err := properties.CheckClassifier(fn, properties.Only(p.Name), properties.First()); !failed(err) {
				t.Errorf("%s does not kill its odd judge: %v", p.Name, err)
			}
		}
		if len(p.Kills) == 0 && odd[p.Name] == nil && !special[p.Name] {
			t.Errorf("%s kills no judge that this test knows", p.Name)
		}
	}
}

// special are the properties with a test of their own below.
var special = map[string]bool{"repeatable": true, "chunking": true, "advice-not-automatic": true}

func TestRepeatableKills(t *testing.T) {
	calls := 0
	fn := func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		if calls++; calls%5 == 0 {
			a.Body = nil
		}
		return classifier.Classify(call, a)
	}
	if err := properties.CheckClassifier(fn, properties.Only("repeatable"), properties.First()); !failed(err) {
		t.Errorf("got %v", err)
	}
}

func TestChunkingKills(t *testing.T) {
	for name, fn := range map[string]properties.StreamJudge{
		"a CR and an LF in two reads end two lines": func(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict {
			body := a.Body
			for _, at := range splits {
				if body[at-1] == '\r' && body[at] == '\n' {
					a.Body = append(append(append([]byte(nil), body[:at]...), '\r'), body[at:]...)
				}
			}
			return classifier.Classify(call, a)
		},
		"every read is text of its own": func(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict {
			var text []byte
			from := 0
			for _, to := range append(splits, len(a.Body)) {
				text = append(text, strings.ToValidUTF8(string(a.Body[from:to]), "\"")...)
				from = to
			}
			a.Body = text
			return classifier.Classify(call, a)
		},
		"the first read is all": func(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict {
			if len(splits) > 0 {
				a.Body = a.Body[:splits[0]]
			}
			return classifier.Classify(call, a)
		},
	} {
		err := properties.CheckClassifier(classifier.Classify, properties.Only("chunking"), properties.Stream(fn), properties.Corpus(), properties.First())
		if !failed(err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestAdviceKills(t *testing.T) {
	advise := func(v classifier.Verdict, f classifier.Facts) classifier.Advice {
		if v.Outcome == classifier.HTTPError && v.Status == 503 {
			return classifier.Advice{Action: classifier.WaitAndRetry}
		}
		return classifier.Advise(v, f)
	}
	err := properties.CheckClassifier(classifier.Classify, properties.Only("advice-not-automatic"), properties.Advice(advise), properties.First())
	var f *properties.Failures
	if !errors.As(err, &f) || f.List[0].Deviation != runner.RepeatedCall {
		t.Errorf("got %v", err)
	}
}
