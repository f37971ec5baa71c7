package fuzzing

import (
	"strings"
	"testing"
)

const plainPanic = `--- FAIL: FuzzPanics (0.00s)
    --- FAIL: FuzzPanics/7660bf24331ff9b5 (0.00s)
panic: oh no %q [recovered, repanicked]

goroutine 20 [running]:
testing.tRunner.func1.2({0x60f3e0, 0x7a0fc0b0500})
	/usr/local/go/src/testing/testing.go:1974 +0x232
panic({0x60f3e0?, 0x7a0fc0b0500?})
	/usr/local/go/src/runtime/panic.go:860 +0x13a
example.com/night.(*T).inner(0x7a0fc0b2488, {0x7a0fc09e710, 0x8, 0x8})
	/m/night_test.go:65 +0x214
example.com/night.FuzzPanics.func1(0x7a0fc0b2488)
	/m/night_test.go:65 +0x214
reflect.Value.call({0x612d80?, 0x6643a8?, 0x13?})
	/usr/local/go/src/reflect/value.go:586 +0xf0c

goroutine 21 [running]:
example.com/night.other()
	/m/night_test.go:1 +0x1
`

const workerPanic = `--- FAIL: FuzzPanics (0.00s)
        testing.go:1692: panic: oh no other text
            goroutine 7 [running]:
            runtime/debug.Stack()
            	/usr/local/go/src/runtime/debug/stack.go:26 +0x5e
            testing.tRunner.func1()
            	/usr/local/go/src/testing/testing.go:1692 +0x1c8
            panic({0x60f3e0?, 0x7a0fc0b0500?})
            	/usr/local/go/src/runtime/panic.go:860 +0x13a
            example.com/night.(*T).inner(0x1, {0x7a0fc09e710, 0x8, 0x8})
            	/m/night_test.go:65 +0x214
            example.com/night.FuzzPanics.func1(0x1)
            	/m/night_test.go:65 +0x214
`

func TestSignature(t *testing.T) {
	t.Parallel()
	const stack = "panic in example.com/night.(*T).inner"
	tests := []struct{ name, said, kind, want string }{
		{"a panic, by go test", plainPanic, KindPanic, stack},
		{"a panic, by the worker", workerPanic, KindPanic, stack},
		{"a panic without a stack", "panic: runtime error: index out of range [5] with length 3 [recovered]", KindPanic, "panic runtime error: index out of range [0] with length 0"},
		{
			"a recursion", "fatal error: stack overflow\n\nruntime stack:\nruntime.throw({0x1})\n\ngoroutine 1 [running]:\na.deep(0x1)\na.deep(0x2)\na.deep(0x3)\na.Fuzz.func1()\n",
			KindPanic, "panic in a.deep: stack overflow",
		},
		{
			"a recursion of two that ends in a third", "fatal error: stack overflow\n\nruntime stack:\nruntime.throw({0x1})\n\ngoroutine 1 [running]:\na.leaf(0x1)\na.two(0x1)\na.one(0x2)\na.two(0x3)\na.one(0x2)\na.Fuzz.func1()\n",
			KindPanic, "panic in a.one: stack overflow",
		},
		{"the runtime's panic", strings.Replace(plainPanic, "oh no %q", "runtime error: index out of range [5] with length 3", 1), KindPanic, stack + ": index out of range"},
		{"the same, other values", strings.Replace(workerPanic, "oh no other text", "runtime error: index out of range [-1]", 1), KindPanic, stack + ": index out of range"},
		{"another one there", strings.Replace(plainPanic, "oh no %q", "interface conversion: interface {} is string, not int", 1), KindPanic, stack + ": interface conversion"},
		{"another way to it", strings.Replace(plainPanic, "example.com/night.FuzzPanics.func1(", "example.com/night.between(...)\n\t/m/night.go:6 +0x1\nexample.com/night.FuzzPanics.func1(", 1), KindPanic, stack},
		{"in the library", strings.Replace(plainPanic, "example.com/night.(*T).inner(", "strings.Repeat({0x1, 0x2}, 0x3)\n\t/usr/local/go/src/strings/strings.go:624 +0x5\nexample.com/night.(*T).inner(", 1), KindPanic, stack},
		{"in the library alone", "panic: oh\n\ngoroutine 7 [running]:\npanic({0x1})\n\t/usr/local/go/src/runtime/panic.go:860 +0x13a\nstrings.Repeat({0x1, 0x2}, 0x3)\n\t/usr/local/go/src/strings/strings.go:624 +0x5\n", KindPanic, "panic in strings.Repeat"},
		{"a message", "--- FAIL: FuzzX (0.00s)\n    x_test.go:12: want \"a\\\"b\", got `c`, 17 times\n", KindFailure, `failure x_test.go:12 want "", got "", 0 times`},
		{"the same message with other values", "    --- FAIL: FuzzX/1 (0.00s)\n        x_test.go:12: want \"z\", got `y`, 0x4f times\n", KindFailure, `failure x_test.go:12 want "", got "", 0 times`},
		{"another line", "    x_test.go:13: want \"a\", got `c`, 17 times\n", KindFailure, `failure x_test.go:13 want "", got "", 0 times`},
		{"a hang, by go test", "panic: test timed out after 30s\n\ngoroutine 1 [running]:\nx.y()\n", KindHang, "hang"},
		{"a hang, by the worker", "panic: deadlocked!\n\ngoroutine 5 [running]:\n", KindHang, "hang"},
		{"a death", "\nthe process ended: exit status 7", KindDeath, "death exit status 7"},
		{"a signal", "the target ended without a word: signal: killed", KindDeath, "death signal: killed"},
		{"nothing that is known", "odd words 12", KindFailure, "failure odd words 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			kind, got := Signature(test.said)
			if kind != test.kind || got != test.want {
				t.Errorf("got %s, %q, want %s, %q", kind, got, test.kind, test.want)
			}
		})
	}
}
