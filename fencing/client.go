package fencing

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// The errors that a client's operations return, wrapped with the details. Test
// for them with errors.Is.
var (
	// ErrFenced says that the storage has accepted a higher token for that key:
	// a newer holder is at work. Stop; do not retry.
	ErrFenced = errors.New("fenced")
	// ErrLeaseLost says that the lock service no longer has this lease: it ended
	// or was released.
	ErrLeaseLost = errors.New("lease lost")
	// ErrHeld says that another client holds the lock now.
	ErrHeld = errors.New("lock held")
	// ErrTimeout says that no reply came in time. The outcome is unknown: the
	// request may have been carried out, may be carried out later, or never.
	ErrTimeout = errors.New("timed out, outcome unknown")
)

// Lease is a grant with an end, as the client got it.
type Lease struct {
	Lock  string
	Token uint64        // the number of the grant; higher with every grant of the lock
	Until time.Duration // the client's own deadline, on its own clock, when it got the grant
}

// Client is one client of the lock service and the storage. Its methods are for
// the function that [World.Client] was given, and for nothing else.
type Client struct {
	world   *World
	name    string
	main    *thread
	threads []*thread

	beliefs  []belief
	passed   [points]int
	crashed  bool
	finished bool

	paused      bool
	pausedUntil time.Duration
	pauseTurn   int
	backlog     []*thread // woken during the pause, in order
}

// Why a belief ended, where nothing else in the story says it.
const (
	whyReleased = "it calls release"
	whyReturned = "its function returned"
	whyCrashed  = "it crashed"
)

// belief is what the client thinks it holds.
type belief struct {
	lock     string
	token    uint64
	deadline time.Duration // on the client's clock
}

// Name returns the client's name.
func (c *Client) Name() string { return c.name }

// Now returns the time on the client's own clock, counted from the beginning of
// the run.
func (c *Client) Now() time.Duration {
	c.enter()
	now := c.clock()
	c.world.gate.open()
	return now
}

// Sleep waits for d. If the client is paused meanwhile, the timer runs on.
func (c *Client) Sleep(d time.Duration) {
	t := c.enter()
	t.need(validLength("sleeps", d))
	t.sleep(d)
	c.world.gate.open()
}

// Work keeps the client busy for d. A pause in the middle makes it take that
// much longer.
func (c *Client) Work(d time.Duration) {
	t := c.enter()
	t.need(validLength("works", d))
	t.work(d)
	c.world.gate.open()
}

// Pause stops the whole client for d, as a garbage collection would: it sees
// nothing and does nothing, and messages to it wait. In a preset the world
// does this instead ([Config.Faults]).
func (c *Client) Pause(d time.Duration) {
	t := c.enter()
	t.need(validLength("pauses", d))
	t.standStill(d)
	c.world.gate.open()
}

// Acquire waits until the client holds the lock, like sync.Mutex.Lock, and
// returns its lease. If no reply comes in time it asks again.
//
// The client counts its deadline from before it sent the request. A client that
// had to queue renews as soon as it learns of its grant, and counts from there.
func (c *Client) Acquire(lock string) Lease {
	t := c.enter()
	t.need(validName("lock", lock))
	lease := t.acquire(lock)
	c.world.gate.open()
	return lease
}

// TryAcquire asks for the lock once. The error is [ErrHeld] if another client
// holds it and [ErrTimeout] if no reply came in time.
func (c *Client) TryAcquire(lock string) (Lease, error) {
	t := c.enter()
	t.need(validName("lock", lock))
	lease, err := t.tryAcquire(lock)
	c.world.gate.open()
	return lease, err
}

// Renew asks for the lease to last another [Config.Lease] from now. The error is
// [ErrLeaseLost] if it had ended, even if nobody else holds the lock since, and
// [ErrTimeout] if no reply came in time.
func (c *Client) Renew(lease Lease) error {
	t := c.enter()
	t.need(validLease(lease))
	err := t.renew(lease)
	c.world.gate.open()
	return err
}

// Release gives the lock back; from the call on the client no longer believes
// that it holds it. The error is [ErrLeaseLost] if the lease had ended: then the
// next holder's lease is left alone. It is [ErrTimeout] if no reply came in time.
func (c *Client) Release(lease Lease) error {
	t := c.enter()
	t.need(validLease(lease))
	err := t.release(lease)
	c.world.gate.open()
	return err
}

// Holds looks at the client's own clock and reports whether the client still
// believes that it holds the lease. It asks nobody, so what it says may be wrong
// by the time the caller acts on it. At the deadline itself the answer is no.
func (c *Client) Holds(lease Lease) bool {
	t := c.enter()
	t.need(validLease(lease))
	holds := t.holds(lease)
	c.world.gate.open()
	return holds
}

// KeepAlive renews the lease every so often, beside the caller, until a renewal
// is refused, the lease is released or the client's function returns. It is a
// second thread of the same client: a pause of the client stops it too. Like a
// time.Ticker it makes up for a tick that it missed, but for one only.
func (c *Client) KeepAlive(lease Lease, every time.Duration) {
	t := c.enter()
	t.need(validLease(lease))
	if every <= 0 || every > longest {
		t.need(fmt.Errorf("it keeps a lease alive every %s: give a length above 0 s, for example 3 * time.Second", every))
	}
	renewer := c.spawn(func(c *Client) {
		next := c.Now() + every
		for c.believes(lease) && !errors.Is(c.Renew(lease), ErrLeaseLost) {
			now := c.Now()
			c.Sleep(max(0, next-now))
			next = max(next, now) + every
		}
	})
	c.world.at(c.world.now+every, item{kind: wake, thread: renewer})
	c.world.gate.open()
}

// Write stores a value under a key and sends the token with it. The error is
// [ErrFenced] if the storage rejected the token, and [ErrTimeout] if no reply
// came in time: then the write may still be on its way.
func (c *Client) Write(key, value string, token uint64) error {
	t := c.enter()
	t.need(validName("key", key))
	err := t.write(key, value, token)
	c.world.gate.open()
	return err
}

// Read returns the value of a key, "" if it was never written. The error is
// [ErrTimeout] if no reply came in time.
func (c *Client) Read(key string) (string, error) {
	t := c.enter()
	t.need(validName("key", key))
	value, err := t.read(key)
	c.world.gate.open()
	return value, err
}

func validLength(does string, d time.Duration) error {
	if d < 0 || d > longest {
		return fmt.Errorf("it %s for %s: give a length from 0 s to %s, for example 2 * time.Second", does, d, seconds(longest))
	}
	return nil
}

func validName(what, name string) error {
	if name == "" {
		return fmt.Errorf("it named a %s \"\": give the %s a name, for example \"report\"", what, what)
	}
	return nil
}

func validLease(lease Lease) error {
	if lease.Lock == "" {
		return errors.New("it used a lease that no Acquire returned: pass the lease that c.Acquire gave")
	}
	return nil
}

func (c *Client) clock() time.Duration { return c.world.now }

// enter is the first thing every method does: from here until the gate opens
// again, the simulator runs and not the client's function.
func (c *Client) enter() *thread {
	c.world.gate.close()
	t := c.world.current
	if t.co.stopping {
		c.world.gate.open()
		t.co.park() // a stopped coroutine does not come back from here
	}
	if t.client != c {
		t.need(fmt.Errorf("it called a method of %s: a function must use its own *fencing.Client only", c.name))
	}
	if c.world.overBudget() {
		t.park()
	}
	return t
}

func (c *Client) spawn(function func(*Client)) *thread {
	t := &thread{client: c, function: function}
	c.threads = append(c.threads, t)
	return t
}

func (c *Client) believes(lease Lease) bool { return c.belief(lease.Lock, lease.Token) != nil }

func (c *Client) belief(lock string, token uint64) *belief {
	for i := range c.beliefs {
		if b := &c.beliefs[i]; b.token == token && b.lock == lock {
			return b
		}
	}
	return nil
}

func (c *Client) believe(lock string, token uint64, deadline time.Duration) {
	c.beliefs = append(c.beliefs, belief{lock, token, deadline})
	c.world.record(Event{Actor: c.name, Kind: BeliefBegan, Key: lock, Token: token, Until: deadline})
}

// disbelieve ends the beliefs that match, and says why.
func (c *Client) disbelieve(why string, match func(belief) bool) {
	kept := c.beliefs[:0]
	for _, b := range c.beliefs {
		if !match(b) {
			kept = append(kept, b)
			continue
		}
		c.world.record(Event{Actor: c.name, Kind: BeliefEnded, Key: b.lock, Token: b.token, Note: why})
	}
	c.beliefs = kept
}

func (c *Client) disbelieveLease(why string, lease Lease) {
	c.disbelieve(why, func(b belief) bool { return b.lock == lease.Lock && b.token == lease.Token })
}

func (c *Client) disbelieveAll(why string) {
	c.disbelieve(why, func(belief) bool { return true })
}

// pause stops the client until d from now. The thread it was aimed at, if any,
// is the first to go on. Timers run on, work stands still.
func (c *Client) pause(d time.Duration, aimed *thread) {
	w := c.world
	until := max(w.now+d, c.pausedUntil)
	w.record(Event{Actor: c.name, Kind: Paused, Until: until})
	if !c.paused {
		for _, t := range c.threads {
			t.holdWork()
		}
	}
	if aimed != nil {
		c.backlog = append(c.backlog, aimed)
	}
	c.paused, c.pausedUntil = true, until
	c.pauseTurn++
	w.at(until, item{kind: resume, thread: c.main, turn: c.pauseTurn})
}

func (c *Client) resume(turn int) {
	if turn != c.pauseTurn || c.crashed || c.finished {
		return
	}
	c.paused = false
	c.world.record(Event{Actor: c.name, Kind: Resumed})
	for _, t := range c.threads {
		t.resumeWork()
	}
	woken := c.backlog
	c.backlog = nil
	for _, t := range woken {
		// At this very instant, after what is already under way: the first thread
		// may be paused or crash the client again, and then the rest must wait.
		c.world.at(c.world.now, item{kind: wake, thread: t, turn: t.turn})
	}
}

func (c *Client) crash() {
	c.world.record(Event{Actor: c.name, Kind: Crashed})
	c.crashed = true
	c.disbelieveAll(whyCrashed)
	c.stopThreads()
}

// stopThreads ends the client's coroutines. The functions its function deferred
// are run, but nothing they do reaches the world.
func (c *Client) stopThreads() {
	w := c.world
	current := w.current
	for _, t := range c.threads {
		t.turn++
		if t.co == nil || t.co.done || t == current {
			continue
		}
		w.current = t
		w.gate.open()
		t.co.stop()
		w.gate.close()
	}
	w.current = current
}

// pointsPassed lists the points that the client has come to, or the messages
// that it and its partners sent, for an error.
func (c *Client) pointsPassed(messages bool) string {
	var names []string
	for p := Point(1); p < points; p++ {
		if c.passed[p] > 0 && p.message() == messages {
			names = append(names, fmt.Sprintf("%q", p))
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
