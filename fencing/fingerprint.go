package fencing

import "math/bits"

// Fingerprint returns a number that is the same for two states of a world
// without time if and, but for a chance of one in 2⁶⁴, only if all that can
// happen from there on is the same: the lock service, the storage, what is under
// way, what each client believes and what its clock shows, everything that its
// operations have returned so far, which is all that a client's function knows,
// and what the operation under way has been told. It is for a [Picker] to call.
//
// Left out is what cannot make a difference: true times, and the numbers of calls,
// messages and events, which depend on the order of what is independent.
//
// Some of it follows from the rest and costs little: a generation from the faults
// that have not struck yet, a key's version from them and its writers, and the token
// that claimed it last, which counts only if that is checked, from its fence.
func (r *Runner) Fingerprint() uint64 { return r.world.fingerprint() }

func (w *World) fingerprint() uint64 {
	h := hash(1)
	b := w.untimed.Bounds
	h.add(uint64(b.Expiries), uint64(b.TimeOuts), uint64(b.Drops), uint64(b.Crashes))
	for _, s := range w.services {
		h.add(s.generation)
	}
	for i, c := range w.clients {
		h.addClient(c)
		if c.alive() || c.isRestarted(false) {
			h.add(uint64(w.untimed.asked[i]))
		}
	}
	h.add(w.underWay(), w.done)
	return uint64(h)
}

// underWay is a sum, since the order of what is under way is none, nor is that
// in which locks and keys were first asked for.
func (w *World) underWay() (sum uint64) {
	for _, l := range w.locks {
		h := hash(4)
		h.addLock(l)
		sum += uint64(h)
	}
	for _, r := range w.records {
		h := hash(5)
		h.addRecord(r)
		sum += uint64(h)
	}
	for _, it := range w.queue.items {
		h := hash(it.kind) << 8
		switch it.kind {
		case arrive, second:
			h.addMessage(&w.messages[it.who])
		case wake:
			if !w.wakes(it) {
				continue
			}
			h.add(uint64(w.threads[it.who].client.index), uint64(w.threads[it.who].place))
		default:
			h.add(uint64(it.who))
		}
		sum += uint64(h)
	}
	return sum
}

// hash mixes numbers into one.
type hash uint64

func (h *hash) add(values ...uint64) {
	for _, v := range values {
		hi, lo := bits.Mul64(uint64(*h)^0x9e3779b97f4a7c15, v^0xd1b54a32d192ed03)
		*h = hash(hi ^ lo + bits.RotateLeft64(uint64(*h), 23))
	}
}

func (h *hash) addText(s string) {
	text := uint64(14695981039346656037) // FNV-1a
	for i := range len(s) {
		text = (text ^ uint64(s[i])) * 1099511628211
	}
	h.add(text, uint64(len(s)))
}

func (h *hash) addFlags(flags ...bool) {
	word := uint64(1)
	for _, f := range flags {
		word <<= 1
		if f {
			word++
		}
	}
	h.add(word)
}

func (h *hash) addMessage(m *message) {
	h.add(uint64(m.client.index), uint64(m.life), uint64(m.thread.place), uint64(m.nth), uint64(m.op), m.token, uint64(m.version), uint64(m.base), uint64(m.number))
	h.addFlags(m.reply, m.check, m.queued)
	h.addText(m.key)
	h.addText(m.value)
	if m.err != nil {
		h.addText(m.err.Error())
	}
}

// addCaller adds whose call it was.
func (h *hash) addCaller(m *message) {
	h.add(uint64(m.client.index), uint64(m.life), uint64(m.thread.place), uint64(m.nth))
}

func (h *hash) addLock(l *lock) {
	h.addText(l.name)
	h.add(l.counter, l.token)
	if l.last != nil {
		h.add(uint64(l.last.index))
	}
	h.addFlags(l.holder != nil, l.last != nil)
	if l.holder != nil {
		h.addCaller(l.holder)
		h.add(uint64(l.holder.op)) // a renewal that is part of the acquire may have revived the lease
	}
	for _, q := range l.queue {
		h.addCaller(q.message)
	}
}

func (h *hash) addRecord(r *record) {
	h.addText(r.key)
	h.addText(r.value)
	h.add(uint64(r.version), r.fence, r.known, uint64(r.number), r.claimed, uint64(r.writers))
}

// addClient adds what the client's function may yet do. One that is gone does
// nothing.
func (h *hash) addClient(c *Client) {
	h.addFlags(c.crashed, c.finished)
	h.add(uint64(c.lives), uint64(c.reading), c.recalled.Token, uint64(c.recalled.Until))
	h.addText(c.recalled.Lock)
	if !c.alive() {
		return
	}
	for _, b := range c.beliefs {
		h.addText(b.lock)
		h.add(b.token, uint64(b.writes))
	}
	for _, v := range c.versions {
		h.addText(v.key)
		h.add(uint64(v.version))
	}
	for _, t := range c.threads {
		h.add(uint64(t.history), uint64(t.heard), uint64(t.op), uint64(t.nth), uint64(t.patience))
		h.addFlags(t.over)
	}
}
