//go:build !windows

package export

import (
	"context"
	"io"
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

func TestAnExportGoesWhereASymbolicLinkLeads(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target"), filepath.Join(folder, "link")
	require.NoError(t, os.Mkdir(target, 0o755))
	require.NoError(t, os.Symlink("target", link))
	e, err := New(course.Course{}, nil, Options{Out: link})
	require.NoError(t, err)
	fresh := filepath.Join(folder, "fresh")
	require.NoError(t, os.Mkdir(fresh, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(fresh, "index.html"), nil, 0o644))
	require.NoError(t, replace(fresh, e.place))
	assert.FileExists(t, filepath.Join(target, "index.html"))
	led, err := os.Readlink(link)
	assert.NoError(t, err)
	assert.Equal(t, "target", led, "the link is as it was")
}

func TestASymbolicLinkThatLeadsNowhereIsNotReplaced(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink("nowhere", link))
	_, err := New(course.Course{}, nil, Options{Out: link})
	assert.ErrorContains(t, err, "is a symbolic link that leads nowhere: make the folder that it names")
}

func TestTheIndexPromisesWhatIsThere(t *testing.T) {
	entries := []entry{{"02-gc-pause", "A pause &amp; what follows"}}
	screen, err := Export{}.index(entries, 0)
	require.NoError(t, err)
	assert.Contains(t, string(screen), `<li><a href="02-gc-pause.html">A pause &amp; what follows</a></li>`)
	assert.Contains(t, string(screen), "playgrounds")
	assert.NotContains(t, string(screen), "olution")
	paper, err := Export{Options: Options{Print: true}}.index(entries, 0)
	require.NoError(t, err)
	assert.Contains(t, string(paper), "The lessons, as they ran, for paper.")
	assert.NotContains(t, string(paper), "playground")
	solved, err := Export{}.index(entries, 1)
	require.NoError(t, err)
	assert.Contains(t, string(solved), "<strong>Solutions are in it</strong>: each, folded away, below the test of its exercise.")
}

func TestTheSolutionStandsBelowTheTestOfEveryExercise(t *testing.T) {
	c, err := course.Find()
	require.NoError(t, err)
	lessons, err := c.Lessons(nil)
	require.NoError(t, err)
	e, err := New(c, nil, Options{Out: filepath.Join(t.TempDir(), "out"), Solutions: true})
	require.NoError(t, err)
	solutions := map[string]string{}
	for _, lesson := range lessons {
		data, err := os.ReadFile(lesson)
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), filepath.Base(lesson))
		require.NoError(t, os.WriteFile(file, data, 0o644))
		_, err = e.solve(file)
		require.NoError(t, err)
		data, err = os.ReadFile(file)
		require.NoError(t, err)
		n, err := ipynb.Parse(data)
		require.NoError(t, err)
		for i, cell := range n.Cells[1:] {
			if above := n.Cells[i]; strings.HasSuffix(cell.ID, "-solution") {
				name := strings.TrimSuffix(cell.ID, "-solution")
				assert.Contains(t, string(above.Source), name+".Check(")
				solutions[name] = string(cell.Source)
			}
		}
	}
	for _, x := range exercises.All() {
		text, err := x.Solution(c.Root)
		require.NoError(t, err)
		assert.Contains(t, solutions[x.Name], "Solution: "+x.Title)
		assert.Contains(t, solutions[x.Name], text)
	}
}

func TestAnEditionWithoutSolutionsSaysSoBeforeAnythingRuns(t *testing.T) {
	c := course.Course{Root: t.TempDir()}
	_, err := New(c, nil, Options{Out: filepath.Join(t.TempDir(), "out"), Solutions: true})
	assert.EqualError(t, err, "this edition of the course has no solutions: ask whoever gave it to you")
}

func TestAStoppedExportSaysSoAndLeavesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.ipynb")
	require.NoError(t, os.WriteFile(file, []byte(`{"cells": []}`), 0o644))
	folder := t.TempDir()
	e, err := New(course.Course{Root: t.TempDir()}, []string{file}, Options{Out: filepath.Join(folder, "out")})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	assert.EqualError(t, e.Write(ctx, io.Discard), "stopped; nothing was written")
	left, err := os.ReadDir(folder)
	assert.NoError(t, err)
	assert.Empty(t, left)
}

func TestAnExportReplacesAnEarlierOneAndNothingThatSomebodyAdded(t *testing.T) {
	folder := t.TempDir()
	add := func(name string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o644))
	}
	add("index.html")
	add("my lesson.html")
	assert.ErrorContains(t, mayWrite(folder), "is there, and no export wrote it: choose another folder")
	require.NoError(t, sign(folder))
	assert.NoError(t, mayWrite(folder))
	add("notes.txt")
	assert.ErrorContains(t, mayWrite(folder), "notes.txt is in "+folder+", and no export wrote it: move it away")
}
