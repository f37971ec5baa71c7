// Command capture asks two real MCP servers over loopback for every kind of
// answer that they give, and compares the verdicts of those answers with the
// cases real/… of the corpus.
//
//	capture                 ask again, exit 1 if a verdict differs from the frozen case
//	capture -freeze         write the answers into the corpus files
//	capture -only go-sdk    leave the npm server out
//
// The servers are that of the official Go SDK, built in, and the npm package
// @modelcontextprotocol/server-everything, which npm ci installs in this
// folder. What a case expects stands in the plans here, written by hand from the
// rules; freezing never computes it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/replyproof/replyproof/corpus"
)

func main() {
	cases := flag.String("cases", "../cases", "folder of the corpus files real-go-sdk.json and real-everything.json")
	npm := flag.String("npm", ".", "folder in which npm ci was run")
	only := flag.String("only", "", "capture one server only: go-sdk or everything")
	write := flag.Bool("freeze", false, "write the corpus files instead of comparing with them")
	flag.Parse()
	if flag.NArg() > 0 || (*only != "" && *only != "go-sdk" && *only != "everything") {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	differences, err := run(ctx, *cases, *npm, *only, *write)
	if err != nil {
		fmt.Fprintln(os.Stderr, "capture:", err)
		os.Exit(2)
	}
	for _, d := range differences {
		fmt.Println(d)
	}
	if len(differences) > 0 {
		os.Exit(1)
	}
}

// run captures from each server in turn and freezes or compares.
func run(ctx context.Context, cases, npm, only string, write bool) ([]string, error) {
	var differences []string
	for _, server := range []struct {
		name    string
		capture func() ([]corpus.Case, error)
	}{
		{"go-sdk", func() ([]corpus.Case, error) { return captureGoSDK(ctx) }},
		{"everything", func() ([]corpus.Case, error) { return captureEverything(ctx, npm) }},
	} {
		if only != "" && only != server.name {
			continue
		}
		fresh, err := server.capture()
		if err != nil {
			return nil, err
		}
		path := filepath.Join(cases, "real-"+server.name+".json")
		if write {
			if err := corpus.WriteFile(path, "real", fresh); err != nil {
				return nil, err
			}
			fmt.Printf("%s: %d answers frozen in %s\n", server.name, len(fresh), path)
			continue
		}
		found, err := compare(path, fresh)
		if err != nil {
			return nil, err
		}
		fmt.Printf("%s: %d answers, %d differ from %s\n", server.name, len(fresh), len(found), path)
		differences = append(differences, found...)
	}
	return differences, nil
}

func captureGoSDK(ctx context.Context) ([]corpus.Case, error) {
	source, err := goSDKSource()
	if err != nil {
		return nil, err
	}
	server, err := startGoSDK()
	if err != nil {
		return nil, err
	}
	defer server.close()
	return capture(ctx, server.plan(), source)
}

func captureEverything(ctx context.Context, npm string) ([]corpus.Case, error) {
	server, err := startEverything(ctx, npm)
	if err != nil {
		return nil, err
	}
	defer server.close()
	return capture(ctx, server.plan(), server.source)
}

// capture performs the exchanges in order, until ctx ends.
func capture(ctx context.Context, plan []exchange, source string) ([]corpus.Case, error) {
	var all []corpus.Case
	for _, x := range plan {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w", x.id, ctx.Err())
		}
		a, err := x.post()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.id, err)
		}
		all = append(all, freeze(x, a, source))
	}
	return all, nil
}
