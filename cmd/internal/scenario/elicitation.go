package scenario

import (
	"crypto/rand"
	"encoding/json"
	"fmt"

	"github.com/replyproof/replyproof/properties/loopback"
)

type approval struct {
	Prompt    string `json:"promptMessage" doc:"what the person is asked"`
	Title     string `json:"reasonFieldTitle" doc:"title of the field for a reason"`
	MaxLength int    `json:"reasonMaxLength" doc:"longest reason in characters"`
	Required  bool   `json:"requireReason" doc:"whether a reason must be given"`
	Mode      string `json:"mode" doc:"form: the client asks; url: it opens a page; state: it asks nothing and sends the state back"`
	Rounds    int    `json:"rounds" doc:"how often inputs are asked for before the call is done"`
}

var elicitationScenarios = []Scenario{
	define("elicitation.approval", "A call asks for approval: in rounds with requestState, or for older clients by the argument closeReason.",
		approval{"Approve running this scenario? Give a short reason.", "Reason", 200, true, "form", 1}, func(s approval) (func() *play, error) {
			err := between("rounds", s.Rounds, 1, 100)
			if err == nil {
				least := 0
				if s.Required {
					least = 1 // a reason that must be given has a character
				}
				err = between("reasonMaxLength", s.MaxLength, least, 1_000_000)
			}
			if err == nil {
				err = oneOf("mode", s.Mode, "form", "url", "state")
			}
			return func() *play {
				r := rounds{approval: s, given: make(map[string]int)}
				return &play{list: listOf(approvalTool), call: r.call}
			}, err
		}),
}

var approvalTool = tool(Tool, "Does what it is asked once it is approved.", `"closeReason":{"type":"string","description":"Why; asked for where the client cannot be asked."}`)

// rounds is what a session has asked for and not yet got.
type rounds struct {
	approval
	given map[string]int // the round in which a state was given
	order []string       // of the states, the oldest first
}

// maxStates is how many states a session remembers.
const maxStates = 1000

func (r *rounds) call(q *query) *reply {
	if !q.modern {
		if reason := q.argument("closeReason"); reason != "" {
			return q.result(told("Done, since: "+clip(reason), false)).saying("closeReason was given")
		}
		return q.result(told("This server cannot ask you in your version of the protocol. Call this tool again with the argument closeReason, a short text.", true)).
			saying("closeReason is missing: the client is asked to call again with it")
	}
	if q.Params.RequestState == nil {
		if len(q.Params.InputResponses) > 0 {
			return q.fault(400, -32602, "inputResponses without the requestState that was given", "").saying("requestState is missing")
		}
		return r.ask(q, 1)
	}
	state, _ := loopback.Text(q.Params.RequestState)
	round, known := r.given[state]
	if !known {
		return q.fault(400, -32602, "requestState is not one that this server gave and still waits for", "").saying("requestState is not as it was given")
	}
	if r.Mode != "state" {
		action, reason, err := answered(q.Params.InputResponses)
		if err != nil {
			return q.fault(400, -32602, err.Error(), "").saying(err.Error())
		}
		if action != "accept" {
			delete(r.given, state)
			return q.result(told("Not approved: "+clip(action)+".", true)).saying("the person chose " + clip(action))
		}
		if r.Required && r.Mode == "form" && reason == "" {
			return r.ask(q, round).saying("no reason was given: asked again")
		}
	}
	delete(r.given, state)
	if round < r.Rounds {
		return r.ask(q, round+1)
	}
	return q.result(told("Approved; done.", false)).saying(fmt.Sprintf("requestState came back as it was given, after %d", round))
}

// ask asks for input.
func (r *rounds) ask(q *query, round int) *reply {
	if r.Mode != "state" && !q.can("elicitation") {
		return q.fault(400, -32021, "Server requires the elicitation capability for this request", `{"requiredCapabilities":{"elicitation":{}}}`).
			saying("the client has no elicitation")
	}
	state := fmt.Sprintf("round %d of %d é \"%s\"", round, r.Rounds, rand.Text())
	if r.order = append(r.order, state); len(r.order) > maxStates {
		delete(r.given, r.order[0])
		r.order = r.order[1:]
	}
	r.given[state] = round
	params := `"mode":"form","message":` + quoted(r.Prompt) + `,"requestedSchema":{"type":"object","properties":{"reason":{"type":"string","title":` +
		quoted(r.Title) + `,"maxLength":` + number(r.MaxLength) + `}}`
	if r.Required {
		params += `,"required":["reason"]`
	}
	params += `}`
	if r.Mode == "url" {
		params = `"mode":"url","message":` + quoted(r.Prompt) + `,"url":` + quoted(q.base+"/approve")
	}
	requests := ""
	if r.Mode != "state" {
		requests = `"inputRequests":{"approval":{"method":"elicitation/create","params":{` + params + `}}}`
	}
	return q.result(join(`"resultType":"input_required"`, requests, `"requestState":`+quoted(state))).
		saying(fmt.Sprintf("asks for input, round %d of %d", round, r.Rounds))
}

// answered is what the person chose, and the reason.
func answered(raw json.RawMessage) (action, reason string, err error) {
	var responses map[string]struct {
		Action  string         `json:"action"`
		Content map[string]any `json:"content"`
	}
	if json.Unmarshal(raw, &responses) != nil {
		return "", "", fmt.Errorf("inputResponses is %s, want an object with the key approval", clip(string(raw)))
	}
	response, ok := responses["approval"]
	if !ok {
		return "", "", fmt.Errorf("inputResponses has no key approval")
	}
	if err := oneOf("inputResponses.approval.action", response.Action, "accept", "decline", "cancel"); err != nil {
		return "", "", err
	}
	reason, _ = response.Content["reason"].(string)
	return response.Action, reason, nil
}
