package setup

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fencingtokens/notebooks/internal/course"
)

// A step makes one thing that the course needs.
type step struct {
	id    string // names its stamp
	name  string
	key   string      // of all that the result depends on
	made  []string    // files that are there once it is done
	valid func() bool // where that the files are there is not enough
	after []*step
	do    func(context.Context, course.Course, *task) error
	ended chan struct{}
}

// key is short for its parts.
func key(parts ...string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(parts, "\x00"))))[:16]
}

func (s *step) stamp(c course.Course) string {
	return c.Lab("stamps", s.id)
}

func (s *step) done(c course.Course) bool {
	data, err := os.ReadFile(s.stamp(c))
	if err != nil || string(data) != s.key {
		return false
	}
	for _, file := range s.made {
		if _, err := os.Stat(file); err != nil {
			return false
		}
	}
	return s.valid == nil || s.valid()
}

// run takes the old stamp away first, so that a step stopped half-way is
// never taken for a finished one.
func (s *step) run(ctx context.Context, c course.Course, t *task) error {
	if err := os.RemoveAll(s.stamp(c)); err != nil {
		return err
	}
	if err := s.do(ctx, c, t); err != nil {
		return err
	}
	return writeFile(s.stamp(c), []byte(s.key))
}

// writeFile leaves either the whole file or the one before.
func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", data, 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

func allDone(c course.Course, all []*step) bool {
	return !slices.ContainsFunc(all, func(s *step) bool { return !s.done(c) })
}

// runSteps ends with the first failure; the others are stopped, as the same
// command goes on with them.
func runSteps(caller context.Context, c course.Course, all []*step, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(caller)
	defer cancel(nil)
	show := newProgress(out, len(all))
	defer show.stop()
	for _, s := range all {
		s.ended = make(chan struct{})
	}
	for _, s := range all {
		go func() {
			defer close(s.ended)
			if err := s.await(ctx, c, show.task(s.name)); err != nil && ctx.Err() == nil {
				cancel(fmt.Errorf("%s: %w", s.name, err))
			}
		}()
	}
	for _, s := range all {
		<-s.ended
	}
	if caller.Err() != nil {
		return errors.New("set-up was stopped; the same command goes on where it was")
	}
	return context.Cause(ctx)
}

func (s *step) await(ctx context.Context, c course.Course, t *task) error {
	for _, before := range s.after {
		<-before.ended
	}
	if ctx.Err() != nil {
		return nil
	}
	if s.done(c) {
		t.ready()
		return nil
	}
	t.start()
	err := s.run(ctx, c, t)
	t.finish(err)
	return err
}
