package live

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"fencingtokens/fencing"
)

// Outcome is what the simulated and the real run of one program have to agree on.
// The tokens themselves are the lock service's own.
type Outcome struct {
	Grants   []string // to whom the lock was granted, in order
	Rising   bool     // every grant's token was higher than the one before
	Writes   []string // what became of each write, in the order in which they reached the storage
	Violated []fencing.Property
}

// OutcomeOf folds a trace.
func OutcomeOf(t *fencing.Trace) Outcome {
	o := Outcome{Rising: true}
	last := map[string]uint64{}
	for _, g := range t.Grants() {
		o.Grants = append(o.Grants, g.Client)
		o.Rising = o.Rising && g.Token > last[g.Lock]
		last[g.Lock] = g.Token
	}
	for _, a := range t.Attempts() {
		o.Writes = append(o.Writes, a.Client+": "+fate(a))
	}
	for _, f := range t.Verdict().Findings {
		if f.Status == fencing.Violated {
			o.Violated = append(o.Violated, f.Property)
		}
	}
	return o
}

func fate(a fencing.Attempt) string {
	switch {
	case !a.Accepted:
		return "rejected"
	case a.Stale:
		return "accepted though stale"
	case a.Late:
		return "accepted though late"
	}
	return "accepted"
}

// Comparison is a simulated and a real run of one program, side by side.
type Comparison struct {
	Simulated, Real Outcome
	Err             error // of the real run: then it need not agree
}

// Compare compares a real run with the simulated run of the same program.
func Compare(simulated, real *fencing.Trace) Comparison {
	return Comparison{OutcomeOf(simulated), OutcomeOf(real), real.Err()}
}

// line is one line of the comparison.
type line struct{ what, simulated, real string }

// rows are the comparison, line by line.
func (c Comparison) rows() []line {
	rows := []line{
		{"granted to", list(c.Simulated.Grants), list(c.Real.Grants)},
		{"tokens", inWords(c.Simulated.Rising), inWords(c.Real.Rising)},
	}
	for i := range max(len(c.Simulated.Writes), len(c.Real.Writes)) {
		rows = append(rows, line{fmt.Sprintf("write %d, of", i+1), at(c.Simulated.Writes, i), at(c.Real.Writes, i)})
	}
	broken := slices.Concat(c.Simulated.Violated, c.Real.Violated)
	for i, p := range broken {
		if !slices.Contains(broken[:i], p) {
			rows = append(rows, line{string(p), violated(slices.Contains(c.Simulated.Violated, p)), violated(slices.Contains(c.Real.Violated, p))})
		}
	}
	return rows
}

func inWords(rising bool) string {
	if rising {
		return "rise"
	}
	return "do not rise"
}

func violated(is bool) string {
	if is {
		return "violated"
	}
	return "holds"
}

func at(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return "none"
}

func list(words []string) string {
	if len(words) == 0 {
		return "nobody"
	}
	return strings.Join(words, ", ")
}

// Same reports whether both runs had the same outcome.
func (c Comparison) Same() bool {
	for _, r := range c.rows() {
		if r.simulated != r.real {
			return false
		}
	}
	return c.Err == nil
}

// String is a table with a line for each thing compared.
func (c Comparison) String() string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tsimulated\treal\t")
	for _, r := range c.rows() {
		differs := ""
		if r.simulated != r.real {
			differs = "← they differ"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.what, r.simulated, r.real, differs)
	}
	table.Flush()
	if c.Err != nil {
		fmt.Fprintf(&b, "The real run has an error: %s\n", c.Err)
	}
	return trailing.ReplaceAllString(b.String(), "")
}

var trailing = regexp.MustCompile(`(?m) +$`)
