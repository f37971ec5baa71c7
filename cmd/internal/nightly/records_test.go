package nightly

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/store"
)

// A night that cannot be gone on with says why, and names file and line if they
// are what is wrong.
func TestNothingToResume(t *testing.T) {
	const (
		plan = `{"event":"night","plan":{"night":"n","for_ns":60000000000}}` + "\n"
		end  = `{"event":"end"}` + "\n"
		anew = "; begin a new night without --resume, which starts from all that was found"
	)
	for _, test := range []struct {
		name, text string
		want       error
		says       string // after the folder, or the file
	}{
		{"no night", "", ErrNothingToResume, ""},
		{"one that ended", plan + end, ErrNothingToResume, ": the last one came to its end"},
		{"one that ended, with a line cut short", plan + `{"event":"rou` + "\n" + end, ErrNothingToResume, ": the last one came to its end"},
		{"garbage", "garbage\n", ErrDamaged, ", line 1 does not say that it is this night, and how long it is" + anew},
		{"nothing in it", "\n", ErrDamaged, ", line 1 does not say that it is this night, and how long it is" + anew},
		{"the plan alone is damaged", `{"event":"nig` + "\n" + `{"event":"round","used":7}` + "\n", ErrDamaged, ", line 1 does not say that it is this night, and how long it is" + anew},
		{"the plan of another", strings.Replace(plan, `"n"`, `"m"`, 1), ErrDamaged, ", line 1 does not say that it is this night, and how long it is" + anew},
		{"a plan without time", strings.Replace(plan, "60000000000", "0", 1), ErrDamaged, ", line 1 does not say that it is this night, and how long it is" + anew},
		{"a line that is no record", plan + "\n" + `{"event":"round","used":"long"}` + "\n", ErrDamaged, ", line 3: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, nightsName, "n"+nightSuffix)
			if test.text != "" {
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s, err := store.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			where := dir
			if errors.Is(test.want, ErrDamaged) {
				where = file
			}
			_, err = Pending(s)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), where+test.says) {
				t.Fatalf("got %v, want %v with %q", err, test.want, where+test.says)
			}
			if errors.Is(err, ErrDamaged) && (errors.Is(err, ErrNothingToResume) || !strings.HasSuffix(err.Error(), anew)) {
				t.Errorf("got %q, want it to say only that the file is damaged, and what to do", err)
			}
		})
	}
}

// A night that was cut short while a line was written is gone on with: what was
// cut short is passed over.
func TestPendingPassesOverWhatWasCutShort(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := Plan{Night: "n", Seed: 7, For: time.Minute}
	if err := s.Journal(nightsName, "n"+nightSuffix).Append(record{Event: "night", Plan: &want}); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(s.Path(nightsName, "n"+nightSuffix), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"event":"round","us`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := Pending(s); err != nil || got.Seed != 7 || got.For != time.Minute {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}
