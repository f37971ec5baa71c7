package scenario

import (
	"encoding/json"
	"fmt"

	"github.com/replyproof/replyproof/properties/loopback"
)

type compat struct {
	Reason string `json:"defaultCloseReason" doc:"the reason that the person is offered"`
	Prompt string `json:"promptMessage" doc:"what the person is asked"`
}

var compatScenarios = []Scenario{
	define("compat.sdk_v2", "Which eras and features this host serves, as a matrix; a tool for each of them; no sessions.",
		compat{"completed", "Close the ticket?"}, func(s compat) (func() *play, error) {
			return func() *play {
				r := rounds{approval: approval{Prompt: s.Prompt, Title: "Reason, such as " + s.Reason, MaxLength: 200, Mode: "form", Rounds: 1}, given: make(map[string]int)}
				return &play{stateless: true, list: listOf(compatTools), offers: offering(Tool, closeTool, showTool, regionTool), call: func(q *query) *reply { return compatible(q, &r) }}
			}, nil
		}),
}

const (
	closeTool  = "simulate_ticket_close_mrtr"
	showTool   = "show_negotiated_mcp_protocol"
	regionTool = "verify_order_region_param_header"
)

var compatTools = join(
	tool(Tool, "Tells the matrix of eras and features.", ""),
	tool(closeTool, "Closes a ticket: with closeReason at once, or by asking for it.", `"closeReason":{"type":"string"}`),
	tool(showTool, "Tells the version of the protocol, the session and the header fields of this very request.", ""),
	tool(regionTool, "Wants its argument region in the header field Mcp-Param-Region too.", `"region":{"type":"string","x-mcp-header":"Region"}`),
)

// cell is one line of the matrix.
type cell struct {
	Protocol  string `json:"protocol"`
	Session   string `json:"session"`
	Inputs    string `json:"mrtr"`
	Available bool   `json:"available"`
	Note      string `json:"note"`
}

// matrix is what the host serves in this scenario.
var matrix = []cell{
	{loopback.Modern, "stateless", "native", true, closeTool + " asks by inputRequests and requestState."},
	{loopback.Modern, "stateful", "native", false, "This revision has no sessions."},
	{"2025-11-25", "stateful", "elicitation/create on a stream", false, "This scenario gives no sessions."},
	{"2025-11-25", "stateless", "none", true, closeTool + " asks to be called again with closeReason."},
}

func compatible(q *query, r *rounds) *reply {
	switch q.Params.Name {
	case Tool:
		text, err := json.Marshal(struct {
			Matrix []cell   `json:"compatMatrix"`
			Yours  string   `json:"yourProtocol"`
			Older  []string `json:"olderProtocols"`
		}{matrix, q.version, loopback.Legacy()})
		if err != nil {
			return q.fault(500, -32603, err.Error(), "")
		}
		return q.result(told(string(text), false) + `,"structuredContent":` + string(text))
	case closeTool:
		if reason := q.argument("closeReason"); reason != "" {
			return q.result(told("Closed, since: "+clip(reason), false)).saying("closeReason was given")
		}
		return r.call(q)
	case showTool:
		fields := map[string]string{"protocolVersion": q.version, "session": q.session}
		for _, name := range []string{"Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Accept", "User-Agent"} {
			fields[name] = q.header.Get(name)
		}
		text, err := json.Marshal(fields)
		if err != nil {
			return q.fault(500, -32603, err.Error(), "")
		}
		return q.result(told(string(text), false) + `,"structuredContent":` + string(text))
	case regionTool:
		return q.region()
	}
	return nil
}

// region compares an argument with the header field that must repeat it.
func (q *query) region() *reply {
	const field = "Mcp-Param-Region"
	argument := q.argument("region")
	value, ok := decoded(q.header.Get(field))
	switch {
	case !q.modern:
		return q.result(told("Region "+clip(argument)+"; your version of the protocol has no such header field.", false))
	case !ok || value != argument:
		why := fmt.Sprintf("Header mismatch: %s header value %q does not match body value %q", field, clip(q.header.Get(field)), clip(argument))
		return q.fault(400, -32020, why, "").saying(why)
	}
	return q.result(told("Region "+clip(argument)+", in the header field too.", false)).saying(field + " is right")
}
