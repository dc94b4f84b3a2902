//go:build !windows

package learner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/ipynb"
	"fencingtokens/notebooks/internal/learner"
)

const lesson = "06-fencing-tokens"

// desk is a learner's own copy of the course.
type desk struct {
	t *testing.T
	course.Course
	exercise exercises.Exercise
	stub     string
}

func newDesk(t *testing.T) desk {
	t.Helper()
	from, err := course.Find()
	require.NoError(t, err)
	c, err := course.At(t.TempDir())
	require.NoError(t, err)
	for _, part := range []string{"fencing", "charts", "exercises", "notebooks/internal/judge"} {
		require.NoError(t, os.CopyFS(filepath.Join(c.Root, part), os.DirFS(filepath.Join(from.Root, part))))
	}
	lessons, err := from.Lessons(nil)
	require.NoError(t, err)
	for _, file := range append(lessons, filepath.Join(from.Root, "go.mod"), filepath.Join(from.Root, "go.sum")) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		name, err := filepath.Rel(from.Root, file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(c.Root, name), data, 0o644))
	}
	d := desk{t: t, Course: c}
	for _, e := range exercises.All() {
		if e.Name == "fencedwrite" {
			d.exercise = e
		}
	}
	d.stub, err = d.exercise.Stub(c.Root)
	require.NoError(t, err)
	return d
}

func (d desk) file() string { return d.Notebooks(lesson + ".ipynb") }

func (d desk) read() (string, ipynb.Notebook) {
	data, err := os.ReadFile(d.file())
	require.NoError(d.t, err)
	n, err := ipynb.Parse(data)
	require.NoError(d.t, err)
	return string(data), n
}

// cell is the number of the exercise's cell.
func (d desk) cell() int {
	_, n := d.read()
	for i, c := range n.Cells {
		if c.Code() && strings.Contains(string(c.Source), "func NewStorage") {
			return i
		}
	}
	return -1
}

func (d desk) answers(source string) {
	data, _ := d.read()
	fresh, err := ipynb.SetSource([]byte(data), d.cell(), source)
	require.NoError(d.t, err)
	require.NoError(d.t, os.WriteFile(d.file(), fresh, 0o644))
}

func (d desk) list() string {
	var out strings.Builder
	require.NoError(d.t, learner.List(d.t.Context(), d.Course, &out))
	return out.String()
}

func (d desk) reset(typed string) string {
	var out strings.Builder
	require.NoError(d.t, learner.Reset(d.Course, "fencedwrite", false, strings.NewReader(typed), &out))
	return out.String()
}

func TestTheListShowsWhatTheNotebooksHoldNow(t *testing.T) {
	d := newDesk(t)
	said := d.list()
	for _, e := range exercises.All() {
		assert.Regexp(t, e.Lesson+` +`+e.Name+` +not attempted +0 of \d  `+e.Title, said)
	}
	assert.NotContains(t, said, "compiled")

	solution, err := d.exercise.Solution(d.Root)
	require.NoError(t, err)
	d.answers(solution)
	said = d.list()
	assert.Contains(t, said, "1 answer is compiled and run: fencedwrite.")
	assert.Regexp(t, `fencedwrite +passed +2 of 2`, said)
	assert.Regexp(t, `\n2 of \d+ points, 1 of \d+ exercises passed`, said)
	again := d.list()
	assert.NotContains(t, again, "compiled", "it was judged before")
	assert.Regexp(t, `fencedwrite +passed +2 of 2`, again)

	for source, want := range map[string]string{
		strings.Replace(d.stub, "return fencedwrite.ErrNotAttempted", "return nil", 1):             `failed +0 of 2 .*\n +a first write is accepted \(`,
		strings.Replace(d.stub, "return fencedwrite.ErrNotAttempted", "return unknown", 1):         `does not compile +0 of 2 .*\n +cell \d+, line \d+: undefined: unknown`,
		strings.Replace(d.stub, "return fencedwrite.ErrNotAttempted", "panic(key)", 1):             `panicked +0 of 2 .*\n +a first write is accepted \(panic\)`,
		strings.Replace(d.stub, "return fencedwrite.ErrNotAttempted", "os.Exit(0); return nil", 1): `failed +0 of 2 .*\n +the answer keeps to its process and its limits \(ends the process\)`,
		d.stub + "\nfunc": `does not compile +0 of 2 .*\n +cell \d+, line \d+: expected`,
		"func Other() {}": `answer missing`,
	} {
		t.Run(want, func(t *testing.T) {
			d := newDesk(t)
			d.answers(source)
			assert.Regexp(t, `fencedwrite +`+want, d.list())
		})
	}
}

func TestABrokenNotebookDoesNotHideTheOthers(t *testing.T) {
	d := newDesk(t)
	require.NoError(t, os.WriteFile(d.file(), []byte("<html>"), 0o644))
	said := d.list()
	assert.Regexp(t, `fencedwrite +answer missing .*\n +`+lesson+`.ipynb cannot be read: it is not the JSON of a notebook`, said)
	assert.Regexp(t, `placethepause +not attempted`, said)
}

func TestTheSolutionComesAfterThePass(t *testing.T) {
	d := newDesk(t)
	var out strings.Builder
	assert.ErrorContains(t, learner.Solution(t.Context(), d.Course, "fencedwrite", false, &out), "has not passed yet")
	assert.Empty(t, out.String())
	require.NoError(t, learner.Solution(t.Context(), d.Course, "fencedwrite", true, &out))
	assert.Contains(t, out.String(), "func NewStorage")
	d.answers(out.String())
	require.NoError(t, learner.Solution(t.Context(), d.Course, "fencedwrite", false, &out))
	assert.ErrorContains(t, learner.Solution(t.Context(), d.Course, "nosuch", false, &out), `there is no exercise "nosuch"; there are: `)

	require.NoError(t, os.Remove(filepath.Join(d.Root, "exercises", "fencedwrite", "solution_test.go")))
	assert.ErrorContains(t, learner.Solution(t.Context(), d.Course, "fencedwrite", true, &out), "this edition of the course has no solutions")
}

func TestAHintIsTheExercises(t *testing.T) {
	d := newDesk(t)
	var out strings.Builder
	require.NoError(t, learner.Hint(t.Context(), d.Course, "fencedwrite", 2, &out))
	assert.Contains(t, out.String(), "Hint 2 of 3: ")
	out.Reset()
	require.NoError(t, learner.Hint(t.Context(), d.Course, "fencedwrite", 7, &out))
	assert.Contains(t, out.String(), "fencedwrite has 3 hints")
}

func TestResetAsksKeepsACopyAndPutsTheStubBack(t *testing.T) {
	d := newDesk(t)
	handedOut, _ := d.read()
	assert.Equal(t, "fencedwrite is as it was handed out.\n", d.reset(""))

	d.answers("func NewStorage() fencing.Checker { return nil }")
	mine, _ := d.read()
	for _, typed := range []string{"", "n\n", "\n", "what?\n"} {
		assert.Contains(t, d.reset(typed), "Nothing was changed.")
		now, _ := d.read()
		assert.Equal(t, mine, now)
	}
	assert.Contains(t, d.reset("y\n"), "The notebook as it was before: ")
	now, _ := d.read()
	assert.Equal(t, handedOut, now)
	copies, err := filepath.Glob(d.Lab("kept", lesson+"-*.ipynb"))
	require.NoError(t, err)
	require.Len(t, copies, 1)
	data, err := os.ReadFile(copies[0])
	require.NoError(t, err)
	assert.Equal(t, mine, string(data))
}

func TestResetTakesCopiesOutAndPutsALostCellBack(t *testing.T) {
	d := newDesk(t)
	handedOut, n := d.read()
	data, err := ipynb.Insert([]byte(handedOut), len(n.Cells), "mine", "func NewStorage() fencing.Checker { return nil }")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(d.file(), data, 0o644))
	assert.Contains(t, d.reset("y\n"), "2 cells of "+lesson+" declare NewStorage.")
	now, _ := d.read()
	assert.Equal(t, handedOut, now)

	at := d.cell()
	data, err = ipynb.Keep([]byte(now), func(i int, _ *ipynb.Cell) bool { return i != at })
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(d.file(), data, 0o644))
	assert.Regexp(t, `fencedwrite +answer missing .*\n.*reset fencedwrite`, d.list())
	assert.Contains(t, d.reset("yes\n"), "No cell of ")
	assert.Equal(t, at, d.cell(), "above the exercise’s test")
	assert.Regexp(t, `fencedwrite +not attempted`, d.list())
}
