package fencing

import "time"

// message is a request to the lock service or the storage, or its reply. It does
// not change once it is sent.
type message struct {
	id     int
	client *Client
	life   int     // which life of the client it belongs to, counted from its restarts
	thread *thread // the one that asked
	op     Op
	call   int
	nth    int // which of its thread's operations it belongs to
	reply  bool

	key     string
	value   string
	token   uint64
	version int
	base    int      // of a write: the version after the one that its client has read, 0 if it has not read the key
	number  int      // of a write, within its grant
	check   bool     // of a write: version must match
	node    *service // of a message to or from the lock service or a lock node
	queued  bool
	arrived bool
	err     error
}

// cut is a link that loses every message in one direction.
type cut struct {
	from, to string
	until    time.Duration
}

func (w *World) isCut(from, to string) bool {
	for _, c := range w.cuts {
		if c.from == from && c.to == to && w.now < c.until {
			return true
		}
	}
	return false
}

// service names the actor at the other end from the client.
func (m *message) service() string {
	if m.toStorage() {
		return ActorStorage
	}
	return m.node.name
}

func (m *message) receiver() string {
	if m.reply {
		return m.client.name
	}
	return m.service()
}

func (m *message) toStorage() bool {
	switch m.op {
	case OpWrite, OpRead, OpClaim, OpDelete:
		return true
	}
	return false
}

func (m *message) sender() string {
	if m.reply {
		return m.service()
	}
	return m.client.name
}

// send puts a message on its way. The world may delay or drop it.
func (w *World) send(m *message) {
	if w.backend != nil {
		w.askBackend(m)
		return
	}
	w.sent++
	m.id = w.sent
	p := pointsOf[m.op].request
	if m.reply {
		p = pointsOf[m.op].reply
	}
	m.client.passed[p]++
	l := Label{m.client.name, p, m.client.passed[p]}
	chosen := w.choose(l)
	if chosen.Action != Nothing {
		w.chose(l, chosen)
	}
	takes, lost := w.config.Latency, chosen.Action == DropIt || w.isCut(m.sender(), m.receiver())
	if chosen.Action == DelayIt && !lost {
		takes += chosen.For
	}
	w.recordMessage(m, m.sender(), Sent, w.now+takes, "")
	if lost {
		w.recordMessage(m, ActorNetwork, Lost, w.now, "")
		return
	}
	w.messages = append(w.messages, *m)
	w.at(w.now+takes, arrive, len(w.messages)-1, 0)
	if chosen.Action == DuplicateIt {
		w.at(w.now+takes+chosen.For, arrive, len(w.messages)-1, 0)
	}
}

func (w *World) recordMessage(m *message, actor string, kind Kind, until time.Duration, note string) {
	if w.config.Untraced {
		w.kinds |= 1 << kind
		return
	}
	w.record(Event{Actor: actor, Client: m.client.name, Service: m.service(), Kind: kind, Op: m.op, Reply: m.reply, Call: m.call, Msg: m.id,
		Key: m.key, Token: m.token, Value: m.value, Version: m.version, Number: m.number, Until: until, Note: note})
}

// arrive hands a message to its receiver. It runs in the loop.
func (w *World) arrive(m *message) {
	if m.reply && (m.client.crashed || m.client.finished || m.life != m.client.lives) {
		w.recordMessage(m, ActorNetwork, Lost, w.now, m.client.name+" is gone")
		return
	}
	note := ""
	if m.arrived {
		note = "a second time"
	}
	m.arrived = true
	w.recordMessage(m, m.receiver(), Arrived, w.now, note)
	switch {
	case m.reply:
		m.thread.receive(m)
	case m.toStorage():
		w.store(m)
	default:
		w.serve(m)
	}
}

// receive takes a reply in, unless the thread has stopped waiting for it.
func (t *thread) receive(m *message) {
	if t.op == NoOp || t.call != m.call {
		return
	}
	t.inbox = append(t.inbox, m)
	if !t.heldAlone {
		t.wake(t.turn)
	}
}

// answer sends the reply to a request.
func (w *World) answer(request *message, reply message) {
	reply.client, reply.thread, reply.op, reply.call, reply.node = request.client, request.thread, request.op, request.call, request.node
	reply.reply, reply.key, reply.life, reply.nth = true, request.key, request.life, request.nth
	w.send(&reply)
}
