//go:build libfuzzer

package main

// #include <stddef.h>
// #include <stdint.h>
import "C"

import (
	"fmt"
	"os"
	"strings"
	"unsafe"

	"github.com/replyproof/replyproof/fuzz"
)

// target is the name of the target; the linker sets it.
var target = "FuzzEnvelope"

// body is the search of that name.
var body = func() func(fuzz.T, []byte) {
	for _, t := range fuzz.Targets() {
		if t.Name == target {
			return t.Body
		}
	}
	fmt.Fprintf(os.Stderr, "there is no target %q\n", target)
	os.Exit(2)
	return nil
}()

// LLVMFuzzerTestOneInput is what libFuzzer calls for each input. A relation that
// does not hold ends the process, as the engine wants it.
//
//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *C.uint8_t, size C.size_t) C.int {
	var t collector
	// A copy: the engine's memory is not the body's to keep.
	body(&t, append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(data)), int(size))...))
	if len(t) > 0 {
		panic(target + ": " + strings.Join(t, "\n"))
	}
	return 0
}

// collector keeps what a body reports.
type collector []string

// Helper does nothing.
func (*collector) Helper() {}

// Errorf keeps one failure.
func (c *collector) Errorf(format string, args ...any) { *c = append(*c, fmt.Sprintf(format, args...)) }

func main() {}
