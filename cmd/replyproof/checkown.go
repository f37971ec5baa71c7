package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/cmd/internal/words"
	"github.com/replyproof/replyproof/corpus"
)

// takeOwn reads the files and folders that --cases names, and gives the sets that
// it names beside them.
func (c *checkFlags) takeOwn(s *terminal.Screen) (sets []string, err error) {
	for _, name := range c.sets {
		if slices.Contains(caseSets, name) {
			sets = append(sets, name)
			continue
		}
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) && filepath.Base(name) == name && filepath.Ext(name) == "" {
			return nil, fmt.Errorf("--cases %s: must be of %s, or a file or folder, and there is none of that name", name, strings.Join(caseSets, ", "))
		}
		c.paths = append(c.paths, name)
	}
	if err := c.takeEvolved(s); err != nil {
		return nil, err
	}
	if len(c.paths) == 0 {
		return sets, nil
	}
	own, err := cases.LoadOwn(c.paths)
	if err != nil {
		return nil, fmt.Errorf("--cases: %w", err)
	}
	if c.own = joined(own.Cases, c.own); own.Unexpecting > 0 {
		s.Notef("%s of %s: nothing is expected; held against what the classifier says today",
			count.Of(own.Unexpecting, "case"), strings.Join(c.paths, ", "))
	}
	return sets, nil
}

// takeEvolved reads what the fuzz targets came to.
func (c *checkFlags) takeEvolved(s *terminal.Screen) error {
	for _, dir := range c.evolved {
		found, err := cases.LoadEvolved(dir)
		if err != nil {
			return fmt.Errorf("--evolved: %w", err)
		}
		text := fmt.Sprintf("%s: %s, %s", dir, count.Of(len(found.Cases), "evolved answer"), count.Of(len(found.Recipes), "evolved recipe"))
		if found.Left > 0 {
			text += ", " + count.Of(found.Left, "input", "left out")
		}
		s.Notef("%s", text)
		c.own = joined(c.own, found.Cases)
		c.made = append(c.made, found.Recipes...)
	}
	return nil
}

// byID is a case of the user's, or a shipped one.
func (c *checkFlags) byID(id string) (corpus.Case, error) {
	for _, one := range c.own {
		if one.ID == id {
			return one, nil
		}
	}
	if one, ok := corpus.ByID(id); ok {
		return one, nil
	}
	none := "no shipped case"
	if len(c.paths) > 0 {
		none = "no case of " + strings.Join(c.paths, ", ") + " and no shipped case"
	}
	return corpus.Case{}, unknownCase(id, none, joined(c.own, corpus.All()))
}

func (c *checkFlags) isOwn(id string) bool {
	return slices.ContainsFunc(c.own, func(one corpus.Case) bool { return one.ID == id })
}

// joined is the cases of both, each id once.
func joined(first, second []corpus.Case) []corpus.Case {
	met := make(map[string]bool, len(first))
	for _, c := range first {
		met[c.ID] = true
	}
	all := slices.Clone(first)
	for _, c := range second {
		if !met[c.ID] {
			met[c.ID] = true
			all = append(all, c)
		}
	}
	return all
}

// places is the part of a command line that says where the user's own cases are;
// "" if there are none.
func (c *checkFlags) places() (text string) {
	for _, dir := range c.evolved {
		text += " --evolved " + words.Quote(dir)
	}
	if len(c.paths) == 0 {
		return text
	}
	var list []string
	for _, path := range c.paths {
		if strings.ContainsAny(path, ",\"\n") { // as the flag's list spells it
			path = `"` + strings.ReplaceAll(path, `"`, `""`) + `"`
		}
		list = append(list, path)
	}
	return text + " --cases " + words.Quote(strings.Join(list, ","))
}

// completeSets completes the last of the sets that are typed; where it can be
// none, the shell completes the names of files.
func completeSets(_ *cobra.Command, _ []string, typed string) (all []string, _ cobra.ShellCompDirective) {
	before, last := "", typed
	if at := strings.LastIndexByte(typed, ','); at >= 0 {
		before, last = typed[:at+1], typed[at+1:]
	}
	for _, set := range caseSets {
		if strings.HasPrefix(set, last) && !slices.Contains(strings.Split(before, ","), set) {
			all = append(all, before+set)
		}
	}
	return all, cobra.ShellCompDirectiveDefault
}

// completeIDs completes the id of a shipped case, or of one in the files and
// folders that stand on the line already.
func (c *checkFlags) completeIDs(_ *cobra.Command, _ []string, typed string) (all []string, _ cobra.ShellCompDirective) {
	var places []string
	for _, name := range c.sets { // which cobra has parsed twice by now
		if !slices.Contains(caseSets, name) && !slices.Contains(places, name) {
			places = append(places, name)
		}
	}
	shipped, _ := cases.Load(nil)
	known := shipped
	if len(places) > 0 {
		own, _ := cases.Load(places) // what cannot be read has no ids to offer
		known = joined(own, shipped)
	}
	for _, one := range known {
		if strings.HasPrefix(one.ID, typed) {
			all = append(all, one.ID)
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
