//go:build !windows

package judge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/answer"
	"fencingtokens/notebooks/internal/course"
)

// Workshop is a copy of the course in which answers are compiled.
type Workshop struct {
	answer.Finder
	// Version is different when the course's checks, or Go, are.
	Version   string
	Isolation Isolation
	dir       string
}

// NewWorkshop copies what answers are compiled with into a new folder. Close
// takes it away again.
func NewWorkshop(c course.Course) (*Workshop, error) {
	dir, err := os.MkdirTemp("", "answers-")
	if err != nil {
		return nil, err
	}
	w := &Workshop{dir: dir}
	err = w.fill(c)
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// Close removes the workshop.
func (w *Workshop) Close() error { return os.RemoveAll(w.dir) }

func (w *Workshop) fill(c course.Course) (err error) {
	// Whoever an answer runs as must reach its program.
	if err := os.Chmod(w.dir, 0o711); err != nil {
		return err
	}
	sum := sha256.New()
	goVersion, err := exec.Command("go", "version").Output()
	if err != nil {
		return fmt.Errorf("the go command does not run (%w); `go run ./notebooks doctor` tells more", err)
	}
	sum.Write(goVersion)
	for _, part := range []string{"go.mod", "go.sum", "fencing", "charts", "exercises", "notebooks/internal/judge"} {
		err := filepath.WalkDir(filepath.Join(c.Root, part), func(file string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(c.Root, file)
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "testdata":
				return filepath.SkipDir
			case !entry.Type().IsRegular() || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "%s %d\n", name, len(data))
			sum.Write(data)
			return writeFile(w.src(name), data)
		})
		if err != nil {
			return fmt.Errorf("copy the course without its solutions: %w", err)
		}
	}
	w.Version = fmt.Sprintf("%x", sum.Sum(nil))
	w.Finder, err = answer.NewFinder(w.src())
	return err
}

func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

func (w *Workshop) src(elem ...string) string {
	return filepath.Join(append([]string{w.dir, "src"}, elem...)...)
}

func (w *Workshop) bin(elem ...string) string {
	return filepath.Join(append([]string{w.dir, "bin"}, elem...)...)
}

// Given is an answer that can be compiled.
type Given struct {
	Exercise exercises.Exercise
	Source   string // of the package answer
}

// Built is a program that judges one answer, or what the compiler said.
type Built struct {
	Given
	Program string
	Errors  string // with the notebook's places; empty if there is a program
}

// answers is where packages of answers stand in the module.
const answers = "notebooks/answers"

const program = `package main

import (
	exercise "fencingtokens/exercises/%[1]s"
	"fencingtokens/notebooks/internal/judge/inside"

	"fencingtokens/%[2]s/answer"
)

func main() {
	result := exercise.Evaluate(answer.%[3]s, inside.Seed())
	first, _ := result.First()
	inside.Report(result.State.String(), first.Check, first.Mistake)
}
`

// Build compiles the answers of one student, whose name is good for a folder.
func (w *Workshop) Build(ctx context.Context, student string, given []Given) ([]Built, error) {
	for _, g := range given {
		at := filepath.Join(answers, student, g.Exercise.Name)
		// The answer's package names package inside, so that it begins first.
		source := strings.Replace(g.Source, "\n", "\n\nimport _ \"fencingtokens/notebooks/internal/judge/inside\"\n", 1)
		err := errors.Join(
			writeFile(w.src(at, "main.go"), fmt.Appendf(nil, program, g.Exercise.Name, filepath.ToSlash(at), g.Exercise.Answer)),
			writeFile(w.src(at, "answer", "answer.go"), []byte(source)))
		if err != nil {
			return nil, err
		}
	}
	said, finished, err := w.compile(ctx, student, given)
	if err != nil {
		return nil, err
	}
	if !finished && len(given) > 1 { // find out which of them the compiler does not get done with
		var all []Built
		for _, g := range given {
			one, err := w.Build(ctx, student, []Given{g})
			if err != nil {
				return nil, err
			}
			all = append(all, one...)
		}
		return all, nil
	}
	var all []Built
	for _, g := range given {
		b := Built{Given: g, Program: w.bin(student, g.Exercise.Name)}
		if _, err := os.Stat(b.Program); err != nil {
			b.Program, b.Errors = "", errorsOf(said, filepath.ToSlash(filepath.Join(answers, student, g.Exercise.Name)))
			if !finished {
				b.Errors = fmt.Sprintf("the compiler was not done after %.0f s", buildLimit.Seconds())
			}
		}
		all = append(all, b)
	}
	return all, nil
}

// Forget removes what was built for a student.
func (w *Workshop) Forget(student string) error {
	return errors.Join(os.RemoveAll(w.src(answers, student)), os.RemoveAll(w.bin(student)))
}

const (
	buildLimit  = 60 * time.Second
	buildMemory = 2 << 30
	buildFile   = 256 << 20
)

// compile says what the compiler said, and whether it came to an end.
func (w *Workshop) compile(ctx context.Context, student string, given []Given) (said string, finished bool, err error) {
	if len(given) == 0 {
		return "", true, nil
	}
	limited, cancel := context.WithTimeout(ctx, time.Duration(len(given))*buildLimit)
	defer cancel()
	args := []string{"go", "build", "-trimpath", "-ldflags=-s -w", "-o", w.bin(student) + "/"}
	for _, g := range given {
		args = append(args, "./"+filepath.ToSlash(filepath.Join(answers, student, g.Exercise.Name)))
	}
	if w.Isolation.confine != "" {
		args = append([]string{w.Isolation.confine, fmt.Sprintf("-cpu=%.0f", (time.Duration(len(given)) * buildLimit).Seconds()),
			fmt.Sprintf("-memory=%d", buildMemory), fmt.Sprintf("-file=%d", buildFile)}, args...)
	}
	out, err := w.tool(limited, args...)
	if ctx.Err() != nil {
		return "", false, errors.New("stopped")
	}
	return out, limited.Err() == nil, nil
}

// tool runs a program in the workshop, and returns what it said.
func (w *Workshop) tool(ctx context.Context, args ...string) (string, error) {
	if err := os.MkdirAll(w.bin(), 0o755); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = w.src()
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(pair string) bool {
		return strings.HasPrefix(pair, "GOFLAGS=") || strings.HasPrefix(pair, "GO111MODULE=")
	}), "CGO_ENABLED=0", "GOWORK=off")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	return said.String(), err
}

var inMain = regexp.MustCompile(`(?m)^\S*main\.go:\d+:\d+: `)

// errorsOf takes from what the go command said what belongs to one answer.
func errorsOf(said, path string) string {
	var mine []string
	own := false
	for line := range strings.Lines(said) {
		if head, ok := strings.CutPrefix(line, "# fencingtokens/"); ok {
			head = strings.TrimSpace(head)
			own = head == path || head == path+"/answer"
			continue
		}
		if own {
			mine = append(mine, line)
		}
	}
	text := strings.Join(mine, "")
	if text == "" {
		text = said
	}
	if strings.Contains(text, "out of memory") || strings.Contains(text, "signal: killed") {
		return "the compiler needs more than it may have: is something in it very large?"
	}
	text = answer.Explain(text)
	return inMain.ReplaceAllString(text, "the answer does not fit: ")
}
