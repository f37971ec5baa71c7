package fuzzing

import (
	"cmp"
	"context"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

	"github.com/replyproof/replyproof/corpus"
)

// Cover is what inputs have covered together: for each counter of a binary a
// byte of flags, one for each range of how often it was passed.
type Cover []byte

// Add adds what an input covers and tells how many flags are new.
func (c *Cover) Add(one []byte) int {
	if len(*c) < len(one) {
		*c = append(*c, make([]byte, len(one)-len(*c))...)
	}
	fresh := 0
	for i, flags := range one {
		if flags != 0 {
			fresh += bits.OnesCount8(flags &^ (*c)[i])
			(*c)[i] |= flags
		}
	}
	return fresh
}

// Edges is how many counters were passed at all.
func (c Cover) Edges() int {
	n := 0
	for _, flags := range c {
		if flags != 0 {
			n++
		}
	}
	return n
}

// Stored is an evolved input as it lies in a folder.
type Stored struct {
	Path string
	Size int64
	Unix float64 // when it was found, in seconds
}

// ReadStored lists the inputs of a folder whose name is that of their content:
// others are half written, or are none.
func ReadStored(dir string) []Stored {
	var all []Stored
	for _, name := range names(dir) {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		all = append(all, Stored{Path: path, Size: info.Size(), Unix: float64(info.ModTime().UnixNano()) / 1e9})
	}
	return all
}

// Whole tells whether a file holds all of an input whose name it has.
func Whole(name string, file []byte) bool { return name == corpus.SeedName(file) }

// Merged is what [Merge] has found out.
type Merged struct {
	Drop  []Stored // cover nothing that the others do not
	Left  []Stored // were not tried, for want of time
	Cover Cover    // of those that were tried
}

// Merge tells which inputs to drop: those that cover nothing that the others do
// not, tried from the smallest to the largest. What fails or cannot be read is
// not among them, and nothing that is left when over says that there is no more
// time.
func Merge(ctx context.Context, w *Worker, all []Stored, over func() bool) (m Merged, err error) {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Stored) int { return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(a.Path, b.Path)) })
	for i, s := range all {
		if err := ctx.Err(); err != nil {
			return Merged{}, err
		}
		if over() {
			m.Left = all[i:]
			return m, nil
		}
		file, err := os.ReadFile(s.Path)
		if err != nil {
			continue
		}
		trial, err := w.Try(file)
		if err != nil {
			return Merged{}, err
		}
		if !trial.Failed && m.Cover.Add(trial.Cover) == 0 {
			m.Drop = append(m.Drop, s)
		}
	}
	return m, nil
}
