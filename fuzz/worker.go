package fuzz

import (
	"slices"
	"sync"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

// worker makes and judges answers, one after another.
type worker struct {
	tally
	keep     int
	second   *model.Judge
	src      generators.Source
	damager  damager
	renderer *generators.Renderer
	filler   filler
	ready    *stock
}

// stock is what answers are made from besides recipes made anew: every fault of
// the catalogue alone, and the answers of the corpus.
type stock struct {
	singles []generators.Recipe
	cases   []Sample
	bodies  [][]byte
}

var stocked = sync.OnceValue(func() *stock {
	s := &stock{singles: slices.Collect(catalogue.Singles())}
	for _, c := range exchanges() {
		sample := SampleOf(c)
		if len(sample.Answer.Body) > largest {
			continue // one of them costs as much as thousands of others
		}
		s.cases = append(s.cases, sample)
		if len(sample.Answer.Body) > 0 {
			s.bodies = append(s.bodies, sample.Answer.Body)
		}
	}
	return s
})

func newWorker(keep int) *worker {
	ready := stocked()
	return &worker{tally: tally{disagreeing: map[string]int{}}, keep: keep, second: &second, renderer: catalogue.NewRenderer(), ready: ready, damager: damager{others: ready.bodies}}
}

// block judges the answers of one block.
func (w *worker) block(seed uint64, from, to int) {
	w.src = generators.NewPlain(seed + uint64(from/blockSize)*0x9e3779b97f4a7c15)
	w.damager.src = w.src
	for i := from; i < to; i++ {
		w.one(i)
	}
}

// made is an answer and where it comes from.
type made struct {
	sample Sample
	recipe generators.Recipe
	whole  bool           // the answer is the recipe's, undamaged
	expect *corpus.Expect // if whole
}

// make makes the next answer.
func (w *worker) make() made {
	n := w.src.N
	var m made
	switch n(8) {
	case 0, 1: // an answer of the corpus
		m.sample = w.ready.cases[n(len(w.ready.cases))]
	case 2, 3, 4: // one fault
		m.recipe, m.whole = w.ready.singles[n(len(w.ready.singles))], true
	default: // as the builder has it
		m.recipe, m.whole = catalogue.Build(w.src), true
	}
	if m.whole {
		c := w.renderer.Render(m.recipe)
		m.sample, m.expect = w.filler.sampleOf(&c), c.Expect
	}
	if n(4) > 0 {
		m.sample, m.whole, m.expect = m.sample.clone(), false, nil
		w.damager.sample(&m.sample)
		w.damaged++
	}
	// A few become what they were not.
	switch n(64) {
	case 0:
		m.sample.Notification, m.whole, m.expect = !m.sample.Notification, false, nil
	case 1:
		m.sample, m.whole, m.expect = Sample{NoAnswer: true, Answer: classifier.Answer{Ended: classifier.Ended(n(7))}}, false, nil
	}
	return m
}

// one makes an answer, has it judged, and books what differs.
func (w *worker) one(index int) {
	m := w.make()
	s := &m.sample
	v := s.Classify()
	w.count(s, &v)
	pieces := w.src.N(256)
	if m.expect != nil {
		w.known++
		if d := unexpected(m.expect, &v); d != "" {
			w.disagree(index, &m, "making", func(Sample) string { return d })
			return
		}
	}
	if other := s.by(w.second); !same(&other, &v) {
		w.disagree(index, &m, "model", w.modelDiffers)
		return
	}
	if pieces%4 > 0 || !s.Readable() {
		return
	}
	w.read++
	if other := s.Read(sizesOf(pieces)); !identical(&v, &other) {
		w.disagree(index, &m, "reader", func(s Sample) string { return readerDiffers(s, pieces) })
	}
}

// modelDiffers tells in what classifier and model differ, or is "".
func (w *worker) modelDiffers(s Sample) string {
	v, other := s.Classify(), s.by(w.second)
	if same(&other, &v) {
		return ""
	}
	return differences(&other, &v)
}

// readerDiffers tells in what classifier and reader differ, or is "".
func readerDiffers(s Sample, pieces int) string {
	v, other := s.Classify(), s.Read(sizesOf(pieces))
	if identical(&v, &other) {
		return ""
	}
	return differences(&v, &other)
}

// sizesOf are the sizes of pieces for a plan of 0 to 255.
func sizesOf(pieces int) func() int {
	if pieces < 8 {
		return oneByte
	}
	return sizesFrom(uint64(pieces))
}

// disagree books a disagreement; differs tells in what a sample shows it.
func (w *worker) disagree(index int, m *made, between string, differs func(Sample) string) {
	w.disagreeing[between]++
	if w.disagreeing[between] > w.keep {
		return // a worker's blocks come in order, so these are its first
	}
	d := Disagreement{Index: index, Between: between}
	smallest := m.sample
	if m.whole {
		d.Recipe = catalogue.Format(m.recipe)
	}
	if between != "making" { // another answer would be of another making
		smallest = Minimise(m.sample, func(s Sample) bool { return differs(s) != "" })
	}
	d.What, d.Sample = differs(smallest), smallest.String()
	w.disagreements = append(w.disagreements, d)
}
