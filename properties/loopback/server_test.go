package loopback_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func listen(t testing.TB, o loopback.Options) *loopback.Server {
	t.Helper()
	s, err := loopback.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// newClient is an HTTP client whose connections end with the test.
func newClient(t testing.TB) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// post sends a message and gives the status and the body.
func post(t testing.TB, client *http.Client, url, message string, headers ...string) (int, string) {
	t.Helper()
	status, body, err := tryPost(t, client, url, message, headers...)
	if err != nil {
		t.Fatal(err)
	}
	return status, body
}

// tryPost is post where the answer may end badly.
func tryPost(t testing.TB, client *http.Client, url, message string, headers ...string) (int, string, error) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), err
}

// call is a message that calls a play under an id.
func call(p *loopback.Play, id string, more string) string {
	arguments, _ := json.Marshal(p.Arguments())
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"synthetic","arguments":%s%s}}`, id, arguments, more)
}

func TestServerSpeaksBothEras(t *testing.T) {
	const (
		now  = `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`
		then = `"params":{}`
	)
	tests := []struct {
		name, message string
		status        int
		want          []string
	}{
		{"discover", `{"jsonrpc":"2.0","id":"d","method":"server/discover",` + now + `}`, 200,
			[]string{`"id":"d"`, `"resultType":"complete"`, `"supportedVersions":["2026-07-28"]`, `"ttlMs":`, `"cacheScope":`}},
		{"initialize", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`, 200,
			[]string{`"id":0`, `"protocolVersion":"2025-06-18"`, `"capabilities":{"tools":{}}`, `"serverInfo"`}},
		{"initialize with a revision that is not spoken", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2026-07-28"}}`, 200,
			[]string{`"protocolVersion":"2025-11-25"`}},
		{"initialized", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202, nil},
		{"a response", `{"jsonrpc":"2.0","id":1,"result":{}}`, 202, nil},
		{"tools of 2026", `{"jsonrpc":"2.0","id":2,"method":"tools/list",` + now + `}`, 200,
			[]string{`"name":"synthetic"`, `"inputSchema":{"type":"object"`, `"resultType":"complete"`, `"ttlMs":`, `"cacheScope":`}},
		{"tools of 2025", `{"jsonrpc":"2.0","id":2,"method":"tools/list",` + then + `}`, 200, []string{`"name":"synthetic"`}},
		{"ping", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, 200, []string{`"result":{}`}},
		{"unknown method of 2026", `{"jsonrpc":"2.0","id":2,"method":"prompts/list",` + now + `}`, 404, []string{`"code":-32601`, `"id":2`}},
		{"unknown method of 2025", `{"jsonrpc":"2.0","id":2,"method":"prompts/list",` + then + `}`, 200, []string{`"code":-32601`}},
		{"a call of no case", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"synthetic","arguments":{"case":"none"}}}`, 200, []string{`"code":-32602`}},
		{"no JSON", `{`, 400, nil},
	}
	s, client := listen(t, loopback.Options{}), newClient(t)
	for _, test := range tests {
		status, body := post(t, client, s.URL(), test.message)
		if status != test.status {
			t.Errorf("%s: got %d %s, want %d", test.name, status, body, test.status)
		}
		for _, want := range test.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: got %s, want in it %s", test.name, body, want)
			}
		}
		if status == 200 && !json.Valid([]byte(body)) || status == 202 && body != "" {
			t.Errorf("%s: got body %q", test.name, body)
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		request, _ := http.NewRequest(method, s.URL(), nil)
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") != "POST" {
			t.Errorf("%s: got %s, Allow %q, want 405 and POST", method, response.Status, response.Header.Get("Allow"))
		}
	}
}

func TestServerPlaysAndBooks(t *testing.T) {
	s, client := listen(t, loopback.Options{}), newClient(t)
	first := s.Book(loopback.Frozen(answer(200, `{"id":{{id}}}`, jsonType)))
	second := s.Book(loopback.Frozen(answer(404, "gone")))
	if status, body := post(t, client, s.URL(), call(second, "5", ""), "Mcp-Session-Id", "s"); status != 404 || body != "gone" {
		t.Errorf("got %d %q, want 404 gone", status, body)
	}
	// A late call is its own case's, whatever was booked since.
	if status, body := post(t, client, s.URL(), call(first, `"é"`, "")); status != 200 || body != `{"id":"é"}` {
		t.Errorf("got %d %q", status, body)
	}
	if r := first.Record(); r.Count() != 1 || r.Posts[0].ID != classifier.StringID("é") || r.SessionSent() || r.Posts[0].Path != "/mcp" {
		t.Errorf("got %+v", r)
	}
	if r := second.Record(); r.Count() != 1 || r.Posts[0].ID != classifier.IntID(5) || !r.SessionSent() || r.Resent() != loopback.NotResent {
		t.Errorf("got %+v", r)
	}
	// By its path a play answers any tool, and with any arguments.
	status, body := post(t, client, first.URL(), `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"add_numbers","arguments":{"a":1}}}`)
	if status != 200 || body != `{"id":9}` || first.Count() != 2 {
		t.Errorf("got %d %s, %d POSTs", status, body, first.Count())
	}
	if _, body := post(t, client, first.URL(), `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`); !strings.Contains(body, "add_numbers") {
		t.Errorf("got %s, want add_numbers", body)
	}
	url := s.URL()
	s.Renew()
	if s.URL() == url {
		t.Error("the URL is the same after Renew")
	}
	if status, _ := post(t, client, s.URL(), call(second, "6", "")); status != 404 {
		t.Errorf("got %d at the new URL, want 404", status)
	}
}

func TestServerPlaysWhatFollows(t *testing.T) {
	s, client := listen(t, loopback.Options{}), newClient(t)
	c := answer(503, "")
	c.Then = []corpus.Case{answer(200, "two {{id}}"), answer(200, "three")}
	p := s.Book(loopback.Frozen(c))
	var got []string
	for id := range 40 {
		status, body := post(t, client, s.URL(), call(p, fmt.Sprint(id), ""))
		got = append(got, fmt.Sprint(status, body))
	}
	if want := []string{"503", "200two 1", "200three", "200three"}; strings.Join(got[:4], "|") != strings.Join(want, "|") || got[39] != "200three" {
		t.Errorf("got %q, want %q and the last one from then on", got, want)
	}
	if r := p.Record(); r.Count() != 40 || len(r.Posts) != 32 || r.More != 8 {
		t.Errorf("got %d POSTs, %d kept, %d more", r.Count(), len(r.Posts), r.More)
	}
	p.Release()
	if r := p.Record(); r.Count() != 40 || len(r.Posts) != 0 {
		t.Errorf("got %d POSTs, %d kept after Release", r.Count(), len(r.Posts))
	}
	if n := s.Late(); n != 0 {
		t.Errorf("got %d late POSTs, want none", n)
	}
	if _, body := post(t, client, s.URL(), call(p, "99", "")); body != "three" || p.Count() != 41 {
		t.Errorf("got %q and %d POSTs after Release, want three and 41", body, p.Count())
	}
	if n := s.Late(); n != 1 {
		t.Errorf("got %d late POSTs, want 1", n)
	}
	slow := s.Book(loopback.Frozen(answer(200, "slow")))
	slow.Release()
	if _, body := post(t, client, s.URL(), call(slow, "1", "")); body != "slow" || s.Late() != 1 {
		t.Errorf("got %q, %d late POSTs; a first one that comes late is none", body, s.Late())
	}
}

func TestServerSaysWhatCannotBeHad(t *testing.T) {
	s, client := listen(t, loopback.Options{}), newClient(t)
	p := s.Book(func(classifier.ID) (corpus.Case, error) { return corpus.Case{}, errors.New("not for such an id") })
	if status, _ := post(t, client, s.URL(), call(p, "1", "")); status != 503 {
		t.Errorf("got %d, want 503", status)
	}
	if r := p.Record(); r.Unplayed != "not for such an id" {
		t.Errorf("got %q", r.Unplayed)
	}
}

// TestServerEnds shows each end of an answer as a client meets it.
func TestServerEnds(t *testing.T) {
	tests := []struct {
		name string
		c    corpus.Case
		ok   func(body string, err error) bool
	}{
		{"reset in the body", cut(answer(200, "abcdef"), 3), func(body string, err error) bool { return body == "abc" && errors.Is(err, syscall.ECONNRESET) }},
		{"closed in the body", cut(answer(200, "abcdef"), 4), func(body string, err error) bool { return body == "abcd" && errors.Is(err, io.ErrUnexpectedEOF) }},
		{"a chunk of no size", cut(answer(200, "abcdef", sseType), 5), func(body string, err error) bool {
			return body == "abcde" && err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, syscall.ECONNRESET)
		}},
		{"reset before the status", ended(corpus.Case{}, classifier.EndedReset), func(body string, err error) bool { return body == "" && err != nil }},
		{"silence", ended(cut(answer(200, "abc"), 2), classifier.EndedDeadline), func(body string, err error) bool {
			return body == "ab" && errors.Is(err, context.DeadlineExceeded)
		}},
		{"an interim status and no more", answer(103, ""), func(body string, err error) bool { return body == "" && err != nil }},
		{"pieces", split(answer(200, "abcdef"), 1, 2, 3), func(body string, err error) bool { return body == "abcdef" && err == nil }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, client := listen(t, loopback.Options{}), newClient(t)
			p := s.Book(loopback.Frozen(test.c))
			limit := time.Minute
			if test.c.Ended != nil && *test.c.Ended == classifier.EndedDeadline {
				limit = 300 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			request, _ := http.NewRequestWithContext(ctx, http.MethodPost, s.URL(), strings.NewReader(call(p, "1", "")))
			response, err := client.Do(request)
			var body []byte
			if err == nil {
				body, err = io.ReadAll(response.Body)
				response.Body.Close()
			}
			if !test.ok(string(body), err) {
				t.Errorf("got %q and %v", body, err)
			}
			if r := p.Record(); r.Count() != 1 {
				t.Errorf("got %d POSTs, want 1", r.Count())
			}
		})
	}
}

func TestServerRefusesAndAcceptsAgain(t *testing.T) {
	s, client := listen(t, loopback.Options{}), newClient(t)
	p := s.Book(loopback.Frozen(answer(200, "x")))
	post(t, client, s.URL(), call(p, "1", ""))
	for range 20 {
		if err := s.Refuse(); err != nil {
			t.Fatal(err)
		}
		if err := s.Refuse(); err != nil {
			t.Errorf("refuse twice: %v", err)
		}
		if _, err := client.Post(s.URL(), "application/json", strings.NewReader(call(p, "2", ""))); err == nil {
			t.Fatal("got an answer from a closed port")
		}
		if _, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get(s.URL()); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("got %v, want a refused connection", err)
		}
		if err := s.Accept(); err != nil {
			t.Fatal(err)
		}
		if status, _ := post(t, client, s.URL(), call(p, "3", "")); status != 200 {
			t.Errorf("got %d", status)
		}
	}
	if n := p.Count(); n != 21 {
		t.Errorf("got %d POSTs, want 21", n)
	}
	s.Refuse()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("accept after close: got %v, want net.ErrClosed", err)
	}
	if err := s.Refuse(); err != nil {
		t.Errorf("refuse after close: got %v", err)
	}
	if conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), "/mcp")); err == nil {
		conn.Close()
		t.Error("a closed server has taken a connection")
	}
}

// A port that is opened and closed from several sides is open or closed in the end.
func TestServerDoors(t *testing.T) {
	s, client := listen(t, loopback.Options{}), newClient(t)
	p := s.Book(loopback.Frozen(answer(200, "x")))
	var both sync.WaitGroup
	for range 8 {
		both.Go(func() {
			for range 10 {
				if err := errors.Join(s.Refuse(), s.Accept()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	if status, _ := post(t, client, s.URL(), call(p, "1", "")); status != 200 {
		t.Errorf("got %d, want 200", status)
	}
	for range 4 {
		both.Go(func() { s.Refuse(); s.Accept() })
	}
	s.Close()
	both.Wait()
}

// Calls that come at once take turns all the same.
func TestServerTurns(t *testing.T) {
	s := listen(t, loopback.Options{})
	const n = 16
	c := answer(200, "0")
	for i := range n - 1 {
		c.Then = append(c.Then, answer(200, fmt.Sprint(i+1)))
	}
	meet := make(chan struct{})
	var waiting sync.WaitGroup
	waiting.Add(n)
	p := s.Book(func(classifier.ID) (corpus.Case, error) { return c, nil })
	bodies := make([]string, n)
	var all sync.WaitGroup
	for i := range n {
		client := newClient(t)
		all.Go(func() {
			waiting.Done()
			<-meet
			_, bodies[i], _ = tryPost(t, client, s.URL(), call(p, fmt.Sprint(i+1), ""))
		})
	}
	waiting.Wait()
	close(meet)
	all.Wait()
	slices.Sort(bodies)
	if got, want := strings.Join(bodies, " "), "0 1 10 11 12 13 14 15 2 3 4 5 6 7 8 9"; got != want {
		t.Errorf("got the answers %s, want each once", got)
	}
	for i, one := range p.Record().Posts {
		if got := string(one.Case.Body); got != fmt.Sprint(i) {
			t.Errorf("POST %d: got the answer %s, want %d", i, got, i)
		}
	}
}

func TestServerLimits(t *testing.T) {
	s := listen(t, loopback.Options{MaxHeader: 1000, MaxBody: 1000})
	address := strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), "/mcp")
	send := func(text string) string {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		go io.WriteString(conn, text)
		line, _ := bufio.NewReader(conn).ReadString('\n')
		return strings.TrimSpace(line)
	}
	long := strings.Repeat("x", 20_000)
	for _, test := range []struct{ name, text, want string }{
		{"a long head", "POST /mcp HTTP/1.1\r\nHost: x\r\nA: " + long, "HTTP/1.1 431 Request Header Fields Too Large"},
		{"a long body", "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n" + long, "HTTP/1.1 413 Content Too Large"},
		{"a long body in chunks", "POST /mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4e20\r\n" + long, "HTTP/1.1 413 Content Too Large"},
		{"no HTTP", "\r\n\x00\r\n\r\n", "HTTP/1.1 400 Bad Request"},
		{"chunks", "POST /mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", "HTTP/1.1 202 Accepted"},
		{"a body that waits", "POST /mcp HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 100 Continue"},
	} {
		if got := send(test.text); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// A client that leaves connections open in silence must not take all there are.
func TestServerGivesUpTheLongestSilent(t *testing.T) {
	s := listen(t, loopback.Options{MaxConns: 4})
	p := s.Book(loopback.Frozen(ended(corpus.Case{}, classifier.EndedDeadline)))
	fine := s.Book(loopback.Frozen(answer(200, "fine")))
	ctx, cancel := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	defer calls.Wait()
	defer cancel()
	client := newClient(t)
	for id := range 12 {
		before := p.Count()
		calls.Go(func() {
			request, _ := http.NewRequestWithContext(ctx, http.MethodPost, s.URL(), strings.NewReader(call(p, fmt.Sprint(id), "")))
			if response, err := client.Do(request); err == nil {
				response.Body.Close()
			}
		})
		for p.Count() == before {
			time.Sleep(time.Millisecond)
		}
	}
	if status, body := post(t, client, s.URL(), call(fine, "1", "")); status != 200 || body != "fine" {
		t.Errorf("got %d %q, want 200 fine", status, body)
	}
}

func TestServerCloseLeavesNothing(t *testing.T) {
	s := listen(t, loopback.Options{})
	p := s.Book(loopback.Frozen(ended(corpus.Case{}, classifier.EndedDeadline)))
	failed := make(chan error)
	client := newClient(t)
	go func() {
		_, err := client.Post(s.URL(), "application/json", strings.NewReader(call(p, "1", "")))
		failed <- err
	}()
	for p.Count() == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; err == nil {
		t.Error("got an answer from a closed server")
	}
	if err := s.Close(); err != nil {
		t.Errorf("close again: %v", err)
	}
}
