//go:build !windows

// Package author checks the course for those who change it: `go run ./notebooks
// check` and the tests call the same functions. Each returns problems as
// sentences, none if all is well.
//
// # What is checked
//
// Every folder of an exercise is listed, and its lesson is there. Its tests prove,
// by package prove, that the stub counts as not attempted, that the solution
// passes and that every known wrong answer fails at its own check; they are run,
// and must name the three.
//
// Every notebook, as git holds it, is without outputs and in the form that the
// course keeps: nbformat 4.5, ids that are unique and say something, headings in
// order, pictures with a text in their place, links that lead somewhere, and the
// stub of every exercise of the lesson to the letter. It runs to its end
// untouched, where exercises count as not attempted, and solved, where they pass.
package author

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/ipynb"
	"fencingtokens/notebooks/internal/run"
)

// Lesson is a notebook as git holds it.
type Lesson struct {
	Name string // without its ending
	Data []byte
	ipynb.Notebook
}

// Lessons reads the notebooks that git holds, so that a learner's own changes and
// outputs do not count; without git, those that are there.
func Lessons(c course.Course) ([]Lesson, error) {
	files, err := names(c)
	if err != nil {
		return nil, err
	}
	var all []Lesson
	for _, file := range files {
		data, err := exec.Command("git", "-C", c.Root, "show", ":"+file).Output()
		if err != nil {
			data, err = os.ReadFile(filepath.Join(c.Root, file))
		}
		if err != nil {
			return nil, err
		}
		n, err := ipynb.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, Lesson{strings.TrimSuffix(filepath.Base(file), ".ipynb"), data, n})
	}
	return all, nil
}

func names(c course.Course) ([]string, error) {
	out, err := exec.Command("git", "-C", c.Root, "ls-files", "notebooks/*.ipynb").Output()
	if files := strings.Fields(string(out)); err == nil && len(files) > 0 {
		return files, nil
	}
	files, err := c.Lessons(nil)
	for i := range files {
		files[i] = "notebooks/" + filepath.Base(files[i])
	}
	return files, err
}

// Of lists the exercises of the lesson.
func (l Lesson) Of() []exercises.Exercise {
	return slices.DeleteFunc(exercises.All(), func(e exercises.Exercise) bool { return e.Lesson != l.Name })
}

// at is the number of the cell with this code, to the letter, or -1.
func (l Lesson) at(code string) int {
	return slices.IndexFunc(l.Cells, func(c *ipynb.Cell) bool { return c.Code() && strings.TrimSpace(string(c.Source)) == code })
}

// Solved is the lesson with the solution of every exercise in the place of its
// stub.
func (l Lesson) Solved(c course.Course) ([]byte, error) {
	data := l.Data
	for _, e := range l.Of() {
		stub, err := e.Stub(c.Root)
		if err != nil {
			return nil, err
		}
		solution, err := e.Solution(c.Root)
		if err != nil {
			return nil, err
		}
		at := l.at(stub)
		if at < 0 {
			return nil, fmt.Errorf("%s: no cell is the stub of %s to the letter", l.Name, e.Name)
		}
		if data, err = ipynb.SetSource(data, at, solution); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// Run runs notebook data under the lesson's name and returns it with its outputs.
// A cell that fails is an error.
func (l Lesson) Run(ctx context.Context, c course.Course, data []byte) (ipynb.Notebook, error) {
	folder, err := run.Folder(c)
	if err != nil {
		return ipynb.Notebook{}, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "copy", l.Name+".ipynb")
	if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o755), os.WriteFile(file, data, 0o644)); err != nil {
		return ipynb.Notebook{}, err
	}
	result, err := run.Notebook(ctx, c, file, folder, 1)
	if err != nil {
		return ipynb.Notebook{}, err
	}
	if !result.OK() {
		return ipynb.Notebook{}, errors.New(result.Failure())
	}
	executed, err := os.ReadFile(result.Executed)
	if err != nil {
		return ipynb.Notebook{}, err
	}
	return ipynb.Parse(executed)
}

// RunsUntouched runs the lesson as it is handed out.
func (l Lesson) RunsUntouched(ctx context.Context, c course.Course) []string {
	n, err := l.Run(ctx, c, l.Data)
	if err != nil {
		return []string{fmt.Sprintf("%s does not run untouched: %v", l.Name, err)}
	}
	problems := l.silent(n)
	return append(problems, l.says(n, "not attempted", "untouched")...)
}

// RunsSolved runs the lesson with the solutions of its exercises.
func (l Lesson) RunsSolved(ctx context.Context, c course.Course) []string {
	if len(l.Of()) == 0 {
		return nil
	}
	data, err := l.Solved(c)
	if err != nil {
		return []string{err.Error()}
	}
	n, err := l.Run(ctx, c, data)
	if err != nil {
		return []string{fmt.Sprintf("%s does not run with its exercises solved: %v", l.Name, err)}
	}
	return l.says(n, "passed", "solved")
}

// silent finds what cells write to standard error: it would frighten.
func (l Lesson) silent(n ipynb.Notebook) (problems []string) {
	for _, c := range n.Cells {
		for _, o := range c.Outputs {
			if o.Name == "stderr" {
				problems = append(problems, fmt.Sprintf("%s: cell %s writes to standard error: %s", l.Name, c.ID, o.Text))
			}
		}
	}
	return problems
}

// says finds exercises whose cell does not print the state.
func (l Lesson) says(n ipynb.Notebook, state, when string) (problems []string) {
	var all strings.Builder
	for _, c := range n.Cells {
		all.WriteString(c.Prints())
	}
	for _, e := range l.Of() {
		if !strings.Contains(all.String(), e.Name+": "+state) {
			problems = append(problems, fmt.Sprintf("%s, %s: the exercise %s does not say %q", l.Name, when, e.Name, state))
		}
	}
	return problems
}

// Check does all checks and shows them on out as they end. It is an error if
// there is a problem.
func Check(ctx context.Context, c course.Course, out io.Writer) error {
	found := 0
	show := func(what string, problems []string) {
		if ctx.Err() != nil {
			return
		}
		verdict := "ok"
		if len(problems) > 0 {
			verdict = "FAILED"
		}
		fmt.Fprintf(out, "%-6s  %s\n", verdict, what)
		for _, p := range problems {
			fmt.Fprintln(out, "        "+strings.ReplaceAll(p, "\n", "\n        "))
		}
		found += len(problems)
	}
	all, err := Lessons(c)
	if err != nil {
		return err
	}
	show("every exercise is listed, and its lesson is there", Listed(c, all))
	for _, l := range all {
		show(l.Name+": form, links, stubs", l.Form(c))
	}
	for _, e := range exercises.All() {
		show(e.Name+": the stub is not attempted, the solution passes, every wrong answer is stopped by its own check", Proven(ctx, c, e))
	}
	for _, l := range all {
		show(l.Name+": runs untouched", l.RunsUntouched(ctx, c))
		if len(l.Of()) > 0 {
			show(l.Name+": runs solved", l.RunsSolved(ctx, c))
		}
	}
	switch {
	case ctx.Err() != nil:
		return errors.New("stopped")
	case found > 0:
		return fmt.Errorf("%d problems", found)
	}
	return nil
}
