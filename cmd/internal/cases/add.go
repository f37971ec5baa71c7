package cases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// File is a corpus file that cases are added to: a corpus file proper, or JSON
// lines where its name ends in .jsonl. It need not be there yet.
type File struct {
	Name  string
	Group string // with which the ids of its cases begin
	Cases []corpus.Case
	data  []byte // as it was read; nil if it was not there
}

// OpenFile reads a corpus file. One that is not there is empty, and its group is
// its name.
func OpenFile(name string) (*File, error) {
	f := &File{Name: name, Group: groupOf(name)}
	data, err := read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	f.data = data
	if f.Cases, err = corpus.Parse(name, data); err != nil {
		return nil, err
	}
	var head struct{ Group string }
	if !f.lines() && json.Unmarshal(data, &head) == nil && head.Group != "" {
		f.Group = head.Group
	}
	return f, nil
}

func (f *File) lines() bool { return filepath.Ext(f.Name) == ".jsonl" }

var notKebab = regexp.MustCompile(`[^a-z0-9]+`)

// kebab makes a word of an id of any text.
func kebab(text string) string {
	return strings.Trim(notKebab.ReplaceAllString(strings.ToLower(text), "-"), "-")
}

func groupOf(name string) string {
	base := filepath.Base(name)
	if group := kebab(strings.TrimSuffix(base, filepath.Ext(base))); group != "" {
		return group
	}
	return "seen"
}

// Add appends cases and writes the file under a temporary name that is renamed
// when it is whole; the folder is made if it is not there. A file that someone else has changed since it was read is
// left as it is, and that is an error.
func (f *File) Add(added ...corpus.Case) error {
	all := slices.Concat(f.Cases, added)
	if now, err := os.ReadFile(f.Name); err == nil && !bytes.Equal(now, f.data) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: was changed by someone else meanwhile; run the command again", f.Name)
	}
	if f.lines() {
		for _, c := range added {
			if err := c.Check(); err != nil {
				return err
			}
		}
	}
	err := os.MkdirAll(filepath.Dir(f.Name), 0o755)
	switch {
	case err != nil:
		return fmt.Errorf("write %s: %w", f.Name, err)
	case f.lines():
		err = corpus.WriteLinesFile(f.Name, all)
	default:
		err = corpus.WriteFile(f.Name, f.Group, all)
	}
	if err != nil {
		return err
	}
	f.Cases = all
	f.data, err = os.ReadFile(f.Name)
	return err
}

// Suggest is an id for a case with that verdict: the group, what decided, and
// what tells it from others of the kind; taken ids are passed over.
func (f *File) Suggest(v classifier.Verdict, taken func(id string) bool) string {
	words := []string{v.Reason.String()}
	switch {
	case v.Outcome == classifier.HTTPError:
		words = append(words, fmt.Sprint(v.Status))
	case v.Outcome == classifier.JSONRPCError:
		words = append(words, string(v.Error.Code))
	}
	if len(v.Findings) > 0 {
		words = append(words, v.Findings[0].Kind.String())
	}
	id := f.Group + "/" + kebab(strings.Join(words, "-"))
	for n := 2; taken(id); n++ {
		id = fmt.Sprintf("%s/%s-%d", f.Group, kebab(strings.Join(words, "-")), n)
	}
	return id
}

// WireKey is what goes over the wire of a case, as text: cases with equal keys
// are the same answer to every judge and every client. Names of header fields
// count in small letters, their order does not but where a name repeats.
func WireKey(c corpus.Case) string {
	plain := func(c corpus.Case) corpus.Case {
		w := c.WireOnly()
		w.Then = nil
		w.ChunkSplits, w.DelayMS = nil, 0
		if c.Notification {
			w.RequestID = classifier.ID{}
		}
		if c.Status != nil {
			wire := c.Wire(c.RequestID)
			w.Body, w.CutAfter, w.Ended = wire.Delivered(), nil, nil
			if len(w.Body) == 0 {
				w.Body = nil
			}
			if wire.Ended != classifier.EndedEOF {
				w.Ended = &wire.Ended
			}
			w.Headers = corpus.HeadersOf(c.HTTPHeader())
		} else {
			w.Ended = new(c.NoAnswer())
		}
		return w
	}
	var key []byte
	for _, exchange := range c.Exchanges() {
		key, _ = plain(exchange).AppendJSON(key)
	}
	return string(key)
}
