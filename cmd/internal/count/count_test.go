package count

import (
	"slices"
	"testing"
)

func TestOf(t *testing.T) {
	for want, got := range map[string]string{
		"0 cases": Of(0, "case"), "1 case": Of(1, "case"), "2 cases": Of(2, "case"),
		"1 fault of the baseline": Of(1, "fault", "of the baseline"), "3 faults of the baseline": Of(3, "fault", "of the baseline"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestGrouped(t *testing.T) {
	for _, test := range []struct {
		n    int
		want string
	}{{0, "0"}, {999, "999"}, {1000, "1,000"}, {1234567, "1,234,567"}, {-123, "-123"}, {-1234, "-1,234"}} {
		if got := Grouped(test.n); got != test.want {
			t.Errorf("%d: got %s, want %s", test.n, got, test.want)
		}
	}
}

func TestWords(t *testing.T) {
	if got, want := Words(map[string]int{"b": 2, "a": 2, "c": 1, "d": 30}), []string{"d", "a", "b", "c"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
