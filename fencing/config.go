package fencing

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Config holds everything about a run that is not the program. Zero is off, or
// the default that the field's comment names. A length is from 1 µs, below which a
// unit was forgotten, to 1000 hours.
type Config struct {
	Name    string // what stories and charts call the run, for example "GC pause"
	Program string // what the clients do, in a few words, for stories and charts; a preset fills it in
	Systems string // of a run on real systems, what it ran on, for example "etcd and SQLite"; "" if it is simulated
	Steps   int    // how many steps the run may take; 0 means 100,000

	Untraced bool // the trace has no events: for runs of which only Trace.Err matters, and for speed

	// The lock service. A rule of a real system names it: Chubby is as Burrows
	// describes it (2006), Consul, etcd and ZooKeeper are as their documentation does.
	Lease       time.Duration // length of every lease, by the service's clock; 0 means 10 s
	FirstToken  uint64        // token of a lock's first grant; 0 means 33
	LockDelay   time.Duration // after a lease that ended by the clock, nobody gets the lock for this long (Chubby, Consul)
	NoticeLate  time.Duration // the service notices the end of a lease this much late: a TTL is a lower bound (Consul)
	ReviveLate  bool          // a late renewal is granted if nobody else holds the lock
	SameToken   bool          // a client that gets the lock back, with nobody in between, gets its old token (etcd: locking again in one session)
	MaxHold     time.Duration // no renewal lets a lease last longer than this after its grant; 0 is no limit
	PlainDelete bool          // a release frees the lock whoever holds it
	WaiterLease bool          // a place in the queue is a lease too: a waiter that is not heard from for Lease loses it (ZooKeeper, etcd: a session)
	Generations bool          // a token is generation × 1,000,000 + counter, and every fail-over begins a new generation
	Nodes       int           // the lock is kept by this many nodes without tokens (Redlock); 0 is one lock service

	// The storage.
	Fencing        bool          // the storage checks the token of every write
	Check          Check         // how it does so
	CheckGap       time.Duration // of a TwoSteps check, and of no other: the time between the check and the write
	NumberedWrites bool          // a client numbers the writes of a grant, and the storage checks that number too
	FenceForgotten bool          // a restart or a delete makes the storage forget the fence
	Storage        Checker       // a storage of your own in place of the built-in one, without the options above
	Idempotent     bool          // the outside world carries out an effect of one name once only

	// The network, the clocks and the clients.
	Latency           time.Duration // how long every message takes
	Timeout           time.Duration // how long a client waits for a reply; 0 waits for ever
	Clocks            []Clock       // clocks that differ from true time; the others do not
	DeadlineFromReply bool          // a client counts its deadline from the reply instead of from before its request
	Faults            []Fault       // what the world does

	// Chooser decides in place of the defaults; Faults are decided first.
	Chooser Chooser
}

// Check is how the storage checks a token. Only the first is right.
type Check uint8

// The checks.
const (
	AtLeast  Check = iota // not below the fence, checked and stored in one step
	Higher                // above the fence: rejects the holder's second write
	Equal                 // equal to the first token seen: locks out every later holder
	TwoSteps              // not below the fence, but stored in a second step
	Version               // the key's version must be the one that the client has read; tokens are ignored
	Owner                 // the token that last claimed the key
)

var checkNames = [...]string{AtLeast: "at least the fence", Higher: "above the fence", Equal: "equal to the fence",
	TwoSteps: "checks, then writes", Version: "same version as read", Owner: "the last to claim"}

// String returns the check in words.
func (c Check) String() string { return nameOf(checkNames[:], int(c)) }

const (
	// Longest bounds every length and moment, so that no sum of them overflows.
	Longest = 1000 * time.Hour
	// Shortest is the least that a length or a moment may be, other than 0: below
	// it, a unit was forgotten.
	Shortest = time.Microsecond
)

const (
	defaultLease      = 10 * time.Second
	defaultFirstToken = 33
	defaultSteps      = 100_000

	longestInWords = "1000 hours" // Longest

	// highestFirstToken leaves room to count upwards for ever.
	highestFirstToken = 1 << 62
	// mostNodes bounds the lock nodes: their names are letters.
	mostNodes = 9
)

// lacksUnit reports whether a length is a bare number of nanoseconds: 3 in place
// of 3 * time.Second.
func lacksUnit(d time.Duration) bool { return d != 0 && -Shortest < d && d < Shortest }

func noUnit(what string, d time.Duration) error {
	return fmt.Errorf("%s %s, which is hardly meant: write the unit, for example %d * time.Second (the shortest is %s)", what, d, int64(d), Shortest)
}

func (c Config) withDefaults() Config {
	if c.Lease == 0 {
		c.Lease = defaultLease
	}
	if c.FirstToken == 0 {
		c.FirstToken = defaultFirstToken
	}
	if c.Steps == 0 {
		c.Steps = defaultSteps
	}
	c.Faults = slices.Clone(c.Faults)
	c.Clocks = slices.Clone(c.Clocks)
	return c
}

func (c Config) check(a actors) error {
	for _, d := range []struct {
		name  string
		value time.Duration
		hint  string
	}{
		{"Lease", c.Lease, "give a positive length, for example 10 * time.Second, or leave it out for 10 s"},
		{"Latency", c.Latency, "give a positive length, or leave it out for messages that take no time"},
		{"Timeout", c.Timeout, "give a positive length, or leave it out to wait for ever"},
		{"LockDelay", c.LockDelay, "give a positive length, or leave it out for none"},
		{"NoticeLate", c.NoticeLate, "give a positive length, or leave it out for a service that notices at once"},
		{"MaxHold", c.MaxHold, "give a positive length, or leave it out for no limit"},
		{"CheckGap", c.CheckGap, "give a positive length, or leave it out"},
	} {
		if d.value < 0 || d.value > Longest {
			return fmt.Errorf("Config.%s is %s: %s (the longest is %s)", d.name, d.value, d.hint, longestInWords)
		}
		if lacksUnit(d.value) {
			return noUnit("Config."+d.name+" is", d.value)
		}
	}
	switch {
	case c.Steps < 0:
		return fmt.Errorf("Config.Steps is %d: give a positive number, or leave it out for %d", c.Steps, defaultSteps)
	case c.Nodes < 0 || c.Nodes > mostNodes:
		return fmt.Errorf("Config.Nodes is %d: give a number from 1 to %d, or leave it out for one lock service", c.Nodes, mostNodes)
	case c.FirstToken > highestFirstToken:
		return fmt.Errorf("Config.FirstToken is %d: give a number up to %d, or leave it out for %d", c.FirstToken, highestFirstToken, defaultFirstToken)
	case c.Generations && c.FirstToken >= generationSize:
		return fmt.Errorf("Config.FirstToken is %d, and with Config.Generations a counter has room below %d only: give a lower number", c.FirstToken, generationSize)
	case c.Nodes > 0 && (c.SameToken || c.Generations || c.WaiterLease):
		return errors.New("Config.Nodes is for lock nodes, which have neither tokens nor a queue: leave out SameToken, Generations and WaiterLease")
	case c.Nodes > 0 && c.FirstToken != defaultFirstToken:
		return fmt.Errorf("Config.FirstToken is %d, and lock nodes number nothing: leave out FirstToken or Config.Nodes", c.FirstToken)
	case int(c.Check) >= len(checkNames):
		return fmt.Errorf("Config.Check is %d, which is no check: take one of fencing's, for example fencing.AtLeast", c.Check)
	}
	if err := c.checkStorage(); err != nil {
		return err
	}
	for i, k := range c.Clocks {
		if err := k.check(a); err != nil {
			return err
		}
		if slices.ContainsFunc(c.Clocks[:i], func(other Clock) bool { return other.Actor == k.Actor }) {
			return fmt.Errorf("Config.Clocks has two clocks for %q: put its offset and its rate into one", k.Actor)
		}
	}
	return c.checkFaults(a)
}

// checkStorage refuses options that the storage does not look at.
func (c Config) checkStorage() error {
	switch {
	case c.Storage != nil && (c.Fencing || c.Check != AtLeast || c.NumberedWrites || c.FenceForgotten):
		return errors.New("Config.Storage is a storage of your own, which checks tokens as it likes: leave out Fencing, Check, NumberedWrites and FenceForgotten, or leave out Storage")
	case c.CheckGap != 0 && c.Check != TwoSteps:
		return fmt.Errorf("Config.CheckGap is %s, and the check %q has one step: set Check to fencing.TwoSteps, or leave out CheckGap", c.CheckGap, c.Check)
	case c.NumberedWrites && c.Check != AtLeast && c.Check != TwoSteps:
		return fmt.Errorf("Config.NumberedWrites is set, and the check %q does not look at that number: leave out NumberedWrites or Check", c.Check)
	}
	for _, f := range c.Faults {
		if c.Storage != nil && f.Actor == ActorStorage && (f.Action == RebootIt || f.Action == CleanUpIt) {
			return fmt.Errorf("the fault %q cannot happen to a storage of your own, which has Write and Read only: leave out Config.Storage", f)
		}
	}
	return nil
}

func (c Config) checkFaults(a actors) error {
	for i, f := range c.Faults {
		if err := f.check(a); err != nil {
			return err
		}
		for _, g := range c.Faults[:i] {
			if f.Point != 0 && f.Point == g.Point && f.nth() == g.nth() && f.Actor == g.Actor {
				return fmt.Errorf("the faults %q and %q strike at the same moment: keep one of them, or aim one with .Time(2) at the second passing", g, f)
			}
		}
	}
	return nil
}

// nodes returns the names of the lock nodes: "node A", "node B", ...
func (c Config) nodes() []string {
	var names []string
	for i := range min(max(c.Nodes, 0), mostNodes) {
		names = append(names, "node "+string(rune('A'+i)))
	}
	return names
}

// Parameters names everything that makes the run what it is, in one line: the
// lease, the fencing, the faults and what else is not the default. It stands
// under a chart's title, so that a chart never speaks of a cell edited since.
func (c Config) Parameters() string {
	parts := []string{"lease " + Seconds(c.Lease), c.fencingInWords()}
	add := func(on bool, format string, args ...any) {
		if on {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(c.Systems != "", "on %s", c.Systems)
	add(c.Program != "", "%s", c.Program)
	add(c.Nodes != 0, "%d lock nodes", c.Nodes)
	add(c.FirstToken != defaultFirstToken, "first token %d", c.FirstToken)
	add(c.Latency != 0, "messages take %s", Seconds(c.Latency))
	add(c.Timeout != 0, "time-out %s", Seconds(c.Timeout))
	add(c.LockDelay != 0, "lock-delay %s", Seconds(c.LockDelay))
	add(c.NoticeLate != 0, "the end of a lease is noticed %s late", Seconds(c.NoticeLate))
	add(c.MaxHold != 0, "no lease lasts longer than %s", Seconds(c.MaxHold))
	add(c.ReviveLate, "late renewals revive a lease")
	add(c.SameToken, "a repeated grant has the same token")
	add(c.PlainDelete, "a release frees the lock whoever holds it")
	add(c.WaiterLease, "a place in the queue has a lease")
	add(c.Generations, "tokens carry a generation")
	add(c.NumberedWrites && c.Fencing, "writes are numbered within a grant")
	add(c.NumberedWrites && !c.Fencing, "writes are numbered within a grant, and nobody checks it")
	add(c.FenceForgotten, "the fence is forgotten by a restart or a delete")
	add(c.Idempotent, "effects have an idempotency key")
	add(c.DeadlineFromReply, "deadlines count from the reply")
	for _, k := range c.Clocks {
		add(k.Offset != 0, "the clock of %s is %s ahead", theActor(k.Actor), Seconds(k.Offset))
		add(k.PPM > 0, "the clock of %s runs %d ppm fast", theActor(k.Actor), k.PPM)
		add(k.PPM < 0, "the clock of %s runs %d ppm slow", theActor(k.Actor), -k.PPM)
	}
	for _, f := range c.Faults {
		add(true, "%s", f.sentence())
	}
	return strings.Join(parts, " · ")
}

func (c Config) fencingInWords() string {
	switch {
	case c.Storage != nil:
		return "a storage of your own"
	case c.Fencing && c.Check == TwoSteps:
		return fmt.Sprintf("fencing: %s %s later", c.Check, Seconds(c.CheckGap))
	case c.Fencing && c.Check != AtLeast:
		return "fencing: " + c.Check.String()
	case c.Fencing:
		return "fencing on"
	case c.Check != AtLeast:
		return fmt.Sprintf("fencing off, and with it the check “%s”", c.Check)
	}
	return "fencing off"
}
