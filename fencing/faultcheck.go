package fencing

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// actors are the names that faults and clocks may use.
type actors struct {
	clients, nodes []string
}

func (a actors) all() []string {
	return slices.Concat(a.clients, a.services(), []string{ActorStorage})
}

// services are the lock service or, in its place, the lock nodes.
func (a actors) services() []string {
	if len(a.nodes) > 0 {
		return a.nodes
	}
	return []string{ActorLockService}
}

// clocks are those who have a clock that the run looks at.
func (a actors) clocks() []string {
	return slices.Concat(a.clients, a.services())
}

// check reports the first mistake in a fault.
func (f Fault) check(a actors) error {
	if f.Action == Nothing || f.Action > lastAction {
		return fmt.Errorf("the fault %q does nothing: make it with fencing.Pause, Crash, Delay or Drop, for example", f)
	}
	for _, check := range []func(Fault, actors) error{Fault.checkActor, Fault.checkPoint, Fault.checkNumbers, Fault.checkOptions} {
		if err := check(f, a); err != nil {
			return err
		}
	}
	return nil
}

func (f Fault) checkActor(a actors) error {
	switch f.Action {
	case CutIt:
		for _, end := range []string{f.Actor, f.Target} {
			if !slices.Contains(a.all(), end) {
				return fmt.Errorf("the fault %q cuts off %q, which this world does not have: it has %s", f, end, quoted(a.all()))
			}
		}
		if slices.Contains(a.clients, f.Actor) == slices.Contains(a.clients, f.Target) {
			return fmt.Errorf("the fault %q cuts a link that carries no messages: name a client and, on the other end, the lock service or the storage", f)
		}
	case JumpIt, StopIt:
		if !slices.Contains(a.clocks(), f.Actor) {
			return fmt.Errorf("the fault %q is for the clock of %q, which nobody looks at: take one of %s", f, f.Actor, quoted(a.clocks()))
		}
	case FailOverIt:
		if len(a.nodes) > 0 {
			return fmt.Errorf("the fault %q needs one lock service, and this world has %d lock nodes: restart a node with fencing.RestartNode, or leave out Config.Nodes", f, len(a.nodes))
		}
		fallthrough
	case RebootIt, CleanUpIt:
		if !slices.Contains(a.parts(f.Action), f.Actor) {
			return fmt.Errorf("the fault %q cannot happen to %q: it can happen to %s", f, f.Actor, quoted(a.parts(f.Action)))
		}
	default:
		if !slices.Contains(a.clients, f.Actor) {
			return fmt.Errorf("the fault %q is for a client that this world does not have: its clients are %s", f, quoted(a.clients))
		}
	}
	return nil
}

// parts are the parts of the world that an action can strike.
func (a actors) parts(action Action) []string {
	switch action {
	case FailOverIt:
		return []string{ActorLockService}
	case CleanUpIt:
		return []string{ActorStorage}
	}
	return append([]string{ActorStorage}, a.nodes...)
}

func (f Fault) checkPoint(actors) error {
	atClient := f.Action == PauseIt || f.Action == CrashIt
	atMessage := f.Action == DelayIt || f.Action == DropIt || f.Action == DuplicateIt
	switch {
	case f.Point >= points:
		return fmt.Errorf("the fault %q has a point that does not exist: take one of fencing's, for example fencing.AfterAcquire", f)
	case atClient && f.Point.Message():
		return fmt.Errorf("the fault %q stops a client at a message: give a point of the client, for example fencing.BeforeWrite, or use fencing.Delay for the message", f)
	case atMessage && !f.Point.Message():
		return fmt.Errorf("the fault %q needs a message, for example fencing.WriteRequest or fencing.WriteReply: only a message can be delayed, dropped or duplicated", f)
	case !atClient && !atMessage && f.Point != 0:
		return fmt.Errorf("the fault %q cannot strike at a point: give it a time, in At", f)
	case f.Point != 0 && f.At != 0:
		return fmt.Errorf("the fault %q has the time %s as well as a point: leave out At or Point", f, f.At)
	case f.Point == 0 && f.Nth != 0:
		return fmt.Errorf("the fault %q strikes at a time, which comes once, and was told to strike when it comes no. %d: leave out Nth, or give a point", f, f.Nth)
	}
	return nil
}

func (f Fault) checkNumbers(actors) error {
	switch {
	case f.Nth < 0:
		return fmt.Errorf("the fault %q counts passings from 1, and %d was given: leave Nth out for the first", f, f.Nth)
	case f.Point == 0 && (f.At < 0 || f.At > Longest):
		return fmt.Errorf("the fault %q strikes at %s: give a time from 0 s to %s", f, f.At, longestInWords)
	case f.Action.lasts() && (f.For <= 0 || f.For > Longest):
		return fmt.Errorf("the fault %q lasts %s: give a length above 0 s and up to %s, for example 14 * time.Second", f, f.For, longestInWords)
	case lacksUnit(f.At):
		return noUnit(fmt.Sprintf("the fault %q strikes at", f), f.At)
	case f.Action.lasts() && lacksUnit(f.For):
		return noUnit(fmt.Sprintf("the fault %q lasts", f), f.For)
	case f.Action == JumpIt && lacksUnit(f.For):
		return noUnit(fmt.Sprintf("the fault %q jumps by", f), f.For)
	case f.Action == JumpIt && (f.For == 0 || f.For < -Longest || f.For > Longest):
		return fmt.Errorf("the fault %q jumps by %s: give a length other than 0 s, at most %s either way", f, f.For, longestInWords)
	case f.Action == CleanUpIt && f.Target == "":
		return fmt.Errorf("the fault %q deletes a key without a name: give the key, for example %q", f, "report")
	}
	return nil
}

func (f Fault) checkOptions(actors) error {
	switch {
	case f.For != 0 && !f.Action.lasts() && f.Action != JumpIt:
		return fmt.Errorf("the fault %q was given the length %s, and a %s has none: leave out For", f, f.For, f.Action)
	case f.Target != "" && f.Action != CutIt && f.Action != CleanUpIt:
		return fmt.Errorf("the fault %q was given the target %q, and only a cut and a clean-up have one: leave out Target", f, f.Target)
	case f.Only && f.Action != PauseIt:
		return fmt.Errorf("the fault %q is for one thread only, which works for a pause: use fencing.Pause or fencing.PauseAt", f)
	case f.Keep && f.Action != RestartIt && f.Action != FailOverIt:
		return fmt.Errorf("the fault %q has nothing to keep: Keeping is for fencing.RestartAt and fencing.FailOver", f)
	case f.Back != 0 && f.Action != FailOverIt:
		return fmt.Errorf("the fault %q has no counter: CountingBack is for fencing.FailOver", f)
	}
	return nil
}

// Clock says how an actor's clock differs from true time from the beginning on.
type Clock struct {
	Actor  string        // a client's name, ActorLockService or a lock node
	Offset time.Duration // by how much it is ahead of true time
	PPM    int64         // by how much it runs faster, in parts per million; negative is slower
}

func (c Clock) check(a actors) error {
	switch {
	case !slices.Contains(a.clocks(), c.Actor):
		return fmt.Errorf("Config.Clocks has a clock for %q, which nobody looks at: take one of %s", c.Actor, quoted(a.clocks()))
	case c.Offset < -Longest || c.Offset > Longest:
		return fmt.Errorf("Config.Clocks sets the clock of %q off by %s: the most is %s either way", c.Actor, c.Offset, longestInWords)
	case lacksUnit(c.Offset):
		return noUnit(fmt.Sprintf("Config.Clocks sets the clock of %q off by", c.Actor), c.Offset)
	case c.PPM <= -million || c.PPM > million:
		return fmt.Errorf("Config.Clocks lets the clock of %q run faster by %d parts per million: give a number above -1000000 and up to 1000000; a clock that is 0.1 %% fast has 1000", c.Actor, c.PPM)
	}
	return nil
}

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, name := range names {
		q[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(q, ", ")
}
