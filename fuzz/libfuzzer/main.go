//go:build !libfuzzer

// Command libfuzzer carries inputs between Go's fuzzing and libFuzzer. Built
// with the tag libfuzzer as a C archive it is the other half: the entry point
// that libFuzzer calls, for the target that the linker names.
//
//	go run ./fuzz/libfuzzer targets                  # one name a line
//	go run ./fuzz/libfuzzer seeds FuzzStream DIR     # the seeds as raw files
//	go run ./fuzz/libfuzzer dictionary               # words that answers are made of
//	go run ./fuzz/libfuzzer raw FROM DIR             # Go's seed files as raw files
//	go run ./fuzz/libfuzzer prefixed FROM DIR        # raw files for go-118-fuzz-build
//	go run ./fuzz/libfuzzer import FROM DIR          # raw files as Go's seed files
//
// .ci/libfuzzer builds and runs all of it.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/fuzz"
)

// sampleWords are the words of a sample, the form in which a target takes an
// answer with status and headers, that stand in no answer.
var sampleWords = []string{"notification", "no-answer", "id-text="}

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "libfuzzer:", err)
		os.Exit(2)
	}
}

func run(out io.Writer, args []string) error {
	verb := ""
	if len(args) > 0 {
		verb = args[0]
	}
	switch {
	case verb == "targets" && len(args) == 1:
		for _, t := range fuzz.Targets() {
			fmt.Fprintln(out, t.Name)
		}
		return nil
	case verb == "dictionary" && len(args) == 1:
		_, err := out.Write(corpus.Dictionary(corpus.All(), sampleWords...))
		return err
	case verb == "seeds" && len(args) == 3:
		for _, t := range fuzz.Targets() {
			if t.Name == args[1] {
				return save(args[2], corpus.RawSeeds(t.Seeds()))
			}
		}
		return fmt.Errorf("there is no target %q; the verb targets lists them", args[1])
	case len(args) == 3 && (verb == "raw" || verb == "prefixed" || verb == "import"):
		inputs, err := load(args[1])
		if err != nil {
			return err
		}
		switch verb {
		case "prefixed":
			for i, input := range inputs {
				inputs[i] = append(binary.BigEndian.AppendUint32(nil, uint32(len(input))), input...)
			}
		case "import":
			return save(args[2], corpus.FuzzSeeds(inputs))
		}
		return save(args[2], corpus.RawSeeds(inputs))
	}
	return errors.New("want targets, dictionary, seeds TARGET DIR, raw FROM DIR, prefixed FROM DIR or import FROM DIR")
}

// load reads the inputs of a folder, raw or in the form of Go's seed files.
func load(dir string) ([][]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var inputs [][]byte
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if input, ok := corpus.ParseFuzzSeed(data); ok {
			data = input
		}
		inputs = append(inputs, data)
	}
	return inputs, nil
}

// save writes files beside their names first, so that nobody reads half of one.
func save(dir string, files []corpus.Blob) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		if err := os.WriteFile(path+".part", f.Data, 0o644); err != nil {
			return err
		}
		if err := os.Rename(path+".part", path); err != nil {
			return err
		}
	}
	return nil
}
