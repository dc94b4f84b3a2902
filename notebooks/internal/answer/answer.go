package answer

import (
	"fmt"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/ipynb"
)

// State says what there is of an answer before it is compiled.
type State string

// The states. Only what is Given can be compiled and judged.
const (
	Missing      State = "answer missing"
	NotAttempted State = "not attempted" // the stub, as it was handed out
	Broken       State = "does not compile"
	Refused      State = "refused"
	Given        State = "given"
)

// Answer is what a notebook holds for one exercise.
type Answer struct {
	State  State
	Why    string // of what is Broken or Refused, in a sentence
	Source string // of what is Given: a Go file of the package answer
	Cells  []int  // the numbers of the cells, code and text, that declare the answer
}

// Finder finds answers. It is made once, as it asks the go command which
// packages there are.
type Finder struct{ library library }

// NewFinder asks the go command in the folder of the module.
func NewFinder(root string) (Finder, error) {
	l, err := newLibrary(root)
	return Finder{l}, err
}

// TestCell is the number of the cell that tests the answer to an exercise, or -1.
func TestCell(n ipynb.Notebook, e exercises.Exercise) int {
	return slices.IndexFunc(n.Cells, func(c *ipynb.Cell) bool { return c.Code() && strings.Contains(string(c.Source), e.Name+".Check(") })
}

// Find looks for the answer to an exercise, whose cell was handed out as stub.
func (f Finder) Find(n ipynb.Notebook, e exercises.Exercise, stub string) Answer {
	b := book{}
	given := cellOf(0, stub)
	for i, c := range n.Cells {
		if c.Code() {
			b.cells = append(b.cells, cellOf(i, string(c.Source)))
			b.cells[len(b.cells)-1].shown = len(b.cells)
		}
	}
	a := Answer{State: Missing}
	for _, c := range b.cells {
		if c.names(e.Answer) {
			a.Cells = append(a.Cells, c.number)
		}
	}
	if len(a.Cells) == 0 {
		return a
	}
	attempts := slices.DeleteFunc(slices.Clone(b.cells), func(c *cell) bool { return !c.names(e.Answer) || c.same(given) })
	if len(attempts) > 0 {
		b.cells = slices.DeleteFunc(b.cells, func(c *cell) bool { return c.same(given) })
	}
	whole := slices.ContainsFunc(attempts, func(c *cell) bool { return c.err == nil })
	if len(attempts) > 0 && !whole {
		last := attempts[len(attempts)-1]
		a.State, a.Why = Broken, fmt.Sprintf("cell %d, %s", last.shown, last.err)
		return a
	}
	b.declare()
	picked := b.reach(e.Answer, f.library.exercises)
	if f.untouched(picked, given) {
		a.State = NotAttempted
		return a
	}
	a.Source, a.Why = f.file(b, picked)
	a.State = Given
	if a.Why != "" {
		a.State = Refused
	}
	return a
}

// untouched tells whether all that was picked and the stub declares is still
// the stub's.
func (f Finder) untouched(picked []*unit, given *cell) bool {
	for _, s := range given.units {
		same := slices.ContainsFunc(picked, func(u *unit) bool { return u.tokens() == s.tokens() })
		if !same {
			return false
		}
	}
	return true
}

// book is all code cells of a notebook.
type book struct {
	cells   []*cell
	units   map[string]*unit    // by declared name: the last one
	methods map[string][]string // by type: the names of units
	imports map[string]string   // what cells import by themselves: path by name
}

// declare collects declarations in the order of the cells.
func (b *book) declare() {
	b.units, b.methods, b.imports = map[string]*unit{}, map[string][]string{}, map[string]string{}
	for _, c := range b.cells {
		if c.err != nil {
			continue
		}
		for name, path := range c.imports {
			b.imports[name] = path
		}
		for _, u := range c.units {
			for _, name := range u.names {
				if of, _, method := strings.Cut(name, "."); method && b.units[name] == nil {
					b.methods[of] = append(b.methods[of], name)
				}
				b.units[name] = u
			}
		}
	}
}

// reach returns the declarations that the one with the name uses, itself
// included, in the order in which they stand in the notebook. Names in own are
// the course's.
func (b *book) reach(name string, own map[string]bool) []*unit {
	picked := map[*unit]bool{}
	var visit func(name string)
	visit = func(name string) {
		u := b.units[name]
		if u == nil || picked[u] || own[name] {
			return
		}
		picked[u] = true
		for _, declared := range u.names {
			for _, m := range b.methods[declared] {
				visit(m)
			}
		}
		for used := range u.uses {
			visit(used)
		}
	}
	visit(name)
	var list []*unit
	for _, c := range b.cells {
		for _, u := range c.units {
			if picked[u] {
				list = append(list, u)
			}
		}
	}
	return list
}

var directive = regexp.MustCompile(`(?m)^\s*//(go:\w+|line |export )|/\*line `)

// file writes the declarations as a Go file, or says why it refuses to.
func (f Finder) file(b book, picked []*unit) (source, why string) {
	imports := map[string]string{} // path by name
	var body strings.Builder
	for _, u := range picked {
		if d := directive.FindString(u.raw); d != "" {
			return "", fmt.Sprintf("cell %d has the compiler directive %s: an answer needs none", u.cell.shown, strings.TrimSpace(d))
		}
		for name, selected := range u.uses {
			if b.units[name] != nil && !f.library.exercises[name] || len(selected) == 0 {
				continue
			}
			path := b.imports[name]
			if path == "" || f.library.exercises[name] {
				path = f.library.find(name, selected)
			}
			if path == "" {
				continue // the compiler says that it is undefined
			}
			if no := f.library.refuses(path); no != "" {
				return "", fmt.Sprintf("cell %d uses %s", u.cell.shown, no)
			}
			imports[name] = path
		}
		fmt.Fprintf(&body, "\n//line %s:%d\n%s\n", lineFile(u.cell.shown), u.line, u.text)
	}
	var head strings.Builder
	head.WriteString("package answer\n\n")
	for _, name := range sortedKeys(imports) {
		fmt.Fprintf(&head, "import %s %q\n", name, imports[name])
	}
	return head.String() + body.String(), ""
}

// lineFile is what the compiler calls a cell.
func lineFile(cell int) string { return fmt.Sprintf("cell%d.go", cell) }

var inCell = regexp.MustCompile(`(?m)^.*?\bcell(\d+)\.go:(\d+)(?::\d+)?: `)

// Explain turns the compiler's places into those of the notebook.
func Explain(compiler string) string {
	return strings.TrimSpace(inCell.ReplaceAllString(compiler, "cell $1, line $2: "))
}

// tokens is the unit without comments and spaces.
func (u *unit) tokens() string {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", -1, len(u.text)), []byte(u.text), nil, 0)
	var all []string
	for {
		_, t, literal := s.Scan()
		switch {
		case t == token.EOF:
			return strings.Join(all, " ")
		case t == token.SEMICOLON && literal == "\n": // a line's end is no token of its own
			literal = ";"
		case literal == "":
			literal = t.String()
		}
		all = append(all, literal)
	}
}
