package capture

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Input is where exchanges are read from.
type Input struct {
	Name string // for messages
	Form Form
	ID   classifier.ID // of the call, where the input does not tell it
	// IDAssumed tells that nobody named ID: it is the usual one.
	IDAssumed bool
	Limit     int64 // bytes of one exchange, or of one line; 0 stands for 256 MiB
	Note      func(format string, args ...any)

	recoded bool // what is read is not the input's own bytes, but UTF-8 made of its UTF-16
}

// Open opens a file, or standard input for "-". A directory is an error here,
// which says so in plainer words than reading it would.
func Open(name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		if f, ok := stdin.(*os.File); ok {
			return f, nil
		}
		return io.NopCloser(stdin), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, fmt.Errorf("read %s: is a directory; name a file, or - for standard input", name)
	}
	return f, nil
}

// errStop ends a reader whose caller wants no more.
var errStop = errors.New("no more wanted")

// yielder passes on an exchange, or a [*Fault] beside which reading goes on. Its
// error is the caller's wish to stop.
type yielder func(Exchange, error) error

// Exchanges reads every exchange of r, in order, one in memory at a time. A
// [*Fault] names one that could not be read, with its place, and the next
// follows; any other error is the last thing that is yielded. A form that was
// told from how the input begins is noted, or stands in the error. An empty
// input is an error whatever its form: whoever meant to send an answer sent none.
func (in Input) Exchanges(r io.Reader) iter.Seq2[Exchange, error] {
	if in.Limit <= 0 {
		in.Limit = 256 << 20
	}
	if in.Note == nil {
		in.Note = func(string, ...any) {}
	}
	return func(yield func(Exchange, error) bool) {
		err := in.read(r, func(x Exchange, err error) error {
			if !yield(x, err) {
				return errStop
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(Exchange{}, err)
		}
	}
}

func (in Input) read(r io.Reader, yield yielder) error {
	buffered := bufio.NewReaderSize(r, peekSize)
	if _, err := buffered.Peek(1); errors.Is(err, io.EOF) {
		return fmt.Errorf("%s is empty: no answer came", in.Name)
	}
	if in.Form != Auto {
		// A body is judged as it is; the other forms are text that may have been
		// saved in another encoding.
		if in.Form != SSE && in.Form != JSON {
			text, err := in.plain(buffered)
			if err != nil {
				return err
			}
			in.recoded, buffered = text != buffered, text
		}
		return in.each(in.Form, r, buffered, yield)
	}
	text, err := in.plain(buffered)
	if err != nil {
		return err
	}
	if text != buffered {
		in.recoded, buffered, r = true, text, nil
	}
	head, err := buffered.Peek(peekSize)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return fmt.Errorf("read %s: %w", in.Name, err)
	}
	form, why, err := detect(head)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	taken := fmt.Sprintf("taken for %s: %s; --from says otherwise", form, why)
	faulty := false
	err = in.each(form, r, buffered, func(x Exchange, err error) error {
		if err != nil {
			faulty = true
			return yield(x, fmt.Errorf("%w (%s)", err, taken))
		}
		return yield(x, nil)
	})
	switch {
	case err == errStop:
		return err
	case err != nil:
		return fmt.Errorf("%w (%s)", err, taken)
	case !faulty:
		in.Note("%s: taken for %s (%s); --from says otherwise", in.Name, form, why)
	}
	return nil
}

func (in Input) each(form Form, r io.Reader, buffered *bufio.Reader, yield yielder) error {
	switch form {
	case JSONL:
		return in.lines(buffered, yield)
	case Record:
		return in.records(buffered, yield)
	case HAR:
		return in.har(buffered, yield)
	case HTTP:
		return in.http(buffered, yield)
	}
	data, err := in.whole(r, buffered)
	if err != nil {
		return err
	}
	switch form {
	case Curl:
		return in.curl(data, yield)
	case SSE:
		return yield(in.bare("text/event-stream", data), nil)
	default:
		return yield(in.bare("application/json", data), nil)
	}
}

// whole reads all of an input that holds one answer. A file that is too large
// is refused before it is read.
func (in Input) whole(r io.Reader, buffered *bufio.Reader) ([]byte, error) {
	tooLarge := fmt.Errorf("%s: %w", in.Name, in.tooLarge())
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > in.Limit {
			return nil, tooLarge
		}
	}
	data, err := io.ReadAll(io.LimitReader(buffered, in.Limit+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", in.Name, err)
	}
	if int64(len(data)) > in.Limit {
		return nil, tooLarge
	}
	return data, nil
}

func (in Input) tooLarge() error {
	return fmt.Errorf("larger than %d MiB, the most that one answer may have; --limit allows more", in.Limit>>20)
}

func (in Input) bare(mediaType string, body []byte) Exchange {
	x := Exchange{ID: "1", From: Place{File: in.Name}}
	in.assume(&x)
	x.Answer = &Answer{Status: 200, Headers: corpus.Headers{{Name: "Content-Type", Value: mediaType}}, Body: body}
	return x
}

// assume takes an exchange whose request the input does not tell for a call
// with the id that the caller named, or the usual one.
func (in Input) assume(x *Exchange) {
	x.RPC.Kind, x.RPC.Method, x.RPC.ID = Call, callMethod, in.ID
	x.Assumed = in.IDAssumed
}

// tell fills in what the request says. The id of a call whose body is not in
// the input is assumed.
func (in Input) tell(x *Exchange) {
	x.RPC = ReadMessage(x.Request)
	if !x.Request.BodyUnknown {
		return
	}
	switch {
	case x.RPC.Kind == Call:
		x.RPC.ID, x.Assumed = in.ID, in.IDAssumed
	case x.RPC.Kind == Unknown && !in.IDAssumed:
		in.assume(x)
	}
}
