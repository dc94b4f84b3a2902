//go:build !windows

package author

import (
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/ipynb"
)

// kernel is what every lesson is written for.
var kernel = map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}

var (
	readable = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	random   = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){0,3}(-[0-9a-f]{12})?$`) // as Jupyter makes them
	fenced   = regexp.MustCompile("(?s)```.*?```")
	inline   = regexp.MustCompile("`[^`\n]*`")
	heading  = regexp.MustCompile(`(?m)^(#+) `)
	link     = regexp.MustCompile(`(!?)\[([^\]]*)\]\(([^)\s]+)[^)]*\)`)
	htmlLink = regexp.MustCompile(`\b(?:href|src)="([^"]*)"`)
	image    = regexp.MustCompile(`<img\b[^>]*>`)
	imageAlt = regexp.MustCompile(`\balt="[^"]+"`)
)

// Form looks at the notebook itself.
func (l Lesson) Form(c course.Course) []string {
	f := form{lesson: l, root: c.Notebooks(), ids: map[string]bool{}}
	if l.Format != 4 || l.Minor != 5 {
		f.problem("its format is %d.%d and not 4.5: open and save it in the course’s JupyterLab", l.Format, l.Minor)
	}
	if !reflect.DeepEqual(l.Metadata["kernelspec"], any(kernel)) {
		f.problem("its kernel is not Go (gonb)")
	}
	if len(l.Cells) == 0 || !strings.HasPrefix(string(l.Cells[0].Source), "# ") {
		f.problem("its first cell is not its title")
	}
	for _, cell := range l.Cells {
		f.id(cell)
		if cell.Code() {
			f.code(cell)
		} else {
			f.text(cell)
		}
	}
	for _, e := range l.Of() {
		stub, err := e.Stub(c.Root)
		if err != nil {
			f.problem("%v", err)
		} else if l.at(stub) < 0 {
			f.problem("no cell is the stub of %s to the letter, as exercises/%s/stub/stub.go has it", e.Name, e.Name)
		}
	}
	return f.problems
}

type form struct {
	lesson   Lesson
	root     string
	ids      map[string]bool
	level    int // of the last heading
	problems []string
}

func (f *form) problem(format string, args ...any) {
	f.problems = append(f.problems, f.lesson.Name+": "+fmt.Sprintf(format, args...))
}

func (f *form) id(c *ipynb.Cell) {
	switch {
	case !readable.MatchString(c.ID) || random.MatchString(c.ID):
		f.problem("the id %q of a cell says nothing: give it words, as in \"first-run\"", c.ID)
	case f.ids[c.ID]:
		f.problem("two cells have the id %s", c.ID)
	}
	f.ids[c.ID] = true
}

func (f *form) code(c *ipynb.Cell) {
	if len(c.Outputs) > 0 || c.Count != nil {
		f.problem("cell %s has outputs or a number: choose Edit → Clear Outputs of All Cells and save", c.ID)
	}
	if strings.Contains(string(c.Source), "import ") {
		f.problem("cell %s imports something: the kernel adds imports", c.ID)
	}
}

func (f *form) text(c *ipynb.Cell) {
	text := fenced.ReplaceAllString(string(c.Source), "")
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		now := len(h[1])
		if now > f.level+1 {
			f.problem("cell %s skips a level of headings", c.ID)
		}
		if now == 1 && f.level > 0 {
			f.problem("cell %s has a second title", c.ID)
		}
		f.level = now
	}
	text = inline.ReplaceAllString(text, "")
	for _, to := range link.FindAllStringSubmatch(text, -1) {
		if to[1] == "!" && strings.TrimSpace(to[2]) == "" {
			f.problem("cell %s has a picture without a text in its place: ![what it shows](...)", c.ID)
		}
		f.leads(c, to[3])
	}
	for _, to := range htmlLink.FindAllStringSubmatch(text, -1) {
		f.leads(c, to[1])
	}
	for _, img := range image.FindAllString(text, -1) {
		if !imageAlt.MatchString(img) {
			f.problem("cell %s has a picture without a text in its place: alt=\"what it shows\"", c.ID)
		}
	}
}

// leads checks a link that stays in the course: the network is not asked.
func (f *form) leads(c *ipynb.Cell, to string) {
	file, _, _ := strings.Cut(to, "#")
	if file == "" || strings.Contains(to, "://") || strings.HasPrefix(to, "data:") || strings.HasPrefix(to, "attachment:") || strings.HasPrefix(to, "mailto:") {
		return
	}
	if filepath.IsAbs(file) || !exists(filepath.Join(f.root, filepath.FromSlash(file))) {
		f.problem("cell %s links to %s, which is not there", c.ID, to)
	}
}
