package runner

import "fmt"

// Deviation is what a subject did that no rule allows. The zero value is none.
type Deviation uint8

// The deviations, the gravest first. Where several apply the first counts.
const (
	// FalseSuccess is a success that was told though there was none.
	FalseSuccess Deviation = iota + 1
	// RepeatedCall is a call that was sent again without leave.
	RepeatedCall
	// Crash is a process that died.
	Crash
	// Hang is a subject that gave no verdict within its deadline.
	Hang
	// DeadConnection is an answer that made the connection unusable for later calls.
	DeadConnection
	// LostResult is a tool result or a request for input that was told as
	// something else, and not as success.
	LostResult
	// FalseInput is a request for input that was told though none was made.
	FalseInput
	// Reissued is one unasked re-send under a new id after a broken stream.
	Reissued
	// MixedLayers is any other wrong outcome, code or status.
	MixedLayers

	deviationEnd
)

// Severity is how grave a deviation is.
type Severity uint8

const (
	// Minor is a deviation by which a caller is misled about the cause.
	Minor Severity = iota + 1
	// Major is a deviation by which a caller loses something.
	Major
	// Critical is a deviation by which a caller believes or does what it must not.
	Critical

	severityEnd
)

var severityNames = [severityEnd]string{Minor: "minor", Major: "major", Critical: "critical"}

var deviations = [deviationEnd]struct {
	name     string
	severity Severity
	meaning  string
}{
	FalseSuccess:   {"FALSE_SUCCESS", Critical, "told success, though there was none"},
	RepeatedCall:   {"REPEATED_CALL", Critical, "the call was sent again without leave"},
	Crash:          {"CRASH", Critical, "the process died"},
	Hang:           {"HANG", Major, "no verdict within the deadline that the subject was given"},
	DeadConnection: {"DEAD_CONNECTION", Major, "this answer made the connection unusable for later calls"},
	LostResult:     {"LOST_RESULT", Major, "a tool result or a request for input was expected; told anything else but success"},
	FalseInput:     {"FALSE_INPUT", Major, "told that input is required, though none was asked for"},
	Reissued:       {"REISSUED", Minor, "one unasked re-send, under a new id, after a broken stream"},
	MixedLayers:    {"MIXED_LAYERS", Minor, "any other wrong outcome, code or status"},
}

// Deviations lists every deviation, the gravest first.
func Deviations() []Deviation {
	all := make([]Deviation, 0, deviationEnd-1)
	for d := FalseSuccess; d < deviationEnd; d++ {
		all = append(all, d)
	}
	return all
}

// String is the word of reports, such as FALSE_SUCCESS; "" for none.
func (d Deviation) String() string {
	if d >= deviationEnd {
		return fmt.Sprintf("Deviation(%d)", uint8(d))
	}
	return deviations[d].name
}

// Severity is how grave the deviation is; 0 for none.
func (d Deviation) Severity() Severity {
	if d >= deviationEnd {
		return 0
	}
	return deviations[d].severity
}

// Meaning is one line for people.
func (d Deviation) Meaning() string {
	if d >= deviationEnd {
		return ""
	}
	return deviations[d].meaning
}

// MarshalText writes the word; a value that is none is an error.
func (d Deviation) MarshalText() ([]byte, error) {
	if d == 0 || d >= deviationEnd {
		return nil, fmt.Errorf("runner: marshal deviation %d: not a deviation", uint8(d))
	}
	return []byte(d.String()), nil
}

// UnmarshalText reads a word, spelled exactly.
func (d *Deviation) UnmarshalText(text []byte) error {
	for i := FalseSuccess; i < deviationEnd; i++ {
		if deviations[i].name == string(text) {
			*d = i
			return nil
		}
	}
	return fmt.Errorf("runner: unknown deviation %q; see Deviations", text)
}

// String is the word of reports, such as critical.
func (s Severity) String() string {
	if s == 0 || s >= severityEnd {
		return fmt.Sprintf("Severity(%d)", uint8(s))
	}
	return severityNames[s]
}

// MarshalText writes the word; a value that is none is an error.
func (s Severity) MarshalText() ([]byte, error) {
	if s == 0 || s >= severityEnd {
		return nil, fmt.Errorf("runner: marshal severity %d: not a severity", uint8(s))
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads a word, spelled exactly.
func (s *Severity) UnmarshalText(text []byte) error {
	for i := Minor; i < severityEnd; i++ {
		if severityNames[i] == string(text) {
			*s = i
			return nil
		}
	}
	return fmt.Errorf("runner: unknown severity %q; known are minor, major, critical", text)
}
