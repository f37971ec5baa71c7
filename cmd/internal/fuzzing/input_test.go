package fuzzing

import (
	"bytes"
	"strings"
	"testing"
)

func parse(t *testing.T, file string) Input {
	t.Helper()
	in, err := ParseInput([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestInputs(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, written string }{
		{"bytes", "go test fuzz v1\n[]byte(\"a\\x00\")\n", "go test fuzz v1\n[]byte(\"a\\x00\")\n"},
		{"a raw string, CRLF", "go test fuzz v1\r\nstring(`a\\b`)\r\n", "go test fuzz v1\nstring(\"a\\\\b\")\n"},
		{"several", "go test fuzz v1\nstring(\"a)(b\")\nint(-3)\nbool(true)\nrune('\\'')\nfloat64(+Inf)\n", "go test fuzz v1\nstring(\"a)(b\")\nint(-3)\nbool(true)\nrune('\\'')\nfloat64(+Inf)\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := string(parse(t, test.file).File()); got != test.written {
				t.Errorf("got %q, want %q", got, test.written)
			}
		})
	}
	for _, bad := range []string{"", "go test fuzz v2\nint(1)\n", "go test fuzz v1\n", "go test fuzz v1\nint 1\n", "go test fuzz v1\n[]byte(\"a)\n"} {
		if _, err := ParseInput([]byte(bad)); err == nil {
			t.Errorf("%q: got no error", bad)
		}
	}
}

func TestMinimiseInput(t *testing.T) {
	t.Parallel()
	never := func() bool { return false }
	tests := []struct {
		name, file, want string
		fails            func(Input) bool
	}{
		{
			"bytes that must be there", "go test fuzz v1\n[]byte(\"\\xff{\\xfe\\xfdneedle\\x00}\")\n", "go test fuzz v1\n[]byte(\"needle\")\n",
			func(in Input) bool { b, _ := in.Bytes(); return bytes.Contains(b, []byte("needle")) },
		},
		{
			"a length", "go test fuzz v1\nstring(\"\\xff\\xfe\\xfd\\xfc\\xfb\")\n", "go test fuzz v1\nstring(\"000\")\n",
			func(in Input) bool { b, _ := in.Bytes(); return len(b) > 2 },
		},
		{
			"white space, brackets and letters that make no difference", "go test fuzz v1\nstring(\"{a \\n\\\"\")\nint(3)\n", "go test fuzz v1\nstring(\"00000\")\nint(0)\n",
			func(in Input) bool { return len(in.args[0].data) > 4 },
		},
		{
			"a bracket that makes one", "go test fuzz v1\n[]byte(\"] \")\n", "go test fuzz v1\n[]byte(\"]0\")\n",
			func(in Input) bool { b, _ := in.Bytes(); return len(b) > 1 && b[0] == ']' },
		},
		{
			"a letter, but no digit", "go test fuzz v1\n[]byte(\"Z\")\n", "go test fuzz v1\n[]byte(\"a\")\n",
			func(in Input) bool { b, _ := in.Bytes(); return len(b) > 0 && b[0] > '9' },
		},
		{
			"several arguments", "go test fuzz v1\nstring(\"long text\")\nint(77)\nbool(true)\n", "go test fuzz v1\nstring(\"t\")\nint(77)\nbool(false)\n",
			func(in Input) bool {
				return strings.Contains(string(in.args[0].data), "t") && in.args[1].raw == "77"
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := parse(t, test.file)
			if got := string(in.Minimise(test.fails, never).File()); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if got := string(in.File()); got != test.file {
				t.Errorf("the input became %q", got)
			}
			// Time that is over leaves the input as it is.
			if got := string(in.Minimise(test.fails, func() bool { return true }).File()); got != test.file {
				t.Errorf("without time: got %q, want %q", got, test.file)
			}
		})
	}
}
