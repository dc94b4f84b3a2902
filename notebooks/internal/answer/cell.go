package answer

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// cell is one code cell as Go.
type cell struct {
	number  int // among all cells, from 0
	shown   int // among the code cells, from 1, as JupyterLab counts
	code    string
	units   []*unit
	imports map[string]string // path by name
	err     error             // why it is no Go
}

// unit is one declaration that can be taken alone.
type unit struct {
	cell  *cell
	names []string // "Storage", or "Storage.Write" for a method
	text  string   // the declaration
	raw   string   // the same with all that stands above it and belongs to it
	line  int      // in the cell
	// uses are the names that it takes from elsewhere, each with what it selects
	// from them: "errors" with "Is", "helper" with nothing.
	uses map[string][]string
}

// before stands above a cell's code, so that each line has one more than its
// number.
const before = "package answer\n"

// cellOf reads a cell's declarations as GoNB does: lines that begin with % or !
// are commands, and what stands below %% or %main is a program.
func cellOf(number int, source string) *cell {
	c := &cell{number: number, code: declarations(source), imports: map[string]string{}}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, lineFile(number), before+c.code, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		c.err = explain(err)
		return c
	}
	for _, spec := range file.Imports {
		to, _ := strconv.Unquote(spec.Path.Value)
		name := importName(to)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		c.imports[name] = to
	}
	r := reader{cell: c, files: files, info: resolve(files, file)}
	for _, d := range file.Decls {
		r.declaration(d)
	}
	return c
}

func declarations(source string) string {
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "%%") && strings.TrimSpace(line) != "%%" && !strings.HasPrefix(line, "%% "), // %%bash and the like
			line == "%%", strings.HasPrefix(line, "%% "), line == "%main", strings.HasPrefix(line, "%main "):
			return strings.Join(lines[:i], "\n")
		case strings.HasPrefix(line, "%"), strings.HasPrefix(line, "!"):
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

// explain says where the first mistake stands.
func explain(err error) error {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return fmt.Errorf("line %d: %s", list[0].Pos.Line-1, list[0].Msg)
	}
	return err
}

// importName is how the last part of a path is usually called.
func importName(to string) string {
	base := path.Base(to)
	if regexp.MustCompile(`^v\d+$`).MatchString(base) {
		base = path.Base(path.Dir(to))
	}
	return base
}

// resolve finds out which names of a cell are its own. What it cannot know, as
// it stands in other cells or packages, it leaves open.
func resolve(files *token.FileSet, file *ast.File) types.Info {
	info := types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: none{}, Error: func(error) {}, FakeImportC: true}
	_, _ = config.Check("answer", files, []*ast.File{file}, &info) // errors are expected
	return info
}

type none struct{}

func (none) Import(string) (*types.Package, error) { return nil, errors.New("not read") }

// reader makes units of a cell's declarations.
type reader struct {
	cell  *cell
	files *token.FileSet
	info  types.Info
}

func (r reader) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		r.add([]string{funcName(d)}, d, start(d, d.Doc), "")
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			return
		}
		if !d.Lparen.IsValid() || counts(d) {
			var names []string
			for _, s := range d.Specs {
				names = append(names, specNames(s)...)
			}
			r.add(names, d, start(d, d.Doc), "")
			return
		}
		for _, s := range d.Specs {
			r.add(specNames(s), s, start(s, specDoc(s)), d.Tok.String()+" ")
		}
	}
}

func start(n ast.Node, doc *ast.CommentGroup) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return n.Pos()
}

// counts tells whether a group of constants hangs together: some have no value
// of their own, or count.
func counts(d *ast.GenDecl) bool {
	if d.Tok != token.CONST {
		return false
	}
	return slices.ContainsFunc(d.Specs, func(s ast.Spec) bool {
		found := len(s.(*ast.ValueSpec).Values) == 0
		ast.Inspect(s, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == "iota"
			return true
		})
		return found
	})
}

func specNames(s ast.Spec) (names []string) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return []string{s.Name.Name}
	case *ast.ValueSpec:
		for _, n := range s.Names {
			names = append(names, n.Name)
		}
	}
	return names
}

func specDoc(s ast.Spec) *ast.CommentGroup {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Doc
	case *ast.ValueSpec:
		return s.Doc
	}
	return nil
}

// funcName is a function's name, or its type's and its own for a method.
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	of := d.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.ParenExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}

func (r reader) add(names []string, n ast.Node, from token.Pos, keyword string) {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "_" || name == "init" || name == "main" })
	if len(names) == 0 {
		return
	}
	source := before + r.cell.code
	at := func(p token.Pos) int { return r.files.PositionFor(p, false).Offset }
	r.cell.units = append(r.cell.units, &unit{
		cell: r.cell, names: names,
		text: keyword + source[at(n.Pos()):at(n.End())],
		raw:  source[at(from):at(n.End())],
		line: r.files.PositionFor(n.Pos(), false).Line - 1,
		uses: r.uses(n),
	})
}

// uses collects the names that are not the unit's own.
func (r reader) uses(n ast.Node) map[string][]string {
	used := map[string][]string{}
	note := func(id *ast.Ident, selected ...string) {
		if r.free(id) {
			used[id.Name] = append(used[id.Name], selected...)
		}
	}
	ast.Inspect(n, func(n ast.Node) bool { return visit(n, note) })
	return used
}

// visit notes names, and leaves out what is selected: it belongs to another name.
func visit(n ast.Node, note func(*ast.Ident, ...string)) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if id, ok := n.X.(*ast.Ident); ok {
			note(id, n.Sel.Name)
			return false
		}
		ast.Inspect(n.X, func(inner ast.Node) bool { return visit(inner, note) })
		return false
	case *ast.Ident:
		note(n)
	}
	return true
}

// free tells whether a name comes from outside of the unit: from the cell, from
// another cell, or from a package.
func (r reader) free(id *ast.Ident) bool {
	if _, defined := r.info.Defs[id]; defined {
		return false
	}
	switch o := r.info.Uses[id].(type) {
	case nil, *types.PkgName:
		return true
	default:
		return o.Pkg() != nil && o.Parent() == o.Pkg().Scope()
	}
}

// names tells whether the cell declares the name, or means to.
func (c *cell) names(name string) bool {
	if c.err != nil {
		return regexp.MustCompile(`(?m)^\s*(func|var|type|const)\s+` + regexp.QuoteMeta(name) + `\b`).MatchString(c.code)
	}
	return slices.ContainsFunc(c.units, func(u *unit) bool { return slices.Contains(u.names, name) })
}

// same tells whether two cells declare the same, to the letter but for comments
// and spaces.
func (c *cell) same(other *cell) bool {
	return c.err == nil && len(c.units) > 0 && slices.EqualFunc(c.units, other.units, func(a, b *unit) bool { return a.tokens() == b.tokens() })
}
