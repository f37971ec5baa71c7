package classifier

import "fmt"

// Reason is the part of a rule that decided. Every verdict has exactly one.
type Reason uint8

// The reasons, in the order in which the rules try them.
const (
	ReasonHTTPStatus Reason = iota + 1

	ReasonContentTypeConflict
	ReasonContentTypeEmpty
	ReasonContentTypeList
	ReasonContentTypeForeign
	ReasonContentEncoding

	ReasonNoBody

	ReasonBodyCut
	ReasonDeadline
	ReasonCancelled
	ReasonSizeLimit

	ReasonJSONEmpty
	ReasonJSONSyntax
	ReasonJSONTrailing

	ReasonNotObject
	ReasonJSONRPCVersion
	ReasonIDMissing
	ReasonIDMismatch
	ReasonResultAndError
	ReasonNeitherResultNorError

	ReasonErrorNotObject
	ReasonErrorCode
	ReasonErrorMessage
	ReasonRPCError

	ReasonResultNotObject
	ReasonInputRequired
	ReasonResultType
	ReasonContentMissing
	ReasonContentNotArray
	ReasonIsErrorNotBoolean
	ReasonToolError
	ReasonToolSuccess

	ReasonNoResponseInStream

	ReasonAccepted
	ReasonUnexpectedReply

	ReasonConnect
	ReasonReset
	ReasonTLS

	reasonEnd
)

// Entry documents one word of a closed list: a reason or a finding.
type Entry struct {
	Name    string // kebab-case
	Rule    string // the rule that it belongs to, as replyproof explain tells it
	Meaning string // one sentence, what was seen
}

var reasons = [reasonEnd]Entry{
	ReasonHTTPStatus: {"http-status", "1", "the status is outside 200 to 299"},

	ReasonContentTypeConflict: {"content-type-conflict", "2", "several Content-Type lines name different media types"},
	ReasonContentTypeEmpty:    {"content-type-empty", "2", "the Content-Type names no media type"},
	ReasonContentTypeList:     {"content-type-list", "2", "the Content-Type holds a comma: a list, where one media type belongs"},
	ReasonContentTypeForeign:  {"content-type-foreign", "2", "the media type is neither application/json nor text/event-stream"},
	ReasonContentEncoding:     {"content-encoding", "2", "the content coding is unknown, or its data or checksum is damaged"},

	ReasonNoBody: {"no-body", "3", "202, 204 or 205 with an empty body: what a notification gets, no tool result"},

	ReasonBodyCut:   {"body-cut", "4", "the body ended before it was whole"},
	ReasonDeadline:  {"deadline", "4, T", "the deadline passed before the final response was there"},
	ReasonCancelled: {"cancelled", "4, T", "the caller gave up before the final response was there"},
	ReasonSizeLimit: {"size-limit", "4", "the body passed the reader's size limit"},

	ReasonJSONEmpty:    {"json-empty", "5", "there is no JSON text: nothing, or white space only"},
	ReasonJSONSyntax:   {"json-syntax", "5", "the text stops being JSON, or ends too early"},
	ReasonJSONTrailing: {"json-trailing", "5", "a whole JSON text is followed by something else"},

	ReasonNotObject:             {"not-object", "6", "the JSON text is no object (an array of responses is none either)"},
	ReasonJSONRPCVersion:        {"jsonrpc-version", "6", `jsonrpc is not exactly the string "2.0"`},
	ReasonIDMissing:             {"id-missing", "6", "the response has no id"},
	ReasonIDMismatch:            {"id-mismatch", "6, 7", "the response's id is not the request's"},
	ReasonResultAndError:        {"result-and-error", "6", "result and error are both present"},
	ReasonNeitherResultNorError: {"neither-result-nor-error", "6", "neither result nor error is present"},

	ReasonErrorNotObject: {"error-not-object", "8", "error is no object"},
	ReasonErrorCode:      {"error-code", "8", "the error's code is absent or no integer"},
	ReasonErrorMessage:   {"error-message", "8", "the error's message is absent or no string"},
	ReasonRPCError:       {"rpc-error", "8", "a well-formed JSON-RPC error"},

	ReasonResultNotObject:   {"result-not-object", "9", "result is no object"},
	ReasonInputRequired:     {"input-required", "9", `resultType is "input_required"`},
	ReasonResultType:        {"result-type", "9", `resultType is neither "complete" nor "input_required"`},
	ReasonContentMissing:    {"content-missing", "9", "the result has no content"},
	ReasonContentNotArray:   {"content-not-array", "9", "content is no array"},
	ReasonIsErrorNotBoolean: {"is-error-not-boolean", "9", "isError is present and no boolean"},
	ReasonToolError:         {"tool-error", "9", "isError is true"},
	ReasonToolSuccess:       {"tool-success", "9", "a complete tool result that is no error"},

	ReasonNoResponseInStream: {"no-response-in-stream", "S6", "the stream ended whole and held no message that could be taken for the response"},

	ReasonAccepted:        {"accepted", "N", "202 with an empty body, as a notification should get"},
	ReasonUnexpectedReply: {"unexpected-reply", "N", "a 2xx other than an empty 202 in reply to a notification"},

	ReasonConnect: {"connect", "T", "no connection could be made"},
	ReasonReset:   {"reset", "T", "the connection was reset before the status line"},
	ReasonTLS:     {"tls", "T", "the TLS handshake failed"},
}

// Reasons lists every reason with its rule and meaning, in the order of the rules.
func Reasons() []Entry { return append([]Entry(nil), reasons[1:]...) }

// Entry is the reason's line of the table; the zero Entry for a reason that is none.
func (r Reason) Entry() Entry {
	if r >= reasonEnd {
		return Entry{}
	}
	return reasons[r]
}

// String is the reason's name, such as id-mismatch.
func (r Reason) String() string {
	if r == 0 || r >= reasonEnd {
		return fmt.Sprintf("Reason(%d)", uint8(r))
	}
	return reasons[r].Name
}

// MarshalText writes the name; a reason that is none is an error.
func (r Reason) MarshalText() ([]byte, error) {
	if r == 0 || r >= reasonEnd {
		return nil, fmt.Errorf("classifier: marshal reason %d: not a reason", uint8(r))
	}
	return []byte(r.String()), nil
}

// UnmarshalText reads a name, spelled exactly.
func (r *Reason) UnmarshalText(text []byte) error {
	for i := ReasonHTTPStatus; i < reasonEnd; i++ {
		if reasons[i].Name == string(text) {
			*r = i
			return nil
		}
	}
	return fmt.Errorf("classifier: unknown reason %.40q; see Reasons", text)
}
