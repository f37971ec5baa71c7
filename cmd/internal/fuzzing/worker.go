package fuzzing

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/children"
)

// ErrWorker is an engine whose worker is not understood, as that of another
// version of Go may be. Without it inputs are neither minimised nor weighed by
// what they cover.
var ErrWorker = errors.New("the worker of this Go's fuzz engine is not understood")

// Worker runs single inputs in the test binary's own worker process, as the
// engine does, without mutating them. It speaks the protocol between the two:
// JSON over a pair of pipes, the input in a file that both map.
type Worker struct {
	ctx    context.Context
	target Target
	dir    string
	memory *os.File

	cmd  *exec.Cmd
	in   *os.File
	out  *os.File
	read *json.Decoder
	said *tail
	warm bool // has run an input
}

// What the shared file is made of: a header of count, length of the value, and
// the state of the engine's generator, then the value.
const (
	headerSize = 40
	memorySize = 16 << 20
	maxInput   = memorySize - headerSize
)

// workerLimit is how long an answer may take; the worker itself gives up after
// ten seconds.
const workerLimit = 20 * time.Second

// Worker gives a worker of the target that runs in dir; work is a folder for its
// files. Close it in the end.
func (t Target) Worker(ctx context.Context, dir, work string) (*Worker, error) {
	if strconv.IntSize != 64 || runtime.GOOS == "windows" {
		return nil, fmt.Errorf("%w: %s on %s", ErrWorker, runtime.GOARCH, runtime.GOOS)
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, err
	}
	memory, err := os.CreateTemp(work, "memory-")
	if err != nil {
		return nil, err
	}
	w := &Worker{ctx: ctx, target: t, dir: dir, memory: memory}
	if err := memory.Truncate(memorySize); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	if err := w.start(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// call is a request of the engine's protocol, one of its members set.
type call struct {
	Ping *struct{}
	Fuzz *warmup
}

type warmup struct {
	Limit  int64
	Warmup bool
}

type answer struct {
	Count        int64
	CoverageData []byte
	Err          string
	InternalErr  string
}

func (w *Worker) start() error {
	inR, inW, err := os.Pipe()
	if err != nil {
		return err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return errors.Join(err, inR.Close(), inW.Close())
	}
	w.said, w.warm = &tail{}, false
	w.cmd = command(w.ctx, w.target.Binary, w.dir, "-test.fuzzworker", "-test.run=^$", "-test.fuzz=^"+w.target.Name+"$",
		"-test.fuzzcachedir="+filepath.Dir(w.memory.Name()))
	w.cmd.Stderr = w.said
	w.cmd.ExtraFiles = []*os.File{inR, outW, w.memory}
	w.cmd.WaitDelay = children.Hurry
	w.in, w.out, w.read = inW, outR, json.NewDecoder(outR)
	err = children.Start(w.cmd)
	inR.Close()
	outW.Close()
	if err != nil {
		w.in.Close()
		w.out.Close()
		w.cmd = nil
		return err
	}
	var pong answer
	if err := w.ask(call{Ping: &struct{}{}}, &pong); err != nil {
		return fmt.Errorf("%w: %w\n%s", ErrWorker, err, w.stop())
	}
	return nil
}

func (w *Worker) ask(c call, into *answer) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	cmd := w.cmd // what runs when the time is over may still run when w has another, or none
	over := context.AfterFunc(w.ctx, func() { children.Kill(cmd) })
	defer over()
	late := time.AfterFunc(workerLimit, func() { children.Kill(cmd) })
	defer late.Stop()
	if err := json.NewEncoder(w.in).Encode(c); err != nil {
		return err
	}
	return w.read.Decode(into)
}

// stop ends the process and tells what it said.
func (w *Worker) stop() string {
	if w.cmd == nil {
		return ""
	}
	w.in.Close()
	children.Kill(w.cmd)
	err := children.Wait(w.ctx, w.cmd)
	w.out.Close()
	w.cmd = nil
	text := w.said.String()
	var exit *exec.ExitError
	if text == "" && errors.As(err, &exit) {
		text = exit.String()
	}
	return text
}

// died waits for a process that no longer answers and tells how it ended.
func (w *Worker) died() string {
	cmd := w.cmd
	ended := time.AfterFunc(children.Hurry, func() { children.Kill(cmd) })
	defer ended.Stop()
	err := children.Wait(w.ctx, cmd)
	w.in.Close()
	w.out.Close()
	w.cmd = nil
	return fmt.Sprintf("%s\nthe process ended: %v", w.said, err)
}

// Close ends the worker.
func (w *Worker) Close() error {
	w.stop()
	return errors.Join(w.memory.Close(), os.Remove(w.memory.Name()))
}

// Trial is what one input came to.
type Trial struct {
	Cover  []byte // a byte of flags for each counter of the binary; nil after a failure
	Failed bool
	Said   string // what the target said of its failure
}

// Try runs one input, given in the form of Go's seed files. A process that dies
// of it is a failure, and is started anew. What a process covers only the first
// time that it runs anything is not the input's.
func (w *Worker) Try(file []byte) (Trial, error) {
	if w.cmd != nil && w.warm {
		return w.try(file)
	}
	trial, err := w.try(file)
	if err != nil || trial.Failed {
		return trial, err
	}
	w.warm = true
	return w.try(file)
}

func (w *Worker) try(file []byte) (Trial, error) {
	if len(file) > maxInput {
		return Trial{}, fmt.Errorf("an input of %d bytes is more than the limit of %d", len(file), maxInput)
	}
	if w.cmd == nil {
		if err := w.start(); err != nil {
			return Trial{}, err
		}
	}
	var header [headerSize]byte
	binary.NativeEndian.PutUint64(header[8:], uint64(len(file)))
	if _, err := w.memory.WriteAt(append(header[:], file...), 0); err != nil {
		return Trial{}, err
	}
	var a answer
	err := w.ask(call{Fuzz: &warmup{Limit: 1, Warmup: true}}, &a)
	switch {
	case w.ctx.Err() != nil:
		return Trial{}, w.ctx.Err()
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, os.ErrClosed) && !isPipe(err):
		return Trial{}, fmt.Errorf("%w: %w", ErrWorker, err)
	case err != nil:
		return Trial{Failed: true, Said: w.died()}, nil
	case a.InternalErr != "" || a.Count != 1:
		return Trial{}, fmt.Errorf("%w: %d executions, %s", ErrWorker, a.Count, a.InternalErr)
	}
	return Trial{Cover: a.CoverageData, Failed: a.Err != "", Said: a.Err}, nil
}

// tail keeps the beginning of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

// Write keeps what there is room for.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept.Write(p[:min(len(p), max(0, keepText-t.kept.Len()))])
	return len(p), nil
}

// String is what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept.String()
}
