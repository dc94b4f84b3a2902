package afterrestore_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"fencingtokens/exercises/afterrestore"
	"fencingtokens/exercises/afterrestore/stub"
	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
)

type restore = afterrestore.Restore

func of(answer afterrestore.Answer) prove.Answer {
	return func(seed uint64) check.Result { return afterrestore.Evaluate(answer, seed) }
}

func TestExercise(t *testing.T) {
	prove.Exercise(t, of, stub.Next, Next, catalogue)
}

const (
	inCheck    = "the new holder is let in"
	oldCheck   = "an old holder’s late write is rejected"
	nextCheck  = "the next restore begins higher again"
	againCheck = "it can be computed again"
)

var catalogue = []prove.Wrong[afterrestore.Answer]{
	{Name: "the backup’s counter, plus one", Check: inCheck, Mistake: "goes on from the backup", Answer: func(r restore) uint64 { return r.Counter + 1 }},
	{Name: "one again", Check: inCheck, Mistake: "goes on from the backup", Answer: func(restore) uint64 { return 1 }},
	{Name: "the fence of one storage", Check: inCheck, Mistake: "goes on from the backup", Answer: func(r restore) uint64 { return slices.Min(r.Fences) + 1 }},
	{Name: "nothing but in the example", Check: inCheck, Mistake: "no token", Answer: func(r restore) uint64 {
		if r.Counter == afterrestore.Example.Counter && r.Generation == 1 {
			return 44
		}
		return 0
	}},
	{Name: "the next above every fence", Check: oldCheck, Mistake: "one token for two holders", Answer: func(r restore) uint64 {
		return slices.Max(r.Fences) + 1
	}},
	{Name: "the highest fence", Check: oldCheck, Mistake: "above every fence, and not above every grant", Answer: func(r restore) uint64 {
		return slices.Max(r.Fences)
	}},
	{Name: "a thousand more than the backup", Check: nextCheck, Mistake: "no room for what will be granted", Answer: func(r restore) uint64 { return r.Counter + 1_000 }},
	{Name: "a million for each generation", Check: nextCheck, Mistake: "no room for what will be granted", Answer: func(r restore) uint64 { return r.Generation * 1_000_000 }},
	{Name: "the time of day", Check: againCheck, Mistake: "another token each time", Answer: clock()},
	{Name: "by chance, in the generation", Check: againCheck, Mistake: "another token each time", Answer: func(r restore) uint64 { return r.Generation<<40 + rand.Uint64N(1<<30) }},

	{Name: "a panic", Check: inCheck, Mistake: "index out of range", State: check.Panicked, Answer: func(r restore) uint64 { return r.Fences[len(r.Fences)] }},
	{Name: "an exit", Check: inCheck, Mistake: "ends its goroutine", Answer: func(restore) uint64 { runtime.Goexit(); return 0 }},
}

// clock goes on by an hour whenever it is looked at.
func clock() afterrestore.Answer {
	now := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	return func(restore) uint64 {
		now = now.Add(time.Hour)
		return uint64(now.UnixNano())
	}
}
