// Package cases finds the cases that a command is to work on: those that the
// project ships, or those of files and folders that the user names.
package cases

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/replyproof/replyproof/corpus"
)

// Load gives the cases of files and folders, or, with no path, those that the
// project ships. In a folder every file that ends in .json or .jsonl counts,
// however deep; links to files are followed, those to folders below it are not.
// Errors name file, line and key; a folder without a file of cases and a case id
// that stands twice are errors.
func Load(paths []string) ([]corpus.Case, error) {
	if len(paths) == 0 {
		return corpus.All(), nil
	}
	var all []corpus.Case
	var faults []error
	seen := make(map[string]string)
	for _, path := range paths {
		files, err := find(path)
		faults = append(faults, err)
		for _, file := range files {
			data, err := read(file)
			if err != nil {
				faults = append(faults, err)
				continue
			}
			found, err := corpus.Parse(file, data)
			faults = append(faults, err)
			for _, c := range found {
				if first, ok := seen[c.ID]; ok {
					faults = append(faults, fmt.Errorf("%s: case %s stands in %s already; ids are unique", file, c.ID, first))
				}
				seen[c.ID] = file
			}
			all = append(all, found...)
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return all, nil
}

// maxFile is the most that a file of cases may have, in bytes.
const maxFile = 256 << 20

// read reads a file of cases. One that is too large to be one is not read first.
func read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var data []byte
	if info.Size() <= maxFile {
		if data, err = io.ReadAll(io.LimitReader(f, maxFile+1)); err != nil {
			return nil, err
		}
	}
	if max(info.Size(), int64(len(data))) > maxFile {
		return nil, fmt.Errorf("%s: larger than 256 MiB, the most that a file of cases may have; split it, or give a folder of several", name)
	}
	return data, nil
}

// find gives the corpus files of a path.
func find(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	// The walk begins in the folder and not at its name, which may be a link.
	err = fs.WalkDir(os.DirFS(path), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return under(path, name, err)
		}
		name = filepath.Join(path, filepath.FromSlash(name))
		if ext := filepath.Ext(name); ext != ".json" && ext != ".jsonl" {
			return nil
		}
		mode := entry.Type()
		if mode&fs.ModeSymlink != 0 {
			target, err := os.Stat(name)
			if err != nil {
				return err
			}
			mode = target.Mode()
		}
		if mode.IsRegular() {
			files = append(files, name)
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: no .json or .jsonl file in it", path)
	}
	return files, err
}

// under is an error of a walk in dir, with the name that is known outside of it.
func under(dir, name string, err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Errorf("%s: %w", filepath.Join(dir, filepath.FromSlash(name)), err)
}
