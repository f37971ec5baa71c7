package fuzzing

import (
	"regexp"
	"strings"
)

// The kinds of failure.
const (
	KindFailure = "failure" // the target said so
	KindPanic   = "panic"
	KindHang    = "hang"
	KindDeath   = "death" // the process ended
)

// Signature is what two inputs have in common that fail for one reason: the
// kind, and the site and sort of a panic, by whatever way it was reached, or the
// first message of a failure, without the values in it.
func Signature(said string) (kind, signature string) {
	lines := strings.Split(said, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if hung(line) {
			return KindHang, KindHang
		}
		// The engine's worker tells a panic as the testing package's message.
		text, isPanic := strings.CutPrefix(ownMessage.ReplaceAllString(line, ""), "panic: ")
		if !isPanic {
			if text, isPanic = strings.CutPrefix(line, "fatal error: "); !isPanic {
				continue
			}
		}
		if where := site(lines[i+1:], strings.HasPrefix(text, "stack overflow")); where != "" {
			return KindPanic, KindPanic + " in " + where + sortOf(text)
		}
		return KindPanic, KindPanic + " " + plainText(recovered.ReplaceAllString(text, ""))
	}
	for _, line := range lines {
		if m := message.FindStringSubmatch(line); m != nil {
			return KindFailure, KindFailure + " " + m[1] + " " + plainText(m[2])
		}
	}
	for _, line := range lines {
		if m := ending.FindString(line); m != "" {
			return KindDeath, KindDeath + " " + m
		}
	}
	return KindFailure, KindFailure + " " + plainText(firstLine(lines))
}

var (
	recovered  = regexp.MustCompile(`\s*\[recovered[^\]]*\]`)
	ownMessage = regexp.MustCompile(`^testing\.go:\d+: `)
	message    = regexp.MustCompile(`^\s+([\w.-]+\.go:\d+): (.*)$`)
	ending     = regexp.MustCompile(`exit status \d+|signal: [a-z ]+`)
	frame      = regexp.MustCompile(`^([\w./*()\[\]{}-]+)\(.*\)$`)
	quoted     = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")
	number     = regexp.MustCompile(`0x[0-9a-f]+|\d+`)
)

func hung(line string) bool {
	return strings.HasPrefix(line, "panic: test timed out") || strings.HasPrefix(line, "panic: deadlocked!") ||
		strings.HasPrefix(line, "the target did not stop within")
}

// plainText is a message without the values in it.
func plainText(text string) string {
	text = number.ReplaceAllString(quoted.ReplaceAllString(text, `""`), "0")
	if len(text) > 200 {
		text = text[:200]
	}
	return strings.TrimSpace(text)
}

func firstLine(lines []string) string {
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "--- FAIL") {
			return line
		}
	}
	return ""
}
