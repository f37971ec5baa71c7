package scan

import (
	"math/big"
	"testing"
)

// FuzzNumber compares number and Integer with math/big, on exponents that it
// can expand.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"0", "-0", "1", "01", "-", "1.5", "1e2", "1E+02", "10e-1", "0.001e3", "9223372036854775808", "-9223372036854775808", "1e400", "1.", "1e", "1234567890123456789e-3"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 200 || data[0] != '-' && data[0]-'0' >= 10 {
			return
		}
		end, ok := number(data, 0)
		if end > len(data) {
			t.Fatalf("%q: got an end at %d", data, end)
		}
		if !ok {
			return
		}
		raw := data[:end]
		d := split(raw)
		if len(d.exponent) > 4 {
			return
		}
		want, valid := new(big.Rat).SetString(string(raw))
		if !valid {
			t.Fatalf("%q: taken for a number, which math/big denies", raw)
		}
		n, fits, integer := Integer(raw)
		if integer != want.IsInt() {
			t.Fatalf("%q: got integer %t, want %t", raw, integer, want.IsInt())
		}
		if wantFits := integer && want.Num().IsInt64(); fits != wantFits || fits && n != want.Num().Int64() {
			t.Fatalf("%q: got %d, fits %t; want %s, %t", raw, n, fits, want.RatString(), wantFits)
		}
	})
}
