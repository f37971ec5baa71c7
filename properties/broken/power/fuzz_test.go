package main

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// FuzzJudges puts each input before all broken judges that are still alive, and
// takes down which it kills. It is run by the command; by itself it runs its seeds.
func FuzzJudges(f *testing.F) {
	for _, seed := range plainSeeds() {
		f.Add(seed)
	}
	file, began := os.Getenv(envKills), time.Now()
	if file == "" {
		file = f.TempDir() + "/kills"
	}
	if ms, err := strconv.ParseInt(os.Getenv(envBegan), 10, 64); err == nil {
		began = time.UnixMilli(ms)
	}
	h, err := newHunt(file, began)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := h.input(data); err != nil {
			t.Fatal(err)
		}
	})
}
