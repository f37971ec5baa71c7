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
const (
	headingMark = "## "
	entryMark   = "- "
	unread      = "Not looked at yet"
)

// compare holds the survivors among the mutants that were run, which are some of
// all, against the list.
func compare(path string, all, mutants, survivors []*mutant, write bool) error {
	text, err := os.ReadFile(path)
	if err != nil && !(write && errors.Is(err, os.ErrNotExist)) {
		return err
	}
	exists := map[string]bool{}
	for _, m := range all {
		exists[m.key()] = true
	}
	listed := map[string]bool{}
	var faults []string
	heading := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if h, ok := strings.CutPrefix(line, headingMark); ok {
			heading = h
		}
		entry, ok := strings.CutPrefix(line, entryMark)
		switch {
		case !ok:
			continue
		case heading == "" || heading == unread:
			faults = append(faults, "has no reason yet: "+entry)
		case listed[entry]:
			faults = append(faults, "is listed twice: "+entry)
		case !exists[entry]:
			faults = append(faults, "is no mutant any more, so that it must not be listed: "+entry)
		}
		listed[entry] = true
	}
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
		out := string(text) + "\n" + headingMark + unread + "\n\n"
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
