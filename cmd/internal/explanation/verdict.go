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
	"github.com/replyproof/replyproof/cmd/internal/visible"
)

// Told is a verdict and what it was given on.
type Told struct {
	Verdict classifier.Verdict
	Advice  classifier.Advice
	Record  classifier.Record
	Call    classifier.Call
	Answer  classifier.Answer
	// Clean takes out of the texts of the answer what must not be shown; nil stands
	// for [capture.CleanText].
	Clean func(string) string
	// IDAssumed says that nobody told the id of the call.
	IDAssumed bool
	// Asked is what was sent, and where it stands, a line each; nil if unknown.
	Asked []string
	// Repeats tells how the POST follows others of its call; "" for a first one.
	Repeats string
}

// Line is one thing that is said of a verdict: a name, and one text or several.
type Line struct {
	Name  string
	Texts []string
	// Prose tells that the texts may be broken into lines anywhere; Laid that
	// their columns matter.
	Prose, Laid bool
}

// Lines are what [Verdict] writes under the outcome, without colour.
func Lines(t Told) ([]Line, error) {
	v := t.Verdict
	k, entry := knowOf(v), v.Reason.Entry()
	clean := plain
	if t.Clean != nil {
		clean = t.Clean
	}
	var lines []Line
	say := func(l Line) {
		if len(l.Texts) > 0 {
			lines = append(lines, l)
		}
	}
	prose := func(name string, texts ...string) { say(Line{Name: name, Texts: texts, Prose: true}) }
	say(Line{Name: "asked", Texts: t.Asked})
	prose("decided by", fmt.Sprintf("rule %s, %s: %s", entry.Rule, entry.Name, entry.Meaning))
	say(Line{Name: "where", Texts: clean.place(v, t.Call, t.Answer)})
	say(Line{Name: "in the body", Texts: clean.pointed(v, t.Answer), Laid: true})
	if t.IDAssumed && v.Reason == classifier.ReasonIDMismatch {
		prose("", fmt.Sprintf("the request's id was taken to be %s, since --id was not given", t.Call.ID))
	}
	prose("known", k.known)
	if k.unknown != "" {
		prose("not known", k.unknown)
	}
	if t.Repeats != "" {
		prose("sent before", t.Repeats)
	}
	prose("send again?", Advice(t.Advice))
	var findings []string
	for _, f := range v.Findings {
		findings = append(findings, finding(f))
	}
	prose("findings", findings...)
	record, err := logged(t.Record)
	if err != nil {
		return nil, err
	}
	log := Line{Name: "log", Texts: []string{record}, Laid: true}
	if missing := unknown(t.Record); missing != "" {
		log.Texts = append(log.Texts, "and what only the caller knows: "+missing)
	}
	return append(lines, log), nil
}

// Verdict writes one verdict as something that a person can act on, with the
// part of the record that is known.
func Verdict(s *terminal.Screen, t Told) error {
	lines, err := Lines(t)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out(), "%s  %s layer\n\n", Tone(s, t.Verdict.Outcome), t.Verdict.Layer)
	for _, l := range lines {
		name := l.Name
		for _, text := range l.Texts {
			rows := []string{text}
			if l.Prose {
				rows = s.Wrap(15, text)
			}
			for _, row := range rows {
				fmt.Fprintf(s.Out(), "  %s %s\n", s.Faint(fmt.Sprintf("%-12s", name)), visible.Text(strings.TrimRight(row, " ")))
				name = ""
			}
		}
	}
	return nil
}

// unknown names the members of the record that only the caller can fill in.
func unknown(r classifier.Record) string {
	var names []string
	for _, m := range []struct {
		name   string
		absent bool
	}{
		{"client", r.Client == ""}, {"protocolVersion", r.ProtocolVersion == ""}, {"startedAt", r.StartedAt == nil},
		{"durationMs", r.DurationMS == 0}, {"meta", r.Meta == nil},
	} {
		if m.absent {
			names = append(names, m.name)
		}
	}
	return strings.Join(names, ", ")
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
		text += "; at " + plain.shorten(f.Pointer)
	case f.Offset >= 0:
		text += fmt.Sprintf("; at byte %d", f.Offset)
	}
	return text
}
