package breakstorage_test

import (
	"runtime"
	"testing"
	"time"

	"fencingtokens/exercises/breakstorage"
	"fencingtokens/exercises/breakstorage/stub"
	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
)

type (
	target = breakstorage.Target
	writes = []breakstorage.Write
)

const (
	equal  = breakstorage.TakesEqual
	higher = breakstorage.TakesHigher
	steps  = breakstorage.InTwoSteps

	second = time.Second
)

func of(answer breakstorage.Answer) prove.Answer {
	return func(seed uint64) check.Result { return breakstorage.Evaluate(answer, seed) }
}

// against hands in writes for one storage and the right ones for the others.
func against(s breakstorage.Storage, w func(target) writes) breakstorage.Answer {
	return func(t target) writes {
		if t.Storage == s {
			return w(t)
		}
		return Break(t)
	}
}

func one(at time.Duration) breakstorage.Write { return breakstorage.Write{Client: "client 1", At: at} }
func two(at time.Duration) breakstorage.Write { return breakstorage.Write{Client: "client 2", At: at} }

// end is when client 2 is granted the lock.
func end(t target) time.Duration { return t.Start + t.Lease }

func TestExercise(t *testing.T) {
	prove.Exercise(t, of, stub.Break, Break, catalogue)
}

const (
	happens    = "every write can be made"
	equalFalls = "the storage that takes an equal token is broken"
	higherFall = "the storage that takes a higher token is broken"
	stepsFall  = "the storage that checks, then stores is broken"
	enough     = "two writes are enough"
)

var catalogue = []prove.Wrong[breakstorage.Answer]{
	{Name: "client 2 before its grant", Check: happens, Mistake: "before its grant", Answer: against(equal, func(t target) writes {
		return writes{one(t.Start), two(t.Start + second)}
	})},
	{Name: "the times of the first world", Check: happens, Mistake: "before its grant", Answer: func(target) writes {
		return writes{one(4 * second), two(19 * second)}
	}},
	{Name: "a third client", Check: happens, Mistake: "no such client", Answer: against(equal, func(t target) writes {
		return writes{{Client: "client 3", At: end(t)}}
	})},

	{Name: "only the other two", Check: equalFalls, Mistake: "no write yet", Answer: against(equal, func(target) writes { return nil })},
	{Name: "one write", Check: equalFalls, Mistake: "one write", Answer: against(equal, func(t target) writes { return writes{one(t.Start)} })},
	{Name: "an old holder against equality", Check: equalFalls, Mistake: "the old holder’s write", Answer: against(equal, func(t target) writes {
		return writes{two(end(t)), one(end(t) + second)}
	})},
	{Name: "the holder twice against equality", Check: equalFalls, Mistake: "the same token twice", Answer: against(equal, func(t target) writes {
		return writes{one(t.Start), one(t.Start + second)}
	})},
	{Name: "a stream of writes", Check: equalFalls, Mistake: "far too many writes", Answer: against(equal, func(t target) writes {
		var list writes
		for range 101 {
			list = append(list, one(t.Start))
		}
		return list
	})},

	{Name: "an old holder against higher", Check: higherFall, Mistake: "the old holder’s write", Answer: against(higher, func(t target) writes {
		return writes{two(end(t)), one(end(t) + second)}
	})},
	{Name: "a hand-over against higher", Check: higherFall, Mistake: "one after the other", Answer: against(higher, func(t target) writes {
		return writes{one(t.Start), two(end(t))}
	})},

	{Name: "the old write after the gap", Check: stepsFall, Mistake: "after the newer one was stored", Answer: against(steps, func(t target) writes {
		return writes{two(end(t)), one(end(t) + t.Gap + second)}
	})},
	{Name: "the old write first", Check: stepsFall, Mistake: "the old one first", Answer: against(steps, func(t target) writes {
		return writes{one(end(t)), two(end(t) + t.Gap/2)}
	})},
	{Name: "the holder twice against two steps", Check: stepsFall, Mistake: "one holder alone", Answer: against(steps, func(t target) writes {
		return writes{one(t.Start), one(t.Start + t.Gap)}
	})},

	{Name: "all that one can think of", Check: enough, Mistake: "more than two writes", Answer: against(higher, func(t target) writes {
		return writes{one(t.Start), one(t.Start + second), two(end(t))}
	})},

	{Name: "a panic", Check: happens, Mistake: "index out of range", State: check.Panicked, Answer: func(t target) writes {
		var made writes
		made[0] = one(t.Start)
		return made
	}},
	{Name: "an exit", Check: happens, Mistake: "ends its goroutine", Answer: func(target) writes { runtime.Goexit(); return nil }},
}
