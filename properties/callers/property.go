package callers

import (
	"fmt"
	"slices"

	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// Property is something that holds for every right caller.
type Property struct {
	Name string // in kebab-case, unique in All
	Rule string // the rule or the section that it rests on
	Doc  string // one sentence, what holds
	// Check tells what is wrong with a call, or gives nil.
	Check func(t *Transcript) *Breach
}

// Breach is a property that does not hold.
type Breach struct {
	Deviation runner.Deviation
	Want, Got string
}

// All lists the properties.
func All() []Property { return slices.Clone(all) }

const (
	leaveRule = "Leave"
	againRule = "May it be sent again?"
)

var all = []Property{
	{"ends", againRule, "A call ends: the caller neither panics nor hangs, nor sends it for ever.", ends},
	{"told", "all", "What is told of a call is what the last answer to it says.", told},
	{"request-form", "7", "Each POST of a call is a JSON-RPC request with a string or an integer for its id.", requestForm},
	{"retry-only-safe", leaveRule, "A call that failed on its way is sent again only if it is known to be safe.", retryOnlySafe},
	{"over-is-over", leaveRule, "An answer that ends the call, or leaves it to a person, is followed by no other POST of it.", overIsOver},
	{"change-first", leaveRule, "After a refusal the call is sent again only once what was refused has changed.", changeFirst},
	{"two-retries", againRule, "A call that failed on its way is sent again at most twice.", twoRetries},
	{"retry-after", againRule, "A call is not sent again before the time that Retry-After names.", retryAfter},
	{"backoff", againRule, "A call that failed is sent again after 200 ms at the earliest, and after 400 ms the second time.", backoff},
	{"longest-wait", againRule, "A call that has to wait longer than a minute is not sent again without asking.", longestWait},
	{"time-left", againRule, "A call is not sent again if the wait is as long as the time that is left.", timeLeft},
	{"fresh-id", againRule, "A call that is sent again has a new id, unless a redirect is followed.", freshID},
	{"same-call", againRule, "A call that is sent again is the same call: name, arguments, state and inputs.", sameCall},
	{"inputs-in-form", againRule, "A request for input is answered only if it has the form of the protocol and the inputs are there.", inputsInForm},
	{"state-echoed", againRule, "A requestState is sent back as it came, code unit for code unit.", stateEchoed},
	{"no-stale-state", againRule, "Where the last request for input had no requestState, none is sent.", noStaleState},
	{"response-keys", againRule, "inputResponses has the names of inputRequests, and the answers that were given for them.", responseKeys},
	{"state-only", againRule, "A request for input that holds a state alone is answered without inputResponses.", stateOnly},
	{"ten-rounds", againRule, "Requests for input are answered at most ten times in one call.", tenRounds},
	{"first-is-fresh", againRule, "The first POST of a call has neither requestState nor inputResponses.", firstIsFresh},
	{"connection-lives", "DEAD_CONNECTION", "Whatever came of a call, the next one on the same connection works.", connectionLives},
	{"notifications-change-nothing", "S4", "A response in a stream, with notifications before it, does what it does as a JSON body.", notificationsChangeNothing},
	{"redirect-keeps-post", "1", "A redirect makes no other request than the same POST.", redirectKeepsPost},
}

func ends(t *Transcript) *Breach {
	switch {
	case t.Panicked != "":
		return &Breach{runner.Crash, "an end of the call", "panic: " + t.Panicked}
	case t.Hung:
		return &Breach{runner.Hang, "an end of the call", fmt.Sprintf("none, %d POSTs after its begin", len(t.Calls()))}
	case t.Endless:
		return &Breach{runner.RepeatedCall, "an end of the call", fmt.Sprintf("it was sent more than %d times", maxPosts)}
	}
	return nil
}

// over tells whether the call came to an end by itself.
func (t *Transcript) over() bool { return t.Panicked == "" && !t.Hung && !t.Endless }

// everyWord are the words that a caller tells unless it says otherwise.
var everyWord = func() subject.Tells {
	words := append(subject.AllOutcomes().Words(), subject.WordSuccess, subject.WordRPCError, subject.WordError)
	tells, err := subject.ParseTells(words)
	if err != nil {
		panic(err)
	}
	return tells
}()

func told(t *Transcript) *Breach {
	last := t.last()
	if last == nil || !t.over() {
		return nil
	}
	expect := last.made.Expect
	covered, ok := t.cover(t.Told.Saw)
	if !ok {
		return &Breach{runner.MixedLayers, "a word for what was seen", fmt.Sprintf("%q", t.Told.Saw)}
	}
	d := runner.Compare(expect.Outcome, runner.Allowed(last.made), covered)
	if d == 0 && !runner.SameCode(expect.Code, t.Told.Code) {
		d = runner.MixedLayers
	}
	if d == 0 {
		return nil
	}
	want := expect.Outcome.String()
	if expect.Code != "" {
		want += " " + expect.Code
	}
	return &Breach{d, want + ", as the last answer says", t.Told.Saw + " " + t.Told.Code}
}

func requestForm(t *Transcript) *Breach {
	for _, s := range t.Calls() {
		if s.Fault != "" {
			return &Breach{runner.MixedLayers, "a JSON-RPC request", s.Fault}
		}
	}
	return nil
}

func connectionLives(t *Transcript) *Breach {
	if t.Next == nil || !t.over() {
		return nil
	}
	if saw, _ := t.cover(t.Next.Told.Saw); t.Next.over() && saw == success && len(t.Next.Calls()) == 1 {
		return nil
	}
	return &Breach{runner.DeadConnection, "one POST of the next call, and its success",
		fmt.Sprintf("%d POSTs, %s", len(t.Next.Calls()), t.Next.outcome())}
}

// outcome is what came of a call, in a word or two.
func (t *Transcript) outcome() string {
	switch {
	case t.Panicked != "":
		return "a panic"
	case t.Hung:
		return "no end"
	case t.Endless:
		return "no end of POSTs"
	}
	return fmt.Sprintf("told %q", t.Told.Saw)
}

func notificationsChangeNothing(t *Transcript) *Breach {
	if t.Plain == nil || !t.over() || !t.Plain.over() {
		return nil
	}
	with, without := t.Calls(), t.Plain.Calls()
	if len(with) != len(without) || t.Told != t.Plain.Told {
		return &Breach{runner.MixedLayers, fmt.Sprintf("%d POSTs, %s, as with JSON bodies", len(without), t.Plain.outcome()),
			fmt.Sprintf("%d POSTs, %s", len(with), t.outcome())}
	}
	for i := range with {
		if !sameParams(with[i], without[i]) {
			return &Breach{runner.MixedLayers, fmt.Sprintf("POST %d as with JSON bodies: %s", i+1, without[i].Body), string(with[i].Body)}
		}
	}
	return nil
}

func redirectKeepsPost(t *Transcript) *Breach {
	for _, s := range t.Sent {
		if s.Moved() && s.HTTPMethod != "POST" {
			return &Breach{runner.MixedLayers, "the same POST, or none", "a " + s.HTTPMethod}
		}
	}
	return nil
}
