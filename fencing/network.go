package fencing

import "time"

// message is a request to the lock service or the storage, or its reply.
type message struct {
	id     int
	cause  int // Seq of the event that sent it
	client *Client
	thread *thread // the one that asked
	op     Op
	call   int
	reply  bool

	key     string
	value   string
	token   uint64
	version int
	queued  bool
	err     error
}

// receiver names the actor that the message goes to.
func (m message) receiver() string {
	switch {
	case m.reply:
		return m.client.name
	case m.op == OpWrite || m.op == OpRead:
		return ActorStorage
	}
	return ActorLockService
}

func (m message) sender() string {
	if m.reply {
		m.reply = false
		return m.receiver()
	}
	return m.client.name
}

// send puts a message on its way. The world may delay or drop it.
func (w *World) send(m message) {
	m.id = len(w.messages) + 1
	p := pointsOf[m.op].request
	if m.reply {
		p = pointsOf[m.op].reply
	}
	takes := w.config.Latency
	m.client.passed[p]++
	l := label{m.client.name, p, m.client.passed[p]}
	chosen := w.chooser.choose(l)
	if chosen.action != Nothing {
		w.chose(l, chosen)
	}
	if chosen.action == DelayIt {
		takes += chosen.length
	}
	w.record(m.event(m.sender(), Sent, w.now+takes))
	if chosen.action == DropIt {
		w.record(m.event(ActorNetwork, Lost, w.now))
		return
	}
	w.messages = append(w.messages, m)
	w.at(w.now+takes, item{kind: arrive, message: len(w.messages) - 1})
}

func (m message) event(actor string, kind Kind, until time.Duration) Event {
	return Event{Actor: actor, Client: m.client.name, Kind: kind, Op: m.op, Reply: m.reply, Call: m.call, Msg: m.id,
		Key: m.key, Token: m.token, Value: m.value, Version: m.version, Until: until}
}

// arrive hands a message to its receiver. It runs in the loop.
func (w *World) arrive(m message) {
	if m.reply && (m.client.crashed || m.client.finished) {
		lost := m.event(ActorNetwork, Lost, w.now)
		lost.Note = m.client.name + " is gone"
		w.record(lost)
		return
	}
	w.record(m.event(m.receiver(), Arrived, w.now))
	switch {
	case m.reply:
		m.thread.receive(m)
	case m.op == OpWrite || m.op == OpRead:
		w.store(m)
	default:
		w.serve(m)
	}
}

// receive takes a reply in, unless the thread has stopped waiting for it.
func (t *thread) receive(m message) {
	if t.op == NoOp || t.call != m.call {
		return
	}
	t.inbox = append(t.inbox, m)
	t.wake(t.turn)
}

// answer sends the reply to a request.
func (w *World) answer(request message, reply message) {
	reply.client, reply.thread, reply.op, reply.call = request.client, request.thread, request.op, request.call
	reply.reply, reply.key = true, request.key
	w.send(reply)
}
