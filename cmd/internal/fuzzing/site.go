package fuzzing

import (
	"regexp"
	"slices"
	"strings"
)

// sortOf is what sort of panic it is, where the runtime says so: one function may
// fail in several.
func sortOf(text string) string {
	if m := runtimeSays.FindStringSubmatch(text); m != nil {
		return ": " + m[1]
	}
	return ""
}

var (
	runtimeSays = regexp.MustCompile(`^(?:runtime error: )?(stack overflow|concurrent map [a-z ]+|all goroutines are asleep|invalid memory address|` +
		`index out of range|slice bounds out of range|integer divide by zero|interface conversion|makeslice|makechan|hash of unhashable type|` +
		`comparing uncomparable type|assignment to entry in nil map|close of nil channel|close of closed channel|send on closed channel)`)
	runtimeFile = regexp.MustCompile(`^(.*/)runtime/\w+\.go:\d+`)
)

// called is a function of a stack, and the file that holds it.
type called struct{ name, file string }

// site is the function in which a panic began: the innermost that is not of the
// standard library. What called it is left out, since one fault has many callers.
// A stack that has overflowed ends anywhere in its circle of calls: of that, the
// first by name stands for all.
func site(lines []string, overflow bool) string {
	all, library := calls(lines)
	var own []string
	for _, c := range all {
		if !standard(c, library) {
			own = append(own, c.name)
		}
	}
	if len(own) == 0 && len(all) > 0 {
		return all[0].name
	}
	if overflow {
		var circle []string
		for i, name := range own {
			if slices.Contains(own[i+1:], name) {
				circle = append(circle, name)
			}
		}
		if len(circle) > 0 {
			return slices.Min(circle)
		}
	}
	if len(own) == 0 {
		return ""
	}
	return own[0]
}

// calls are those of the first goroutine of a stack, the innermost first, from
// the panic on, and the folder of the standard library, where it can be told.
func calls(lines []string) (all []called, library string) {
	started := false
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "goroutine ") {
			if started {
				break
			}
			started = true
			continue
		}
		if m := runtimeFile.FindStringSubmatch(line); m != nil {
			library = m[1]
		}
		m := frame.FindStringSubmatch(line)
		if !started || m == nil {
			continue
		}
		if strings.HasPrefix(line, "panic(") {
			all = nil // what stands above is the handling of the panic
			continue
		}
		c := called{name: m[1]}
		if i+1 < len(lines) {
			c.file = strings.TrimSpace(lines[i+1])
		}
		all = append(all, c)
	}
	return all, library
}

// standard tells whether a function is of the standard library.
func standard(c called, library string) bool {
	for _, of := range []string{"runtime.", "runtime/", "testing.", "reflect."} {
		if strings.HasPrefix(c.name, of) {
			return true
		}
	}
	return library != "" && strings.HasPrefix(c.file, library)
}
