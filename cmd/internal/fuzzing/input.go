package fuzzing

import (
	"bytes"
	"fmt"

	"github.com/replyproof/replyproof/corpus"
)

// Input is an input of a target: its arguments, in the form of Go's seed files.
type Input struct {
	args []argument
}

// argument is one of them. Bytes and strings are told apart by the type's name;
// what is neither is kept as it was written.
type argument struct {
	kind string // such as []byte or int
	text bool   // a []byte or a string
	data []byte
	raw  string
}

// ParseInput reads a seed file of Go's fuzzing.
func ParseInput(file []byte) (Input, error) {
	args, err := corpus.ParseSeed(file)
	if err != nil {
		return Input{}, fmt.Errorf("read an input: %w", err)
	}
	var in Input
	for _, arg := range args {
		a := argument{kind: arg.Type, raw: arg.Value, text: arg.IsText()}
		if a.text {
			if a.data, err = arg.Text(); err != nil {
				return Input{}, fmt.Errorf("read an input: %w", err)
			}
		}
		in.args = append(in.args, a)
	}
	if len(in.args) == 0 {
		return Input{}, fmt.Errorf("read an input: it has no arguments")
	}
	return in, nil
}

// File is the input as a seed file.
func (in Input) File() []byte {
	var args []corpus.SeedArg
	for _, a := range in.args {
		arg := corpus.SeedArg{Type: a.kind, Value: a.raw}
		if a.text {
			arg = corpus.SeedText(a.kind, a.data)
		}
		args = append(args, arg)
	}
	return corpus.AppendSeed(nil, args...)
}

// Name is the name that Go's fuzzing gives to the seed file.
func (in Input) Name() string { return corpus.SeedName(in.File()) }

// Bytes is the one []byte or string that the input is; ok is false for others.
func (in Input) Bytes() (data []byte, ok bool) {
	if len(in.args) != 1 || !in.args[0].text {
		return nil, false
	}
	return in.args[0].data, true
}

// Size is the length of the arguments in bytes; of those that are neither bytes
// nor text, as they are written.
func (in Input) Size() int {
	n := 0
	for _, a := range in.args {
		if a.text {
			n += len(a.data)
		} else {
			n += len(a.raw)
		}
	}
	return n
}

// with is the input with one argument changed.
func (in Input) with(i int, change func(*argument)) Input {
	next := Input{args: append([]argument(nil), in.args...)}
	change(&next.args[i])
	return next
}

// Minimise is the smallest and plainest input it finds of which fails is still
// true, as it is of in. It ends early when fails no longer answers: when over
// is true.
func (in Input) Minimise(fails func(Input) bool, over func() bool) Input {
	for i := range in.args {
		if in.args[i].text {
			in = in.shorter(i, fails, over)
			in = in.plainer(i, fails, over)
			continue
		}
		for _, plain := range plainest(in.args[i].kind) {
			if in.args[i].raw == plain || over() {
				break
			}
			if next := in.with(i, func(a *argument) { a.raw = plain }); fails(next) {
				in = next
				break
			}
		}
	}
	return in
}

// plainest are values of a type to be tried in place of another.
func plainest(kind string) []string {
	switch kind {
	case "bool":
		return []string{"false"}
	case "rune", "byte":
		return []string{"'0'", "'a'"}
	}
	return []string{"0", "1"}
}

// shorter leaves out of an argument what can go, in ever smaller pieces.
func (in Input) shorter(i int, fails func(Input) bool, over func() bool) Input {
	for again := true; again; {
		again = false
		for size := len(in.args[i].data); size > 0; size /= 2 {
			for at := 0; at < len(in.args[i].data); {
				if over() {
					return in
				}
				data := in.args[i].data
				rest := append(bytes.Clone(data[:at]), data[min(at+size, len(data)):]...)
				if next := in.with(i, func(a *argument) { a.data = rest }); fails(next) {
					in, again = next, true
				} else {
					at += size
				}
			}
		}
	}
	return in
}

// plainer puts a plain character, the first that will do, where the byte makes no
// difference. What was there before does not count, be it as plain: two inputs
// that fail for the same reason become one.
func (in Input) plainer(i int, fails func(Input) bool, over func() bool) Input {
	for at := range in.args[i].data {
		for _, plain := range []byte("0a") {
			if in.args[i].data[at] == plain {
				break
			}
			if over() {
				return in
			}
			data := bytes.Clone(in.args[i].data)
			data[at] = plain
			if next := in.with(i, func(a *argument) { a.data = data }); fails(next) {
				in = next
				break
			}
		}
	}
	return in
}
