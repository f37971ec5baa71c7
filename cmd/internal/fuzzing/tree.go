package fuzzing

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Tree makes at into a second face of the target's module, in which a test
// binary can run as in the package's own folder, and gives that folder: all is
// linked, but for the inputs of the target in testdata/fuzz, of which only those
// are there that keep allows. So an input that is known to fail does not end
// every search, and what the engine writes there is not yet in the module.
func Tree(at string, t Target, keep func(name string) bool) (dir string, err error) {
	inside, err := filepath.Rel(t.Root, t.Dir)
	if err != nil || !filepath.IsLocal(inside) {
		return "", fmt.Errorf("%s is not inside its module %s", t.Dir, t.Root)
	}
	if err := os.RemoveAll(at); err != nil {
		return "", err
	}
	// One folder up as well: tests reach for what stands beside their module.
	way := []string{filepath.Base(t.Root)}
	if inside != "." {
		way = append(way, split(inside)...)
	}
	way = append(way, "testdata", "fuzz", t.Name)
	from, to := filepath.Dir(t.Root), at
	for _, name := range way {
		if err := links(from, to, name); err != nil {
			return "", err
		}
		from, to = filepath.Join(from, name), filepath.Join(to, name)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return "", err
	}
	for _, name := range Inputs(t) {
		if keep(name) {
			if err := os.Symlink(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
				return "", err
			}
		}
	}
	return filepath.Join(at, filepath.Base(t.Root), inside), nil
}

func split(path string) []string {
	dir, name := filepath.Split(path)
	if dir = filepath.Clean(dir); dir == "." || dir == path {
		return []string{name}
	}
	return append(split(dir), name)
}

// links makes the folder to and links what stands in from, all but one name.
func links(from, to, but string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	for _, e := range entries {
		if e.Name() == but {
			continue
		}
		if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// Inputs are the names of the inputs in testdata/fuzz of a target.
func Inputs(t Target) []string { return names(Testdata(t)) }

// Testdata is the folder in which Go looks for the inputs of a target.
func Testdata(t Target) string { return filepath.Join(t.Dir, "testdata", "fuzz", t.Name) }

// names are the names of the files in a folder, sorted; hidden ones do not count.
func names(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		if !e.IsDir() && e.Name()[0] != '.' {
			all = append(all, e.Name())
		}
	}
	slices.Sort(all)
	return all
}
