package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/notebooks/internal/author"
	"fencingtokens/notebooks/internal/ipynb"
)

// lessons are the notebooks that git holds.
func lessons(t *testing.T) []author.Lesson {
	t.Helper()
	all, err := author.Lessons(ready(t))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 4)
	return all
}

// source is a lesson as git holds it.
func source(t *testing.T, name string) []byte {
	t.Helper()
	for _, l := range lessons(t) {
		if l.Name == name {
			return l.Data
		}
	}
	require.Fail(t, "there is no lesson "+name)
	return nil
}

// execute runs code cells and returns the notebook with its outputs.
func execute(t *testing.T, cells ...string) ipynb.Notebook {
	t.Helper()
	result := runNotebook(t, notebook(t, "cells.ipynb", cells...))
	require.True(t, result.OK(), result.Failure())
	executed, err := os.ReadFile(result.Executed)
	require.NoError(t, err)
	n, err := ipynb.Parse(executed)
	require.NoError(t, err)
	return n
}

func TestTheListOfExercisesIsComplete(t *testing.T) {
	assert.Empty(t, author.Listed(ready(t), lessons(t)))
}

func TestLessonsAreKeptCleanAndWellFormed(t *testing.T) {
	for _, l := range lessons(t) {
		assert.Empty(t, l.Form(ready(t)))
	}
}

func TestEveryLessonRunsUntouched(t *testing.T) {
	for _, l := range lessons(t) {
		t.Run(l.Name, func(t *testing.T) { assert.Empty(t, l.RunsUntouched(t.Context(), ready(t))) })
	}
}

func TestEveryLessonRunsWithItsExercisesSolved(t *testing.T) {
	for _, l := range lessons(t) {
		t.Run(l.Name, func(t *testing.T) { assert.Empty(t, l.RunsSolved(t.Context(), ready(t))) })
	}
}

func TestTextKeepsItsPlaceAroundTwoHundredCharts(t *testing.T) {
	l := execute(t, `%%
trace := fencing.GCPause().Run()
for i := range 200 {
	fmt.Println("before", i)
	charts.Timeline(trace)
	fmt.Println("after", i)
}`)
	var got, want []string
	var text strings.Builder
	for _, o := range l.Cells[0].Outputs {
		text.WriteString(strings.ReplaceAll(string(o.Text), "\r", ""))
		if o.Type == "display_data" {
			text.WriteString("CHART\n")
		}
	}
	got = strings.Fields(strings.ReplaceAll(text.String(), " ", "-"))
	for i := range 200 {
		want = append(want, fmt.Sprintf("before-%d", i), "CHART", fmt.Sprintf("after-%d", i))
	}
	assert.Equal(t, want, got)
}

func TestAClientThatNeverComesBackEndsItsCellWithItsNameAndTheKernelLives(t *testing.T) {
	const world = `%%%%
world := fencing.NewWorld(fencing.Config{})
world.Client("client 1", func(c *fencing.Client) { c.Sleep(time.Second); %s })
fmt.Println(world.Run().Err())`
	l := execute(t,
		fmt.Sprintf(world, "for {}"),
		fmt.Sprintf(world, "<-make(chan int)"),
		fmt.Sprintf(world, `panic("no more")`),
		fmt.Sprintf(world, "runtime.Goexit()"),
		"%%\nfmt.Println(\"the kernel lives\")")
	assert.Contains(t, l.Cells[0].Prints(), "client 1 did not come back to the simulator")
	assert.Contains(t, l.Cells[1].Prints(), "client 1 did not come back to the simulator")
	assert.Contains(t, l.Cells[2].Prints(), "client 1 panicked: no more")
	assert.Contains(t, l.Cells[3].Prints(), "client 1 ended its goroutine")
	assert.Contains(t, l.Cells[4].Prints(), "the kernel lives")
}
