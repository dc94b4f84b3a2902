package setup

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/notebooks/internal/course"
)

func emptyCourse(t *testing.T) course.Course {
	t.Helper()
	c := course.Course{Root: t.TempDir()}
	require.NoError(t, os.MkdirAll(c.Lab("stamps"), 0o755))
	return c
}

// counting is a step that counts its runs and fails as often as told.
func counting(id string, fails int, after ...*step) (*step, *int) {
	runs := 0
	return &step{id: id, name: id, key: "as it was", after: after,
		do: func(context.Context, course.Course, *task) error {
			runs++
			if runs <= fails {
				return errors.New("not yet")
			}
			return nil
		}}, &runs
}

func do(c course.Course, steps ...*step) error {
	return runSteps(context.Background(), c, steps, io.Discard)
}

func TestAHalfFinishedSetUpGoesOnWhereItWas(t *testing.T) {
	c := emptyCourse(t)
	first, firstRuns := counting("first", 0)
	second, secondRuns := counting("second", 1, first)
	third, thirdRuns := counting("third", 0, second)
	assert.EqualError(t, do(c, first, second, third), "second: not yet")
	assert.NoError(t, do(c, first, second, third))
	assert.NoError(t, do(c, first, second, third))
	assert.Equal(t, []int{1, 2, 1}, []int{*firstRuns, *secondRuns, *thirdRuns})
}

func TestAStepIsDoneAnewWhenWhatItDependsOnChanges(t *testing.T) {
	c := emptyCourse(t)
	s, runs := counting("step", 0)
	require.NoError(t, do(c, s))
	s.key = "changed"
	require.NoError(t, do(c, s))
	assert.Equal(t, 2, *runs)
}

func TestAStepIsDoneAnewWhenWhatItMadeIsGone(t *testing.T) {
	c := emptyCourse(t)
	s, runs := counting("step", 0)
	s.made = []string{c.Lab("made")}
	require.NoError(t, do(c, s))
	assert.False(t, s.done(c), "it made nothing")
	require.NoError(t, os.WriteFile(c.Lab("made"), nil, 0o644))
	assert.True(t, s.done(c))
	assert.Equal(t, 1, *runs)
}

func TestAStoppedSetUpSaysThatItGoesOn(t *testing.T) {
	c := emptyCourse(t)
	ctx, interrupt := context.WithCancelCause(context.Background())
	s, _ := counting("step", 0)
	s.do = func(ctx context.Context, _ course.Course, _ *task) error {
		interrupt(errors.New("interrupt signal received")) // as signal.NotifyContext says
		<-ctx.Done()
		return ctx.Err()
	}
	err := runSteps(ctx, c, []*step{s}, io.Discard)
	assert.EqualError(t, err, "set-up was stopped; the same command goes on where it was")
}

func TestAMovedFolderRenewsTheKernelAndNothingThatNeedsANetwork(t *testing.T) {
	here, there := course.Course{Root: "/here"}, course.Course{Root: "/there"}
	var changed []string
	after := steps(there)
	for i, before := range steps(here) {
		if before.key != after[i].key {
			changed = append(changed, before.id)
		}
	}
	assert.Equal(t, []string{"kernelspec", "trial"}, changed)
}

func TestTheFirstLessonDoesNotWaitForWhatRealSystemsNeed(t *testing.T) {
	c := emptyCourse(t)
	before := steps(c)
	require.NoError(t, os.MkdirAll(filepath.Join(c.Root, course.Systems), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(c.Root, course.Systems, "go.mod"), []byte("module m\n"), 0o644))
	var changed []string
	for i, after := range steps(c) {
		if before[i].key != after.key {
			changed = append(changed, after.id)
		}
	}
	assert.Equal(t, []string{"systems"}, changed)
	for _, s := range firstSteps(c) {
		assert.NotEqual(t, "systems", s.id)
	}
}

func TestTwoSetUpsWaitForOneAnother(t *testing.T) {
	c := emptyCourse(t)
	unlock, err := lock(t.Context(), c.Lab("lock"), io.Discard)
	require.NoError(t, err)
	var said strings.Builder
	entered := make(chan error)
	go func() {
		second, err := lock(t.Context(), c.Lab("lock"), &said)
		if err == nil {
			err = second()
		}
		entered <- err
	}()
	select {
	case <-entered:
		require.Fail(t, "two are inside")
	case <-time.After(500 * time.Millisecond):
	}
	require.NoError(t, unlock())
	require.NoError(t, <-entered)
	assert.Contains(t, said.String(), "Another set-up runs in this folder")
}

func TestAUsersGoFlagsAreKeptWhereCellsCanUseThem(t *testing.T) {
	for theirs, want := range map[string]string{
		"-trimpath":                    "-trimpath -ldflags=-w",
		"-mod=mod -trimpath":           "-trimpath -ldflags=-w",
		"-ldflags=-s":                  "-ldflags=-s",
		"-buildvcs=false --mod=vendor": "-buildvcs=false -ldflags=-w",
	} {
		t.Setenv("GOFLAGS", theirs)
		assert.Equal(t, want, buildFlags(), theirs)
	}
}

func TestRequirementsAreHashedAndNameNoHost(t *testing.T) {
	for _, file := range []string{"requirements.txt", "requirements-npm.txt"} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Contains(t, string(data), "--hash=sha256:")
		assert.NotContains(t, string(data), "://")
	}
}
