package fencing

import (
	"fmt"
	"time"
)

// lock is what the lock service knows about one lock. That is the truth about
// who holds it, whatever the clients believe.
type lock struct {
	name    string
	granted uint64   // how many grants there were
	holder  *message // the acquire that was granted; nil if the lock is free
	token   uint64
	until   time.Duration // when the lease ends; at that very time it is over
	queue   []message     // acquires that wait, in order
}

func (w *World) lock(name string) *lock {
	for _, l := range w.locks {
		if l.name == name {
			return l
		}
	}
	l := &lock{name: name}
	w.locks = append(w.locks, l)
	return l
}

// serve handles a request to the lock service, which looks at its clock first.
func (w *World) serve(m message) {
	l := w.lock(m.key)
	w.expire(l)
	switch m.op {
	case OpAcquire, OpTryAcquire:
		w.serveAcquire(l, m)
	case OpRenew:
		if w.serveIfHeld(l, m) {
			w.lend(l, Renewed)
			w.answer(m, message{token: l.token})
		}
	case OpRelease:
		if w.serveIfHeld(l, m) {
			w.record(l.event(Released))
			l.holder = nil
			w.answer(m, message{token: m.token})
			w.grantNext(l)
		}
	}
}

// serveAcquire knows a request that was asked again by its call, so that a
// client whose reply was lost gets the same grant and not a second one.
func (w *World) serveAcquire(l *lock, m message) {
	switch {
	case l.holder == nil:
		w.grant(l, m)
	case l.holder.call == m.call:
		w.answer(m, message{token: l.token})
	case m.op == OpTryAcquire:
		w.refuse(l, m, fmt.Sprintf("%s holds it with token %d", l.holder.client.name, l.token), ErrHeld)
	default:
		if !l.waits(m) {
			l.queue = append(l.queue, m)
			w.record(Event{Actor: ActorLockService, Client: m.client.name, Kind: Queued, Op: m.op, Call: m.call, Key: l.name, Token: l.token, Until: l.until, Note: l.holder.client.name})
		}
		w.answer(m, message{queued: true})
	}
}

func (l *lock) waits(m message) bool {
	for _, q := range l.queue {
		if q.call == m.call {
			return true
		}
	}
	return false
}

// serveIfHeld refuses a renewal or a release of a lease that is over.
func (w *World) serveIfHeld(l *lock, m message) bool {
	if l.holder != nil && l.token == m.token && l.holder.client == m.client {
		return true
	}
	why := "nobody holds the lock now"
	if l.holder != nil {
		why = fmt.Sprintf("the lock is held with token %d", l.token)
	}
	w.refuse(l, m, why, ErrLeaseLost)
	return false
}

func (w *World) refuse(l *lock, m message, why string, err error) {
	w.record(Event{Actor: ActorLockService, Client: m.client.name, Kind: Refused, Op: m.op, Call: m.call, Key: l.name, Token: m.token, Note: why})
	w.answer(m, message{token: m.token, err: fmt.Errorf("%w: %s", err, why)})
}

func (w *World) grant(l *lock, m message) {
	l.token = w.config.FirstToken + l.granted
	l.granted++
	l.holder = &m
	w.lend(l, Granted)
	w.answer(m, message{token: l.token})
}

// lend lets the holder's lease end a full length from now.
func (w *World) lend(l *lock, kind Kind) {
	l.until = w.now + w.config.Lease
	w.record(l.event(kind))
	w.at(l.until, item{kind: expiry, lock: l})
}

// expire ends the lease if its time is over. It runs when it may have ended and
// before every request.
func (w *World) expire(l *lock) {
	if l.holder == nil || w.now < l.until {
		return
	}
	w.record(l.event(Expired))
	l.holder = nil
	w.grantNext(l)
}

func (w *World) grantNext(l *lock) {
	if len(l.queue) == 0 {
		return
	}
	next := l.queue[0]
	l.queue = l.queue[1:]
	w.grant(l, next)
}

func (l *lock) event(kind Kind) Event {
	return Event{Actor: ActorLockService, Client: l.holder.client.name, Kind: kind, Key: l.name, Token: l.token, Until: l.until}
}
