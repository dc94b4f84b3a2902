package fencing

import (
	"sync"
	"time"
)

// longRun keeps the later events of a long run until it is over and their number
// is known. A list that grows is copied again and again; and an [Event] has six
// texts, each of them a pointer that the garbage collector looks at whenever it
// comes by. A shortEvent has none: its texts are numbers in a list of their own.
type longRun struct {
	parts  [][]shortEvent
	texts  []string  // the empty one first
	recent [64]int32 // numbers of texts that came lately, by what they look like
}

// shortEvent is an Event without its Seq, which follows from its place. What counts
// events or parts of them fits into 32 bits: 2^31 events would take 400 GB.
type shortEvent struct {
	at, clock, until                         time.Duration
	token, fence                             uint64
	call, msg, cause, version, number        int32
	actor, client, service, key, value, note int32 // numbers of texts
	kind                                     Kind
	op                                       Op
	outcome                                  Outcome
	reply                                    bool
}

// add keeps an event. It fills it in where it stays: a processor that is to copy
// what it has just written piece by piece waits.
func (l *longRun) add(e *Event) {
	s := l.next(e.Seq)
	s.at, s.clock, s.until, s.token, s.fence = e.At, e.Clock, e.Until, e.Token, e.Fence
	s.call, s.msg, s.cause, s.version, s.number = int32(e.Call), int32(e.Msg), int32(e.Cause), int32(e.Version), int32(e.Number)
	s.actor, s.client, s.service = l.numberOf(e.Actor), l.numberOf(e.Client), l.numberOf(e.Service)
	s.key, s.value, s.note = l.numberOf(e.Key), l.numberOf(e.Value), l.numberOf(e.Note)
	s.kind, s.op, s.outcome, s.reply = e.Kind, e.Op, e.Outcome, e.Reply
}

// next makes room for one more, after as many events as there are already.
func (l *longRun) next(after int) *shortEvent {
	const together = 1 << 14
	if len(l.parts) == 0 {
		l.texts = []string{""}
	}
	last := len(l.parts) - 1
	if last < 0 || len(l.parts[last]) == cap(l.parts[last]) {
		l.parts = append(l.parts, make([]shortEvent, 0, min(after, together)))
		last++
	}
	n := len(l.parts[last])
	l.parts[last] = l.parts[last][:n+1]
	return &l.parts[last][n]
}

// numberOf returns the text's number; that of the empty text is 0. A run has few
// texts, and they come again and again: most are found where they were the last
// time.
func (l *longRun) numberOf(text string) int32 {
	if text == "" {
		return 0
	}
	place := (len(text) + int(text[len(text)-1])) % len(l.recent)
	if n := l.recent[place]; n != 0 && l.texts[n] == text {
		return n
	}
	n := int32(len(l.texts))
	l.texts = append(l.texts, text)
	l.recent[place] = n
	return n
}

// after returns the events before those of l, and those.
func (l *longRun) after(before []Event) []Event {
	n := len(before)
	for _, part := range l.parts {
		n += len(part)
	}
	events := make([]Event, n)
	at := copy(events, before)
	var all sync.WaitGroup
	for _, part := range l.parts {
		first, to := at+1, events[at:at+len(part)]
		all.Go(func() {
			for i := range part {
				l.fill(&to[i], &part[i])
				to[i].Seq = first + i
			}
		})
		at += len(part)
	}
	all.Wait()
	return events
}

// fill is the opposite of add.
func (l *longRun) fill(e *Event, s *shortEvent) {
	e.At, e.Clock, e.Until, e.Token, e.Fence = s.at, s.clock, s.until, s.token, s.fence
	e.Call, e.Msg, e.Cause, e.Version, e.Number = int(s.call), int(s.msg), int(s.cause), int(s.version), int(s.number)
	e.Actor, e.Client, e.Service = l.texts[s.actor], l.texts[s.client], l.texts[s.service]
	e.Key, e.Value, e.Note = l.texts[s.key], l.texts[s.value], l.texts[s.note]
	e.Kind, e.Op, e.Outcome, e.Reply = s.kind, s.op, s.outcome, s.reply
}
