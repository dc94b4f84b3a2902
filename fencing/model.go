package fencing

import (
	"slices"
	"sync"
	"time"
)

// This file learns what the clients of a world without time do, so that a search
// need not run their functions for every order of events. To read it:
//
//   - An act is what one client does from being told something (a reply, that
//     its thread begins, what its clock shows) until it waits again: the state
//     that it is in then, the messages that it sends, its effects.
//   - In a run, acts begins an act, tell adds to what the client was told, and
//     learn ends the act and stores it under the hash of the client's state
//     before it and all it was told since. Had it done something else after the
//     same before, the model is torn: the program is not a function of what it is
//     told.
//   - Without a run, haunt looks the act up and lets the client do it: become
//     takes over its state, and what it sends goes into the queue. An act that
//     nobody has seen yet ends the walk as unknown, to be learned from a run.

// Model is a program in a world without time, for a search through its states.
//
// A client's function cannot be copied in the middle of what it does. But it is
// told everything by its client's methods, so that what it does next is decided
// by what it has been told. The model learns that from runs ([Model.Run]): for
// every state of a client, which is what a [Runner.Fingerprint] counts in, and
// everything it may be told there, what it does until it waits again. With that a [Walker] goes from state to state without a run.
// All else, the lock service, the storage and the messages, is data, and is
// handled by the same code in either.
//
// A model may be used by several goroutines at once.
type Model struct {
	config  Config
	program func(*World)
	bounds  Bounds

	mutex sync.Mutex
	acts  map[hash]*act
	used  sync.Pool // states
	torn  bool      // a client has done two things after it was told the same
}

// NewModel returns a model that has learned nothing yet.
func NewModel(config Config, program func(*World), bounds Bounds) *Model {
	return &Model{config: config, program: program, bounds: bounds, acts: map[hash]*act{}}
}

// Torn reports whether some client did something else in one run than in
// another, though it was told the same.
func (m *Model) Torn() bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.torn
}

func (m *Model) act(told hash) *act {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.acts[told]
}

// act is what a client does from being told something until it waits again.
type act struct {
	after   *clientState
	sends   []kept
	timers  []int // the threads that it has begun, by their places
	effects []string
	kinds   uint64 // of the events
	state   hash   // of the client's state after it, instead of all that it was told
	print   hash   // of all of it
}

// clientState is everything about a client that its own function changes.
type clientState struct {
	beliefs           []belief
	versions          []seen
	threads           []thread
	lives             int
	crashed, finished bool
	recalled          Lease
	reading           time.Duration
	asked             int
}

// kept is a message outside of any world: instead of pointing to its client and
// its thread it names them.
type kept struct {
	message
	client, place int
}

func keep(m *message) kept {
	k := kept{*m, m.client.index, m.thread.place}
	k.message.client, k.message.thread, k.message.node = nil, nil, nil
	return k
}

// learner is the part of a run without time that learns, or that uses what was
// learned.
type learner struct {
	model   *Model
	ghosts  bool           // no function runs: what the clients do is known
	unknown bool           // but for one
	told    []hash         // by client: its state after its last act, and what it was told since
	effects []string       // what the clients have done to the world outside
	states  []*clientState // by client: of ghosts, nil if something else has changed it

	actor    *Client // who acts now, if its act is to be learned
	messages int     // how many there were before
	items    int
	done     int
	kinds    uint64
}

// tell adds to what the client has been told since its last act.
func (w *World) tell(c *Client, what hash) {
	u := w.untimed
	h := &u.told[c.index]
	h.add(uint64(what))
	if u.ghosts {
		u.states[c.index] = nil
	}
}

// hears is called when a thread goes on: with a reply or, if there is none,
// because it begins or has stopped waiting.
func (w *World) hears(t *thread) {
	h := hash(t.place + 1)
	if len(t.inbox) > 0 {
		h.addMessage(t.inbox[0])
	}
	t.heard.add(uint64(h))
	w.acts(t.client, h)
}

// acts begins an act of the client, which has been told something.
func (w *World) acts(c *Client, told hash) {
	u := w.untimed
	w.tell(c, told)
	u.actor, u.messages, u.items, u.done = c, len(w.messages), len(w.queue.items), len(u.effects)
	u.kinds, w.kinds = w.kinds, 0
}

// learn ends an act, if there is one, and learns it.
func (w *World) learn() {
	u := w.untimed
	c := u.actor
	if c == nil {
		return
	}
	kinds := w.kinds
	u.actor, w.kinds = nil, kinds|u.kinds
	if w.trace.err != nil || u.model.acts == nil {
		return
	}
	told := u.told[c.index]
	state, print := w.printAct(c)
	u.told[c.index] = state
	if before := u.model.act(told); before != nil {
		if before.print != print {
			u.model.tear()
		}
		return
	}
	a := &act{after: w.clientState(c), effects: slices.Clone(u.effects[u.done:]), kinds: kinds, state: state, print: print}
	for i := range w.messages[u.messages:] {
		a.sends = append(a.sends, keep(&w.messages[u.messages+i]))
	}
	for _, it := range w.queue.items[u.items:] {
		if it.kind == wake {
			a.timers = append(a.timers, w.threads[it.who].place)
		}
	}
	u.model.mutex.Lock()
	u.model.acts[told] = a
	u.model.mutex.Unlock()
}

func (m *Model) tear() {
	m.mutex.Lock()
	m.torn = true
	m.mutex.Unlock()
}

// printAct returns hashes of the client's state and of what it has done.
func (w *World) printAct(c *Client) (state, act hash) {
	state = hash(3)
	state.add(uint64(c.index), uint64(w.untimed.asked[c.index]))
	state.addClient(c)
	for _, t := range c.threads { // their order depends on which began first
		state.add(uint64(t.call))
	}
	h := state
	for i := range w.messages[w.untimed.messages:] {
		h.addMessage(&w.messages[w.untimed.messages+i])
	}
	for _, e := range w.untimed.effects[w.untimed.done:] {
		h.addText(e)
	}
	return state, h
}

func (w *World) clientState(c *Client) *clientState {
	s := &clientState{beliefs: slices.Clone(c.beliefs), versions: slices.Clone(c.versions), asked: w.untimed.asked[c.index],
		lives: c.lives, crashed: c.crashed, finished: c.finished, recalled: c.recalled, reading: c.reading}
	for _, t := range c.threads {
		s.threads = append(s.threads, thread{place: t.place, nth: t.nth, within: t.within, history: t.history, heard: t.heard, op: t.op, call: t.call, key: t.key,
			over: t.over, patience: t.patience, timeOut: t.timeOut})
	}
	return s
}

// become gives the client a state.
func (w *World) become(c *Client, s *clientState) {
	c.lives, c.crashed, c.finished, c.recalled, c.reading = s.lives, s.crashed, s.finished, s.recalled, s.reading
	c.beliefs, c.versions = append(c.beliefs[:0], s.beliefs...), append(c.versions[:0], s.versions...)
	w.untimed.asked[c.index] = s.asked
	for i := range s.threads {
		if i == len(c.threads) {
			c.spawn(nil)
		}
		t, like := c.threads[i], &s.threads[i]
		t.nth, t.within, t.history, t.heard, t.op, t.call, t.key, t.over, t.patience, t.timeOut = like.nth, like.within, like.history, like.heard, like.op, like.call, like.key, like.over, like.patience, like.timeOut
		t.inbox = t.inbox[:0]
	}
}

// haunt lets a client without a function do what is known.
func (w *World) haunt(c *Client) {
	u := w.untimed
	u.actor, w.kinds = nil, w.kinds|u.kinds
	a := u.model.act(u.told[c.index])
	if a == nil {
		u.unknown, u.ended = true, true
		return
	}
	w.become(c, a.after)
	u.told[c.index] = a.state
	u.states[c.index] = a.after
	w.kinds |= a.kinds
	for i := range a.sends {
		w.at(w.now, arrive, w.takeBack(&a.sends[i]), 0)
	}
	for _, place := range a.timers {
		w.at(w.now, wake, c.threads[place].index, c.threads[place].turn)
	}
	for _, e := range a.effects {
		w.carryOut(e)
	}
}
