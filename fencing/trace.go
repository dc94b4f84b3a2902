package fencing

import (
	"strings"
	"sync"
	"time"
)

// Event is one line of a [Trace]: something that happened at one instant.
// It is flat, so that everything else (story, verdict, chart) is a fold over a
// list of events. A field that says nothing for a kind is zero.
type Event struct {
	Seq     int           // 1, 2, 3, ... in the order in which things happened
	At      time.Duration // true time since the run began
	Clock   time.Duration // the same instant on the actor's own clock
	Actor   string        // who did it: a client's name, ActorLockService, ActorStorage or ActorNetwork
	Client  string        // whom it concerns, if that is not the actor
	Service string        // of a message: who is at the other end from Client, ActorLockService, ActorStorage or a lock node
	Kind    Kind          // what happened
	Op      Op            // the operation it belongs to
	Reply   bool          // of a message: true on the way back to the client
	Outcome Outcome       // of a return or a check
	Call    int           // number of the operation's call; its return has the same
	Msg     int           // number of the message, its own in the run; Sent, Arrived and Lost share it
	Cause   int           // Seq of the event that led here; 0 is none
	Key     string        // the lock's name or the storage's key
	Token   uint64        // the token of the grant, or the one sent with the write
	Fence   uint64        // the key's fence after the event
	Until   time.Duration // true time at which a lease, a pause or a delay ends; of a check: the client's own deadline
	Value   string        // the value written or read
	Version int           // how many changes the key has accepted
	Number  int           // of a write: its number within the grant, if writes are numbered
	Note    string        // a reason or a detail, in words
}

// The actors that are not clients.
const (
	ActorLockService = "lock service" // grants leases, by its own clock
	ActorStorage     = "storage"      // holds the keys and their fences; goes by true time
	ActorNetwork     = "network"      // loses messages; an error of the run that is nobody's is its too
)

// Kind says what an [Event] is.
type Kind uint8

// The kinds of events, by who makes them.
const (
	_ Kind = iota

	// A client.
	Called   // it calls an operation
	Returned // the operation returns; Outcome says how
	Did      // it has an effect on the world outside, named Key; Fail if an idempotency key stopped it
	Checked  // it looks at its clock: Outcome is OK if its deadline, Until, lies ahead
	Working  // it works until Until, if nothing stops it
	Finished // its function has returned

	// A client's belief: what it thinks it holds.
	BeliefBegan // it has processed a grant
	BeliefEnded // Note says what ended it

	// Messages.
	Sent    // it is on its way, and will arrive at Until
	Arrived // its receiver has it; Note says if that is for a second time
	Lost    // a fault dropped it, or its receiver had crashed

	// The lock service's truth.
	Queued   // the lock is held: Client waits
	Granted  // Client holds Token until Until
	Renewed  // the lease now ends at Until
	Refused  // an acquire, a renewal or a release that the service does not grant
	Released // the holder gave the lock back, or Note did, by name
	Expired  // the lease ended; Note says why, if it is not that its holder did not renew it in time
	LeftOut  // Client lost its place in the queue
	Forgot   // a fail-over or a restart lost the lease

	// The storage's truth.
	Accepted // a write is stored
	Rejected // a write, a delete or a claim is refused; Note says why
	Served   // a read; Value and Version are what it returned
	Claimed  // the fence was raised and the value read, in one step
	Deleted  // the key is gone
	Passed   // the first of two steps: the token was high enough

	// Choices and faults.
	Chosen       // a choice that was not the default; Note is its choice string
	Paused       // the client stands still until Until
	Resumed      // it goes on
	Crashed      // it is gone
	Restarted    // it begins anew
	CutOff       // messages from Client to Key are lost until Until
	ClockJumped  // by Until
	ClockStopped // it stands still until Until
	ClockRan     // it runs again
	Rebooted     // the storage or a lock node has restarted
	FailedOver   // another lock service has taken over; Token is the next one it will grant; Note says if its counter could not go back as far as it should
	Unreached    // a fault's point never came; Note is the fault

	// What ends a run early.
	Panicked // a client's function panicked; Note has the value
	Exited   // a client's function ended its goroutine (runtime.Goexit, t.FailNow)
	Stuck    // the run is over and the client still waits
	Failed   // the run's error; Note has the sentence
)

var kindNames = [...]string{
	Called: "called", Returned: "returned", Did: "did", Checked: "checked", Working: "working", Finished: "finished",
	BeliefBegan: "belief began", BeliefEnded: "belief ended",
	Sent: "sent", Arrived: "arrived", Lost: "lost",
	Queued: "queued", Granted: "granted", Renewed: "renewed", Refused: "refused", Released: "released", Expired: "expired",
	LeftOut: "left out", Forgot: "forgot",
	Accepted: "accepted", Rejected: "rejected", Served: "served", Claimed: "claimed", Deleted: "deleted", Passed: "passed",
	Chosen: "chosen", Paused: "paused", Resumed: "resumed", Crashed: "crashed", Restarted: "restarted", CutOff: "cut off", ClockJumped: "clock jumped", ClockStopped: "clock stopped",
	ClockRan: "clock ran", Rebooted: "rebooted", FailedOver: "failed over", Unreached: "unreached",
	Panicked: "panicked", Exited: "exited", Stuck: "stuck", Failed: "failed",
}

// String returns the kind's name, for example "granted".
func (k Kind) String() string { return nameOf(kindNames[:], int(k)) }

// Op is an operation of a client.
type Op uint8

// The operations.
const (
	NoOp         Op = iota // none: the event belongs to no operation
	OpAcquire              // Client.Acquire: ask for the lock, and wait for it
	OpTryAcquire           // Client.TryAcquire, and each round of an acquire from lock nodes
	OpRenew                // Client.Renew, and every renewal of Client.KeepAlive
	OpRelease              // Client.Release and Client.ReleaseByName
	OpWrite                // Client.Write and Client.WriteIf
	OpRead                 // Client.Read
	OpClaim                // Client.Claim
	OpDelete               // Client.Delete
	OpAsk                  // Client.CurrentToken: ask for the lock's present token
)

var opNames = [...]string{
	NoOp: "", OpAcquire: "acquire", OpTryAcquire: "try to acquire", OpRenew: "renew", OpRelease: "release",
	OpWrite: "write", OpRead: "read", OpClaim: "claim", OpDelete: "delete", OpAsk: "ask",
}

// String returns the operation's name, for example "acquire".
func (o Op) String() string { return nameOf(opNames[:], int(o)) }

// Outcome is how an operation ended for the client that called it.
type Outcome uint8

// The outcomes. Unknown is the client's view: the trace knows what happened.
const (
	None    Outcome = iota // the event is neither a return nor a look at the clock nor an effect
	OK                     // done
	Fail                   // refused
	Unknown                // no reply came in time
)

var outcomeNames = [...]string{None: "", OK: "ok", Fail: "fail", Unknown: "unknown"}

// String returns "ok", "fail", "unknown" or "".
func (o Outcome) String() string { return nameOf(outcomeNames[:], int(o)) }

func nameOf(names []string, i int) string {
	if i >= len(names) {
		return "invalid"
	}
	return names[i]
}

// Trace is the record of one run: all its events, in order, and the
// configuration that made them. It never changes after [World.Run] returned it.
type Trace struct {
	Config  Config   // as it was run, defaults filled in
	Clients []string // their names, in the order in which they were added
	Events  []Event  // in the order in which they happened; none if Config.Untraced

	err error

	// A story asks for the attempts again and again.
	once     sync.Once
	attempts []Attempt
}

// Err returns the first mistake of the run as a sentence that says what to do
// instead, or nil. Mistakes are bad parameters, a client's panic or a client
// that never came back, a fault that was never reached, and clients that still
// wait when nothing is left to happen.
func (t *Trace) Err() error { return t.err }

// ChoiceString returns all that struck the run, declared in Config.Faults or chosen
// by Config.Chooser, as one text. [ParseFaults] reads it; as the Config.Faults of a
// run without a Chooser, the faults give the same events.
func (t *Trace) ChoiceString() string {
	var struck []string
	for _, e := range t.Events {
		if e.Kind == Chosen {
			struck = append(struck, e.Note)
		}
	}
	return strings.Join(struck, "; ")
}

// End returns the true time of the last event.
func (t *Trace) End() time.Duration {
	if len(t.Events) == 0 {
		return 0
	}
	return t.Events[len(t.Events)-1].At
}
