package subject

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
)

// startLine is the first line that an adapter gets.
func startLine(deadline time.Duration) []byte {
	return fmt.Appendf(nil, `{"replyproof":1,"cmd":"start","deadline_ms":%d}`+"\n", deadline.Milliseconds())
}

// caseLine gives a case to a classifier: the answer as it was delivered. It
// fails on a case that JSON cannot hold, such as a header value that is not
// UTF-8, which a fault of the user's own may make.
func caseLine(seq int, c corpus.Case) ([]byte, error) {
	text, err := json.Marshal(Delivered(c))
	if err != nil {
		return nil, fmt.Errorf("subject: write case %q: %w", c.ID, err)
	}
	return fmt.Appendf(nil, `{"seq":%d,"case":%s}`+"\n", seq, text), nil
}

// callLine asks a client to make a call. A url, the tool and the name of a play
// are letters, digits and signs that stand for themselves in JSON.
func callLine(seq int, url string, play *loopback.Play) []byte {
	line := make([]byte, 0, 160)
	line = strconv.AppendInt(append(line, `{"seq":`...), int64(seq), 10)
	line = append(append(append(line, `,"url":"`...), url...), `","tool":"`+loopback.Tool+`","arguments":{"case":"`...)
	return append(append(line, play.Name()...), "\"}}\n"...)
}

// Delivered is the case as a judge gets it: wire fields only, the request's id
// put in, the body cut, the way it ended said wherever it is not eof.
func Delivered(c corpus.Case) corpus.Case {
	wire := c.Wire(c.RequestID)
	c = c.WireOnly()
	c.Body, c.ChunkSplits, c.CutAfter, c.Then = wire.Delivered(), wire.Split, nil, nil
	if wire.Ended != classifier.EndedEOF {
		c.Ended = &wire.Ended
	} else {
		c.Ended = nil
	}
	return c
}

// maxText is how much is kept of what an adapter says for people, in bytes.
const maxText = 4 << 10

// maxWord is how much is kept of a name or a word, in bytes.
const maxWord = 200

// maxTold and maxWords bound the words of a handshake: each may name every
// outcome once, and each outcome has a word or two.
const (
	maxTold  = 400
	maxWords = 64
)

// object reads a line as a JSON object with its members as they stand.
// encoding/json would match names of a struct without regard to case.
func object(text []byte) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return nil, fmt.Errorf("it wrote a line that is no JSON object: %q (standard output is for the protocol; print anything else on standard error)",
			shorten(string(text), 200))
	}
	return members, nil
}

// field reads a member into v; it is left alone where the member is absent or null.
func field(members map[string]json.RawMessage, name string, v any) error {
	raw, ok := members[name]
	if !ok || string(raw) == "null" {
		return nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("its %s is %s, which is no %T", name, shorten(string(raw), 100), deref(v))
	}
	return nil
}

func deref(v any) any {
	switch v := v.(type) {
	case *string:
		return *v
	case *bool:
		return *v
	case *int:
		return *v
	case *[]string:
		return *v
	}
	return v
}

// parseReady reads the line that answers start.
func parseReady(text []byte) (Info, error) {
	members, err := object(text)
	if err != nil {
		return Info{}, err
	}
	var ready bool
	var name, version, kind, protocol, why string
	var words []string
	err = errors.Join(
		field(members, "ready", &ready), field(members, "name", &name), field(members, "version", &version),
		field(members, "kind", &kind), field(members, "protocol_version", &protocol),
		field(members, "tells", &words), field(members, "broken", &why))
	switch {
	case err != nil:
		return Info{}, err
	case why != "":
		return Info{}, fmt.Errorf("it says that it is broken: %s", shorten(why, maxText))
	case !ready:
		return Info{}, fmt.Errorf(`its first line is not {"ready":true,…}: %q`, shorten(string(text), 200))
	}
	switch Kind(kind) {
	case KindClassifier, KindClient:
	default:
		return Info{}, fmt.Errorf(`its kind is %q; known are "classifier" and "client"`, shorten(kind, maxWord))
	}
	for _, word := range words {
		if len(word) > maxTold {
			return Info{}, fmt.Errorf("its tells hold a word of %d bytes, more than every outcome takes: %q", len(word), shorten(word, maxWord))
		}
	}
	if len(words) > maxWords {
		return Info{}, fmt.Errorf("its tells hold %d words, more than can be told apart", len(words))
	}
	tells, err := ParseTells(words)
	if err != nil {
		return Info{}, err
	}
	return Info{Name: shorten(name, maxWord), Version: shorten(version, maxWord), Kind: Kind(kind), ProtocolVersion: shorten(protocol, maxWord), Tells: tells}, nil
}

// plainAnswer reads an answer that holds nothing but the two members that it
// must, as programs write it, such as {"seq":7,"saw":"SUCCESS"}: reading any
// other takes longer than a quick client's call.
func plainAnswer(text []byte, seq int) (word string, ok bool) {
	text, begins := bytes.CutPrefix(text, strconv.AppendInt([]byte(`{"seq":`), int64(seq), 10))
	text, goesOn := bytes.CutPrefix(text, []byte(`,"saw":"`))
	text, ends := bytes.CutSuffix(text, []byte(`"}`))
	for _, c := range text {
		if (c < 'A' || c > 'Z') && c != '_' && c != '|' {
			return "", false
		}
	}
	return string(text), begins && goesOn && ends
}

// parseAnswer reads the line that answers case seq.
func parseAnswer(text []byte, seq int, tells Tells) (Observation, error) {
	if word, ok := plainAnswer(text, seq); ok {
		if _, ok := tells.Covers(word); ok {
			return Observation{Saw: word}, nil
		}
	}
	members, err := object(text)
	if err != nil {
		return Observation{}, err
	}
	got := -1
	var saw, skip, why string
	o := Observation{}
	alive := true
	err = errors.Join(
		field(members, "seq", &got), field(members, "saw", &saw), field(members, "skip", &skip),
		field(members, "broken", &why), field(members, "text", &o.Text), field(members, "alive", &alive))
	if err != nil {
		return Observation{}, err
	}
	if got != seq {
		if _, ok := members["seq"]; !ok && why != "" {
			return Observation{}, fmt.Errorf("it says that it is broken: %s", shorten(why, maxText))
		}
		return Observation{}, fmt.Errorf("its answer has seq %s where %d was asked", member(members, "seq"), seq)
	}
	given := 0
	for _, name := range []string{"saw", "skip", "broken"} {
		if raw, ok := members[name]; ok && string(raw) != "null" {
			given++
		}
	}
	switch {
	case given != 1:
		return Observation{}, fmt.Errorf("its answer to seq %d must hold one of saw, skip and broken: %q", seq, shorten(string(text), 200))
	case members["broken"] != nil && string(members["broken"]) != "null":
		return Observation{}, fmt.Errorf("it says that it is broken: %s", shorten(why, maxText))
	case saw == "" && (members["saw"] == nil || string(members["saw"]) == "null"):
		return Observation{Fate: Skipped, Text: shorten(skip, maxText)}, nil
	}
	if _, ok := tells.Covers(saw); !ok {
		return Observation{}, fmt.Errorf("it saw %q, which is not among the words of its tells %q", shorten(saw, maxWord), tells.Words())
	}
	o.Saw, o.Dead, o.Text = saw, !alive, shorten(o.Text, maxText)
	// A code that is no number is one that a client read from an odd answer, and
	// is not compared.
	if raw := bytes.TrimSpace(members["code"]); len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		if len(raw) > maxText {
			return Observation{}, fmt.Errorf("its code is a number of %d bytes, want at most %d", len(raw), maxText)
		}
		o.Code = string(raw)
	}
	status := 0
	if err := field(members, "status", &status); err != nil {
		return Observation{}, err
	}
	if raw, ok := members["status"]; ok && string(raw) != "null" {
		o.Status = &status
	}
	return o, nil
}

func member(members map[string]json.RawMessage, name string) string {
	if raw, ok := members[name]; ok {
		return shorten(string(raw), 100)
	}
	return "none"
}
