package fuzz

import (
	"slices"
	"strings"
	"sync"

	"github.com/replyproof/replyproof/corpus"
)

// kind is what a body is to a parser.
type kind uint8

const (
	jsonBody kind = iota
	streamBody
	codedBody
)

// largest is the size in bytes beyond which a body makes no seed: engines lose
// more by long inputs than they find in them.
const largest = 8 << 10

// exchanges are all answers of the corpus, those of later exchanges included.
var exchanges = sync.OnceValue(func() []corpus.Case {
	var all []corpus.Case
	for _, c := range corpus.All() {
		all = append(all, c.Exchanges()...)
	}
	return all
})

// seeds are the bodies of that kind in the corpus, each once.
func seeds(k kind) [][]byte {
	var all [][]byte
	seen := map[string]bool{}
	for _, c := range exchanges() {
		body := c.Answer().Body
		if c.Status == nil || len(body) > largest || seen[string(body)] || kindOf(c) != k {
			continue
		}
		seen[string(body)] = true
		all = append(all, body)
	}
	return all
}

// small is some of the seeds of a kind.
func small(k kind) [][]byte {
	all := seeds(k)
	var some [][]byte
	for i := 0; i < len(all); i += 3 {
		some = append(some, all[i])
	}
	return some
}

func kindOf(c corpus.Case) kind {
	switch {
	case c.Headers.Get("content-encoding") != "":
		return codedBody
	case strings.Contains(strings.ToLower(c.Headers.Get("content-type")), "event-stream"):
		return streamBody
	}
	return jsonBody
}

// fieldSeeds are single lines and every set of lines of a header field that an
// answer of the corpus has.
func fieldSeeds(name string, lines []string) [][]byte {
	var all [][]byte
	for _, line := range lines {
		all = append(all, []byte(line))
	}
	for _, c := range exchanges() {
		if values := c.HTTPHeader().Values(name); len(values) > 0 {
			all = append(all, []byte(strings.Join(values, "\n")))
		}
	}
	slices.SortFunc(all, func(a, b []byte) int { return strings.Compare(string(a), string(b)) })
	return slices.CompactFunc(all, func(a, b []byte) bool { return string(a) == string(b) })
}
