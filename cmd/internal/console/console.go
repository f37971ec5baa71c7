// Package console is the page of a scenario server: it shows exchanges as they
// come, opens one to its bytes, and chooses the scenario.
//
//	c := console.New()
//	s, err := scenario.Serve(choice, scenario.Options{Pages: c, Began: c.Began, Done: c.Done})
//	c.Attach(s)
//
// It keeps the last exchanges alone, so that a page may stay open for days.
package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/scenario"
)

// Bounds of what is kept.
const (
	// maxKept is how many exchanges are kept, and maxBytes how many bytes of bodies.
	maxKept  = 500
	maxBytes = 32 << 20
	// maxBody is how much of one body is kept.
	maxBody = 1 << 20
	// maxBehind is how many messages a page may be behind before it has to begin anew.
	maxBehind = 256
	// maxPages is how many pages are told of what comes.
	maxPages = 64
)

// server is what the console needs of one.
type server interface {
	URL() string
	Choose(*scenario.Choice)
	Chosen() *scenario.Choice
}

// Console answers the requests of the page. It is safe for concurrent use.
type Console struct {
	mux *http.ServeMux

	mu     sync.Mutex
	server server
	kept   []*entry // the oldest first
	bytes  int
	busy   map[int]scenario.Start
	pages  map[chan []byte]struct{}
	lost   int // exchanges that are not kept any more
}

// New is a console that knows of no server yet.
func New() *Console {
	c := &Console{mux: http.NewServeMux(), busy: make(map[int]scenario.Start), pages: make(map[chan []byte]struct{})}
	c.mux.HandleFunc("GET /{$}", c.page)
	c.mux.HandleFunc("GET /events", c.events)
	c.mux.HandleFunc("GET /exchange/{number}", c.exchange)
	c.mux.HandleFunc("POST /choose", c.choose)
	return c
}

// Attach tells the console its server.
func (c *Console) Attach(s *scenario.Server) { c.attach(s) }

func (c *Console) attach(s server) {
	c.mu.Lock()
	c.server = s
	c.mu.Unlock()
}

// ServeHTTP answers a request of the page's.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	ready := c.server != nil
	c.mu.Unlock()
	if !ready {
		http.Error(w, "the server is not ready", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	c.mux.ServeHTTP(w, r)
}

// Began takes in a request that is being answered.
func (c *Console) Began(start scenario.Start) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy[start.Number] = start
	c.tell("began", began(start))
}

// Done takes in an exchange, and forgets old ones.
func (c *Console) Done(x *scenario.Exchange) {
	e := shortened(x)
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.busy, x.Number)
	c.kept = append(c.kept, e)
	c.bytes += size(e.Exchange)
	for len(c.kept) > maxKept || c.bytes > maxBytes && len(c.kept) > 1 {
		c.bytes -= size(c.kept[0].Exchange)
		c.kept[0] = nil
		c.kept = c.kept[1:]
		c.lost++
	}
	c.tell("done", rowOf(x))
}

// entry is an exchange that is kept, and how many bytes of its bodies are not.
type entry struct {
	*scenario.Exchange
	lostRequest, lostAnswer int
}

// shortened is an exchange whose bodies are not longer than what is kept.
func shortened(x *scenario.Exchange) *entry {
	short := *x
	e := &entry{Exchange: &short}
	if r := x.Judged.Request; r != nil && len(r.Body) > maxBody {
		copied := *r
		copied.Body = append([]byte(nil), r.Body[:maxBody]...)
		short.Judged.Request, e.lostRequest = &copied, len(r.Body)-maxBody
	}
	if a := x.Judged.Answer; a != nil && len(a.Body) > maxBody {
		copied := *a
		copied.Body = append([]byte(nil), a.Body[:maxBody]...)
		short.Judged.Answer, e.lostAnswer = &copied, len(a.Body)-maxBody
	}
	return e
}

func size(x *scenario.Exchange) int {
	n := 2048 // what is said of it
	if r := x.Judged.Request; r != nil {
		n += len(r.Body)
	}
	if a := x.Judged.Answer; a != nil {
		n += len(a.Body)
	}
	return n
}

// tell sends a message to every page; the lock is held. A page that is too far
// behind is cut off, and begins anew by itself.
func (c *Console) tell(kind string, what any) {
	if len(c.pages) == 0 {
		return
	}
	text := message(kind, what)
	for page := range c.pages {
		select {
		case page <- text:
		default:
			delete(c.pages, page)
			close(page)
		}
	}
}

// message is an event of the page's stream.
func message(kind string, what any) []byte {
	text, err := json.Marshal(what)
	if err != nil {
		text = []byte(`{}`) // rows are texts and numbers: it cannot fail
	}
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", kind, text)
}

// events tells what was kept, and then what comes.
func (c *Console) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	page := make(chan []byte, maxBehind)
	c.mu.Lock()
	if len(c.pages) >= maxPages {
		c.mu.Unlock()
		http.Error(w, fmt.Sprintf("%d pages are open already", maxPages), http.StatusServiceUnavailable)
		return
	}
	rows := make([]row, 0, len(c.kept))
	for _, x := range c.kept {
		rows = append(rows, rowOf(x.Exchange))
	}
	open := make([]row, 0, len(c.busy))
	for _, start := range c.busy {
		open = append(open, began(start))
	}
	first := message("all", map[string]any{"rows": rows, "began": open, "lost": c.lost, "chosen": chosen(c.server.Chosen())})
	c.pages[page] = struct{}{}
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.pages, page)
		c.mu.Unlock()
	}()
	out := http.NewResponseController(w)
	send := func(text []byte) bool {
		_, err := w.Write(text)
		return err == nil && out.Flush() == nil
	}
	if !send(first) {
		return
	}
	alive := time.NewTicker(15 * time.Second)
	defer alive.Stop()
	for {
		text := []byte(": alive\n\n")
		select {
		case <-r.Context().Done():
			return
		case <-alive.C:
		case next, ok := <-page:
			if !ok {
				return
			}
			text = next
		}
		if !send(text) {
			return
		}
	}
}
