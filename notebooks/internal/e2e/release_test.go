package e2e

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/notebooks/internal/author"
	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/release"
	"fencingtokens/notebooks/internal/setup"
)

func TestTheLessonsOfTheStudentEditionRunUntouched(t *testing.T) {
	c := ready(t)
	place := filepath.Join(t.TempDir(), "student")
	require.NoError(t, release.Make(t.Context(), c, release.Student, place, io.Discard))
	student, err := course.At(place)
	require.NoError(t, err)
	// What takes long is there already, and is only read.
	for _, part := range []string{"venv", "bin", "static"} {
		require.NoError(t, os.MkdirAll(student.Lab(), 0o755))
		require.NoError(t, os.Symlink(c.Lab(part), student.Lab(part)))
	}
	for _, part := range []string{"stamps", "jupyter"} {
		require.NoError(t, os.CopyFS(student.Lab(part), os.DirFS(c.Lab(part))))
	}
	require.NoError(t, setup.Run(t.Context(), student, os.Stdout))

	all, err := author.Lessons(student)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 4)
	for _, l := range all {
		t.Run(l.Name, func(t *testing.T) {
			assert.Empty(t, l.Form(student))
			assert.Empty(t, l.RunsUntouched(t.Context(), student))
		})
	}
}
