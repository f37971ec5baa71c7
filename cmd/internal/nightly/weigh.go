package nightly

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/fuzzing"
)

// weigh adds what the new inputs cover and gives the curve of this round, which
// took d.
func (h *hunt) weigh(ctx context.Context, began time.Time, d time.Duration) (curve []Point, err error) {
	if len(h.fresh) == 0 || h.night.sightless() != nil {
		return nil, nil
	}
	over := h.night.budget(d / weighRoundShare)
	w, err := h.target.Worker(ctx, h.tree, h.path(liveName, "work"))
	if err != nil {
		return nil, h.night.unseeing(err)
	}
	defer w.Close()
	all := fuzzing.ReadStored(h.path(inputsName))
	slices.SortFunc(all, func(a, b fuzzing.Stored) int { return cmp.Compare(a.Unix, b.Unix) })
	before := h.result.Fuzzing
	for _, s := range all {
		name := filepath.Base(s.Path)
		if !h.fresh[name] {
			continue
		}
		if over() {
			break // the others have their turn after the next round
		}
		delete(h.fresh, name)
		file, err := os.ReadFile(s.Path)
		if err != nil {
			continue
		}
		trial, err := w.Try(file)
		if err != nil {
			return curve, h.night.unseeing(err)
		}
		if h.cover.Add(trial.Cover) > 0 {
			curve = append(curve, Point{Seconds: before + max(0, s.Unix-float64(began.UnixMilli())/1e3), Edges: h.cover.Edges()})
		}
	}
	return thin(curve), nil
}

// pointsMost is how many points a round adds to a curve.
const pointsMost = 20

// thin leaves out points of a curve where they are many; the last stays.
func thin(curve []Point) []Point {
	if len(curve) <= pointsMost {
		return curve
	}
	var few []Point
	for i := range pointsMost {
		few = append(few, curve[(i+1)*len(curve)/pointsMost-1])
	}
	return few
}

// merge drops the inputs that cover nothing that smaller ones do not. What was
// seen to be covered stays so: an input may cover more the one time than the other.
func (h *hunt) merge(ctx context.Context) error {
	if h.night.sightless() != nil || len(h.stored) == 0 || h.merged {
		return nil
	}
	w, err := h.target.Worker(ctx, h.tree, h.path(liveName, "work"))
	if err != nil {
		return h.night.unseeing(err)
	}
	defer w.Close()
	m, err := fuzzing.Merge(ctx, w, fuzzing.ReadStored(h.path(inputsName)), h.night.budget(h.night.o.Plan.For/weighShare))
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return h.night.unseeing(err)
	}
	for _, s := range m.Drop {
		name := filepath.Base(s.Path)
		if os.Remove(s.Path) == nil {
			_ = os.Remove(h.path(liveName, "cache", h.target.Name, name))
			delete(h.stored, name)
			h.result.Corpus.Dropped++
		}
	}
	h.cover.Add(m.Cover)
	clear(h.fresh)
	for _, s := range m.Left {
		h.fresh[filepath.Base(s.Path)] = true
	}
	h.merged = len(m.Left) == 0
	return nil
}

// statistics are those of the inputs that are kept.
func (h *hunt) statistics() {
	var sizes []int64
	c := Corpus{Dropped: h.result.Corpus.Dropped}
	for _, s := range fuzzing.ReadStored(h.path(inputsName)) {
		sizes = append(sizes, s.Size)
		c.Bytes += s.Size
		c.Largest = max(c.Largest, s.Size)
	}
	if c.Inputs = len(sizes); c.Inputs > 0 {
		slices.Sort(sizes)
		c.Median = sizes[len(sizes)/2]
	}
	h.result.Corpus, h.result.Edges = c, h.cover.Edges()
	// What was weighed after the last round was found by its end.
	if n := len(h.result.Curve); n > 0 && h.result.Curve[n-1].Edges < h.result.Edges {
		h.result.Curve = append(h.result.Curve, Point{Seconds: h.result.Fuzzing, Edges: h.result.Edges})
	}
}
