package generators

import "github.com/replyproof/replyproof/classifier"

// Fault is one way in which an answer can be odd, wrong or merely unusual. It
// edits the [Plan] of an answer, not its bytes, so that what it does to the
// verdict follows from the plan.
type Fault struct {
	Name   string           // kebab-case, unique in its catalogue
	Layer  classifier.Layer // where the fault is made
	Rule   string           // the rule that it exercises
	Doc    string           // what it does to the bytes
	Effect string           // what it makes of the verdict
	// Neutral faults leave the outcome as it is; they may make findings.
	Neutral bool
	// Parts are the parts of the plan that the fault writes. Two faults that
	// write the same part cannot be combined.
	Parts Part
	// Needs are the conditions without which the fault has no place.
	Needs Need
	// Variants are the values by which entries differ; there is at least one.
	Variants []Variant
}

// Variant is one value of a fault.
type Variant struct {
	// Name is what follows the "=" in a recipe: letters, digits, "-", "." and
	// "_"; empty if the fault has only one variant.
	Name  string
	Needs Need // besides the fault's own
	Edit  func(*Plan)
}

// Part is a set of parts of a plan.
type Part uint64

// The parts of a plan.
const (
	PartStatus        Part = 1 << iota
	PartMedia              // Content-Type
	PartCoding             // Content-Encoding and the coding itself
	PartRetry              // Retry-After
	PartHeader             // any other header
	PartText               // what stands around the JSON text, and where it ends
	PartInner              // a member with odd text
	PartSay                // the words of content, message or question
	PartJSONRPC            // the member jsonrpc
	PartID                 // the member id
	PartMethod             // the member method
	PartResult             // the member result as a whole
	PartError              // the member error as a whole
	PartCode               // code of the error
	PartMessage            // message of the error
	PartData               // data of the error
	PartResultType         // resultType
	PartContent            // content
	PartIsError            // isError
	PartStructured         // structuredContent
	PartInputRequests      // inputRequests
	PartRequestState       // requestState
	PartMeta               // _meta of the result
	PartBefore             // events before the final one
	PartAfter              // events after the final one
	PartEventType          // the event line of the final event
	PartLines              // the data lines of the final event
	PartMark               // byte order marks at the start of a stream
	PartFinal              // how the last event ends
	PartEnd                // how the delivery ends
	PartDelay              // how long the answer waits
	PartDamage             // coded bytes that are damaged or end early

	partsEnd
)

// Parts that faults often write together.
const (
	partsInError  = PartCode | PartMessage | PartData | PartSay
	partsInResult = PartResultType | PartContent | PartIsError | PartStructured | PartInputRequests | PartRequestState | PartMeta | PartSay
	partsText     = PartText | PartInner | PartSay | PartJSONRPC | PartID | PartMethod | PartResult | PartError | partsInError | partsInResult
	partsStream   = PartBefore | PartAfter | PartEventType | PartLines | PartMark | PartFinal
	partsAll      = partsEnd - 1
)

// Need is a set of conditions on a recipe.
type Need uint32

// The conditions on a recipe.
const (
	NeedCall         Need = 1 << iota // an answer to a call
	NeedNotification                  // an answer to a notification
	NeedMessage                       // a body with a message: any base but accepted and no-answer
	NeedAnswer                        // an HTTP answer
	NeedTool                          // base success or tool-error
	NeedInput                         // base input-required
	NeedResult                        // a base with a result
	NeedError                         // base rpc-error
	NeedJSON                          // a JSON body
	NeedStream                        // an event stream
	NeedIntegerID                     // a request id that is an integer whose spelling may vary
	NeedFixedID                       // a request id that is not left to the client
)

var needNames = []struct {
	need Need
	text string
}{
	{NeedCall, "an answer to a call"}, {NeedNotification, "an answer to a notification"},
	{NeedMessage, "a body with a message"}, {NeedAnswer, "an HTTP answer"},
	{NeedTool, "base success or tool-error"}, {NeedInput, "base input-required"},
	{NeedResult, "a base with a result"}, {NeedError, "base rpc-error"},
	{NeedJSON, "a JSON body"}, {NeedStream, "an event stream (+sse)"},
	{NeedIntegerID, "an integer id"}, {NeedFixedID, "an id not left to the client"},
}

// conditions are the needs that a recipe meets.
func (r *Recipe) conditions() Need {
	var n Need
	switch r.Base {
	case BaseSuccess, BaseToolError:
		n = NeedCall | NeedMessage | NeedAnswer | NeedTool | NeedResult
	case BaseInputRequired:
		n = NeedCall | NeedMessage | NeedAnswer | NeedInput | NeedResult
	case BaseRPCError:
		n = NeedCall | NeedMessage | NeedAnswer | NeedError
	case BaseAccepted:
		n = NeedNotification | NeedAnswer
	case BaseNoAnswer:
		n = NeedCall
	}
	if r.Frame.Stream() {
		n |= NeedStream
	} else {
		n |= NeedJSON
	}
	if requestIDs[r.ID].whole {
		n |= NeedIntegerID
	}
	if r.ID != IDOpen {
		n |= NeedFixedID
	}
	return n
}
