package seeds

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/corpus"
)

// Native is the seed file of Go's native fuzzing for the arguments.
func (t Target) Native(values []any) []byte {
	var args []corpus.SeedArg
	for i, a := range t {
		switch v := values[i].(type) {
		case []byte:
			args = append(args, corpus.SeedText(a.Type, v))
		default:
			args = append(args, corpus.SeedArg{Type: a.Type, Value: fmt.Sprint(v)})
		}
	}
	return corpus.AppendSeed(nil, args...)
}

// ParseNative are the arguments of a seed file; their types must be those of the
// layout.
func (t Target) ParseNative(file []byte) ([]any, error) {
	args, err := corpus.ParseSeed(file)
	if err != nil {
		return nil, err
	}
	if len(args) != len(t) {
		return nil, fmt.Errorf("has %d arguments, and the target %s has %d; --target tells another layout", len(args), t, len(t))
	}
	var values []any
	for i, a := range t {
		v, err := parseValue(a, args[i])
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// sameType are the names of Go that stand for one type.
var sameType = map[string]string{"byte": "uint8", "rune": "int32"}

func parseValue(a Argument, arg corpus.SeedArg) (any, error) {
	typ, text := arg.Type, arg.Value
	if other := sameType[typ]; other != "" {
		typ = other
	}
	isText := a.Type == "[]byte" || a.Type == "string"
	if typ != a.Type && !(isText && arg.IsText()) {
		return nil, fmt.Errorf("the argument %.40q is no %s", arg.String(), a.Type)
	}
	if isText {
		return arg.Text()
	}
	if strings.HasPrefix(text, "'") {
		r, _, _, err := strconv.UnquoteChar(strings.Trim(text, "'"), '\'')
		if err != nil {
			return nil, fmt.Errorf("the argument %.40q: %w", arg.String(), err)
		}
		text = strconv.Itoa(int(r))
	}
	return typed(a, []byte(text))
}
