package corpus

import (
	"strconv"
	"strings"
)

// describe shows what a value is, for an error.
func (v value) describe() string {
	switch v.kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	const most = 40
	if len(v.raw) > most {
		return strings.ToValidUTF8(string(v.raw[:most]), "") + "…"
	}
	return string(v.raw)
}

// check notes an error of a value.
func (d *decoder) check(v value, key string, err error) {
	if err != nil {
		d.fault(v.at, key, "%w", err)
	}
}

// word is the text of a string; anything else, and half a surrogate pair, is a
// fault.
func (d *decoder) word(v value, key string) (string, bool) {
	if v.kind() != '"' {
		d.fault(v.at, key, "must be a string, is %s", v.describe())
		return "", false
	}
	text, lone := unquote(v.raw)
	if lone {
		d.fault(v.at, key, "escapes half a surrogate pair, which no text holds; bytes go into body_base64")
		return "", false
	}
	return text, true
}

func (d *decoder) text(into *string) func(value, string) {
	return func(v value, key string) { *into, _ = d.word(v, key) }
}

func (d *decoder) texts(into *[]string) func(value, string) {
	return func(v value, key string) {
		*into = []string{}
		for _, element := range d.list(v, key) {
			if text, ok := d.word(element, key); ok {
				*into = append(*into, text)
			}
		}
	}
}

func (d *decoder) list(v value, key string) []value {
	if v.kind() != '[' {
		d.fault(v.at, key, "must be an array, is %s", v.describe())
		return nil
	}
	return v.elements()
}

func (d *decoder) int(v value, key string) int {
	n, err := strconv.Atoi(string(v.raw))
	if err != nil {
		d.fault(v.at, key, "must be an integer in plain digits, is %s", v.describe())
	}
	return n
}

func (d *decoder) ints(v value, key string) []int {
	all := []int{}
	for _, element := range d.list(v, key) {
		all = append(all, d.int(element, key))
	}
	return all
}

// optionalInt is an integer, or nil for null.
func (d *decoder) optionalInt(v value, key string) *int {
	if v.isNull() {
		return nil
	}
	n := d.int(v, key)
	return &n
}

func (d *decoder) boolean(v value, key string) bool {
	if v.kind() != 't' && v.kind() != 'f' {
		d.fault(v.at, key, "must be true or false, is %s", v.describe())
	}
	return v.kind() == 't'
}

func keyList[V any](fields map[string]V) string {
	return strings.Join(sortedKeys(fields), ", ")
}
