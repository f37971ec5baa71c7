package runner

import (
	"fmt"
	"slices"
	"time"

	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/subject"
)

// State is where a run stands between two cases, with all that it has found: what
// a later run needs to go on as if there had been one. It is for JSON, and means
// nothing but to [Options.Resume], with the same cases, catalogue and seed.
type State struct {
	Used    time.Duration `json:"used"` // of Options.For
	Subject string        `json:"subject"`

	Fixed  int      `json:"fixed"` // cases before the random ones that are done
	Random bool     `json:"random"`
	Drawn  int      `json:"drawn"` // random recipes
	Source uint64   `json:"source"`
	Round  []string `json:"round"` // of its recipes, those to come

	Counts     Counts         `json:"counts"`
	Skips      map[string]int `json:"skips"`
	Shrinks    int            `json:"shrinks"`
	Causes     []savedCause   `json:"causes"`
	Explained  []savedRecipe  `json:"explained"`
	Deviating  []savedKnown   `json:"deviating"`
	Flaky      []Flaky        `json:"flaky"`
	Observed   []Observed     `json:"observed"`
	Faults     []FaultCount   `json:"faults"`
	Steering   savedSteering  `json:"steering"`
	Matched    []bool         `json:"matched,omitempty"` // of the baseline's entries
	Excusing   []bool         `json:"excusing,omitempty"`
	ExcusedFor []savedRecipe  `json:"excused,omitempty"`
}

type savedCause struct {
	Cause     Cause    `json:"cause"` // without its wire
	Generated bool     `json:"generated"`
	Rule      string   `json:"rule"`
	Trace     []string `json:"trace"`
}

type savedRecipe struct {
	Recipe    string    `json:"recipe"`
	Deviation Deviation `json:"deviation"`
	Word      string    `json:"word"`
	Value     int       `json:"value"`
}

type savedKnown struct {
	ID, Saw, Reason string
	Deviation       Deviation
	Generated       bool
}

type savedSteering struct {
	Tried, Fresh, Deviated []int
	Classes, Seen          []savedClass
	Rounds                 int
}

type savedClass struct {
	Outcome, Reason, Word string
	Status, Posts         int
	Dead                  bool
}

// saving is when a run last handed out its state, and what that cost.
type saving struct {
	at   time.Time
	cost time.Duration
}

// save hands the state out if that is asked for and is due: as often as Options
// say, but for no more than a fiftieth of the time.
func (r *run) save(used time.Duration, now bool) error {
	if r.o.Save == nil {
		return nil
	}
	if every := r.o.SaveEvery; !now && every > 0 && time.Since(r.saved.at) < max(every, 50*r.saved.cost) {
		return nil
	}
	began := time.Now()
	err := r.o.Save(r.state(used))
	r.saved = saving{time.Now(), time.Since(began)}
	return err
}

func (r *run) state(used time.Duration) *State {
	format := r.o.Catalogue.Format
	s := &State{
		Used: used, Subject: named(r.result.Subject), Fixed: r.fixed, Random: r.random, Drawn: r.drawn, Source: r.source.State(),
		Counts: r.result.Counts, Skips: r.result.Skips, Shrinks: r.shrinks, Explained: r.explained.saved(format),
		Flaky: r.result.Flaky, Observed: r.result.Observed, Faults: r.faults, Steering: r.steering.saved(),
	}
	for _, recipe := range r.round {
		s.Round = append(s.Round, format(recipe))
	}
	for _, c := range r.causes {
		one := savedCause{Cause: c.Cause, Generated: c.generated, Rule: c.rule, Trace: c.Trace()}
		one.Cause.Saw.Wire, one.Cause.Saw.Played = nil, nil
		s.Causes = append(s.Causes, one)
	}
	for _, k := range r.result.deviating {
		s.Deviating = append(s.Deviating, savedKnown{k.id, k.saw, k.reason, k.deviation, k.generated})
	}
	if r.baseline != nil {
		s.Matched, s.Excusing, s.ExcusedFor = r.baseline.matched, r.baseline.used, r.baseline.excused.saved(format)
	}
	return s
}

// resume takes the state of an earlier run up.
func (r *run) resume(s *State) error {
	if is := named(r.result.Subject); s.Subject != is {
		return fmt.Errorf("go on with a run: it was of %s, and the subject is now %s: begin anew", s.Subject, is)
	}
	parse := func(text string) (generators.Recipe, error) {
		recipe, err := r.o.Catalogue.Parse(text)
		if err != nil {
			err = fmt.Errorf("go on with a run: it is of another catalogue of faults: %w", err)
		}
		return recipe, err
	}
	if len(s.Steering.Tried) != len(r.steering.tried) || s.Faults != nil && len(s.Faults) != r.o.Catalogue.Len()+1 {
		return fmt.Errorf("go on with a run: it is of a catalogue of %d faults, not of %d", len(s.Steering.Tried), len(r.steering.tried))
	}
	if wrong := s.unfit(); wrong != "" {
		return fmt.Errorf("go on with a run: its state is not as a run leaves one: %s: begin anew", wrong)
	}
	r.skip, r.fixed, r.random, r.drawn, r.source, r.used = s.Fixed, s.Fixed, s.Random, s.Drawn, generators.PlainAt(s.Source), s.Used
	for _, text := range s.Round {
		recipe, err := parse(text)
		if err != nil {
			return err
		}
		r.round = append(r.round, recipe)
	}
	r.result.Counts, r.shrinks, r.faults = s.Counts, s.Shrinks, s.Faults
	r.result.Flaky, r.result.Observed = s.Flaky, s.Observed
	for why, n := range s.Skips {
		r.result.Skips[why] = n
	}
	for _, saved := range s.Causes {
		c := &cause{Cause: saved.Cause, generated: saved.Generated, rule: saved.Rule, word: Word(saved.Cause.Saw)}
		c.trace = saved.Trace
		if c.generated {
			var err error
			if c.recipe, err = parse(c.Recipe); err != nil {
				return err
			}
		}
		r.causes = append(r.causes, c)
	}
	if err := r.explained.load(s.Explained, parse); err != nil {
		return err
	}
	for _, k := range s.Deviating {
		r.result.deviating = append(r.result.deviating, known{k.ID, k.Saw, k.Reason, k.Deviation, k.Generated})
		if k.Generated {
			recipe, err := parse(k.ID)
			if err != nil {
				return err
			}
			r.remembered.add(recipe, k.Deviation, k.Saw, 0)
		}
	}
	r.steering.load(s.Steering)
	if r.baseline == nil {
		return nil
	}
	if len(s.Matched) != len(r.baseline.entries) || len(s.Excusing) != len(r.baseline.entries) {
		return fmt.Errorf("go on with a run: its baseline had %d entries, and this one has %d", len(s.Matched), len(r.baseline.entries))
	}
	r.baseline.matched, r.baseline.used = s.Matched, s.Excusing
	return r.baseline.excused.load(s.ExcusedFor, parse)
}

// unfit tells what no run leaves so in its state, and would end the one that goes on
// with it later, or have it tell less; "" if there is nothing.
func (s *State) unfit() string {
	faults := len(s.Steering.Tried)
	if len(s.Steering.Fresh) != faults || len(s.Steering.Deviated) != faults {
		return "the counts of the search are not of the same faults"
	}
	if s.Used < 0 || s.Fixed < 0 || s.Drawn < 0 || s.Shrinks < 0 {
		return "a count is below zero"
	}
	if passed := s.Fixed + s.Drawn; passed != s.Counts.Cases {
		return fmt.Sprintf("%d cases are passed over, and %d were counted", passed, s.Counts.Cases)
	}
	for _, one := range s.Explained {
		if one.Value < 0 || one.Value >= len(s.Causes) {
			return fmt.Sprintf("%s is put down to cause %d of %d", one.Recipe, one.Value, len(s.Causes))
		}
	}
	for _, one := range s.Causes {
		if one.Cause.Deviation == 0 {
			return "a cause has no deviation"
		}
	}
	for _, one := range s.Faults {
		if one.Worst != nil && one.Worst.Deviation == 0 {
			return "the worst case of a fault has no deviation"
		}
	}
	return ""
}

// named is what must be the same of a subject for a run to be gone on with.
func named(s subject.Info) string {
	return fmt.Sprintf("%s %s (%s, protocol version %q) that tells %q", s.Name, s.Version, s.Kind, s.ProtocolVersion, s.Tells.Words())
}

func (x *index) saved(format func(generators.Recipe) string) (all []savedRecipe) {
	for k, list := range x.under {
		for _, one := range list {
			all = append(all, savedRecipe{format(one.recipe), k.deviation, k.word, one.value})
		}
	}
	return all
}

func (x *index) load(all []savedRecipe, parse func(string) (generators.Recipe, error)) error {
	for _, one := range all {
		recipe, err := parse(one.Recipe)
		if err != nil {
			return err
		}
		x.add(recipe, one.Deviation, one.Word, one.Value)
	}
	return nil
}

func (s *steering) saved() savedSteering {
	return savedSteering{Tried: slices.Clone(s.tried), Fresh: slices.Clone(s.fresh), Deviated: slices.Clone(s.deviated),
		Classes: savedClasses(s.classes), Seen: savedClasses(s.seen), Rounds: s.rounds}
}

func (s *steering) load(saved savedSteering) {
	s.tried, s.fresh, s.deviated, s.rounds = saved.Tried, saved.Fresh, saved.Deviated, saved.Rounds
	loadClasses(s.classes, saved.Classes)
	loadClasses(s.seen, saved.Seen)
}

func savedClasses(of map[class]bool) (all []savedClass) {
	for k := range of {
		all = append(all, savedClass{k.outcome, k.reason, k.word, k.status, k.posts, k.dead})
	}
	return all
}

func loadClasses(into map[class]bool, all []savedClass) {
	for _, k := range all {
		into[class{k.Outcome, k.Reason, k.Word, k.Status, k.Posts, k.Dead}] = true
	}
}
