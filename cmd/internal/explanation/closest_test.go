package explanation

import (
	"slices"
	"strings"
	"testing"
)

func TestClosestOfALongWord(t *testing.T) {
	t.Parallel()
	among := []string{"baseline", "errors.tool_error", "sse.stall"}
	for word, want := range map[string][]string{
		"basline":  {"baseline"},
		"sse.stal": {"sse.stall"},
		"zzzzzzzz": nil,
		"baseline" + strings.Repeat("x", longestWord): nil, // however long: it takes no time
	} {
		if got := Closest(word, among); !slices.Equal(got, want) {
			t.Errorf("%.20s: got %q, want %q", word, got, want)
		}
	}
}
