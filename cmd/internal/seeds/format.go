package seeds

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/corpus"
)

// Format is a form in which cases are given out and taken in.
type Format string

const (
	Native    Format = "native"    // seed files of Go's native fuzzing, a file a seed
	GoFuzz    Format = "go-fuzz"   // raw files, as dvyukov/go-fuzz keeps them
	LibFuzzer Format = "libfuzzer" // raw files, as libFuzzer and AFL take them
	JSONL     Format = "jsonl"     // cases, one JSON object a line
	HAR       Format = "har"       // an HTTP Archive
	HTTP      Format = "http"      // requests and answers as HTTP/1.1 messages
)

// Formats lists every format by name.
func Formats() []string {
	return []string{string(Native), string(GoFuzz), string(LibFuzzer), string(JSONL), string(HAR), string(HTTP)}
}

// ParseFormat is the format of that name.
func ParseFormat(name string) (Format, error) {
	if !slices.Contains(Formats(), name) {
		return "", fmt.Errorf("unknown format %q; the formats are %s", name, strings.Join(Formats(), ", "))
	}
	return Format(name), nil
}

// Folder tells whether the format is a folder of files, an input each.
func (f Format) Folder() bool { return f == Native || f == GoFuzz || f == LibFuzzer }

// Skipped is an answer that a format cannot hold.
type Skipped struct{ ID, Why string }

// Blobs are the seed files of cases in a format of a folder, those of later
// exchanges included, each content once. What the layout cannot hold is skipped.
func (f Format) Blobs(all []corpus.Case, t Target) (blobs []corpus.Blob, skipped []Skipped, err error) {
	if f != Native && !t.Single() {
		return nil, nil, fmt.Errorf("%s takes one run of bytes, and the target %s is another layout; native takes it", f, t)
	}
	seen := make(map[string]string)
	for _, c := range all {
		for i, exchange := range c.Exchanges() {
			id := c.ID
			if i > 0 {
				id = fmt.Sprintf("%s#%d", c.ID, i+1)
				if !exchange.Notification {
					exchange.RequestID = c.RequestID
				}
			}
			values, err := t.Values(exchange)
			if err != nil {
				skipped = append(skipped, Skipped{id, err.Error()})
				continue
			}
			data := textOf(values[0])
			if f == Native {
				data = t.Native(values)
			}
			name := corpus.SeedName(data)
			if first, ok := seen[name]; ok {
				skipped = append(skipped, Skipped{id, "the same seed as that of " + first})
				continue
			}
			seen[name] = id
			blobs = append(blobs, corpus.Blob{Name: name, Data: data})
		}
	}
	return blobs, skipped, nil
}

// Reader is a function for [corpus.ImportOptions] that reads seeds of a layout.
func (t Target) Reader(id classifier.ID) func(input []byte) (corpus.Case, error) {
	return func(input []byte) (corpus.Case, error) {
		values := []any{input}
		if corpus.IsSeed(input) {
			var err error
			if values, err = t.ParseNative(input); err != nil {
				return corpus.Case{}, err
			}
		} else if !t.Single() {
			return corpus.Case{}, fmt.Errorf("is no seed file of Go's native fuzzing, which the target %s needs", t)
		}
		c, err := t.Case(values)
		if err == nil && !c.Notification && !slices.ContainsFunc(t, func(a Argument) bool { return a.Name == "id" || a.Name == "case" }) {
			c.RequestID = id
		}
		return c, err
	}
}

// HoldsHTTP tells whether HTTP messages can hold a case; if not, the error names
// what would be lost. It writes the case and reads it back.
func HoldsHTTP(c corpus.Case) error {
	switch {
	case c.Status == nil:
		return fmt.Errorf("there is no answer, and messages cannot say why")
	case len(c.Then) > 0:
		return fmt.Errorf("it has further answers in it (then)")
	}
	in := capture.Input{Name: "http", Form: capture.HTTP, IDAssumed: true}
	// Another message follows, as it does in a file.
	text := capture.AppendHTTP(capture.AppendHTTP(nil, c), corpus.Case{Status: new(200)})
	for x, err := range in.Exchanges(bytes.NewReader(text)) {
		if err != nil {
			return err
		}
		back, err := x.Case()
		if err != nil {
			return err
		}
		back.Headers = capture.WithoutFraming(back.Headers)
		if cases.WireKey(back) != cases.WireKey(c) {
			return fmt.Errorf("messages would change %s", strings.Join(changedKeys(c, back), ", "))
		}
		return nil
	}
	return fmt.Errorf("it cannot be read back")
}

// changedKeys are the keys of the wire in which two cases differ.
func changedKeys(a, b corpus.Case) []string {
	var keys []string
	differ := func(key string, is bool) {
		if is {
			keys = append(keys, key)
		}
	}
	differ("request_id", a.RequestID != b.RequestID || a.Notification != b.Notification)
	differ("status", b.Status == nil || *a.Status != *b.Status)
	differ("headers", fmt.Sprint(a.HTTPHeader()) != fmt.Sprint(b.HTTPHeader()))
	x, y := a.Answer(), b.Answer()
	differ("body", !bytes.Equal(x.Body, y.Body))
	differ("ended", x.Ended != y.Ended)
	return keys
}

// LostInHTTP are the parts of a case, besides what it says of itself and expects,
// that messages have no place for: how its body was paced, and the place for an
// id, in which the id stands.
func LostInHTTP(c corpus.Case) []string {
	var keys []string
	if len(c.ChunkSplits) > 0 {
		keys = append(keys, "chunk_splits")
	}
	if c.DelayMS > 0 {
		keys = append(keys, "delay_ms")
	}
	if bytes.Contains(c.Body, []byte(corpus.Placeholder)) {
		keys = append(keys, corpus.Placeholder)
	}
	return keys
}
