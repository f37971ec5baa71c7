package report

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/properties/runner"
)

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitFailure `xml:"failure"`
	Skipped *junitSkipped `xml:"skipped"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// JUnit is the result as JUnit XML: a test for the run as a whole, one for
// every cause of a deviation, every flaky case and every fault of the baseline.
func JUnit(r runner.Result, reproduce func(runner.Cause) string) ([]byte, error) {
	suite := junitSuite{Name: "replyproof " + visible(r.Subject.Name)}
	add := func(c junitCase) {
		suite.Tests++
		if c.Failure != nil {
			suite.Failures++
		}
		if c.Skipped != nil {
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
	}
	for _, c := range r.Causes {
		name := c.Case.ID
		if c.Recipe != "" {
			name = c.Recipe
		}
		message := fmt.Sprintf("want %s, got %s", strings.Join(c.Want(), " or "), Saw(c))
		if c.Unconfirmed {
			message += "; " + Unconfirmed
		}
		add(junitCase{Class: "replyproof." + c.Deviation.Severity().String(), Name: visible(name), Failure: &junitFailure{
			Type:    c.Deviation.String(),
			Message: message,
			Text: fmt.Sprintf("rule %s\n%s\n%s\nreproduce: %s\n%s", c.Case.Rule, strings.Join(Wire(c.Case), "\n"),
				count.Of(c.Count, "case"), visible(reproduce(c)), traced(c)),
		}})
	}
	for _, f := range r.Flaky {
		got, again := f.Both()
		add(junitCase{Class: "replyproof.flaky", Name: visible(f.Case), Skipped: &junitSkipped{
			Message: fmt.Sprintf("%s did not repeat: saw %s; then %s", f.Deviation, visible(got), visible(again)),
		}})
	}
	for _, line := range BaselineFaults(r) {
		add(junitCase{Class: "replyproof.baseline", Name: line, Failure: &junitFailure{Type: "BASELINE", Message: line}})
	}
	whole := junitCase{Class: "replyproof", Name: "run", Out: Counts(r)}
	switch {
	case !r.OK() && !r.Failed():
		whole.Failure = &junitFailure{Type: "STOPPED", Message: "the run did not come to its end"}
	case r.Unkept > 0:
		whole.Failure = &junitFailure{Type: "MORE", Message: count.Of(r.Unkept, "deviation", "more than are listed")}
	}
	add(whole)
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write JUnit XML: %w", err)
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}

// traced is the wire trace of a cause as a block of its own; "" without one.
func traced(c runner.Cause) string {
	trace := c.Trace()
	if trace == nil {
		return ""
	}
	return "trace:\n" + visibleLines(strings.Join(trace, "\n")) + "\n"
}
