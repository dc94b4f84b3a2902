package fencing

import "time"

// label names one choice of the world: the n-th time that a client passes a
// point, counted from 1.
type label struct {
	client string
	point  Point
	nth    int
}

// choice is what the world does there. The zero choice is the default: nothing
// out of the ordinary.
type choice struct {
	action Action
	length time.Duration
}

// A chooser decides everything that the world may decide. Nothing else in this
// package is a source of chance, so the same program and the same choices give
// the same trace.
type chooser interface {
	choose(label) choice
}

// plan is the chooser that repeats what was declared: the faults at their
// points, the default everywhere else.
type plan struct {
	faults  []Fault
	reached []bool
}

func newPlan(faults []Fault) *plan {
	return &plan{faults: faults, reached: make([]bool, len(faults))}
}

func (p *plan) choose(l label) choice {
	for i, f := range p.faults {
		if f.Point == l.point && f.nth() == l.nth && f.Client == l.client {
			p.reached[i] = true
			return choice{f.Action, f.For}
		}
	}
	return choice{}
}
