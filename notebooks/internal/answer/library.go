package answer

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// pkg is a package that a cell may name without an import.
type pkg struct{ path, name, dir string }

// library is all such packages.
type library struct {
	byName    map[string][]pkg
	byPath    map[string]pkg
	exercises map[string]bool // the names that are the course's, whatever a cell declares
}

// newLibrary asks the go command in the folder of the module.
func newLibrary(root string) (library, error) {
	l := library{map[string][]pkg{}, map[string]pkg{}, map[string]bool{}}
	cmd := exec.Command("go", "list", "-e", "-find", "-f", "{{.ImportPath}}\t{{.Name}}\t{{.Dir}}",
		"./fencing/...", "./charts", "./exercises/...", "std")
	cmd.Dir = root
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return l, fmt.Errorf("the go command does not list the packages of %s (%w):\n%s", root, err, said.String())
	}
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "\t")
		if len(part) == 3 && open(part[0]) {
			l.add(pkg{part[0], part[1], part[2]})
		}
	}
	return l, nil
}

// open tells whether a package may be imported by everybody.
func open(path string) bool {
	parts := strings.Split(path, "/")
	return !slices.Contains(parts, "internal") && !slices.Contains(parts, "vendor") && parts[len(parts)-1] != "stub"
}

func (l library) add(p pkg) {
	l.byName[p.name] = append(l.byName[p.name], p)
	l.byPath[p.path] = p
	if strings.HasPrefix(p.path, "fencingtokens/exercises") {
		l.exercises[p.name] = true
	}
}

// find is the package that a cell means by a name from which it selects these:
// the first that has them all, the course's own before Go's.
func (l library) find(name string, selected []string) string {
	all := l.byName[name]
	for _, p := range all {
		if len(all) == 1 || l.has(p, selected) {
			return p.path
		}
	}
	return ""
}

// has tells whether the package declares all the names.
func (l library) has(p pkg, names []string) bool {
	files, _ := filepath.Glob(filepath.Join(p.dir, "*.go"))
	left := map[string]bool{}
	for _, name := range names {
		left[name] = true
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range parsed.Decls {
			for _, name := range declared(d) {
				delete(left, name)
			}
		}
	}
	return len(left) == 0
}

func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{funcName(d)}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			names = append(names, specNames(s)...)
		}
	}
	return names
}

// closed are packages that no exercise asks for, and with which an answer could
// reach out of its process or into how it is judged. What begins with one of
// them is closed too.
var closed = []string{"C", "unsafe", "syscall", "os/exec", "net", "plugin", "runtime", "debug", "log/syslog", "expvar", "crypto/tls", "crypto/x509"}

// refuses says why an answer may not use the package, or nothing if it may.
func (l library) refuses(path string) string {
	for _, c := range closed {
		if (path == c || strings.HasPrefix(path, c+"/")) && path != "runtime" {
			return fmt.Sprintf("the package %s, which no exercise asks for", path)
		}
	}
	if _, known := l.byPath[path]; !known {
		return fmt.Sprintf("the package %s, which is neither Go’s nor the course’s", path)
	}
	return ""
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
