//go:build !windows

package release

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// read is a folder as an edition.
func read(t *testing.T, folder string) edition {
	t.Helper()
	c, err := course.At(folder)
	require.NoError(t, err)
	all, err := onDisk(c)
	require.NoError(t, err)
	return all
}

func TestTheStudentEditionCompilesAndGivesNothingAway(t *testing.T) {
	c := found(t)
	all, err := files(t.Context(), c, io.Discard)
	require.NoError(t, err)
	parent := t.TempDir()
	place := filepath.Join(parent, "student")
	require.NoError(t, Make(t.Context(), c, Student, place, io.Discard))
	made := read(t, place)

	secret := secrets(all)
	assert.Empty(t, leaks(secret, made))
	known := map[string]int{}
	for _, from := range secret {
		known[from]++
	}
	for _, e := range exercises.All() {
		if _, ok := all["exercises/"+e.Name+"/solution_test.go"]; !ok {
			continue // not committed yet
		}
		assert.NotZero(t, known["exercises/"+e.Name+"/solution_test.go"], "nothing of the solution of %s can be known again", e.Name)
		assert.NotZero(t, known["exercises/"+e.Name+"/wrong_test.go"], e.Name)
		assert.Contains(t, made, "exercises/"+e.Name+"/stub/stub.go")
	}
	for name, f := range made {
		assert.False(t, tested(name), name)
		assert.False(t, strings.HasPrefix(name, ".git/"), name)
		if strings.HasSuffix(name, ".ipynb") {
			n, err := ipynb.Parse(f.data)
			require.NoError(t, err)
			for _, cell := range n.Cells {
				assert.False(t, cell.Tagged(Instructor), "%s, cell %s", name, cell.ID)
			}
		}
	}
	readme := string(made["README.md"].data)
	assert.NotContains(t, readme, "nstructor")
	assert.Contains(t, readme, "The tests of the simulator and its pictures take some minutes.")
	assert.Contains(t, readme, "go test -count=1 -timeout 40m ./...")
	assert.Contains(t, made, course.Systems+"/go.mod")
	left, err := os.ReadDir(parent)
	require.NoError(t, err)
	assert.Len(t, left, 1)

	list := exec.CommandContext(t.Context(), "go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", "./...")
	list.Dir = place
	out, err := list.Output()
	require.NoError(t, err)
	assert.Contains(t, string(out), "fencingtokens/fencing\n", "its test command still tests something")
}

func TestTheInstructorsEditionIsAllThatGitHoldsAndMakesTheStudents(t *testing.T) {
	c := found(t)
	all, err := files(t.Context(), c, io.Discard)
	require.NoError(t, err)
	place := t.TempDir() // an empty folder is taken
	require.NoError(t, Make(t.Context(), c, Instructor, place, io.Discard))
	same(t, all, read(t, place))

	fromIt, err := course.At(place)
	require.NoError(t, err)
	again, err := files(t.Context(), fromIt, io.Discard)
	require.NoError(t, err)
	want, err := student(all)
	require.NoError(t, err)
	got, err := student(again)
	require.NoError(t, err)
	same(t, want, got)
}

// same says which files differ, and not how: some are long.
func same(t *testing.T, want, got edition) {
	t.Helper()
	assert.ElementsMatch(t, slices.Collect(maps.Keys(want)), slices.Collect(maps.Keys(got)))
	for name, f := range want {
		assert.True(t, bytes.Equal(f.data, got[name].data), name)
		assert.Equal(t, f.mode, got[name].mode, name)
	}
}

func TestAnAnswerLeftInTheWrongPlaceIsFound(t *testing.T) {
	c := found(t)
	all, err := files(t.Context(), c, io.Discard)
	require.NoError(t, err)
	secret := secrets(all)
	solution := string(all["exercises/fencedwrite/solution_test.go"].data)
	wrong := string(all["exercises/fencedwrite/wrong_test.go"].data)
	golden := string(all["exercises/fencedwrite/testdata/no check at all.txt"].data)
	lesson := all["notebooks/06-fencing-tokens.ipynb"].data
	inCell, err := ipynb.Insert(lesson, 3, "oops", solution[strings.Index(solution, "func (s *Storage) Write"):])
	require.NoError(t, err)
	note, err := ipynb.Insert([]byte(`{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`), 0, "note", "In the room, most say that the lease protects the write.\nAsk why.")
	require.NoError(t, err)
	for name, text := range map[string]string{
		"notebooks/06-fencing-tokens.ipynb":                 string(inCell),
		"exercises/fencedwrite/doc.go":                      "// " + strings.Join(strings.Split(solution, "\n")[10:], "\n"),
		"README.md":                                         wrong[len(wrong)/2:],
		"charts/svg/testdata/a.txt":                         golden,
		course.Systems + "/etcd/etcd.go":                    solution,
		"notebooks/internal/anything/testdata/solution.txt": solution,
	} {
		assert.NotEmpty(t, leaks(secret, edition{name: {data: []byte(text)}}), name)
	}

	tagged := strings.Replace(string(note), `"metadata": {}`, `"metadata": {"tags": ["instructor"]}`, 1)
	all["notebooks/99.ipynb"] = file{data: []byte(tagged)}
	made, err := student(all)
	require.NoError(t, err)
	assert.Empty(t, leaks(secrets(all), edition{"notebooks/99.ipynb": made["notebooks/99.ipynb"]}))
	assert.NotEmpty(t, leaks(secrets(all), edition{"notebooks/98.ipynb": {data: note}}), "the same without its tag")
}

func TestWhereAnEditionMayNotBeWrittenItIsNot(t *testing.T) {
	c := found(t)
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "mine"), nil, 0o644))
	for place, words := range map[string]string{
		full:                             "is not empty",
		filepath.Join(full, "mine"):      "no folder that can be read",
		filepath.Join(full, "a", "b"):    "make it first",
		filepath.Join(c.Root, "release"): "lies in the course itself",
		c.Root:                           "lies in the course itself",
	} {
		assert.ErrorContains(t, Make(t.Context(), c, Student, place, io.Discard), words)
	}
	assert.ErrorContains(t, Make(t.Context(), c, "teacher", filepath.Join(full, "x"), io.Discard), `there is no edition "teacher"`)

	stopped, stop := context.WithCancel(t.Context())
	stop()
	assert.Error(t, Make(stopped, c, Student, filepath.Join(full, "x"), io.Discard))
	left, err := os.ReadDir(full)
	require.NoError(t, err)
	assert.Len(t, left, 1, "nothing half-written is left")
}

func TestAnEditionWhoseRealSystemsDoNotCompileIsRefused(t *testing.T) {
	folder := t.TempDir()
	all := edition{
		"go.mod":                   {[]byte("module a\n"), 0o644},
		"a.go":                     {[]byte("package a\n"), 0o644},
		course.Systems + "/go.mod": {[]byte("module b\n"), 0o644},
		course.Systems + "/b.go":   {[]byte("package b\n"), 0o644},
	}
	require.NoError(t, all.write(folder))
	require.NoError(t, compiles(t.Context(), folder))
	all[course.Systems+"/b.go"] = file{[]byte("package b\n\nvar x = y\n"), 0o644}
	require.NoError(t, all.write(folder))
	assert.ErrorContains(t, compiles(t.Context(), folder), "undefined: y")
}

func TestAReadmeHasWordsForItsReadersAlone(t *testing.T) {
	assert.Equal(t, "a\nfor students\nb, c.\n", string(forStudents([]byte(
		"a\n<!-- instructors -->\nfor you\n<!-- /instructors -->\n<!-- students\nfor students\n-->\nb<!-- instructors -->, and so on<!-- /instructors -->, c.\n"))))
}
