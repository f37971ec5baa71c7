package cases

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/replyproof/replyproof/corpus"
)

// Own are cases of the user's, to be played to a subject.
type Own struct {
	Cases []corpus.Case
	// Unexpecting is how many of them expect nothing. They are given what the
	// classifier says of them now.
	Unexpecting int
}

// LoadOwn gives the cases of files and folders as [Load] does. No path and a path
// without a case are errors, and so is an id of a shipped case, unless it is that
// case: a copy of it is no other case.
func LoadOwn(paths []string) (Own, error) {
	var own Own
	if len(paths) == 0 {
		return own, errors.New("no file and no folder is named")
	}
	var err error
	if own.Cases, err = Load(paths); err != nil {
		return Own{}, err
	}
	if len(own.Cases) == 0 {
		return own, fmt.Errorf("%s: no case in it", paths[0])
	}
	shipped := make(map[string]corpus.Case)
	for _, c := range corpus.All() {
		shipped[c.ID] = c
	}
	var faults []error
	for i, c := range own.Cases {
		if other, ok := shipped[c.ID]; ok && !same(c, other) {
			faults = append(faults, fmt.Errorf("case %s: a shipped case has that id and is another; give yours an id of its own", c.ID))
		}
		if expecting(&own.Cases[i]) {
			own.Unexpecting++
		}
	}
	return own, errors.Join(faults...)
}

// same tells whether two cases are the same in every field.
func same(c, d corpus.Case) bool {
	one, err := c.AppendJSON(nil)
	other, err2 := d.AppendJSON(nil)
	return err == nil && err2 == nil && bytes.Equal(one, other)
}

// expecting has each exchange of a case that expects nothing expect what the
// classifier says, and tells whether there was one.
func expecting(c *corpus.Case) (filled bool) {
	if c.Expect == nil {
		c.Expect, filled = c.Expecting(c.Classify()).Expect, true
	}
	c.Then = slices.Clone(c.Then)
	for i := range c.Then {
		filled = expecting(&c.Then[i]) || filled
	}
	return filled
}
