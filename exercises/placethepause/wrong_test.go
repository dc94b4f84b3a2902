package placethepause_test

import (
	"runtime"
	"testing"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/placethepause"
	"fencingtokens/exercises/placethepause/stub"
	"fencingtokens/fencing"
)

const second = time.Second

type (
	world  = placethepause.World
	answer = placethepause.Answer
	faults = []fencing.Fault
)

func of(f func(world) answer) prove.Answer {
	return func(seed uint64) check.Result { return placethepause.Evaluate(f, seed) }
}

// only hands in faults, with the right prediction for a pause that long.
func only(f func(world) faults) func(world) answer {
	return func(w world) answer {
		fs := f(w)
		var pause time.Duration
		for _, fault := range fs {
			if fault.Actor == "client 1" {
				pause += fault.For
			}
		}
		return answer{Faults: fs, StaleWriter: "client 1", ArrivesAt: w.Start + pause + w.Work}
	}
}

// predict hands in the right fault with another prediction.
func predict(writer string, at func(w world, right time.Duration) time.Duration) func(world) answer {
	return func(w world) answer {
		a := PlaceThePause(w)
		a.StaleWriter, a.ArrivesAt = writer, at(w, a.ArrivesAt)
		return a
	}
}

func right(_ world, at time.Duration) time.Duration { return at }

func TestExercise(t *testing.T) {
	var wrong []prove.Wrong
	for _, w := range catalogue {
		state := w.state
		if state == check.NotAttempted {
			state = check.Failed
		}
		wrong = append(wrong, prove.Wrong{Name: w.name, Check: w.check, State: state, Mistake: w.mistake, Answer: of(w.answer)})
	}
	prove.Exercise(t, of(stub.PlaceThePause), of(PlaceThePause), wrong)
}

const (
	happens    = "every fault happens"
	stale      = "the write of client 1 is stale"
	prediction = "it is the write that you named"
	twin       = "the correct twin, the same run with fencing on, survives"
	budget     = "one pause, within the budget"
)

var catalogue = []struct {
	name, check, mistake string
	state                check.State // left out: failed
	answer               func(world) answer
}{
	{name: "a point that this worker never comes to", check: happens, mistake: "a fault that never happens", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterCheck, w.Lease+second)}
	})},
	{name: "a time after the end", check: happens, mistake: "a fault that never happens", answer: only(func(w world) faults {
		return faults{fencing.PauseAt("client 1", time.Hour, w.Lease+second)}
	})},
	{name: "a client that does not exist", check: happens, mistake: "a fault that cannot be", answer: only(func(w world) faults {
		return faults{fencing.Pause("client1", fencing.AfterAcquire, w.Lease+second)}
	})},
	{name: "a pause without a length", check: happens, mistake: "a fault that cannot be", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, 0)}
	})},

	{name: "client 2 paused", check: stale, mistake: "the wrong client", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 2", fencing.AfterAcquire, w.Lease+second)}
	})},
	{name: "the storage restarted", check: stale, mistake: "client 1 not stopped", answer: only(func(w world) faults {
		return faults{fencing.RestartStorage(w.Start + w.Work/2)}
	})},
	{name: "the write hardly delayed", check: stale, mistake: "not even late", answer: only(func(w world) faults {
		return faults{fencing.Delay("client 1", fencing.WriteRequest, second)}
	})},
	{name: "client 2 crashed before it writes", check: stale, mistake: "client 2 never writes", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease+second), fencing.Crash("client 2", fencing.BeforeWrite)}
	})},
	{name: "client 1 crashed", check: stale, mistake: "a crash in place of a pause", answer: only(func(w world) faults {
		return faults{fencing.Crash("client 1", fencing.AfterAcquire)}
	})},
	{name: "paused before the acquire", check: stale, mistake: "stopped before its grant", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeAcquire, w.Lease+second)}
	})},
	{name: "the write dropped", check: stale, mistake: "the write never arrives", answer: only(func(w world) faults {
		return faults{fencing.Drop("client 1", fencing.WriteRequest)}
	})},
	{name: "paused after the write", check: stale, mistake: "stopped after its write", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterWrite, w.Lease+second)}
	})},
	{name: "paused before the release", check: stale, mistake: "stopped after its write", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeRelease, w.Lease+second)}
	})},
	{name: "a pause that ends within the lease", check: stale, mistake: "shorter than the rest of the lease", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease-w.Work-second)}
	})},
	{name: "a pause just longer than the rest of the lease", check: stale, mistake: "late, but not stale", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeWrite, w.Lease-w.Work+second)}
	})},
	{name: "a pause just shorter than the lease", check: stale, mistake: "late, but not stale", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease-second/2)}
	})},
	{name: "a pause exactly as long as the lease", check: stale, mistake: "late, but not stale", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease)}
	})},
	{name: "the first world's pause in every world", check: stale, mistake: "one pause for every world", answer: fixedPause()},

	{name: "no prediction", check: prediction, mistake: "no prediction",
		answer: predict("", func(world, time.Duration) time.Duration { return 0 })},
	{name: "no time", check: prediction, mistake: "no prediction",
		answer: predict("client 1", func(world, time.Duration) time.Duration { return 0 })},
	{name: "a client that is called otherwise named", check: prediction, mistake: "no such client", answer: predict("client1", right)},
	{name: "the number of the lesson named", check: prediction, mistake: "the lesson’s number",
		answer: predict("client 1", func(world, time.Duration) time.Duration { return 16 * second })},
	{name: "one number named for every world", check: prediction, mistake: "one time for every world",
		answer: predict("client 1", func(world, time.Duration) time.Duration { return 100 * second })},
	{name: "in the first world only, by chance, the end of the lease named", check: prediction, mistake: "another time",
		answer: predict("client 1", func(w world, at time.Duration) time.Duration {
			if w.Lease < 14*second { // the others are longer
				return w.Start + w.Lease
			}
			return at + second/2
		})},
	{name: "the overwritten write named", check: prediction, mistake: "the wrong writer", answer: predict("client 2", right)},
	{name: "the moment of waking named", check: prediction, mistake: "waking taken for writing",
		answer: predict("client 1", func(w world, at time.Duration) time.Duration { return at - w.Work })},
	{name: "the undisturbed time named", check: prediction, mistake: "the pause left out",
		answer: predict("client 1", func(w world, at time.Duration) time.Duration { return w.Start + w.Work })},
	{name: "the time of client 2's write named", check: prediction, mistake: "the time of the other write",
		answer: predict("client 1", func(w world, at time.Duration) time.Duration { return w.Start + w.Lease + w.Work })},
	{name: "the end of the lease named", check: prediction, mistake: "the end of the lease taken for the write",
		answer: predict("client 1", func(w world, at time.Duration) time.Duration { return w.Start + w.Lease })},
	{name: "a time half a second off", check: prediction, mistake: "another time",
		answer: predict("client 1", func(w world, at time.Duration) time.Duration { return at + second/2 })},

	{name: "client 2 crashed as well", check: twin, mistake: "harms the correct program too", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease+second), fencing.Crash("client 2", fencing.AfterWrite)}
	})},
	{name: "client 2's release reply dropped as well", check: twin, mistake: "harms the correct program too", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease+second), fencing.Drop("client 2", fencing.ReleaseReply)}
	})},

	{name: "two pauses that are long enough together", check: budget, mistake: "more than one fault", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease), fencing.Pause("client 1", fencing.BeforeWrite, second)}
	})},
	{name: "the write delayed", check: budget, mistake: "another fault than a pause", answer: only(func(w world) faults {
		return faults{fencing.Delay("client 1", fencing.WriteRequest, w.Lease+second)}
	})},
	{name: "the acquire reply delayed", check: budget, mistake: "another fault than a pause", answer: only(func(w world) faults {
		return faults{fencing.Delay("client 1", fencing.AcquireReply, w.Lease+second)}
	})},
	{name: "an hour", check: budget, mistake: "longer than it need be", answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeWrite, time.Hour)}
	})},

	{name: "a panic", check: happens, mistake: "index out of range", state: check.Panicked,
		answer: func(w world) answer {
			var made faults
			made[0] = fencing.Pause("client 1", fencing.AfterAcquire, w.Lease+second)
			return answer{Faults: made}
		}},
	{name: "an exit", check: happens, mistake: "ends its goroutine",
		answer: func(world) answer { runtime.Goexit(); return answer{} }},
}

// fixedPause keeps the numbers of the first world it is asked for; the world it
// was tried in is not one of them.
func fixedPause() func(world) answer {
	var pause time.Duration
	return func(w world) answer {
		if w == placethepause.Example {
			pause = 0
		} else if pause == 0 {
			pause = w.Lease + second
		}
		return only(func(w world) faults {
			return faults{fencing.Pause("client 1", fencing.AfterAcquire, max(pause, second))}
		})(w)
	}
}
