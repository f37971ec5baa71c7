package fuzz

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSeeds runs every body on every seed.
func TestSeeds(t *testing.T) {
	for _, target := range Targets() {
		t.Run(target.Name, func(t *testing.T) {
			t.Parallel()
			seeds := target.Seeds()
			if len(seeds) == 0 {
				t.Fatal("no seeds")
			}
			for _, seed := range seeds {
				target.Body(thorough{t}, seed)
			}
			target.Body(thorough{t}, nil)
		})
	}
}

// thorough has every relation tried on every input.
type thorough struct{ *testing.T }

func (thorough) Thorough() {}

// TestTargetFiles holds the files of the native targets to what engines expect:
// one target a file, nothing else in it, all of them listed.
func TestTargetFiles(t *testing.T) {
	files, err := filepath.Glob("fuzz_*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(Targets()) {
		t.Errorf("got %d files, want one for each of %d targets", len(files), len(Targets()))
	}
	functions := regexp.MustCompile(`(?m)^func (\w+)\(`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := functions.FindAllSubmatch(text, -1)
		if len(found) != 1 {
			t.Errorf("%s: got %d functions, want one", file, len(found))
			continue
		}
		name := string(found[0][1])
		listed := false
		for _, target := range Targets() {
			listed = listed || target.Name == name
		}
		body := strings.TrimPrefix(name, "Fuzz")
		if !listed || !strings.Contains(string(text), "fuzz."+body+"Seeds()") || !strings.Contains(string(text), "{ fuzz."+body+"(t, data) }") {
			t.Errorf("%s: %s is not listed, or does more than seeding and one call of fuzz.%s", file, name, body)
		}
	}
}

func BenchmarkSeeds(b *testing.B) {
	for _, target := range Targets() {
		b.Run(target.Name, func(b *testing.B) {
			seeds := target.Seeds()
			for b.Loop() {
				for _, seed := range seeds {
					target.Body(b, seed)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(seeds)), "ns/input")
			if target.Name == "FuzzBatch" {
				b.ReportMetric(float64(b.N*len(seeds)*BatchSize)/b.Elapsed().Seconds(), "cases/s")
			}
		})
	}
}

// BenchmarkAgree judges answers on one core.
func BenchmarkAgree(b *testing.B) {
	w := newWorker(1)
	for i := 0; b.Loop(); i++ {
		w.block(1, i*blockSize, (i+1)*blockSize)
	}
	if len(w.disagreeing) > 0 {
		b.Error(w.disagreements[0])
	}
	b.ReportMetric(float64(b.N*blockSize)/b.Elapsed().Seconds(), "answers/s")
}
