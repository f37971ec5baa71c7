package classifier

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Bounds of a sanitised JSON value.
const (
	jsonRead    = 256 << 10 // a longer raw value is not looked at
	jsonKept    = 8 << 10   // a longer sanitised value is not kept
	jsonDepth   = 16
	jsonMembers = 100
	jsonString  = 1024
)

// sanitizeJSON makes a raw JSON value from a server fit for a log: strings and
// names as sanitizeText does, the values of members with the names of secrets
// replaced, size and depth bounded. It is nil for no value. Members are sorted,
// and of duplicate ones the last is kept.
func sanitizeJSON(raw []byte) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	if len(raw) > jsonRead {
		return omitted(raw)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return omitted(raw)
	}
	out, err := marshalPlain(sanitizeValue(v, jsonDepth))
	if err != nil || len(out) > jsonKept {
		return omitted(raw)
	}
	return out
}

// omitted stands for a value that is too large or too deep for a record.
func omitted(raw []byte) json.RawMessage {
	return fmt.Appendf(nil, `"[omitted: %d bytes of JSON]"`, len(raw))
}

func marshalPlain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func sanitizeValue(v any, depth int) any {
	switch v := v.(type) {
	case string:
		return sanitizeText(v, jsonString)
	case json.Number:
		if len(v) > 100 {
			return "[omitted: a number of " + fmt.Sprint(len(v)) + " characters]"
		}
	case []any:
		if depth == 0 {
			return "[omitted: nested too deep]"
		}
		for i := range v {
			if i == jsonMembers {
				return append(v[:i], fmt.Sprintf("[omitted: %d more]", len(v)-i))
			}
			v[i] = sanitizeValue(v[i], depth-1)
		}
	case map[string]any:
		if depth == 0 {
			return "[omitted: nested too deep]"
		}
		if len(v) > jsonMembers {
			return fmt.Sprintf("[omitted: an object of %d members]", len(v))
		}
		clean := make(map[string]any, len(v))
		for name, value := range v {
			_, isNumber := value.(json.Number)
			_, isBool := value.(bool)
			if value != nil && !isBool && isSecretName(name, isNumber) {
				value = redacted
			}
			clean[sanitizeText(name, 100)] = sanitizeValue(value, depth-1)
		}
		return clean
	}
	return v
}
