package proxy

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/generators"
)

func recipe(t *testing.T, text string) generators.Recipe {
	t.Helper()
	r, err := generators.Default().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestInject: the server answers every call, and the client gets what the recipe
// says, with the id of its own call; the record tells both. What is no call
// passes.
func TestInject(t *testing.T) {
	tests := []struct {
		recipe, want string
		goesOn       bool // the connection
	}{
		{"success +status=503", "503 eof HTTP_ERROR http-status", true},
		{"rpc-error", "200 eof JSONRPC_ERROR rpc-error", true},
		{"tool-error +sse=lf +comments=short", "200 eof TOOL_ERROR tool-error", true},
		{"success +cut=30", "200 reset NO_FINAL_RESPONSE body-cut", false},
		{"success +no-answer=reset", "none reset NO_FINAL_RESPONSE reset", false},
		{"success +no-answer=connect", "none reset NO_FINAL_RESPONSE reset", false},
	}
	for _, test := range tests {
		t.Run(test.recipe, func(t *testing.T) {
			var asked atomic.Int32
			injector, err := NewInjector([]generators.Recipe{recipe(t, test.recipe)}, 1, 1)
			if err != nil {
				t.Fatal(err)
			}
			r := run(t, Options{Injector: injector, Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				answersOK(w, r)
			})}, capture.LineOptions{})
			if status, text, err := r.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); status != 200 || !strings.Contains(text, okResult) {
				t.Errorf("tools/list: got %d, %q, %v, want the server's answer", status, text, err)
			}
			_, text, err := r.ask(call(41, "{}"))
			if whole := !strings.Contains(test.want, "reset"); whole != (err == nil) {
				t.Errorf("the call: got %q, %v", text, err)
			}
			if err == nil && !strings.Contains(test.want, "503") && !strings.Contains(text, `"id":41`) {
				t.Errorf("the call: got %q, want its own id", text)
			}
			if status, text, err := r.ask(`{"jsonrpc":"2.0","method":"notifications/x"}`); status != 200 || !strings.Contains(text, okResult) {
				t.Errorf("a notification: got %d, %q, %v, want the server's answer", status, text, err)
			}
			if asked.Load() != 3 {
				t.Errorf("the server was asked %d times, want 3", asked.Load())
			}
			byID := map[string]capture.Exchange{}
			for _, x := range r.end() {
				byID[x.ID] = x
			}
			x := byID["2"]
			if got := told1(x, capture.Judge(x)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if x.Proxied == nil || x.Proxied.Injected != generators.Default().Format(recipe(t, test.recipe)) || x.Proxied.Replaced != "TOOL_SUCCESS tool-success" {
				t.Errorf("got %+v, want what was injected, and in place of what", x.Proxied)
			}
			for _, other := range []string{"1", "3"} {
				if p := byID[other].Proxied; p != nil {
					t.Errorf("record %s: got %+v, want nothing injected", other, p)
				}
			}
		})
	}
}

// TestInjectedConnectionsGoOn: where the answer leaves the connection open, the
// same connection serves what follows, also what was sent ahead.
func TestInjectedConnectionsGoOn(t *testing.T) {
	injector, err := NewInjector([]generators.Recipe{recipe(t, "success +status=503"), recipe(t, "rpc-error")}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, Options{Injector: injector, Upstream: upstream(t, answersOK)}, capture.LineOptions{})
	conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(r.url, "http://"), "/mcp"))
	if err != nil {
		t.Fatal(err)
	}
	var sent strings.Builder
	for i := range 6 {
		body := call(i+1, "{}")
		last := ""
		if i == 5 {
			last = "Connection: close\r\n"
		}
		fmt.Fprintf(&sent, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", last, len(body), body)
	}
	io.WriteString(conn, sent.String())
	all, err := io.ReadAll(conn)
	conn.Close()
	if err != nil || strings.Count(string(all), "HTTP/1.1 503 ") != 3 || strings.Count(string(all), `"code":`) != 3 || !strings.Contains(string(all), `"id":6,`) {
		t.Errorf("got %q, %v, want six answers", all, err)
	}
	if records := r.end(); len(records) != 6 {
		t.Errorf("got %d records, want 6", len(records))
	}
}

// TestInjectorIsDeterministic: seed and number of the call say what it gets.
func TestInjectorIsDeterministic(t *testing.T) {
	draw := func(seed uint64) (all []string, chosen int) {
		i, err := NewInjector(nil, 0.25, seed)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 400 {
			id := classifier.IntID(int64(n))
			if n%2 == 1 {
				id = classifier.StringID(fmt.Sprintf("call-%d", n))
			}
			p, err := i.next(id)
			switch {
			case err != nil:
				t.Errorf("call %d: %v", n, err)
			case p == nil:
				all = append(all, "")
			default:
				chosen++
				all = append(all, p.recipe)
				v := classifier.Classify(classifier.Call{ID: id}, p.answer.Answer())
				if p.answer.Status == nil {
					v = classifier.ClassifyNoAnswer(p.answer.NoAnswer())
				}
				if v.Outcome == classifier.ToolSuccess || v.Outcome != p.answer.Expect.Outcome {
					t.Errorf("call %d: %s: got %s, want %s and no success", n, p.recipe, v.Outcome, p.answer.Expect.Outcome)
				}
			}
		}
		return all, chosen
	}
	one, chosen := draw(7)
	if again, _ := draw(7); !slices.Equal(one, again) {
		t.Error("the same seed gives something else")
	}
	if other, _ := draw(8); slices.Equal(one, other) {
		t.Error("another seed gives the same")
	}
	if chosen < 70 || chosen > 130 {
		t.Errorf("got %d of 400 calls chosen, want about 100", chosen)
	}
}

func TestInjectorsThatCannotBe(t *testing.T) {
	for name, test := range map[string]struct {
		recipes []generators.Recipe
		rate    float64
		want    string
	}{
		"no share":         {nil, 0, "must be above 0"},
		"more than all":    {nil, 1.01, "at most 1"},
		"a client's doing": {[]generators.Recipe{recipe(t, "success +no-answer=cancelled")}, 1, "only the caller itself can give up"},
		"a notification":   {[]generators.Recipe{recipe(t, "accepted")}, 1, "it answers a notification"},
	} {
		if _, err := NewInjector(test.recipes, test.rate, 1); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}

// TestInjectedIsCut: of an answer that is broken off the record tells what was
// written, and not the whole.
func TestInjectedIsCut(t *testing.T) {
	for _, test := range []struct {
		name, recipe string
		stopped      bool
		left         int // bytes that were not written
		want         string
		body         int // bytes of it
	}{
		{"before the first byte", "rpc-error", true, -1, "none reset NO_FINAL_RESPONSE reset", 0},
		{"in the body", "rpc-error", true, 10, "200 reset NO_FINAL_RESPONSE body-cut", -10},
		{"in the body, by the client", "rpc-error", false, 10, "200 cancelled NO_FINAL_RESPONSE cancelled", -10},
		{"all but the end of the chunks", "rpc-error +sse=lf", true, 5, "200 eof JSONRPC_ERROR rpc-error", 0},
		{"after all of it", "rpc-error", true, 0, "200 eof JSONRPC_ERROR rpc-error", 0},
		{"silence, by the end", "success +no-answer=deadline", true, 0, "none reset NO_FINAL_RESPONSE reset", 0},
		{"silence, by the client", "success +no-answer=deadline", false, 0, "none deadline NO_FINAL_RESPONSE deadline", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := planOf(recipe(t, test.recipe), classifier.IntID(1))
			if err != nil {
				t.Fatal(err)
			}
			ctx, cut := context.WithCancelCause(t.Context())
			defer cut(nil)
			if test.stopped {
				cut(errStopped)
			}
			written := 0
			for _, text := range p.script.Writes {
				written += len(text)
			}
			if written -= test.left; test.left < 0 {
				written = 0
			}
			(&exchange{ctx: ctx, plan: p}).brokenOff(written)
			x := capture.FromCase(p.answer)
			full := x.Answer
			x.Answer, x.NoAnswer = p.injected()
			if x.Answer != nil && test.name == "all but the end of the chunks" {
				// The response is in it: how the stream ended does not decide.
				if x.Answer.Ended != classifier.EndedReset {
					t.Errorf("got the end %s, want reset", x.Answer.Ended)
				}
				x.Answer.Ended = classifier.EndedEOF
			}
			if got := told1(x, capture.Judge(x)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if x.Answer != nil && len(x.Answer.Body) != len(full.Body)+test.body {
				t.Errorf("got a body of %d bytes, want %d", len(x.Answer.Body), len(full.Body)+test.body)
			}
		})
	}
}

// TestStopCutsWhatIsInjected: a client that waits for the rest of an injected answer
// loses it at the end of the proxy, and the record says so.
func TestStopCutsWhatIsInjected(t *testing.T) {
	injector, err := NewInjector([]generators.Recipe{recipe(t, "success +deadline=half")}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, Options{Injector: injector, Upstream: upstream(t, answersOK)}, capture.LineOptions{})
	resp, err := r.post(call(1, "{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, 30)); err != nil {
		t.Fatal(err)
	}
	x, j := one(t, r)
	if got, want := told1(x, j), "200 reset NO_FINAL_RESPONSE body-cut"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestInjectedIsOverWhenItIsThere: a client that has the answer may call again at
// once, and that call is not one beside the first, however late it is booked.
func TestInjectedIsOverWhenItIsThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	out := &counted{TCPConn: server.(*net.TCPConn)}
	began := time.Now()
	if _, err := out.Write([]byte("HTTP")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(client, make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	there := time.Now()
	if out.last.Before(began) || out.last.After(there) {
		t.Errorf("got the last write at %s, want it from %s to %s", out.last, began, there)
	}
	later := there.Add(time.Minute)
	if got := (&exchange{plan: &plan{whole: out.last}}).over(later); !got.Equal(out.last) {
		t.Errorf("injected: got %s, want %s", got, out.last)
	}
	if got := (&exchange{plan: &plan{}}).over(later); !got.Equal(later) {
		t.Errorf("silent: got %s, want %s", got, later)
	}
}
