package main

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/broken"
)

// setup tries properties on a judge, as TestClassifier does. Judges that say
// nothing but what a third party may say are held to the law itself.
func (p *power) setup(j *broken.Judge) (*properties.Setup, error) {
	options := []properties.Option{properties.Catalogue(p.catalogue), properties.Notifications(j.Notification), properties.NoAnswers(j.NoAnswer)}
	if j.Tolerated {
		options = append(options, properties.Strict())
	}
	return properties.NewSetup(j.Classify, options...)
}

// construction is the property that compares a verdict with the one known by
// the making.
func construction() properties.Property {
	p, _ := properties.ByName(properties.ByConstruction)
	return p
}

// frozen finds the case of the corpus that kills each judge.
func (p *power) frozen() error {
	for _, c := range corpus.All() {
		for _, exchange := range c.Exchanges() {
			if exchange.Expect == nil {
				continue
			}
			t := broken.NewTrial(exchange)
			for _, r := range p.rows {
				if r.frozen == "" && t.Kills(&r.Judge) {
					r.frozen = c.ID
				}
			}
		}
	}
	return nil
}

// exhaustive runs every judge alone until the first failure, then the reference
// through all cases, and then puts each case before all judges.
func (p *power) exhaustive() error {
	var broke error
	for _, r := range p.rows {
		setup, err := p.setup(&r.Judge)
		if err != nil {
			return err
		}
		began := time.Now()
		for i, recipe := range p.recipes {
			if f, _ := setup.Try(construction(), recipe, 0); f != nil {
				r.exhaustive = found{i + 1, time.Since(began), true}
				r.needed = len(recipe.Picks())
				r.killing = append(r.killing, recipe)
				break
			}
		}
	}
	reference := broken.Judge{Classify: classifier.Classify, Notification: classifier.ClassifyNotification, NoAnswer: classifier.ClassifyNoAnswer}
	setup, err := p.setup(&reference)
	if err != nil {
		return err
	}
	began := time.Now()
	for _, recipe := range p.recipes {
		if f, _ := setup.Try(construction(), recipe, 0); f != nil {
			broke = fmt.Errorf("the reference itself fails: %v", f)
		}
	}
	p.whole = time.Since(began)
	p.tellApart()
	return broke
}

// tellApart hashes which cases kill which judges: of Singles and, for judges that
// these do not tell apart, of the rest as well.
func (p *power) tellApart() {
	singles := 0
	for range p.catalogue.Singles() {
		singles++
	}
	singles = min(singles, len(p.recipes))
	p.matrix(p.rows, p.recipes[:singles])
	same := map[uint64][]*row{}
	for _, r := range p.rows {
		same[r.set] = append(same[r.set], r)
	}
	for _, rows := range same {
		if len(rows) > 1 {
			p.matrix(rows, p.recipes[singles:])
		}
	}
}

// matrix puts each recipe before all the judges.
func (p *power) matrix(rows []*row, recipes []generators.Recipe) {
	const block = 64
	words := (len(recipes) + block - 1) / block
	killed := make([][]uint64, len(rows))
	for i := range killed {
		killed[i] = make([]uint64, words)
	}
	renderers := sync.Pool{New: func() any { return p.catalogue.NewRenderer() }}
	p.parallel(words, func(w int) {
		d := renderers.Get().(*generators.Renderer)
		defer renderers.Put(d)
		for n := w * block; n < min((w+1)*block, len(recipes)); n++ {
			t := broken.NewTrial(d.Render(recipes[n]))
			for i, r := range rows {
				if t.Kills(&r.Judge) {
					killed[i][w] |= 1 << (n % block)
				}
			}
		}
	})
	for i, r := range rows {
		hash := fnv.New64a()
		var b [8]byte
		for w, bits := range killed[i] {
			binary.LittleEndian.PutUint64(b[:], bits)
			hash.Write(b[:])
			for n := range block {
				if bits>>n&1 == 1 && len(r.killing) < maxKilling {
					r.killing = append(r.killing, recipes[w*block+n])
				}
			}
		}
		r.set = hash.Sum64()
	}
}

// maxKilling is how many of the recipes that kill a judge are kept, for the properties.
const maxKilling = 50

// agreement counts on how many random cases each judge errs: on a fifth of them,
// and on all where that is too few to tell a rate.
func (p *power) agreement() error {
	first := p.random / 5
	p.count(p.rows, 0, first)
	var rare []*row
	for _, r := range p.rows {
		if r.errs < 20 {
			rare = append(rare, r)
		}
	}
	p.count(rare, first, p.random)
	return nil
}

// count judges the random cases of these numbers.
func (p *power) count(rows []*row, from, to int) {
	const block = 100
	var mutex sync.Mutex
	p.parallel((to-from)/block, func(b int) {
		source, d := generators.NewPlain(uint64(from/block+b)), p.catalogue.NewRenderer()
		errs := make([]int, len(rows))
		for range block {
			t := broken.NewTrial(d.Render(p.catalogue.Build(source)))
			for i, r := range rows {
				if t.Errs(&r.Judge) {
					errs[i]++
				}
			}
		}
		mutex.Lock()
		defer mutex.Unlock()
		for i, n := range errs {
			rows[i].errs += n
			rows[i].of += block
		}
	})
}

// byProperties finds the properties that kill each judge: on recipes that kill
// it by construction and on random ones.
func (p *power) byProperties() error {
	var mutex sync.Mutex
	var broke error
	p.each(func(r *row) {
		setup, err := p.setup(&r.Judge)
		if err != nil {
			mutex.Lock()
			broke = err
			mutex.Unlock()
			return
		}
		for _, property := range setup.Properties {
			if p.killsBy(setup, property, r) {
				r.properties = append(r.properties, property.Name)
			}
		}
	})
	return broke
}

func (p *power) killsBy(setup *properties.Setup, property properties.Property, r *row) bool {
	for seed := range uint64(2) {
		for _, recipe := range r.killing {
			if f, _ := setup.Try(property, recipe, seed); f != nil {
				return true
			}
		}
	}
	source := generators.NewPlain(1)
	for i := range p.tries {
		if f, _ := setup.Try(property, p.catalogue.Build(source), uint64(i)); f != nil {
			return true
		}
	}
	return false
}
