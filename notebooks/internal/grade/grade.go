//go:build !windows

package grade

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"fencingtokens/exercises"
	"fencingtokens/notebooks/internal/answer"
	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/ipynb"
	"fencingtokens/notebooks/internal/judge"
)

// The states that grading adds to those of answers and of judging.
const (
	unreadable = "unreadable"
	notJudged  = "not judged"
	passed     = "passed"
	timedOut   = "timed out"
)

// Options say where the table goes, and what is drawn.
type Options struct {
	Out  string
	Seed uint64
}

// row is a student's.
type row struct {
	*submission
	results []result // in the order of the exercises
}

// result is a student's of one exercise.
type result struct {
	judge.Verdict
	built judge.Built
}

// class is what all students are graded with.
type class struct {
	Options
	*judge.Workshop
	exercises []exercises.Exercise
	stubs     map[string]string
}

// Class grades what is handed in in the folder dir, writes the table, and prints
// how it goes and what came of it.
func Class(ctx context.Context, c course.Course, dir string, o Options, out io.Writer) error {
	if err := mayWrite(o.Out); err != nil {
		return err
	}
	all, ignored, err := submissions(dir)
	if err != nil {
		return err
	}
	for _, name := range ignored {
		fmt.Fprintf(out, "%s is no folder, notebook or zip file, and is left out.\n", name)
	}
	begin := time.Now()
	g, err := newClass(c, o)
	if err != nil {
		return err
	}
	defer g.Close()
	files, err := c.Lessons(nil)
	if err != nil {
		return err
	}
	known, err := knownLessons(files)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d students, %d exercises. Making ready ...\n", len(all), len(g.exercises))
	if err := g.Isolate(ctx); err != nil {
		return err
	}
	fmt.Fprintln(out, g.Isolation)
	rows := g.judgeAll(ctx, all, known, out)
	if ctx.Err() != nil {
		return fmt.Errorf("stopped: %s was not written", o.Out)
	}
	if err := ipynb.WriteFile(o.Out, g.table(rows)); err != nil {
		return err
	}
	g.summary(out, rows)
	fmt.Fprintf(out, "\nWritten: %s (%.0f s)\n", o.Out, time.Since(begin).Seconds())
	return failures(rows)
}

func mayWrite(file string) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is there and is no file: choose another with --out", file)
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no folder %s to write %s into: make it first, or choose another with --out", filepath.Dir(file), filepath.Base(file))
	}
	return nil
}

func newClass(c course.Course, o Options) (*class, error) {
	g := &class{Options: o, exercises: exercises.All(), stubs: map[string]string{}}
	for _, e := range g.exercises {
		stub, err := e.Stub(c.Root)
		if err != nil {
			return nil, err
		}
		g.stubs[e.Name] = stub
	}
	w, err := judge.NewWorkshop(c)
	g.Workshop = w
	return g, err
}

// judgeAll judges as many students at once as there are cores.
func (g *class) judgeAll(ctx context.Context, all []*submission, known lessons, out io.Writer) []row {
	rows := make([]row, len(all))
	next := make(chan int)
	var print sync.Mutex
	var done int
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() {
			for i := range next {
				rows[i] = g.student(ctx, all[i], fmt.Sprintf("s%d", i), known)
				print.Lock()
				done++
				fmt.Fprintf(out, "[%d/%d] %s: %d points\n", done, len(all), all[i].student, g.points(rows[i]))
				print.Unlock()
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	workers.Wait()
	for i := range rows {
		g.again(ctx, rows[i])
	}
	return rows
}

// student judges one; whatever happens, there is a row.
func (g *class) student(ctx context.Context, s *submission, folder string, known lessons) row {
	for i := range s.books {
		s.books[i].lesson = known.of(s.books[i])
	}
	r := row{s, make([]result, len(g.exercises))}
	var given []judge.Given
	for i, e := range g.exercises {
		a := g.find(s, e)
		r.results[i].State, r.results[i].Mistake = string(a.State), a.Why
		if a.State == answer.Given {
			r.results[i].State = notJudged
			given = append(given, judge.Given{Exercise: e, Source: a.Source})
		}
	}
	built, err := g.Build(ctx, folder, given)
	if err != nil {
		s.note("%v", err)
		return r
	}
	keep := false
	for _, b := range built {
		i := slices.IndexFunc(g.exercises, func(e exercises.Exercise) bool { return e.Name == b.Exercise.Name })
		r.results[i] = g.run(ctx, s, b)
		keep = keep || r.results[i].State == timedOut
	}
	if !keep {
		_ = g.Forget(folder) // else the end of the workshop is
	}
	return r
}

// find looks for the answer in what a student handed in.
func (g *class) find(s *submission, e exercises.Exercise) answer.Answer {
	best := answer.Answer{State: answer.Missing}
	for _, b := range s.of(e.Lesson) {
		a := g.Find(b.Notebook, e, g.stubs[e.Name])
		switch {
		case a.State == answer.Missing:
		case a.State == answer.NotAttempted:
			if best.State == answer.Missing {
				best = a
			}
		case best.State == answer.Missing || best.State == answer.NotAttempted:
			best = a
		default:
			s.note("%s is answered in more than one notebook, and %s is not the one that counts", e.Name, b.name)
		}
	}
	if best.State == answer.Missing && s.unreadable {
		best.State = unreadable
	}
	return best
}

func (g *class) run(ctx context.Context, s *submission, b judge.Built) result {
	if b.Errors != "" {
		first, _, _ := strings.Cut(b.Errors, "\n")
		return result{Verdict: judge.Verdict{State: string(answer.Broken), Mistake: first}}
	}
	v, err := g.Run(ctx, b, g.Seed, true)
	if err != nil {
		s.note("%s: %v", b.Exercise.Name, err)
		v.State = notJudged
	}
	return result{v, b}
}

// again judges once more, alone, what timed out.
func (g *class) again(ctx context.Context, r row) {
	for i, res := range r.results {
		if res.State == timedOut && ctx.Err() == nil {
			r.results[i] = g.run(ctx, r.submission, res.built)
		}
	}
}

func (g *class) points(r row) (sum int) {
	for i, res := range r.results {
		if res.State == passed {
			sum += g.exercises[i].Points
		}
	}
	return sum
}

// failures are those of the machine.
func failures(rows []row) error {
	var students []string
	for _, r := range rows {
		if slices.ContainsFunc(r.results, func(res result) bool { return res.State == notJudged }) {
			students = append(students, r.student)
		}
	}
	if len(students) == 0 {
		return nil
	}
	return errors.New("some answers could not be judged (the table's notes say why), so grade again: " + strings.Join(students, ", "))
}
