package fencing

import "time"

// queue holds what will happen, earliest first; what was put in first comes
// first among items of one instant. It is a binary heap.
type queue struct {
	items []item
	count int64
}

func (q *queue) push(i item) {
	q.count++
	i.order = q.count
	q.items = append(q.items, i)
	for at := len(q.items) - 1; at > 0; {
		parent := (at - 1) / 2
		if !q.before(at, parent) {
			return
		}
		q.items[at], q.items[parent] = q.items[parent], q.items[at]
		at = parent
	}
}

func (q *queue) pop() item {
	first := q.items[0]
	last := len(q.items) - 1
	q.items[0] = q.items[last]
	q.items = q.items[:last]
	for at := 0; ; {
		least := at
		for child := 2*at + 1; child <= 2*at+2 && child < last; child++ {
			if q.before(child, least) {
				least = child
			}
		}
		if least == at {
			return first
		}
		q.items[at], q.items[least] = q.items[least], q.items[at]
		at = least
	}
}

func (q *queue) before(i, j int) bool {
	a, b := &q.items[i], &q.items[j]
	if a.at != b.at {
		return a.at < b.at
	}
	return a.order < b.order
}

// beginsAfter reports whether nothing will happen up to that time.
func (q *queue) beginsAfter(when time.Duration) bool {
	return len(q.items) == 0 || q.items[0].at > when
}
