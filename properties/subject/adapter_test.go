//go:build unix

package subject_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// adapterEnv makes this test binary an adapter that behaves as the value says.
const adapterEnv = "REPLYPROOF_TEST_ADAPTER"

// startsEnv names a file to which such an adapter adds a byte as it starts; the
// second start fails, and where its name ends in -ever, so do those after it.
const startsEnv = "REPLYPROOF_TEST_STARTS"

func failsToStart() bool {
	path := os.Getenv(startsEnv)
	if path == "" {
		return false
	}
	before, _ := os.ReadFile(path)
	if err := os.WriteFile(path, append(before, '.'), 0o600); err != nil {
		panic(err)
	}
	return len(before) == 1 || len(before) > 1 && strings.HasSuffix(path, "-ever")
}

func TestMain(m *testing.M) {
	switch mode := os.Getenv(adapterEnv); {
	case strings.HasPrefix(mode, "harness-"):
		harness(strings.TrimPrefix(mode, "harness-"))
		os.Exit(0)
	case mode == "command":
		command()
	case mode != "":
		adapt(mode)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

const ready = `{"ready":true,"name":"tester","version":"1.2","kind":"classifier","protocol_version":"2026-07-28","tells":["SUCCESS","TOOL_ERROR","RPC_ERROR","ERROR"]}`

// long is more than is kept of anything, and less than a line may hold.
var long = strings.Repeat("x", 400_000)

// adapt is an adapter that answers by the case's status: 200 is a success,
// 5xx an error, and these make it misbehave as its mode says. With client- before
// its mode it is a client, which makes a call and goes by the status that it gets.
func adapt(mode string) {
	in := bufio.NewReader(os.Stdin)
	out := os.Stdout
	kind := "classifier"
	mode, client := strings.CutPrefix(mode, "client-")
	if client {
		kind = "client"
	}
	if failsToStart() {
		os.Exit(7)
	}
	switch mode {
	case "silent":
		io.Copy(io.Discard, in)
		return
	case "exits":
		fmt.Fprintln(os.Stderr, "no such module")
		os.Exit(7)
	case "chatty":
		fmt.Fprintln(out, "Listening…")
	case "early":
		fmt.Fprintln(out, `{"seq":1,"saw":"SUCCESS"}`)
	}
	in.ReadString('\n')
	switch mode {
	case "merges":
		fmt.Fprintln(out, `{"ready":true,"kind":"classifier","tells":["SUCCESS|ERROR","RPC_ERROR"]}`)
	case "unready":
		fmt.Fprintln(out, `{"ready":false,"kind":"classifier","tells":["SUCCESS","ERROR"]}`)
	case "kindless":
		fmt.Fprintln(out, `{"ready":true,"tells":["SUCCESS","ERROR"]}`)
	case "wordy-broken":
		fmt.Fprintf(out, `{"broken":%q}`+"\n", long)
	case "wordy-kind":
		fmt.Fprintf(out, `{"ready":true,"kind":%q,"tells":["SUCCESS","ERROR"]}`+"\n", long)
	case "wordy-tells":
		fmt.Fprintf(out, `{"ready":true,"kind":"classifier","tells":["SUCCESS","ERROR",%q]}`+"\n", long)
	case "many-tells":
		fmt.Fprintf(out, `{"ready":true,"kind":"classifier","tells":["SUCCESS"%s]}`+"\n", strings.Repeat(`,"ERROR"`, 80_000))
	case "wordy-name":
		fmt.Fprintln(out, strings.NewReplacer("tester", long, "1.2", long, "2026-07-28", long[:100_000]).Replace(ready))
	case "says-broken":
		fmt.Fprintln(out, `{"broken":"no port"}`)
	default:
		fmt.Fprintln(out, strings.Replace(ready, "classifier", kind, 1))
	}
	serve(mode, in, out)
}

// serve answers cases, or makes calls, until its input ends.
func serve(mode string, in *bufio.Reader, out *os.File) {
	for asks := 1; ; asks++ {
		line, err := in.ReadString('\n')
		if err != nil {
			if mode == "stays" {
				time.Sleep(time.Hour)
			}
			if mode == "last-word" {
				fmt.Fprintln(out, "bye")
			}
			return
		}
		if mode == "third" && asks == 3 {
			fmt.Fprintln(os.Stderr, "three is enough")
			os.Exit(4)
		}
		var asked struct {
			Seq  int
			Case struct {
				Status *int
			}
			URL, Tool string
			Arguments json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &asked); err != nil {
			panic(err)
		}
		status := 0
		if asked.Case.Status != nil {
			status = *asked.Case.Status
		}
		if asked.URL != "" && mode != "deaf" {
			meta := ""
			if mode == "older" {
				meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}`
			}
			if mode == "own-arguments" {
				asked.Arguments = json.RawMessage(`{"case":"mine"}`)
			}
			message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`,
				asks, asked.Tool, asked.Arguments, meta)
			switch mode {
			case "bad-body":
				message = message[1:]
			case "long-url":
				asked.URL += "?" + strings.Repeat("x", 70<<10)
			}
			status = postOnce(asked.URL, message)
			if mode == "twice" && status != 200 {
				status = postOnce(asked.URL, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`,
					1000+asks, asked.Tool, asked.Arguments))
			}
		}
		if status == 200 && mode == "blind" {
			fmt.Fprintf(out, `{"seq":%d,"saw":"ERROR","text":"what"}`+"\n", asked.Seq)
			continue
		}
		if status == 200 {
			fmt.Fprintf(out, `{"seq":%d,"saw":"SUCCESS","code":null,"status":200,"alive":true}`+"\n", asked.Seq)
			continue
		}
		if mode == "echo" {
			fmt.Fprintf(out, `{"seq":%d,"saw":"ERROR","text":%q}`+"\n", asked.Seq, line)
			continue
		}
		misbehave(mode, asked.Seq, out)
	}
}

// postOnce posts a message and gives the status of the answer; 0 without one.
func postOnce(url, message string) int {
	response, err := http.Post(url, "application/json", strings.NewReader(message))
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

func misbehave(mode string, seq int, out *os.File) {
	switch mode {
	case "crash":
		fmt.Fprintln(os.Stderr, "about to die")
		os.Exit(3)
	case "half-line":
		fmt.Fprintf(out, `{"seq":%d,"`, seq)
		os.Exit(3)
	case "killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Second)
	case "hang":
		fmt.Fprintln(os.Stderr, "thinking")
		time.Sleep(time.Hour)
	case "busy":
		name := os.Getenv(pidEnv)
		child := exec.Command("sleep", "3600")
		child.Start()
		os.WriteFile(name+".new", fmt.Appendf(nil, "%d %d", os.Getpid(), child.Process.Pid), 0o600)
		os.Rename(name+".new", name)
		for {
			runtime.Gosched()
		}
	case "hang-with-child":
		child := exec.Command("sleep", "3600")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		child.Start()
		fmt.Fprintf(os.Stderr, "child=%d.", child.Process.Pid)
		time.Sleep(time.Hour)
	case "dies-with-child":
		child := exec.Command("sleep", "3600")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		child.Start()
		fmt.Fprintf(os.Stderr, "child=%d.", child.Process.Pid)
		os.Exit(1)
	case "closes-output":
		out.Close()
		time.Sleep(time.Hour)
	case "long-line":
		chunk := strings.Repeat("x", 1<<20)
		for range 100 {
			if _, err := io.WriteString(out, chunk); err != nil {
				return
			}
		}
	case "wrong-seq":
		fmt.Fprintf(out, `{"seq":%d,"saw":"ERROR"}`+"\n", seq+1)
	case "no-seq":
		fmt.Fprintln(out, `{"saw":"ERROR"}`)
	case "two-answers":
		fmt.Fprintf(out, `{"seq":%d,"saw":"ERROR"}`+"\n"+`{"seq":%d,"saw":"ERROR"}`+"\n", seq, seq)
		time.Sleep(50 * time.Millisecond)
	case "unknown-word":
		fmt.Fprintf(out, `{"seq":%d,"saw":"OOPS"}`+"\n", seq)
	case "wordy-word":
		fmt.Fprintf(out, `{"seq":%d,"saw":%q}`+"\n", seq, long)
	case "wordy-breaks":
		fmt.Fprintf(out, `{"seq":%d,"broken":%q}`+"\n", seq, long)
	case "wordy-code":
		fmt.Fprintf(out, `{"seq":%d,"saw":"RPC_ERROR","code":1%s}`+"\n", seq, strings.Repeat("0", 400_000))
	case "untold-word":
		fmt.Fprintf(out, `{"seq":%d,"saw":"HTTP_ERROR"}`+"\n", seq)
	case "text-code":
		fmt.Fprintf(out, `{"seq":%d,"saw":"RPC_ERROR","code":"-32602"}`+"\n", seq)
	case "long-text":
		fmt.Fprintf(out, `{"seq":%d,"saw":"ERROR","text":"%s"}`+"\n", seq, strings.Repeat("x", 800_000))
	case "text-status":
		fmt.Fprintf(out, `{"seq":%d,"saw":"ERROR","status":"500"}`+"\n", seq)
	case "nothing":
		fmt.Fprintf(out, `{"seq":%d}`+"\n", seq)
	case "no-json":
		fmt.Fprintln(out, "Error: x is not a function")
	case "skips":
		fmt.Fprintf(out, `{"seq":%d,"skip":"cannot play this"}`+"\n", seq)
	case "breaks":
		fmt.Fprintf(out, `{"seq":%d,"broken":"lost the port"}`+"\n", seq)
	case "code":
		fmt.Fprintf(out, `{"seq":%d,"saw":"RPC_ERROR","code":-3.2602e4,"status":500,"text":"bad","alive":false}`+"\n", seq)
	default:
		fmt.Fprintf(out, `{"seq":%d,"saw":"ERROR","status":500}`+"\n", seq)
	}
}
