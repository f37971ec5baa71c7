package scan

import (
	"math"
	"strings"
	"testing"
)

func TestInteger(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0", 400)
	nines := strings.Repeat("9", 100)
	for _, c := range []struct {
		raw           string
		n             int64
		fits, integer bool
	}{
		{"0", 0, true, true}, {"-0", 0, true, true}, {"0.0", 0, true, true}, {"-0.000e5", 0, true, true}, {"0e" + nines, 0, true, true}, {"0e-" + nines, 0, true, true},
		{"1", 1, true, true}, {"-1", -1, true, true}, {"1.0", 1, true, true}, {"10e-1", 1, true, true}, {"0.1e1", 1, true, true}, {"0.001e3", 1, true, true}, {"1E0", 1, true, true}, {"1e-0", 1, true, true}, {"1e+000", 1, true, true},
		{"1E+02", 100, true, true}, {"1.5e1", 15, true, true}, {"12.50e2", 1250, true, true}, {"-32602", -32602, true, true}, {"-3.2602e4", -32602, true, true}, {"-32602.000", -32602, true, true},
		{"100000000000000000", 1e17, true, true}, {"999999999999999999", 999999999999999999, true, true}, {"-999999999999999999", -999999999999999999, true, true},
		{"1.5", 0, false, false}, {"0.5", 0, false, false}, {"1e-1", 0, false, false}, {"15e-1", 0, false, false}, {"0.1", 0, false, false}, {"1e-400", 0, false, false}, {"1e-" + nines, 0, false, false}, {"9007199254740993.5", 0, false, false}, {"100e-3", 0, false, false},
		{"1e400", 0, false, true}, {"-1e400", 0, false, true}, {"1e" + nines, 0, false, true}, {"1E+" + nines, 0, false, true}, {"-1E-" + nines, 0, false, false}, {"1.5e" + nines, 0, false, true}, {"1e19", 0, false, true}, {"1e18", 1e18, true, true},
		{"9007199254740991", 1<<53 - 1, true, true}, {"9007199254740992", 1 << 53, true, true}, {"9007199254740993", 1<<53 + 1, true, true}, {"9007199254740993.0", 1<<53 + 1, true, true}, {"9007199254740993e0", 1<<53 + 1, true, true},
		{"9223372036854775806", math.MaxInt64 - 1, true, true}, {"9223372036854775807", math.MaxInt64, true, true}, {"9223372036854775808", 0, false, true},
		{"-9223372036854775807", math.MinInt64 + 1, true, true}, {"-9223372036854775808", math.MinInt64, true, true}, {"-9223372036854775809", 0, false, true},
		{"9.223372036854775807e18", math.MaxInt64, true, true}, {"92233720368547758070e-1", math.MaxInt64, true, true}, {"9999999999999999999", 0, false, true}, {"18446744073709551617", 0, false, true},
		{"1" + zeros, 0, false, true}, {"1" + zeros + "e-400", 1, true, true}, {"1" + zeros + "e-401", 0, false, false}, {"0." + zeros + "7e401", 7, true, true}, {"5." + zeros, 5, true, true}, {"5." + zeros + "1", 0, false, false},
		{"1e" + zeros + "2", 100, true, true}, {"100e-" + zeros + "2", 1, true, true},
		{"123456789012345678", 123456789012345678, true, true}, {"-123456789012345678", -123456789012345678, true, true}, {"1234567890123456789", 1234567890123456789, true, true},
	} {
		n, fits, integer := Integer([]byte(c.raw))
		if fits != c.fits || integer != c.integer || fits && n != c.n {
			t.Errorf("%.50s: got %d, fits %t, integer %t; want %d, %t, %t", c.raw, n, fits, integer, c.n, c.fits, c.integer)
		}
	}
}

// TestSmall is about what Integer need not take apart.
func TestSmall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw string
		n   int64
		ok  bool
	}{
		{"0", 0, true}, {"7", 7, true}, {"-7", -7, true}, {"-0", 0, true}, {"32602", 32602, true},
		{"123456789012345678", 123456789012345678, true}, {"-123456789012345678", -123456789012345678, true},
		{"1234567890123456789", 0, false}, {"-1234567890123456789", 0, false},
		{"", 0, false}, {"-", 0, false}, {"1.0", 0, false}, {"1e2", 0, false}, {":", 0, false}, {"/", 0, false},
	} {
		if n, ok := small([]byte(c.raw)); ok != c.ok || n != c.n {
			t.Errorf("%q: got %d, small %t; want %d, %t", c.raw, n, ok, c.n, c.ok)
		}
	}
}
