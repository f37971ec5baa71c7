package classifier

import "fmt"

// FindingKind is something odd about an answer that did not decide its verdict.
type FindingKind uint8

// The findings, in the order in which a verdict lists them. Each kind is
// listed at most once, for its first occurrence.
const (
	FindingRetryAfter FindingKind = iota + 1
	FindingContentTypeMissing
	FindingContentTypeParameter
	FindingBOM
	FindingBadUTF8
	FindingLoneSurrogate
	FindingDeepNesting
	FindingDuplicateMember
	FindingResultTypeMissing
	FindingInputRequiredEmpty
	FindingInputRequestsType
	FindingRequestStateType
	FindingContentItem
	FindingNullOptional
	FindingUnterminatedEvent
	FindingEventTypeIgnored
	FindingServerRequest
	FindingStrayMessage

	findingEnd
)

var findings = [findingEnd]Entry{
	FindingRetryAfter:           {"retry-after", "advice", "Retry-After of a non-2xx is neither digits nor an HTTP-date, or its lines differ"},
	FindingContentTypeMissing:   {"content-type-missing", "2", "no Content-Type header; read as application/json"},
	FindingContentTypeParameter: {"content-type-parameter", "2", "a Content-Type parameter is malformed; ignored"},
	FindingBOM:                  {"bom", "5, S1", "the text begins with a byte order mark; dropped"},
	FindingBadUTF8:              {"bad-utf8", "5", "the JSON text is not UTF-8 throughout; each bad sequence was read as U+FFFD"},
	FindingLoneSurrogate:        {"lone-surrogate", "5", `a string escapes half a surrogate pair (\uD800 to \uDFFF); many parsers refuse or change it`},
	FindingDeepNesting:          {"deep-nesting", "5", "the JSON text nests more than 100 deep; many parsers refuse it"},
	FindingDuplicateMember:      {"duplicate-member", "6", "a member that the rules read stands twice in its object; the last counted, parsers disagree"},
	FindingResultTypeMissing:    {"result-type-missing", "9", `no resultType; read as "complete"`},
	FindingInputRequiredEmpty:   {"input-required-empty", "9", "input is required, but neither inputRequests nor requestState is there"},
	FindingInputRequestsType:    {"input-requests-type", "9", "inputRequests is no object of objects that each name a method"},
	FindingRequestStateType:     {"request-state-type", "9", "requestState is no string"},
	FindingContentItem:          {"content-item", "9", "a content item is no object, has an unknown type, or lacks a member that its type requires"},
	FindingNullOptional:         {"null-optional", "9", "an optional member is null where it should be absent"},
	FindingUnterminatedEvent:    {"unterminated-event", "S1", "the stream ended inside an event, which was discarded"},
	FindingEventTypeIgnored:     {"event-type-ignored", "S3", "an event of another type than message was skipped"},
	FindingServerRequest:        {"server-request", "S4", "the stream held a request of the server's, which the revision 2026-07-28 forbids"},
	FindingStrayMessage:         {"stray-message", "S6", "the stream held a message that is neither this call's response nor a notification nor a request"},
}

// Finding is one odd thing about an answer, and where it stands.
type Finding struct {
	Kind FindingKind
	// Offset is where the oddity begins, in bytes of the decoded body, or of
	// the event's joined data for the text findings of a stream; -1 if it has
	// no place in the body.
	Offset int64
	// Pointer is a JSON Pointer (RFC 6901) to the member in question, or "".
	Pointer string
}

// Findings lists every kind of finding with its rule and meaning.
func Findings() []Entry { return append([]Entry(nil), findings[1:]...) }

// Entry is the kind's line of the table; the zero Entry for a kind that is none.
func (k FindingKind) Entry() Entry {
	if k >= findingEnd {
		return Entry{}
	}
	return findings[k]
}

// String is the finding's name, such as bad-utf8.
func (k FindingKind) String() string {
	if k == 0 || k >= findingEnd {
		return fmt.Sprintf("FindingKind(%d)", uint8(k))
	}
	return findings[k].Name
}

// MarshalText writes the name; a kind that is none is an error.
func (k FindingKind) MarshalText() ([]byte, error) {
	if k == 0 || k >= findingEnd {
		return nil, fmt.Errorf("classifier: marshal finding %d: not a finding", uint8(k))
	}
	return []byte(k.String()), nil
}

// UnmarshalText reads a name, spelled exactly.
func (k *FindingKind) UnmarshalText(text []byte) error {
	for i := FindingRetryAfter; i < findingEnd; i++ {
		if findings[i].Name == string(text) {
			*k = i
			return nil
		}
	}
	return fmt.Errorf("classifier: unknown finding %.40q; see Findings", text)
}
