package proxy

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/loopback"
)

// Injector says which answers to calls fail on the way, and how. What the n-th
// call gets follows from seed and n alone. It is safe for concurrent use; which
// of two calls that come at once is the n-th is chance.
type Injector struct {
	recipes []generators.Recipe
	rate    float64
	seed    uint64

	mu    sync.Mutex
	calls uint64
}

// NewInjector makes the answers to a share of the calls fail, rate from 0 to 1:
// by the recipes in turn, or, without any, by random ones of which none is a
// success. A recipe that no server can give over plain HTTP is an error.
func NewInjector(recipes []generators.Recipe, rate float64, seed uint64) (*Injector, error) {
	if !(rate > 0 && rate <= 1) { // not a number is none either
		return nil, fmt.Errorf("the rate %v must be above 0 and at most 1", rate)
	}
	for _, r := range recipes {
		c, err := generators.Default().RenderFor(r, classifier.IntID(1))
		if err == nil && c.Notification {
			err = errors.New("it answers a notification, and it is calls that are made to fail")
		}
		if err == nil {
			err = loopback.Playable(c)
		}
		if err != nil {
			return nil, fmt.Errorf("the recipe %q cannot be injected: %w", generators.Default().Format(r), err)
		}
	}
	return &Injector{recipes: recipes, rate: rate, seed: seed}, nil
}

// plan is the answer that is given in place of the upstream's.
type plan struct {
	recipe string
	answer corpus.Case
	script loopback.Script
	played bool
	// whole is when the last of it was written, where nothing came after that: a
	// client that has it may send again at once.
	whole time.Time
	// cut is set where playing it was broken off; then sent is what of it was
	// written, and ended how it ended for the client.
	cut   bool
	sent  []byte
	ended classifier.Ended
}

// drawn is how many random recipes are tried until one is fit.
const drawn = 1000

// next is the plan for the next call; nil to let its answer pass. An error tells
// why a call that was chosen cannot have its answer.
func (i *Injector) next(id classifier.ID) (*plan, error) {
	i.mu.Lock()
	n := i.calls
	i.calls++
	i.mu.Unlock()
	const odd = 0x9e3779b97f4a7c15 // so that calls of neighbouring seeds differ
	source := generators.NewPlain(i.seed ^ (n+1)*odd)
	const parts = 1 << 30
	if float64(source.N(parts)) >= i.rate*parts {
		return nil, nil
	}
	catalogue := generators.Default()
	if len(i.recipes) > 0 {
		return planOf(i.recipes[n%uint64(len(i.recipes))], id)
	}
	for range drawn {
		r := catalogue.Open(catalogue.Build(source))
		p, err := planOf(r, id)
		if err == nil && !p.answer.Notification && p.answer.Expect != nil && p.answer.Expect.Outcome != classifier.ToolSuccess {
			return p, nil
		}
	}
	return nil, fmt.Errorf("none of %d random recipes fits the id %s", drawn, id)
}

func planOf(r generators.Recipe, id classifier.ID) (*plan, error) {
	catalogue := generators.Default()
	r.ID = generators.IDOne
	p := &plan{recipe: catalogue.Format(r)}
	var err error
	if p.answer, err = catalogue.RenderFor(r, id); err == nil {
		p.script, err = loopback.Compose(p.answer, id)
	}
	return p, err
}

// play gives the answer of the plan over the connection itself, past the HTTP
// server, which takes the connection back where it goes on.
func (x *exchange) play(w http.ResponseWriter, r *http.Request) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		x.failed(fmt.Errorf("take over the connection: %w", err))
		return
	}
	tcp, head := bare(conn)
	if n := buffered.Reader.Buffered(); n > 0 {
		ahead, _ := buffered.Reader.Peek(n)
		head = append(append([]byte(nil), ahead...), head...)
	}
	x.plan.played = true
	out := &counted{TCPConn: tcp}
	if err := x.plan.script.Play(r.Context(), out); err != nil {
		x.brokenOff(out.written)
		return
	}
	if x.plan.script.End != loopback.EndSilent {
		x.plan.whole = out.last
	}
	if x.plan.script.End != loopback.EndKeep {
		return
	}
	if x.last {
		tcp.Close()
		return
	}
	x.proxy.listener.Return(tcp, head)
}
