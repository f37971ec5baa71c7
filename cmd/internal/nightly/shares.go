package nightly

import "time"

// The rule by which targets share the night: time goes by rounds, and the next
// round to the target that has had the least time for its weight. A target that
// is new, with no input kept from earlier, weighs 4 as long as each round finds
// something; one whose last round found something weighs 2; any other weighs 1.
// So each gets its turn, and what still finds gets more.
const (
	weightNew    = 4
	weightFinds  = 2
	weightSpent  = 1
	roundLongest = 2 * time.Minute
	// roundLeast is a round in which the engine does more than replay what
	// earlier nights have kept, and long enough for it to see a target hang,
	// for which it waits ten seconds.
	roundLeast = 15 * time.Second
	// roundsEach is how many rounds a target gets in a night that is neither
	// very short nor very long.
	roundsEach = 2
	// A round is at least so many times as long as the engine takes to get
	// ready for it, since it replays all inputs first, but no longer than
	// roundMost for that.
	roundWorth = 25
	roundMost  = 5 * time.Minute
)

// share is what one target has had.
type share struct {
	isNew  bool // no input was kept from earlier nights
	finds  bool // the last round found something, or there was none yet
	rounds int
	start  time.Duration // that the engine took to get ready the last time
	out    bool          // gets no more rounds
	had    float64       // seconds for its weight
}

func (s *share) weight() float64 {
	switch {
	case s.isNew && s.finds:
		return weightNew
	case s.finds:
		return weightFinds
	}
	return weightSpent
}

// book counts a round.
func (s *share) book(d time.Duration, found bool) {
	s.had += d.Seconds() / s.weight()
	s.rounds++
	s.finds = found
	s.isNew = s.isNew && found
}

// roundLength is how long the rounds of a night are. A night too short for a
// round of that length for each has one round for each.
func roundLength(night time.Duration, targets int) time.Duration {
	each := night / time.Duration(max(targets, 1))
	if each < roundLeast {
		return max(each, time.Second)
	}
	if targets == 1 {
		return min(each, roundLongest) // nobody waits: the inputs are replayed once
	}
	return min(max(each/roundsEach, roundLeast), roundLongest)
}

// next is the index of the target whose turn it is, and for how long; -1 when
// the night is over. Every target gets one round, of a second at least, however
// late it is.
func next(shares []*share, round, left time.Duration) (index int, d time.Duration) {
	index, waiting := -1, 0
	for i, s := range shares {
		if s.out {
			continue
		}
		if s.rounds == 0 {
			waiting++
		}
		if index < 0 || s.rounds == 0 && shares[index].rounds > 0 ||
			(s.rounds == 0) == (shares[index].rounds == 0) && s.had < shares[index].had {
			index = i
		}
	}
	switch {
	case index < 0:
		return -1, 0
	case waiting > 0:
		// What is left must do for those that have had none.
		return index, max(min(round, left/time.Duration(waiting)), time.Second)
	case left < max(min(round, roundLeast)/2, time.Second):
		return -1, 0
	}
	round = max(round, min(roundWorth*shares[index].start, roundMost))
	if left < round+min(round, roundLeast) {
		return index, left
	}
	return index, round
}
