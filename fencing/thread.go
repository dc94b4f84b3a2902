package fencing

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// thread is one line of execution of a client: its function, or a renewer
// beside it. Its methods run inside its coroutine unless they say otherwise.
type thread struct {
	client   *Client
	function func(*Client)
	co       *coroutine
	turn     int // raised whenever the thread is woken, so that an old timer is known as stale

	op    Op // what it waits for, if its operation is under way
	call  int
	key   string
	inbox []message // replies to it that it has not looked at

	worksUntil time.Duration // while it works
	workLeft   time.Duration // while it works and is paused
}

// wake lets the thread go on, unless the timer that woke it is stale. It runs in
// the loop.
func (t *thread) wake(turn int) {
	c := t.client
	if turn != t.turn || c.crashed || (c.finished && t != c.main) {
		return
	}
	if c.paused {
		c.backlog = append(c.backlog, t)
		return
	}
	t.goOn()
}

func (t *thread) goOn() {
	w := t.client.world
	t.turn++
	w.current = t
	if t.co == nil {
		t.co = newCoroutine(func() {
			w.gate.open()
			t.function(t.client)
		})
	}
	t.co.resume()
	if t.co.done {
		w.gate.close()
		t.ended()
	}
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

// park hands over to the loop until the thread is woken.
func (t *thread) park() { t.co.park() }

// need ends the run if err is a mistake of the client's function.
func (t *thread) need(err error) {
	if err == nil {
		return
	}
	c := t.client
	c.world.fail(c.name, fmt.Errorf("%s made a mistake: %w", c.name, err))
	t.park()
}

func (t *thread) sleep(d time.Duration) {
	w := t.client.world
	w.at(w.now+d, item{kind: wake, thread: t, turn: t.turn})
	t.park()
}

func (t *thread) work(d time.Duration) {
	w := t.client.world
	w.record(Event{Actor: t.client.name, Kind: Working, Until: w.now + d})
	t.startWork(d)
	t.park()
	t.worksUntil = 0
}

func (t *thread) startWork(d time.Duration) {
	w := t.client.world
	t.worksUntil = w.now + d
	w.at(t.worksUntil, item{kind: wake, thread: t, turn: t.turn})
}

// holdWork and resumeWork run when the client is paused and resumed.
func (t *thread) holdWork() {
	if t.worksUntil == 0 {
		return
	}
	t.workLeft = t.worksUntil - t.client.world.now
	t.turn++
}

func (t *thread) resumeWork() {
	if t.worksUntil != 0 {
		t.startWork(t.workLeft)
	}
}

// standStill pauses the whole client; this thread is the first to go on.
func (t *thread) standStill(d time.Duration) {
	t.client.pause(d, t)
	t.park()
}

// pass comes to a point, where the world may do something to the client.
func (t *thread) pass(p Point) {
	c, w := t.client, t.client.world
	c.passed[p]++
	l := label{c.name, p, c.passed[p]}
	chosen := w.chooser.choose(l)
	switch chosen.action {
	case PauseIt:
		w.chose(l, chosen)
		t.standStill(chosen.length)
	case CrashIt:
		w.chose(l, chosen)
		c.crash()
		t.park()
	}
}

// chose records a choice that was not the default.
func (w *World) chose(l label, c choice) {
	f := Fault{Client: l.client, Point: l.point, Nth: l.nth, Action: c.action, For: c.length}
	w.record(Event{Actor: l.client, Kind: Chosen, Note: f.String()})
}

// begin starts an operation: its point, its call.
func (t *thread) begin(op Op, key, value string, token uint64) {
	c, w := t.client, t.client.world
	t.pass(pointsOf[op].before)
	w.calls++
	t.op, t.call, t.key, t.inbox = op, w.calls, key, nil
	w.record(Event{Actor: c.name, Kind: Called, Op: op, Call: t.call, Key: key, Value: value, Token: token})
}

// ask sends the operation's request and waits for the reply. The time-out may
// be zero: then it waits for ever.
func (t *thread) ask(request message, timeout time.Duration) (message, error) {
	w := t.client.world
	request.client, request.thread, request.op, request.call = t.client, t, t.op, t.call
	w.send(request)
	return t.await(timeout)
}

func (t *thread) await(timeout time.Duration) (message, error) {
	w := t.client.world
	if len(t.inbox) == 0 {
		if timeout > 0 {
			w.at(w.now+timeout, item{kind: wake, thread: t, turn: t.turn})
		}
		t.park()
	}
	if len(t.inbox) == 0 {
		return message{}, ErrTimeout
	}
	reply := t.inbox[0]
	t.inbox = t.inbox[1:]
	t.pass(pointsOf[t.op].onReply)
	return reply, reply.err
}

// end finishes an operation: its return, its point.
func (t *thread) end(err error, returned Event) {
	c, w := t.client, t.client.world
	returned.Actor, returned.Kind, returned.Op, returned.Call, returned.Key = c.name, Returned, t.op, t.call, t.key
	returned.Outcome = outcomeOf(err)
	if err != nil {
		returned.Note = err.Error()
	}
	op := t.op
	t.op = NoOp
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
	t.begin(OpAcquire, lock, "", 0)
	for {
		sent := c.clock()
		reply, err := t.ask(message{key: lock}, w.config.Timeout)
		switch {
		case err != nil:
			continue // no reply: ask again, as the same call, so that the service knows it
		case !reply.queued:
			return t.granted(reply, sent+w.config.Lease)
		}
		for reply.queued {
			reply, _ = t.await(0)
		}
		if lease, ok := t.takeOver(reply); ok {
			return lease
		}
	}
}

// takeOver is for a client that had to queue: it renews at once, so that its
// deadline does not count from a request sent long ago. It fails if the lease
// ended meanwhile.
func (t *thread) takeOver(grant message) (Lease, bool) {
	c, w := t.client, t.client.world
	lease := Lease{Lock: grant.key, Token: grant.token, Until: c.clock() + w.config.Lease}
	c.believe(lease.Lock, lease.Token, lease.Until)
	op, call := t.op, t.call
	err := t.renew(lease)
	t.op, t.call = op, call
	if errors.Is(err, ErrLeaseLost) {
		return Lease{}, false
	}
	t.end(nil, Event{Token: lease.Token, Until: lease.Until})
	return lease, true
}

func (t *thread) granted(grant message, deadline time.Duration) Lease {
	t.client.believe(t.key, grant.token, deadline)
	lease := Lease{Lock: t.key, Token: grant.token, Until: deadline}
	t.end(nil, Event{Token: lease.Token, Until: deadline})
	return lease
}

func (t *thread) tryAcquire(lock string) (Lease, error) {
	c, w := t.client, t.client.world
	t.begin(OpTryAcquire, lock, "", 0)
	sent := c.clock()
	reply, err := t.ask(message{key: lock}, w.config.Timeout)
	if err != nil {
		err = fmt.Errorf("try to acquire %q: %w", lock, err)
		t.end(err, Event{})
		return Lease{}, err
	}
	return t.granted(reply, sent+w.config.Lease), nil
}

func (t *thread) renew(lease Lease) error {
	c, w := t.client, t.client.world
	t.begin(OpRenew, lease.Lock, "", lease.Token)
	sent := c.clock()
	_, err := t.ask(message{key: lease.Lock, token: lease.Token}, w.config.Timeout)
	switch {
	case err == nil:
		if b := c.belief(lease.Lock, lease.Token); b != nil {
			b.deadline = sent + w.config.Lease
		}
	default:
		err = fmt.Errorf("renew token %d of %q: %w", lease.Token, lease.Lock, err)
	}
	if errors.Is(err, ErrLeaseLost) {
		c.disbelieveLease("its renewal was refused", lease)
	}
	t.end(err, Event{Token: lease.Token, Until: sent + w.config.Lease})
	return err
}

func (t *thread) release(lease Lease) error {
	c, w := t.client, t.client.world
	t.begin(OpRelease, lease.Lock, "", lease.Token)
	c.disbelieveLease(whyReleased, lease)
	_, err := t.ask(message{key: lease.Lock, token: lease.Token}, w.config.Timeout)
	if err != nil {
		err = fmt.Errorf("release token %d of %q: %w", lease.Token, lease.Lock, err)
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
		if c.clock() < b.deadline {
			looked.Outcome = OK
		}
	}
	w.record(looked)
	if looked.Outcome == Fail {
		c.disbelieveLease("its deadline is past", lease)
	}
	t.pass(AfterCheck)
	return looked.Outcome == OK
}

func (t *thread) write(key, value string, token uint64) error {
	c, w := t.client, t.client.world
	t.begin(OpWrite, key, value, token)
	_, err := t.ask(message{key: key, value: value, token: token}, w.config.Timeout)
	if err != nil {
		err = fmt.Errorf("write %q with token %d: %w", key, token, err)
	}
	if errors.Is(err, ErrFenced) {
		c.disbelieve("the storage rejected its token", func(b belief) bool { return b.token == token })
	}
	t.end(err, Event{Token: token, Value: value})
	return err
}

func (t *thread) read(key string) (string, error) {
	t.begin(OpRead, key, "", 0)
	reply, err := t.ask(message{key: key}, t.client.world.config.Timeout)
	if err != nil {
		err = fmt.Errorf("read %q: %w", key, err)
	}
	t.end(err, Event{Value: reply.value, Version: reply.version})
	return reply.value, err
}
