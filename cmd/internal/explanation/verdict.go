// Package explanation tells people what a verdict means and what they can do,
// and what every word of the project stands for.
package explanation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
)

// Verdict writes one verdict as something that a person can act on, with the
// part of the record that is known from the answer. idAssumed says that nobody
// told the id of the call.
func Verdict(s *terminal.Screen, v classifier.Verdict, call classifier.Call, a classifier.Answer, advice classifier.Advice, idAssumed bool) error {
	k, entry := know(v.Outcome), v.Reason.Entry()
	fmt.Fprintf(s.Out(), "%s  %s layer\n\n", Tone(s, v.Outcome), v.Layer)
	row := func(name string, lines ...string) {
		for i, line := range lines {
			if i > 0 {
				name = ""
			}
			fmt.Fprintf(s.Out(), "  %s %s\n", s.Faint(fmt.Sprintf("%-12s", name)), strings.TrimRight(line, " "))
		}
	}
	wrapped := func(text string) []string { return s.Wrap(15, text) }
	row("decided by", wrapped(fmt.Sprintf("rule %s, %s: %s", entry.Rule, entry.Name, entry.Meaning))...)
	row("where", place(v, call, a)...)
	if idAssumed && v.Reason == classifier.ReasonIDMismatch {
		row("", wrapped(fmt.Sprintf("the request's id was taken to be %s, since --id was not given", call.ID))...)
	}
	row("known", wrapped(k.known)...)
	if k.unknown != "" {
		row("not known", wrapped(k.unknown)...)
	}
	row("send again?", wrapped(Advice(advice))...)
	for i, f := range v.Findings {
		name := ""
		if i == 0 {
			name = "findings"
		}
		row(name, wrapped(finding(f))...)
	}
	record, err := logged(classifier.NewRecord(v, advice, classifier.Exchange{}))
	if err != nil {
		return err
	}
	row("log", record, "and what only the caller knows: client, protocolVersion, startedAt, durationMs, meta")
	return nil
}

// logged is the record without what is not known.
func logged(r classifier.Record) (string, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("write the record: %w", err)
	}
	return known(text)
}

// known is an object without the members that are null, empty or zero; members
// that are objects are treated so too, one level deep or more.
func known(object []byte) (string, error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return "", err
	}
	var kept []string
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return "", err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return "", err
		}
		text := string(value)
		if value[0] == '{' {
			if text, err = known(value); err != nil {
				return "", err
			}
		}
		switch text {
		case "null", `""`, "[]", "{}", "0":
		default:
			kept = append(kept, fmt.Sprintf("%q:%s", name, text))
		}
	}
	return "{" + strings.Join(kept, ",") + "}", nil
}

// Tone is the outcome in the colour that fits it.
func Tone(s *terminal.Screen, o classifier.Outcome) string {
	switch o {
	case classifier.ToolSuccess, classifier.Accepted:
		return s.Good(o.String())
	case classifier.ToolError, classifier.InputRequired:
		return s.Doubt(o.String())
	}
	return s.Bad(o.String())
}

func finding(f classifier.Finding) string {
	entry := f.Kind.Entry()
	text := fmt.Sprintf("%s (rule %s): %s", entry.Name, entry.Rule, entry.Meaning)
	switch {
	case f.Pointer != "":
		text += "; at " + shorten(f.Pointer)
	case f.Offset >= 0:
		text += fmt.Sprintf("; at byte %d", f.Offset)
	}
	return text
}
