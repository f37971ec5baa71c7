package properties_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
	"github.com/replyproof/replyproof/generators"
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

// options are those of a habit: how it is fed, and what it advises.
func options(h broken.Habit) (all []properties.Option) {
	if h.Stream != nil {
		all = append(all, properties.Stream(h.Stream))
	}
	if h.Advise != nil {
		all = append(all, properties.Advice(h.Advise))
	}
	return all
}

// Each relation kills at least one of the broken judges and habits, and alone,
// with by-construction switched off, those that it names.
func TestRelationsKill(t *testing.T) {
	t.Parallel()
	named := map[string]bool{}
	for _, p := range properties.All() {
		if p.Name == properties.ByConstruction {
			continue
		}
		if len(p.Kills) == 0 {
			t.Errorf("%s kills none", p.Name)
		}
		for _, name := range p.Kills {
			alone := []properties.Option{properties.Only(p.Name), properties.First()}
			judge, ok := broken.ByName(name)
			fn, doc := judge.Classify, judge.Doc
			if habit, is := broken.HabitByName(name); is {
				if ok {
					t.Errorf("%s is both a judge and a habit", name)
				}
				ok, fn, doc, alone = true, habit.Classify, habit.Doc, append(alone, options(habit)...)
				named[name] = true
			}
			if !ok {
				t.Errorf("%s kills %s, which is neither a broken judge nor a habit", p.Name, name)
				continue
			}
			if err := properties.CheckClassifier(fn, alone...); !failed(err) {
				t.Errorf("%s does not kill %s (%s): %v", p.Name, name, doc, err)
			}
		}
	}
	for _, h := range broken.Habits() {
		if !named[h.Name] {
			t.Errorf("no relation names %s (%s)", h.Name, h.Doc)
		}
	}
}

// On random cases each habit says almost always what the sound judge says, so that
// it proves something. A fault that no outcome shows is counted by the relation
// that sees it. No two are seen in the same cases.
func TestHabitsErrRarely(t *testing.T) {
	t.Parallel()
	const (
		sample = 4000
		most   = sample / 20
	)
	catalogue := generators.Default()
	source := generators.NewPlain(2)
	recipes := make([]generators.Recipe, sample)
	for i := range recipes {
		recipes[i] = catalogue.Build(source)
	}
	same := map[string]string{}
	for _, p := range properties.All() {
		for _, name := range p.Kills {
			h, ok := broken.HabitByName(name)
			if !ok {
				continue
			}
			setup, err := properties.NewSetup(h.Classify, append(options(h), properties.Only(p.Name))...)
			if err != nil {
				t.Fatal(err)
			}
			seen, errs := 0, 0
			cases := ""
			for i, r := range recipes {
				if f, _ := setup.Try(p, r, uint64(i)); f != nil {
					seen++
					cases += fmt.Sprint(i, " ")
				}
				c := catalogue.Render(r)
				if c.Status == nil || c.Notification {
					continue
				}
				call := classifier.Call{ID: c.RequestID}
				if want, got := (model.Judge{}).Classify(call, c.Answer()), h.Classify(call, c.Answer()); got.Outcome != want.Outcome {
					errs++
				}
			}
			wrong := errs
			if errs == 0 {
				wrong = seen
			}
			if seen == 0 || wrong > most {
				t.Errorf("%s: %s sees it in %d of %d random cases, and it is wrong in %d, want it seen, and wrong in at most %d", name, p.Name, seen, sample, wrong, most)
			}
			if other, ok := same[cases]; ok {
				t.Errorf("%s and %s are seen in the same cases", name, other)
			}
			same[cases] = name
		}
	}
}

// Further faults of judges that are fed, which show too often for a table.
func TestChunkingKills(t *testing.T) {
	for name, fn := range map[string]properties.StreamJudge{
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

// What is advised is told as what it leads to.
func TestAdviceIsARepeatedCall(t *testing.T) {
	habit, _ := broken.HabitByName("unavailable-sent-again")
	err := properties.CheckClassifier(habit.Classify, append(options(habit), properties.Only("advice-not-automatic"), properties.First())...)
	var f *properties.Failures
	if !errors.As(err, &f) || f.List[0].Deviation != runner.RepeatedCall {
		t.Errorf("got %v", err)
	}
}
