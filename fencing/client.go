package fencing

import (
	"errors"
	"fmt"
	"strconv"
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
	// ErrConflict says that the key has changed since the version that the write
	// was made for: read again and decide anew.
	ErrConflict = errors.New("version conflict")
	// ErrTimeout says that no reply came in time. The outcome is unknown: the
	// request may have been carried out, may be carried out later, or never.
	ErrTimeout = errors.New("timed out, outcome unknown")
)

// ErrUnreached is what the error of a run ([Trace.Err]) wraps if a fault never
// happened: its point was never passed, its time came when nobody was left, or
// the key that it deletes is one that no client used. The run went on to its end all
// the same.
var ErrUnreached = errors.New("a fault never happened")

// failure is the error of an operation. Its text is made when it is asked for: a
// search has millions of them and asks for few.
type failure struct {
	op    Op
	key   string
	token uint64
	cause error
}

func (f *failure) Error() string {
	what := f.op.String()
	switch {
	case f.op == OpRead || f.op == OpClaim || f.token == 0 && (f.op == OpRenew || f.op == OpRelease):
		what += " " + strconv.Quote(f.key)
	case f.op == OpRenew || f.op == OpRelease:
		what += " token " + number(f.token) + " of " + strconv.Quote(f.key)
	default:
		what += " " + strconv.Quote(f.key) + " with token " + number(f.token)
	}
	return what + ": " + f.cause.Error()
}

func (f *failure) Unwrap() error { return f.cause }

// refusal is why the lock service or the storage refuses a request.
type refusal struct {
	cause error
	why   string
}

func (r *refusal) Error() string { return r.cause.Error() + ": " + r.why }
func (r *refusal) Unwrap() error { return r.cause }

func number(n uint64) string { return strconv.FormatUint(n, 10) }

// Lease is a grant with an end, as the client got it.
type Lease struct {
	Lock  string        // the lock's name
	Token uint64        // the number of the grant; higher with every grant of the lock; 0 from lock nodes
	Until time.Duration // the client's own deadline, on its own clock, when it got the grant
}

// Client is one client of the lock service and the storage. Its methods are for
// the function that [World.Client] was given, and for nothing else.
type Client struct {
	world   *World
	name    string
	index   int
	main    *thread
	threads []*thread

	beliefs  []belief
	passed   [points]int
	ownClock clock
	reading  time.Duration // of the clock in a world without time
	lives    int           // how often it was restarted
	crashed  bool
	finished bool
	recalled Lease // what it believed in last when its life ended, for a restart that keeps it
	versions []seen

	paused      bool
	suspended   bool
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
	writes   int           // how many writes it has sent under this grant
}

// seen is the version of a key that the client has read last.
type seen struct {
	key     string
	version int
	read    bool // it has read the key, and did not only write it
}

// Name returns the client's name.
func (c *Client) Name() string { return c.name }

// Now returns the time on the client's own clock, counted from the beginning of
// the run.
func (c *Client) Now() time.Duration {
	t := c.enter()
	if c.world.untimed != nil && c.world.tooLate(c) {
		c.reading += c.world.config.Lease
	}
	now := c.clock()
	t.history.add(uint64(now))
	c.world.gate.open()
	return now
}

// Sleep waits for d. If the client is paused meanwhile, the timer runs on.
func (c *Client) Sleep(d time.Duration) {
	t := c.enter()
	t.need(c.validLength("sleeps", d))
	if t.sleeps(d) {
		t.park()
	}
	c.world.gate.open()
}

// Work keeps the client busy for d. A pause in the middle makes it take that
// much longer.
func (c *Client) Work(d time.Duration) {
	t := c.enter()
	t.need(c.validLength("works", d))
	if t.works(d) {
		t.park()
	}
	c.world.gate.open()
}

// Pause stops the whole client for d, as a garbage collection would: it sees
// nothing and does nothing, and messages to it wait. In a preset the world
// does this instead ([Config.Faults]).
func (c *Client) Pause(d time.Duration) {
	t := c.enter()
	t.need(c.validLength("pauses", d))
	t.standStill(d)
	c.world.gate.open()
}

// Acquire waits until the client holds the lock, like sync.Mutex.Lock, and
// returns its lease. If no reply comes in time it asks again. With lock nodes
// ([Config.Nodes]) it tries again a second later until a majority grants it.
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
// holds it and [ErrTimeout] if no reply came in time. With lock nodes
// ([Config.Nodes]) it is ErrHeld if a majority of them cannot have granted it,
// ErrTimeout if that hangs on nodes that gave no reply, and [ErrLeaseLost] if a
// majority granted it so late that nothing is left of the lease; in each case the
// client gives back what it may have got.
func (c *Client) TryAcquire(lock string) (Lease, error) {
	t := c.enter()
	t.need(validName("lock", lock))
	lease, err := t.tryAcquire(lock)
	c.world.gate.open()
	return lease, err
}

// Renew asks for the lease to last another [Config.Lease] from now. The error is
// [ErrLeaseLost] if it had ended, even if nobody else holds the lock since, and
// [ErrTimeout] if no reply came in time. With lock nodes a majority decides, and it
// is ErrTimeout if that hangs on nodes that gave no reply. The client then goes on
// believing until its old deadline.
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
	switch {
	case every <= 0 || every > Longest:
		t.need(fmt.Errorf("it keeps a lease alive every %s: give a length above 0 s and up to %s, for example 3 * time.Second", every, longestInWords))
	case every < Shortest:
		t.need(noUnit("it keeps a lease alive every", every))
	}
	renewer := c.spawn(func(c *Client) {
		next := c.clock() + every
		for c.believes(lease) && !errors.Is(c.Renew(lease), ErrLeaseLost) {
			now := c.clock()
			c.rest(max(0, next-now))
			next = max(next, now) + every
		}
	})
	renewer.every = every
	renewer.after(stretch(every, c.ownClock.ppm))
	c.world.gate.open()
}

// Write stores a value under a key and sends the token with it. The error is
// [ErrFenced] if the storage rejected the token, [ErrConflict] if it compares
// versions and the key has changed, and [ErrTimeout] if no reply came in time:
// then the write may still be on its way.
func (c *Client) Write(key, value string, token uint64) error {
	t := c.enter()
	t.need(validName("key", key))
	err := t.write(OpWrite, &message{key: key, value: value, token: token})
	c.world.gate.open()
	return err
}

// WriteIf is Write for a key that nobody has changed since the client read or
// claimed it last; otherwise the error is [ErrConflict].
func (c *Client) WriteIf(key, value string, token uint64) error {
	t := c.enter()
	t.need(validName("key", key))
	t.need(c.world.onlyBuiltIn("compares the version of", key))
	err := t.write(OpWrite, &message{key: key, value: value, token: token, check: true})
	c.world.gate.open()
	return err
}

// Delete removes a key and sends the token with the request. The errors are
// those of [Client.Write].
func (c *Client) Delete(key string, token uint64) error {
	t := c.enter()
	t.need(validName("key", key))
	t.need(c.world.onlyBuiltIn("deletes", key))
	err := t.write(OpDelete, &message{key: key, token: token})
	c.world.gate.open()
	return err
}

// Read returns the value of a key, "" if it was never written. The error is
// [ErrTimeout] if no reply came in time.
func (c *Client) Read(key string) (string, error) {
	t := c.enter()
	t.need(validName("key", key))
	value, err := t.read(OpRead, &message{key: key})
	c.world.gate.open()
	return value, err
}

// Claim raises the key's fence to the token and returns the value, in one step:
// from then on no lower token is accepted. The error is [ErrFenced] if the fence
// is higher already, and [ErrTimeout] if no reply came in time.
func (c *Client) Claim(key string, token uint64) (string, error) {
	t := c.enter()
	t.need(validName("key", key))
	t.need(c.world.onlyBuiltIn("claims", key))
	value, err := t.read(OpClaim, &message{key: key, token: token})
	c.world.gate.open()
	return value, err
}

// CurrentToken asks the lock service for the token of the lock's last grant,
// whoever holds it. To send that number with a write is a mistake that people
// make: it is not the token of the writer's own lease. The error is [ErrTimeout] if
// no reply came in time.
func (c *Client) CurrentToken(lock string) (uint64, error) {
	t := c.enter()
	t.need(validName("lock", lock))
	if c.world.config.Nodes > 0 {
		t.need(fmt.Errorf("it asks for the token of %q, and lock nodes number nothing: leave out Config.Nodes", lock))
	}
	token, err := t.currentToken(lock)
	c.world.gate.open()
	return token, err
}

// Do has an effect on the world outside, which cannot check a token and cannot
// be undone: a payment, an e-mail. If [Config.Idempotent] is set, an effect of
// one name happens once, however often it is asked for.
func (c *Client) Do(effect string) {
	t := c.enter()
	t.need(validName("effect", effect))
	t.effect(effect)
	c.world.gate.open()
}

// ReleaseByName frees the lock whoever holds it, if [Config.PlainDelete] lets
// it: the mistake that a release by owner prevents. The errors are those of
// [Client.Release].
func (c *Client) ReleaseByName(lock string) error {
	t := c.enter()
	t.need(validName("lock", lock))
	err := t.release(Lease{Lock: lock})
	c.world.gate.open()
	return err
}

// Lost reports whether the client no longer believes that it has the lease: a
// reply has told it that the lease is lost or that a newer holder has written, it
// has found its deadline past ([Client.Holds]), or it has released the lease
// itself. It looks at no clock and asks nobody.
func (c *Client) Lost(lease Lease) bool {
	t := c.enter()
	t.need(validLease(lease))
	lost := !c.believes(lease)
	var told hash
	told.addFlags(lost)
	t.history.add(uint64(told))
	c.world.gate.open()
	return lost
}

// Recall returns the lease that the client believed in when its life before this
// one ended, if its restart kept that memory ([Fault.Keeping]). It goes on
// believing in it.
func (c *Client) Recall() (Lease, bool) { return c.recalled, c.lives > 0 && c.recalled.Lock != "" }

// rest is Sleep for a length that a renewer has counted, which may be tiny.
func (c *Client) rest(d time.Duration) {
	t := c.enter()
	if t.sleeps(d) {
		t.park()
	}
	c.world.gate.open()
}

func (c *Client) validLength(does string, d time.Duration) error {
	if d == 0 || Shortest <= d && d <= Longest {
		return nil
	}
	return c.wrongLength(does, d)
}

// wrongLength lets a tiny length pass where it may be counted from a clock that
// gives odd numbers.
func (c *Client) wrongLength(does string, d time.Duration) error {
	if 0 < d && d < Shortest {
		if c.world.skewed || c.world.backend != nil {
			return nil
		}
		return noUnit("it "+does+" for", d)
	}
	return fmt.Errorf("it %s for %s: give a length from 0 s to %s, for example 2 * time.Second", does, d, longestInWords)
}

func validName(what, name string) error {
	if name == "" {
		return fmt.Errorf("it used \"\" as the name of a lock, a key or an effect: give the %s a name, for example \"report\"", what)
	}
	return nil
}

// onlyBuiltIn refuses an operation that a [Checker] does not have.
func (w *World) onlyBuiltIn(does, key string) error {
	if w.config.Storage != nil {
		return fmt.Errorf("it %s %q, and a storage of your own has Write and Read only: leave out Config.Storage", does, key)
	}
	return nil
}

func validLease(lease Lease) error {
	if lease.Lock == "" {
		return errors.New("it used a lease that no Acquire returned: pass the lease that c.Acquire gave")
	}
	return nil
}

func (c *Client) clock() time.Duration {
	if c.world.untimed != nil {
		return c.reading
	}
	return c.ownClock.at(c.world.now)
}

// enter is the first thing every method does: from here until the gate opens
// again, the simulator runs and not the client's function.
func (c *Client) enter() *thread {
	if c == nil || c.world == nil {
		panic("fencing: this client is in no world: use the *fencing.Client that a world passes to the function given to world.Client")
	}
	if !c.world.gate.close() {
		c.intrude()
	}
	t := c.world.current
	if t == nil {
		c.world.gate.open()
		panic("fencing: a storage called a method of " + c.name + ": it may answer, and nothing else")
	}
	if t.co.stopping {
		c.world.gate.open()
		t.co.leave()
	}
	if t.client != c {
		t.need(fmt.Errorf("it called a method of %s: a function must use its own *fencing.Client only", c.name))
	}
	if c.world.backend != nil {
		c.world.now = c.world.backend.Now()
	}
	if c.world.overBudget() {
		t.park()
	}
	return t
}

// mistake ends the run for what the client's function did, if that is wrong.
func (c *Client) mistake(err error) {
	if err != nil {
		c.enter().need(err)
	}
}

func (c *Client) spawn(function func(*Client)) *thread {
	t := again(&c.world.threads)
	*t = thread{client: c, function: function, body: t.body, index: len(c.world.threads) - 1, inbox: t.inbox[:0], place: len(c.threads)}
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
	c.beliefs = append(c.beliefs, belief{lock: lock, token: token, deadline: deadline})
	c.world.record(Event{Actor: c.name, Kind: BeliefBegan, Key: lock, Token: token, Until: deadline})
}

// nextWrite returns the number of the next write under a token, 0 if the client
// does not believe that it holds it. Two locks may have given it the same token.
func (c *Client) nextWrite(token uint64) int {
	number := 0
	for _, b := range c.beliefs {
		if b.token == token {
			number = max(number, b.writes+1)
		}
	}
	for i := range c.beliefs {
		if c.beliefs[i].token == token {
			c.beliefs[i].writes = number
		}
	}
	return number
}

// learnsThatFenced ends the belief that a rejection is about: the lease of the
// lock that is named like the key or, if there is none, every one of that token.
func (c *Client) learnsThatFenced(key string, token uint64) {
	named := c.belief(key, token) != nil
	c.disbelieve("the storage rejected its token", func(b belief) bool { return b.token == token && (b.lock == key || !named) })
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
	paused := Event{Actor: c.name, Kind: Paused, Until: until}
	if c.suspended {
		paused.Note = asleepNote
	}
	w.record(paused)
	if !c.paused {
		for _, t := range c.threads {
			t.hold(c.suspended)
		}
	}
	if aimed != nil {
		c.backlog = append(c.backlog, aimed)
	}
	c.paused, c.pausedUntil = true, until
	c.pauseTurn++
	w.at(until, resume, c.index, c.pauseTurn)
}

// suspend is a pause during which the machine sleeps: clock and timers stand
// still as well.
func (c *Client) suspend(d time.Duration) {
	if !c.suspended {
		c.suspended = true
		c.ownClock.stop(c.world.now)
	}
	if c.paused {
		for _, t := range c.threads {
			t.hold(true)
		}
	}
	c.pause(d, nil)
}

// wakeUp ends what suspend began, if it did.
func (c *Client) wakeUp() {
	if c.suspended {
		c.suspended = false
		c.ownClock.goOn(c.world.now)
	}
}

func (c *Client) resume(turn int) {
	if turn != c.pauseTurn || c.crashed || c.finished {
		return
	}
	c.paused = false
	c.wakeUp()
	c.world.record(Event{Actor: c.name, Kind: Resumed})
	for _, t := range c.threads {
		t.carryOn()
	}
	woken := c.backlog
	c.backlog = c.backlog[:0]
	for _, t := range woken {
		// At this very instant, after what is already under way: the first thread
		// may be paused or crash the client again, and then the rest must wait.
		c.world.at(c.world.now, wake, t.index, t.turn)
	}
}

func (c *Client) crash() {
	c.world.record(Event{Actor: c.name, Kind: Crashed})
	c.crashed = true
	c.wakeUp()
	c.paused, c.pausedUntil, c.backlog = false, 0, nil
	c.pauseTurn++
	c.remember()
	c.disbelieveAll(whyCrashed)
	c.stopThreads()
}

// remember keeps the lease that the client believes in as it ends, for a restart
// that keeps its memory.
func (c *Client) remember() {
	c.recalled = Lease{}
	if n := len(c.beliefs); n > 0 {
		b := c.beliefs[n-1]
		c.recalled = Lease{b.lock, b.token, b.deadline}
	}
}

// restart lets the client begin its function anew, as another life: replies to
// the one before do not reach it.
func (c *Client) restart(keep bool) {
	w := c.world
	restarted := Event{Actor: c.name, Kind: Restarted}
	if !keep {
		c.recalled = Lease{}
	}
	if c.recalled.Lock != "" {
		restarted.Note = "and remembers its lease"
	}
	w.record(restarted)
	c.crashed, c.finished = false, false
	c.lives++
	c.versions = nil
	c.stopThreads() // one that crashed at a point of its own is still there
	c.threads = nil
	c.main = c.spawn(c.main.function)
	w.at(w.now, wake, c.main.index, c.main.turn)
	if c.recalled.Lock != "" {
		c.believe(c.recalled.Lock, c.recalled.Token, c.recalled.Until)
	}
}

// stopThreads ends the client's coroutines. The functions its function deferred
// are run, but nothing they do reaches the world.
func (c *Client) stopThreads() {
	w := c.world
	current := w.current
	for _, t := range c.threads {
		t.turn++
		if t.co == nil || t == current {
			continue
		}
		w.current = t
		w.gate.open()
		if w.again {
			t.co.unroll()
		} else {
			t.co.stop()
		}
		w.gate.take()
		w.giveBack(t.co)
		t.over, t.co = true, nil
	}
	w.current = current
}

// pointsPassed lists the points that the client has come to, or the messages
// that it and its partners sent, for an error.
func (c *Client) pointsPassed(messages bool) string {
	var names []string
	for p := Point(1); p < points; p++ {
		if c.passed[p] > 0 && p.Message() == messages {
			names = append(names, fmt.Sprintf("%q", p))
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// sees remembers the version of a key that a reply told.
func (c *Client) sees(key string, version int, read bool) {
	for i := range c.versions {
		if s := &c.versions[i]; s.key == key {
			s.version, s.read = version, s.read || read
			return
		}
	}
	c.versions = append(c.versions, seen{key, version, read})
}

// versionOf returns the version of a key that the client has seen last, and as
// base the next one if it has read the key, 0 if not.
func (c *Client) versionOf(key string) (version, base int) {
	for _, s := range c.versions {
		if s.key == key {
			if s.read {
				base = s.version + 1
			}
			return s.version, base
		}
	}
	return 0, 0
}
