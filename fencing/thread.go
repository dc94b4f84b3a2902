package fencing

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// thread is one line of execution of a client: its function, or a renewer
// beside it. Its methods run inside its coroutine unless they say otherwise.
type thread struct {
	client   *Client
	index    int
	function func(*Client)
	body     func()     // run as a value, which is made once and used in many runs
	co       *coroutine // nil before its first turn and after its last
	over     bool
	every    time.Duration // of a renewer: how often it renews
	turn     int           // raised whenever the thread is woken, so that an old timer is known as stale

	nth      int      // how many operations it has begun
	place    int      // among its client's threads
	within   bool     // its operation is part of another one
	history  hash     // everything its operations have returned, for a fingerprint
	heard    hash     // everything it was told since
	timeOut  item     // of its wait, in a world without time
	patience patience // whether it waits for the reply, in such a world

	op    Op // what it waits for, if its operation is under way
	call  int
	key   string
	inbox []*message // replies to it that it has not looked at

	inQueue int // the call that a real lock service has queued

	busyUntil time.Duration // while it works, or waits for a timer
	held      bool          // a pause has stopped its work or its timer
	busyLeft  time.Duration // what was left of it then
	working   bool
	heldAlone bool // a pause of this thread only, at a point that it came to
	forGood   bool // a pause of this thread only has no end: it is the longest there is

	stopped      bool // the same, at a time
	stoppedUntil time.Duration
	missed       bool // it would have been woken meanwhile
}

// wake makes the thread the next to go on, unless the timer that woke it is
// stale.
func (t *thread) wake(turn int) {
	c := t.client
	if turn != t.turn || t.over || c.crashed || c.finished {
		return
	}
	switch {
	case c.paused:
		c.backlog = append(c.backlog, t)
	case t.stopped:
		t.missed = true
	default:
		c.world.next = t
	}
}

// goOn runs the thread until it parks or ends. It runs in the loop.
func (t *thread) goOn() {
	w := t.client.world
	t.takeTurn(w)
	if t.co == nil {
		if t.body == nil {
			t.body = t.run
		}
		t.co = w.coroutine(t.body)
	}
	if t.co.resume(); t.co.done {
		t.co.collect()
		w.gate.settle()
		t.ended()
		w.giveBack(t.co)
		t.over, t.co = true, nil
	}
}

func (t *thread) run() {
	t.client.world.gate.open()
	t.function(t.client)
}

// ended runs in the loop when the thread's function is over, in whatever way.
func (t *thread) ended() {
	c, w := t.client, t.client.world
	switch {
	case t.co.panicked != nil:
		value := fmt.Sprint(t.co.panicked)
		w.record(Event{Actor: c.name, Kind: Panicked, Note: value + "\n" + string(t.co.stack)})
		w.fail(c.name, fmt.Errorf("%s panicked: %s (%s)", c.name, value, panicPlace(string(t.co.stack))))
	case t.co.exited:
		w.record(Event{Actor: c.name, Kind: Exited})
		w.fail(c.name, fmt.Errorf("%s ended its goroutine (runtime.Goexit; t.FailNow and require do that too): let its function return instead", c.name))
	case t == c.main:
		w.record(Event{Actor: c.name, Kind: Finished})
		c.finished = true
		c.remember()
		c.disbelieveAll(whyReturned)
		c.stopThreads()
	}
}

// panicPlace finds the line of the client's function in a stack: the first one
// below the panic.
func panicPlace(stack string) string {
	_, below, _ := strings.Cut(stack, "panic(")
	lines := strings.Split(below, "\n")
	for _, line := range lines[min(2, len(lines)):] {
		if strings.HasPrefix(line, "\t") && !strings.Contains(line, "/runtime/") {
			line = strings.TrimSpace(line)
			line, _, _ = strings.Cut(line, " +0x")
			return line[strings.LastIndexAny(line, `/\`)+1:]
		}
	}
	return "no line known"
}

func (t *thread) takeTurn(w *World) {
	t.turn++
	t.busyUntil, t.working = 0, false
	w.current, w.last = t, t
	if w.untimed != nil {
		w.hears(t)
	}
}

// park lets the world go on until the thread is woken. If another thread is
// woken first, the host lets it go on, and any other thread hands over. Threads
// of one client do not host each other, since one may end the other.
func (t *thread) park() {
	w := t.client.world
	for w.advance(false) {
		next := w.next
		if next == t {
			w.next = nil
			t.takeTurn(w)
			return
		}
		if t != w.host || next.client == t.client {
			break
		}
		w.next = nil
		next.goOn()
	}
	if goesOn := t.co.park(); !goesOn {
		t.co.leave()
	}
}

// need ends the run if err is a mistake of the client's function.
func (t *thread) need(err error) {
	if err != nil {
		t.mistaken(err)
	}
}

func (t *thread) mistaken(err error) {
	c := t.client
	c.world.fail(c.name, fmt.Errorf("%s made a mistake: %w", c.name, err))
	t.park()
}

// sleeps reports whether the thread has to park until it has slept for d. Who
// parks at once, and not in a function that it calls, is sooner back: see
// coroutine.park.
func (t *thread) sleeps(d time.Duration) bool { return t.waits(d, t.client.ownClock.ppm) }

// works is the same for work.
func (t *thread) works(d time.Duration) bool {
	w := t.client.world
	w.record(Event{Actor: t.client.name, Kind: Working, Until: w.now + d})
	t.working = t.waits(d, 0)
	return t.working
}

// waits lets a time pass that a clock of that rate measures, or sets a timer and
// reports that the thread has to park. If nothing happens in that time, there is
// no need of one.
func (t *thread) waits(d time.Duration, ppm int64) bool {
	if t.passes(d) {
		return false
	}
	w := t.client.world
	d = stretch(d, ppm)
	if until := w.now + d; until < farthest && w.queue.beginsAfter(until) && w.backend == nil && !w.overBudget() {
		w.now = until
		return false
	}
	t.after(d)
	return true
}

// after sets the timer that wakes the thread.
func (t *thread) after(d time.Duration) {
	w := t.client.world
	t.busyUntil = w.now + d
	w.at(t.busyUntil, wake, t.index, t.turn)
}

// hold stops the thread's work, and its timer too if the machine sleeps.
func (t *thread) hold(timersToo bool) {
	now := t.client.world.now
	if t.held || t.missed || t.busyUntil == 0 || t.busyUntil < now || !t.working && !timersToo {
		return
	}
	t.held, t.busyLeft = true, t.busyUntil-now
	t.turn++
}

// carryOn starts what hold has stopped.
func (t *thread) carryOn() {
	if t.held && !t.stopped {
		t.held = false
		t.after(t.busyLeft)
	}
}

// patience is whether a thread of a world without time waits for a reply.
type patience uint8

const (
	none      patience = iota // it does not wait
	undecided                 // what becomes of its request, and of it, is still open
	waiting
	bereft  // what it waits for is lost, and it is about to stop waiting
	looking // at its clock
	resting // asleep or at work
)

// passes lets time pass in a world without time, where it means nothing.
func (t *thread) passes(d time.Duration) bool {
	if t.client.world.untimed == nil {
		return false
	}
	t.passUntimed(d)
	return true
}

func (t *thread) passUntimed(d time.Duration) {
	c, w := t.client, t.client.world
	w.now += d
	if w.untimed.everything || t == c.main && (c.isAccompanied() || len(c.beliefs) > 0 && c.isRestarted(true)) {
		t.rest()
	}
}

// standStill pauses the whole client; this thread is the first to go on.
func (t *thread) standStill(d time.Duration) {
	if t.passes(d) {
		return
	}
	t.client.pause(d, t)
	t.park()
}

// standStillAlone pauses this thread only: the client's others go on.
func (t *thread) standStillAlone(d time.Duration) {
	w := t.client.world
	w.record(Event{Actor: t.client.name, Kind: Paused, Until: w.now + d, Note: t.alone()})
	t.heldAlone, t.forGood = true, d == Longest
	if !t.forGood {
		w.at(w.now+d, wake, t.index, t.turn)
	}
	t.park()
	t.heldAlone = false
	w.record(Event{Actor: t.client.name, Kind: Resumed, Note: aloneNote})
}

// stop pauses this thread only, whatever it is at. It runs in the loop.
func (t *thread) stop(d time.Duration) {
	w := t.client.world
	t.stopped, t.stoppedUntil = true, max(t.stoppedUntil, w.now+d)
	t.forGood = t.forGood || d == Longest
	w.record(Event{Actor: t.client.name, Kind: Paused, Until: t.stoppedUntil, Note: t.alone()})
	t.hold(false)
	if !t.forGood {
		w.at(t.stoppedUntil, letGo, t.index, 0)
	}
}

// letGo ends what stop began.
func (t *thread) letGo() {
	c, w := t.client, t.client.world
	if !t.stopped || w.now < t.stoppedUntil || t.over || !c.alive() {
		return
	}
	t.stopped = false
	w.record(Event{Actor: c.name, Kind: Resumed, Note: aloneNote})
	if !c.paused {
		t.carryOn()
	}
	if t.missed {
		t.missed = false
		w.at(w.now, wake, t.index, t.turn)
	}
}

// What marks a pause of one thread whose client goes on, the same if the client
// has no other, and the sleep of a machine.
const (
	aloneNote  = "one thread only"
	lonelyNote = aloneNote + ", and it is the only one"
	asleepNote = "asleep"
)

// alone marks a pause of this thread.
func (t *thread) alone() string {
	if t.client.isAccompanied() {
		return aloneNote
	}
	return lonelyNote
}

// ofOneThread reports whether a pause, or its end, is that of one thread.
func (e Event) ofOneThread() bool { return strings.HasPrefix(e.Note, aloneNote) }

// pass comes to a point, where the world may do something to the client.
func (t *thread) pass(p Point) {
	c, w := t.client, t.client.world
	c.passed[p]++
	l := Label{c.name, p, c.passed[p]}
	chosen := w.choose(l)
	if w.backend != nil {
		t.passReal(l, chosen)
		return
	}
	if chosen.Action == Nothing {
		return
	}
	w.chose(l, chosen)
	switch {
	case chosen.Action == CrashIt:
		c.crash()
		t.park()
	case chosen.Only:
		t.standStillAlone(chosen.For)
	default:
		t.standStill(chosen.For)
	}
}

// chose records a choice that was not the default.
func (w *World) chose(l Label, c Choice) {
	chosen := Event{Actor: l.Client, Kind: Chosen}
	if !w.config.Untraced {
		chosen.Note = l.Fault(c).String()
	}
	w.record(chosen)
}

// begin starts an operation: its point, its call.
func (t *thread) begin(op Op, key, value string, token uint64) {
	c, w := t.client, t.client.world
	t.pass(pointsOf[op].before)
	call := w.nextCall(t)
	if !t.within {
		t.nth++
	}
	t.op, t.call, t.key, t.inbox = op, call, key, t.inbox[:0]
	w.record(Event{Actor: c.name, Kind: Called, Op: op, Call: t.call, Key: key, Value: value, Token: token})
}

// ask sends the operation's request and waits for the reply. The time-out may
// be zero: then it waits for ever.
func (t *thread) ask(request *message, timeout time.Duration) (*message, error) {
	w := t.client.world
	w.send(t.address(request))
	return t.await(timeout)
}

// address fills in whose request it is and where it goes.
func (t *thread) address(request *message) *message {
	request.client, request.life, request.thread, request.op, request.call, request.nth = t.client, t.client.lives, t, t.op, t.call, t.nth
	if request.node == nil {
		request.node = t.client.world.services[0]
	}
	return request
}

func (t *thread) await(timeout time.Duration) (*message, error) {
	if len(t.inbox) == 0 {
		w := t.client.world
		switch {
		case w.untimed != nil:
			t.patience, t.timeOut = undecided, item{}
			if timeout > 0 {
				t.timeOut = item{at: w.now + timeout, cause: int32(w.cause)}
			}
		case timeout > 0:
			t.after(stretch(timeout, t.client.ownClock.ppm))
		}
		t.park()
		t.patience = none
	}
	if len(t.inbox) == 0 {
		return &message{}, ErrTimeout
	}
	reply := t.inbox[0]
	t.inbox = slices.Delete(t.inbox, 0, 1)
	t.pass(pointsOf[t.op].onReply)
	return reply, reply.err
}

// end finishes an operation: its return, its point.
func (t *thread) end(err error, returned Event) {
	c, w := t.client, t.client.world
	returned.Actor, returned.Kind, returned.Op, returned.Call, returned.Key = c.name, Returned, t.op, t.call, t.key
	returned.Outcome = outcomeOf(err)
	if err != nil && (!w.config.Untraced || w.untimed != nil) {
		returned.Note = err.Error()
	}
	op := t.op
	t.op = NoOp
	if w.untimed != nil && !t.within {
		t.heard = 0
		t.history.add(uint64(op), returned.Token, uint64(returned.Until), uint64(returned.Version))
		t.history.addText(returned.Value)
		t.history.addText(returned.Note)
	}
	w.record(returned)
	t.pass(pointsOf[op].after)
}

func outcomeOf(err error) Outcome {
	switch {
	case err == nil:
		return OK
	case errors.Is(err, ErrTimeout):
		return Unknown
	}
	return Fail
}

func (t *thread) acquire(lock string) Lease {
	c, w := t.client, t.client.world
	if w.config.Nodes > 0 {
		return t.acquireMajority(lock)
	}
	t.begin(OpAcquire, lock, "", 0)
	again := false // after a time-out nobody knows which request was granted
	for {
		if again {
			w.record(Event{Actor: c.name, Kind: Called, Op: OpAcquire, Call: t.call, Key: lock, Note: "again"})
		}
		sent := c.clock()
		reply, err := t.ask(&message{key: lock}, w.config.Timeout)
		if err == nil && reply.queued {
			reply = t.standInQueue(lock)
		} else if err == nil && !again {
			return t.granted(reply, t.deadline(sent))
		}
		if again = err != nil; again {
			continue // ask again, as the same call, so that the service knows it
		}
		if lease, ok := t.takeOver(reply); ok {
			return lease
		}
	}
}

// standInQueue waits for the grant. If a place in the queue is a lease too, the
// client keeps it alive by asking again. If it knows time-outs it asks again
// after a lease without news: the message that told of its grant may be lost.
func (t *thread) standInQueue(lock string) *message {
	w := t.client.world
	var patience time.Duration
	switch {
	case w.config.WaiterLease:
		patience = w.config.Lease / 3
	case w.config.Timeout > 0:
		patience = w.config.Lease
	}
	for {
		reply, err := t.await(patience)
		if err == nil && !reply.queued {
			return reply
		}
		if err != nil {
			w.send(t.address(&message{key: lock}))
		}
	}
}

// deadline counts a lease from the request, or from now if the configuration
// makes that mistake.
func (t *thread) deadline(sent time.Duration) time.Duration {
	if t.client.world.config.DeadlineFromReply {
		sent = t.client.clock()
	}
	lease := t.client.world.config.Lease
	if t.client.world.config.Nodes > 0 {
		lease -= driftAllowance(lease)
	}
	return sent + lease
}

// takeOver is for a client that had to queue or to ask again: it renews at once,
// so that its deadline does not count from a request sent long ago, nor from one
// that came after the grant. It fails if the lease ended meanwhile.
func (t *thread) takeOver(grant *message) (Lease, bool) {
	c, w := t.client, t.client.world
	lease := Lease{Lock: grant.key, Token: grant.token, Until: c.clock() + w.config.Lease}
	c.believe(lease.Lock, lease.Token, lease.Until)
	op, call := t.op, t.call
	t.within = true
	err := t.renew(lease)
	t.within = false
	t.op, t.call = op, call
	if errors.Is(err, ErrLeaseLost) {
		return Lease{}, false
	}
	t.end(nil, Event{Token: lease.Token, Until: lease.Until})
	return lease, true
}

func (t *thread) granted(grant *message, deadline time.Duration) Lease {
	t.client.believe(t.key, grant.token, deadline)
	lease := Lease{Lock: t.key, Token: grant.token, Until: deadline}
	t.end(nil, Event{Token: lease.Token, Until: deadline})
	return lease
}

func (t *thread) tryAcquire(lock string) (Lease, error) {
	c, w := t.client, t.client.world
	if w.config.Nodes > 0 {
		return t.tryMajority(lock)
	}
	t.begin(OpTryAcquire, lock, "", 0)
	sent := c.clock()
	reply, err := t.ask(&message{key: lock}, w.config.Timeout)
	if err != nil {
		err = fmt.Errorf("try to acquire %q: %w", lock, err)
		t.end(err, Event{})
		return Lease{}, err
	}
	return t.granted(reply, t.deadline(sent)), nil
}

func (t *thread) renew(lease Lease) error {
	c, w := t.client, t.client.world
	t.begin(OpRenew, lease.Lock, "", lease.Token)
	sent := c.clock()
	var err error
	if w.config.Nodes > 0 {
		err = t.renewMajority(lease)
	} else {
		_, err = t.ask(&message{key: lease.Lock, token: lease.Token}, w.config.Timeout)
	}
	if err != nil {
		err = &failure{OpRenew, lease.Lock, lease.Token, err}
	} else if b := c.belief(lease.Lock, lease.Token); b != nil {
		b.deadline = t.deadline(sent)
	}
	if errors.Is(err, ErrLeaseLost) {
		c.disbelieveLease("its renewal was refused", lease)
	}
	t.end(err, Event{Token: lease.Token, Until: t.deadline(sent)})
	return err
}

func (t *thread) release(lease Lease) error {
	c, w := t.client, t.client.world
	if w.config.Nodes > 0 {
		return t.releaseMajority(lease)
	}
	t.begin(OpRelease, lease.Lock, "", lease.Token)
	c.disbelieve(whyReleased, func(b belief) bool { return b.lock == lease.Lock && (lease.Token == 0 || b.token == lease.Token) })
	_, err := t.ask(&message{key: lease.Lock, token: lease.Token}, w.config.Timeout)
	if err != nil {
		err = &failure{OpRelease, lease.Lock, lease.Token, err}
	}
	t.end(err, Event{Token: lease.Token})
	return err
}

func (t *thread) holds(lease Lease) bool {
	c, w := t.client, t.client.world
	t.pass(BeforeCheck)
	looked := Event{Actor: c.name, Kind: Checked, Key: lease.Lock, Token: lease.Token, Outcome: Fail, Note: "it no longer believes"}
	b := c.belief(lease.Lock, lease.Token)
	if b != nil {
		looked.Until, looked.Note = b.deadline, ""
		if w.untimed != nil && !w.tooLate(c) || w.untimed == nil && c.clock() < b.deadline {
			looked.Outcome = OK
		}
	}
	t.history.add(uint64(looked.Outcome))
	w.record(looked)
	if looked.Outcome == Fail {
		c.disbelieveLease("its deadline is past", lease)
	}
	t.pass(AfterCheck)
	return looked.Outcome == OK
}

func (t *thread) write(op Op, request *message) error {
	c, w := t.client, t.client.world
	if w.config.NumberedWrites {
		request.number = c.nextWrite(request.token)
	}
	request.version, request.base = c.versionOf(request.key)
	t.begin(op, request.key, request.value, request.token)
	reply, err := t.ask(request, w.config.Timeout)
	if err != nil {
		err = &failure{op, request.key, request.token, err}
	} else {
		c.sees(request.key, reply.version, false)
	}
	if errors.Is(err, ErrFenced) {
		c.learnsThatFenced(request.key, request.token)
	}
	t.end(err, Event{Token: request.token, Value: request.value, Version: reply.version})
	return err
}

func (t *thread) read(op Op, request *message) (string, error) {
	c := t.client
	t.begin(op, request.key, "", request.token)
	reply, err := t.ask(request, c.world.config.Timeout)
	if err != nil {
		err = &failure{op, request.key, request.token, err}
	} else {
		c.sees(request.key, reply.version, true)
	}
	if errors.Is(err, ErrFenced) {
		c.learnsThatFenced(request.key, request.token)
	}
	t.end(err, Event{Token: request.token, Value: reply.value, Version: reply.version})
	return reply.value, err
}

func (t *thread) currentToken(lock string) (uint64, error) {
	t.begin(OpAsk, lock, "", 0)
	reply, err := t.ask(&message{key: lock}, t.client.world.config.Timeout)
	if err != nil {
		err = fmt.Errorf("ask for the token of %q: %w", lock, err)
	}
	t.end(err, Event{Token: reply.token})
	return reply.token, err
}

// carryOut has an effect on the world outside.
func (w *World) carryOut(effect string) {
	if !w.config.Idempotent || !w.effects[effect] {
		h := hash(2)
		h.addText(effect)
		w.done += uint64(h)
	}
	w.effects[effect] = true
	if w.untimed != nil {
		w.untimed.effects = append(w.untimed.effects, effect)
	}
}

func (t *thread) effect(name string) {
	c, w := t.client, t.client.world
	t.pass(BeforeEffect)
	done := Event{Actor: c.name, Kind: Did, Key: name, Outcome: OK}
	if w.config.Idempotent && w.effects[name] {
		done.Outcome, done.Note = Fail, "its idempotency key was used before"
	}
	w.carryOut(name)
	w.record(done)
	t.pass(AfterEffect)
}
