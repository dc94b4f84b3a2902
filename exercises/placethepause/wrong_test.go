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
	prove.Exercise(t, of, stub.PlaceThePause, PlaceThePause, catalogue)
}

const (
	happens    = "every fault happens"
	stale      = "the write of client 1 is stale"
	prediction = "it is the write that you named"
	twin       = "the correct twin, the same run with fencing on, survives"
	budget     = "one pause, within the budget"
)

var catalogue = []prove.Wrong[func(world) answer]{
	{Name: "a point that this worker never comes to", Check: happens, Mistake: "a fault that never happens", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterCheck, w.Lease+second)}
	})},
	{Name: "a time after the end", Check: happens, Mistake: "a fault that never happens", Answer: only(func(w world) faults {
		return faults{fencing.PauseAt("client 1", time.Hour, w.Lease+second)}
	})},
	{Name: "a client that does not exist", Check: happens, Mistake: "a fault that cannot be", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client1", fencing.AfterAcquire, w.Lease+second)}
	})},
	{Name: "a pause without a length", Check: happens, Mistake: "a fault that cannot be", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, 0)}
	})},

	{Name: "client 2 paused", Check: stale, Mistake: "the wrong client", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 2", fencing.AfterAcquire, w.Lease+second)}
	})},
	{Name: "the storage restarted", Check: stale, Mistake: "client 1 not stopped", Answer: only(func(w world) faults {
		return faults{fencing.RestartStorage(w.Start + w.Work/2)}
	})},
	{Name: "the write hardly delayed", Check: stale, Mistake: "not even late", Answer: only(func(w world) faults {
		return faults{fencing.Delay("client 1", fencing.WriteRequest, second)}
	})},
	{Name: "client 2 crashed before it writes", Check: stale, Mistake: "client 2 never writes", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease+second), fencing.Crash("client 2", fencing.BeforeWrite)}
	})},
	{Name: "client 1 crashed", Check: stale, Mistake: "a crash in place of a pause", Answer: only(func(w world) faults {
		return faults{fencing.Crash("client 1", fencing.AfterAcquire)}
	})},
	{Name: "paused before the acquire", Check: stale, Mistake: "stopped before its grant", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeAcquire, w.Lease+second)}
	})},
	{Name: "the write dropped", Check: stale, Mistake: "the write never arrives", Answer: only(func(w world) faults {
		return faults{fencing.Drop("client 1", fencing.WriteRequest)}
	})},
	{Name: "paused after the write", Check: stale, Mistake: "stopped after its write", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterWrite, w.Lease+second)}
	})},
	{Name: "paused before the release", Check: stale, Mistake: "stopped after its write", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeRelease, w.Lease+second)}
	})},
	{Name: "a pause that ends within the lease", Check: stale, Mistake: "shorter than the rest of the lease", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease-w.Work-second)}
	})},
	{Name: "a pause just longer than the rest of the lease", Check: stale, Mistake: "late, but not stale", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeWrite, w.Lease-w.Work+second)}
	})},
	{Name: "a pause just shorter than the lease", Check: stale, Mistake: "late, but not stale", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease-second/2)}
	})},
	{Name: "a pause exactly as long as the lease", Check: stale, Mistake: "late, but not stale", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease)}
	})},
	{Name: "the first world's pause in every world", Check: stale, Mistake: "one pause for every world", Answer: fixedPause()},

	{Name: "no prediction", Check: prediction, Mistake: "no prediction",
		Answer: predict("", func(world, time.Duration) time.Duration { return 0 })},
	{Name: "no time", Check: prediction, Mistake: "no prediction",
		Answer: predict("client 1", func(world, time.Duration) time.Duration { return 0 })},
	{Name: "a client that is called otherwise named", Check: prediction, Mistake: "no such client", Answer: predict("client1", right)},
	{Name: "the number of the lesson named", Check: prediction, Mistake: "the lesson’s number",
		Answer: predict("client 1", func(world, time.Duration) time.Duration { return 16 * second })},
	{Name: "one number named for every world", Check: prediction, Mistake: "one time for every world",
		Answer: predict("client 1", func(world, time.Duration) time.Duration { return 100 * second })},
	{Name: "in the first world only, by chance, the end of the lease named", Check: prediction, Mistake: "another time",
		Answer: predict("client 1", func(w world, at time.Duration) time.Duration {
			if w.Lease < 14*second { // the others are longer
				return w.Start + w.Lease
			}
			return at + second/2
		})},
	{Name: "the overwritten write named", Check: prediction, Mistake: "the wrong writer", Answer: predict("client 2", right)},
	{Name: "the moment of waking named", Check: prediction, Mistake: "waking taken for writing",
		Answer: predict("client 1", func(w world, at time.Duration) time.Duration { return at - w.Work })},
	{Name: "the undisturbed time named", Check: prediction, Mistake: "the pause left out",
		Answer: predict("client 1", func(w world, at time.Duration) time.Duration { return w.Start + w.Work })},
	{Name: "the time of client 2's write named", Check: prediction, Mistake: "the time of the other write",
		Answer: predict("client 1", func(w world, at time.Duration) time.Duration { return w.Start + w.Lease + w.Work })},
	{Name: "the end of the lease named", Check: prediction, Mistake: "the end of the lease taken for the write",
		Answer: predict("client 1", func(w world, at time.Duration) time.Duration { return w.Start + w.Lease })},
	{Name: "a time half a second off", Check: prediction, Mistake: "another time",
		Answer: predict("client 1", func(w world, at time.Duration) time.Duration { return at + second/2 })},

	{Name: "client 2 crashed as well", Check: twin, Mistake: "harms the correct program too", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease+second), fencing.Crash("client 2", fencing.AfterWrite)}
	})},
	{Name: "client 2's release reply dropped as well", Check: twin, Mistake: "harms the correct program too", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease+second), fencing.Drop("client 2", fencing.ReleaseReply)}
	})},

	{Name: "two pauses that are long enough together", Check: budget, Mistake: "more than one fault", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.AfterAcquire, w.Lease), fencing.Pause("client 1", fencing.BeforeWrite, second)}
	})},
	{Name: "the write delayed", Check: budget, Mistake: "another fault than a pause", Answer: only(func(w world) faults {
		return faults{fencing.Delay("client 1", fencing.WriteRequest, w.Lease+second)}
	})},
	{Name: "the acquire reply delayed", Check: budget, Mistake: "another fault than a pause", Answer: only(func(w world) faults {
		return faults{fencing.Delay("client 1", fencing.AcquireReply, w.Lease+second)}
	})},
	{Name: "an hour", Check: budget, Mistake: "longer than it need be", Answer: only(func(w world) faults {
		return faults{fencing.Pause("client 1", fencing.BeforeWrite, time.Hour)}
	})},

	{Name: "a panic", Check: happens, Mistake: "index out of range", State: check.Panicked,
		Answer: func(w world) answer {
			var made faults
			made[0] = fencing.Pause("client 1", fencing.AfterAcquire, w.Lease+second)
			return answer{Faults: made}
		}},
	{Name: "an exit", Check: happens, Mistake: "ends its goroutine",
		Answer: func(world) answer { runtime.Goexit(); return answer{} }},
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
