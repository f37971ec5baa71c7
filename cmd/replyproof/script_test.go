package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"replyproof": main,
		"yes-man":    yesMan,
		"nonsense":   func() { fmt.Println("Welcome to nonsense 1.0!") },
		"silent":     func() {},
		"flawless":   flawless,
		"breaks":     breaks,
		"spoils":     spoils,
		"hangs":      func() { stays(hangs) },
		"careless":   func() { kind = "client"; careless() },
		"one-shot":   oneShot,
		"stays":      func() { stays(flawless) },
	})
}

// update rewrites what the command printed when it was last right; look at the
// difference before you keep it.
var update = flag.Bool("update", false, "rewrite the expected output of scripts and the README's picture")

// TestScripts runs the command as a user does: each script in testdata/script is
// a sequence of commands with what they must print and how they must exit.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			// sparse NAME BYTES makes a file of zeros that takes no room.
			"sparse": func(ts *testscript.TestScript, _ bool, args []string) {
				size, err := strconv.ParseInt(args[1], 10, 64)
				ts.Check(err)
				f, err := os.Create(ts.MkAbs(args[0]))
				ts.Check(err)
				ts.Check(f.Truncate(size))
				ts.Check(f.Close())
			},
		},
		Setup: func(env *testscript.Env) error {
			// Scripts that build need the caches of whoever runs the tests.
			for _, name := range []string{"HOME", "GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB"} {
				if v := os.Getenv(name); v != "" {
					env.Setenv(name, v)
				}
			}
			for name, path := range map[string]string{
				"CAPTURES": "../internal/capture/testdata/real",
				"EXAMPLES": "../testdata/examples",
				"ACTION":   "../../.github/actions/check",
				"MODULE":   "../..",
			} {
				absolute, err := filepath.Abs(path)
				if err != nil {
					return err
				}
				env.Setenv(name, absolute)
			}
			return nil
		},
	})
}

// kind is that of the adapter which this process is.
var kind = "classifier"

// adapter speaks the adapter protocol; see says what it makes of a case.
func adapter(tells []string, see func(line []byte) map[string]any) {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var request struct {
			Cmd string
			Seq int
		}
		if json.Unmarshal(line, &request) != nil {
			os.Exit(1)
		}
		answer := map[string]any{"ready": true, "name": "test adapter", "version": "1", "kind": kind, "tells": tells}
		if request.Cmd != "start" {
			answer = see(line)
			answer["seq"] = request.Seq
		}
		text, _ := json.Marshal(answer)
		fmt.Println(string(text))
	}
}

// yesMan is a client that takes everything for a success.
func yesMan() {
	adapter([]string{"SUCCESS", "ERROR"}, func([]byte) map[string]any { return map[string]any{"saw": "SUCCESS"} })
}

// breaks takes everything for a success, and says that it is broken at its
// fifth case; started anew it breaks at the handshake, where BREAKS_AGAIN is a
// file that it can make no second time.
func breaks() {
	if _, err := os.Stat(os.Getenv("BREAKS_AGAIN")); err == nil {
		fmt.Println("Welcome again!")
		return
	}
	n := 0
	adapter([]string{"SUCCESS", "ERROR"}, func([]byte) map[string]any {
		if n++; n < 5 {
			return map[string]any{"saw": "SUCCESS"}
		}
		if name := os.Getenv("BREAKS_AGAIN"); name != "" {
			_ = os.WriteFile(name, nil, 0o600)
		}
		return map[string]any{"broken": "no more"}
	})
}

// spoils takes everything for a success, and puts a folder where each name of
// SPOILS has a file to be.
func spoils() {
	for _, name := range filepath.SplitList(os.Getenv("SPOILS")) {
		_ = os.MkdirAll(filepath.Join(name, "full"), 0o700)
	}
	yesMan()
}

// stays leaves its number in the folder PIDS, and does not end with its input.
func stays(do func()) {
	_ = os.WriteFile(filepath.Join(os.Getenv("PIDS"), strconv.Itoa(os.Getpid())), nil, 0o600)
	do()
	time.Sleep(time.Hour)
}

// hangs answers nothing but the plain success.
func hangs() {
	n := 0
	adapter([]string{"SUCCESS", "ERROR"}, func([]byte) map[string]any {
		if n++; n > 1 {
			time.Sleep(time.Hour)
		}
		return map[string]any{"saw": "SUCCESS"}
	})
}
