package terminal

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Table writes rows under a head. On a terminal long cells are wrapped so that
// the table fits; elsewhere every row is one line, for grep and cut.
func (s *Screen) Table(head []string, rows [][]string) {
	t := table.NewWriter()
	t.SetOutputMirror(s.out)
	style := table.StyleLight
	style.Options = table.Options{SeparateHeader: true}
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	t.AppendHeader(row(head))
	for _, r := range rows {
		t.AppendRow(row(r))
	}
	if s.tty {
		t.SetColumnConfigs(s.fit(head, rows))
	}
	t.SuppressTrailingSpaces()
	t.Render()
}

func row(cells []string) table.Row {
	r := make(table.Row, len(cells))
	for i, cell := range cells {
		r[i] = cell
	}
	return r
}

// longest is the width to which a cell of a column but the last is cut on a terminal.
const longest = 44

// fit cuts long cells, and gives the last column what the others leave, and not
// less than 24.
func (s *Screen) fit(head []string, rows [][]string) []table.ColumnConfig {
	used := 0
	var columns []table.ColumnConfig
	for i := range len(head) - 1 {
		widest := text.StringWidthWithoutEscSequences(head[i])
		for _, r := range rows {
			widest = max(widest, text.StringWidthWithoutEscSequences(r[i]))
		}
		used += min(widest, longest) + 2
		columns = append(columns, table.ColumnConfig{
			Number: i + 1, WidthMax: longest, WidthMaxEnforcer: func(cell string, width int) string { return text.Snip(cell, width, "…") },
		})
	}
	return append(columns, table.ColumnConfig{
		Number: len(head), WidthMax: max(24, s.width-used-2), WidthMaxEnforcer: text.WrapSoft,
	})
}

// The tones of what is written.
var (
	good  = text.Colors{text.FgGreen}
	bad   = text.Colors{text.FgRed, text.Bold}
	doubt = text.Colors{text.FgYellow}
	bold  = text.Colors{text.Bold}
	faint = text.Colors{text.Faint}
)

// Good, Bad, Doubt, Bold and Faint tone a text where there is colour.
func (s *Screen) Good(t string) string  { return s.tone(good, t) }
func (s *Screen) Bad(t string) string   { return s.tone(bad, t) }
func (s *Screen) Doubt(t string) string { return s.tone(doubt, t) }
func (s *Screen) Bold(t string) string  { return s.tone(bold, t) }
func (s *Screen) Faint(t string) string { return s.tone(faint, t) }

func (s *Screen) tone(c text.Colors, t string) string {
	if !s.colour {
		return t
	}
	return c.EscapeSeq() + t + text.EscapeReset
}

// Wrap breaks a text into lines that leave room for an indent.
func (s *Screen) Wrap(indent int, t string) []string {
	width := max(30, min(s.width, 100)-indent)
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(t) {
		if line != "" && text.StringWidth(line)+1+text.StringWidth(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
