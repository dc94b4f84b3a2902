//go:build !windows

// Package learner shows a learner where they stand: which exercises are solved,
// hints, solutions, and the way back to a fresh cell.
package learner

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/answer"
	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/ipynb"
	"fencingtokens/notebooks/internal/judge"
)

// seed is the same every time, so that the same answer is in the same state.
const seed = 1

// status is where a learner stands with one exercise.
type status struct {
	exercises.Exercise
	State string
	Why   string // what to look at, if it has not passed
}

func (s status) points() int {
	if s.State == "passed" {
		return s.Points
	}
	return 0
}

// List prints where the learner stands with every exercise.
func List(ctx context.Context, c course.Course, out io.Writer) error {
	points, possible, passed := 0, 0, 0
	all := exercises.All()
	err := evaluate(ctx, c, all, out, func(s status) {
		fmt.Fprintf(out, "%-30s %-18s %-16s %d of %d  %s\n", s.Lesson, s.Name, s.State, s.points(), s.Points, s.Title)
		if s.Why != "" {
			fmt.Fprintf(out, "%-30s %s\n", "", s.Why)
		}
		points, possible = points+s.points(), possible+s.Points
		if s.State == "passed" {
			passed++
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d of %d points, %d of %d exercises passed.\n", points, possible, passed, len(all))
	fmt.Fprintln(out, "What counts is what the notebooks hold: save them first. `go run ./notebooks hint NAME` gives a hint.")
	return nil
}

// job is one exercise on its way to its status.
type job struct {
	status
	given judge.Given
	key   string // of the verdict that is kept
	built judge.Built
}

// evaluate finds the answers, judges those that it has not judged before, and
// hands on each status as soon as it is known, in order.
func evaluate(ctx context.Context, c course.Course, list []exercises.Exercise, out io.Writer, each func(status)) error {
	w, err := judge.NewWorkshop(c)
	if err != nil {
		return err
	}
	defer w.Close()
	var jobs []*job
	var fresh []judge.Given
	for _, e := range list {
		j, err := look(w, c, e)
		if err != nil {
			return err
		}
		if jobs = append(jobs, j); j.State == string(answer.Given) {
			fresh = append(fresh, j.given)
		}
	}
	if len(fresh) > 0 {
		fmt.Fprintf(out, "%s compiled and run: %s.\n\n", is(len(fresh), "answer is", "answers are"), names(fresh))
	}
	built, err := w.Build(ctx, "mine", fresh)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if i := slices.IndexFunc(built, func(b judge.Built) bool { return b.Exercise.Name == j.Name }); i >= 0 {
			if err := j.run(ctx, w, c, built[i]); err != nil {
				return err
			}
		}
		each(j.status)
	}
	return nil
}

func is(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func names(given []judge.Given) string {
	var list []string
	for _, g := range given {
		list = append(list, g.Exercise.Name)
	}
	return strings.Join(list, ", ")
}

// look finds the answer to one exercise. Its state is Given if it must be judged.
func look(w *judge.Workshop, c course.Course, e exercises.Exercise) (*job, error) {
	j := &job{status: status{Exercise: e}}
	stub, err := e.Stub(c.Root)
	if err != nil {
		return nil, err
	}
	n, err := read(c, e)
	if err != nil {
		j.State, j.Why = string(answer.Missing), err.Error()
		return j, nil
	}
	a := w.Find(n, e, stub)
	j.State, j.Why, j.given = string(a.State), a.Why, judge.Given{Exercise: e, Source: a.Source}
	switch a.State {
	case answer.Missing:
		j.Why = fmt.Sprintf("no cell declares %s; `go run ./notebooks reset %s` puts the cell back", e.Answer, e.Name)
	case answer.Given:
		j.key = fmt.Sprintf("%x", sha256.Sum256([]byte(w.Version+"\x00"+e.Name+"\x00"+e.Answer+"\x00"+a.Source)))
		if v, ok := kept(c, j.key); ok {
			j.decide(v)
		}
	}
	return j, nil
}

// read reads the learner's own copy of the exercise's lesson.
func read(c course.Course, e exercises.Exercise) (ipynb.Notebook, error) {
	file := c.Notebooks(e.Lesson + ".ipynb")
	data, err := os.ReadFile(file)
	if err != nil {
		return ipynb.Notebook{}, fmt.Errorf("there is no notebook %s", e.Lesson)
	}
	n, err := ipynb.Parse(data)
	if err != nil {
		return n, fmt.Errorf("%s.ipynb cannot be read: %w", e.Lesson, err)
	}
	return n, nil
}

func (j *job) run(ctx context.Context, w *judge.Workshop, c course.Course, b judge.Built) error {
	if b.Errors != "" {
		first, _, _ := strings.Cut(b.Errors, "\n")
		j.decide(judge.Verdict{State: string(answer.Broken), Mistake: first})
		return nil
	}
	v, err := w.Run(ctx, b, seed, false)
	if err != nil {
		return err
	}
	j.decide(v)
	if v.State == "timed out" { // which a busy machine may have done
		return nil
	}
	return keep(c, j.key, v)
}

func (j *job) decide(v judge.Verdict) {
	j.State = v.State
	switch {
	case v.State == string(answer.Broken):
		j.Why = v.Mistake
	case v.Check != "" && v.Mistake != "":
		j.Why = fmt.Sprintf("%s (%s)", v.Check, v.Mistake)
	default:
		j.Why = v.Check
	}
}

// kept is the verdict on an answer that was judged before. All that it depends
// on is in its key.
func kept(c course.Course, key string) (v judge.Verdict, ok bool) {
	data, err := os.ReadFile(c.Lab("answers", key+".json"))
	return v, err == nil && json.Unmarshal(data, &v) == nil && v.State != ""
}

func keep(c course.Course, key string, v judge.Verdict) error {
	data, err := json.Marshal(v)
	return errors.Join(err, os.MkdirAll(c.Lab("answers"), 0o755), ipynb.WriteFile(c.Lab("answers", key+".json"), data))
}

// named finds an exercise.
func named(name string) (exercises.Exercise, error) {
	var all []string
	for _, e := range exercises.All() {
		if e.Name == name {
			return e, nil
		}
		all = append(all, e.Name)
	}
	return exercises.Exercise{}, fmt.Errorf("there is no exercise %q; there are: %s", name, strings.Join(all, ", "))
}
