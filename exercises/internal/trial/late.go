package trial

import (
	"slices"
	"time"

	"fencingtokens/fencing"
)

// Run runs the program in question with these faults, always in the same world.
type Run func(faults ...fencing.Fault) *fencing.Trace

// Pauses stops the client before its n-th write, each time for so long that the
// write arrives at another one of the moments of next.
func Pauses(run Run, client, next string, n int) []fencing.Fault {
	return aimed(run, next, client, n, func(d time.Duration) fencing.Fault {
		return fencing.Pause(client, fencing.BeforeWrite, d).Time(n)
	})
}

// Delays holds back the request of the client's n-th write in the same way.
func Delays(run Run, client, next string, n int) []fencing.Fault {
	return aimed(run, next, client, n, func(d time.Duration) fencing.Fault {
		return fencing.Delay(client, fencing.WriteRequest, d).Time(n)
	})
}

// far is longer than any run of an exercise, and keeps the write out of the way.
const far = time.Hour

func aimed(run Run, next, client string, n int, fault func(time.Duration) fencing.Fault) []fencing.Fault {
	sent, ok := Call(run(), client, fencing.OpWrite, n)
	if !ok {
		return nil
	}
	away := run(fault(far))
	var faults []fencing.Fault
	for _, moment := range Moments(away, next) {
		if d := moment - away.Config.Latency - sent; d > 0 {
			faults = append(faults, fault(d))
		}
	}
	return faults
}

// Call returns when the client called an operation for the n-th time, counted
// from 1.
func Call(trace *fencing.Trace, client string, op fencing.Op, n int) (at time.Duration, ok bool) {
	for _, e := range trace.Events {
		if e.Kind == fencing.Called && e.Actor == client && e.Op == op {
			if n--; n == 0 {
				return e.At, true
			}
		}
	}
	return 0, false
}

// Moments returns one moment between the client's first grant and what it does
// first at the storage, one between any two things that it does there, and one
// after the last.
func Moments(trace *fencing.Trace, client string) []time.Duration {
	i := slices.IndexFunc(trace.Events, func(e fencing.Event) bool { return e.Kind == fencing.Granted && e.Client == client })
	if i < 0 {
		return nil
	}
	before := trace.Events[i].At
	var moments []time.Duration
	for _, e := range trace.Events[i:] {
		if e.Actor == fencing.ActorStorage && e.Client == client && e.At > before {
			moments = append(moments, before+(e.At-before)/2)
			before = e.At
		}
	}
	return append(moments, before+time.Second)
}
