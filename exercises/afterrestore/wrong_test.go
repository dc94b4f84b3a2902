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
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.answer)})
	}
	prove.Exercise(t, of(stub.Next), of(Next), wrong)
}

const (
	inCheck    = "the new holder is let in"
	oldCheck   = "an old holder’s late write is rejected"
	nextCheck  = "the next restore begins higher again"
	againCheck = "it can be computed again"
)

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               afterrestore.Answer
}{
	{name: "the backup’s counter, plus one", check: inCheck, mistake: "goes on from the backup", answer: func(r restore) uint64 { return r.Counter + 1 }},
	{name: "one again", check: inCheck, mistake: "goes on from the backup", answer: func(restore) uint64 { return 1 }},
	{name: "the fence of one storage", check: inCheck, mistake: "goes on from the backup", answer: func(r restore) uint64 { return slices.Min(r.Fences) + 1 }},
	{name: "nothing but in the example", check: inCheck, mistake: "no token", answer: func(r restore) uint64 {
		if r.Counter == afterrestore.Example.Counter && r.Generation == 1 {
			return 44
		}
		return 0
	}},
	{name: "the next above every fence", check: oldCheck, mistake: "one token for two holders", answer: func(r restore) uint64 {
		return slices.Max(r.Fences) + 1
	}},
	{name: "the highest fence", check: oldCheck, mistake: "above every fence, and not above every grant", answer: func(r restore) uint64 {
		return slices.Max(r.Fences)
	}},
	{name: "a thousand more than the backup", check: nextCheck, mistake: "no room for what will be granted", answer: func(r restore) uint64 { return r.Counter + 1_000 }},
	{name: "a million for each generation", check: nextCheck, mistake: "no room for what will be granted", answer: func(r restore) uint64 { return r.Generation * 1_000_000 }},
	{name: "the time of day", check: againCheck, mistake: "another token each time", answer: clock()},
	{name: "by chance, in the generation", check: againCheck, mistake: "another token each time", answer: func(r restore) uint64 { return r.Generation<<40 + rand.Uint64N(1<<30) }},

	{name: "a panic", check: inCheck, mistake: "index out of range", state: check.Panicked, answer: func(r restore) uint64 { return r.Fences[len(r.Fences)] }},
	{name: "an exit", check: inCheck, mistake: "ends its goroutine", answer: func(restore) uint64 { runtime.Goexit(); return 0 }},
}

// clock goes on by an hour whenever it is looked at.
func clock() afterrestore.Answer {
	now := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	return func(restore) uint64 {
		now = now.Add(time.Hour)
		return uint64(now.UnixNano())
	}
}
