// Package e2e tests the course as its users meet it: the real Go kernel, the
// real JupyterLab, a real browser. All such tests stand here, in one package,
// so that they run one after another; none of them is parallel.
package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/run"
	"fencingtokens/notebooks/internal/setup"
)

var setUp = sync.OnceValues(func() (course.Course, error) {
	c, err := course.Find()
	if err == nil {
		err = setup.Run(context.Background(), c, os.Stdout)
	}
	return c, err
})

// ready is the course these tests stand in, set up.
func ready(t *testing.T) course.Course {
	t.Helper()
	c, err := setUp()
	require.NoError(t, err)
	return c
}

// notebook writes one with the cells given, which have the ids cell-1, cell-2,
// ...: a text that begins with a heading, or else code.
func notebook(t *testing.T, name string, cells ...string) (file string) {
	t.Helper()
	type m = map[string]any
	var all []m
	for i, source := range cells {
		cell := m{"cell_type": "code", "id": "cell-" + string(rune('1'+i)), "metadata": m{},
			"execution_count": nil, "outputs": []m{}, "source": source}
		if strings.HasPrefix(source, "# ") {
			cell["cell_type"] = "markdown"
			delete(cell, "execution_count")
			delete(cell, "outputs")
		}
		all = append(all, cell)
	}
	data, err := json.Marshal(m{"nbformat": 4, "nbformat_minor": 5, "cells": all,
		"metadata": m{"kernelspec": m{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}}})
	require.NoError(t, err)
	file = filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, data, 0o644))
	return file
}

// runNotebook runs a copy in the real kernel.
func runNotebook(t *testing.T, file string) run.Result {
	t.Helper()
	result, err := run.Notebook(t.Context(), ready(t), file, t.TempDir(), 1)
	require.NoError(t, err)
	return result
}

// command is the program `go run ./notebooks` runs, which `go run` would keep
// from being told to stop.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := ready(t)
	program := filepath.Join(t.TempDir(), "notebooks")
	build := exec.Command("go", "build", "-o", program, "./notebooks")
	build.Dir = c.Root
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	cmd := exec.Command(program, args...)
	cmd.Dir = c.Root
	return cmd
}

func mustRead(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return data
}
