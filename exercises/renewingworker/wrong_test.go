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
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.worker)})
	}
	prove.Exercise(t, of(stub.Renewing), of(Renewing), wrong)
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

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	worker               renewingworker.Worker
}{
	{name: "never renewed", check: done, mistake: "never renews", worker: func(c client, j job) error {
		for n := range j.Parts {
			c.Work(j.Part)
			if err := c.Write(j.Lease.Lock, j.Value(n), j.Lease.Token); err != nil {
				return err
			}
		}
		return nil
	}},
	{name: "renewed when a write is fenced", check: done, mistake: "renews too late", worker: func(c client, j job) error {
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
	{name: "done in no time", check: done, mistake: "the work is left out", worker: habits{idle: true}.work},
	{name: "a deadline that is always past", check: done, mistake: "stops without a reason", worker: habits{early: true}.work},
	{name: "one part only", check: done, mistake: "says that it is done", worker: func(c client, j job) error {
		c.Work(j.Part)
		return c.Write(j.Lease.Lock, j.Value(0), j.Lease.Token)
	}},
	{name: "an error when all is done", check: done, mistake: "done, and an error all the same", worker: func(c client, j job) error {
		if err := Renewing(c, j); err != nil {
			return err
		}
		return errors.New("done")
	}},

	{name: "renewed before every part", check: budget, mistake: "renews more often than it need", worker: habits{every: true}.work},
	{name: "a watchdog every second", check: budget, mistake: "renews more often than it need", worker: func(c client, j job) error {
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

	{name: "given up at the first time-out", check: noAnswer, mistake: "gives up at a time-out", worker: habits{strict: true}.work},
	{name: "renewed at the last moment", check: noAnswer, mistake: "renews too late to try again", worker: habits{last: true}.work},
	{name: "a time-out taken for a renewal", check: noAnswer, mistake: "a time-out moves the deadline", worker: habits{onTimeout: true}.work},

	{name: "looked at the deadline before the work only", check: paused, mistake: "no look before the write", worker: habits{before: true}.work},
	{name: "no deadline at all", check: paused, mistake: "no look before the write", worker: habits{blind: true}.work},

	{name: "a time-out taken for a renewal, and asked often", check: cutOff, mistake: "a time-out moves the deadline", worker: habits{onTimeout: true, often: true}.work},

	{name: "counted from the reply", check: slowReply, mistake: "the deadline counted from the reply", worker: habits{fromReply: true}.work},
	{name: "the grant counted from its reply", check: slowReply, mistake: "the deadline counted from the reply", worker: habits{fromGrant: true}.work},
	{name: "the client's own deadline asked", check: slowReply, mistake: "the deadline counted from the reply", worker: habits{byHolds: true}.work},

	{name: "a refusal taken for a time-out", check: refused, mistake: "goes on after a refused renewal", worker: habits{deaf: true}.work},
	{name: "acquired anew after a refusal", check: refused, mistake: "acquires anew in the middle", worker: habits{anew: true}.work},

	{name: "a fenced write not looked at", check: fenced, mistake: "goes on after fencing.ErrFenced", worker: habits{unheard: true}.work},

	{name: "a panic", check: done, mistake: "index out of range", state: check.Panicked, worker: func(c client, j job) error {
		var parts []string
		return c.Write(j.Lease.Lock, parts[j.Parts-1], j.Lease.Token)
	}},
	{name: "an exit", check: done, mistake: "ends its goroutine", worker: func(client, job) error { runtime.Goexit(); return nil }},
}
