package seeds

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// header is the first line of a seed file of Go's native fuzzing.
const header = "go test fuzz v1"

// Native is the seed file of Go's native fuzzing for the arguments.
func (t Target) Native(values []any) []byte {
	out := []byte(header + "\n")
	for i, a := range t {
		switch v := values[i].(type) {
		case []byte:
			out = fmt.Appendf(out, "%s(%s)\n", a.Type, strconv.Quote(string(v)))
		default:
			out = fmt.Appendf(out, "%s(%v)\n", a.Type, v)
		}
	}
	return out
}

// IsNative tells whether a file is a seed file of Go's native fuzzing.
func IsNative(file []byte) bool {
	first, _, _ := bytes.Cut(file, []byte("\n"))
	return strings.TrimRight(string(first), "\r") == header
}

// ParseNative are the arguments of a seed file; their types must be those of the
// layout.
func (t Target) ParseNative(file []byte) ([]any, error) {
	if !IsNative(file) {
		return nil, fmt.Errorf("does not begin with %q", header)
	}
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(string(file), "\r\n", "\n"), "\n"), "\n")[1:]
	if len(lines) != len(t) {
		return nil, fmt.Errorf("has %d arguments, and the target %s has %d; --target tells another layout", len(lines), t, len(t))
	}
	var values []any
	for i, a := range t {
		v, err := parseValue(a, lines[i])
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// sameType are the names of Go that stand for one type.
var sameType = map[string]string{"byte": "uint8", "rune": "int32"}

func parseValue(a Argument, line string) (any, error) {
	typ, rest, ok := strings.Cut(line, "(")
	if other := sameType[typ]; other != "" {
		typ = other
	}
	text, closed := strings.CutSuffix(rest, ")")
	isText := a.Type == "[]byte" || a.Type == "string"
	if !ok || !closed || typ != a.Type && !(isText && (typ == "[]byte" || typ == "string")) {
		return nil, fmt.Errorf("the argument %.40q is no %s", line, a.Type)
	}
	if isText {
		plain, err := strconv.Unquote(text)
		if err != nil {
			return nil, fmt.Errorf("the argument %.40q: %w", line, err)
		}
		return []byte(plain), nil
	}
	if strings.HasPrefix(text, "'") {
		r, _, _, err := strconv.UnquoteChar(strings.Trim(text, "'"), '\'')
		if err != nil {
			return nil, fmt.Errorf("the argument %.40q: %w", line, err)
		}
		text = strconv.Itoa(int(r))
	}
	return typed(a, []byte(text))
}
