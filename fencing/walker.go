package fencing

import "slices"

// This file goes through the states of a world without time. A [State] is a copy
// of everything that a world holds between two steps. It points to nothing in that
// world: threads, messages and clients are named by where they stand in their
// lists, so that any [Walker] can make it the present one. A search repeats:
//
//	k.GoTo(s)              // load: the world is as the state says
//	known := k.Take(pick)  // untimed.go carries the step out, model.go plays the clients
//	next := k.State()      // the world is copied out again
//
// A walker's world has no coroutines: no function of a client runs in it. The lock
// service and the storage are the same code as in a run.

// State is a state of a [Model]'s world, and what may happen next in it. It does
// not change.
type State struct {
	Options int // how many steps are possible

	bounds     Bounds
	generation uint64
	done       uint64
	effects    []string
	messages   []kept
	items      []keptItem
	locks      []keptLock
	records    []record
	clients    []keptClient
	patience   []patience // of every thread
}

type keptItem struct {
	kind          itemKind
	who           int // index of the message or the fault
	client, place int // of a thread
}

// keptLock has indexes of messages and of a client, -1 for none.
type keptLock struct {
	lock
	holder, last int
	queue        []int
}

type keptClient struct {
	*clientState
	told hash
}

// Walker goes from state to state of one model. Every goroutine needs its own.
type Walker struct {
	model *Model
	world *World
}

// Walker returns a walker.
func (m *Model) Walker() *Walker { return &Walker{model: m, world: emptyWorld()} }

// GoTo makes a state the present one; nil is the state before the run, in which
// there is one step.
func (k *Walker) GoTo(s *State) {
	if s == nil || k.world.untimed == nil {
		k.begin()
	}
	if s != nil {
		k.load(s)
		k.world.listOptions()
	}
}

// Step describes a step of the present state.
func (k *Walker) Step(pick int) Step { return k.world.step(k.world.untimed.options[pick]) }

// Take takes a step, and goes on until there is a choice again. It reports
// whether what the clients do then is known; if not, the model must learn it
// from a run that takes the same way.
func (k *Walker) Take(pick int) bool {
	w := k.world
	if len(w.untimed.options) > 0 {
		w.untimed.pending = w.untimed.options[pick]
	}
	for w.next != nil || w.advance(true) {
		t := w.next
		w.next = nil
		t.takeTurn(w)
		w.haunt(t.client)
	}
	if !w.untimed.ended {
		w.untimed.options = w.untimed.options[:0]
	}
	return !w.untimed.unknown && w.trace.err == nil
}

func (k *Walker) begin() {
	w := k.world
	config := k.model.config
	config.Untraced = true
	w.beginUntimed(k.model, config, w.untimed)
	u := w.untimed
	u.ghosts, u.states, u.effects = true, make([]*clientState, len(w.clients)), nil
	if w.mayRun() {
		w.start()
	} else {
		u.unknown = true // a run will tell what is wrong
	}
}

// Options returns how many steps are possible in the present state.
func (k *Walker) Options() int { return len(k.world.untimed.options) }

// Urgent reports whether they are those of a client or a message that all else
// waits for.
func (k *Walker) Urgent() bool { return k.world.untimed.urgent }

// Fingerprint is the present state's, see [Runner.Fingerprint].
func (k *Walker) Fingerprint() uint64 { return k.world.fingerprint() }

// Kinds returns the kinds of the events of the last step, as a set of bits.
func (k *Walker) Kinds() uint64 { return k.world.kinds }

// Suspects reports whether the last step may have been the acceptance of a stale
// write, or have lost an update. If not, it was not.
func (k *Walker) Suspects() (stale, lost bool) { return k.world.stale, k.world.lost }

// Cut reports whether a client would have gone on in the last step, but for
// Bounds.Operations.
func (k *Walker) Cut() bool { return k.world.kinds&cutShort != 0 }

// State returns the present state.
func (k *Walker) State() *State {
	w, u := k.world, k.world.untimed
	s, _ := k.model.used.Get().(*State)
	if s == nil {
		s = &State{}
	}
	*s = State{Options: len(u.options), bounds: u.Bounds, generation: w.services[0].generation, done: w.done, effects: slices.Clip(u.effects),
		messages: s.messages[:0], items: s.items[:0], locks: s.locks[:0], records: s.records[:0], clients: s.clients[:0], patience: s.patience[:0]}
	for _, r := range w.records {
		s.records = append(s.records, *r)
	}
	for _, l := range w.locks {
		s.locks = append(s.locks, s.keepLock(l))
	}
	for _, it := range w.queue.items {
		s.keepItem(w, it)
	}
	for i, c := range w.clients {
		if u.states[i] == nil {
			u.states[i] = w.clientState(c)
		}
		s.clients = append(s.clients, keptClient{u.states[i], u.told[i]})
		for _, t := range c.threads {
			s.patience = append(s.patience, t.patience)
		}
	}
	return s
}

// Recycle takes a state that nobody will use any more.
func (m *Model) Recycle(s *State) {
	if s != nil {
		m.used.Put(s)
	}
}

func (s *State) keepMessage(m *message) int {
	s.messages = append(s.messages, keep(m))
	return len(s.messages) - 1
}

func (s *State) keepLock(l *lock) keptLock {
	k := keptLock{lock: *l, holder: -1, last: -1}
	k.lock.holder, k.lock.last, k.lock.service, k.lock.queue = nil, nil, nil, nil
	if l.holder != nil {
		k.holder = s.keepMessage(l.holder)
	}
	if l.last != nil {
		k.last = l.last.index
	}
	for _, q := range l.queue {
		k.queue = append(k.queue, s.keepMessage(q.message))
	}
	return k
}

func (s *State) keepItem(w *World, it item) {
	k := keptItem{kind: it.kind, who: int(it.who)}
	switch it.kind {
	case arrive, second:
		k.who = s.keepMessage(&w.messages[it.who])
	case wake:
		if !w.wakes(it) {
			return
		}
		t := w.threads[it.who]
		k.client, k.place = t.client.index, t.place
	}
	s.items = append(s.items, k)
}

// load makes a state the present one.
func (k *Walker) load(s *State) {
	w, u := k.world, k.world.untimed
	w.now, w.cause, w.seq, w.steps, w.kinds, w.next, w.current, w.done = 0, 0, 0, 0, 0, nil, nil, s.done
	u.Bounds, u.ended, u.unknown, u.actor, u.pending = s.bounds, false, false, nil, option{}
	w.stale, w.lost = false, false
	u.effects = s.effects
	clear(w.effects)
	for _, e := range s.effects {
		w.effects[e] = true
	}
	w.services[0].generation = s.generation
	w.threads, w.messages, w.queue.items = w.threads[:0], w.messages[:0], w.queue.items[:0]
	patience := s.patience
	for i, c := range w.clients {
		c.threads = c.threads[:0]
		w.become(c, s.clients[i].clientState)
		u.states[i], u.told[i] = s.clients[i].clientState, s.clients[i].told
		c.main = c.threads[0]
		for _, t := range c.threads {
			t.patience, patience = patience[0], patience[1:]
		}
	}
	w.records = w.records[:0]
	for i := range s.records {
		*again(&w.records) = s.records[i]
	}
	for i := range s.messages {
		w.takeBack(&s.messages[i])
	}
	w.locks = w.locks[:0]
	for i := range s.locks {
		w.loadLock(&s.locks[i])
	}
	for _, it := range s.items {
		if it.kind == wake {
			it.who = w.clients[it.client].threads[it.place].index
		}
		w.at(0, it.kind, it.who, 0)
	}
}

func (w *World) loadLock(k *keptLock) {
	l := again(&w.locks)
	queue := l.queue[:0]
	*l = k.lock
	l.service = w.services[0]
	if k.holder >= 0 {
		l.holder = &w.messages[k.holder]
	}
	if k.last >= 0 {
		l.last = w.clients[k.last]
	}
	for _, i := range k.queue {
		queue = append(queue, waiter{message: &w.messages[i]})
	}
	l.queue = queue
}

// takeBack brings a kept message into the world, and returns its index.
func (w *World) takeBack(k *kept) int {
	m := k.message
	c := w.clients[k.client]
	m.client, m.node = c, w.services[0]
	if m.life == c.lives {
		m.thread = c.threads[k.place]
	} else {
		m.thread = &thread{client: c, place: k.place, over: true}
	}
	w.messages = append(w.messages, m)
	return len(w.messages) - 1
}
