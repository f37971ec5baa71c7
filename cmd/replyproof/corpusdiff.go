package main

import (
	"bytes"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/corpus"
)

func newCorpusDiff() *cobra.Command {
	return &cobra.Command{
		Use:   "diff A B",
		Short: "Compare the cases of two files or folders",
		Long: `Compare the cases of A and B, each a file or a folder, by their ids: which were
added, removed or renamed (the same answer under another id), and in which keys
the others differ. The word shipped stands for the cases that the project ships.

Exit status: 0 the same, 1 they differ, 2 a file cannot be read.`,
		Example: `  replyproof corpus diff my-cases/ /tmp/their-cases/
  replyproof corpus diff shipped shipped`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return corpusDiff(cmd, args[0], args[1]) },
	}
}

// shippedWord names the shipped cases where a path stands.
const shippedWord = "shipped"

func loadSide(path string) ([]corpus.Case, error) {
	if path == shippedWord {
		return corpus.All(), nil
	}
	return cases.Load([]string{path})
}

// diffLine is one difference as a JSON object.
type diffLine struct {
	Case   string   `json:"case"`
	Change string   `json:"change"` // added, removed, renamed, changed
	To     string   `json:"to,omitempty"`
	Keys   []string `json:"keys,omitempty"`
}

func corpusDiff(cmd *cobra.Command, a, b string) error {
	before, err := loadSide(a)
	if err != nil {
		return err
	}
	after, err := loadSide(b)
	if err != nil {
		return err
	}
	s := screen(cmd)
	found := differences(before, after)
	var rows [][]string
	for _, d := range found {
		if wantsJSON(cmd) {
			if err := s.Line(d); err != nil {
				return err
			}
			continue
		}
		what := strings.Join(d.Keys, ", ")
		if d.To != "" {
			what = "to " + d.To
		}
		rows = append(rows, []string{d.Change, d.Case, what})
	}
	if !wantsJSON(cmd) {
		if len(rows) > 0 {
			s.Table([]string{"change", "case", "what"}, rows)
		}
		s.Notef("%s in %s, %s in %s, %s", count.Of(len(before), "case"), a, count.Of(len(after), "case"), b, count.Of(len(found), "difference"))
	}
	if err := s.Flush(); err != nil {
		return err
	}
	if len(found) > 0 {
		return errFindings
	}
	return nil
}

// differences are those of two lists of cases, in the order of their ids.
func differences(before, after []corpus.Case) []diffLine {
	old, now := byID(before), byID(after)
	var found []diffLine
	gone := make(map[string]string) // wire key to id
	for id, c := range old {
		if _, ok := now[id]; !ok {
			gone[cases.WireKey(c)] = id
		}
	}
	renamed := make(map[string]bool)
	for id, c := range now {
		was, ok := old[id]
		switch {
		case ok:
			if keys := changed(was, c); len(keys) > 0 {
				found = append(found, diffLine{Case: id, Change: "changed", Keys: keys})
			}
		case gone[cases.WireKey(c)] != "" && !renamed[gone[cases.WireKey(c)]]:
			from := gone[cases.WireKey(c)]
			renamed[from] = true
			found = append(found, diffLine{Case: from, Change: "renamed", To: id})
		default:
			found = append(found, diffLine{Case: id, Change: "added"})
		}
	}
	for id := range old {
		if _, ok := now[id]; !ok && !renamed[id] {
			found = append(found, diffLine{Case: id, Change: "removed"})
		}
	}
	slices.SortFunc(found, func(a, b diffLine) int { return strings.Compare(a.Case+a.Change, b.Case+b.Change) })
	return found
}

func byID(all []corpus.Case) map[string]corpus.Case {
	m := make(map[string]corpus.Case, len(all))
	for _, c := range all {
		m[c.ID] = c
	}
	return m
}

// changed are the keys in which two cases differ, as the format writes them.
func changed(a, b corpus.Case) []string {
	var keys []string
	was, now := members(a), members(b)
	for _, key := range caseKeys {
		if !bytes.Equal(was[key], now[key]) {
			keys = append(keys, key)
		}
	}
	return keys
}

// caseKeys are the keys of a case in the order of the format.
var caseKeys = strings.Fields("rule why source tags request_id status headers body body_base64 chunk_splits cut_after delay_ms ended notification then expect also_acceptable")
