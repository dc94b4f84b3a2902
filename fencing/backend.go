package fencing

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Backend is what stands behind a client in place of the simulator: a real lock
// service, a real storage, real time. Package live has the one that the course
// uses. A client's function cannot tell the difference.
type Backend interface {
	// Now returns the real time since the run began.
	Now() time.Duration
	// Ask sends a request and returns at once. It calls reply when the answer is
	// there, from any goroutine; for an acquire that has to wait, it calls it with
	// Reply.Queued first. An acquire that is asked again, which has the same Call, is
	// answered once.
	Ask(request Request, reply func(Reply))
	// Pass is called whenever the client comes to a point, with what the run's faults
	// make of it there, and returns when the client may go on.
	Pass(Label, Choice)
	// Record is given every event when it happens.
	Record(Event)
}

// Request is what a client asks of the lock service or the storage.
type Request struct {
	Op      Op     // what it asks for
	Call    int    // number of the operation's call
	Msg     int    // number of the request as a message; the reply has the next one
	Key     string // the lock's name or the storage's key
	Value   string // of a write: what to store
	Token   uint64 // of a renewal or a release: that of the lease; of a write, a delete or a claim: the one sent with it
	Version int    // of the key, as the client has seen it last
	Check   bool   // of a write: only if the key still has that version
}

// Reply is the answer to a [Request].
type Reply struct {
	Queued  bool   // of an acquire: the lock is held, and the client waits
	Token   uint64 // of an acquire: the token of the grant
	Value   string // of a read or a claim: what the key holds, "" if nothing
	Version int    // of a read, a claim, a write or a delete: how many changes the key has accepted
	// Err wraps ErrHeld, ErrLeaseLost, ErrFenced or ErrConflict if that is the
	// answer; anything else says that the service cannot be used, and ends the run.
	Err error
}

// RunOn is [World.Run] for one of the world's clients, with a back end in place of
// the simulator: its function runs in real time. Of the configuration it knows
// Lease, Timeout, Steps, and those faults that strike at the client's points. The
// trace has what this client did and was told; what the storage did is for the
// back end to know. A name that no client has is an error of the run.
func (w *World) RunOn(client string, b Backend) *Trace {
	others := func(c *Client) bool { return c.name != client }
	w.clients = slices.DeleteFunc(w.clients, others)
	for i, c := range w.clients {
		c.index = i
	}
	w.trace.Clients = []string{client}
	w.backend, w.heard = b, make(chan heard)
	return w.Run()
}

// heard is a reply that has come in.
type heard struct {
	request message
	sent    time.Duration
	Reply
}

// askBackend hands a request over. Its events are those of a message, but when it
// arrived only the receiver knows.
func (w *World) askBackend(m *message) {
	w.sent += 2 // the reply has a number too
	m.id = w.sent - 1
	w.recordMessage(m, m.client.name, Sent, w.now, "")
	w.open++
	request, sent := *m, w.now
	w.backend.Ask(Request{Op: m.op, Call: m.call, Msg: m.id, Key: m.key, Value: m.value, Token: m.token, Version: m.version, Check: m.check},
		func(r Reply) { w.heard <- heard{request, sent, r} })
}

// advanceReal lets real time pass until a reply or a timer has woken a thread.
func (w *World) advanceReal() bool {
	for w.next == nil && w.trace.err == nil && !w.overBudget() && slices.ContainsFunc(w.clients, (*Client).alive) {
		var due <-chan time.Time
		switch {
		case len(w.queue.items) > 0:
			due = time.After(w.queue.items[0].at - w.backend.Now())
		case w.open == 0:
			return false
		}
		select {
		case h := <-w.heard:
			w.now, w.cause = w.backend.Now(), 0
			w.hear(h)
		case <-due:
			next := w.queue.items[0]
			w.queue.removeFirst()
			w.now, w.cause = w.backend.Now(), int(next.cause)
			w.do(next.kind, int(next.who), int(next.turn))
		}
	}
	return w.next != nil
}

// passReal comes to a point of a run on real systems. The back end stops the
// process, or ends it, from which it does not come back.
func (t *thread) passReal(l Label, chosen Choice) {
	w := t.client.world
	if chosen.Action != Nothing {
		w.chose(l, chosen)
	}
	switch chosen.Action {
	case PauseIt:
		w.record(Event{Actor: l.Client, Kind: Paused, Until: w.now + chosen.For})
	case CrashIt:
		w.record(Event{Actor: l.Client, Kind: Crashed})
		t.client.disbelieveAll(whyCrashed)
	}
	w.backend.Pass(l, chosen)
	w.now = w.backend.Now()
	if chosen.Action == PauseIt {
		w.wentOn = w.now
		w.record(Event{Actor: l.Client, Kind: Resumed})
	}
}

// hear takes a reply in.
func (w *World) hear(h heard) {
	m := h.request
	if !h.Queued {
		w.open--
	}
	if err := h.Err; err != nil && !isAnswer(err) {
		w.fail(m.client.name, fmt.Errorf("%s could not %s %q: %w", m.client.name, m.op, m.key, err))
		return
	}
	reply := message{id: m.id + 1, client: m.client, life: m.life, thread: m.thread, op: m.op, call: m.call, nth: m.nth, node: m.node, reply: true,
		key: m.key, token: h.Token, value: h.Value, version: h.Version, queued: h.Queued, err: h.Err}
	if !m.toStorage() {
		w.reflect(h)
		w.recordMessage(&reply, m.service(), Sent, w.now, "")
	}
	w.recordMessage(&reply, m.client.name, Arrived, w.now, "")
	reply.thread.receive(&reply)
}

func isAnswer(err error) bool {
	return errors.Is(err, ErrHeld) || errors.Is(err, ErrLeaseLost) || errors.Is(err, ErrFenced) || errors.Is(err, ErrConflict)
}

// reflect records what the lock service must have done, as its answer tells, with
// the time of the answer. If the process was stopped in between, the answer may have
// lain there for long, and the time of the request is nearer to the truth.
func (w *World) reflect(h heard) {
	m, r := h.request, h.Reply
	if h.sent < w.wentOn {
		heard := w.now
		w.now = h.sent
		defer func() { w.now = heard }()
	}
	if r.Queued || m.op != OpAcquire || m.thread.inQueue != m.call {
		w.recordMessage(&m, ActorLockService, Arrived, w.now, "")
	}
	e := Event{Actor: ActorLockService, Client: m.client.name, Op: m.op, Call: m.call, Key: m.key, Token: m.token}
	switch {
	case r.Queued:
		e.Kind, m.thread.inQueue = Queued, m.call
	case r.Err != nil:
		e.Kind, e.Note = Refused, r.Err.Error()
	case m.op == OpAcquire || m.op == OpTryAcquire:
		e.Kind, e.Token, e.Until = Granted, r.Token, w.now+w.config.Lease
	case m.op == OpRenew:
		e.Kind, e.Until = Renewed, w.now+w.config.Lease
	case m.op == OpRelease:
		e.Kind = Released
	default:
		return
	}
	w.record(e)
}

// Recorded returns a trace of events that were recorded elsewhere, for example by
// the processes of a run on real systems, in the order in which they happened. It
// numbers them. A run that ended early has an error.
func Recorded(config Config, clients []string, events []Event, err error) *Trace {
	t := &Trace{Config: config.withDefaults(), Clients: clients, Events: events, err: err}
	for i := range t.Events {
		t.Events[i].Seq = i + 1
	}
	return t
}
