package fencing

import "time"

// queue holds what will happen, earliest first; what was put in first comes
// first among items of one instant. It is a heap in which every item has up to
// four below it, since that is less deep than with two.
type queue struct {
	items []item
	count int64
}

// put makes room for an item of that time and returns it, to be filled in there:
// a processor that is to copy what it has just written piece by piece waits.
func (q *queue) put(when time.Duration) *item {
	q.count++
	at := len(q.items)
	q.items = append(q.items, item{})
	for at > 0 {
		parent := (at - 1) / 4
		if q.items[parent].at <= when {
			break // it was put in first
		}
		q.items[at] = q.items[parent]
		at = parent
	}
	i := &q.items[at]
	i.at, i.order = when, q.count
	return i
}

// removeFirst takes the earliest out and puts the last one where there is room.
func (q *queue) removeFirst() {
	n := len(q.items) - 1
	last := &q.items[n]
	q.items = q.items[:n]
	at := 0
	for child := 1; child < n; child = 4*at + 1 {
		least := child
		for other := child + 1; other < min(child+4, n); other++ {
			if q.items[other].before(&q.items[least]) {
				least = other
			}
		}
		if last.before(&q.items[least]) {
			break
		}
		q.items[at] = q.items[least]
		at = least
	}
	if n > 0 {
		q.items[at] = *last
	}
}

func (i *item) before(j *item) bool {
	return i.at < j.at || i.at == j.at && i.order < j.order
}

// beginsAfter reports whether nothing will happen up to that time.
func (q *queue) beginsAfter(when time.Duration) bool {
	return len(q.items) == 0 || q.items[0].at > when
}
