package generators

import (
	"slices"
	"strconv"

	"github.com/replyproof/replyproof/classifier"
)

// MaxFaults is how many faults a recipe holds at most.
const MaxFaults = 6

// Recipe is the plan by which an answer is made. It is comparable; the zero
// value is a plain success. The numbers of its faults belong to the catalogue
// that made it: keep a recipe as the text of [Catalogue.Format].
type Recipe struct {
	Base   Base
	ID     IDKind
	Faults [MaxFaults]Pick // those in use come first, in the order of the catalogue
	Style  Style
	Frame  Frame
	Chunks Chunks
	// Cut is one more than the number of bytes of the body that are delivered;
	// 0 cuts nothing, as does a number past the body's length.
	Cut uint16
}

// Picks are the faults in use. They are a part of r.Faults and change with it.
func (r *Recipe) Picks() []Pick {
	n := 0
	for n < MaxFaults && r.Faults[n].Fault != 0 {
		n++
	}
	return r.Faults[:n:n]
}

// Pick is a fault with one of its variants.
type Pick struct {
	Fault   uint16 // one more than the fault's index in its catalogue; 0 is no fault
	Variant uint16 // index in the fault's variants
}

// Base is what an answer would be with no fault.
type Base uint8

const (
	// BaseSuccess is a complete tool result.
	BaseSuccess Base = iota
	// BaseToolError is a complete tool result with isError true.
	BaseToolError
	// BaseInputRequired is a result that asks for input.
	BaseInputRequired
	// BaseRPCError is a JSON-RPC error.
	BaseRPCError
	// BaseAccepted is the empty 202 that a notification gets.
	BaseAccepted
	// BaseNoAnswer is a call whose connection was never made.
	BaseNoAnswer

	baseEnd
)

var baseNames = [baseEnd]string{"success", "tool-error", "input-required", "rpc-error", "accepted", "no-answer"}

// String is the word that begins a recipe's text.
func (b Base) String() string { return word(baseNames[:], uint8(b)) }

// IDKind is the kind of the request's id.
type IDKind uint8

const (
	// IDOne is the integer 1.
	IDOne IDKind = iota
	// IDZero is the integer 0.
	IDZero
	// IDNegative is the integer -7.
	IDNegative
	// IDLarge is the integer 2^53, beyond which doubles have gaps.
	IDLarge
	// IDText is a plain string.
	IDText
	// IDDigits is the string "1", which must not be taken for a number.
	IDDigits
	// IDEmpty is the empty string.
	IDEmpty
	// IDUnicode is a string with quotes, a backslash and characters beyond ASCII.
	IDUnicode
	// IDOpen leaves the id to the client: the body holds corpus.Placeholder.
	IDOpen

	idEnd
)

var idNames = [idEnd]string{"one", "zero", "negative", "large", "text", "digits", "empty", "unicode", "open"}

var requestIDs = [idEnd]RequestID{
	IDOne:      {classifier.IntID(1), `1`, `"1"`, `2`, true},
	IDZero:     {classifier.IntID(0), `0`, `"0"`, `1`, true},
	IDNegative: {classifier.IntID(-7), `-7`, `"-7"`, `7`, true},
	IDLarge:    {classifier.IntID(1 << 53), `9007199254740992`, `"9007199254740992"`, `9007199254740991`, true},
	IDText:     {classifier.StringID("call-1"), `"call-1"`, `1`, `"call-2"`, false},
	IDDigits:   {classifier.StringID("1"), `"1"`, `1`, `"2"`, false},
	IDEmpty:    {classifier.StringID(""), `""`, `0`, `" "`, false},
	IDUnicode:  {classifier.StringID("a\"\\/é😀"), `"a\"\\/é😀"`, `[]`, `"a\"\\/é😁"`, false},
	IDOpen:     {classifier.IntID(1), `{{id}}`, `["other"]`, `987654321`, false},
}

// Style is how the JSON text is written. No style changes a verdict.
type Style struct {
	Space  uint8 // white space: none, after separators, lines, tabs and CRLF, around the text
	Order  uint8 // order of members: usual, reversed, rotated
	Escape uint8 // escapes in names and strings: none, first letter of names, everything
	Number uint8 // spelling of an integer id and code: 1, 1.0, 10e-1, 1e0, 1.000E+0
	Extra  uint8 // unknown members: none, top, result, nested names of the rules, _meta
}

// Frame is how the JSON text is put into the body. The zero value is a JSON
// body; any other line end makes a stream, to which alone the rest applies.
// Only SplitAt can change a verdict.
type Frame struct {
	Lines         uint8 // none (a JSON body), lf, crlf, cr, mixed
	Space         uint8 // after the colon: one space, none
	Comments      uint8 // none, short, empty ones between the lines, long
	EventID       uint8 // id lines: none, plain, empty, one with a NUL
	Retry         uint8 // retry lines: none, 3000, one that is no number
	EventName     uint8 // event lines: none, "message", empty
	Notifications uint8 // how many notifications precede: 0 to 3
	After         uint8 // after the final response: nothing, a comment, a notification
	// SplitAt is one more than the offset in the JSON text at which the data
	// is split into two lines, which puts a line feed there; 0 for none.
	SplitAt uint16
}

// Stream tells whether the body is an event stream.
func (f Frame) Stream() bool { return f.Lines != 0 }

// Chunks is how the body is split into writes. It never changes a verdict.
type Chunks struct {
	Kind uint8 // whole, bytes, halves, lines (after each CR or LF), at
	// At is the offset of the one split of the kind at.
	At uint16
}

// choice is one field of a recipe that has a small closed list of words.
type choice struct {
	name  string
	words []string
	get   func(*Recipe) *uint8
	frame bool // has a meaning for streams only
}

// choices are the fields with words, in the order in which they print.
var choices = []choice{
	{name: "id", words: idNames[:], get: func(r *Recipe) *uint8 { return (*uint8)(&r.ID) }},
	{name: "space", words: []string{"none", "separators", "lines", "mixed", "around"}, get: func(r *Recipe) *uint8 { return &r.Style.Space }},
	{name: "order", words: []string{"usual", "reversed", "rotated"}, get: func(r *Recipe) *uint8 { return &r.Style.Order }},
	{name: "escape", words: []string{"none", "names", "all"}, get: func(r *Recipe) *uint8 { return &r.Style.Escape }},
	{name: "number", words: []string{"plain", "point", "tenths", "exponent", "zeros"}, get: func(r *Recipe) *uint8 { return &r.Style.Number }},
	{name: "extra", words: []string{"none", "top", "inside", "nested", "meta"}, get: func(r *Recipe) *uint8 { return &r.Style.Extra }},
	{name: "sse", words: []string{"none", "lf", "crlf", "cr", "mixed"}, get: func(r *Recipe) *uint8 { return &r.Frame.Lines }},
	{name: "colon", words: []string{"space", "bare"}, get: func(r *Recipe) *uint8 { return &r.Frame.Space }, frame: true},
	{name: "comments", words: []string{"none", "short", "between", "long"}, get: func(r *Recipe) *uint8 { return &r.Frame.Comments }, frame: true},
	{name: "event-ids", words: []string{"none", "plain", "empty", "nul"}, get: func(r *Recipe) *uint8 { return &r.Frame.EventID }, frame: true},
	{name: "retry", words: []string{"none", "digits", "broken"}, get: func(r *Recipe) *uint8 { return &r.Frame.Retry }, frame: true},
	{name: "event-name", words: []string{"none", "message", "empty"}, get: func(r *Recipe) *uint8 { return &r.Frame.EventName }, frame: true},
	{name: "notifications", words: []string{"0", "1", "2", "3"}, get: func(r *Recipe) *uint8 { return &r.Frame.Notifications }, frame: true},
	{name: "after", words: []string{"none", "comment", "notification"}, get: func(r *Recipe) *uint8 { return &r.Frame.After }, frame: true},
	{name: "chunks", words: []string{"whole", "bytes", "halves", "lines", "at"}, get: func(r *Recipe) *uint8 { return &r.Chunks.Kind }},
}

// Bases are the words that a recipe's text may begin with.
func Bases() []string { return slices.Clone(baseNames[:]) }

// Field is something in which an answer may differ besides its base and its
// faults, as a recipe's text names it.
type Field struct {
	Name   string
	Values []string // the first is what is usual; none where it takes a number
	Stream bool     // has a meaning for streams only
}

// Fields lists the fields in the order in which they print.
func Fields() []Field {
	var all []Field
	for _, f := range choices {
		all = append(all, Field{f.name, slices.Clone(f.words), f.frame})
	}
	for _, f := range numbers {
		all = append(all, Field{f.name, nil, f.frame})
	}
	return all
}

// number is one field of a recipe that is an offset.
type number struct {
	name  string
	get   func(*Recipe) *uint16
	less  uint16 // what is taken from the field to print it; a field below it is unset
	frame bool
}

var numbers = []number{
	{name: "split", get: func(r *Recipe) *uint16 { return &r.Frame.SplitAt }, less: 1, frame: true},
	{name: "chunk-at", get: func(r *Recipe) *uint16 { return &r.Chunks.At }, less: 0},
	{name: "cut", get: func(r *Recipe) *uint16 { return &r.Cut }, less: 1},
}

// ChunksAt is the split into two writes after n bytes.
func ChunksAt(n uint16) Chunks { return Chunks{Kind: chunksAt, At: n} }

const (
	chunksWhole = iota
	chunksBytes
	chunksHalves
	chunksLines
	chunksAt
)

func word(words []string, i uint8) string {
	if int(i) >= len(words) {
		return "?"
	}
	return words[i]
}

// String shows the recipe with the numbers of its faults. It is cheap, for
// tools that print every value; [Catalogue.Format] writes the text to keep.
func (r Recipe) String() string {
	dst := append(make([]byte, 0, 48), r.Base.String()...)
	for _, p := range r.Picks() {
		dst = strconv.AppendUint(append(dst, " +#"...), uint64(p.Fault), 10)
		dst = strconv.AppendUint(append(dst, '.'), uint64(p.Variant), 10)
	}
	if r.Frame.Stream() {
		dst = append(dst, " +sse"...)
	}
	return string(dst)
}
