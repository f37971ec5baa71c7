package runs

import (
	"fmt"
	"maps"

	"github.com/replyproof/replyproof/properties/runner"
)

// Change is how a row differs between two versions of one client.
type Change string

// The changes.
const (
	// New is a deviation that the old version did not have, or was not seen to
	// have since it was not asked.
	New Change = "new"
	// Gone is a deviation that the old version had and the new one, asked the
	// same, has not.
	Gone Change = "gone"
	// Changed is a row in which both deviate, in different ways.
	Changed Change = "changed"
	// Unasked is a deviation of the old version that the new one was not asked
	// for: whether it is gone is not known.
	Unasked Change = "unasked"
)

// Difference is a row that changed.
type Difference struct {
	Row    *Row
	Change Change
	// Worse is set for a changed row whose deviation is of a graver severity, or
	// that holds more deviations than it did.
	Worse bool
	// Asked is false if the old version was not asked.
	Asked bool
}

// Before is the cell of the old version.
func (d Difference) Before() Cell { return d.Row.Cells[0] }

// After is the cell of the new version.
func (d Difference) After() Cell { return d.Row.Cells[1] }

// Comparison is what changed from an old version of a client to a new one.
type Comparison struct {
	Field       *Field // its columns are the old version and the new one
	Differences []Difference
}

// Worse tells whether the new version has a deviation that the old one had not,
// or a graver one.
func (c Comparison) Worse() bool {
	for _, d := range c.Differences {
		if d.Change == New || d.Worse {
			return true
		}
	}
	return false
}

// Count is the number of rows that changed so.
func (c Comparison) Count(change Change) int {
	n := 0
	for _, d := range c.Differences {
		if d.Change == change {
			n++
		}
	}
	return n
}

// Compare compares two runs of one client, the old one first. What a baseline
// excuses counts as a deviation all the same, and one that did not repeat as
// one that was not asked. Clients of different names are an error.
func Compare(before, after *Run) (Comparison, error) {
	if before.Subject.Name != after.Subject.Name {
		return Comparison{}, fmt.Errorf("compare: the old report is of %q and the new one of %q: give two reports of one client",
			before.Subject.Name, after.Subject.Name)
	}
	c := Comparison{Field: Merge([][]*Run{{before}, {after}})}
	same := c.Field.Clients[0].comparable != "" && c.Field.Clients[0].comparable == c.Field.Clients[1].comparable &&
		before.Cases == after.Cases
	for i := range c.Field.Rows {
		row := &c.Field.Rows[i]
		if d, ok := differ(row, same); ok {
			c.Differences = append(c.Differences, d)
		}
	}
	return c, nil
}

// differ compares the cells of a row. same is set if both versions were asked
// the same cases: then a cause with several faults that only one of them has is
// not the other's.
func differ(row *Row, same bool) (Difference, bool) {
	before, after := row.Cells[0], row.Cells[1]
	asked := func(c Cell) bool { return c.Asked() || row.Kind == OfRecipe && same }
	d := Difference{Row: row, Asked: asked(before)}
	switch {
	case after.Deviates() && !before.Deviates():
		d.Change = New
	case before.Deviates() && !after.Deviates() && asked(after):
		d.Change = Gone
	case before.Deviates() && !after.Deviates():
		d.Change = Unasked
	case after.Deviates():
		graver := after.Deviation.Severity() > before.Deviation.Severity()
		more, other := counts(before, after, same)
		if !graver && !more && !other && before.Deviation == after.Deviation && (row.Kind == OfFault || before.Saw == after.Saw) {
			return d, false
		}
		d.Change, d.Worse = Changed, graver || more
	default:
		return d, false
	}
	return d, true
}

// counts compares how often a fault led to each deviation: whether some do more
// often, of which the numbers tell only if both were asked the same, and whether
// it is other deviations.
func counts(before, after Cell, same bool) (more, other bool) {
	if before.Count == nil || after.Count == nil {
		return false, false
	}
	old, now := before.Count.ByDeviation, after.Count.ByDeviation
	if same && before.Count.Cases == after.Count.Cases {
		return sumOf(now) > sumOf(old), !maps.Equal(old, now)
	}
	for d := range now {
		other = other || old[d] == 0
	}
	for d := range old {
		other = other || now[d] == 0
	}
	return false, other
}

func sumOf(counts map[runner.Deviation]int) int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum
}
