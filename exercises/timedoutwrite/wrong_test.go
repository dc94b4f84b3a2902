package timedoutwrite_test

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/timedoutwrite"
	"fencingtokens/exercises/timedoutwrite/stub"
	"fencingtokens/fencing"
)

type (
	client   = *fencing.Client
	lease    = fencing.Lease
	saveFunc = func(c client, l lease, value string) fencing.Outcome
)

const (
	ok      = fencing.OK
	fail    = fencing.Fail
	unknown = fencing.Unknown
)

func numbered(save saveFunc) timedoutwrite.Reaction {
	return timedoutwrite.Reaction{Numbered: true, Save: save}
}

func unnumbered(save saveFunc) timedoutwrite.Reaction { return timedoutwrite.Reaction{Save: save} }

func of(reaction timedoutwrite.Reaction) prove.Answer {
	return func(seed uint64) check.Result { return timedoutwrite.Evaluate(reaction, seed) }
}

func write(c client, l lease, value string) error { return c.Write(l.Lock, value, l.Token) }

func timedOut(err error) bool { return errors.Is(err, fencing.ErrTimeout) }

// once writes once and says so much of a time-out.
func once(onTimeout fencing.Outcome) saveFunc {
	return func(c client, l lease, value string) fencing.Outcome {
		switch err := write(c, l, value); {
		case err == nil:
			return ok
		case timedOut(err):
			return onTimeout
		}
		return fail
	}
}

// tries writes so often and says so much if all of them time out.
func tries(n int, then fencing.Outcome) saveFunc {
	return func(c client, l lease, value string) fencing.Outcome {
		known := fail
		for range n {
			err := write(c, l, value)
			if err == nil {
				return ok
			}
			if !timedOut(err) {
				return known
			}
			known = unknown
		}
		return then
	}
}

// afterRejection is the solution with another word for a rejection, by whether
// a write of the value has timed out before it.
func afterRejection(first, later fencing.Outcome) saveFunc {
	return func(c client, l lease, value string) fencing.Outcome {
		known := first
		for c.Holds(l) {
			err := write(c, l, value)
			if err == nil {
				return ok
			}
			if !timedOut(err) {
				return known
			}
			known = later
		}
		return unknown
	}
}

func TestExercise(t *testing.T) {
	prove.Exercise(t, of, stub.Reaction, Reaction, catalogue)
}

const (
	undisturbed = "without a fault every value is saved once"
	lostReply   = "the reply was lost"
	lostRequest = "the request was lost"
	lateRequest = "the request comes after the next write"
	rejection   = "a rejection is a no, and the end"
	after       = "a rejection after a time-out"
	outOfReach  = "the storage is out of reach until the lease has ended"
)

var catalogue = []prove.Wrong[timedoutwrite.Reaction]{
	{Name: "nothing at all", Check: undisturbed, Mistake: "nothing is written", Answer: numbered(func(client, lease, string) fencing.Outcome { return ok })},
	{Name: "never sure", Check: undisturbed, Mistake: "a yes not taken for one", Answer: numbered(func(c client, l lease, value string) fencing.Outcome {
		write(c, l, value)
		return unknown
	})},
	{Name: "every value twice to be on the safe side", Check: undisturbed, Mistake: "written more often than once", Answer: numbered(func(c client, l lease, value string) fencing.Outcome {
		write(c, l, value)
		write(c, l, value)
		return ok
	})},

	{Name: "timed out is not written", Check: lostReply, Mistake: "timed out taken for not written", Answer: numbered(once(fail))},
	{Name: "timed out, and given up", Check: lostReply, Mistake: "gives up while its lease runs", Answer: numbered(once(unknown))},
	{Name: "nothing said of a time-out", Check: lostReply, Mistake: "no outcome", Answer: numbered(once(fencing.None))},
	{Name: "its own first write taken for another's", Check: lostReply, Mistake: "a rejection taken for an answer to the first", Answer: unnumbered(func(c client, l lease, value string) fencing.Outcome {
		for c.Holds(l) {
			err := c.WriteIf(l.Lock, value, l.Token)
			if err == nil {
				return ok
			}
			if !timedOut(err) {
				return fail
			}
		}
		return unknown
	})},

	{Name: "timed out is written", Check: lostRequest, Mistake: "timed out taken for written", Answer: numbered(once(ok))},
	{Name: "read back, and not there is not written", Check: lostRequest, Mistake: "not there taken for not written", Answer: numbered(func(c client, l lease, value string) fencing.Outcome {
		if err := write(c, l, value); err == nil {
			return ok
		} else if !timedOut(err) {
			return fail
		}
		if now, err := c.Read(l.Lock); err != nil {
			return unknown
		} else if now == value {
			return ok
		}
		return fail
	})},
	{Name: "read back until it is there", Check: lostRequest, Mistake: "gives up while its lease runs", Answer: numbered(func(c client, l lease, value string) fencing.Outcome {
		if err := write(c, l, value); err == nil {
			return ok
		} else if !timedOut(err) {
			return fail
		}
		for c.Holds(l) {
			if now, _ := c.Read(l.Lock); now == value {
				return ok
			}
			c.Sleep(time.Second)
		}
		return unknown
	})},

	{Name: "sent again, without a number", Check: lateRequest, Mistake: "a late write undoes the next", Answer: unnumbered(Save)},
	{Name: "read back and sent again, without a number", Check: lateRequest, Mistake: "a late write undoes the next", Answer: unnumbered(func(c client, l lease, value string) fencing.Outcome {
		known := fail
		for c.Holds(l) {
			err := write(c, l, value)
			if err == nil {
				return ok
			}
			if !timedOut(err) {
				return known
			}
			known = unknown
			if now, _ := c.Read(l.Lock); now == value {
				return ok
			}
		}
		return known
	})},
	{Name: "sent again after a wait, without a number", Check: lateRequest, Mistake: "a late write undoes the next", Answer: unnumbered(func(c client, l lease, value string) fencing.Outcome {
		known := fail
		for c.Holds(l) {
			err := write(c, l, value)
			if err == nil {
				return ok
			}
			if !timedOut(err) {
				return known
			}
			known = unknown
			c.Sleep(5 * time.Second)
		}
		return known
	})},

	{Name: "tried again whatever the error", Check: rejection, Mistake: "goes on after a rejection", Answer: numbered(func(c client, l lease, value string) fencing.Outcome {
		for range 5 {
			if write(c, l, value) == nil {
				return ok
			}
		}
		return unknown
	})},
	{Name: "the lock's present token", Check: rejection, Mistake: "a token of another grant", Answer: numbered(func(c client, l lease, value string) fencing.Outcome {
		for range 5 {
			token, _ := c.CurrentToken(l.Lock)
			if c.Write(l.Lock, value, token) == nil {
				return ok
			}
		}
		return unknown
	})},
	{Name: "acquired anew after a rejection", Check: rejection, Mistake: "a token of another grant", Answer: numbered(func(c client, l lease, value string) fencing.Outcome {
		for range 5 {
			err := write(c, l, value)
			if err == nil {
				return ok
			}
			if errors.Is(err, fencing.ErrFenced) {
				l = c.Acquire(l.Lock)
			}
		}
		return unknown
	})},
	{Name: "not sure of a rejection", Check: rejection, Mistake: "a no not taken for one", Answer: numbered(afterRejection(unknown, unknown))},
	{Name: "success on a rejection", Check: rejection, Mistake: "a rejection taken for success", Answer: numbered(afterRejection(ok, unknown))},

	{Name: "a rejection of the second is a no to the first", Check: after, Mistake: "a rejection taken for an answer to the first", Answer: numbered(afterRejection(fail, fail))},
	{Name: "a rejection of the second is a yes to the first", Check: after, Mistake: "a guess", Answer: numbered(afterRejection(fail, ok))},

	{Name: "for ever", Check: outOfReach, Mistake: "sends on after its deadline", Answer: numbered(tries(1_000, unknown))},
	{Name: "three times, then no", Check: outOfReach, Mistake: "timed out taken for not written", Answer: numbered(tries(3, fail))},
	{Name: "three times, then yes", Check: outOfReach, Mistake: "a guess", Answer: numbered(tries(3, ok))},

	{Name: "a panic", Check: undisturbed, Mistake: "nil map", State: check.Panicked, Answer: numbered(func(c client, l lease, value string) fencing.Outcome {
		var saved map[string]bool
		saved[value] = true
		return ok
	})},
	{Name: "an exit", Check: undisturbed, Mistake: "ends its goroutine", Answer: numbered(func(client, lease, string) fencing.Outcome { runtime.Goexit(); return ok })},
}
