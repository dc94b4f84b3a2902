package ipynb_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/notebooks/internal/ipynb"
)

func TestAChangeLeavesAllElseAsItWas(t *testing.T) {
	files, err := filepath.Glob("../../*.ipynb")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		data, err = ipynb.ClearOutputs(data) // a learner's own copy may have some
		require.NoError(t, err)
		n, err := ipynb.Parse(data)
		require.NoError(t, err)
		for i, c := range n.Cells {
			if c.Code() {
				same, err := ipynb.SetSource(data, i, string(c.Source))
				require.NoError(t, err)
				require.Equal(t, string(data), string(same), "%s, cell %s", file, c.ID)
			}
		}
	}
}

const small = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "one",
   "metadata": {"tags": ["instructor"]},
   "outputs": [{"output_type": "stream", "name": "stdout", "text": ["1 < 2 & é\u2028\ud83d\n"]}],
   "source": "x := \"<b>\""
  },
  {"cell_type": "markdown", "id": "two", "metadata": {"own": 12345678901234567890}, "source": ["a\n", "b"]}
 ],
 "metadata": {}, "nbformat": 4, "nbformat_minor": 5
}`

func TestCellsAreInsertedTakenOutAndFilled(t *testing.T) {
	n, err := ipynb.Parse([]byte(small))
	require.NoError(t, err)
	assert.True(t, n.Cells[0].Tagged("instructor"))
	assert.True(t, strings.HasPrefix(n.Cells[0].Prints(), "1 < 2 & é"))
	assert.Equal(t, ipynb.Text("a\nb"), n.Cells[1].Source)

	data, err := ipynb.Insert([]byte(small), 1, "new", "a\n\tb <c>")
	require.NoError(t, err)
	assert.Contains(t, string(data), `1 < 2 & é\u2028\ud83d\n`, "what Go cannot say is kept")
	assert.Contains(t, string(data), "12345678901234567890")
	n, err = ipynb.Parse(data)
	require.NoError(t, err)
	assert.Equal(t, ipynb.Text("a\n\tb <c>"), n.Cells[1].Source)

	data, err = ipynb.InsertText(data, 2, "text", "# c\n<d>")
	require.NoError(t, err)
	n, err = ipynb.Parse(data)
	require.NoError(t, err)
	assert.False(t, n.Cells[2].Code())
	assert.Equal(t, ipynb.Text("# c\n<d>"), n.Cells[2].Source)

	data, err = ipynb.Keep(data, func(_ int, c *ipynb.Cell) bool { return !c.Tagged("instructor") })
	require.NoError(t, err)
	n, err = ipynb.Parse(data)
	require.NoError(t, err)
	assert.Equal(t, []string{"new", "text", "two"}, []string{n.Cells[0].ID, n.Cells[1].ID, n.Cells[2].ID})
}

func TestWhatIsNoNotebookIsSaidInASentence(t *testing.T) {
	for data, words := range map[string]string{
		"":                           "not the JSON of a notebook",
		"<html>":                     "not the JSON of a notebook",
		"[]":                         "not the JSON of a notebook",
		"{}":                         "no list of cells",
		`{"cells": [null]}`:          "no list of cells",
		`{"cells": [{"source": 3}]}`: "not the JSON of a notebook",
	} {
		_, err := ipynb.Parse([]byte(data))
		assert.ErrorContains(t, err, words, data)
	}
}

func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.ipynb")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	require.NoError(t, ipynb.WriteFile(file, []byte("new")))
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	left, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	assert.Len(t, left, 1)
}
