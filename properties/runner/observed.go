package runner

import (
	"github.com/replyproof/replyproof/properties/subject"
)

// Became is what became of a case in a run.
type Became string

// What can become of a case.
const (
	Passed     Became = "passed"
	Skipped    Became = "skipped"
	Deviated   Became = "deviated"
	Known      Became = "known"      // it deviated as the baseline names it
	Ignored    Became = "ignored"    // it deviated, below the severity that counts
	Unrepeated Became = "unrepeated" // it deviated, and not when it was run again alone
)

// Observed is what a run saw of one case of a corpus. Generated cases are too
// many to be kept one by one; see FaultCount.
type Observed struct {
	Case   string `json:"case"` // its id
	Became Became `json:"became"`
	// Deviation is 0 for a case that passed or was skipped.
	Deviation Deviation `json:"deviation,omitempty"`
	Saw       string    `json:"saw,omitempty"` // as in a baseline
	Code      string    `json:"code,omitempty"`
	Status    *int      `json:"status,omitempty"`
	// Text is what the subject said beyond that, if the case deviated, and why
	// it was skipped if it was; cut to 200 bytes.
	Text string `json:"text,omitempty"`
}

// FaultCount counts the generated cases of one fault of the catalogue. Those in
// which the fault stands alone tell what a subject makes of it; those in which
// it stands with others are counted apart, since another may be what counts.
type FaultCount struct {
	// Fault is its name; "" for the cases that have no fault at all.
	Fault string `json:"fault"`

	Cases      int `json:"cases"`
	Passed     int `json:"passed"`
	Skipped    int `json:"skipped,omitempty"`
	Known      int `json:"known,omitempty"`
	Ignored    int `json:"ignored,omitempty"`
	Unrepeated int `json:"unrepeated,omitempty"`
	// ByDeviation counts those that deviated, the known and the ignored among
	// them, by their word.
	ByDeviation map[Deviation]int `json:"by_deviation,omitempty"`
	// Worst is the first case with the gravest deviation; nil if none deviated.
	Worst *Worst `json:"worst,omitempty"`

	// Together and TogetherDeviated count the cases with this fault and others.
	Together         int `json:"together,omitempty"`
	TogetherDeviated int `json:"together_deviated,omitempty"`
}

// Worst is a generated case that deviated.
type Worst struct {
	Recipe    string    `json:"recipe"`
	Deviation Deviation `json:"deviation"`
	Saw       string    `json:"saw"` // as in a baseline
}

// maxObserved bounds the cases of a corpus that are kept one by one.
const maxObserved = 20_000

// mostText bounds what is kept of what a subject says of a case.
const mostText = 200

// observe takes down what became of a case, as book tells it.
func (r *run) observe(it *item, o subject.Observation, became Became, d Deviation) {
	if it.generated {
		r.observeFaults(it, o, became, d)
		return
	}
	if len(r.result.Observed) >= maxObserved {
		return
	}
	seen := Observed{Case: it.id, Became: became, Deviation: d, Code: o.Code, Status: o.Status}
	if became != Skipped {
		seen.Saw = Word(o)
	}
	if became != Passed {
		seen.Text = clean(o.Text[:min(len(o.Text), mostText)])
	}
	r.result.Observed = append(r.result.Observed, seen)
}

func (r *run) observeFaults(it *item, o subject.Observation, became Became, d Deviation) {
	if r.faults == nil {
		r.faults = make([]FaultCount, r.o.Catalogue.Len()+1)
	}
	if picks := it.recipe.Picks(); len(picks) > 1 {
		for _, pick := range picks {
			f := &r.faults[pick.Fault]
			f.Together++
			if became != Passed && became != Skipped && became != Unrepeated {
				f.TogetherDeviated++
			}
		}
		return
	}
	f := &r.faults[it.recipe.Faults[0].Fault]
	f.Cases++
	switch became {
	case Passed:
		f.Passed++
		return
	case Skipped:
		f.Skipped++
		return
	case Unrepeated:
		f.Unrepeated++
		return
	case Known:
		f.Known++
	case Ignored:
		f.Ignored++
	}
	if f.ByDeviation == nil {
		f.ByDeviation = make(map[Deviation]int)
	}
	f.ByDeviation[d]++
	if f.Worst == nil || d < f.Worst.Deviation {
		f.Worst = &Worst{Recipe: r.name(it), Deviation: d, Saw: Word(o)}
	}
}

// countedFaults are the counts of the faults that were met, in the catalogue's
// order, those without a fault first.
func (r *run) countedFaults() []FaultCount {
	if r.faults == nil {
		return nil
	}
	var met []FaultCount
	add := func(name string, f FaultCount) {
		if f.Cases > 0 || f.Together > 0 {
			f.Fault = name
			met = append(met, f)
		}
	}
	add("", r.faults[0])
	i := 0
	for fault := range r.o.Catalogue.All() {
		i++
		add(fault.Name, r.faults[i])
	}
	return met
}
