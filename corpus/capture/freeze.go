package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/replyproof/replyproof/classifier"
)

// frozen is one case in the form of corpus files, its keys in their order.
type frozen struct {
	ID           string            `json:"id"`
	Rule         string            `json:"rule"`
	Why          string            `json:"why"`
	Source       string            `json:"source"`
	Tags         []string          `json:"tags"`
	RequestID    any               `json:"request_id,omitempty"`
	Status       int               `json:"status"`
	Headers      headers           `json:"headers"`
	Body         *string           `json:"body,omitempty"`
	BodyBase64   []byte            `json:"body_base64,omitempty"`
	ChunkSplits  []int             `json:"chunk_splits,omitempty"`
	Ended        *classifier.Ended `json:"ended,omitempty"`
	Notification bool              `json:"notification,omitempty"`
	Expect       expectation       `json:"expect"`
	Also         []string          `json:"also_acceptable,omitempty"`
}

// headers are written as an object in the order of the wire.
type headers []field

// MarshalJSON writes an object; names that stand twice are an error, since no
// server here sends any.
func (h headers) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	seen := map[string]bool{}
	for i, f := range h {
		if seen[f.Name] {
			return nil, fmt.Errorf("marshal headers: %s stands twice", f.Name)
		}
		seen[f.Name] = true
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(f.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.Value)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// volatile are the header lines that are left out: they differ from one capture
// to the next, or speak of the connection and of framing that a case has undone.
var volatile = []string{
	"date", "mcp-session-id", "connection", "keep-alive", "transfer-encoding", "content-length", "etag",
}

// freeze is the case of an exchange and what came back for it.
func freeze(x exchange, a wireAnswer, source string) frozen {
	c := frozen{
		ID: x.id, Rule: x.rule, Why: x.why, Source: source, Tags: []string{"real"},
		RequestID: x.request, Status: a.Status, Headers: headers{}, ChunkSplits: a.Splits,
		Notification: x.request == nil, Expect: x.expect, Also: x.also,
	}
	for _, f := range a.Fields {
		if name := strings.ToLower(f.Name); !slices.Contains(volatile, name) {
			c.Headers = append(c.Headers, field{name, f.Value})
		}
	}
	if a.Ended != classifier.EndedEOF {
		c.Ended = &a.Ended
	}
	if utf8.Valid(a.Body) {
		text := string(a.Body)
		c.Body = &text
	} else {
		c.BodyBase64 = a.Body
	}
	return c
}

// writeCases replaces the corpus file at path.
func writeCases(path, group string, cases []frozen) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(struct {
		Format string   `json:"format"`
		Group  string   `json:"group"`
		Cases  []frozen `json:"cases"`
	}{"replyproof-cases/1", group, cases})
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".real-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(temporary.Name()) //nolint:errcheck // gone after the rename
	if _, err = temporary.Write(out.Bytes()); err == nil {
		err = temporary.Chmod(0o644)
	}
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
