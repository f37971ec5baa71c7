package runner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"time"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
)

// BaselineFormat is the format word of a baseline.
const BaselineFormat = "replyproof-baseline/1"

// Baseline names deviations that are known, so that a run fails for new ones
// only, and for those that are gone.
type Baseline struct {
	Format  string  `json:"format"`
	Subject string  `json:"subject"`
	Entries []Entry `json:"entries"`
}

// Entry is one known deviation, or several with a pattern.
type Entry struct {
	// Case is a case's id or a recipe's text; * stands for any text. A recipe is
	// run in every run, and where it still deviates it excuses each recipe that
	// has everything unusual of it and deviates in the same way.
	Case string `json:"case"`
	// Saw is the word that the subject says, or CRASH or HANG.
	Saw string `json:"saw"`
	// Reason tells people why it is known and still there; never empty.
	Reason string `json:"reason"`
	// Until is the last day on which the entry counts, such as 2027-03-01; ""
	// has no end.
	Until string `json:"until,omitempty"`
}

// LoadBaseline reads a baseline. Unknown keys, another format, an entry without
// case, saw or reason, a day that is none, and two entries for the same case
// and word are errors that name the file and the entry.
func LoadBaseline(path string) (*Baseline, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("load baseline: %w", err)
	}
	b, err := ParseBaseline(data)
	if err != nil {
		return nil, fmt.Errorf("load baseline %s: %w", path, err)
	}
	return b, nil
}

// ParseBaseline is [LoadBaseline] for text that is at hand.
func ParseBaseline(data []byte) (*Baseline, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var b Baseline
	if err := decoder.Decode(&b); err != nil {
		return nil, err
	}
	if rest := bytes.TrimSpace(data[decoder.InputOffset():]); len(rest) > 0 {
		return nil, errors.New("something follows the baseline's object")
	}
	if b.Format != BaselineFormat {
		return nil, fmt.Errorf("its format is %q, not %q", b.Format, BaselineFormat)
	}
	var faults []error
	seen := map[[2]string]bool{}
	for i, e := range b.Entries {
		fault := func(text string) { faults = append(faults, fmt.Errorf("entry %d (%q): %s", i+1, e.Case, text)) }
		if e.Case == "" {
			fault("case is empty")
		}
		if e.Saw == "" {
			fault("saw is empty; it is what the subject says, such as SUCCESS, or CRASH or HANG")
		}
		if strings.TrimSpace(e.Reason) == "" {
			fault("reason is empty; say why the deviation is known and still there")
		}
		if e.Until != "" {
			if _, err := time.Parse(time.DateOnly, e.Until); err != nil {
				fault(fmt.Sprintf("until is %q, which is no day such as 2027-03-01", e.Until))
			}
		}
		key := [2]string{e.Case, e.Saw}
		if seen[key] {
			fault("another entry has the same case and saw")
		}
		seen[key] = true
	}
	return &b, errors.Join(faults...)
}

// WriteFile writes the baseline: to a file beside path, which is then renamed.
func (b *Baseline) WriteFile(path string) error {
	whole := *b
	whole.Format = BaselineFormat
	if whole.Entries == nil {
		whole.Entries = []Entry{}
	}
	err := corpus.WriteWhole(path, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(whole)
	})
	if err != nil {
		return fmt.Errorf("write baseline %s: %w", path, err)
	}
	return nil
}

// Update is the baseline after a run: entries that still deviate stay with
// their reasons, those that are stale, unmatched or expired go, and each new
// deviation gets an entry whose reason tells what was expected; of recipes the
// plainest do. old may be nil.
func (r *Result) Update(old *Baseline) *Baseline {
	b := &Baseline{Format: BaselineFormat, Subject: r.Subject.Name}
	gone := map[Entry]bool{}
	for _, list := range [][]Entry{r.Stale, r.Unmatched, r.Expired} {
		for _, e := range list {
			gone[e] = true
		}
	}
	if old != nil {
		for _, e := range old.Entries {
			if !gone[e] {
				b.Entries = append(b.Entries, e)
			}
		}
	}
	seen := map[[2]string]bool{}
	kept := len(b.Entries)
next:
	for _, d := range r.deviating {
		if seen[[2]string{d.id, d.saw}] {
			continue
		}
		seen[[2]string{d.id, d.saw}] = true
		for _, e := range b.Entries[:kept] {
			if e.Saw == d.saw && matches(e.Case, d.id) {
				continue next
			}
		}
		b.Entries = append(b.Entries, Entry{Case: d.id, Saw: d.saw, Reason: d.reason})
	}
	return b
}

// matches tells whether id fits a pattern in which * stands for any text.
func matches(pattern, id string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == id
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(id) < len(first)+len(last) || !strings.HasPrefix(id, first) || !strings.HasSuffix(id, last) {
		return false
	}
	id = id[len(first) : len(id)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(id, part)
		if i < 0 {
			return false
		}
		id = id[i+len(part):]
	}
	return true
}

// ledger holds the entries of a baseline during a run.
type ledger struct {
	entries []Entry
	expired []bool
	matched []bool
	used    []bool

	byName   map[string][]int // entries without *, by their case or the recipe as it is printed
	patterns []int            // entries with *
	recipes  []generators.Recipe
	excused  *index // recipes of entries that were seen to deviate
}

func newLedger(entries []Entry, today time.Time, catalogue *generators.Catalogue) *ledger {
	l := &ledger{
		entries: entries, expired: make([]bool, len(entries)), matched: make([]bool, len(entries)), used: make([]bool, len(entries)),
		byName: map[string][]int{}, excused: newIndex(false),
	}
	day := today.Format(time.DateOnly)
	for i, e := range entries {
		l.expired[i] = e.Until != "" && e.Until < day
		if strings.Contains(e.Case, "*") {
			l.patterns = append(l.patterns, i)
			continue
		}
		name := e.Case
		if recipe, err := catalogue.Parse(e.Case); err == nil {
			name = catalogue.Format(recipe)
			if len(l.byName[name]) == 0 {
				l.recipes = append(l.recipes, recipe)
			}
		}
		l.byName[name] = append(l.byName[name], i)
	}
	return l
}

// naming yields the entries that name a case.
func (l *ledger) naming(id string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, i := range l.byName[id] {
			if !yield(i) {
				return
			}
		}
		for _, i := range l.patterns {
			if matches(l.entries[i].Case, id) && !yield(i) {
				return
			}
		}
	}
}

// ran takes down that a case was run.
func (l *ledger) ran(id string) {
	for i := range l.naming(id) {
		l.matched[i] = true
	}
}

// covers tells whether an entry that still counts names a deviation, or the
// recipe of one that was seen to deviate excuses it.
func (l *ledger) covers(id string, it *item, d Deviation, saw string) bool {
	found := false
	for i := range l.naming(id) {
		if l.entries[i].Saw != saw || l.expired[i] {
			continue
		}
		l.used[i], found = true, true
		if it.generated && !strings.Contains(l.entries[i].Case, "*") && !l.excuses(it.recipe, d, saw) {
			l.excused.add(it.recipe, d, saw, 0)
		}
	}
	return found || it.generated && l.excuses(it.recipe, d, saw)
}

// excuses tells whether the recipe of an entry that was seen to deviate is
// within another.
func (l *ledger) excuses(r generators.Recipe, d Deviation, saw string) bool {
	_, ok := l.excused.find(r, d, saw)
	return ok
}

// close gives the entries that are at fault. In a run that was not complete an
// entry may still have found its case later.
func (l *ledger) close(complete bool) (stale, unmatched, expired []Entry) {
	for i, e := range l.entries {
		switch {
		case l.expired[i]:
			expired = append(expired, e)
		case l.used[i] || !complete:
		case l.matched[i]:
			stale = append(stale, e)
		default:
			unmatched = append(unmatched, e)
		}
	}
	return stale, unmatched, expired
}
