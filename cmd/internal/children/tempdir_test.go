package children

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSweepRemovesOnlyWhatIsOldAndOurs(t *testing.T) {
	temp := t.TempDir()
	old := time.Now().Add(-25 * time.Hour)
	for name, when := range map[string]time.Time{workPrefix + "old": old, workPrefix + "new": time.Now(), "another-old": old} {
		dir := filepath.Join(temp, name)
		if err := os.MkdirAll(filepath.Join(dir, "cache"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(dir, when, when); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", temp)
	dir, remove, err := TempDir()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
	remove()
	entries, err := os.ReadDir(temp)
	if err != nil || len(entries) != 2 || entries[0].Name() != "another-old" || entries[1].Name() != workPrefix+"new" {
		t.Errorf("got %v, %v, want what is new and what is not ours", entries, err)
	}
}
