package renewingworker_test

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/renewingworker"
	"fencingtokens/exercises/renewingworker/stub"
	"fencingtokens/fencing"
)

type (
	client = *fencing.Client
	job    = renewingworker.Job
)

func of(worker renewingworker.Worker) prove.Answer {
	return func(seed uint64) check.Result { return renewingworker.Evaluate(worker, seed) }
}

// habits are the solution's ways that an answer may have otherwise.
type habits struct {
	often     bool // renews when less than two thirds of the lease are left, and not half of it
	last      bool // renews when less is left than the next part needs
	every     bool // renews before every part
	fromReply bool // counts the deadline from the reply
	fromGrant bool // begins with the deadline that came with the grant
	onTimeout bool // takes a time-out for a renewal
	strict    bool // takes a time-out for a refusal
	deaf      bool // takes a refusal for a time-out
	before    bool // looks at the deadline before the work and not after it
	blind     bool // does not look at the deadline at all
	unheard   bool // does not look at a write's error
	anew      bool // acquires anew when the lease is lost
	idle      bool // leaves the work out
	early     bool // stops when 5 s of a lease are used up
	again     bool // asks again at once after a time-out
	byHolds   bool // asks Holds in place of its own deadline
}

func (h habits) work(c client, j job) error {
	deadline := j.Asked + j.Length
	if h.fromGrant {
		deadline = j.Lease.Until
	}
	over := func() bool {
		switch {
		case h.byHolds:
			return !c.Holds(j.Lease)
		case h.early:
			return deadline-c.Now() < j.Length-5*time.Second
		}
		return !h.blind && c.Now() >= deadline
	}
	for n := range j.Parts {
		if deadline-c.Now() < h.needed(j) {
			if err := h.renew(c, &j, &deadline); err != nil {
				return err
			}
		}
		if h.before && over() {
			return fencing.ErrLeaseLost
		}
		if !h.idle {
			c.Work(j.Part)
		}
		if !h.before && over() {
			return fencing.ErrLeaseLost
		}
		if err := c.Write(j.Lease.Lock, j.Value(n), j.Lease.Token); err != nil && !h.unheard {
			return err
		}
	}
	return nil
}

// needed is how much of the lease must be left, so that it does not renew.
func (h habits) needed(j job) time.Duration {
	switch {
	case h.every:
		return 2 * j.Length
	case h.often:
		return j.Length * 2 / 3
	case h.last:
		return j.Part + time.Second/2
	}
	return j.Length / 2
}

func (h habits) renew(c client, j *job, deadline *time.Duration) error {
	sent := c.Now()
	err := c.Renew(j.Lease)
	for h.again && errors.Is(err, fencing.ErrTimeout) && c.Now() < *deadline {
		sent = c.Now()
		err = c.Renew(j.Lease)
	}
	lost := errors.Is(err, fencing.ErrLeaseLost)
	switch {
	case lost && h.anew:
		sent = c.Now()
		j.Lease = c.Acquire(j.Lease.Lock)
	case lost && !h.deaf, err != nil && h.strict:
		return err
	case err != nil && !h.onTimeout:
		return nil
	}
	if h.fromReply {
		sent = c.Now()
	}
	*deadline = sent + j.Length
	return nil
}

func TestExercise(t *testing.T) {
	prove.Exercise(t, of, stub.Renewing, Renewing, catalogue)
}

const (
	done      = "undisturbed, the job is done"
	budget    = "within the budget of renewals"
	noAnswer  = "a renewal without an answer ends nothing"
	paused    = "no write after a pause past the deadline"
	cutOff    = "cut off from the lock service, it stops at its deadline"
	slowReply = "the deadline counts from before the request"
	refused   = "a refused renewal ends the job"
	fenced    = "a fenced write ends the job"
)

var catalogue = []prove.Wrong[renewingworker.Worker]{
	{Name: "never renewed", Check: done, Mistake: "never renews", Answer: func(c client, j job) error {
		for n := range j.Parts {
			c.Work(j.Part)
			if err := c.Write(j.Lease.Lock, j.Value(n), j.Lease.Token); err != nil {
				return err
			}
		}
		return nil
	}},
	{Name: "renewed when a write is fenced", Check: done, Mistake: "renews too late", Answer: func(c client, j job) error {
		for n := range j.Parts {
			c.Work(j.Part)
			if err := c.Write(j.Lease.Lock, j.Value(n), j.Lease.Token); err != nil {
				if err := c.Renew(j.Lease); err != nil {
					return err
				}
			}
		}
		return nil
	}},
	{Name: "done in no time", Check: done, Mistake: "the work is left out", Answer: habits{idle: true}.work},
	{Name: "a deadline that is always past", Check: done, Mistake: "stops without a reason", Answer: habits{early: true}.work},
	{Name: "one part only", Check: done, Mistake: "says that it is done", Answer: func(c client, j job) error {
		c.Work(j.Part)
		return c.Write(j.Lease.Lock, j.Value(0), j.Lease.Token)
	}},
	{Name: "an error when all is done", Check: done, Mistake: "done, and an error all the same", Answer: func(c client, j job) error {
		if err := Renewing(c, j); err != nil {
			return err
		}
		return errors.New("done")
	}},

	{Name: "renewed before every part", Check: budget, Mistake: "renews more often than it need", Answer: habits{every: true}.work},
	{Name: "a watchdog every second", Check: budget, Mistake: "renews more often than it need", Answer: func(c client, j job) error {
		c.KeepAlive(j.Lease, time.Second)
		for n := range j.Parts {
			c.Work(j.Part)
			if !c.Holds(j.Lease) {
				return fencing.ErrLeaseLost
			}
			if err := c.Write(j.Lease.Lock, j.Value(n), j.Lease.Token); err != nil {
				return err
			}
		}
		return nil
	}},

	{Name: "given up at the first time-out", Check: noAnswer, Mistake: "gives up at a time-out", Answer: habits{strict: true}.work},
	{Name: "renewed at the last moment", Check: noAnswer, Mistake: "renews too late to try again", Answer: habits{last: true}.work},
	{Name: "a time-out taken for a renewal", Check: noAnswer, Mistake: "a time-out moves the deadline", Answer: habits{onTimeout: true}.work},

	{Name: "looked at the deadline before the work only", Check: paused, Mistake: "no look before the write", Answer: habits{before: true}.work},
	{Name: "no deadline at all", Check: paused, Mistake: "no look before the write", Answer: habits{blind: true}.work},

	{Name: "a time-out taken for a renewal, and asked often", Check: cutOff, Mistake: "a time-out moves the deadline", Answer: habits{onTimeout: true, often: true}.work},

	{Name: "counted from the reply", Check: slowReply, Mistake: "the deadline counted from the reply", Answer: habits{fromReply: true}.work},
	{Name: "the grant counted from its reply", Check: slowReply, Mistake: "the deadline counted from the reply", Answer: habits{fromGrant: true}.work},
	{Name: "the client's own deadline asked", Check: slowReply, Mistake: "the deadline counted from the reply", Answer: habits{byHolds: true}.work},

	{Name: "a refusal taken for a time-out", Check: refused, Mistake: "goes on after a refused renewal", Answer: habits{deaf: true}.work},
	{Name: "acquired anew after a refusal", Check: refused, Mistake: "acquires anew in the middle", Answer: habits{anew: true}.work},

	{Name: "a fenced write not looked at", Check: fenced, Mistake: "goes on after fencing.ErrFenced", Answer: habits{unheard: true}.work},

	{Name: "a panic", Check: done, Mistake: "index out of range", State: check.Panicked, Answer: func(c client, j job) error {
		var parts []string
		return c.Write(j.Lease.Lock, parts[j.Parts-1], j.Lease.Token)
	}},
	{Name: "an exit", Check: done, Mistake: "ends its goroutine", Answer: func(client, job) error { runtime.Goexit(); return nil }},
}
