package nightly

import (
	"fmt"
	"strings"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
)

// Text writes what a night came to, for people.
func Text(s *terminal.Screen, r *Report) {
	var rows [][]string
	for _, c := range r.Checks {
		state := s.Good("ok")
		if len(c.Findings) > 0 {
			state = s.Bad("FAILED")
		}
		rows = append(rows, []string{c.Name, state, seconds(c.Seconds), c.Summary})
	}
	for _, t := range r.Targets {
		state := s.Good("ok")
		if t.Failure != nil {
			state = s.Bad("FAILED")
		}
		if t.Short() {
			state = s.Doubt("short")
		}
		rows = append(rows, []string{t.Target, state, seconds(t.Seconds), t.Summary()})
	}
	for _, p := range r.Problems {
		rows = append(rows, []string{p.Package, s.Bad("BROKEN"), "", "does not build"})
	}
	for _, name := range r.NotRun {
		rows = append(rows, []string{name, s.Doubt("not run"), "", "stopped before its turn"})
	}
	s.Table([]string{"search", "state", "time", "what was done"}, rows)
	for _, lines := range failures(r) {
		fmt.Fprintf(s.Out(), "\n%s %s\n", s.Bad("FAILED"), strings.Join(lines, "\n  "))
	}
	fmt.Fprintf(s.Out(), "\n%s\n", last(s, r))
}

func last(s *terminal.Screen, r *Report) string {
	text := fmt.Sprintf("%s and %s in %s, seed %d", count.Of(len(r.Targets), "fuzz target"), count.Of(len(r.Checks), "check"), seconds(r.Seconds), r.Seed)
	n := len(failures(r))
	switch {
	case n > 0:
		return fmt.Sprintf("%s %s; %s", s.Bad("FAILED"), count.Of(n, "finding"), text)
	case r.Interrupted:
		return fmt.Sprintf("%s %s", s.Doubt("STOPPED"), text)
	}
	if names := unfuzzed(r); len(names) > 0 {
		return fmt.Sprintf("%s, but %d of %s had no time to fuzz (%s); give them more time; %s",
			s.Doubt("OK"), len(names), count.Of(len(r.Targets), "fuzz target"), strings.Join(names, ", "), text)
	}
	return fmt.Sprintf("%s %s", s.Good("OK"), text)
}

// unfuzzed are the targets whose time was over before they could search.
func unfuzzed(r *Report) []string {
	var names []string
	for _, t := range r.Targets {
		if t.Short() {
			names = append(names, t.Target)
		}
	}
	return names
}

// failures tells everything that was found, each as a few lines, what it is first.
func failures(r *Report) [][]string {
	var all [][]string
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			all = append(all, append([]string{c.Name}, strings.Split(f, "\n")...))
		}
	}
	for _, t := range r.Targets {
		if t.Failure == nil {
			continue
		}
		lines := append([]string{t.Package + " " + t.Target}, strings.Split(t.Failure.Output, "\n")...)
		if t.Failure.InputFile != "" {
			lines = append(lines, "input "+t.Failure.InputFile)
			lines = append(lines, strings.Split(strings.TrimSpace(clip(t.Failure.Input, 2000)), "\n")...)
		}
		all = append(all, append(lines, "reproduce: "+t.Failure.Reproduce))
	}
	for _, p := range r.Problems {
		all = append(all, append([]string{p.Package}, strings.Split(p.Output, "\n")...))
	}
	return all
}

func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(100 * time.Millisecond).String()
}

// Markdown is what a night came to as a page of Markdown.
func Markdown(r *Report) []byte {
	var b strings.Builder
	state := "as expected"
	switch {
	case r.Failed():
		state = "FAILED"
	case r.Interrupted:
		state = "STOPPED"
	}
	fmt.Fprintf(&b, "# replyproof nightly: %s\n\n%s in all, seed %d.\n\n| search | time | what was done |\n| --- | ---: | --- |\n",
		state, seconds(r.Seconds), r.Seed)
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Name, seconds(c.Seconds), c.Summary)
	}
	for _, t := range r.Targets {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", t.Target, seconds(t.Seconds), t.Summary())
	}
	for _, lines := range failures(r) {
		fmt.Fprintf(&b, "\n## Failed: %s\n\n    %s\n", lines[0], strings.Join(lines[1:], "\n    "))
	}
	for _, name := range r.NotRun {
		fmt.Fprintf(&b, "\nNot run: %s\n", name)
	}
	return []byte(b.String())
}
