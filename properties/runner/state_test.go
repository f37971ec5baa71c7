package runner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// faulty is a subject that errs in several ways, some of them with the corpus.
func faulty() func() subject.Subject {
	return judged(func(c corpus.Case, right subject.Observation) subject.Observation {
		switch {
		case c.Status == nil:
		case *c.Status == 511 || *c.Status == 302:
			return as("TOOL_SUCCESS")
		case right.Saw == "TOOL_ERROR":
			return as("TOOL_SUCCESS")
		case strings.Contains(string(c.Body), `"resultType":null`):
			return subject.Observation{Fate: subject.Crashed, Text: "dead \xff", Stderr: "trace"}
		case len(c.Body) > 200 && len(c.Body)%7 == 0:
			return as("HTTP_ERROR")
		}
		return right
	})
}

// A run that ends anywhere and is gone on with, from the text of its state, comes
// to what one run comes to, to the byte.
func TestResumeIsOneRun(t *testing.T) {
	t.Parallel()
	known := &runner.Baseline{Entries: []runner.Entry{
		{Case: "success +status=511", Saw: "TOOL_SUCCESS", Reason: "known"},
		{Case: "success +status-redirect=307", Saw: "TOOL_SUCCESS", Reason: "no more"},
		{Case: "article/tool-is-error", Saw: "TOOL_SUCCESS", Reason: "known"},
	}}
	for _, test := range []struct {
		name    string
		options runner.Options
	}{
		{"steered", runner.Options{Corpus: corpus.All()[:200], Singles: true, Random: 2000, Seed: 7, Steer: true, MaxCauses: 20}},
		{"as it comes, with a baseline", runner.Options{Corpus: corpus.All(), Random: 2000, Seed: 7, Baseline: known, MaxCauses: 6}},
		{"steered, with a baseline", runner.Options{Corpus: corpus.All()[:40], Random: 2000, Seed: 7, Steer: true, Baseline: known}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := test.options
			o.Today = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			whole := run(t, faulty(), o)
			want := told(t, whole)
			if len(whole.Causes) < 4 || whole.Passed == 0 {
				t.Fatalf("got %d causes, %+v; want a run that finds something", len(whole.Causes), whole.Counts)
			}
			var states []string
			o.Save = func(s *runner.State) error {
				text, err := json.Marshal(s)
				states = append(states, string(text))
				return err
			}
			if got := told(t, run(t, faulty(), o)); got != want {
				t.Fatal("a run whose state is saved comes to something else")
			}
			o.Save = nil
			if len(states) < 50 {
				t.Fatalf("got %d states, want one for each batch", len(states))
			}
			for i := 0; i < len(states); i += 1 + len(states)/4 {
				var s runner.State
				if err := json.Unmarshal([]byte(states[i]), &s); err != nil {
					t.Fatal(err)
				}
				o.Resume = &s
				if got := told(t, run(t, faulty(), o)); got != want {
					t.Errorf("from state %d of %d: got\n%.2000s\nwant\n%.2000s", i, len(states), got, want)
				}
			}
		})
	}
}

// told is all that a result holds, and the baseline that it makes.
func told(t *testing.T, r runner.Result) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "baseline.json")
	if err := r.Update(nil).WriteFile(name); err != nil {
		t.Fatal(err)
	}
	baseline, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + string(baseline)
}

// What another run left is not gone on with.
func TestResumeRefuses(t *testing.T) {
	t.Parallel()
	var last runner.State
	run(t, faulty(), runner.Options{Corpus: corpus.All()[:60], Singles: true, Random: 10, Save: func(s *runner.State) error { last = *s; return nil }})
	for _, test := range []struct {
		name string
		mend func(*runner.State)
		want string
	}{
		{"of another client", func(s *runner.State) { s.Subject = "other 2" }, "it was of other 2, and the subject is now tester 1"},
		{"of another catalogue", func(s *runner.State) { s.Round = []string{"success +no-such-fault"} }, "it is of another catalogue"},
		{"of fewer faults", func(s *runner.State) { s.Steering.Tried = s.Steering.Tried[:5] }, "catalogue of 5 faults"},
		{"of no search", func(s *runner.State) { s.Steering.Fresh = nil }, "not of the same faults"},
		{"of other deviating", func(s *runner.State) { s.Steering.Deviated = s.Steering.Deviated[:1] }, "not of the same faults"},
		{"that passes over what it did not do", func(s *runner.State) { s.Fixed = 1 << 30 }, "cases are passed over, and "},
		{"below zero", func(s *runner.State) { s.Used = -1 }, "below zero"},
		{"without its causes", func(s *runner.State) { s.Causes = nil }, "of 0"},
		{"of causes that are none", func(s *runner.State) { clear(s.Causes) }, "a cause has no deviation"},
	} {
		s := last
		s.Causes = slices.Clone(last.Causes)
		test.mend(&s)
		_, err := runner.Run(t.Context(), faulty(), runner.Options{Corpus: corpus.All()[:60], Singles: true, Random: 10, Resume: &s})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

// A state that cannot be kept ends the run, with what was found.
func TestSaveFails(t *testing.T) {
	t.Parallel()
	full := errors.New("no room")
	result, err := runner.Run(t.Context(), faulty(), runner.Options{Corpus: corpus.All(), Save: func(*runner.State) error { return full }})
	if !errors.Is(err, full) || result.Cases == 0 || !result.Interrupted {
		t.Errorf("got %v after %d cases, interrupted %t; want the error of Save", err, result.Cases, result.Interrupted)
	}
}

// Time that was used up by the run before is not had again.
func TestResumeHasNoMoreTime(t *testing.T) {
	t.Parallel()
	var last runner.State
	save := func(s *runner.State) error { last = *s; return nil }
	first := run(t, faulty(), runner.Options{Random: 500, Steer: true, Save: save})
	last.Used = time.Hour
	again := run(t, faulty(), runner.Options{Steer: true, For: time.Hour, Resume: &last, Save: save})
	if again.Cases != first.Cases || len(again.Causes) != len(first.Causes) || !again.Complete || last.Used < time.Hour {
		t.Errorf("got %d cases, %d causes, complete %t, used %s; want those of the first run, %d and %d",
			again.Cases, len(again.Causes), again.Complete, last.Used, first.Cases, len(first.Causes))
	}
}

// A long run holds no more than a short one: of deviations whose cause is known,
// and of those for which there is no room, only the number is kept, and of a call
// that is over nothing. What grows is what a baseline would name, a few bytes a
// case, up to a bound of its own.
func TestMemoryIsBounded(t *testing.T) { // not beside others, which would be counted too
	for _, test := range []struct {
		name         string
		open         func() subject.Subject
		first, cases int
	}{
		{"judge", faulty(), 20_000, 80_000},
		{"client", func() subject.Subject {
			about := subject.Info{Name: "careless"}
			about.Tells, _ = subject.ParseTells([]string{"SUCCESS", "ERROR"})
			return &subject.Client{About: about, Open: func() (subject.Caller, error) { return &careless{}, nil }}
		}, 1_000, 4_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			var early uint64
			heap := func() uint64 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			var last uint64
			result := run(t, test.open, runner.Options{Random: test.cases, Seed: 1, Steer: true, MaxCauses: 10, Deadline: 100 * time.Millisecond,
				Progress: func(n runner.Counts) {
					if early == 0 && n.Cases >= test.first {
						early = heap()
					}
					if n.Cases == test.cases {
						last = heap()
					}
				}})
			if result.Deviations() < test.cases/50 || result.Unkept == 0 || len(result.Causes) != 10 {
				t.Errorf("got %d causes, %+v; want many deviations, and more causes than are kept", len(result.Causes), result.Counts)
			}
			if most := early + 4<<20; last > most || last == 0 {
				t.Errorf("got %d bytes after %d cases and %d after %d, want at most %d", early, test.first, last, test.cases, most)
			}
			t.Logf("%d KiB after %d cases, %d KiB after %d", early>>10, test.first, last>>10, test.cases)
		})
	}
}

// careless takes every answer with a body for a success, and makes a connection
// for each call.
type careless struct{}

func (careless) Call(ctx context.Context, url, tool string, arguments map[string]any) subject.Observation {
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments}})
	if err != nil {
		return as("ERROR")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		return as("ERROR")
	}
	request.Close = true
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return as("ERROR")
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || len(body) == 0 {
		return as("ERROR")
	}
	return as("SUCCESS")
}

func (careless) Close() error { return nil }
