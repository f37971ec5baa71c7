package model

import "strings"

// Quirk is one rule changed, as real clients change it. The comment says what
// the judge then does instead of the rule that its group names.
type Quirk uint8

// Rule 1.
const (
	StatusIgnored          Quirk = iota + 1 // a body that holds a response, whatever it says, beats the status
	StatusOnlyServerErrors                  // only a status of 500 and more is an error
	StatusOnlyErrors                        // only a status of 400 and more is an error
	StatusYieldsToSuccess                   // a body that holds a success beats the status
	StatusOf16Bits                          // of a status the low 16 bits count
	StatusZeroIsFine                        // a status of 0 is no error
	InformationalIsFine                     // a status of 100 to 199 is no error
)

// Rules 2, 3 and 4.
const (
	MediaTypeExact         Quirk = iota + 20 // the header is compared as a whole: parameters break it
	MediaTypeCaseSensitive                   // the media type is compared with regard to case
	MediaTypeRequired                        // a missing Content-Type is refused
	MediaTypeForeignAsJSON                   // any foreign media type is read as JSON
	MediaTypeFirstLine                       // of several Content-Type lines the first counts
	StreamReadAsJSON                         // a stream's body that is JSON is taken for the answer
	JSONReadAsStream                         // a JSON body that looks like a stream is read as one
	CodingIgnored                            // content codings are not undone
	ChecksumIgnored                          // checksums of gzip and zlib are not compared
	CodingCutTaken                           // coded data that ends early counts as whole
	AcceptedIsSuccess                        // an empty 202, 204 or 205 is a success
	CutJSONTaken                             // a body that was cut counts if it is whole JSON
	MediaTypePrefix                          // a media type counts that begins with one of the two
	MediaTypeUnicodeFold                     // the media type is compared without regard to case as Unicode has it
	MediaTypeUnicodeTrim                     // all that Unicode calls white space is dropped around the media type
	XGzipUnknown                             // x-gzip is an unknown coding
	FirstGzipMemberOnly                      // of several gzip members the first counts
	CodingsInOrder                           // codings are undone first to last
	RawDeflateRefused                        // deflate without a zlib header is damage
)

// Rule 5.
const (
	EmptyBodyIsSuccess    Quirk = iota + 40 // an empty body is a success
	TrailingAccepted                        // what follows the JSON text is not looked at
	BOMRefused                              // a byte order mark before JSON is a syntax error
	BadUTF8Refused                          // bad UTF-8 in a string is a syntax error
	LoneSurrogateRefused                    // half a surrogate pair is a syntax error
	DepthLimited                            // more than 100 levels are a syntax error
	NaNAccepted                             // NaN is a value
	TrailingCommaAccepted                   // a comma may stand before a closing bracket
	ControlsAccepted                        // control characters may stand in strings
	BigNumbersRefused                       // a number beyond a double is a syntax error
	LeadingZerosAccepted                    // an integer may begin with zeros
	FormFeedIsSpace                         // a form feed is white space
	AllBOMsDropped                          // every byte order mark before the text is dropped
	EventBOMDropped                         // a byte order mark before the data of an event is dropped
)

// Rule 5, repairs: what is done to the text before it is read. See repair.
const (
	TruncatedCompleted  Quirk = iota + 200 // strings and brackets that are open at the end are closed
	SingleQuotesTaken                      // single quotes are quotes
	CommentsTaken                          // comments are dropped
	BadEscapesTaken                        // a backslash before what it cannot escape is dropped
	BracketsConfused                       // each closing bracket closes whatever is open
	BlankIsSuccess                         // a body of white space alone is a success
	TrimmedAsJavaScript                    // all that JavaScript's trim drops is dropped around the text
	BadUTF8Dropped                         // bytes that are not UTF-8 are dropped
)

// Further quirks of rules 2, 6, 8 and 9.
const (
	ClaimedCodingSniffed      Quirk = iota + 210 // gzip that begins as text does is taken as it is
	IdentityUnknown                              // identity is an unknown coding
	VersionOptional                              // jsonrpc may be absent
	BareErrorAccepted                            // an error object with no envelope is taken
	ParamsAsResult                               // params stand in for an absent result
	EscapedResultMissed                          // the name result is compared as it stands
	EscapedErrorMissed                           // the name error is compared as it stands
	EscapedCodeMissed                            // the name code is compared as it stands
	EscapedIsErrorMissed                         // the name isError is compared as it stands
	EscapedResultTypeMissed                      // the name resultType is compared as it stands
	MessageOfAnyType                             // a message may be of any type
	IsErrorPresentIsTrue                         // isError is true wherever it is there
	MetaChecked                                  // _meta must be an object or null
	RequestsMeanInput                            // a result with inputRequests asks for input, whatever its resultType
	ContentMeansComplete                         // a result with content is complete, whatever its resultType
	StateRequired                                // input_required without requestState is refused
	EmptyStateRefused                            // input_required with an empty requestState is refused
	BareJSONTaken                                // a line of a stream that begins with a brace is data
	BadUTF8NamesRefused                          // bad UTF-8 in a name is a syntax error
	EmptyTextRefused                             // a text item of content must not be empty
	TextParsedForError                           // a result whose first text is JSON with a member error has failed
	CodeIsStatus                                 // an error whose code is an HTTP status is an HTTP error
	NamelessRequestRefused                       // input requests need a key and a method that are not empty
	MediaTypeLinesJoined                         // Content-Type lines are joined with commas
	UnknownCodingPassed                          // an unknown coding does nothing
	IDArrayUnwrapped                             // an id in an array of one is the id
	URLElicitationIsInput                        // an error with the code -32042 asks for input
	ParseErrorIsMalformed                        // an error with the code -32700 is malformed JSON
	HeaderMismatchIsHTTPError                    // an error with the code -32020 is an HTTP error
)

// Rules 6 and 7.
const (
	NamesAnyCase           Quirk = iota + 60 // member names are compared without regard to case
	FirstDuplicateWins                       // of duplicate names the first counts
	EscapedNamesMissed                       // member names are compared as they stand, escapes not resolved
	BatchUnwrapped                           // of an array the first item is taken for the response
	BareResultAccepted                       // a tool result with no envelope is taken
	VersionIgnored                           // jsonrpc is not looked at
	IDIgnored                                // the id is not looked at
	IDAsDouble                               // numbers are compared as doubles
	IDLoose                                  // "1" and 1 are the same id
	ErrorIDNullAccepted                      // an error with no id, or a null one, is this call's
	ResultFirst                              // of result and error the result is judged
	ErrorFirst                               // of result and error the error is judged
	ErrorNullIsAbsent                        // "error": null is no error member
	ResultNullIsAbsent                       // "result": null is no result member
	MissingResultIsSuccess                   // a response with neither is an empty success
	ErrorReadAsSuccess                       // only result is read: an error is an empty success
	PlainNameWins                            // a name written plainly beats a later one with escapes
	PrototypeSeen                            // a member that is absent is looked for in __proto__
)

// Rule 7.
const (
	IDTrimmed          Quirk = iota + 180 // spaces around a string id do not count
	IDCaseIgnored                         // string ids are compared without regard to case
	IDEscapesMissed                       // string ids are compared as they stand, escapes not resolved
	IDSignIgnored                         // the sign of an integer id does not count
	IDTruncated                           // the fraction of a numeric id does not count
	IDMinusZeroRefused                    // -0 is not the id 0
	FarExponentRefused                    // a number whose exponent has more than nine digits is no integer
)

// Rule 8.
const (
	CodeOf32Bits         Quirk = iota + 80 // a code beyond 32 bits is refused
	CodeSpelledPlainly                     // a code with a point or an exponent is refused
	CodeFractionAccepted                   // any number is a code
	CodeTextAccepted                       // a string is a code
	MessageOptional                        // an error needs no message
	ErrorTextAccepted                      // a string is an error
	CodeZeroIsAbsent                       // a code of 0 counts as absent
	CodeMinusZeroRefused                   // -0 is no code
	EmptyMessageIsAbsent                   // an empty message counts as absent
)

// Rule 9.
const (
	ResultTypeRequired          Quirk = iota + 90 // an absent resultType is refused
	ResultTypeUnknownIsComplete                   // a resultType that is not known counts as complete
	ResultTypeNullIsAbsent                        // a null resultType counts as absent
	InputRequiredIsSuccess                        // input_required is read as a success
	StateAloneRefused                             // input_required without inputRequests is refused
	ContentUnchecked                              // content may be anything
	ContentMissingIsEmpty                         // absent content counts as empty
	ContentOrStructured                           // content may be absent beside structuredContent
	EmptyContentRefused                           // content must hold an item
	ContentItemsChecked                           // content items that do not fit their type are refused
	StructuredMustBeObject                        // structuredContent must be an object
	OldToolResultTaken                            // content may stand in the first revision's toolResult
	IsErrorIgnored                                // isError is not looked at
	IsErrorTruthy                                 // any value that JavaScript calls true is a true isError
	IsErrorNullIsAbsent                           // a null isError counts as absent
	EmptyRequestsRefused                          // input_required with an empty inputRequests is refused
	TextSaysError                                 // a result whose first text begins with "Error" has failed
)

// Rules S1 to S6.
const (
	LFOnly                    Quirk = iota + 120 // only LF ends a line
	LoneCRKept                                   // a CR alone does not end a line
	UnicodeLineEnds                              // NEL and the Unicode line and paragraph separators end a line
	LinesOf64K                                   // a line of 64 KiB or more ends the stream
	StreamBOMKept                                // the stream's byte order mark belongs to its first field name
	UnfinishedEventTaken                         // at a whole end the unfinished event counts
	CutEventTaken                                // at a cut the unfinished event counts
	SpaceRequired                                // a field whose colon no space follows is dropped
	CommentsBreak                                // a comment ends the reading with an error
	FieldNamesAnyCase                            // field names are compared without regard to case
	DataCutAtMarker                              // data ends where "data:" stands in it
	DataLinesGlued                               // data lines are joined with nothing
	LastDataLineOnly                             // of several data lines the last counts
	EmptyDataBreaks                              // an event with empty data is broken JSON
	AnyEventTaken                                // events of any type carry messages
	ErrorEventTaken                              // events of type error carry messages
	EmptyTypeIsType                              // an empty event type is a type of its own
	EventTypeSticks                              // an event without a type has that of the one before
	FirstEventDecides                            // the first event decides, whatever it is
	NotificationTaken                            // a notification is taken for the response
	MethodBesideResultSkipped                    // a response that also has a method is skipped
	ErrorResponsesSkipped                        // error responses do not end a stream
	ForeignIDEndsStream                          // a response with another id decides
	LastResponseWins                             // of several responses the last counts
	EmptyStreamIsSuccess                         // a stream that held no response is an empty success
	CRLFEndsTwoLines                             // CR and LF end a line each, also one after the other
	CRWaitsForMore                               // a CR ends a line only when another byte has come
	CRLFNeedsItsLF                               // at a cut, a CR ends a line only when another byte has come
	AllSpacesDropped                             // all spaces after the colon are dropped
	EventTypeAnyCase                             // event types are compared without regard to case
	BareEventIgnored                             // an event field without a colon is ignored
	NULDropsEvent                                // an event whose id holds a NUL is dropped
	RequestTaken                                 // a request with the call's id is taken for the response
	LateCutCounts                                // a cut after the response makes it count for nothing
	LastStrayCounts                              // at the end of a stream the last event of S6 gives the outcome
	CutTellsStray                                // at a cut, too, the first event of S6 gives the outcome
)

// Rules N and T.
const (
	AnyReplyAccepts     Quirk = iota + 160 // any 2xx accepts a notification
	NoAnswerIsHTTPError                    // no answer at all is an HTTP error
	NoContentAccepts                       // an empty 204 accepts a notification
)

// foldedEqual compares a member's name, quotes included, without regard to
// case, as encoding/json does.
func foldedEqual(raw []byte, name string) bool {
	return strings.EqualFold(goString(stringUnits(raw[1:len(raw)-1])), name)
}

// isTruthy tells whether JavaScript takes the value for true.
func (d *document) isTruthy(n int) bool {
	switch d.kind(n) {
	case boolTrue, object, array:
		return true
	case str:
		return len(d.raw(n)) > len(`""`)
	case number:
		return decimalOf(d.raw(n)).digits != ""
	}
	return false
}
