package fencing

import (
	"fmt"
	"slices"
)

// This file runs a world without time: what happens next is a choice, and so is
// what a client sees when it looks at its clock. Package search tries all of
// them.

// Picker decides what happens next in a world without time. See
// [Runner.RunUntimed].
type Picker interface {
	// Pick returns the index of the step to take, or -1 to end the run here. It
	// is asked only if there are at least two.
	Pick(steps []Step) int
}

// Step is one thing that may happen next in a world without time.
type Step struct {
	Kind  StepKind
	Actor string // the client whose message it is, that waits, stops waiting or looks; whom a fault strikes
	Op    Op     // of a message: what it asks for; of a wait: for what
	Key   string // the lock or the storage's key; of a fault, its choice string
	Nth   int    // of a message: which of its client's operations it belongs to, counted from 1
}

// StepKind is what a [Step] is.
type StepKind uint8

// The kinds of steps.
const (
	_           StepKind = iota
	Delivery             // a request arrives
	SecondHalf           // the storage, having checked, writes (Config.Check is TwoSteps)
	Expiry               // a lease ends
	Strike               // a fault of Config.Faults strikes
	Waits                // a client waits for a reply until it comes
	TimesOut             // a client stops waiting before the reply comes, if one comes
	SeesInTime           // a client looks at its clock: no time has passed
	SeesTooLate          // a client looks at its clock: a whole lease has passed

	forced // a thread begins, or a reply arrives: nobody is asked
)

// String says what happens.
func (s Step) String() string {
	operation := fmt.Sprintf("%s of %q (operation %d)", opNoun(s.Op), s.Key, s.Nth)
	switch s.Kind {
	case Delivery:
		return s.Actor + "’s " + operation + " arrives"
	case SecondHalf:
		return s.Actor + "’s " + operation + ", which was checked, is stored"
	case Expiry:
		return fmt.Sprintf("the lease of %q ends", s.Key)
	case Strike:
		return "what was declared happens: " + s.Key
	case Waits:
		return s.Actor + " waits for the reply to its " + operation
	case TimesOut:
		return s.Actor + " stops waiting for the reply to its " + operation
	case SeesInTime:
		return s.Actor + " looks at its clock: no time has passed"
	default:
		return s.Actor + " looks at its clock: a whole lease has passed"
	}
}

// Bounds says how often a run without time may go wrong.
type Bounds struct {
	Expiries int // how many leases may end
	TimeOuts int // how often a client may stop waiting for a reply, if Config.Timeout lets it
}

// untimed is what a world without time needs besides.
type untimed struct {
	Bounds
	picker  Picker
	steps   []Step
	ended   bool
	pending option // a step that only the loop may take
	options []option
}

// option is a step and what it is about.
type option struct {
	kind   StepKind
	item   int // index in the queue
	lock   *lock
	thread *thread
}

// RunUntimed runs the program as [Runner.Run] does, but without time: whenever
// several things may happen next, the picker chooses.
//
//   - A request may arrive at any moment, in any order, and need never arrive.
//   - A lease may end at any moment, if the bounds allow it, and ends at no
//     other.
//   - A client that waits for a reply may stop waiting before it comes, if the
//     bounds and Config.Timeout allow it.
//   - A fault that Config.Faults declares for a time strikes at any moment.
//   - When a client looks at its clock ([Client.Now], [Client.Holds]), either no
//     time has passed since the last look, or a whole lease has.
//
// The rest happens at once: Work, Sleep and Pause end, replies arrive, and
// clients that stop waiting do so right away. The documentation of
// search.Exhaust says why that leaves out nothing that the storage could notice,
// and why there need be no step for a crash, a pause or a message that is lost.
// The times in the trace only show the order.
func (r *Runner) RunUntimed(config Config, program func(*World), picker Picker, bounds Bounds) *Trace {
	w := r.world
	w.begin(config)
	w.mistake(config.checkUntimed())
	w.untimed = &untimed{Bounds: bounds, picker: picker, options: r.options[:0], steps: r.steps[:0]}
	program(w)
	if w.mayRun() {
		w.loop()
		w.joinEvents()
	}
	r.options, r.steps = w.untimed.options, w.untimed.steps
	return w.trace
}

// checkUntimed refuses what means nothing without time.
func (c Config) checkUntimed() error {
	for _, timed := range []struct {
		set  bool
		name string
	}{
		{c.LockDelay != 0, "LockDelay"}, {c.NoticeLate != 0, "NoticeLate"}, {c.MaxHold != 0, "MaxHold"}, {c.WaiterLease, "WaiterLease"},
		{c.Nodes != 0, "Nodes"}, {len(c.Clocks) != 0, "Clocks"}, {c.Latency != 0, "Latency"}, {c.Chooser != nil, "Chooser"},
	} {
		if timed.set {
			return fmt.Errorf("Config.%s means nothing in a world without time: leave it out", timed.name)
		}
	}
	for _, f := range c.Faults {
		if f.Point != 0 || !slices.Contains([]Action{CrashIt, RestartIt, RebootIt, CleanUpIt, FailOverIt}, f.Action) {
			return fmt.Errorf("the fault %q means nothing in a world without time, where every message may be late and every client slow: leave it out; a crash, a restart, a clean-up or a fail-over declared for a time may stay", f)
		}
	}
	return nil
}

// advanceUntimed is advance for a world without time.
func (w *World) advanceUntimed(inLoop bool) bool {
	u := w.untimed
	for w.next == nil && w.trace.err == nil && !u.ended {
		o := u.pending
		u.pending = option{}
		if o.kind == 0 {
			if w.overBudget() {
				break
			}
			if o = w.pickOption(); o.kind == 0 {
				break
			}
		}
		if !inLoop && o.kind == Strike {
			u.pending = o // it may end the very coroutine that would take it
			break
		}
		w.take(o)
	}
	return w.next != nil
}

// pickOption returns what happens next, nothing if nothing can or the picker
// ends the run.
func (w *World) pickOption() option {
	u := w.untimed
	u.options = u.options[:0]
	if !w.addUrgent() {
		w.addOptions()
	}
	switch len(u.options) {
	case 0:
		return option{}
	case 1:
		return u.options[0]
	}
	u.steps = u.steps[:0]
	for _, o := range u.options {
		u.steps = append(u.steps, w.step(o))
	}
	n := u.picker.Pick(u.steps)
	if n < 0 {
		u.ended = true
		return option{}
	}
	return u.options[n]
}

func (u *untimed) add(o option) { u.options = append(u.options, o) }

// addUrgent adds what happens at once: a thread begins, a reply arrives, or a
// client decides whether to wait for one.
func (w *World) addUrgent() bool {
	u := w.untimed
	for i := range w.queue.items {
		it := &w.queue.items[i]
		if it.kind == wake || it.kind == arrive && w.messages[it.who].reply {
			u.add(option{kind: forced, item: i})
			return true
		}
	}
	for _, t := range w.threads {
		if t.patience == undecided && u.TimeOuts > 0 && !t.over && t.client.alive() {
			u.add(option{kind: Waits, thread: t})
			u.add(option{kind: TimesOut, thread: t})
			return true
		}
	}
	return false
}

// addOptions adds everything that may happen when nothing is urgent.
func (w *World) addOptions() {
	u := w.untimed
	for i := range w.queue.items {
		switch it := &w.queue.items[i]; it.kind {
		case arrive:
			u.add(option{kind: Delivery, item: i})
		case second:
			u.add(option{kind: SecondHalf, item: i})
		case strike:
			if f := &w.config.Faults[it.who]; f.Action != CrashIt || w.client(f.Actor).alive() {
				u.add(option{kind: Strike, item: i})
			}
		}
	}
	for _, l := range w.locks {
		if l.holder != nil && u.Expiries > 0 && (len(l.queue) > 0 || w.isAsked(l)) {
			u.add(option{kind: Expiry, lock: l})
		}
	}
}

// isAsked reports whether something is on its way to the lock: nobody else can
// notice whether its lease has ended.
func (w *World) isAsked(l *lock) bool {
	return slices.ContainsFunc(w.queue.items, func(it item) bool {
		if it.kind != arrive {
			return it.kind == strike
		}
		m := &w.messages[it.who]
		return !m.reply && !m.toStorage() && m.key == l.name
	})
}

func (c *Client) alive() bool { return !c.crashed && !c.finished }

func (w *World) client(name string) *Client { return w.clients[slices.Index(w.trace.Clients, name)] }

// step describes an option.
func (w *World) step(o option) Step {
	switch o.kind {
	case Expiry:
		return Step{Kind: o.kind, Key: o.lock.name}
	case Waits, TimesOut:
		return Step{Kind: o.kind, Actor: o.thread.client.name, Op: o.thread.op, Key: o.thread.key, Nth: o.thread.nth}
	case Strike:
		f := w.config.Faults[w.queue.items[o.item].who]
		return Step{Kind: o.kind, Actor: f.Actor, Key: f.String()}
	}
	m := &w.messages[w.queue.items[o.item].who]
	return Step{Kind: o.kind, Actor: m.client.name, Op: m.op, Key: m.key, Nth: m.nth}
}

// take takes the step. Time goes on as far as is needed to show the order.
func (w *World) take(o option) {
	switch o.kind {
	case Expiry:
		w.untimed.Expiries--
		w.now, w.cause = w.trueEnd(o.lock), 0
		w.endLease(o.lock)
		w.grantNext(o.lock)
	case Waits:
		o.thread.patience = waiting
	case TimesOut:
		w.untimed.TimeOuts--
		w.now, w.cause = max(w.now, o.thread.timeOut.at), int(o.thread.timeOut.cause)
		o.thread.wake(o.thread.turn)
	default:
		it := w.queue.items[o.item]
		w.queue.items = slices.Delete(w.queue.items, o.item, o.item+1)
		w.now, w.cause = max(w.now, it.at), int(it.cause)
		w.do(it)
	}
}

// tooLate lets the picker say what the client sees on its clock.
func (w *World) tooLate(c *Client) bool {
	u := w.untimed
	u.steps = append(u.steps[:0], Step{Kind: SeesInTime, Actor: c.name, Nth: w.current.nth}, Step{Kind: SeesTooLate, Actor: c.name, Nth: w.current.nth})
	n := u.picker.Pick(u.steps)
	if n < 0 {
		u.ended = true
		w.current.park()
	}
	return n == 1
}
