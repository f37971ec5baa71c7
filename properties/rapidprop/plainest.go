package rapidprop

import (
	"sync"
	"time"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties"
)

// patience is how long a property's failures are made plainer, all in all: a
// judge that answers at once needs far less of it.
const patience = 30 * time.Second

// trial is what a property was tried on.
type trial struct {
	recipe generators.Recipe
	seed   uint64
}

// plainest gives failures in their plainest form. Rapid tries a failing draw
// twice and must be told the same both times, so that each form is kept.
type plainest struct {
	setup    *properties.Setup
	property properties.Property

	mutex sync.Mutex
	known map[trial]*properties.Failure
	spent time.Duration
}

// of is the plainest form of a failure.
func (p *plainest) of(at trial, found *properties.Failure) *properties.Failure {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if f := p.known[at]; f != nil {
		return f
	}
	if p.spent >= patience {
		p.known[at] = found
		return found
	}
	began := time.Now()
	shrunk := trial{p.setup.Shrink(p.property, at.recipe, at.seed), at.seed}
	f := p.known[shrunk]
	if f == nil {
		f = found
		plain := p.setup.Plainest(p.property, shrunk.recipe, at.seed)
		if again, _ := p.setup.Try(p.property, plain, at.seed); again != nil {
			f = again
		}
	}
	p.known[at], p.known[shrunk] = f, f
	p.spent += time.Since(began)
	return f
}
