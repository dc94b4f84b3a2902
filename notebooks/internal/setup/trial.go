package setup

import (
	"context"
	"errors"
	"os"

	"fencingtokens/notebooks/internal/course"
	"fencingtokens/notebooks/internal/run"
)

// tryCell runs the first lesson: it proves that everything works together,
// and compiles what cells link, so that a learner's first cell is quick and
// needs no network.
func tryCell(ctx context.Context, c course.Course, t *task) error {
	lessons, err := c.Lessons(nil)
	if err != nil || len(lessons) == 0 {
		return err
	}
	folder, err := run.Folder(c)
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	result, err := run.Notebook(ctx, c, lessons[0], folder, 1)
	if err != nil {
		return err
	}
	if !result.OK() {
		return errors.New(result.Failure())
	}
	return nil
}
