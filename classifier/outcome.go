package classifier

import (
	"fmt"
	"strings"
)

// Outcome is what an answer amounts to. The first eight are those of the
// article the project implements; the rest lie where the article has no input.
// The zero value is no outcome and never in a verdict.
type Outcome uint8

const (
	// ToolSuccess is a final result; the tool did not fail.
	ToolSuccess Outcome = iota + 1
	// ToolError is a final result with isError true: the protocol worked, the tool failed.
	ToolError
	// InputRequired is not final: inputs are to be gathered and the call sent again under a new id.
	InputRequired
	// JSONRPCError is a JSON-RPC error; there is no tool result.
	JSONRPCError
	// MalformedJSON is an answer whose JSON is not JSON.
	MalformedJSON
	// InvalidEnvelope is JSON, but not the response to this request.
	InvalidEnvelope
	// InvalidToolResult is a response whose result is not a tool result.
	InvalidToolResult
	// HTTPError is a status outside 200 to 299; side effects are unknown.
	HTTPError
	// NoFinalResponse is a 2xx, or no answer at all, that never carried the final response.
	NoFinalResponse
	// UnexpectedContentType is a 2xx in a media type or content coding that cannot be read.
	UnexpectedContentType
	// Accepted is the empty 202 that a notification gets. Notifications only.
	Accepted
	// UnexpectedReply is any other 2xx to a notification. Notifications only.
	UnexpectedReply

	outcomeEnd
)

// Layer is where an answer failed or was settled.
type Layer uint8

const (
	// Transport is HTTP: status, media type, codings, completeness.
	Transport Layer = iota + 1
	// Protocol is JSON and the JSON-RPC envelope.
	Protocol
	// Application is the tool itself.
	Application
	// Interaction is a call that waits for inputs.
	Interaction

	layerEnd
)

var layerNames = [layerEnd]string{Transport: "transport", Protocol: "protocol", Application: "application", Interaction: "interaction"}

var outcomes = [outcomeEnd]struct {
	name  string
	layer Layer
}{
	ToolSuccess:           {"TOOL_SUCCESS", Application},
	ToolError:             {"TOOL_ERROR", Application},
	InputRequired:         {"INPUT_REQUIRED", Interaction},
	JSONRPCError:          {"JSONRPC_ERROR", Protocol},
	MalformedJSON:         {"MALFORMED_JSON", Protocol},
	InvalidEnvelope:       {"INVALID_ENVELOPE", Protocol},
	InvalidToolResult:     {"INVALID_TOOL_RESULT", Protocol},
	HTTPError:             {"HTTP_ERROR", Transport},
	NoFinalResponse:       {"NO_FINAL_RESPONSE", Transport},
	UnexpectedContentType: {"UNEXPECTED_CONTENT_TYPE", Transport},
	Accepted:              {"ACCEPTED", Transport},
	UnexpectedReply:       {"UNEXPECTED_REPLY", Transport},
}

// Outcomes lists every outcome in the order of its constants.
func Outcomes() []Outcome {
	all := make([]Outcome, 0, outcomeEnd-1)
	for o := ToolSuccess; o < outcomeEnd; o++ {
		all = append(all, o)
	}
	return all
}

// String is the outcome's name as reports and cases spell it, such as TOOL_SUCCESS.
func (o Outcome) String() string {
	if o == 0 || o >= outcomeEnd {
		return fmt.Sprintf("Outcome(%d)", uint8(o))
	}
	return outcomes[o].name
}

// Layer is the one layer to which the outcome belongs.
func (o Outcome) Layer() Layer {
	if o >= outcomeEnd {
		return 0
	}
	return outcomes[o].layer
}

// MarshalText writes the name; an outcome that is none is an error.
func (o Outcome) MarshalText() ([]byte, error) {
	if o == 0 || o >= outcomeEnd {
		return nil, fmt.Errorf("classifier: marshal outcome %d: not an outcome", uint8(o))
	}
	return []byte(o.String()), nil
}

// UnmarshalText reads a name, spelled exactly.
func (o *Outcome) UnmarshalText(text []byte) error {
	for i := ToolSuccess; i < outcomeEnd; i++ {
		if outcomes[i].name == string(text) {
			*o = i
			return nil
		}
	}
	var names []string
	for _, entry := range outcomes[ToolSuccess:outcomeEnd] {
		names = append(names, entry.name)
	}
	return fmt.Errorf("classifier: unknown outcome %.40q; the outcomes are %s", text, strings.Join(names, ", "))
}

// String is the layer's name in lower case.
func (l Layer) String() string {
	if l == 0 || l >= layerEnd {
		return fmt.Sprintf("Layer(%d)", uint8(l))
	}
	return layerNames[l]
}

// MarshalText writes the name; a layer that is none is an error.
func (l Layer) MarshalText() ([]byte, error) {
	if l == 0 || l >= layerEnd {
		return nil, fmt.Errorf("classifier: marshal layer %d: not a layer", uint8(l))
	}
	return []byte(l.String()), nil
}

// UnmarshalText reads a name, spelled exactly.
func (l *Layer) UnmarshalText(text []byte) error {
	for i := Transport; i < layerEnd; i++ {
		if layerNames[i] == string(text) {
			*l = i
			return nil
		}
	}
	return fmt.Errorf("classifier: unknown layer %.40q; the layers are transport, protocol, application, interaction", text)
}
