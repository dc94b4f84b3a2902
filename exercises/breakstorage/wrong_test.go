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
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.answer)})
	}
	prove.Exercise(t, of(stub.Break), of(Break), wrong)
}

const (
	happens    = "every write can be made"
	equalFalls = "the storage that takes an equal token is broken"
	higherFall = "the storage that takes a higher token is broken"
	stepsFall  = "the storage that checks, then stores is broken"
	enough     = "two writes are enough"
)

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               breakstorage.Answer
}{
	{name: "client 2 before its grant", check: happens, mistake: "before its grant", answer: against(equal, func(t target) writes {
		return writes{one(t.Start), two(t.Start + second)}
	})},
	{name: "the times of the first world", check: happens, mistake: "before its grant", answer: func(target) writes {
		return writes{one(4 * second), two(19 * second)}
	}},
	{name: "a third client", check: happens, mistake: "no such client", answer: against(equal, func(t target) writes {
		return writes{{Client: "client 3", At: end(t)}}
	})},

	{name: "only the other two", check: equalFalls, mistake: "no write yet", answer: against(equal, func(target) writes { return nil })},
	{name: "one write", check: equalFalls, mistake: "one write", answer: against(equal, func(t target) writes { return writes{one(t.Start)} })},
	{name: "an old holder against equality", check: equalFalls, mistake: "the old holder’s write", answer: against(equal, func(t target) writes {
		return writes{two(end(t)), one(end(t) + second)}
	})},
	{name: "the holder twice against equality", check: equalFalls, mistake: "the same token twice", answer: against(equal, func(t target) writes {
		return writes{one(t.Start), one(t.Start + second)}
	})},
	{name: "a stream of writes", check: equalFalls, mistake: "far too many writes", answer: against(equal, func(t target) writes {
		var list writes
		for range 101 {
			list = append(list, one(t.Start))
		}
		return list
	})},

	{name: "an old holder against higher", check: higherFall, mistake: "the old holder’s write", answer: against(higher, func(t target) writes {
		return writes{two(end(t)), one(end(t) + second)}
	})},
	{name: "a hand-over against higher", check: higherFall, mistake: "one after the other", answer: against(higher, func(t target) writes {
		return writes{one(t.Start), two(end(t))}
	})},

	{name: "the old write after the gap", check: stepsFall, mistake: "after the newer one was stored", answer: against(steps, func(t target) writes {
		return writes{two(end(t)), one(end(t) + t.Gap + second)}
	})},
	{name: "the old write first", check: stepsFall, mistake: "the old one first", answer: against(steps, func(t target) writes {
		return writes{one(end(t)), two(end(t) + t.Gap/2)}
	})},
	{name: "the holder twice against two steps", check: stepsFall, mistake: "one holder alone", answer: against(steps, func(t target) writes {
		return writes{one(t.Start), one(t.Start + t.Gap)}
	})},

	{name: "all that one can think of", check: enough, mistake: "more than two writes", answer: against(higher, func(t target) writes {
		return writes{one(t.Start), one(t.Start + second), two(end(t))}
	})},

	{name: "a panic", check: happens, mistake: "index out of range", state: check.Panicked, answer: func(t target) writes {
		var made writes
		made[0] = one(t.Start)
		return made
	}},
	{name: "an exit", check: happens, mistake: "ends its goroutine", answer: func(target) writes { runtime.Goexit(); return nil }},
}
