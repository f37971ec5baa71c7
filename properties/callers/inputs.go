package callers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/loopback"
	"github.com/replyproof/replyproof/properties/runner"
)

// input is what the caller has for a request for input.
func input(key, method string) (json.RawMessage, bool) {
	if method != elicit {
		return nil, false
	}
	text, err := json.Marshal("for " + key)
	return json.RawMessage(`{"action":"accept","content":{"answer":` + string(text) + `}}`), err == nil
}

// answerable tells whether the caller of a sequence can answer.
func (a *answer) canBeAnswered(t *Transcript) bool {
	return a.usable && a.asked.answerable && (t.Call.Input != nil || len(a.asked.keys) == 0)
}

// rounds are the answers to requests for input that could be answered.
func (t *Transcript) rounds(yield func(resend) bool) {
	for r := range t.resends() {
		if r.leave() == leaveInputs && r.first.answer.canBeAnswered(t) && !yield(r) {
			return
		}
	}
}

func inputsInForm(t *Transcript) *Breach {
	for r := range t.resends() {
		if r.leave() != leaveInputs || r.first.answer.canBeAnswered(t) {
			continue
		}
		why := "the request for input has not the form of the protocol"
		if r.first.answer.usable {
			why = "the caller does not have the input"
		}
		return r.repeated("no other POST: " + why)
	}
	return nil
}

func stateEchoed(t *Transcript) *Breach {
	for r := range t.rounds {
		if want := r.first.answer.state; want != "" && !loopback.SameText(json.RawMessage(want), r.again.State) {
			return &Breach{runner.MixedLayers, "requestState " + want, shown(r.again.State)}
		}
	}
	return nil
}

func noStaleState(t *Transcript) *Breach {
	for r := range t.rounds {
		if r.first.answer.state == "" && r.again.State != nil {
			return &Breach{runner.MixedLayers, "no requestState: the answer had none", shown(r.again.State)}
		}
	}
	return nil
}

func responseKeys(t *Transcript) *Breach {
	for r := range t.rounds {
		keys := slices.Sorted(slices.Values(r.first.answer.asked.keys))
		if len(keys) == 0 {
			if len(r.again.Keys) > 0 && r.first.answer.asked.text != "" {
				return &Breach{runner.MixedLayers, "inputResponses with no names", shown(r.again.Responses)}
			}
			continue
		}
		if got := slices.Sorted(maps.Keys(r.again.Keys)); !slices.Equal(got, keys) {
			return &Breach{runner.MixedLayers, fmt.Sprintf("inputResponses with the names %q", keys), fmt.Sprintf("%q", got)}
		}
		for _, key := range keys {
			if want, _ := input(key, elicit); !loopback.SameJSON(want, r.again.Keys[key]) {
				return &Breach{runner.MixedLayers, fmt.Sprintf("inputResponses %q: %s", key, want), string(r.again.Keys[key])}
			}
		}
	}
	return nil
}

func stateOnly(t *Transcript) *Breach {
	for r := range t.rounds {
		if r.first.answer.asked.text == "" && r.again.Responses != nil {
			return &Breach{runner.MixedLayers, "no inputResponses: none were asked for", shown(r.again.Responses)}
		}
	}
	return nil
}

func tenRounds(t *Transcript) *Breach {
	for r := range t.rounds {
		if r.rounds >= classifier.DefaultPolicy().InputRounds {
			return r.repeated("no more than ten rounds of input")
		}
	}
	return nil
}
