package fencing

import (
	"fmt"
	"slices"
)

// This file runs a world without time: what happens next is a choice, and so is
// what a client sees when it looks at its clock. Package search tries all of
// them. The clients, the lock service and the storage are those of a world with
// time; what differs is who decides what comes next:
//
//   - The queue is in no order. listOptions turns it, the leases and the threads
//     that wait into options: everything that may happen now.
//   - Some options are urgent, such as a reply that arrives: then nothing else is
//     listed. That keeps the orders few, and the documentation of search.Exhaust
//     says why none is missed that matters.
//   - advanceUntimed asks the [Picker] for one of them and take carries it out.
//     Where there is one option only, nobody is asked.
//   - A thread that waits has a patience, which says what may become of its wait.
//
// A search does not run the world anew for every order. model.go learns from such
// runs what the clients do, and walker.go goes on from there without running them.

// Picker decides what happens next in a world without time. See
// [Runner.RunUntimed].
type Picker interface {
	// Pick returns the index of the step to take, or -1 to end the run here. It
	// is asked only if there are at least two.
	Pick(steps []Step) int
}

// Step is one thing that may happen next in a world without time.
type Step struct {
	Kind  StepKind // what kind of thing
	Actor string   // the client whose message it is, that waits, stops waiting or looks; whom a fault strikes
	Op    Op       // of a message: what it asks for; of a wait: for what
	Key   string   // the lock or the storage's key; of a fault, its choice string
	Nth   int      // of a message: which of its client's operations it belongs to, counted from 1
	Reply bool     // of a message: it is the reply
}

// StepKind is what a [Step] is.
type StepKind uint8

// The kinds of steps.
const (
	_            StepKind = iota
	Delivery              // a request arrives, or a reply to a client that does two things at once
	SecondHalf            // the storage, having checked, writes (Config.Check is TwoSteps)
	Expiry                // a lease ends
	Strike                // a fault of Config.Faults strikes
	GoesOn                // a client has slept or worked, to which something may have happened meanwhile
	Waits                 // a client has sent its request and waits for the reply until it comes
	TimesOut              // a client stops waiting for a reply
	LosesRequest          // the request that a client has just sent is lost
	Crashes               // a client crashes; what it has sent is under way
	HasReply              // a reply arrives
	LosesReply            // a reply is lost
	SeesInTime            // a client looks at its clock: no time has passed
	SeesTooLate           // a client looks at its clock: a whole lease has passed

	forced // a thread begins, or there is nothing to choose: nobody is asked
)

// String says what happens.
func (s Step) String() string {
	operation := fmt.Sprintf("%s of %q (operation %d)", opNoun(s.Op), s.Key, s.Nth)
	switch s.Kind {
	case Delivery:
		if s.Reply {
			return "the reply to " + s.Actor + "’s " + operation + " arrives"
		}
		return s.Actor + "’s " + operation + " arrives"
	case SecondHalf:
		return s.Actor + "’s " + operation + ", which was checked, is stored"
	case Expiry:
		return fmt.Sprintf("the lease of %q ends", s.Key)
	case Strike:
		return "what was declared happens: " + s.Key
	case GoesOn:
		return s.Actor + " has slept or worked, and goes on"
	case Waits:
		return s.Actor + " waits for the reply to its " + operation
	case TimesOut:
		return s.Actor + " stops waiting for the reply to its " + operation
	case LosesRequest:
		return s.Actor + "’s " + operation + " is lost"
	case Crashes:
		return s.Actor + " crashes, waiting for the reply to its " + operation
	case HasReply:
		return "the reply to " + s.Actor + "’s " + operation + " arrives"
	case LosesReply:
		return "the reply to " + s.Actor + "’s " + operation + " is lost"
	case SeesInTime:
		return s.Actor + " looks at its clock: no time has passed"
	default:
		return s.Actor + " looks at its clock: a whole lease has passed"
	}
}

// Bounds says how often a run without time may go wrong, and how long it may be.
type Bounds struct {
	Expiries   int // how many leases may end
	TimeOuts   int // how often a client may stop waiting for a reply that is not lost, if Config.Timeout lets it
	Drops      int // how many messages may be lost
	Crashes    int // how many clients may crash
	Operations int // how many operations a client may begin; in the next one it stays for ever

	everything bool // nothing is left out and nothing happens at once: for tests of what is
}

// untimed is what a world without time needs besides.
type untimed struct {
	Bounds
	picker  Picker
	steps   []Step
	urgent  bool // the options are those of a client or a message that all else waits for
	ended   bool
	pending option // a step that only the loop may take
	options []option
	asked   []int // by client: how many operations it has begun
	learner
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
//   - A request may arrive at any moment, in any order.
//   - A lease may end at any moment, if the bounds allow it, and ends at no
//     other.
//   - A message may be lost as it is sent, if the bounds allow it. A client that
//     waits for it stops waiting if Config.Timeout lets it, and else waits for
//     ever.
//   - A client that waits for a reply may stop waiting before it comes, if the
//     bounds and Config.Timeout allow it.
//   - A client may crash once nobody else can do anything, if the bounds allow it.
//   - A fault that Config.Faults declares for a time strikes at any moment.
//   - When a client looks at its clock ([Client.Now], [Client.Holds]), either no
//     time has passed since the last look, or a whole lease has.
//
// The rest happens at once: Work, Sleep and Pause end, replies arrive, and
// clients that stop waiting do so right away. The documentation of
// search.Exhaust says why that leaves out nothing that the storage could notice,
// which losses need not be tried, and for which clients it is not so.
// The times in the trace only show the order.
func (r *Runner) RunUntimed(config Config, program func(*World), picker Picker, bounds Bounds) *Trace {
	m := &Model{config: config, program: program, bounds: bounds} // learns nothing
	return m.Run(r, picker)
}

// Run is [Runner.RunUntimed] for the model's program, and the model learns from
// it what the clients' functions do.
func (m *Model) Run(r *Runner, picker Picker) *Trace { return m.run(r, picker, m.config) }

// Learn is Run without a trace but for its error.
func (m *Model) Learn(r *Runner, picker Picker) error {
	config := m.config
	config.Untraced = true
	return m.run(r, picker, config).Err()
}

func (m *Model) run(r *Runner, picker Picker, config Config) *Trace {
	w := r.world
	w.beginUntimed(m, config, r.room)
	w.untimed.picker = picker
	if w.mayRun() {
		w.loop()
		w.joinEvents()
	}
	r.room = w.untimed
	return w.trace
}

// beginUntimed makes the world new, with the room that the run before has left.
func (w *World) beginUntimed(m *Model, config Config, room *untimed) {
	w.begin(config)
	w.mistake(config.checkUntimed())
	if room == nil {
		room = &untimed{}
	}
	*room = untimed{Bounds: m.bounds, options: room.options[:0], steps: room.steps[:0], asked: room.asked[:0], learner: learner{model: m, told: room.told[:0]}}
	w.untimed = room
	m.program(w)
	for i := range w.clients {
		room.asked = append(room.asked, 0)
		room.told = append(room.told, hash(i+1))
	}
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
	w.learn()
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
		if !inLoop && (o.kind == Strike || o.kind == Crashes) {
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
	w.listOptions()
	switch len(u.options) {
	case 0:
		return option{}
	case 1:
		return u.options[0]
	}
	n := -1
	if u.picker != nil {
		u.steps = u.steps[:0]
		for _, o := range u.options {
			u.steps = append(u.steps, w.step(o))
		}
		n = u.picker.Pick(u.steps)
	}
	if n < 0 {
		u.ended = true
		return option{}
	}
	return u.options[n]
}

// listOptions lists what may happen next.
func (w *World) listOptions() {
	u := w.untimed
	u.options = u.options[:0]
	if u.urgent = w.addUrgent(); !u.urgent {
		w.addOptions()
	}
}

func (u *untimed) add(o option) { u.options = append(u.options, o) }

// addUrgent adds what comes before all else: a client looks at its clock, a
// thread begins, a reply arrives or is lost, or a client has sent a request.
func (w *World) addUrgent() bool {
	u := w.untimed
	for _, c := range w.clients {
		for _, t := range c.threads {
			if t.patience == looking && !t.over && c.alive() {
				u.add(option{kind: SeesInTime, thread: t})
				u.add(option{kind: SeesTooLate, thread: t})
				return true
			}
		}
	}
	if u.everything {
		return false
	}
	for i := range w.queue.items {
		switch it := &w.queue.items[i]; {
		case it.kind == wake && w.threads[it.who].patience != resting:
			u.add(option{kind: forced, item: i})
			return true
		case it.kind == arrive && w.messages[it.who].reply && !w.isHeardLate(&w.messages[it.who]):
			if w.mayLoseReply(&w.messages[it.who]) {
				u.add(option{kind: HasReply, item: i})
				u.add(option{kind: LosesReply, item: i})
			} else {
				u.add(option{kind: forced, item: i})
			}
			return true
		}
	}
	for _, c := range w.clients {
		if !c.alive() || c.isAccompanied() {
			continue
		}
		for _, t := range c.threads {
			if !t.over && w.addOfWait(t) {
				return true
			}
		}
	}
	return false
}

// isHeardLate reports whether the client may learn from the reply at any moment,
// since what its other thread does meanwhile may depend on that. A renewal that was
// granted tells it nothing new.
func (w *World) isHeardLate(m *message) bool {
	return m.client.isAccompanied() && w.isAwaited(m) && (m.op != OpRenew || m.err != nil)
}

// addOfWait adds what may become of a thread that has begun to wait.
func (w *World) addOfWait(t *thread) bool {
	u := w.untimed
	switch t.patience {
	case undecided:
		u.add(option{kind: Waits, thread: t})
		if u.TimeOuts > 0 && t.timeOut.at > 0 {
			u.add(option{kind: TimesOut, thread: t})
		}
		if i := w.requestOf(t); u.Drops > 0 && t.timeOut.at > 0 && i >= 0 {
			u.add(option{kind: LosesRequest, item: i})
		}
	case bereft:
		if w.mayHear(t) {
			u.add(option{kind: Waits, thread: t})
		}
		u.add(option{kind: TimesOut, thread: t})
	default:
		return false
	}
	return true
}

// mayLoseReply reports whether it may be lost and would leave more behind than a
// request that is lost, or a client that is slow.
func (w *World) mayLoseReply(m *message) bool {
	if w.untimed.Drops == 0 || m.err != nil || !w.isMissed(m) {
		return false
	}
	return m.op != OpRead && m.op != OpAsk && (m.op != OpRenew || w.config.ReviveLate)
}

// isMissed reports whether somebody waits for the message or for the reply to it,
// and stops waiting if it is lost.
func (w *World) isMissed(m *message) bool { return w.isAwaited(m) && m.thread.timeOut.at > 0 }

// isAwaited reports whether anybody waits for the reply, or for the reply to the
// request.
func (w *World) isAwaited(m *message) bool {
	return m.client.alive() && m.life == m.client.lives && m.thread.op != NoOp && m.thread.call == m.call
}

// requestOf returns the index of the request that the thread has sent last, if
// it is under way.
func (w *World) requestOf(t *thread) int {
	for i := len(w.queue.items) - 1; i >= 0; i-- {
		if it := &w.queue.items[i]; it.kind == arrive && w.messages[it.who].of(t) && !w.messages[it.who].reply {
			return i
		}
	}
	return -1
}

func (m *message) of(t *thread) bool {
	return m.thread == t && m.call == t.call && m.life == t.client.lives
}

// mayHear reports whether anything is left from which a reply could come.
func (w *World) mayHear(t *thread) bool {
	for _, it := range w.queue.items {
		if (it.kind == arrive || it.kind == second) && w.messages[it.who].of(t) {
			return true
		}
	}
	for _, l := range w.locks {
		if slices.ContainsFunc(l.queue, func(q waiter) bool { return q.of(t) }) {
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
		case wake:
			if w.wakes(*it) {
				u.add(option{kind: GoesOn, item: i})
			}
		}
	}
	for _, l := range w.locks {
		if l.holder != nil && u.Expiries > 0 && (len(l.queue) > 0 || w.isAsked(l) || u.everything) {
			u.add(option{kind: Expiry, lock: l})
		}
	}
	if u.everything {
		w.addEveryFault()
		return
	}
	for _, c := range w.clients {
		if c.alive() && c.isAccompanied() {
			w.addLosses(c)
		}
	}
	for _, c := range w.clients {
		w.addEndOf(c)
	}
}

// wakes reports whether the timer still wakes its thread.
func (w *World) wakes(timer item) bool {
	t := w.threads[timer.who]
	return t.turn == int(timer.turn) && !t.over && t.client.alive()
}

// addEndOf adds what is put off until nobody else can do anything: that the
// client crashes, or waits for ever since its request is lost.
func (w *World) addEndOf(c *Client) {
	u := w.untimed
	if !c.alive() || u.Crashes == 0 && u.Drops == 0 {
		return
	}
	others, strikes := false, false
	for _, o := range u.options {
		others = others || w.whose(o) != c
		strikes = strikes || o.kind == Strike
	}
	for _, t := range c.threads {
		i := w.requestOf(t)
		if t.over || t.op == NoOp || i < 0 && !strikes {
			continue
		}
		if u.Drops > 0 && t.timeOut.at == 0 && i >= 0 && !others {
			u.add(option{kind: LosesRequest, item: i})
		}
		if u.Crashes > 0 && (!others || strikes) {
			u.add(option{kind: Crashes, thread: t})
			return
		}
	}
}

// whose returns the client whose message or thread the step is about, nil if
// there is none.
func (w *World) whose(o option) *Client {
	switch o.kind {
	case Expiry, Strike:
		return nil
	case GoesOn:
		return w.threads[w.queue.items[o.item].who].client
	case Delivery, SecondHalf, LosesRequest, LosesReply:
		return w.messages[w.queue.items[o.item].who].client
	}
	return o.thread.client
}

// addEveryFault adds whatever may go wrong, at every moment.
func (w *World) addEveryFault() {
	for _, c := range w.clients {
		w.addLosses(c)
		if c.alive() && w.untimed.Crashes > 0 {
			w.untimed.add(option{kind: Crashes, thread: c.main})
		}
	}
}

// addLosses adds the losses of the client's messages, and that it stops waiting.
func (w *World) addLosses(c *Client) {
	u := w.untimed
	for i, it := range w.queue.items {
		if u.Drops == 0 || it.kind != arrive || w.messages[it.who].client != c {
			continue
		}
		switch m := &w.messages[it.who]; {
		case !u.everything && !w.isMissed(m):
		case !m.reply:
			u.add(option{kind: LosesRequest, item: i})
		case u.everything || w.mayLoseReply(m):
			u.add(option{kind: LosesReply, item: i})
		}
	}
	for _, t := range c.threads {
		if c.alive() && !t.over && t.timeOut.at > 0 && (t.patience == bereft || t.patience == undecided && u.TimeOuts > 0) {
			u.add(option{kind: TimesOut, thread: t})
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
	case Waits, TimesOut, Crashes:
		return Step{Kind: o.kind, Actor: o.thread.client.name, Op: o.thread.op, Key: o.thread.key, Nth: o.thread.nth}
	case SeesInTime, SeesTooLate:
		return Step{Kind: o.kind, Actor: o.thread.client.name, Nth: o.thread.nth}
	case Strike:
		f := w.config.Faults[w.queue.items[o.item].who]
		return Step{Kind: o.kind, Actor: f.Actor, Key: f.String()}
	}
	it := w.queue.items[o.item]
	if it.kind == wake {
		return Step{Kind: o.kind, Actor: w.threads[it.who].client.name}
	}
	m := &w.messages[it.who]
	return Step{Kind: o.kind, Actor: m.client.name, Op: m.op, Key: m.key, Nth: m.nth, Reply: m.reply}
}

// take takes the step. Time goes on as far as is needed to show the order.
func (w *World) take(o option) {
	u := w.untimed
	switch o.kind {
	case Expiry:
		u.Expiries--
		w.now, w.cause = w.trueEnd(o.lock), 0
		w.endLease(o.lock)
		w.grantNext(o.lock)
	case Waits:
		o.thread.setPatience(waiting)
	case TimesOut:
		if o.thread.patience != bereft {
			u.TimeOuts--
		}
		w.now, w.cause = max(w.now, o.thread.timeOut.at), int(o.thread.timeOut.cause)
		o.thread.wake(o.thread.turn)
	case Crashes:
		u.Crashes--
		w.cause = 0
		w.tell(o.thread.client, hash(Crashes))
		o.thread.client.crash()
	case LosesRequest, LosesReply:
		u.Drops--
		w.lose(w.takeItem(o.item))
	case SeesInTime, SeesTooLate:
		w.look(o.thread, o.kind)
	case Strike:
		it := w.takeItem(o.item)
		if f := w.config.Faults[it.who]; f.strikesClient() {
			w.tell(w.client(f.Actor), hash(Strike)<<8|hash(it.who))
		}
		w.do(it.kind, int(it.who), int(it.turn))
	default:
		it := w.takeItem(o.item)
		w.do(it.kind, int(it.who), int(it.turn))
	}
}

// takeItem takes an item out of the queue, and time to it.
func (w *World) takeItem(i int) item {
	it := w.queue.items[i]
	w.queue.items = slices.Delete(w.queue.items, i, i+1)
	w.now, w.cause = max(w.now, it.at), int(it.cause)
	return it
}

// lose loses a message that somebody waits for, or whose reply somebody waits
// for.
func (w *World) lose(it item) {
	m := &w.messages[it.who]
	t := m.thread
	w.recordMessage(m, ActorNetwork, Lost, w.now, "")
	switch {
	case !w.isAwaited(m):
	case t.timeOut.at > 0:
		t.setPatience(bereft)
	case w.mayHear(t):
		t.setPatience(waiting)
	default:
		t.setPatience(waiting)
		w.record(Event{Actor: t.client.name, Kind: Stuck, Op: t.op, Call: t.call, Key: t.key})
	}
}

// setPatience changes what may become of the thread's wait, between two acts of its
// client: if another thread acts next, the act has to tell this one's state too.
func (t *thread) setPatience(p patience) {
	t.patience = p
	if t.client.isAccompanied() {
		t.client.world.tell(t.client, hash(t.place+1)<<8|hash(p))
	}
}

// tooLate lets the picker say what the client sees on its clock. It runs inside
// the client's coroutine.
func (w *World) tooLate(c *Client) bool {
	u, t := w.untimed, w.current
	w.countOperation(t)
	t.patience = looking
	w.learn()
	u.steps = append(u.steps[:0], w.step(option{kind: SeesInTime, thread: t}), w.step(option{kind: SeesTooLate, thread: t}))
	n := u.picker.Pick(u.steps)
	if n < 0 {
		u.urgent, u.options = true, append(u.options[:0], option{kind: SeesInTime, thread: t}, option{kind: SeesTooLate, thread: t})
		u.ended = true
		t.park()
	}
	w.look(t, SeesInTime+StepKind(n))
	return n == 1
}

// cutShort is beside the kinds of events: a client wanted to begin one operation
// more than it may.
const cutShort = 1 << 63

// countOperation lets a thread begin an operation, or stay for ever.
func (w *World) countOperation(t *thread) {
	u := w.untimed
	if u.asked[t.client.index] == u.Operations {
		w.kinds |= cutShort
		t.park()
	}
	u.asked[t.client.index]++
}

// rest lets a thread sleep or work, in a world without time, until any moment.
func (t *thread) rest() {
	w := t.client.world
	w.countOperation(t)
	t.history++ // it is another moment
	t.patience = resting
	t.after(0)
	t.park()
	t.patience = none
}

// isAccompanied reports whether the client has another thread beside its
// function, which may learn something meanwhile.
func (c *Client) isAccompanied() bool {
	return slices.ContainsFunc(c.threads[1:], func(t *thread) bool { return !t.over })
}

// isRestarted reports whether a restart of the client is declared, or one that
// keeps its memory.
func (c *Client) isRestarted(keeping bool) bool {
	return slices.ContainsFunc(c.world.config.Faults, func(f Fault) bool { return f.Action == RestartIt && f.Actor == c.name && (f.Keep || !keeping) })
}

// nextCall numbers the calls. Without time the number must not depend on what
// other clients do.
func (w *World) nextCall(t *thread) int {
	if w.untimed == nil {
		w.calls++
		return w.calls
	}
	n := 0
	if t.within {
		n = 1
	} else {
		w.countOperation(t)
	}
	n += 2 * w.untimed.asked[t.client.index]
	return n*len(w.clients) + t.client.index
}

// look lets a client see something on its clock.
func (w *World) look(t *thread, sees StepKind) {
	t.patience = none
	w.acts(t.client, hash(t.place+1)<<8|hash(sees))
	if w.untimed.ghosts {
		w.haunt(t.client)
	}
}
