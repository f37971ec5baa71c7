package adapters_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/loopback"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

// rated are the calls of one round.
const rated = 1000

// BenchmarkRate compares the calls of a client behind its adapter, as check has
// them with --jobs 1 and with one adapter for each of two cores, with those of the
// same client in a loop of plain calls, one after the other in one run. In all of
// them the client is a process of its own, and the server that of package loopback
// in this one. A round is 1,000 calls of each; told are the medians of the rounds,
// of which -benchtime=9x makes nine:
//
//	go test -run='^$' -bench=Rate -benchtime=9x ./cmd/adapters
func BenchmarkRate(b *testing.B) {
	for _, test := range []struct{ folder, protocol string }{
		{"go-sdk", "2026-07-28"}, {"go-sdk", "2025-11-25"},
		{"mcp-go", "2026-07-28"}, {"mcp-go", "2025-11-25"},
		{"ts-sdk-v1", "2025-11-25"},
		{"ts-client-v2", "2026-07-28"}, {"ts-client-v2", "2025-11-25"},
	} {
		b.Run(test.folder+"-"+test.protocol, func(b *testing.B) {
			adapter := strings.Fields(command(b, test.folder) + " " + test.protocol)
			loop := looping(b, test.folder)
			server, err := loopback.Listen(loopback.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer server.Close()
			play := server.Book(loopback.Frozen(subject.Plain()))
			env := []string{"LOOP_URL=" + server.URL(), fmt.Sprint("LOOP_CASE=", play.Arguments()["case"]), "LOOP_PROTOCOL=" + test.protocol}

			var loops, ones, twos, oneShares, twoShares []float64
			for b.Loop() {
				alone, one, two := loopRate(b, loop, env), checkRate(b, adapter, 1), checkRate(b, adapter, 2)
				loops, ones, twos = append(loops, alone), append(ones, one), append(twos, two)
				oneShares, twoShares = append(oneShares, one/alone), append(twoShares, two/alone)
			}
			b.ReportMetric(median(loops), "loop-calls/s")
			b.ReportMetric(median(ones), "one-adapter/s")
			b.ReportMetric(median(twos), "two-adapters/s")
			b.ReportMetric(median(oneShares), "one-of-loop")
			b.ReportMetric(median(twoShares), "two-of-loop")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// looping is the command that calls a client in a loop: a benchmark of the
// adapter's own module, or a script.
func looping(b *testing.B, folder string) []string {
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err != nil {
		return []string{"node", filepath.Join(folder, "loop.mjs")}
	}
	name := filepath.Join(b.TempDir(), "loop.test.exe")
	build := exec.Command("go", "test", "-c", "-o", name, ".")
	build.Dir = folder
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build the loop of %s: %v\n%s", folder, err, out)
	}
	return []string{name, "-test.run=^$", "-test.bench=Loop", fmt.Sprintf("-test.benchtime=%dx", rated)}
}

var perCall = regexp.MustCompile(`([0-9.]+) ns/op`)

// loopRate is the calls a second of a loop.
func loopRate(b *testing.B, command, env []string) float64 {
	b.Helper()
	if command[0] == "node" {
		for _, variable := range env {
			_, value, _ := strings.Cut(variable, "=")
			command = append(slices.Clip(command), value)
		}
		command = append(command, strconv.Itoa(rated))
	}
	run := exec.Command(command[0], command[1:]...)
	run.Env = append(os.Environ(), env...)
	out, err := run.CombinedOutput()
	found := perCall.FindSubmatch(out)
	if err != nil || found == nil {
		b.Fatalf("loop: %v\n%s", err, out)
	}
	ns, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	return 1e9 / ns
}

// checkRate is the cases a second of a run over plain successes: its second half,
// once both sides are warm.
func checkRate(b *testing.B, command []string, jobs int) float64 {
	b.Helper()
	cases := make([]corpus.Case, jobs*rated*3/2)
	for i := range cases {
		cases[i] = subject.Plain()
		cases[i].ID = "plain/" + strconv.Itoa(i)
		cases[i].Expect = &corpus.Expect{Layer: classifier.Application, Outcome: classifier.ToolSuccess}
	}
	type mark struct {
		cases int
		at    time.Time
	}
	var marks []mark
	result, err := runner.Run(context.Background(), func() subject.Subject { return &subject.Process{Command: command, StartTimeout: time.Minute} },
		runner.Options{Corpus: cases, Jobs: jobs, Deadline: 10 * time.Second, Progress: func(n runner.Counts) {
			if n.Cases >= jobs*rated/2 {
				marks = append(marks, mark{n.Cases, time.Now()})
			}
		}})
	if err != nil || result.Passed != len(cases) {
		b.Fatalf("check: got %d of %d passed, %v", result.Passed, len(cases), err)
	}
	first, last := marks[0], marks[len(marks)-1]
	return float64(last.cases-first.cases) / last.at.Sub(first.at).Seconds()
}

func median(of []float64) float64 {
	sorted := slices.SortedFunc(slices.Values(of), cmp.Compare)
	return sorted[len(sorted)/2]
}
