//go:build !windows

package learner

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/answer"
	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/ipynb"
)

// hintProgram prints a hint: this command knows the list of exercises alone, so
// that it needs the standard library alone.
const hintProgram = `package main

import exercise "fencingtokens/exercises/%s"

func main() { exercise.Hint(%d) }
`

// Hint prints the hint of an exercise with this number, from 1.
func Hint(ctx context.Context, c course.Course, name string, number int, out io.Writer) error {
	e, err := named(name)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hint-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, fmt.Appendf(nil, hintProgram, e.Name, number), 0o644); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "run", "-trimpath", file)
	cmd.Dir, cmd.Env = c.Root, c.Env()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the hints of %s do not compile (%w); `go run ./notebooks doctor` tells more", name, err)
	}
	return nil
}

// Solution prints the reference solution of an exercise that has passed, or of
// any when it is wanted anyway.
func Solution(ctx context.Context, c course.Course, name string, anyway bool, out io.Writer) error {
	e, err := named(name)
	if err != nil {
		return err
	}
	text, err := e.Solution(c.Root)
	if err != nil {
		return err
	}
	if !anyway {
		passed := false
		err := evaluate(ctx, c, []exercises.Exercise{e}, io.Discard, func(s status) { passed = s.State == "passed" })
		if err != nil {
			return err
		}
		if !passed {
			return fmt.Errorf("%s has not passed yet: `go run ./notebooks hint %s` helps on; --anyway prints the solution all the same", name, name)
		}
	}
	_, err = fmt.Fprintln(out, text)
	return err
}

// Reset puts the cell of an exercise back as it was handed out. It asks first,
// unless it is sure to be wanted, and keeps a copy of the notebook.
func Reset(c course.Course, name string, sure bool, in io.Reader, out io.Writer) error {
	e, err := named(name)
	if err != nil {
		return err
	}
	stub, err := e.Stub(c.Root)
	if err != nil {
		return err
	}
	file := c.Notebooks(e.Lesson + ".ipynb")
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("there is no notebook %s to reset %s in: take it again from where you have the course from", e.Lesson, name)
	}
	n, err := ipynb.Parse(data)
	if err != nil {
		return fmt.Errorf("%s.ipynb cannot be read: %w", e.Lesson, err)
	}
	finder, err := answer.NewFinder(c.Root)
	if err != nil {
		return err
	}
	found := finder.Find(n, e, stub)
	if found.State == answer.NotAttempted && len(found.Cells) == 1 {
		fmt.Fprintf(out, "%s is as it was handed out.\n", name)
		return nil
	}
	if !sure && !agrees(in, out, e, len(found.Cells)) {
		fmt.Fprintln(out, "Nothing was changed.")
		return nil
	}
	fresh, err := withStub(data, n, e, stub, found.Cells)
	if err != nil {
		return err
	}
	copied := c.Lab("kept", e.Lesson+"-"+time.Now().Format("20060102-150405.000")+".ipynb")
	if err := errors.Join(os.MkdirAll(filepath.Dir(copied), 0o755), ipynb.WriteFile(copied, data)); err != nil {
		return fmt.Errorf("keep a copy first: %w", err)
	}
	if err := ipynb.WriteFile(file, fresh); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s is as it was handed out. The notebook as it was before: %s\n", name, copied)
	fmt.Fprintf(out, "If %s is open in JupyterLab, choose File → Reload Notebook from Disk there, and do not save before.\n", e.Lesson)
	return nil
}

func agrees(in io.Reader, out io.Writer, e exercises.Exercise, cells int) bool {
	switch cells {
	case 0:
		fmt.Fprintf(out, "No cell of %s declares %s. Put the cell of %s back in? [y/N] ", e.Lesson, e.Answer, e.Name)
	case 1:
		fmt.Fprintf(out, "Put the cell of %s in %s back as it was handed out? A copy of the notebook is kept. [y/N] ", e.Name, e.Lesson)
	default:
		fmt.Fprintf(out, "%d cells of %s declare %s. Put the first back as it was handed out, and take the others out? A copy of the notebook is kept. [y/N] ", cells, e.Lesson, e.Answer)
	}
	line, _ := bufio.NewReader(in).ReadString('\n')
	said := strings.ToLower(strings.TrimSpace(line))
	return said == "y" || said == "yes"
}

// withStub is the notebook with the stub in the place of the first of the cells,
// and without the others; where there is none, above the test of the exercise.
func withStub(data []byte, n ipynb.Notebook, e exercises.Exercise, stub string, cells []int) ([]byte, error) {
	if len(cells) == 0 {
		at := answer.TestCell(n, e)
		if at < 0 {
			at = len(n.Cells)
		}
		return ipynb.Insert(data, at, freeID(n, e.Name), stub)
	}
	data, err := ipynb.SetSource(data, cells[0], stub)
	if err != nil {
		return nil, err
	}
	return ipynb.Keep(data, func(number int, _ *ipynb.Cell) bool { return !slices.Contains(cells[1:], number) })
}

func freeID(n ipynb.Notebook, name string) string {
	id := name
	for i := 2; slices.ContainsFunc(n.Cells, func(c *ipynb.Cell) bool { return c.ID == id }); i++ {
		id = name + "-" + strconv.Itoa(i)
	}
	return id
}
