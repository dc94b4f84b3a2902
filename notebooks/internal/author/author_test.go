//go:build !windows

package author

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/ipynb"
)

func found(t *testing.T) course.Course {
	c, err := course.Find()
	require.NoError(t, err)
	return c
}

// lesson is a good one, with a cell more.
func lesson(cellType, id, source string) Lesson {
	l := Lesson{Name: "99-none"}
	l.Format, l.Minor, l.Metadata = 4, 5, map[string]any{"kernelspec": kernel}
	l.Cells = []*ipynb.Cell{{Type: "markdown", ID: "title", Source: "# Title"}, {Type: cellType, ID: id, Source: ipynb.Text(source)}}
	return l
}

func TestWhatIsWrongWithANotebookIsSaid(t *testing.T) {
	c := found(t)
	number := 3
	for _, test := range []struct {
		lesson Lesson
		words  string // "" if nothing is wrong
	}{
		{lesson("code", "first-run", "%%\nfmt.Println(1)"), ""},
		{lesson("markdown", "text", "## Next\n\n[two](02-gc-pause.ipynb#a), [out](https://example.org), ![a timeline](../charts/svg/gc-pause.svg)\n```\n# no heading [x](y)\n```\n`[x](y)`"), ""},
		{lesson("code", "0a1b2c3d", ""), "says nothing"},
		{lesson("code", "3f1e9b52-7c1d-4f0e-9f55-0c8d7a0b1e2f", ""), "says nothing"},
		{lesson("code", "", ""), "says nothing"},
		{lesson("code", "title", ""), "two cells have the id title"},
		{lesson("code", "a", `import "fmt"`), "imports something"},
		{lesson("markdown", "a", "### Deep"), "skips a level"},
		{lesson("markdown", "a", "# Again"), "a second title"},
		{lesson("markdown", "a", "[lost](02-lost.ipynb)"), "links to 02-lost.ipynb, which is not there"},
		{lesson("markdown", "a", `<a href="lost.html">`), "links to lost.html"},
		{lesson("markdown", "a", "![](../charts/svg/gc-pause.svg)"), "a picture without a text"},
		{lesson("markdown", "a", `<img src="../charts/svg/gc-pause.svg">`), "a picture without a text"},
		{func() Lesson { l := lesson("code", "a", ""); l.Cells[1].Count = &number; return l }(), "has outputs or a number"},
		{func() Lesson { l := lesson("code", "a", ""); l.Cells[1].Outputs = []ipynb.Output{{}}; return l }(), "has outputs or a number"},
		{func() Lesson { l := lesson("code", "a", ""); l.Minor = 4; return l }(), "its format is 4.4"},
		{func() Lesson { l := lesson("code", "a", ""); l.Metadata = nil; return l }(), "its kernel is not"},
		{func() Lesson { l := lesson("code", "a", ""); l.Cells = l.Cells[1:]; return l }(), "not its title"},
		{func() Lesson { l := lesson("code", "a", ""); l.Name = "06-fencing-tokens"; return l }(), "no cell is the stub of fencedwrite to the letter"},
	} {
		problems := strings.Join(test.lesson.Form(c), "\n")
		if test.words == "" {
			assert.Empty(t, problems)
		} else {
			assert.Contains(t, problems, test.words)
		}
	}
}

func TestAnExerciseThatIsNotListedOrProvenIsSaid(t *testing.T) {
	from := found(t)
	c, err := course.At(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.CopyFS(filepath.Join(c.Root, "exercises"), os.DirFS(filepath.Join(from.Root, "exercises"))))
	require.NoError(t, os.MkdirAll(filepath.Join(c.Root, "exercises", "forgotten", "stub"), 0o755))
	problems := strings.Join(Listed(c, nil), "\n")
	assert.Contains(t, problems, "the folder exercises/forgotten is not in the list")
	assert.Contains(t, problems, "the exercise fencedwrite belongs to the lesson 06-fencing-tokens, which git does not hold")

	for name, test := range map[string]string{
		"no proof":     `func TestOther(t *testing.T) {}`,
		"no wrong one": `func TestExercise(t *testing.T) { t.Run("stub", func(*testing.T) {}); t.Run("solution", func(*testing.T) {}) }`,
	} {
		folder := filepath.Join(c.Root, "exercises", "new")
		require.NoError(t, os.MkdirAll(folder, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(c.Root, "go.mod"), []byte("module fencingtokens\n\ngo 1.26\n"), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "new_test.go"), fmt.Appendf(nil, "package new\n\nimport \"testing\"\n\n%s\n", test), 0o644))
		assert.Contains(t, strings.Join(Proven(t.Context(), c, exercises.Exercise{Name: "new"}), "\n"), "do not prove it", name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(c.Root, "exercises", "new", "new_test.go"), []byte("package new\n\nimport \"testing\"\n\nfunc TestExercise(t *testing.T) { t.Run(\"stub\", func(t *testing.T) { t.Fail() }) }\n"), 0o644))
	assert.Contains(t, strings.Join(Proven(t.Context(), c, exercises.Exercise{Name: "new"}), "\n"), "TestExercise/stub fails")
}

func TestOneExerciseOfTheCourseIsProven(t *testing.T) {
	assert.Empty(t, Proven(t.Context(), found(t), exercises.All()[0]))
}
