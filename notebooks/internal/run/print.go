package run

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fencingtokens/notebooks/internal/course"
)

const timedRounds = 6 // the first warms up

// Print runs notebooks and shows a line for each, and what failed in it. With
// timed it shows each cell's median over several rounds in one warm kernel.
func Print(ctx context.Context, c course.Course, files []string, timed bool, out io.Writer) error {
	folder, err := Folder(c)
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	rounds, show := 1, printResult
	if timed {
		rounds, show = timedRounds, printMedians
	}
	var failed []string
	for _, file := range files {
		result, err := Notebook(ctx, c, file, folder, rounds)
		if err != nil {
			return err
		}
		show(out, result)
		if !result.OK() {
			failed = append(failed, title(result))
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d notebooks failed: %s", len(failed), len(files), strings.Join(failed, ", "))
	}
	return nil
}

// Folder makes a new one for cells to work in.
func Folder(c course.Course) (string, error) {
	if err := os.MkdirAll(c.Lab("run"), 0o755); err != nil {
		return "", err
	}
	return os.MkdirTemp(c.Lab("run"), "")
}

func title(r Result) string { return strings.TrimSuffix(filepath.Base(r.File), ".ipynb") }

func printResult(out io.Writer, r Result) {
	verdict := "ok"
	if !r.OK() {
		verdict = "FAILED"
	}
	fmt.Fprintf(out, "%-6s  %-28s %3d cells  %5.1f s\n", verdict, title(r), len(r.Cells), r.Seconds())
	if !r.OK() {
		fmt.Fprintln(out, r.Failure())
	}
}

func indent(text string) string {
	return "    | " + strings.ReplaceAll(text, "\n", "\n    | ")
}

func printMedians(out io.Writer, r Result) {
	printResult(out, r)
	for _, cell := range r.Cells {
		if warm := cell.Seconds[1:]; len(warm) > 0 {
			fmt.Fprintf(out, "        %6.2f s  cell %d: %.60s\n", median(warm), cell.Number, cell.First)
		}
	}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
