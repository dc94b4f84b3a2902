package setup

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"

	"fencingtokens/notebooks/internal/course"
)

// check finds what set-up itself needs before it starts anything long.
func check(c course.Course) error {
	if _, err := exec.LookPath("go"); err != nil {
		return errors.New("there is no go on PATH: install Go 1.26 or newer and run the same command again")
	}
	if hasJupyterLab(c) {
		return nil
	}
	_, err := findPython()
	return err
}

// Doctor says what is there, what is missing and what to do about it; the
// error counts what is missing of what set-up brings.
func Doctor(c course.Course, out io.Writer) error {
	fmt.Fprintf(out, "course   %s\nGo       %s\nPython   %s\n", c.Root, runtime.Version(), pythonVersion(c))
	missing := 0
	if err := check(c); err != nil {
		missing++
		fmt.Fprintf(out, "missing  %v\n", err)
	}
	for _, s := range steps(c) {
		state := "there"
		if !s.done(c) {
			state = "missing"
			missing++
		}
		fmt.Fprintf(out, "%-8s %s\n", state, s.name)
	}
	showSystems(out)
	if missing > 0 {
		return fmt.Errorf("%d missing: `go run ./notebooks setup` puts it there", missing)
	}
	fmt.Fprintf(out, "\n%s\n", Complete)
	return nil
}

func pythonVersion(c course.Course) string {
	for _, python := range []string{c.Python(), "python3"} {
		out, err := exec.Command(python, "-c", "import sys; print(sys.version.split()[0], sys.executable)").Output()
		if err == nil {
			return strings.TrimSpace(string(out))
		}
	}
	return "none"
}
