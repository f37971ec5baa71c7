package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	bracketed = regexp.MustCompile("\\[(`[^`]+`(?:,\\s+`[^`]+`)*)\\]")
	quoted    = regexp.MustCompile("`[^`]+`")
)

// holds tells whether a client's line of the file is what a name in brackets stands
// for: a recipe, a case of the corpus, or, by a fault, a recipe of several that has it.
func holds(source, id, name string) bool {
	recipe, ok := strings.CutPrefix(source, "recipe: ")
	if !ok {
		return strings.HasSuffix(id, "/"+name)
	}
	return recipe == name || strings.HasPrefix(name, "+") && strings.Contains(recipe+" ", " "+name+" ")
}

// FINDINGS.md names under each client nothing that the file does not hold of it.
func TestFindingsNameWhatTheFileHolds(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../FINDINGS.md")
	if err != nil {
		t.Fatal(err)
	}
	all, cases := lines(t)
	named := 0
	for section := range strings.SplitSeq(string(text), "\n## ") {
		client, body, _ := strings.Cut(section, "\n")
		of := map[int]bool{}
		for i, d := range all {
			if d.Client == client && d.Severity == "critical" {
				of[i] = true
			}
		}
		if len(of) == 0 {
			continue
		}
		for _, group := range bracketed.FindAllStringSubmatch(body, -1) {
		names:
			for _, name := range quoted.FindAllString(group[1], -1) {
				name = strings.Trim(name, "`")
				named++
				for i := range of {
					if holds(cases[i].Source, cases[i].ID, name) {
						continue names
					}
				}
				t.Errorf("%s: %s: no critical line of the file is that", client, name)
			}
		}
	}
	if named < 400 {
		t.Errorf("%d names were looked up, want hundreds", named)
	}
}
