package corpus

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
)

// Format is the word that a corpus file begins with.
const Format = "replyproof-cases/1"

//go:embed cases/*.json
var embedded embed.FS

// Schema is the JSON Schema (2020-12) of a corpus file.
//
//go:embed schema.json
var Schema []byte

// File is a parsed corpus file.
type File struct {
	Name  string
	Group string
	Cases []Case
}

// shipped loads the cases of the project once. Its files are tested, so an
// error is a fault of this package.
var shipped = sync.OnceValue(func() []Case {
	cases, err := Load(embedded, "cases/*.json")
	if err != nil {
		panic(err)
	}
	return cases
})

// All is every case that the project ships, by file and in the order of the
// files. The slice is the caller's, what the cases point to is not.
func All() []Case { return slices.Clone(shipped()) }

// ByID finds a shipped case.
func ByID(id string) (Case, bool) {
	for _, c := range shipped() {
		if c.ID == id {
			return c, true
		}
	}
	return Case{}, false
}

// Load reads and checks the corpus files that the patterns match, in the order
// of the patterns and of the names. Every fault of every file is reported, each
// an [*Error] with file and line; an id that stands in two files is one. A
// pattern that matches nothing is an error.
func Load(files fs.FS, patterns ...string) ([]Case, error) {
	var all []Case
	var faults []error
	seen := make(map[string]string)
	for _, pattern := range patterns {
		names, err := fs.Glob(files, pattern)
		if err == nil && len(names) == 0 {
			err = fmt.Errorf("no file matches %q", pattern)
		}
		if err != nil {
			faults = append(faults, &Error{File: pattern, Err: err})
		}
		for _, name := range names {
			data, err := fs.ReadFile(files, name)
			if err != nil {
				faults = append(faults, &Error{File: name, Err: err})
				continue
			}
			file, errs := parse(name, data, seen)
			all = append(all, file.Cases...)
			faults = append(faults, errs...)
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return all, nil
}

// Parse reads and checks one corpus file, or cases as JSON lines, which are
// told by the first line having no format. Every fault is reported, each an
// [*Error] with the name, the line and the key, joined.
func Parse(name string, data []byte) ([]Case, error) {
	file, err := ParseFile(name, data)
	return file.Cases, err
}

// ParseFile is [Parse] that also tells the file's group, which is empty for
// JSON lines.
func ParseFile(name string, data []byte) (File, error) {
	file, faults := parse(name, data, make(map[string]string))
	if err := errors.Join(faults...); err != nil {
		return File{Name: name}, err
	}
	return file, nil
}

var byteOrderMark = []byte("\xEF\xBB\xBF")

// parse reads one file. seen maps the ids met so far to where they stand.
func parse(name string, data []byte, seen map[string]string) (File, []error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	file := File{Name: name}
	d := decoder{file: name}
	if jsonLines(data) {
		for number, rest := 1, data; len(rest) > 0; number++ {
			line, after, _ := bytes.Cut(rest, []byte("\n"))
			rest = after
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			d.lines = newLineTable(line, number)
			if whole, at, err := document(line); err != nil {
				d.fault(at, "", "%w", err)
			} else {
				file.Cases = append(file.Cases, d.checkedCase(whole, seen))
			}
		}
		return file, d.faults
	}
	d.lines = newLineTable(data, 1)
	whole, at, err := document(data)
	if err != nil {
		d.fault(at, "", "%w", err)
		return file, d.faults
	}
	d.places = make(map[string]int)
	var format string
	d.object(whole, "", map[string]func(value, string){
		"format": d.text(&format),
		"group":  d.text(&file.Group),
		"cases": func(v value, key string) {
			for _, one := range d.list(v, key) {
				file.Cases = append(file.Cases, d.checkedCase(one, seen))
			}
			d.id = ""
		},
	})
	if format != Format {
		d.fault(whole.at, "format", "must be %q, is %.40q", Format, format)
	}
	if !ValidID(file.Group) {
		d.fault(whole.at, "group", "%.40q is no name of a group; write small letters, digits and hyphens", file.Group)
	}
	return file, d.faults
}

// jsonLines tells a stream of cases from a corpus file: its first line is a
// whole JSON value that names no format.
func jsonLines(data []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(data, " \t\r\n"), []byte("\n"))
	whole, _, err := document(line)
	if err != nil || whole.kind() != '{' {
		return false
	}
	for _, m := range whole.members() {
		if m.name == "format" {
			return false
		}
	}
	return true
}

// checkedCase reads one case, checks it, and notes its faults with their lines.
func (d *decoder) checkedCase(v value, seen map[string]string) Case {
	before := len(d.faults)
	c := d.decodeCase(v)
	at := func(key string) int {
		for _, k := range []string{key, keyAbove(key)} {
			if place, ok := d.places[k]; ok {
				return place
			}
		}
		return v.at
	}
	if v.kind() == '{' {
		d.required(v.at, "", c)
	}
	for i, next := range c.Then {
		prefix := fmt.Sprintf("then[%d].", i)
		d.required(at(prefix), prefix, next)
	}
	if len(d.faults) == before { // what could not be read need not be checked
		for _, fault := range c.faults() {
			e := fault.(*Error)
			d.fault(at(e.Key), e.Key, "%w", e.Err)
		}
	}
	if c.ID != "" {
		here := fmt.Sprintf("%s:%d", d.file, d.lines.line(v.at))
		if first, ok := seen[c.ID]; ok {
			d.fault(at("id"), "id", "%.40q is the id of another case too, at %s", c.ID, first)
		} else {
			seen[c.ID] = here
		}
	}
	return c
}

// required notes wire keys that a case in a file must spell out.
func (d *decoder) required(at int, prefix string, c Case) {
	if _, ok := d.places[prefix+"status"]; !ok {
		d.fault(at, prefix+"status", "is absent; write null for no answer at all")
	}
	if _, ok := d.places[prefix+"request_id"]; !ok && !c.Notification {
		d.fault(at, prefix+"request_id", "is absent; only a notification has none")
	}
}

// keyAbove is the key to whose value key belongs.
func keyAbove(key string) string {
	for i := len(key) - 1; i >= 0; i-- {
		if key[i] == '.' {
			if i == len(key)-1 {
				return key
			}
			if prefix := key[:i+1]; key[i-1] == ']' {
				return prefix
			}
			return key[:i]
		}
	}
	return ""
}
