package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed switches.go.txt
var switches string

//go:embed rewrite.go
var rewriterSource string

// build makes the test binaries in the folder work, with all mutants that compile
// in them. What does not compile is remembered there for as long as the code is
// the same.
func build(root, work string) (mutants []*mutant, binaries map[string]string, code string, err error) {
	if code, err = fingerprint(root); err != nil {
		return nil, nil, "", err
	}
	refused := map[string]bool{}
	memory := filepath.Join(work, "refused-"+code+".json")
	if text, err := os.ReadFile(memory); err == nil {
		if err := json.Unmarshal(text, &refused); err != nil {
			return nil, nil, "", fmt.Errorf("read %s, which may be removed: %w", memory, err)
		}
	}
	if mutants, binaries, err = compile(root, work, refused); err != nil {
		return nil, nil, "", err
	}
	text, err := json.Marshal(refused)
	if err == nil {
		err = os.WriteFile(memory, text, 0o666)
	}
	return mutants, binaries, code, err
}

// fingerprint is a hash of the code that is mutated and of the code that mutates.
func fingerprint(root string) (string, error) {
	sum := sha256.New()
	for _, suite := range suites {
		files, err := filepath.Glob(filepath.Join(root, suite.pkg, "*.go"))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(sum, "%s %d\n%s", filepath.Base(file), len(text), text)
		}
	}
	fmt.Fprintf(sum, "%s%s", rewriterSource, switches)
	return fmt.Sprintf("%x", sum.Sum(nil)[:8]), nil
}

func compile(root, work string, refused map[string]bool) (mutants []*mutant, binaries map[string]string, err error) {
	for {
		mutants = nil
		next := 0
		overlay := map[string]string{}
		byLine := map[string]string{} // rewritten files, by their path
		for _, suite := range suites {
			files, err := filepath.Glob(filepath.Join(root, suite.pkg, "*.go"))
			if err != nil {
				return nil, nil, err
			}
			files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
			pkg, err := parse(files)
			if err != nil {
				return nil, nil, err
			}
			for i, path := range files {
				text, found, err := pkg.rewrite(root, i, &next, refused)
				if err != nil {
					return nil, nil, err
				}
				if len(found) == 0 {
					continue
				}
				to := filepath.Join(work, strings.ReplaceAll(found[0].File, "/", "_"))
				if err := os.WriteFile(to, text, 0o666); err != nil {
					return nil, nil, err
				}
				overlay[path] = to
				byLine[to] = string(text)
				mutants = append(mutants, found...)
			}
			to := filepath.Join(work, strings.ReplaceAll(suite.pkg, "/", "_")+"_switches.go")
			text := "package " + pkg.trees[0].Name.Name + "\n\n" + switches
			if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
				return nil, nil, err
			}
			overlay[filepath.Join(root, suite.pkg, "zz_mutants_switches.go")] = to
		}
		text, err := json.Marshal(map[string]any{"Replace": overlay})
		if err != nil {
			return nil, nil, err
		}
		overlayFile := filepath.Join(work, "overlay.json")
		if err := os.WriteFile(overlayFile, text, 0o666); err != nil {
			return nil, nil, err
		}
		binaries = map[string]string{}
		var complaints string
		for _, suite := range suites {
			for _, pkg := range suite.tests {
				if binaries[pkg] != "" || complaints != "" {
					continue
				}
				binaries[pkg] = filepath.Join(work, strings.ReplaceAll(pkg, "/", "_")+".test")
				cmd := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-e", "-overlay", overlayFile, "-o", binaries[pkg], "./"+pkg)
				cmd.Dir = root
				if out, err := cmd.CombinedOutput(); err != nil {
					complaints = string(out)
				}
			}
		}
		if complaints == "" {
			return mutants, binaries, nil
		}
		before := len(refused)
		refuse(complaints, byLine, mutants, refused)
		if len(refused) == before {
			return nil, nil, fmt.Errorf("build the mutants: %s", complaints)
		}
	}
}

var (
	complaint = regexp.MustCompile(`(?m)^(\S+?\.go):(\d+):(\d+): (.*)$`)
	breakUse  = regexp.MustCompile(`mutantIs\((\d+)\) \{\s+break`)
	switchUse = regexp.MustCompile(`mutant\w+\((\d+)`)
)

// refuse finds the mutants that the compiler complains of: those whose switch
// stands closest before the place.
func refuse(complaints string, files map[string]string, mutants []*mutant, refused map[string]bool) {
	for _, c := range complaint.FindAllStringSubmatch(complaints, -1) {
		var line, column int
		fmt.Sscan(c[2], &line)
		fmt.Sscan(c[3], &column)
		for path, text := range files {
			if filepath.Base(path) != filepath.Base(c[1]) {
				continue
			}
			lines := strings.Split(text, "\n")
			if line > len(lines) {
				continue
			}
			if c[4] == "missing return" {
				// A break that takes the place of a continue ends a loop without end.
				body := strings.Join(lines[:line], "\n")
				body = body[max(strings.LastIndex(body, "\nfunc "), 0):]
				for _, use := range breakUse.FindAllStringSubmatch(body, -1) {
					refuseID(use[1], mutants, refused)
				}
				continue
			}
			id := ""
			for _, use := range switchUse.FindAllStringSubmatchIndex(lines[line-1], -1) {
				if use[0] < column || id == "" {
					id = lines[line-1][use[2]:use[3]]
				}
			}
			refuseID(id, mutants, refused)
		}
	}
}

func refuseID(id string, mutants []*mutant, refused map[string]bool) {
	for _, m := range mutants {
		if fmt.Sprint(m.ID) == id {
			refused[m.key()] = true
		}
	}
}
