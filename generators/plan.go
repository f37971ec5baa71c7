package generators

import (
	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Plan is an answer before it has bytes: what it will hold, and beside each
// part the fact that the rules will find there. A fault edits both; keeping
// them in step is what makes the expected verdict right by construction.
type Plan struct {
	// Req spells the request's id; set by the base, for faults to read.
	Req *RequestID
	// Notification is an answer to a POST that has no id.
	Notification bool
	// Unanswered is a call or notification with no HTTP answer; Ended tells why.
	Unanswered bool

	Status      int
	Media       Media
	Coding      Coding
	Headers     []corpus.Header     // further headers; a fault appends
	headerNames func(string) string // how the names of headers are written, nil for lower case
	// RetryAfterBad is set where Retry-After is neither digits nor a date, or its lines differ.
	RetryAfterBad bool
	DelayMS       int

	// NoBody is a body of zero bytes, whatever the rest of the plan says.
	NoBody bool
	Text   Text
	// Stream is the event stream around the text; used if Streamed.
	Stream   Stream
	Streamed bool

	JSONRPC, ID, Method, Result, Error                                                Member
	ResultType, Content, IsError, Structured, InputRequests, RequestState, ResultMeta Member
	Code, Message, Data                                                               Member

	// Say is the inside of a JSON string: the words of a text item, of a
	// message, or of a question.
	Say string
	// OddItem and NullOptional are what there is to find in content.
	OddItem, NullOptional bool

	// Ended is how the delivery ends, CutMode where.
	Ended   classifier.Ended
	CutMode CutMode

	style Style
	frame Frame
	split int // offset at which the data is split, or -1
	// article judges ids and codes as doubles, as the article does.
	article bool
}

// RequestID is how a request's id is spelled.
type RequestID struct {
	ID    classifier.ID
	Raw   string // as JSON
	Other string // JSON of the other type, or what most resembles it
	Near  string // JSON of the same type, another value
	whole bool   // an integer whose spelling may vary
}

// MediaKind is what rule 2 makes of the Content-Type lines.
type MediaKind uint8

// The kinds of media type.
const (
	MediaOwn      MediaKind = iota // the one that fits the body
	MediaOther                     // application/json for a stream, text/event-stream for a JSON body
	MediaMissing                   // no line at all
	MediaConflict                  // lines that differ
	MediaEmpty                     // no essence
	MediaList                      // a comma in the essence
	MediaForeign                   // anything else
)

// Media is the Content-Type of an answer.
type Media struct {
	Kind MediaKind
	// Lines are the values as sent, for a JSON body and for a stream; nil
	// lines are the plain media type of the kind own or other.
	JSON, SSE []string
	// BrokenParameter is set where a parameter is malformed.
	BrokenParameter bool
}

// Text is what happens to the JSON text of the final message.
type Text struct {
	// Whole replaces the text, if Replaced.
	Whole    string
	Replaced bool
	// Before and After stand around the text.
	Before, After string
	// Drop takes bytes off the end of the text, After not counted.
	Drop int
	// Inner is a further member of the message, written as it is.
	Inner string
	// First, InnerFact and Last are what rule 5 finds in Before (or Whole),
	// in Inner, and at the end: 0 if nothing is wrong.
	First, InnerFact, Last classifier.Reason
	// BOM is a byte order mark that begins Before: dropped from a JSON body,
	// an error in the data of an event.
	BOM bool
	// NotObject is a text that is JSON but no object.
	NotObject bool
	// BadUTF8 and LoneSurrogate are what there is to find in strings, Nest how
	// many arrays and objects are opened by Inner or Whole or Before, besides the message itself.
	BadUTF8, LoneSurrogate bool
	Nest                   int
}

// Fact is what the rules find in a member.
type Fact uint8

// The facts. Which apply depends on the member.
const (
	FactGood    Fact = iota // as it should be
	FactBad                 // of a wrong type or value
	FactNull                // id: null
	FactTrue                // isError: true
	FactInput               // resultType: "input_required"
	FactDoubled             // inputRequests: good, but a key stands twice
)

// Member is a member of the message, its result or its error.
type Member struct {
	Present bool
	Fact    Fact
	Name    string // as written between the quotes; "" for the usual name
	Value   string // raw JSON; "" for the usual value
	// Earlier is the raw value of an earlier member of the same name, which
	// does not count; EarlierName its spelling, "" for the usual name.
	Earlier, EarlierName string
	// Stray is a member of another name beside, raw and whole.
	Stray string
	// Rounded is a number whose verdict changes when it is read as a double:
	// an id that then equals the request's, a code that is then an integer or is none.
	Rounded bool
	// Beyond is a code that a double or 64 bits cannot hold and that is an
	// integer either way.
	Beyond bool
}

// CutMode tells where the body is cut.
type CutMode uint8

// The cuts.
const (
	CutNone     CutMode = iota
	CutAtStart          // nothing arrives
	CutFirst            // one byte arrives
	CutHalf             // half of it
	CutLastByte         // all but one byte
	CutDecided          // a stream: right behind what ends the final event; a JSON body: all but one byte
	CutBefore           // a stream: one byte before that; a JSON body: all but two bytes
)
