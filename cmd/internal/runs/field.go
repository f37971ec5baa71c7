package runs

import (
	"maps"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
)

// Field is the matrix: what each client made of each case, fault and
// combination of faults.
type Field struct {
	Clients []Client
	Rows    []Row
	// Catalogues are the versions of the catalogue that the runs were made with,
	// each once.
	Catalogues []string
}

// Client is a column: one version of one subject in one revision of the protocol,
// with the runs that judged it taken together.
type Client struct {
	Subject
	Runs     int
	Complete bool // every run came to its end
	OK       bool // every run was as expected
	Seeds    []string
	Command  string // of the first run

	Cases, Passed, Skipped, Known, Ignored, Unkept, Deviations, FlakyCount int

	ByDeviation map[runner.Deviation]int
	Skips       map[string]int
	Causes      []Cause // the gravest first
	Flaky       []Flaky
	// BaselineFaults are entries of baselines that no longer hold.
	BaselineFaults []runner.Entry

	comparable string // what two runs share that asked the same; "" for several runs
	revised    bool   // another column has its name and version
}

// Edition is the version, with the revision where that is what tells it from another
// column.
func (c Client) Edition() string {
	if c.revised && c.ProtocolVersion != "" {
		return strings.TrimSpace(c.Version + " (" + c.ProtocolVersion + ")")
	}
	return c.Version
}

// Title is the name with the edition.
func (c Client) Title() string { return Subject{Name: c.Name, Version: c.Edition()}.Title() }

// CausesOf is the number of causes of that severity.
func (c Client) CausesOf(s runner.Severity) int {
	n := 0
	for _, cause := range c.Causes {
		if cause.Deviation.Severity() == s {
			n++
		}
	}
	return n
}

// CasesOf is the number of deviating cases of that severity.
func (c Client) CasesOf(s runner.Severity) int {
	n := 0
	for d, count := range c.ByDeviation {
		if d.Severity() == s {
			n += count
		}
	}
	return n
}

// Kind is what a row stands for.
type Kind string

// The kinds of rows.
const (
	OfCase   Kind = "case"   // one case of the corpus
	OfFault  Kind = "fault"  // the generated cases in which one fault stands alone
	OfRecipe Kind = "recipe" // one generated case, the plainest of a cause with several faults or none
)

// Row is a case, a fault or a recipe, with a cell for each client.
type Row struct {
	Kind   Kind
	Name   string // id, name of the fault ("" for none), recipe
	Layer  string
	Rule   string
	Faults []string
	Why    string
	// Want is what is expected, then what is acceptable instead; empty for a
	// fault, whose cases expect this or that.
	Want []string
	// Case is the case itself, for a fault one that shows it; nil if this version
	// does not know it.
	Case  *corpus.Case
	Cells []Cell
}

// Key names the row among all others.
func (r Row) Key() string { return string(r.Kind) + ":" + r.Name }

// Cell is what a client made of a row. The zero value is a client that was not
// asked.
type Cell struct {
	Became    runner.Became
	Deviation runner.Deviation // the gravest; 0 if there is none
	Saw       string
	Code      string
	Status    *int
	Text      string
	// Count is set for a fault.
	Count *runner.FaultCount
	// Causes are the places in the client's list of those that belong here.
	Causes []int
	// Differ is set if two runs of the client saw different things.
	Differ bool
}

// Asked tells whether the client gave a judgement that counts.
func (c Cell) Asked() bool {
	return c.Became != "" && c.Became != runner.Skipped && c.Became != runner.Unrepeated
}

// Deviates tells whether the client deviated, known or not.
func (c Cell) Deviates() bool { return c.Asked() && c.Deviation != 0 }

// ByClient puts the runs of one version of one subject in one revision of the
// protocol together, in the order in which each is met first.
func ByClient(all []*Run) [][]*Run {
	type key struct{ name, version, kind, protocol string }
	at := map[key]int{}
	var groups [][]*Run
	for _, run := range all {
		k := key{run.Subject.Name, run.Subject.Version, run.Subject.Kind, run.Subject.ProtocolVersion}
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], run)
	}
	return groups
}

// Merge makes the matrix of which each group of runs is a column.
func Merge(groups [][]*Run) *Field {
	b := newBuilder(len(groups))
	f := &Field{}
	for column, group := range groups {
		f.Clients = append(f.Clients, together(group))
		for _, run := range group {
			if run.Catalogue != "" && !slices.Contains(f.Catalogues, run.Catalogue) {
				f.Catalogues = append(f.Catalogues, run.Catalogue)
			}
			for _, seen := range run.Observed {
				b.observe(column, seen)
			}
			for _, count := range run.Faults {
				b.count(column, count)
			}
		}
		for i, cause := range f.Clients[column].Causes {
			b.cause(column, i, cause)
		}
	}
	for i, c := range f.Clients {
		f.Clients[i].revised = slices.ContainsFunc(f.Clients, func(other Client) bool {
			return other.Subject.Title() == c.Subject.Title() && other.ProtocolVersion != c.ProtocolVersion
		})
	}
	f.Rows = b.sorted()
	return f
}

// together sums up the runs of one client.
func together(group []*Run) Client {
	first := group[0]
	c := Client{
		Subject: first.Subject, Runs: len(group), Complete: true, OK: true, Command: first.Command,
		ByDeviation: map[runner.Deviation]int{}, Skips: map[string]int{},
	}
	type key struct {
		d         runner.Deviation
		saw, name string
	}
	at := map[key]int{}
	for _, run := range group {
		c.Complete = c.Complete && run.Complete
		c.OK = c.OK && run.OK
		if !slices.Contains(c.Seeds, run.Seed) {
			c.Seeds = append(c.Seeds, run.Seed)
		}
		c.Cases += run.Cases
		c.Passed += run.Passed
		c.Skipped += run.Skipped
		c.Known += run.Baseline.Known
		c.Ignored += run.Ignored
		c.Unkept += run.Unkept
		c.Deviations += run.Deviations
		c.FlakyCount += run.FlakyCount
		c.Flaky = append(c.Flaky, run.Flaky...)
		c.BaselineFaults = slices.Concat(c.BaselineFaults, run.Baseline.Stale, run.Baseline.Unmatched, run.Baseline.Expired)
		for d, n := range run.ByDeviation {
			c.ByDeviation[d] += n
		}
		for why, n := range run.Skips {
			c.Skips[why] += n
		}
		for _, cause := range run.Causes {
			k := key{cause.Deviation, cause.Saw, cause.Name()}
			if i, ok := at[k]; ok {
				c.Causes[i].Count += cause.Count
				continue
			}
			at[k] = len(c.Causes)
			c.Causes = append(c.Causes, cause)
		}
	}
	slices.SortStableFunc(c.Causes, func(a, b Cause) int { return int(a.Deviation) - int(b.Deviation) })
	if len(group) == 1 && first.Complete && first.Unkept == 0 {
		c.comparable = first.Catalogue + " " + first.Seed
	}
	return c
}

// builder gathers the rows.
type builder struct {
	columns   int
	catalogue *generators.Catalogue
	cases     map[string]*corpus.Case // of the shipped corpus
	shows     map[string]*corpus.Case // the first of them that shows a fault, by its name
	order     map[string]int          // of its cases, and of the faults of the catalogue
	rows      map[string]*Row
	keys      []string // in the order in which they were met
}

func newBuilder(columns int) *builder {
	b := &builder{columns: columns, catalogue: generators.Default(), rows: map[string]*Row{},
		cases: map[string]*corpus.Case{}, shows: map[string]*corpus.Case{}, order: map[string]int{}}
	for i, c := range corpus.All() {
		b.cases[c.ID] = &c
		for _, fault := range faultsTagged(c) {
			if b.shows[fault] == nil {
				b.shows[fault] = &c
			}
		}
		b.order[string(OfCase)+":"+c.ID] = i
	}
	i := 0
	for fault := range b.catalogue.All() {
		i++
		b.order[string(OfFault)+":"+fault.Name] = i
	}
	return b
}

// observe takes in what a run saw of a case of the corpus.
func (b *builder) observe(column int, seen runner.Observed) {
	row := b.caseRow(seen.Case, nil)
	row.Cells[column] = row.Cells[column].with(Cell{
		Became: seen.Became, Deviation: seen.Deviation, Saw: seen.Saw, Code: seen.Code, Status: seen.Status, Text: seen.Text,
	})
}

// count takes in how a run fared with a fault.
func (b *builder) count(column int, n runner.FaultCount) {
	row := b.faultRow(n.Fault)
	cell := &row.Cells[column]
	if old := cell.Count; old != nil {
		n = sum(*old, n)
	}
	*cell = cellOf(n)
}

// cause puts a cause where it belongs.
func (b *builder) cause(column, i int, c Cause) {
	var row *Row
	switch faults := b.faultsOf(c.Recipe); {
	case c.Recipe == "":
		row = b.caseRow(c.Case.ID, &c.Case)
	case len(faults) == 1:
		row = b.faultRow(faults[0])
	default:
		row = b.recipeRow(c, faults)
	}
	cell := &row.Cells[column]
	cell.Causes = append(cell.Causes, i)
	if !cell.Deviates() || c.Deviation < cell.Deviation {
		cell.Deviation, cell.Saw, cell.Code, cell.Status, cell.Text = c.Deviation, c.Saw, c.Code, c.Status, c.Text
	}
	cell.Became = runner.Deviated // it is new, whatever else is known of the fault
}

// faultsOf are the names of the faults of a recipe; nil if this version does not
// know them.
func (b *builder) faultsOf(recipe string) []string {
	r, err := b.catalogue.Parse(recipe)
	if err != nil {
		return nil
	}
	var names []string
	for fault := range b.catalogue.Picked(r) {
		names = append(names, fault.Name)
	}
	return names
}

// gravity orders what can become of a case.
var gravity = map[runner.Became]int{
	runner.Deviated: 6, runner.Known: 5, runner.Ignored: 4, runner.Unrepeated: 3, runner.Passed: 2, runner.Skipped: 1,
}

// with is the graver of two cells of one case.
func (c Cell) with(other Cell) Cell {
	worse := gravity[other.Became] > gravity[c.Became] ||
		gravity[other.Became] == gravity[c.Became] && other.Deviation != 0 && other.Deviation < c.Deviation
	differ := c.Differ || c.Asked() && other.Asked() && (c.Deviation != other.Deviation || c.Saw != other.Saw)
	causes := c.Causes
	if worse {
		c = other
	}
	c.Differ, c.Causes = differ, causes
	return c
}

// cellOf is the cell of a fault.
func cellOf(n runner.FaultCount) Cell {
	cell := Cell{Count: &n}
	deviating := 0
	for _, k := range n.ByDeviation {
		deviating += k
	}
	switch {
	case deviating > n.Known+n.Ignored:
		cell.Became = runner.Deviated
	case n.Known > 0:
		cell.Became = runner.Known
	case n.Ignored > 0:
		cell.Became = runner.Ignored
	case n.Passed > 0:
		cell.Became = runner.Passed
	case n.Unrepeated > 0:
		cell.Became = runner.Unrepeated
	case n.Skipped > 0:
		cell.Became = runner.Skipped
	}
	if n.Worst != nil {
		cell.Deviation, cell.Saw = n.Worst.Deviation, n.Worst.Saw
	}
	return cell
}

func sum(a, b runner.FaultCount) runner.FaultCount {
	a.Cases += b.Cases
	a.Passed += b.Passed
	a.Skipped += b.Skipped
	a.Known += b.Known
	a.Ignored += b.Ignored
	a.Unrepeated += b.Unrepeated
	a.Together += b.Together
	a.TogetherDeviated += b.TogetherDeviated
	a.ByDeviation = maps.Clone(a.ByDeviation)
	if a.ByDeviation == nil {
		a.ByDeviation = map[runner.Deviation]int{}
	}
	for d, n := range b.ByDeviation {
		a.ByDeviation[d] += n
	}
	if a.Worst == nil || b.Worst != nil && b.Worst.Deviation < a.Worst.Deviation {
		a.Worst = b.Worst
	}
	return a
}

// Only is the matrix with one client alone, and the rows that it was asked.
func (f *Field) Only(column int) *Field {
	one := &Field{Clients: f.Clients[column : column+1], Catalogues: f.Catalogues}
	for _, row := range f.Rows {
		if row.Cells[column].Became == "" {
			continue
		}
		row.Cells = row.Cells[column : column+1]
		one.Rows = append(one.Rows, row)
	}
	return one
}
