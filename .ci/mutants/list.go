package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// The list has a heading for each reason, and below it the mutants that it is
// the reason of, each on a line of its own.
const entryMark = "- "

// compare holds the survivors among the mutants that were run against the list.
func compare(path string, mutants, survivors []*mutant, write bool) error {
	text, err := os.ReadFile(path)
	if err != nil && !(write && errors.Is(err, os.ErrNotExist)) {
		return err
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if entry, ok := strings.CutPrefix(strings.TrimSpace(line), entryMark); ok {
			listed[entry] = true
		}
	}
	var faults []string
	for _, m := range survivors {
		if !listed[m.key()] {
			faults = append(faults, "survives and is not listed: "+m.key())
		}
	}
	for _, m := range mutants {
		if listed[m.key()] && !slices.Contains(survivors, m) {
			faults = append(faults, "is killed, so that it must not be listed: "+m.key())
		}
	}
	if len(faults) == 0 {
		return nil
	}
	if write {
		out := string(text) + "\n## Not looked at yet\n\n"
		for _, m := range survivors {
			if !listed[m.key()] {
				out += entryMark + m.key() + "\n"
			}
		}
		if err := os.WriteFile(path+".new", []byte(out), 0o666); err != nil {
			return err
		}
		return os.Rename(path+".new", path)
	}
	slices.Sort(faults)
	return fmt.Errorf("%s:\n%s", path, strings.Join(faults, "\n"))
}
