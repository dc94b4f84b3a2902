package check

import (
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"fencingtokens/fencing"
)

const (
	// defaultLimit is shorter than the simulator's own patience with code that does
	// not come back, so that every check says it in the same words.
	defaultLimit = 1500 * time.Millisecond

	// total bounds what all checks of one answer take together, so that an answer
	// that hangs in every one of them is still reported before a learner gives up.
	total = 8 * time.Second
)

// Evaluate runs the checks one after another, each in a goroutine of its own.
// They never run at once: answers may share variables, and the runtime ends a
// process in which two goroutines write to one map.
//
// attempted says whether the answer differs from what was handed out. It runs
// the answer too, so it may panic or hang; then the answer counts as attempted
// and the checks say what is wrong.
func Evaluate(e Exercise, seed uint64, attempted func() bool, checks []Check) Result {
	r := Result{Exercise: e, Seed: seed, Findings: make([]Finding, len(checks))}
	for i, c := range checks {
		r.Findings[i] = Finding{Check: c.Name}
	}
	end := time.Now().Add(total)
	if !r.attempted(attempted) {
		return r
	}
	for i, c := range checks {
		left := time.Until(end)
		if left <= 0 {
			r.Findings[i] = Finding{Check: c.Name, State: NotRun, Got: fmt.Sprintf("the checks before it took %s together", fencing.Seconds(total))}
			continue
		}
		r.Findings[i] = r.run(c, left)
	}
	r.State = Passed
	if i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.State != Passed }); i >= 0 {
		// Whatever this check depends on has passed, so it is this one that failed.
		if r.Findings[i].State == NotRun {
			r.Findings[i].State = Failed
		}
		r.State = r.Findings[i].State
	}
	return r
}

func (r *Result) attempted(attempted func() bool) bool {
	f := r.run(Check{Run: func() Finding {
		if attempted() {
			return Finding{State: Passed}
		}
		return Finding{}
	}}, total)
	return f.State != NotAttempted
}

// run runs one check, at most for its limit and for what is left of the total.
func (r *Result) run(c Check, left time.Duration) Finding {
	limit := c.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	limit = min(limit, left)
	id := make(chan string, 1)
	done := make(chan Finding, 1)
	go func() {
		id <- ownID()
		guard(c.Run, done)
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var f Finding
	select {
	case f = <-done:
	case <-timer.C:
		f = r.hung(<-id, limit)
	}
	f.Check = c.Name
	return f
}

// guard sends what run returns, or what became of it instead.
func guard(run func() Finding, done chan<- Finding) {
	f, returned := Finding{}, false
	defer func() {
		if p := recover(); p != nil {
			f = Panic(fmt.Sprint(p), string(debug.Stack()))
		} else if !returned {
			f = Exit()
		}
		done <- f
	}()
	f = run()
	returned = true
}

func (r *Result) hung(id string, limit time.Duration) Finding {
	f := Finding{
		State:    TimedOut,
		Tried:    "your code was called, and given " + fencing.Seconds(limit),
		Expected: "it comes back; it has nothing to wait for",
	}
	if loops(id) {
		r.Runaway = true
		f.Mistake = "endless loop"
		f.Got = "it still runs: it loops for ever"
		f.Think = "Look at each loop in your code: what ends it?"
		return f
	}
	f.Mistake = "waits for ever"
	f.Got = "it waits for something that never comes: a channel, a lock that it holds already, or a sleep"
	f.Think = "In a simulated run nothing outside the simulator may be waited for. A mutex that one call locks and does not unlock stops the next call."
	return f
}

// Exit is the finding for code that ended its goroutine.
func Exit() Finding {
	return Finding{
		State:    Failed,
		Mistake:  "ends its goroutine",
		Tried:    "your code was called",
		Expected: "it returns",
		Got:      "it ended its goroutine instead: runtime.Goexit does that, and so do t.FailNow, t.Skip and testify’s require",
		Think:    "Return an error where you want to say that something is wrong; the check looks at it.",
	}
}

// Panic is the finding for code that panicked. The stack names the function.
func Panic(value, stack string) Finding {
	f := Finding{
		State:    Panicked,
		Mistake:  "panic",
		Tried:    "your code was called",
		Expected: "it returns",
		Got:      "it panicked: " + value,
		Think:    "Run the failing call alone in a cell and print what it works with.",
	}
	if name := panicked(stack); name != "" {
		f.Got = fmt.Sprintf("%s panicked: %s", name, value)
	}
	for _, c := range causes {
		if c.is(value) {
			f.Mistake, f.Think = c.mistake, c.think
			break
		}
	}
	return f
}
