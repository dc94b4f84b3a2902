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
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.reaction)})
	}
	prove.Exercise(t, of(stub.Reaction), of(Reaction), wrong)
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

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	reaction             timedoutwrite.Reaction
}{
	{name: "nothing at all", check: undisturbed, mistake: "nothing is written", reaction: numbered(func(client, lease, string) fencing.Outcome { return ok })},
	{name: "never sure", check: undisturbed, mistake: "a yes not taken for one", reaction: numbered(func(c client, l lease, value string) fencing.Outcome {
		write(c, l, value)
		return unknown
	})},
	{name: "every value twice to be on the safe side", check: undisturbed, mistake: "written more often than once", reaction: numbered(func(c client, l lease, value string) fencing.Outcome {
		write(c, l, value)
		write(c, l, value)
		return ok
	})},

	{name: "timed out is not written", check: lostReply, mistake: "timed out taken for not written", reaction: numbered(once(fail))},
	{name: "timed out, and given up", check: lostReply, mistake: "gives up while its lease runs", reaction: numbered(once(unknown))},
	{name: "nothing said of a time-out", check: lostReply, mistake: "no outcome", reaction: numbered(once(fencing.None))},
	{name: "its own first write taken for another's", check: lostReply, mistake: "a rejection taken for an answer to the first", reaction: unnumbered(func(c client, l lease, value string) fencing.Outcome {
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

	{name: "timed out is written", check: lostRequest, mistake: "timed out taken for written", reaction: numbered(once(ok))},
	{name: "read back, and not there is not written", check: lostRequest, mistake: "not there taken for not written", reaction: numbered(func(c client, l lease, value string) fencing.Outcome {
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
	{name: "read back until it is there", check: lostRequest, mistake: "gives up while its lease runs", reaction: numbered(func(c client, l lease, value string) fencing.Outcome {
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

	{name: "sent again, without a number", check: lateRequest, mistake: "a late write undoes the next", reaction: unnumbered(Save)},
	{name: "read back and sent again, without a number", check: lateRequest, mistake: "a late write undoes the next", reaction: unnumbered(func(c client, l lease, value string) fencing.Outcome {
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
	{name: "sent again after a wait, without a number", check: lateRequest, mistake: "a late write undoes the next", reaction: unnumbered(func(c client, l lease, value string) fencing.Outcome {
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

	{name: "tried again whatever the error", check: rejection, mistake: "goes on after a rejection", reaction: numbered(func(c client, l lease, value string) fencing.Outcome {
		for range 5 {
			if write(c, l, value) == nil {
				return ok
			}
		}
		return unknown
	})},
	{name: "the lock's present token", check: rejection, mistake: "a token of another grant", reaction: numbered(func(c client, l lease, value string) fencing.Outcome {
		for range 5 {
			token, _ := c.CurrentToken(l.Lock)
			if c.Write(l.Lock, value, token) == nil {
				return ok
			}
		}
		return unknown
	})},
	{name: "acquired anew after a rejection", check: rejection, mistake: "a token of another grant", reaction: numbered(func(c client, l lease, value string) fencing.Outcome {
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
	{name: "not sure of a rejection", check: rejection, mistake: "a no not taken for one", reaction: numbered(afterRejection(unknown, unknown))},
	{name: "success on a rejection", check: rejection, mistake: "a rejection taken for success", reaction: numbered(afterRejection(ok, unknown))},

	{name: "a rejection of the second is a no to the first", check: after, mistake: "a rejection taken for an answer to the first", reaction: numbered(afterRejection(fail, fail))},
	{name: "a rejection of the second is a yes to the first", check: after, mistake: "a guess", reaction: numbered(afterRejection(fail, ok))},

	{name: "for ever", check: outOfReach, mistake: "sends on after its deadline", reaction: numbered(tries(1_000, unknown))},
	{name: "three times, then no", check: outOfReach, mistake: "timed out taken for not written", reaction: numbered(tries(3, fail))},
	{name: "three times, then yes", check: outOfReach, mistake: "a guess", reaction: numbered(tries(3, ok))},

	{name: "a panic", check: undisturbed, mistake: "nil map", state: check.Panicked, reaction: numbered(func(c client, l lease, value string) fencing.Outcome {
		var saved map[string]bool
		saved[value] = true
		return ok
	})},
	{name: "an exit", check: undisturbed, mistake: "ends its goroutine", reaction: numbered(func(client, lease, string) fencing.Outcome { runtime.Goexit(); return ok })},
}
