package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Setting is one thing that can be set of a scenario.
type Setting struct {
	Name    string
	Default json.RawMessage
	Doc     string
}

// Settings are what can be set of a scenario, in order.
func (s Scenario) Settings() []Setting {
	var all []Setting
	value := reflect.ValueOf(s.defaults)
	for i := range value.NumField() {
		field := value.Type().Field(i)
		text, err := json.Marshal(value.Field(i).Interface())
		if err != nil {
			text = nil
		}
		all = append(all, Setting{field.Tag.Get("json"), text, field.Tag.Get("doc")})
	}
	return all
}

// settings reads settings over the defaults: names exactly as they are written,
// none twice, and none that does not exist.
func (s Scenario) settings(text []byte) (any, error) {
	value := reflect.New(reflect.TypeOf(s.defaults)).Elem()
	value.Set(reflect.ValueOf(s.defaults))
	if len(bytes.TrimSpace(text)) == 0 {
		return value.Interface(), nil
	}
	seen := make(map[string]bool)
	err := members(text, func(name string, raw json.RawMessage) error {
		for i := range value.NumField() {
			if value.Type().Field(i).Tag.Get("json") != name {
				continue
			}
			if seen[name] {
				return fmt.Errorf("%s is set twice", name)
			}
			seen[name] = true
			field := reflect.New(value.Field(i).Type())
			if err := json.Unmarshal(raw, field.Interface()); err != nil || string(raw) == "null" && field.Elem().Type() != reflect.TypeFor[json.RawMessage]() {
				return fmt.Errorf("%s: got %s, want %s", name, clip(string(raw)), kindOf(value.Field(i).Type()))
			}
			value.Field(i).Set(field.Elem())
			return nil
		}
		var names []string
		for _, one := range s.Settings() {
			names = append(names, one.Name)
		}
		if len(names) == 0 {
			return fmt.Errorf("unknown setting %q; this scenario has none", clip(name))
		}
		slices.Sort(names)
		return fmt.Errorf("unknown setting %q; there are %s", clip(name), strings.Join(names, ", "))
	})
	return value.Interface(), err
}

// members goes through the members of a JSON object.
func members(text []byte, member func(name string, raw json.RawMessage) error) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return fmt.Errorf("%s is no JSON object, such as {\"name\":1}", clip(string(text)))
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return syntax(text, err)
		}
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return syntax(text, err)
		}
		if err := member(name.(string), raw); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return syntax(text, err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("more follows the JSON object: %s", clip(string(text[decoder.InputOffset():])))
	}
	return nil
}

// syntax tells where a text is no JSON.
func syntax(text []byte, err error) error {
	var wrong *json.SyntaxError
	at := int64(len(text))
	if errors.As(err, &wrong) {
		at = wrong.Offset
	}
	return fmt.Errorf("no JSON from byte %d: %w", at, err)
}

// kindOf is a type in words.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.String:
		return "a text in quotes"
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() {
			return "any JSON"
		}
		return "a list, each of it " + kindOf(t.Elem())
	case reflect.Map:
		return "an object, each member " + kindOf(t.Elem())
	}
	return t.String()
}

// clip is the beginning of a text that may be long.
func clip(text string) string {
	const longest = 80
	if len(text) <= longest {
		return text
	}
	end := longest
	for end > 0 && !utf8.RuneStart(text[end]) { // no half of a character
		end--
	}
	return text[:end] + "…"
}

// between refuses a number outside its bounds.
func between(name string, n, least, most int) error {
	if n < least || n > most {
		return fmt.Errorf("%s: got %d, want %d to %d", name, n, least, most)
	}
	return nil
}

// oneOf refuses a word that is none of those.
func oneOf(name, word string, words ...string) error {
	if slices.Contains(words, word) {
		return nil
	}
	return fmt.Errorf("%s: got %q, want %s", name, clip(word), strings.Join(words, " or "))
}
