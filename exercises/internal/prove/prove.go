// Package prove is for the tests of exercises: it proves that a stub counts as
// not attempted, that the solution passes, and that every known wrong answer is
// stopped by its own check with its own message.
package prove

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/exercises/internal/check"
)

// seeds is how many runs everything must hold for: an answer's outcome may not
// depend on what was drawn.
const seeds = 10

// Answer evaluates one answer with a seed.
type Answer func(seed uint64) check.Result

// Wrong is a wrong answer and what must be said of it.
type Wrong[A any] struct {
	Name    string // what the answer does
	Check   string // the check that stops it: the first that does not pass
	Mistake string
	State   check.State // left out: failed
	Answer  A
}

// Exercise proves the stub, the solution and the catalogue of wrong answers. A
// check that no wrong answer meets first may be one that can never fail, so that
// is an error too; and so is one message for two mistakes.
func Exercise[A any](t *testing.T, of func(A) Answer, stub, solution A, wrong []Wrong[A]) {
	t.Run("stub", func(t *testing.T) { notAttempted(t, of(stub)) })
	t.Run("solution", func(t *testing.T) { passes(t, of(solution)) })
	stops := map[string]bool{}
	thinks := map[string]string{}
	for _, w := range wrong {
		t.Run(w.Name, func(t *testing.T) {
			for seed := range uint64(seeds) {
				f := w.fails(t, of(w.Answer)(seed), seed)
				stops[f.Check] = true
				other, known := thinks[f.Think]
				require.True(t, !known || other == f.Mistake, "the mistakes %q and %q have one message", other, f.Mistake)
				thinks[f.Think] = f.Mistake
			}
		})
	}
	for _, f := range of(stub)(0).Findings {
		assert.True(t, stops[f.Check], "no wrong answer is stopped by %q", f.Check)
	}
}

// OthersPass proves that answers other than the solution pass with so many seeds.
func OthersPass[A any](t *testing.T, of func(A) Answer, seeds uint64, right map[string]A) {
	for name, answer := range right {
		for seed := range seeds {
			f, failed := of(answer)(seed).First()
			require.False(t, failed, "%s, seed %d: %s: %s: %s %v", name, seed, f.Check, f.Mistake, f.Got, f.Events)
		}
	}
}

// Cell proves the three states of the notebook's cell with the exercise's own
// Check: untouched, without an answer, and solved.
func Cell[A any](t *testing.T, check func(t testing.TB, answer A, seed ...uint64), stub, solution A) {
	t.Run("untouched", func(t *testing.T) {
		t.Cleanup(func() { assert.True(t, t.Skipped(), "an untouched notebook must run to its end") })
		check(t, stub)
	})
	t.Run("no answer", func(t *testing.T) {
		t.Cleanup(func() { assert.True(t, t.Skipped()) })
		var none A
		check(t, none)
	})
	t.Run("solved", func(t *testing.T) { check(t, solution) })
}

func notAttempted(t *testing.T, stub Answer) {
	r := stub(0)
	require.Equal(t, check.NotAttempted, r.State)
	require.NotEmpty(t, r.Findings, "the manifest of checks is known without an answer")
	for _, f := range r.Findings {
		assert.Equal(t, check.NotAttempted, f.State, f.Check)
	}
}

func passes(t *testing.T, solution Answer) {
	for seed := range uint64(seeds) {
		r := solution(seed)
		first, failed := r.First()
		require.Falsef(t, failed, "seed %d: %s: %+v", seed, first.Check, first)
		require.Equal(t, check.Passed, r.State)
		for _, f := range r.Findings {
			assert.NotEmpty(t, f.Got, "%q says what it showed", f.Check)
		}
	}
}

// fails proves that the answer is stopped where and as it must be, and returns
// the finding.
func (w Wrong[A]) fails(t *testing.T, r check.Result, seed uint64) check.Finding {
	t.Helper()
	state := w.State
	if state == check.NotAttempted {
		state = check.Failed
	}
	f, ok := r.First()
	require.True(t, ok, "seed %d: this wrong answer passes", seed)
	require.Equal(t, []any{w.Check, state, w.Mistake}, []any{f.Check, f.State, f.Mistake}, "seed %d: %+v", seed, f)
	require.Equal(t, state, r.State)
	for name, text := range map[string]string{"tried": f.Tried, "expected": f.Expected, "got": f.Got, "think": f.Think} {
		require.NotEmpty(t, text, "seed %d: %s says nothing of what was %s", seed, f.Check, name)
	}
	return f
}
