package main

import (
	"fmt"
	"os"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// compare judges the fresh answers and tells which of them have another layer,
// outcome, reason or code than the frozen case of the same id expects, and
// which cases have no counterpart.
func compare(path string, fresh []corpus.Case) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	cases, err := corpus.Parse(path, data)
	if err != nil {
		return nil, err
	}
	frozen := make(map[string]corpus.Case, len(cases))
	for _, c := range cases {
		frozen[c.ID] = c
	}
	var found []string
	for _, c := range fresh {
		was, ok := frozen[c.ID]
		if !ok {
			found = append(found, c.ID+": not frozen yet; run with -freeze")
			continue
		}
		delete(frozen, c.ID)
		if d := differs(*was.Expect, c.Classify()); d != "" {
			found = append(found, fmt.Sprintf("%s: %s\n  status %d, %s\n  %q", c.ID, d, *c.Status, c.Headers.Get("content-type"), c.Body))
		}
	}
	for _, c := range cases {
		if _, left := frozen[c.ID]; left {
			found = append(found, c.ID+": frozen, but no longer captured")
		}
	}
	return found, nil
}

// differs names the first of layer, outcome, reason and code in which a verdict
// is not the expected one, or is "".
func differs(want corpus.Expect, got classifier.Verdict) string {
	for _, p := range []struct{ what, want, got string }{
		{"layer", want.Layer.String(), got.Layer.String()},
		{"outcome", want.Outcome.String(), got.Outcome.String()},
		{"reason", want.Reason, got.Reason.String()},
		{"code", want.Code, string(got.Error.Code)},
	} {
		if p.want != p.got {
			return fmt.Sprintf("%s: frozen %q, fresh %q", p.what, p.want, p.got)
		}
	}
	return ""
}
