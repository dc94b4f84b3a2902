package course

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withLessons is a course that has these notebooks.
func withLessons(t *testing.T, names ...string) Course {
	t.Helper()
	c := Course{Root: t.TempDir()}
	require.NoError(t, os.Mkdir(c.Notebooks(), 0o755))
	for _, name := range names {
		require.NoError(t, os.WriteFile(c.Notebooks(name+".ipynb"), nil, 0o644))
	}
	return c
}

func TestALessonIsFoundByItsNameItsBeginningOrItsPath(t *testing.T) {
	c := withLessons(t, "01-one", "02-two")
	own := filepath.Join(t.TempDir(), "own.ipynb")
	require.NoError(t, os.WriteFile(own, nil, 0o644))
	for name, file := range map[string]string{
		"02-two":       c.Notebooks("02-two.ipynb"),
		"02-two.ipynb": c.Notebooks("02-two.ipynb"),
		"02":           c.Notebooks("02-two.ipynb"),
		own:            own,
	} {
		found, err := c.Lessons([]string{name})
		assert.NoError(t, err)
		assert.Equal(t, []string{file}, found, name)
	}
}

func TestALessonNamedTwiceIsTakenOnce(t *testing.T) {
	c := withLessons(t, "01-one", "02-two")
	found, err := c.Lessons([]string{"02-two", "01-one", "02", "02-two.ipynb", c.Notebooks("01-one.ipynb")})
	assert.NoError(t, err)
	assert.Equal(t, []string{c.Notebooks("02-two.ipynb"), c.Notebooks("01-one.ipynb")}, found)
}

func TestANameThatFitsNoLessonOrSeveralSaysWhichThereAre(t *testing.T) {
	c := withLessons(t, "01-one", "02-two", "02-more")
	_, err := c.Lessons([]string{"03"})
	assert.EqualError(t, err, `there is no notebook "03"; there are: 01-one, 02-more, 02-two`)
	_, err = c.Lessons([]string{"02"})
	assert.EqualError(t, err, `2 notebooks begin with "02": say which of 02-more, 02-two`)
}
