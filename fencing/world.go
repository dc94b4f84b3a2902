package fencing

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Config holds everything about a run that is not the program. Zero is off, or
// the default that the field's comment names.
type Config struct {
	Name       string        // what stories and charts call the run, for example "GC pause"
	Program    string        // what the clients do, in a few words, for stories and charts; a preset fills it in
	Lease      time.Duration // length of every lease; 0 means 10 s
	FirstToken uint64        // token of a lock's first grant; 0 means 33
	Fencing    bool          // the storage rejects a write whose token is below the key's fence
	Latency    time.Duration // how long every message takes
	Timeout    time.Duration // how long a client waits for a reply; 0 waits for ever
	Faults     []Fault       // what the world does to the clients
	Storage    Checker       // another storage in place of the built-in one, which Fencing steers
	Steps      int           // how many steps the run may take; 0 means 100,000
}

const (
	defaultLease      = 10 * time.Second
	defaultFirstToken = 33
	defaultSteps      = 100_000

	// longest bounds every duration, so that no sum of them overflows.
	longest = 1000 * time.Hour
)

func (c Config) withDefaults() Config {
	if c.Lease == 0 {
		c.Lease = defaultLease
	}
	if c.FirstToken == 0 {
		c.FirstToken = defaultFirstToken
	}
	if c.Steps == 0 {
		c.Steps = defaultSteps
	}
	c.Faults = slices.Clone(c.Faults)
	return c
}

func (c Config) check(clients []string) error {
	for _, d := range []struct {
		name  string
		value time.Duration
		hint  string
	}{
		{"Lease", c.Lease, "give a positive length, for example 10 * time.Second, or leave it out for 10 s"},
		{"Latency", c.Latency, "give a positive length, or leave it out for messages that take no time"},
		{"Timeout", c.Timeout, "give a positive length, or leave it out to wait for ever"},
	} {
		if d.value < 0 || d.value > longest {
			return fmt.Errorf("Config.%s is %s: %s (the longest is %s)", d.name, d.value, d.hint, seconds(longest))
		}
	}
	if c.Steps < 0 {
		return fmt.Errorf("Config.Steps is %d: give a positive number, or leave it out for %d", c.Steps, defaultSteps)
	}
	for i, f := range c.Faults {
		if err := f.check(clients); err != nil {
			return err
		}
		for _, g := range c.Faults[:i] {
			if f.Point != 0 && f.Point == g.Point && f.nth() == g.nth() && f.Client == g.Client {
				return fmt.Errorf("the faults %q and %q strike at the same moment: keep one of them, or aim one with .Time(2) at the second passing", g, f)
			}
		}
	}
	return nil
}

// World is one lock service, one storage and some clients, on simulated time.
// Make it with [NewWorld], add clients with [World.Client], run it once with
// [World.Run]. It is not safe for use by several goroutines.
type World struct {
	config  Config
	clients []*Client
	locks   []*lock
	records []*record
	chooser chooser
	plan    *plan

	queue    queue
	messages []message
	now      time.Duration
	calls    int
	steps    int
	cause    int // Seq of the event that led to the present step
	current  *thread
	gate     gate

	trace *Trace
	ran   bool
}

// NewWorld returns a world without clients. A mistake in config is reported by
// the trace of its run ([Trace.Err]).
func NewWorld(config Config) *World {
	config = config.withDefaults()
	p := newPlan(config.Faults)
	return &World{config: config, plan: p, chooser: p, trace: &Trace{Config: config}}
}

// Client adds a client. Its function is called when the run begins, at 0 s, and
// does what it does in simulated time: only the methods of [Client] make time
// pass. It must not wait for anything outside the simulator, such as a channel
// or time.Sleep.
func (w *World) Client(name string, function func(*Client)) {
	switch {
	case w.ran:
		w.mistake(fmt.Errorf("client %q was added after the run began: add all clients before world.Run()", name))
	case name == "":
		w.mistake(errors.New(`a client was added with an empty name: give it one, for example "client 1"`))
	case slices.Contains([]string{ActorLockService, ActorStorage, ActorNetwork}, name):
		w.mistake(fmt.Errorf("a client was named %q, which is the name of a part of the world: choose another, for example %q", name, "client 1"))
	case slices.Contains(w.trace.Clients, name):
		w.mistake(fmt.Errorf("two clients were named %q: give each client a name of its own", name))
	case function == nil:
		w.mistake(fmt.Errorf("client %q has no function: pass a func(*fencing.Client)", name))
	default:
		c := &Client{world: w, name: name}
		c.main = c.spawn(function)
		w.clients = append(w.clients, c)
		w.trace.Clients = append(w.trace.Clients, name)
	}
}

// Run runs the world until nothing is left to happen and returns the trace. If
// the run was impossible or ended early, [Trace.Err] says why. Run works once.
//
// A client's function that panics, ends its goroutine, or does not come back to
// the simulator for 2 s of real time ends the run with an error that names the
// client. In the last case its goroutine is lost: nothing can stop it from
// outside.
func (w *World) Run() *Trace {
	if w.ran {
		return &Trace{Config: w.config, Clients: w.trace.Clients,
			err: errors.New("this world has already run: make a new one with fencing.NewWorld for every run")}
	}
	w.ran = true
	if w.trace.err == nil && len(w.clients) == 0 {
		w.mistake(errors.New(`this world has no clients: add one with world.Client("client 1", func(c *fencing.Client) { ... }) before world.Run()`))
	}
	if w.trace.err == nil {
		w.mistake(w.config.check(w.trace.Clients))
	}
	if w.trace.err == nil {
		w.watch(w.loop)
	}
	return w.trace
}

// mistake keeps the first error only: what follows is often its consequence.
func (w *World) mistake(err error) {
	if w.trace.err == nil {
		w.trace.err = err
	}
}

// fail is a mistake during the run: it is part of the story.
func (w *World) fail(actor string, err error) {
	w.mistake(err)
	w.record(Event{Actor: actor, Kind: Failed, Note: err.Error()})
}

// record appends an event. Its cause is the event before it in the same step,
// or the one that brought the step about.
func (w *World) record(e Event) int {
	e.Seq = len(w.trace.Events) + 1
	e.At, e.Clock = w.now, w.now
	e.Cause = w.cause
	w.trace.Events = append(w.trace.Events, e)
	w.cause = e.Seq
	return e.Seq
}

// loop takes one step after another until nothing is left to happen, something
// failed, or the budget is spent; then it ends the clients that still wait.
func (w *World) loop() {
	for _, c := range w.clients {
		w.at(0, item{kind: wake, thread: c.main})
	}
	for _, f := range w.config.Faults {
		if f.Point == 0 {
			w.at(f.At, item{kind: strike, fault: f})
		}
	}
	for w.trace.err == nil && len(w.queue.items) > 0 {
		if w.overBudget() {
			break
		}
		next := w.queue.pop()
		w.now, w.cause = next.at, next.cause
		w.do(next)
	}
	w.finish()
}

// overBudget counts one step and reports whether it was one too many.
func (w *World) overBudget() bool {
	w.steps++
	if w.steps <= w.config.Steps {
		return false
	}
	actor := ActorNetwork
	if w.current != nil {
		actor = w.current.client.name
	}
	w.fail(actor, fmt.Errorf("the run took more than %d steps, %s last: end the loop in its function, or raise Config.Steps", w.config.Steps, actor))
	return true
}

func (w *World) do(i item) {
	w.current = nil
	switch i.kind {
	case wake:
		i.thread.wake(i.turn)
	case arrive:
		w.arrive(w.messages[i.message])
	case expiry:
		w.expire(i.lock)
	case resume:
		i.thread.client.resume(i.turn)
	case strike:
		w.strike(i.fault)
	}
}

// strike carries out a fault that was declared for a time.
func (w *World) strike(f Fault) {
	c := w.clients[slices.Index(w.trace.Clients, f.Client)]
	if c.crashed || c.finished {
		w.unreached(f, fmt.Sprintf("%s had already ended", c.name))
		return
	}
	w.record(Event{Actor: c.name, Kind: Chosen, Note: f.String()})
	if f.Action == CrashIt {
		c.crash()
		return
	}
	c.pause(f.For, nil)
}

func (w *World) finish() {
	w.current = nil
	if w.trace.err == nil {
		w.reportUnreached()
		w.reportStuck()
	}
	for _, c := range w.clients {
		c.stopThreads()
	}
}

func (w *World) reportUnreached() {
	for i, f := range w.config.Faults {
		if f.Point == 0 || w.plan.reached[i] {
			continue
		}
		c := w.clients[slices.Index(w.trace.Clients, f.Client)]
		why := fmt.Sprintf("%s never came to %q; it came to %s", c.name, f.Point, c.pointsPassed(f.Point.message()))
		if n := c.passed[f.Point]; n > 0 {
			why = fmt.Sprintf("%s came to %q only %s", c.name, f.Point, count(n, "time"))
		}
		w.unreached(f, why)
	}
}

func (w *World) unreached(f Fault, why string) {
	w.cause = 0
	w.record(Event{Actor: f.Client, Kind: Unreached, Note: f.String()})
	w.mistake(fmt.Errorf("the fault %q never happened, because %s: choose a point or a time that the client reaches", f, why))
}

func (w *World) reportStuck() {
	for _, c := range w.clients {
		for _, t := range c.threads {
			if c.crashed || t.co == nil || t.co.done {
				continue
			}
			w.cause = 0
			w.record(Event{Actor: c.name, Kind: Stuck, Op: t.op, Call: t.call, Key: t.key})
			w.mistake(fmt.Errorf("%s waits for ever for the reply to its %s of %q: set Config.Timeout, so that a lost message does not block it", c.name, t.op, t.key))
		}
	}
}

// item is something that will happen at a time.
type item struct {
	at      time.Duration
	seq     int // order of items at one instant
	cause   int
	kind    itemKind
	turn    int // wake and resume: stale if the thread or client has moved on
	thread  *thread
	message int
	lock    *lock
	fault   Fault
}

type itemKind uint8

const (
	wake   itemKind = iota // a thread's timer
	arrive                 // a message reaches its receiver
	expiry                 // a lease may have ended
	resume                 // a pause is over
	strike                 // a fault declared for a time
)

// at puts an item into the queue for a true time.
func (w *World) at(when time.Duration, i item) {
	i.at, i.cause = when, w.cause
	w.queue.push(i)
}
