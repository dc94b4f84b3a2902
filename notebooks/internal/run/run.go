// Package run executes copies of notebooks, headless, in the real Go kernel.
package run

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/proc"
)

//go:embed run.py
var script string

// A Cell is what became of one code cell.
type Cell struct {
	Number  int       // as JupyterLab counts after Restart and Run All
	ID      string    // the notebook's own
	First   string    // line of its source
	Seconds []float64 // one a round
	Failed  bool
	Reason  string // what the failed cell said
}

// A Result is what became of one notebook.
type Result struct {
	File     string
	Executed string // path of the executed copy
	Cells    []Cell
	Problem  string // why it did not run to its end, if no cell is to blame
}

// OK tells whether every cell ran as it should.
func (r Result) OK() bool {
	return r.Problem == "" && !slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Reason != "" })
}

// Failure says which cells failed and why; it is empty when none did.
func (r Result) Failure() string {
	var text strings.Builder
	for _, cell := range r.Cells {
		if cell.Reason != "" {
			fmt.Fprintf(&text, "cell %d (id %s): %s\n%s\n", cell.Number, cell.ID, cell.First, indent(lastLines(cell.Reason, 25)))
		}
	}
	return strings.TrimSpace(text.String() + r.Problem)
}

// Seconds is the time of the first round.
func (r Result) Seconds() (sum float64) {
	for _, c := range r.Cells {
		sum += c.Seconds[0]
	}
	return sum
}

// Notebook runs a copy of the notebook file in a kernel of its own, all cells
// for the given number of rounds. The cells' working directory is folder,
// which also gets the executed copy.
func Notebook(ctx context.Context, c course.Course, file, folder string, rounds int) (Result, error) {
	result := Result{File: file, Executed: filepath.Join(folder, filepath.Base(file))}
	events, childEnd, err := os.Pipe()
	if err != nil {
		return result, err
	}
	defer events.Close()
	temp, err := os.MkdirTemp("", "run") // a GoNB that is killed leaves files there
	if err != nil {
		return result, err
	}
	defer os.RemoveAll(temp)
	cmd := proc.Apart(exec.CommandContext(ctx, c.Python(), "-c", script, file, folder, strconv.Itoa(rounds)))
	cmd.Env, cmd.Dir = append(c.Env(), "TMPDIR="+temp), folder
	cmd.ExtraFiles = []*os.File{childEnd}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	family := &proc.Family{}
	ask := cmd.Cancel
	cmd.Cancel = func() error {
		family = proc.FamilyOf(c, cmd.Process.Pid)
		return ask()
	}
	err = cmd.Start()
	childEnd.Close()
	if err != nil {
		return result, fmt.Errorf("the course's Python does not start (%w); `go run ./notebooks doctor` tells more", err)
	}
	result.collect(events)
	err = cmd.Wait()
	family.End()
	switch {
	case ctx.Err() != nil:
		return result, errors.New("stopped")
	case err != nil:
		return result, fmt.Errorf("%s could not be run (%w):\n%s", filepath.Base(file), err, lastLines(said.String(), 15))
	case result.Problem != "":
		result.Problem += "; `go run ./notebooks doctor` tells more. The kernel's last lines:\n" + indent(lastLines(said.String(), 8))
	}
	return result, nil
}

// An event is what run.py tells: what became of a cell, or why there is no
// kernel.
type event struct {
	Cell    int
	ID      string
	First   string
	Seconds float64
	Reason  string
	Problem string
}

func (r *Result) collect(events io.Reader) {
	decoder := json.NewDecoder(events)
	for {
		var e event
		if decoder.Decode(&e) != nil {
			return
		}
		if e.Problem != "" {
			r.Problem = e.Problem
			continue
		}
		r.add(e)
	}
}

func (r *Result) add(e event) {
	at := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Number == e.Cell })
	if at < 0 {
		at = len(r.Cells)
		r.Cells = append(r.Cells, Cell{Number: e.Cell, ID: e.ID, First: e.First})
	}
	cell := &r.Cells[at]
	cell.Seconds = append(cell.Seconds, e.Seconds)
	if cell.Reason == "" {
		cell.Reason = e.Reason
	}
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
