//go:build !windows

package author

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/course"
)

// Listed compares the folders of exercises with the list, and the list with the
// lessons.
func Listed(c course.Course, lessons []Lesson) (problems []string) {
	listed := exercises.All()
	stubs, err := filepath.Glob(filepath.Join(c.Root, "exercises", "*", "stub"))
	if err != nil {
		return []string{err.Error()}
	}
	for _, stub := range stubs {
		name := filepath.Base(filepath.Dir(stub))
		if !slices.ContainsFunc(listed, func(e exercises.Exercise) bool { return e.Name == name }) {
			problems = append(problems, fmt.Sprintf("the folder exercises/%s is not in the list of exercises.All", name))
		}
	}
	for _, e := range listed {
		if !slices.ContainsFunc(lessons, func(l Lesson) bool { return l.Name == e.Lesson }) {
			problems = append(problems, fmt.Sprintf("the exercise %s belongs to the lesson %s, which git does not hold", e.Name, e.Lesson))
		}
		for _, cell := range []func(string) (string, error){e.Stub, e.Solution} {
			if _, err := cell(c.Root); err != nil {
				problems = append(problems, fmt.Sprintf("the exercise %s: %v", e.Name, err))
			}
		}
	}
	return problems
}

// Proven runs the tests of an exercise and looks for the proofs among them: of
// its stub, its solution and its wrong answers.
func Proven(ctx context.Context, c course.Course, e exercises.Exercise) (problems []string) {
	cmd := exec.CommandContext(ctx, "go", "test", "-json", "./exercises/"+e.Name)
	cmd.Dir, cmd.Env = c.Root, c.Env()
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return []string{err.Error()}
	}
	passed := map[string]bool{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var event struct{ Action, Test, Output string }
		if decoder.Decode(&event) != nil {
			break
		}
		switch {
		case event.Test == "":
		case event.Action == "pass":
			passed[event.Test] = true
		case event.Action == "fail":
			problems = append(problems, fmt.Sprintf("%s fails: `go test -run '%s' ./exercises/%s` says why", event.Test, event.Test, e.Name))
		}
	}
	if err != nil && len(problems) == 0 {
		return []string{fmt.Sprintf("the tests of %s do not run: %s", e.Name, strings.TrimSpace(said.String()))}
	}
	if len(problems) > 0 {
		return problems
	}
	const proof = "TestExercise/"
	wrong := 0
	for test := range passed {
		if name, ok := strings.CutPrefix(test, proof); ok && name != "stub" && name != "solution" {
			wrong++
		}
	}
	if !passed[proof+"stub"] || !passed[proof+"solution"] || wrong == 0 {
		problems = append(problems, fmt.Sprintf("the tests of %s do not prove it: a TestExercise that calls prove.Exercise is missing", e.Name))
	}
	return problems
}

// exists tells whether a file is there.
func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
