package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
)

// post is a POST of a call as a timeline sees it.
type post struct {
	id        int64
	arguments string
	at, took  time.Duration // -1: no times are known
	status    int           // 0: no answer
	outcome   classifier.Outcome
	continues bool
}

func (p post) judged() Judged {
	j := Judged{Exchange: Exchange{RPC: Message{Kind: Call, ID: classifier.IntID(p.id), Arguments: p.arguments, Continues: p.continues}}}
	if p.at >= 0 {
		j.Started, j.Duration = time.Unix(1_700_000_000, 0).Add(p.at), p.took
	}
	if p.status != 0 {
		j.Answer = &Answer{Status: p.status}
	}
	j.Verdict = classifier.Verdict{Outcome: p.outcome, Layer: p.outcome.Layer(), Answered: p.status != 0, Status: p.status}
	return j
}

func TestTimeline(t *testing.T) {
	const (
		down, ok, none, input = classifier.HTTPError, classifier.ToolSuccess, classifier.NoFinalResponse, classifier.InputRequired
		ms                    = time.Millisecond
	)
	tests := []struct {
		name  string
		posts []post
		want  []string // call/POST, attempt, round, origin, evidence
	}{
		{"two calls", []post{{1, "a", 0, ms, 200, ok, false}, {2, "b", ms, ms, 200, ok, false}}, []string{"1/1 1 0 none ", "2/1 1 0 none "}},
		{"the same again after a success", []post{{1, "a", 0, ms, 200, ok, false}, {2, "a", time.Second, ms, 200, ok, false}}, []string{"1/1 1 0 none ", "2/1 1 0 none "}},
		{"under the same id", []post{{1, "a", 0, ms, 502, down, false}, {1, "a", 201 * ms, ms, 200, ok, false}},
			[]string{"1/1 1 0 none ", "1/2 2 0 sdk the same arguments under the same id 1, 200ms after the 502: sent again below the application"}},
		{"under a new id", []post{{1, "a", 0, ms, 503, down, false}, {2, "a", 401 * ms, ms, 200, ok, false}},
			[]string{"1/1 1 0 none ", "1/2 2 0 application the same arguments under the new id 2, 400ms after the 503"}},
		{"a person", []post{{1, "a", 0, ms, 503, down, false}, {2, "a", 12*time.Second + ms, ms, 200, ok, false}},
			[]string{"1/1 1 0 none ", "1/2 2 0 manual the same arguments under the new id 2, 12s after the 503: as long as a person takes"}},
		{"at once after a broken stream", []post{{1, "a", 0, ms, 200, none, false}, {2, "a", 6 * ms, ms, 200, ok, false}},
			[]string{"1/1 1 0 none ", "1/2 2 0 sdk the same arguments under the new id 2, 5ms after the 200: at once after a broken stream, as an SDK does"}},
		{"after no answer", []post{{1, "a", 0, ms, 0, none, false}, {2, "a", 6 * ms, ms, 200, ok, false}},
			[]string{"1/1 1 0 none ", "1/2 2 0 application the same arguments under the new id 2, 5ms after an attempt that got no answer"}},
		{"without times", []post{{1, "a", -1, 0, 503, down, false}, {2, "a", -1, 0, 200, ok, false}},
			[]string{"1/1 1 0 none ", "1/2 2 0 application the same arguments under the new id 2, no times are known"}},
		{"while the first is under way", []post{{1, "a", 0, time.Second, 503, down, false}, {2, "a", 100 * ms, ms, 200, ok, false}}, []string{"1/1 1 0 none ", "2/1 1 0 none "}},
		{"under the same id while the first is under way", []post{{1, "a", 0, time.Second, 503, down, false}, {1, "a", 100 * ms, ms, 200, ok, false}},
			[]string{"1/1 1 0 none ", "1/2 2 0 sdk the same arguments under the same id 1, while the one before it was under way: sent again below the application"}},
		{"the inputs that were asked for", []post{{1, "a", 0, ms, 200, input, false}, {2, "a", 50 * ms, ms, 503, down, true}, {3, "a", 300 * ms, ms, 200, ok, true}},
			[]string{"1/1 1 0 none ", "1/2 1 1 none the inputs that were asked for, under a new id", "2/1 1 0 none "}},
		{"a redirect followed", []post{{1, "a", 0, ms, 307, down, false}, {1, "a", 2 * ms, ms, 200, ok, false}},
			[]string{"1/1 1 0 none ", "1/2 1 0 none the 307 was followed"}},
		{"arguments that are not known", []post{{1, "", 0, ms, 503, down, false}, {1, "", 2 * ms, ms, 200, ok, false}}, []string{"1/1 1 0 none ", "2/1 1 0 none "}},
		{"three", []post{{1, "a", 0, 0, 503, down, false}, {2, "a", 200 * ms, 0, 503, down, false}, {3, "a", 600 * ms, 0, 503, down, false}},
			[]string{"1/1 1 0 none ", "1/2 2 0 application the same arguments under the new id 2, 200ms after the 503", "1/3 3 0 application the same arguments under the new id 3, 400ms after the 503"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var timeline Timeline
			for i, p := range test.posts {
				s := timeline.Add(p.judged())
				got := fmt.Sprintf("%d/%d %d %d %s %s", s.Call, s.Post, s.Attempt, s.Round, s.Origin, s.Evidence)
				if got != test.want[i] {
					t.Errorf("POST %d: got  %s\nwant %s", i+1, got, test.want[i])
				}
				if len(s.Earlier) != s.Post-1 {
					t.Errorf("POST %d: got %d earlier verdicts, want %d", i+1, len(s.Earlier), s.Post-1)
				}
			}
		})
	}
}

func TestTimelineKnowsTheClient(t *testing.T) {
	var timeline Timeline
	timeline.Add(Judged{Exchange: Exchange{RPC: ReadMessage(&Request{Method: "POST", Body: []byte(
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"acme","version":"3.1"}}}`)})}})
	j := post{1, "a", 0, 0, 503, classifier.HTTPError, false}.judged()
	j.Settle(timeline.Add(j))
	if j.Record.Client != "acme@3.1" {
		t.Errorf("got client %q, want acme@3.1", j.Record.Client)
	}
}

func TestSameArguments(t *testing.T) {
	read := func(arguments string) string {
		return ReadMessage(&Request{Method: "POST", Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":` + arguments + `}}`)}).Arguments
	}
	if read(`{"a":1,"b":"\u0041"}`) != read(` { "b" : "A", "a":1} `) {
		t.Error("the same arguments in another spelling are others")
	}
	if read(`{"a":1}`) == read(`{"a":2}`) || read(`{"a":"1"}`) == read(`{"a":1}`) {
		t.Error("other arguments are the same")
	}
	plain := sha256.Sum256([]byte(`"\"t\"" {"a":1}` + "\n"))
	if got := read(`{"a":1}`); got == hex.EncodeToString(plain[:8]) || len(got) != 16 {
		t.Errorf("got %s, a digest that anybody can make of the arguments", got)
	}
}
