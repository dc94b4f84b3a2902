package e2e

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestACellNeedsNoImport(t *testing.T) {
	result := runNotebook(t, notebook(t, "hello.ipynb", "%%\nfmt.Println(strings.ToUpper(\"hello\"))"))
	assert.True(t, result.OK(), result.Failure())
	executed, err := os.ReadFile(result.Executed)
	require.NoError(t, err)
	assert.Contains(t, string(executed), "HELLO")
}

func TestEveryFailingCellIsNamedWithItsReason(t *testing.T) {
	result := runNotebook(t, notebook(t, "bad.ipynb",
		"%%\nfmt.Println(1)",
		"%%\nfmt.Println(unknown)",
		"%%\nfmt.Println(\"so far\")\npanic(\"no further\")",
		"%test\nfunc TestNever(t *testing.T) { t.Fatal(\"as it should be\") }",
		"%%\nfmt.Println(5)"))
	require.Len(t, result.Cells, 5)
	assert.Empty(t, result.Cells[0].Reason)
	assert.Contains(t, result.Cells[1].Reason, "undefined: unknown")
	assert.Contains(t, result.Cells[2].Reason, "so far")
	assert.Contains(t, result.Cells[2].Reason, "no further")
	assert.Contains(t, result.Cells[3].Reason, "as it should be")
	assert.Empty(t, result.Cells[4].Reason, "cells after a failing one run, as in JupyterLab")
	assert.Contains(t, result.Failure(), "cell 2 (id cell-2): fmt.Println(unknown)")
}

func TestRunExitsWithOneWhenACellFails(t *testing.T) {
	good := notebook(t, "good.ipynb", "%%\nfmt.Println(1)")
	bad := notebook(t, "bad.ipynb", "%%\nos.Exit(3)")
	out, err := command(t, "run", good, bad).CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 1, exit.ExitCode())
	assert.Regexp(t, `ok +good +1 cells`, string(out))
	assert.Regexp(t, `FAILED +bad +1 cells`, string(out))
	assert.Contains(t, string(out), "cell 1 (id cell-1): os.Exit(3)")
	assert.Contains(t, string(out), "1 of 2 notebooks failed: bad")
}

func TestRunShowsMediansByCell(t *testing.T) {
	out, err := command(t, "run", "--time", notebook(t, "timed.ipynb", "%%\nfmt.Println(1)")).CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Regexp(t, `\d\.\d\d s  cell 1: fmt\.Println\(1\)`, string(out))
}
