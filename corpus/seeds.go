package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// seedHeader is the first line of a seed file of Go's native fuzzing.
const seedHeader = "go test fuzz v1"

// SeedArg is one argument in a seed file of Go's native fuzzing, as it stands
// there: int(5) is of type int and has the value 5.
type SeedArg struct {
	Type  string // such as []byte or int
	Value string // of a []byte or string a quoted string
}

// SeedText is the argument of type []byte or string that holds text.
func SeedText(typ string, text []byte) SeedArg {
	return SeedArg{Type: typ, Value: strconv.Quote(string(text))}
}

// IsText tells whether the argument is a []byte or a string.
func (a SeedArg) IsText() bool { return a.Type == "[]byte" || a.Type == "string" }

// Text is what an argument for which [SeedArg.IsText] is true holds. A value that
// is no quoted string is an error.
func (a SeedArg) Text() ([]byte, error) {
	text, err := strconv.Unquote(a.Value)
	if err != nil {
		return nil, fmt.Errorf("the argument %.40q: %w", a.String(), err)
	}
	return []byte(text), nil
}

// String is the argument as it stands in the file.
func (a SeedArg) String() string { return a.Type + "(" + a.Value + ")" }

// AppendSeed appends a seed file with these arguments to dst.
func AppendSeed(dst []byte, args ...SeedArg) []byte {
	dst = append(dst, seedHeader+"\n"...)
	for _, a := range args {
		dst = append(append(dst, a.String()...), '\n')
	}
	return dst
}

// IsSeed tells whether a file is a seed file of Go's native fuzzing, by its first
// line.
func IsSeed(file []byte) bool {
	first, _, _ := bytes.Cut(file, []byte("\n"))
	return strings.TrimRight(string(first), "\r") == seedHeader
}

// ParseSeed reads the arguments of a seed file. As Go does, it passes over empty
// lines and white space around a line. Another first line, and a line that is not
// of the form type(value), are errors; types and values are not looked at.
func ParseSeed(file []byte) ([]SeedArg, error) {
	if !IsSeed(file) {
		return nil, fmt.Errorf("does not begin with %q", seedHeader)
	}
	var args []SeedArg
	_, rest, _ := bytes.Cut(file, []byte("\n"))
	for line := range strings.SplitSeq(string(rest), "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		typ, value, ok := strings.Cut(line, "(")
		value, closed := strings.CutSuffix(value, ")")
		if !ok || !closed {
			return nil, fmt.Errorf("the line %.40q is not of the form type(value)", line)
		}
		args = append(args, SeedArg{Type: strings.TrimSpace(typ), Value: strings.TrimSpace(value)})
	}
	return args, nil
}

// FuzzSeed is a seed file of Go's native fuzzing for a target that takes one
// []byte.
func FuzzSeed(input []byte) []byte {
	return AppendSeed(nil, SeedText("[]byte", input))
}

// ParseFuzzSeed is the input of a seed file for a target that takes one []byte
// or string; ok is false for anything else.
func ParseFuzzSeed(file []byte) (input []byte, ok bool) {
	args, err := ParseSeed(file)
	if err != nil || len(args) != 1 || !args[0].IsText() {
		return nil, false
	}
	input, err = args[0].Text()
	return input, err == nil
}

// SeedName is the name that Go's fuzzing gives to a seed file of its own.
func SeedName(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])[:16]
}

// FuzzSeeds makes a seed file of each input, to be put into
// testdata/fuzz/FuzzTarget. Equal inputs make one file.
func FuzzSeeds(inputs [][]byte) []Blob {
	return blobs(inputs, FuzzSeed)
}

// RawSeeds makes a file of raw bytes of each input, as libFuzzer and others take
// them, named by digest. Equal inputs make one file.
func RawSeeds(inputs [][]byte) []Blob {
	return blobs(inputs, func(input []byte) []byte { return input })
}

func blobs(inputs [][]byte, content func([]byte) []byte) []Blob {
	var all []Blob
	seen := make(map[string]bool)
	for _, input := range inputs {
		data := content(input)
		if name := SeedName(data); !seen[name] {
			seen[name] = true
			all = append(all, Blob{Name: name, Data: data})
		}
	}
	return all
}

// Bodies are the bodies of the cases as delivered, {{id}} replaced, those of
// later exchanges included; each body once, in the order of the cases.
func Bodies(cases []Case) [][]byte {
	var all [][]byte
	seen := make(map[string]bool)
	for _, c := range cases {
		for _, exchange := range c.Exchanges() {
			body := exchange.Answer().Body
			if exchange.Status != nil && !seen[string(body)] {
				seen[string(body)] = true
				all = append(all, body)
			}
		}
	}
	return all
}
