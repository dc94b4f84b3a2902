package fencing

import (
	"fmt"
	"strings"
	"time"
)

// Point is a place in a client's life, or a message of its, where the world has
// a choice: go on as usual, or do something to the client or to the message.
type Point uint8

// The points, in the order in which a client passes them. "Before" is before
// the request is sent. "On reply" is when the reply has arrived and the client
// has not looked at it yet. "After" is when the client has processed the reply.
const (
	_ Point = iota
	BeforeAcquire
	OnAcquireReply
	AfterAcquire
	BeforeRenew
	OnRenewReply
	AfterRenew
	BeforeCheck
	AfterCheck
	BeforeWrite
	OnWriteReply
	AfterWrite
	BeforeRead
	OnReadReply
	AfterRead
	BeforeRelease
	OnReleaseReply
	AfterRelease

	// Messages, on their way.
	AcquireRequest
	AcquireReply
	RenewRequest
	RenewReply
	WriteRequest
	WriteReply
	ReadRequest
	ReadReply
	ReleaseRequest
	ReleaseReply

	points // how many there are
)

var pointNames = [...]string{
	0:             "",
	BeforeAcquire: "before acquire", OnAcquireReply: "on acquire reply", AfterAcquire: "after acquire",
	BeforeRenew: "before renew", OnRenewReply: "on renew reply", AfterRenew: "after renew",
	BeforeCheck: "before check", AfterCheck: "after check",
	BeforeWrite: "before write", OnWriteReply: "on write reply", AfterWrite: "after write",
	BeforeRead: "before read", OnReadReply: "on read reply", AfterRead: "after read",
	BeforeRelease: "before release", OnReleaseReply: "on release reply", AfterRelease: "after release",
	AcquireRequest: "acquire request", AcquireReply: "acquire reply",
	RenewRequest: "renew request", RenewReply: "renew reply",
	WriteRequest: "write request", WriteReply: "write reply",
	ReadRequest: "read request", ReadReply: "read reply",
	ReleaseRequest: "release request", ReleaseReply: "release reply",
}

// String returns the point's name, for example "after acquire".
func (p Point) String() string { return nameOf(pointNames[:], int(p)) }

// message reports whether the point is a message on its way.
func (p Point) message() bool { return p >= AcquireRequest && p < points }

// around holds the points of one operation.
type around struct{ before, onReply, after, request, reply Point }

var pointsOf = [...]around{
	OpAcquire:    {BeforeAcquire, OnAcquireReply, AfterAcquire, AcquireRequest, AcquireReply},
	OpTryAcquire: {BeforeAcquire, OnAcquireReply, AfterAcquire, AcquireRequest, AcquireReply},
	OpRenew:      {BeforeRenew, OnRenewReply, AfterRenew, RenewRequest, RenewReply},
	OpRelease:    {BeforeRelease, OnReleaseReply, AfterRelease, ReleaseRequest, ReleaseReply},
	OpWrite:      {BeforeWrite, OnWriteReply, AfterWrite, WriteRequest, WriteReply},
	OpRead:       {BeforeRead, OnReadReply, AfterRead, ReadRequest, ReadReply},
}

// Action is what a fault does.
type Action uint8

// The actions.
const (
	Nothing    Action = iota
	PauseIt           // the whole client stands still
	CrashIt           // the client is gone for good
	DelayIt           // the message takes longer
	DropIt            // the message never arrives
	lastAction = DropIt
)

var actionNames = [...]string{Nothing: "nothing", PauseIt: "pause", CrashIt: "crash", DelayIt: "delay", DropIt: "drop"}

// String returns the action's name, for example "pause".
func (a Action) String() string { return nameOf(actionNames[:], int(a)) }

// Fault is one thing that the world does to one client: data, declared beside
// the program in [Config.Faults]. Make one with [Pause], [PauseAt], [Delay],
// [Drop], [Crash] or [CrashAt]; change one number of it with, say,
// faults[0].For = 9 * time.Second.
type Fault struct {
	Client string        // whom it strikes
	Point  Point         // where it strikes; zero means at the time At
	Nth    int           // which passing of the point, counted from 1; 0 means the first
	At     time.Duration // true time since the run began, if Point is zero
	Action Action
	For    time.Duration // how long the pause lasts, or by how much the message is delayed
}

// Pause stops the whole client for d when it first passes the point. Use
// [Fault.Time] for a later passing.
func Pause(client string, p Point, d time.Duration) Fault {
	return Fault{Client: client, Point: p, Action: PauseIt, For: d}
}

// PauseAt stops the whole client for d at a true time.
func PauseAt(client string, at, d time.Duration) Fault {
	return Fault{Client: client, At: at, Action: PauseIt, For: d}
}

// Crash ends the client when it first passes the point: what it sent is still
// under way, what it deferred never happens.
func Crash(client string, p Point) Fault { return Fault{Client: client, Point: p, Action: CrashIt} }

// CrashAt ends the client at a true time.
func CrashAt(client string, at time.Duration) Fault {
	return Fault{Client: client, At: at, Action: CrashIt}
}

// Delay makes the client's first message of that kind take d, plus
// [Config.Latency]. Messages sent later may overtake it.
func Delay(client string, message Point, d time.Duration) Fault {
	return Fault{Client: client, Point: message, Action: DelayIt, For: d}
}

// Drop loses the client's first message of that kind. A lost reply leaves the
// outcome unknown to the client: the request has been carried out.
func Drop(client string, message Point) Fault {
	return Fault{Client: client, Point: message, Action: DropIt}
}

// Time returns the same fault for the n-th passing of its point, counted from 1.
func (f Fault) Time(n int) Fault {
	f.Nth = n
	return f
}

// String returns the fault as a choice string, for example
// "client 1/after acquire/1=pause 14s".
func (f Fault) String() string {
	where := fmt.Sprintf("%s/%d", f.Point, f.nth())
	if f.Point == 0 {
		where = "at " + f.At.String()
	}
	if f.Action == PauseIt || f.Action == DelayIt {
		return fmt.Sprintf("%s/%s=%s %s", f.Client, where, f.Action, f.For)
	}
	return fmt.Sprintf("%s/%s=%s", f.Client, where, f.Action)
}

// sentence says the fault in words, for a chart's parameters and the story.
func (f Fault) sentence() string {
	where := "at " + seconds(f.At)
	if f.Point != 0 {
		where = f.Point.String()
		if f.nth() > 1 {
			where += fmt.Sprintf(" no. %d", f.nth())
		}
	}
	switch f.Action {
	case PauseIt:
		return fmt.Sprintf("%s paused %s %s", f.Client, seconds(f.For), where)
	case CrashIt:
		return fmt.Sprintf("%s crashes %s", f.Client, where)
	case DelayIt:
		return fmt.Sprintf("%s’s %s delayed %s", f.Client, where, seconds(f.For))
	default:
		return fmt.Sprintf("%s’s %s dropped", f.Client, where)
	}
}

func (f Fault) nth() int { return max(f.Nth, 1) }

func (f Fault) check(clients []string) error {
	known := false
	for _, name := range clients {
		known = known || name == f.Client
	}
	stops := f.Action == PauseIt || f.Action == CrashIt
	switch {
	case !known:
		return fmt.Errorf("the fault %q is for a client that this world does not have: its clients are %s", f, quoted(clients))
	case f.Action == Nothing || f.Action > lastAction:
		return fmt.Errorf("the fault %q does nothing: make it with fencing.Pause, Crash, Delay or Drop", f)
	case f.Point >= points:
		return fmt.Errorf("the fault %q has a point that does not exist: take one of fencing's, for example fencing.AfterAcquire", f)
	case f.Nth < 0:
		return fmt.Errorf("the fault %q counts passings from 1, and %d was given: leave Nth out for the first", f, f.Nth)
	case stops && f.Point.message():
		return fmt.Errorf("the fault %q stops a client at a message: give a point of the client, for example fencing.BeforeWrite, or use fencing.Delay for the message", f)
	case !stops && !f.Point.message():
		return fmt.Errorf("the fault %q needs a message, for example fencing.WriteRequest or fencing.WriteReply: only a message can be delayed or dropped", f)
	case f.Point == 0 && (f.At < 0 || f.At > longest):
		return fmt.Errorf("the fault %q strikes at %s: give a time from 0 s to %s", f, f.At, seconds(longest))
	case (f.Action == PauseIt || f.Action == DelayIt) && (f.For <= 0 || f.For > longest):
		return fmt.Errorf("the fault %q lasts %s: give a length above 0 s and up to %s, for example 14 * time.Second", f, f.For, seconds(longest))
	}
	return nil
}

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, name := range names {
		q[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(q, ", ")
}
