package fuzz

import (
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// ContentType judges data, split at line feeds, as the Content-Type lines of an
// answer whose body is at once a tool result in JSON and no event of a stream:
// rule 2. Model, classifier and reader must agree; case, white space around the
// value, and a line said twice must change nothing.
func ContentType(t T, data []byte) {
	t.Helper()
	s := typed(data)
	j := agree(t, s)
	if len(data) == 0 {
		return
	}
	lines := s.Answer.Header["Content-Type"]
	j.readAgrees()
	j.relined("case of the media type", func(line string) string {
		essence, rest, found := strings.Cut(line, ";")
		if found {
			rest = ";" + rest
		}
		return swapCase(essence) + rest
	})
	j.relined("white space around the media type", func(line string) string { return " \t" + line })
	twice := j.s
	twice.Answer.Header = map[string][]string{"Content-Type": slices.Concat(lines, lines)}
	v := twice.Classify()
	j.holds(same(&j.v, &v), "lines said twice", twice, &v)
	// Rule 3 comes before rule 2, whatever the type.
	empty := j.s
	empty.Answer.Status, empty.Answer.Body = 202, nil
	v = empty.Classify()
	j.holds(v.Reason == classifier.ReasonNoBody, "an empty 202 has no type", empty, &v)
}

// typed is the answer that data stands for.
func typed(data []byte) Sample {
	s := jsonSample([]byte(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`))
	s.Answer.Header = map[string][]string{}
	if len(data) > 0 {
		s.Answer.Header["Content-Type"] = fieldLines(data)
	}
	return s
}

// relined changes every Content-Type line; the verdict must stay but for what
// it repeats of the line.
func (j judged) relined(relation string, change func(string) string) {
	j.t.Helper()
	s := j.s
	var lines []string
	for _, line := range s.Answer.Header["Content-Type"] {
		lines = append(lines, change(line))
	}
	s.Answer.Header = map[string][]string{"Content-Type": lines}
	v := s.Classify()
	v.ContentType = j.v.ContentType
	j.holds(same(&j.v, &v), relation, s, &v)
}

// swapCase swaps the case of ASCII letters and of nothing else.
func swapCase(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			b[i] = c ^ 0x20
		}
	}
	return string(b)
}

// ContentTypeSeeds are the media types that damage is made from, and all sets of
// lines that the corpus holds.
func ContentTypeSeeds() [][]byte { return fieldSeeds("Content-Type", mediaTypes) }

// fieldLines are the lines of a header field; no line can hold a line end.
func fieldLines(data []byte) []string {
	return strings.Split(strings.ReplaceAll(string(data), "\r", ""), "\n")
}
