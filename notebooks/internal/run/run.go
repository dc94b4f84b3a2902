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
	return r.Problem == "" && !slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Failed })
}

// Failure says which cells failed and why; it is empty when none did.
func (r Result) Failure() string {
	var text strings.Builder
	for _, cell := range r.Cells {
		if cell.Failed {
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

// Files runs notebooks one after another, each in a kernel of its own, all
// cells for the given number of rounds. The cells' working directory is
// folder, which keeps the executed copies. Each result is passed on as it
// comes.
func Files(ctx context.Context, c course.Course, folder string, files []string, rounds int, each func(Result)) error {
	events, childEnd, err := os.Pipe()
	if err != nil {
		return err
	}
	defer events.Close()
	args := append([]string{"-c", script, folder, fmt.Sprint(rounds)}, files...)
	cmd := proc.Apart(exec.CommandContext(ctx, c.Python(), args...))
	cmd.Env, cmd.Dir = c.Env(), folder
	cmd.ExtraFiles = []*os.File{childEnd}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = cmd.Start()
	childEnd.Close()
	if err != nil {
		return fmt.Errorf("the course's Python does not start (%w); `go run ./notebooks doctor` tells more", err)
	}
	told := collect(events, folder, said.String, each)
	if err := cmd.Wait(); ctx.Err() != nil {
		return errors.New("stopped")
	} else if err != nil || told < len(files) {
		return fmt.Errorf("the notebooks could not be run (%v):\n%s", err, lastLines(said.String(), 15))
	}
	return nil
}

type event struct {
	File    string
	Done    bool
	Cell    int
	ID      string
	First   string
	Seconds float64
	Failed  bool
	Reason  string
}

func collect(events io.Reader, folder string, kernelLog func() string, each func(Result)) (told int) {
	decoder := json.NewDecoder(events)
	var result Result
	for {
		var e event
		if decoder.Decode(&e) != nil {
			return told
		}
		if !e.Done {
			result.add(e)
			continue
		}
		result.File, result.Executed = e.File, filepath.Join(folder, filepath.Base(e.File))
		if e.Reason != "" {
			result.Problem = e.Reason + "; the kernel's last lines, and `go run ./notebooks doctor`, tell more:\n" + lastLines(kernelLog(), 8)
		}
		each(result)
		told++
		result = Result{}
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
	if e.Failed && !cell.Failed {
		cell.Failed, cell.Reason = true, e.Reason
	}
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
