package children

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

func TestSweepRemovesOnlyWhatIsFreeAndOurs(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	long, now := time.Now().Add(-25*time.Hour), time.Now()
	for name, folder := range map[string]struct {
		touched time.Time
		lock    string // free, held, odd or none
	}{
		workPrefix + "old":             {long, "none"},
		workPrefix + "new":             {now, "none"},
		workPrefix + "killed":          {now, "free"},
		workPrefix + "lasts":           {long, "held"},
		workPrefix + "odd":             {long, "odd"},
		"another-" + workPrefix:        {long, "free"},
		workPrefix[:len(workPrefix)-1]: {long, "none"},
	} {
		dir := filepath.Join(temp, name)
		if err := os.MkdirAll(filepath.Join(dir, "cache"), 0o700); err != nil {
			t.Fatal(err)
		}
		switch lock := filepath.Join(dir, "lock"); folder.lock {
		case "free":
			if err := os.WriteFile(lock, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		case "held":
			held := flock.New(lock)
			if got, err := held.TryLock(); err != nil || !got {
				t.Fatalf("got %t, %v", got, err)
			}
			defer held.Close()
		case "odd": // no file that can be locked
			if err := os.Mkdir(lock, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(dir, folder.touched, folder.touched); err != nil {
			t.Fatal(err)
		}
	}
	dir, remove, err := TempDir()
	if err != nil {
		t.Fatal(err)
	}
	// Another run meets this one's.
	_, removeOther, err := TempDir()
	if err != nil {
		t.Fatal(err)
	}
	removeOther()
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the folder of a run that lasts: %v", err)
	}
	remove()
	want := []string{"another-" + workPrefix, "replyproof-nightly", workPrefix + "lasts", workPrefix + "new", workPrefix + "odd"}
	if got := folders(t, temp); !slices.Equal(got, want) {
		t.Errorf("got %q left, want %q", got, want)
	}
}

// What a run that was killed has left behind goes with the next one, at once.
func TestTempDirOfAKilledRun(t *testing.T) {
	const child = "REPLYPROOF_TEMPDIR_CHILD"
	if os.Getenv(child) != "" {
		dir, _, err := TempDir()
		if err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("dir " + dir + "\n")
		_, _ = os.Stdin.Read(make([]byte, 1)) // until it is killed
		return
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTempDirOfAKilledRun$")
	cmd.Env = append(os.Environ(), child+"=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "dir "+temp) {
		t.Errorf("got %q, %v, want a folder in %s", line, err, temp)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if got := folders(t, temp); len(got) != 1 {
		t.Fatalf("got %q, want what the killed run has left", got)
	}
	_, remove, err := TempDir()
	if err != nil {
		t.Fatal(err)
	}
	remove()
	if got := folders(t, temp); len(got) != 0 {
		t.Errorf("got %q left, want nothing", got)
	}
}

// folders are the names in a folder.
func folders(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
