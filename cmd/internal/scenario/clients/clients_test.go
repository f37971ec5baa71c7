package clients

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/scenario"
)

var update = flag.Bool("update", false, "write what the clients did to CLIENTS.md; look at the difference before you keep it")

var only = flag.String("only", "", "only the scenarios with these names, with commas between")

// quick are settings with which a scenario is over sooner, and shows the same.
var quick = map[string]string{
	"timeout.late_response":        `{"delayMs":300}`,
	"timeout.cooperative_deadline": `{"deadlineMs":300}`,
	"errors.rate_limit":            `{"seconds":1}`,
	"catalog.pagination":           `{"tools":2000,"pageSize":500}`,
}

// waiting are the scenarios in which a client waits until it gives up.
var waiting = []string{"timeout.uncooperative_hang", "timeout.init_hang", "sse.stall", "sse.cut", "sse.keep_alives", "catalog.loop"}

// TestClients runs each client against each scenario, and compares what it did
// with CLIENTS.md. That takes five minutes; without REPLYPROOF_CLIENTS=all it is
// the clients that need no process of their own for each run, where nothing is
// waited for.
func TestClients(t *testing.T) {
	whole := *update || os.Getenv("REPLYPROOF_CLIENTS") == "all"
	all := []client{goSDK("2026-07-28"), goSDK("2025-11-25")}
	missing := installed()
	switch {
	case missing == "":
		all = append(all, tsSDK(t, "2026-07-28"), tsSDK(t, "2025-11-25"))
		if whole {
			all = append(all, inspector(t.TempDir()))
		}
	case whole:
		t.Fatal("not every client can be run: " + missing)
	default:
		t.Log("without the client in TypeScript: " + missing)
	}
	written, err := os.ReadFile("CLIENTS.md")
	if err != nil && !*update {
		t.Fatal(err)
	}
	var rows []string
	for _, s := range scenario.Table() {
		if !whole && slices.Contains(waiting, s.Name) || *only != "" && !slices.Contains(strings.Split(*only, ","), s.Name) {
			continue
		}
		cells := make([]string, len(all))
		var work sync.WaitGroup
		for i, c := range all {
			work.Go(func() {
				cell, err := meet(t, s.Name, c)
				if err != nil {
					t.Errorf("%s, %s: %v", s.Name, c.name, err)
				}
				cells[i] = cell
			})
		}
		work.Wait()
		name := s.Name
		if settings := quick[name]; settings != "" {
			name += " `" + settings + "`"
		}
		for i, c := range all {
			row := fmt.Sprintf("| %s | %s | %s |", name, c.name, cells[i])
			rows = append(rows, row)
			if !*update && !strings.Contains(string(written), row+"\n") {
				t.Errorf("got\n%s\nwhich CLIENTS.md does not say", row)
			}
		}
	}
	if *update {
		text := head + strings.Join(rows, "\n") + "\n"
		if *only != "" {
			text = replaced(string(written), rows)
		}
		if err := os.WriteFile("CLIENTS.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// replaced is a text with rows in place of those of the same scenario and client.
func replaced(text string, rows []string) string {
	lines := strings.Split(text, "\n")
	for _, row := range rows {
		cells := strings.SplitAfterN(row, "|", 4)
		for i, line := range lines {
			if strings.HasPrefix(line, strings.Join(cells[:3], "")) {
				lines[i] = row
			}
		}
	}
	return strings.Join(lines, "\n")
}

const head = `<!-- made by go test . -update -->
# What real clients make of each scenario

Each client connects, lists the tools, and calls one, once; in its usual options, with a person who accepts whatever is
asked, and with four seconds for each answer. The Inspector in its command-line mode is two processes, one for the list and
one for the call; it is ended where it still waits after a while. The POSTs are those that the server saw: all of them, and
the calls among them with the outcome of each answer. A call that was sent again says by whom, as far as that can be told.

| scenario | client | POSTs | calls among them | what the client told |
| --- | --- | ---: | --- | --- |
`

// meet runs a client against a scenario and gives its row: POSTs, calls, what it told.
func meet(t *testing.T, name string, c client) (string, error) {
	t.Helper()
	choice, err := scenario.Choose(name, []byte(quick[name]))
	if err != nil {
		return "", err
	}
	var posts int
	var calls []string
	server, err := scenario.Serve(choice, scenario.Options{Done: func(x *scenario.Exchange) {
		if x.Judged.Request.Method != "POST" {
			return
		}
		posts++
		if x.Judged.RPC.Kind == capture.Call {
			call := x.Judged.Verdict.Outcome.String()
			if origin := x.Judged.Record.RetryOrigin; origin != 0 {
				call += " (again, " + origin.String() + ")"
			}
			calls = append(calls, call)
		}
	}})
	if err != nil {
		return "", err
	}
	defer server.Close()
	d, err := c.run(context.Background(), server.URL())
	if err != nil {
		return "", err
	}
	if err := server.Close(); err != nil { // after it nothing is added any more
		return "", err
	}
	count := fmt.Sprint(posts)
	if posts > 50 {
		count = "more than 50"
	}
	return fmt.Sprintf("%s | %s | %s", count, cmp.Or(strings.Join(calls, ", "), "none"), d), nil
}
