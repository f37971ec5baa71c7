package subject

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// maxLine is the longest line that an adapter may write.
const maxLine = 1 << 20

// maxStderr is how much of the end of standard error is kept.
const maxStderr = 16 << 10

// escaped is how long output is read after the program has ended, if something
// that left its process group still holds it open.
const escaped = 2 * time.Second

// adapter is a running program.
type adapter struct {
	cmd    *exec.Cmd
	stdin  *os.File
	lines  chan line // closed at the end of its output or its death
	stderr *tail
	stdout *os.File      // our end
	errput *os.File      // our end of standard error
	done   chan struct{} // closed when the program has ended
	quit   chan struct{} // closed to end the reader
	wait   sync.WaitGroup
	once   sync.Once
	how    string // how it ended, after done
}

// line is one line of output, or the fault that made reading impossible.
type line struct {
	text  []byte
	whole bool // it has its end
	err   error
}

// launch starts the program in a process group of its own. Where its output is
// no protocol it is kept with what it prints on standard error, and there are no
// lines.
func launch(command []string, dir string, env []string, protocol bool) (*adapter, error) {
	a := &adapter{lines: make(chan line, 4), stderr: &tail{}, done: make(chan struct{}), quit: make(chan struct{})}
	a.cmd = exec.Command(command[0], command[1:]...)
	a.cmd.Dir, a.cmd.Env = dir, env
	ownGroup(a.cmd)
	var files []*os.File
	pipe := func() (r, w *os.File, err error) {
		r, w, err = os.Pipe()
		if err == nil {
			files = append(files, r, w)
		}
		return r, w, err
	}
	closeAll := func() {
		for _, f := range files {
			f.Close()
		}
	}
	inR, inW, err := pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := pipe()
	if err != nil {
		closeAll()
		return nil, err
	}
	errR, errW, err := pipe()
	if err != nil {
		closeAll()
		return nil, err
	}
	// The pipes are files, so that waiting for the program does not wait for
	// its children that hold them open.
	a.cmd.Stdin, a.cmd.Stdout, a.cmd.Stderr = inR, outW, errW
	started := make(chan error)
	a.wait.Go(func() { a.live(started) })
	if err := <-started; err != nil {
		closeAll()
		return nil, err
	}
	inR.Close()
	outW.Close()
	errW.Close()
	a.stdin, a.stdout, a.errput = inW, outR, errR

	a.wait.Go(func() { io.Copy(a.stderr, errR) })
	if protocol {
		a.wait.Go(func() { a.read(outR) })
	} else {
		close(a.lines)
		a.wait.Go(func() { io.Copy(a.stderr, outR) })
	}
	close(started)
	return a, nil
}

// live starts the program, says so, and waits for it until it has ended. It
// keeps its thread all the time: where the program is to die with this process,
// the system takes the end of the thread that started it for the end of the
// process.
func (a *adapter) live(started chan error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := begin(a.cmd)
	if err != nil {
		started <- err
		return
	}
	release := guard(a.cmd)
	started <- nil
	// Children that still hold the output open must not keep the readers
	// waiting; those that left the group are not waited for.
	err = reap(a.cmd, release)
	a.how = a.cmd.ProcessState.String()
	if a.cmd.ProcessState == nil && err != nil {
		a.how = err.Error()
	}
	<-started // the pipes are ours by then
	a.stdout.SetReadDeadline(time.Now().Add(escaped))
	a.errput.SetReadDeadline(time.Now().Add(escaped))
	close(a.done)
}

// read sends the lines of r until it ends, holds a fault, or nobody listens.
func (a *adapter) read(r io.Reader) {
	defer close(a.lines)
	buffered := bufio.NewReaderSize(r, 64<<10)
	for {
		text, whole, err := readLine(buffered)
		if err == nil || errors.Is(err, errLong) {
			select {
			case a.lines <- line{text, whole, err}:
			case <-a.quit:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

var errLong = fmt.Errorf("it wrote a line of more than %d bytes", maxLine)

// readLine reads a line without its end. A last line with no end counts, since
// a program may die before it writes one.
func readLine(r *bufio.Reader) (text []byte, whole bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(text)+len(part) > maxLine {
			return nil, false, errLong
		}
		text = append(text, part...)
		switch {
		case err == nil:
			return bytes.TrimRight(text, "\r\n"), true, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case len(bytes.TrimSpace(text)) > 0:
			return text, false, nil
		default:
			return nil, false, err
		}
	}
}

// pending is a line that is there already.
func (a *adapter) pending() (line, bool) {
	select {
	case got, ok := <-a.lines:
		return got, ok
	default:
		return line{}, false
	}
}

// send writes a line, at most for the given time.
func (a *adapter) send(text []byte, wait time.Duration) error {
	a.stdin.SetWriteDeadline(time.Now().Add(wait))
	_, err := a.stdin.Write(text)
	return err
}

// finish ends the program's input and waits for it to end. It gives a line that
// it wrote meanwhile, shortened.
func (a *adapter) finish(grace time.Duration) (extra string) {
	a.stdin.Close()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	lines := a.lines
	for {
		select {
		case got, ok := <-lines:
			switch {
			case !ok:
				lines = nil
			case extra != "":
			case got.err != nil:
				extra = got.err.Error()
			default:
				extra = shorten(string(got.text), 200)
			}
		case <-a.done:
			if lines == nil {
				return extra
			}
			// What it wrote before it ended is still to come.
			for got := range lines {
				if extra == "" {
					extra = shorten(string(got.text), 200)
				}
			}
			return extra
		case <-timer.C:
			return extra
		}
	}
}

// kill ends the program and its process group, waits until nothing is left of
// it here, and tells how it ended; "" if it was killed. It may be called again.
func (a *adapter) kill() (how string) {
	a.once.Do(func() {
		ended := false
		select {
		case <-a.done:
			ended = true
		case <-time.After(a.dying()):
		}
		killRunning(a.cmd)
		close(a.quit)
		a.stdin.Close()
		<-a.done
		a.wait.Wait()
		a.stdout.Close()
		a.errput.Close()
		if !ended {
			a.how = ""
		}
	})
	return a.how
}

// dying is how long to wait for the program to end by itself: a moment if its
// output has ended, so that its exit status can be told.
func (a *adapter) dying() time.Duration {
	select {
	case _, ok := <-a.lines:
		if !ok {
			return slack
		}
	default:
	}
	return 0
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p[max(0, len(p)-maxStderr):]...)
	if over := len(t.data) - maxStderr; over > maxStderr {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	return len(p), nil
}

func (t *tail) Reset() {
	t.mu.Lock()
	t.data = t.data[:0]
	t.mu.Unlock()
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data[max(0, len(t.data)-maxStderr):])
}
