package nightly

import (
	"fmt"
	"path/filepath"
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
		switch {
		case t.Failed():
			state = s.Bad("FAILED")
		case len(t.Failures) > 0:
			state = s.Doubt("flaky")
		case t.Short():
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
	all := notes(r)
	if text := rates(r); text != "" {
		all = append(all, text)
	}
	for _, note := range all {
		fmt.Fprintf(s.Out(), "\n%s\n", note)
	}
	fmt.Fprintf(s.Out(), "\n%s\n", last(s, r))
}

func last(s *terminal.Screen, r *Report) string {
	text := fmt.Sprintf("%s and %s in %s, seed %d", count.Of(len(r.Targets), "fuzz target"), count.Of(len(r.Checks), "check"), seconds(r.Seconds), r.Seed)
	n := len(failures(r))
	switch {
	case n > 0:
		return fmt.Sprintf("%s %s; %s", s.Bad("FAILED"), count.Of(n, "finding"), text)
	case r.Interrupted || r.Full:
		return fmt.Sprintf("%s %s; --resume goes on", s.Doubt("STOPPED"), text)
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
		for _, f := range t.Failures {
			if f.Kind != KindFlaky {
				all = append(all, f.lines())
			}
		}
	}
	for _, p := range r.Problems {
		all = append(all, append([]string{p.Package}, strings.Split(p.Output, "\n")...))
	}
	return all
}

// lines tells a failure, what it is first.
func (f Failure) lines() []string {
	first := f.Package + " " + f.Target
	switch {
	case f.Known:
		first += " (known before)"
	case f.Count > 1:
		first += fmt.Sprintf(" (met %d times)", f.Count)
	}
	lines := append([]string{first}, strings.Split(head(f.Output, outputLines), "\n")...)
	if f.InputFile != "" {
		lines = append(lines, "input "+f.InputFile+f.shrunk())
		lines = append(lines, strings.Split(strings.TrimSpace(clip(f.Input, 2000)), "\n")...)
	}
	if v := f.Verdicts; v != nil {
		lines = append(lines, "read as "+v.Reading+":", "  classifier: "+v.Classifier.String(), "  model:      "+v.Model.String())
		if v.NoCase == "" {
			lines = append(lines, "proposed case "+filepath.Join(f.Folder, caseName))
		}
	}
	return append(lines, "reproduce: "+f.Reproduce)
}

// outputLines is how much of what a target said of a failure is shown to people.
const outputLines = 12

// head is the first lines of a text.
func head(text string, most int) string {
	lines := strings.Split(clip(text, 4000), "\n")
	if len(lines) <= most {
		return strings.Join(lines, "\n")
	}
	return strings.Join(lines[:most], "\n") + fmt.Sprintf("\n… (%s more)", count.Of(len(lines)-most, "line"))
}

// shrunk tells how much smaller the input was made.
func (f Failure) shrunk() string {
	if f.From == 0 {
		return ""
	}
	return fmt.Sprintf(", of %s (found with %d)", count.Of(f.Size, "byte"), f.From)
}

// notes are the sentences about the night as a whole.
func notes(r *Report) []string {
	all := append([]string(nil), r.Notes...)
	for _, t := range r.Targets {
		if t.Retired != "" {
			all = append(all, fmt.Sprintf("%s got no more rounds: %s", t.Target, t.Retired))
		}
		for _, f := range t.Failures {
			if f.Kind == KindFlaky {
				all = append(all, fmt.Sprintf("%s failed once and not again: %s", t.Target, f.InputFile))
			}
		}
	}
	if r.Asleep > 0 {
		all = append(all, fmt.Sprintf("the machine slept, or the night was stopped, for %s", seconds(r.Asleep)))
	}
	return all
}

// rates says how fast the night was and what it lost.
func rates(r *Report) string {
	if r.First == 0 {
		return ""
	}
	return fmt.Sprintf("first search %s after the start (builds %s); the engine takes %s to get ready; of the time %.1f%% went to the replay of what was kept, %.1f%% neither to checks nor to search nor to that",
		seconds(r.First), seconds(r.Build), seconds(r.Start), 100*r.Replay, 100*r.Lost)
}

func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(100 * time.Millisecond).String()
}
