package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	_ "github.com/replyproof/replyproof/classifier/codings" // br and zstd
	"github.com/replyproof/replyproof/cmd/internal/capture"
)

const classifyLong = `Give one verdict per exchange, in the order of the input. A single answer is
explained; several make a table, and where the input holds the requests too, a
timeline of the calls that were sent more than once; --json makes one object a
line, with the record of the exchange.

The forms of input:
  har    HTTP Archive 1.2, as browsers and proxies save it; of any size.
         mitmproxy writes one with mitmdump -nr FLOWS --set hardump=FILE.har
  curl   what curl -v prints, with 2>&1; its request bodies are not in it
  http   HTTP/1.x messages: what curl -i prints, or requests and answers in turn
  sse    the body of an event stream; the status is taken to be 200
  json   a body alone; status 200, application/json
  jsonl  cases, one JSON object a line; only "status" is needed (null: no answer)
  record records of exchanges, one JSON object a line
  auto   told from how the input begins, and why is told on standard error

An answer is judged against the id of its request. Where the input does not tell
it, --id does, and otherwise it is taken to be 1: either the id in the call.json
of the first example is 1, or --id names it. Where the input holds requests, only
the answers to tools/call and to notifications are judged; other requests,
batches and plain HTTP are listed as what they are.

Several answers in one HTTP file need a Content-Length or chunks each, or a head
that begins a line. What comes before an answer is passed over: 1xx messages, and
a proxy's "200 Connection established". UTF-16, a byte order mark and line ends
that an editor changed are seen and told.

The advice is for a call whose side effects are unknown. The exit status is 0
whatever the verdicts are, and 2 if the input is empty or something in it cannot
be read; the rest is still judged.`

const classifyExample = `  curl -sSi https://example.com/mcp -H 'Content-Type: application/json' \
      -H 'Accept: application/json, text/event-stream' \
      -H 'MCP-Protocol-Version: 2026-07-28' -d @call.json |
    replyproof classify --from http
  curl -sSv https://example.com/mcp -d @call.json 2>&1 | replyproof classify --id 7
  replyproof classify session.har
  replyproof classify --id 7 body.json
  replyproof generate -n 1000 | replyproof classify --from jsonl --json`

func newClassify() *cobra.Command {
	var from, id string
	var limit int64
	cmd := &cobra.Command{
		Use:     "classify [FILE|-]",
		Short:   "Judge answers",
		Long:    classifyLong,
		Example: classifyExample,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "-"
			if len(args) > 0 {
				name = args[0]
			}
			return classify(cmd, name, from, id, limit)
		},
	}
	cmd.Flags().StringVar(&from, "from", string(capture.Auto), "form of the input: "+strings.Join(capture.Forms(), ", "))
	cmd.Flags().StringVar(&id, "id", "1", `id of the request, where the input does not tell it; "1" in quotes is a string`)
	cmd.Flags().Int64Var(&limit, "limit", 256, "largest exchange or line in MiB")
	return cmd
}

func classify(cmd *cobra.Command, name, from, id string, limit int64) error {
	in, err := inputOf(cmd, name, from, id, limit)
	if err != nil {
		return err
	}
	file, err := capture.Open(name, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer file.Close()
	s := screen(cmd)
	in.Note = s.Notef
	show := presenter(s, wantsJSON(cmd))
	for x, err := range in.Exchanges(file) {
		if err != nil {
			show.fault(err)
			continue
		}
		if err := show.add(x); err != nil {
			return err
		}
	}
	return errors.Join(show.faults(), show.end(), s.Flush())
}

// inputOf is the input that the flags of a command describe.
func inputOf(cmd *cobra.Command, name, from, id string, limit int64) (capture.Input, error) {
	form, err := capture.ParseForm(from)
	if err != nil {
		return capture.Input{}, fmt.Errorf("--from: %w", err)
	}
	if limit < 1 || limit > 1<<20 {
		return capture.Input{}, fmt.Errorf("--limit %d: must be 1 to %d MiB", limit, 1<<20)
	}
	in := capture.Input{Name: name, Form: form, Limit: limit << 20, IDAssumed: !cmd.Flags().Changed("id")}
	if in.ID, err = capture.ParseID(id); err != nil {
		return in, fmt.Errorf("--id: %w", err)
	}
	if name == "-" {
		in.Name = "standard input"
	}
	return in, nil
}
