package corpus

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// AppendFile appends a corpus file to dst: stable, and with one key of a case on
// a line, so that a change of a case is seen in a diff.
func AppendFile(dst []byte, group string, cases []Case) ([]byte, error) {
	e := encoder{out: dst, indent: "\n      "}
	e.out = append(e.out, "{\n  \"format\": \""+Format+"\",\n  \"group\": "...)
	e.text("group", group)
	e.out = append(e.out, ",\n  \"cases\": ["...)
	for i, c := range cases {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.out = append(e.out, "\n    "...)
		e.encodeCase(c)
	}
	if len(cases) > 0 {
		e.out = append(e.out, "\n  "...)
	}
	e.out = append(e.out, "]\n}\n"...)
	return e.out, errors.Join(e.faults...)
}

// WriteFile checks the cases and writes them as a corpus file, under a temporary
// name in the same folder that is renamed when it is whole. Faults are those of
// [Parse], and nothing is written then.
func WriteFile(name, group string, cases []Case) error {
	data, err := AppendFile(nil, group, cases)
	if err != nil {
		return err
	}
	if _, err := Parse(name, data); err != nil {
		return err
	}
	return writeFile(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteWhole writes a file: fill writes it, buffered, under a temporary name in
// the same folder that is renamed when it is whole, so that nobody reads half of
// it and a fault leaves the file as it was. Its permissions are 0644. A name that
// is a symbolic link stays one: what it points to is written, if that is there.
// What is there and is no regular file is an error. Errors are those of fill and
// of the system as they are; say what was attempted.
func WriteWhole(name string, fill func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is there and is no regular file", name)
	}
	temporary, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temporary.Close()
			os.Remove(temporary.Name())
		}
	}()
	buffered := bufio.NewWriter(temporary)
	if err := fill(buffered); err != nil {
		return err
	}
	if err := errors.Join(buffered.Flush(), temporary.Chmod(0o644), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), name)
}

// writeFile is WriteWhole with the errors of this package: those of fill name the
// case already.
func writeFile(name string, fill func(io.Writer) error) error {
	var filled error
	err := WriteWhole(name, func(w io.Writer) error {
		filled = fill(w)
		return filled
	})
	if err != nil && filled == nil {
		return fmt.Errorf("corpus: write %s: %w", name, err)
	}
	return err
}

// Blob is a file to be: a name without folders, and what is in it.
type Blob struct {
	Name string
	Data []byte
}

// WriteBlobs writes files into a folder, which is made if it is not there. One
// that is there already with the same content is left as it is.
func WriteBlobs(folder string, blobs []Blob) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("corpus: write files: %w", err)
	}
	for _, blob := range blobs {
		name := filepath.Join(folder, blob.Name)
		if !fs.ValidPath(blob.Name) || filepath.Base(blob.Name) != blob.Name {
			return fmt.Errorf("corpus: write files: %q is no plain file name", blob.Name)
		}
		if old, err := os.ReadFile(name); err == nil && string(old) == string(blob.Data) {
			continue
		}
		err := writeFile(name, func(w io.Writer) error {
			_, err := w.Write(blob.Data)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
