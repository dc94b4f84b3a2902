package fencing

import "time"

// Label names one choice of the world: the n-th time that a client passes a
// point, counted from 1.
type Label struct {
	Client string // its name
	Point  Point  // the point, or the kind of message
	Nth    int    // which passing, counted from 1
}

// Choice is what the world does there. The zero Choice is the default: nothing
// out of the ordinary.
type Choice struct {
	Action Action        // Nothing, PauseIt and CrashIt at a point; Nothing, DelayIt, DropIt and DuplicateIt at a message
	For    time.Duration // of a pause, a delay or a duplicate: how long it lasts; above 0 s, at most 1000 hours
	Only   bool          // of a pause: the one thread only
}

// Fault returns the choice at its label as a fault, so that what a chooser did
// can be declared and run again.
func (l Label) Fault(c Choice) Fault {
	return Fault{Actor: l.Client, Point: l.Point, Nth: l.Nth, Action: c.Action, For: c.For, Only: c.Only}
}

// Chooser decides everything that the world may decide and that is not declared
// in [Config.Faults]. Nothing else in this package is a source of chance, so the
// same program and the same choices give the same trace.
//
// At a client's point the choice may be Nothing, PauseIt or CrashIt; at a
// message it may be Nothing, DelayIt, DropIt or DuplicateIt.
type Chooser interface {
	Choose(Label) Choice
}
