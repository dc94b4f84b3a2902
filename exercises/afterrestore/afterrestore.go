package afterrestore

import (
	"testing"

	"fencingtokens/exercises/internal/check"
)

// Answer returns the first token to grant after a restore.
type Answer = func(Restore) uint64

// Check asks answer for several restores, runs them and reports what it found. A
// seed repeats a run; without one, the worlds are new every time.
func Check(t testing.TB, answer Answer, seed ...uint64) {
	t.Helper()
	task.Check(t, answer, seed...)
}

// Hint prints one of the three hints.
func Hint(n int) { task.Hint(n) }

// Evaluate judges without reporting.
func Evaluate(answer Answer, seed uint64) check.Result { return task.Evaluate(answer, seed) }

var task = check.Task[Answer]{Exercise: exercise, Attempted: attempted, Checks: checks}

func attempted(answer Answer) bool { return answer != nil && answer(Example) != 0 }

var exercise = check.Exercise{
	Name: "afterrestore",
	Todo: "Return the first token in Next, run its cell, then run this one again.",
	Call: "afterrestore.Check(t, Next, %d)",
	Right: "the generation rises with every restore and stands in front of the counter, so every token of a later generation is higher than every one before, whether or not anybody still knows of it. " +
		"That is what the epoch, term or generation of real systems is for.",
	Hints: []string{
		"Which numbers must the new token be higher than? Which of them do you know, and which can nobody know any more?",
		"A grant after the backup, to a client that has not written yet, is in no counter and in no fence. The only number that is sure to have risen since is the generation. How can it weigh more than any counter?",
		"Tokens have 64 bits. Put the generation into the upper 32 and let the counter begin at 1 in the lower ones: r.Generation<<32 + 1.",
	},
}

func checks(answer Answer, seed uint64) []check.Check {
	rules := []check.Rule[*attempt]{
		{Name: "the new holder is let in", Judge: letIn},
		{Name: "an old holder’s late write is rejected", Judge: oldRejected},
		{Name: "the next restore begins higher again", Judge: nextIsHigher},
		{Name: "it can be computed again", Judge: sameAgain},
	}
	return check.Each(rules, func(_ int, rule func(*attempt) check.Finding) check.Finding { return judge(answer, seed, rule) })
}
