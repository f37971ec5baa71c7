package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/htmlreport"
	"github.com/replyproof/replyproof/cmd/internal/report"
	"github.com/replyproof/replyproof/cmd/internal/runs"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/cmd/internal/visible"
)

const reportLong = `Put the reports of several runs side by side: report.json of check --report-dir,
or the folder that holds it. Runs of one version of one client in one revision of
the protocol are taken together; each other one gets a column of its own.

The page holds everything that it shows, and asks the network for nothing: the
matrix of clients and cases with its filters, what stands behind each cell, and
a part for each client. --split writes one page for each client as well, beside
the page, to be sent to whoever maintains it. A report that is named twice
counts once.

--compare takes two reports of one client, the old one first, and tells which
deviations are new, gone or changed. What a baseline excuses counts all the
same. A deviation of a case that the old run was not asked is new. Compare runs
with the same cases and the same seed: only then do the numbers of generated
cases tell anything. Exit status 1: there are new deviations, or graver ones.`

const reportExample = `  replyproof report go-sdk/report.json ts-sdk/report.json
  replyproof report runs/* --out clients.html --split
  replyproof report runs/* --json
  replyproof report --compare old/report.json new/report.json --out changes.html
  replyproof report --compare old new --out changes.md`

// reportFlags are the flags of report.
type reportFlags struct {
	out     string
	compare bool
	split   bool
}

// defaultPage is where the page goes if nothing else is said.
const defaultPage = "report.html"

func newReport() *cobra.Command {
	var r reportFlags
	cmd := &cobra.Command{
		Use: "report RUN...", Short: "Put runs side by side, or compare two versions, as a page", Long: reportLong, Example: reportExample,
		Args: func(_ *cobra.Command, args []string) error { return r.check(args) },
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&r.out, "out", "", "write the page to this file, as Markdown if it ends in .md (default report.html, and none with --json or --compare)")
	f.BoolVar(&r.compare, "compare", false, "compare two reports of one client, the old one first")
	f.BoolVar(&r.split, "split", false, "write a page for each client too, client-NAME.html beside the page")
	return cmd
}

func (r *reportFlags) check(args []string) error {
	switch {
	case r.compare && len(args) != 2:
		return fmt.Errorf("report --compare: got %d reports, want the old one and the new one", len(args))
	case len(args) == 0:
		return errors.New("report: name at least one report.json, or its folder; check --report-dir writes them")
	case r.compare && r.split:
		return errors.New("report: --split has no meaning with --compare")
	}
	return nil
}

// once leaves out reports that are named twice, by whatever name: to count a run
// twice would double all that the page says of its client.
func once(s *terminal.Screen, paths []string) (kept []string) {
	var met []os.FileInfo
next:
	for _, path := range paths {
		info, err := os.Stat(runs.File(path))
		if err != nil {
			kept = append(kept, path) // what is wrong with it is told when it is read
			met = append(met, nil)
			continue
		}
		for i, other := range met {
			if other != nil && os.SameFile(info, other) {
				s.Notef("%s: is the report %s, and counted once", path, kept[i])
				continue next
			}
		}
		kept, met = append(kept, path), append(met, info)
	}
	return kept
}

func (r *reportFlags) run(cmd *cobra.Command, args []string) error {
	if !r.compare {
		args = once(screen(cmd), args)
	}
	var all []*runs.Run
	var unread []error
	for _, path := range args {
		run, err := runs.Load(path)
		if err != nil {
			unread = append(unread, err)
			continue
		}
		all = append(all, run)
	}
	if err := errors.Join(unread...); err != nil {
		return err
	}
	if r.out == "" && !r.compare && !wantsJSON(cmd) {
		r.out = defaultPage
	}
	if r.out == "" && r.split {
		return errors.New("report: --split writes beside the page; name it with --out")
	}
	if r.compare {
		return r.comparison(cmd, all[0], all[1])
	}
	f := runs.Merge(runs.ByClient(all))
	mistaken(screen(cmd), f)
	return r.matrix(cmd, f)
}

// mistaken tells of reports that were taken for those of one client and saw
// different things: most likely they are of several, of one name and version.
func mistaken(s *terminal.Screen, f *runs.Field) {
	for i, c := range f.Clients {
		n := 0
		for _, row := range f.Rows {
			if row.Cells[i].Differ {
				n++
			}
		}
		if n > 0 {
			s.Notef("%s: %d reports are taken together, and differ in %s: if they are not of one version of one client, have the adapter say another name or version in each",
				shown(c.Title()), c.Runs, count.Of(n, "case"))
		}
	}
}

// markdown tells whether the page is to be one of Markdown, by its name.
func (r *reportFlags) markdown() bool { return strings.EqualFold(filepath.Ext(r.out), ".md") }

func (r *reportFlags) matrix(cmd *cobra.Command, f *runs.Field) error {
	files := map[string][]byte{}
	if r.out != "" {
		page := report.MatrixMarkdown(f)
		if !r.markdown() {
			var text bytes.Buffer
			if err := htmlreport.Write(&text, f); err != nil {
				return err
			}
			page = text.Bytes()
		}
		files[filepath.Base(r.out)] = page
	}
	if r.split {
		for i, name := range htmlreport.Anchors(f.Clients) {
			var page bytes.Buffer
			if err := htmlreport.Write(&page, f.Only(i)); err != nil {
				return err
			}
			files["client-"+name+".html"] = page.Bytes()
		}
	}
	return r.tell(cmd, files, f, func(s *terminal.Screen) { report.Matrix(s, f) })
}

// shown is a word of a report in a line of our own.
func shown(word string) string {
	const most = 200
	if len(word) > most {
		word = word[:most] + "…"
	}
	return visible.Text(word)
}

func (r *reportFlags) comparison(cmd *cobra.Command, before, after *runs.Run) error {
	c, err := runs.Compare(before, after)
	if err != nil {
		return err
	}
	switch old, now := before.Subject, after.Subject; {
	case old.ProtocolVersion != now.ProtocolVersion:
		screen(cmd).Notef("the old report is of protocol version %s, and the new one of %s: other cases are right in each", shown(old.ProtocolVersion), shown(now.ProtocolVersion))
	case old.Version == now.Version:
		screen(cmd).Notef("both reports are of %s: have the adapter say the version of its client, so that they can be told apart", shown(now.Title()))
	}
	files := map[string][]byte{}
	if r.out != "" {
		page := report.ComparisonMarkdown(c)
		if !r.markdown() {
			var text bytes.Buffer
			if err := htmlreport.WriteComparison(&text, c); err != nil {
				return err
			}
			page = text.Bytes()
		}
		files[filepath.Base(r.out)] = page
	}
	if err := r.tell(cmd, files, c, func(s *terminal.Screen) { report.Comparison(s, c) }); err != nil {
		return err
	}
	if c.Worse() {
		return errFindings
	}
	return nil
}

// tell writes the pages, and what they say in text or for machines.
func (r *reportFlags) tell(cmd *cobra.Command, files map[string][]byte, v any, text func(*terminal.Screen)) error {
	s := screen(cmd)
	var unwritten error
	if len(files) > 0 {
		if unwritten = report.Files(filepath.Dir(r.out), files); unwritten == nil {
			s.Notef("written %s", r.written(files))
		}
	}
	if wantsJSON(cmd) {
		unwritten = errors.Join(unwritten, s.Line(v))
	} else {
		text(s)
	}
	return errors.Join(unwritten, s.Flush())
}

func (r *reportFlags) written(files map[string][]byte) string {
	if n := len(files) - 1; n > 0 {
		return fmt.Sprintf("%s and %d more beside it", r.out, n)
	}
	return strings.TrimSpace(r.out)
}
