package exercises_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises"
)

func TestEveryFolderIsListed(t *testing.T) {
	var folders []string
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(e.Name(), "stub")); err == nil {
			folders = append(folders, e.Name())
		}
	}
	var listed []string
	for _, e := range exercises.All() {
		listed = append(listed, e.Name)
	}
	assert.ElementsMatch(t, folders, listed)
}

var exported = regexp.MustCompile(`(?m)^(?:func (?:\(.*?\) )?|type )[A-Z]\w*.*`)

// The solution goes into the stub's place, so both must offer the same.
func TestSolutionFitsIntoTheStubsPlace(t *testing.T) {
	for _, e := range exercises.All() {
		stub, err := e.Stub("..")
		require.NoError(t, err)
		solution, err := e.Solution("..")
		require.NoError(t, err)
		assert.NotEqual(t, stub, solution, e.Name)
		assert.Equal(t, exported.FindAllString(stub, -1), exported.FindAllString(solution, -1), e.Name)
		for _, cell := range []string{stub, solution} {
			assert.NotContains(t, cell, "import", "%s: a cell imports nothing", e.Name)
			assert.NotRegexp(t, `(?m)^package `, cell, e.Name)
			assert.True(t, strings.HasPrefix(cell, "// "), "%s: a cell begins with what it is for", e.Name)
		}
		assert.Regexp(t, `(?m)^(func|var) `+e.Answer+`\b`, stub, "%s: the answer is declared in the cell", e.Name)
		assert.LessOrEqual(t, strings.Count(stub, "\n"), 20, "%s: a stub is seen at a glance", e.Name)
	}
}

func TestAMissingCellIsAnError(t *testing.T) {
	_, err := exercises.Exercise{Name: "nosuch"}.Stub("..")
	assert.ErrorIs(t, err, os.ErrNotExist)
}
