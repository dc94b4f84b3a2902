package fencing

import "time"

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
	BeforeClaim
	OnClaimReply
	AfterClaim
	BeforeDelete
	OnDeleteReply
	AfterDelete
	BeforeAsk
	OnAskReply
	AfterAsk
	BeforeEffect
	AfterEffect
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
	ClaimRequest
	ClaimReply
	DeleteRequest
	DeleteReply
	AskRequest
	AskReply
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
	BeforeClaim: "before claim", OnClaimReply: "on claim reply", AfterClaim: "after claim",
	BeforeDelete: "before delete", OnDeleteReply: "on delete reply", AfterDelete: "after delete",
	BeforeAsk: "before ask", OnAskReply: "on ask reply", AfterAsk: "after ask",
	BeforeEffect: "before effect", AfterEffect: "after effect",
	BeforeRelease: "before release", OnReleaseReply: "on release reply", AfterRelease: "after release",
	AcquireRequest: "acquire request", AcquireReply: "acquire reply",
	RenewRequest: "renew request", RenewReply: "renew reply",
	WriteRequest: "write request", WriteReply: "write reply",
	ReadRequest: "read request", ReadReply: "read reply",
	ClaimRequest: "claim request", ClaimReply: "claim reply",
	DeleteRequest: "delete request", DeleteReply: "delete reply",
	AskRequest: "ask request", AskReply: "ask reply",
	ReleaseRequest: "release request", ReleaseReply: "release reply",
}

// String returns the point's name, for example "after acquire".
func (p Point) String() string { return nameOf(pointNames[:], int(p)) }

// Message reports whether the point is a message on its way, and not a place in
// the client's life.
func (p Point) Message() bool { return p >= AcquireRequest && p < points }

// around holds the points of one operation.
type around struct{ before, onReply, after, request, reply Point }

var pointsOf = [...]around{
	OpAcquire:    {BeforeAcquire, OnAcquireReply, AfterAcquire, AcquireRequest, AcquireReply},
	OpTryAcquire: {BeforeAcquire, OnAcquireReply, AfterAcquire, AcquireRequest, AcquireReply},
	OpRenew:      {BeforeRenew, OnRenewReply, AfterRenew, RenewRequest, RenewReply},
	OpRelease:    {BeforeRelease, OnReleaseReply, AfterRelease, ReleaseRequest, ReleaseReply},
	OpWrite:      {BeforeWrite, OnWriteReply, AfterWrite, WriteRequest, WriteReply},
	OpRead:       {BeforeRead, OnReadReply, AfterRead, ReadRequest, ReadReply},
	OpClaim:      {BeforeClaim, OnClaimReply, AfterClaim, ClaimRequest, ClaimReply},
	OpDelete:     {BeforeDelete, OnDeleteReply, AfterDelete, DeleteRequest, DeleteReply},
	OpAsk:        {BeforeAsk, OnAskReply, AfterAsk, AskRequest, AskReply},
}

// Action is what a fault does.
type Action uint8

// The actions.
const (
	Nothing Action = iota // the default of a Choice; no fault has it

	// To a client.
	PauseIt   // it stands still
	SuspendIt // its machine sleeps: its clock and its timers stand still too
	CrashIt   // it is gone
	RestartIt // it begins its function anew

	// To a message.
	DelayIt     // it takes longer
	DropIt      // it never arrives
	DuplicateIt // a copy arrives later

	// To a link, a clock, the storage or the lock service, at a time.
	CutIt      // messages from one to the other are lost
	JumpIt     // the clock jumps
	StopIt     // the clock stands still
	RebootIt   // the storage restarts, or a lock node does
	CleanUpIt  // a janitor deletes a key from the storage
	FailOverIt // another lock service takes over

	lastAction = FailOverIt
)

var actionNames = [...]string{Nothing: "nothing", PauseIt: "pause", SuspendIt: "suspend", CrashIt: "crash", RestartIt: "restart",
	DelayIt: "delay", DropIt: "drop", DuplicateIt: "duplicate",
	CutIt: "cut", JumpIt: "jump", StopIt: "stop clock", RebootIt: "reboot", CleanUpIt: "clean up", FailOverIt: "fail over"}

// String returns the action's name, for example "pause".
func (a Action) String() string { return nameOf(actionNames[:], int(a)) }

// lasts reports whether the action needs a length.
func (a Action) lasts() bool {
	switch a {
	case PauseIt, SuspendIt, DelayIt, DuplicateIt, CutIt, StopIt:
		return true
	}
	return false
}

// strikesClient reports whether the fault is for a client or one of its messages.
func (f Fault) strikesClient() bool { return f.Action < CutIt }

// touchesClock reports whether the fault makes a clock differ from true time.
func (f Fault) touchesClock() bool {
	return f.Action == SuspendIt || f.Action == JumpIt || f.Action == StopIt
}

// Fault is one thing that the world does: data, declared beside the program in
// [Config.Faults]. Make one with the functions below; change one number of it
// with, say, faults[0].For = 9 * time.Second.
type Fault struct {
	Actor  string        // whom it strikes: a client's name, ActorLockService or ActorStorage
	Point  Point         // where it strikes; zero means at the time At
	Nth    int           // which passing of the point, counted from 1; 0 means the first
	At     time.Duration // true time since the run began; only if Point is zero
	Action Action        // what happens
	For    time.Duration // how long it lasts, or by how much the clock jumps; at least 1 µs, like every length that is given
	Target string        // of a cut: the other end of the link; of a clean-up: the key
	Keep   bool          // of a restart: the client remembers its lease; of a fail-over: the locks are kept
	Only   bool          // of a pause: one thread stands still, the one that came to the point or, at a time, that of the client's function
	Back   uint64        // of a fail-over: by how many grants the counter goes back; FromStart is all of them
}

// FromStart as [Fault.Back] lets the lock service count from the first token again.
const FromStart uint64 = 1<<64 - 1

// Pause stops the whole client for d when it first passes the point. Use
// [Fault.Time] for a later passing and [Fault.ThreadOnly] for one thread.
func Pause(client string, p Point, d time.Duration) Fault {
	return Fault{Actor: client, Point: given(p), Action: PauseIt, For: d}
}

// PauseAt stops the whole client for d at a true time.
func PauseAt(client string, at, d time.Duration) Fault {
	return Fault{Actor: client, At: at, Action: PauseIt, For: d}
}

// SuspendAt lets the client's machine sleep for d: the client stands still, and
// so do its clock and its timers, so that it wakes up without a sign of it.
func SuspendAt(client string, at, d time.Duration) Fault {
	return Fault{Actor: client, At: at, Action: SuspendIt, For: d}
}

// Crash ends the client when it first passes the point: what it sent is still
// under way, what it deferred never happens.
func Crash(client string, p Point) Fault {
	return Fault{Actor: client, Point: given(p), Action: CrashIt}
}

// given makes of no point one that does not exist, so that the fault is refused and
// does not strike at 0 s.
func given(p Point) Point {
	if p == 0 {
		return points
	}
	return p
}

// CrashAt ends the client at a true time.
func CrashAt(client string, at time.Duration) Fault {
	return Fault{Actor: client, At: at, Action: CrashIt}
}

// RestartAt lets the client begin its function anew at a true time, crashing it
// first if it still runs. With [Fault.Keeping] it remembers the lease that it
// believed in ([Client.Recall]).
func RestartAt(client string, at time.Duration) Fault {
	return Fault{Actor: client, At: at, Action: RestartIt}
}

// Delay makes the client's first message of that kind take d, plus
// [Config.Latency]. Messages sent later may overtake it.
func Delay(client string, message Point, d time.Duration) Fault {
	return Fault{Actor: client, Point: message, Action: DelayIt, For: d}
}

// Drop loses the client's first message of that kind. A lost reply leaves the
// outcome unknown to the client: the request has been carried out.
func Drop(client string, message Point) Fault {
	return Fault{Actor: client, Point: message, Action: DropIt}
}

// Duplicate lets a copy of the client's first message of that kind arrive d
// after the message itself.
func Duplicate(client string, message Point, d time.Duration) Fault {
	return Fault{Actor: client, Point: message, Action: DuplicateIt, For: d}
}

// Cut loses every message from one end to the other that is sent in a time of
// length d. The other direction is a second Cut.
func Cut(from, to string, at, d time.Duration) Fault {
	return Fault{Actor: from, Target: to, At: at, Action: CutIt, For: d}
}

// JumpClock lets an actor's clock jump at a true time, forward or (by a negative
// length) back.
func JumpClock(actor string, at, by time.Duration) Fault {
	return Fault{Actor: actor, At: at, Action: JumpIt, For: by}
}

// StopClock lets an actor's clock stand still for d while the actor goes on.
func StopClock(actor string, at, d time.Duration) Fault {
	return Fault{Actor: actor, At: at, Action: StopIt, For: d}
}

// RestartStorage restarts the storage at a true time. The data stays; the fences
// are forgotten if [Config.FenceForgotten] says so.
func RestartStorage(at time.Duration) Fault {
	return Fault{Actor: ActorStorage, At: at, Action: RebootIt}
}

// CleanUp lets a janitor delete a key from the storage at a true time, with its
// fence if [Config.FenceForgotten] says so.
func CleanUp(key string, at time.Duration) Fault {
	return Fault{Actor: ActorStorage, At: at, Action: CleanUpIt, Target: key}
}

// FailOver lets another lock service take over at a true time. It does not know
// of the locks that were held, unless [Fault.Keeping] says so. It goes on
// counting its tokens, unless [Fault.CountingBack] says otherwise. With both, as
// where locks and counter are copied apart, the next grant may have the number of
// one that is still held.
func FailOver(at time.Duration) Fault {
	return Fault{Actor: ActorLockService, At: at, Action: FailOverIt}
}

// RestartNode restarts a lock node of [Config.Nodes], which forgets its locks.
func RestartNode(node string, at time.Duration) Fault {
	return Fault{Actor: node, At: at, Action: RebootIt}
}

// Time returns the same fault for the n-th passing of its point, counted from 1.
func (f Fault) Time(n int) Fault {
	f.Nth = n
	return f
}

// ThreadOnly returns the same pause for one thread only: the one that comes to
// the point or, of a [PauseAt], the one that runs the client's function. The
// client's other threads go on. A renewer does nothing between two renewals, so a
// pause of it alone is one at [BeforeRenew]. A client that had to queue has no
// renewer when it first comes there: it renews once as it takes its lease over, in
// its function's own thread. The renewer's first renewal is then Time(2).
//
// A pause of 1000 hours, the longest there is, has no end for one thread: it is
// stuck for good.
func (f Fault) ThreadOnly() Fault {
	f.Only = true
	return f
}

// Keeping returns the same restart with the client's memory of its lease, or the
// same fail-over with the locks that are held.
func (f Fault) Keeping() Fault {
	f.Keep = true
	return f
}

// CountingBack returns the same fail-over with a counter that has lost its last
// n grants; [FromStart] is all of them.
func (f Fault) CountingBack(n uint64) Fault {
	f.Back = n
	return f
}

func (f Fault) nth() int { return max(f.Nth, 1) }
