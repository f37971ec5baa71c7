package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/replyproof/replyproof/cmd/internal/htmlreport"
	"github.com/replyproof/replyproof/cmd/internal/runs"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/runner"
)

// Folder writes report.json, report.html, junit.xml and summary.md into a
// folder, which it makes if need be. Each file is written beside its name first and then
// renamed, so that nobody reads half of one.
func Folder(dir string, r runner.Result, reproduce func(runner.Cause) string) error {
	r.Causes = slices.Clone(r.Causes)
	for i, c := range r.Causes {
		r.Causes[i].Reproduce = reproduce(c)
	}
	whole, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	page, err := page(whole)
	if err != nil {
		return err
	}
	junit, err := JUnit(r, reproduce)
	if err != nil {
		return err
	}
	return Files(dir, map[string][]byte{
		"report.json": append(whole, '\n'),
		"report.html": page,
		"junit.xml":   junit,
		"summary.md":  Markdown(r, reproduce),
	})
}

// page is the page of one report, made from its text as it is of several.
func page(text []byte) ([]byte, error) {
	run, err := runs.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("write report page: %w", err)
	}
	var out bytes.Buffer
	if err := htmlreport.Write(&out, runs.Merge([][]*runs.Run{{run}})); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Files writes files into a folder in that manner, in the order of their names, each
// even if another could not be written. A name may have folders of its own.
func Files(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the report folder: %w", err)
	}
	var unwritten error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			unwritten = errors.Join(unwritten, fmt.Errorf("make the report folder: %w", err))
			continue
		}
		fill := func(w io.Writer) error { _, err := w.Write(files[name]); return err }
		if err := corpus.WriteWhole(path, fill); err != nil {
			unwritten = errors.Join(unwritten, fmt.Errorf("write the report: %w", err))
		}
	}
	return unwritten
}

// Probe tells whether files can be written into a folder, which it makes if need
// be: better to know before a long run than after it.
func Probe(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the report folder: %w", err)
	}
	if err := probe(dir); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// ProbeFile tells whether a file can be written in the manner of this package:
// beside its name first, then renamed.
func ProbeFile(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("write %s: not a regular file", path)
	}
	if err := probe(filepath.Dir(path)); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func probe(dir string) error {
	f, err := os.CreateTemp(dir, ".probe.*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
