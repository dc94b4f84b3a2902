package fencing

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"time"
)

// This file folds a trace into what a story, a verdict or a chart needs. Every
// time is true time since the run began; From is included, Until is not.

// Grant is one lease, as the lock service or a lock node knows it.
type Grant struct {
	Service  string          // ActorLockService or a lock node
	Lock     string          // the lock's name
	Client   string          // whom it was granted to
	Token    uint64          // its number; 0 of a lock node, which numbers nothing
	From     time.Duration   // when it was granted
	Until    time.Duration   // when the service ended or forgot it, or would have ended it if the run stopped first
	Promised time.Duration   // the end that the client was promised; later than Until if it was released or forgotten
	Renewed  []time.Duration // when it was renewed
	Ended    Kind            // Released, Expired, Forgot, or 0 if the run stopped first
	Event    int             // Seq of the Granted event
	End      int             // Seq of the event that ended it, 0 if none
}

// Grants returns all leases in the order in which they were granted.
func (t *Trace) Grants() []Grant {
	type whose struct{ service, lock, client string }
	var grants []Grant
	last := map[whose]int{} // place of the last grant
	for _, e := range t.Events {
		who := whose{e.Actor, e.Key, e.Client}
		i, granted := last[who]
		switch {
		case e.Kind == Granted:
			last[who] = len(grants)
			grants = append(grants, Grant{Service: e.Actor, Lock: e.Key, Client: e.Client, Token: e.Token, From: e.At, Until: e.Until, Promised: e.Until, Event: e.Seq})
		case e.Kind == Renewed && granted:
			g := &grants[i]
			g.Renewed, g.Until, g.Promised = append(g.Renewed, e.At), e.Until, e.Until
			g.Ended, g.End = 0, 0 // a late renewal can revive a lease
		case (e.Kind == Released || e.Kind == Expired || e.Kind == Forgot) && granted:
			g := &grants[i]
			g.Ended, g.Until, g.End = e.Kind, e.At, e.Seq
			if e.Kind == Forgot {
				g.Promised = e.Until // its clock may have jumped since it promised
			}
		}
	}
	return grants
}

// Belief is a time during which a client thought that it held a lock.
type Belief struct {
	Lock    string        // the lock's name
	Client  string        // who believed
	Token   uint64        // of the grant that it believed in
	From    time.Duration // when the client had processed the grant
	Until   time.Duration // when something ended it, or the run did
	RightTo time.Duration // its lease ended then; from there to Until the client believed wrongly
	Why     string        // what ended the belief; "" if the run stopped first
	Event   int           // Seq of the BeliefBegan event
	End     int           // Seq of the BeliefEnded event, 0 if none
}

// holding names what a grant and a belief are about.
type holding struct {
	lock, client string
	token        uint64
}

func (g Grant) holding() holding  { return holding{g.Lock, g.Client, g.Token} }
func (b Belief) holding() holding { return holding{b.Lock, b.Client, b.Token} }

// byHolding sorts the grants by what they are about.
func byHolding(grants []Grant) map[holding][]Grant {
	of := map[holding][]Grant{}
	for _, g := range grants {
		of[g.holding()] = append(of[g.holding()], g)
	}
	return of
}

// Beliefs returns the beliefs of all clients in the order in which they began.
func (t *Trace) Beliefs() []Belief {
	var beliefs []Belief
	open := map[holding]int{} // place of the belief that has not ended
	for _, e := range t.Events {
		switch e.Kind {
		case BeliefBegan:
			open[holding{e.Key, e.Actor, e.Token}] = len(beliefs)
			beliefs = append(beliefs, Belief{Lock: e.Key, Client: e.Actor, Token: e.Token, From: e.At, Until: t.End(), Event: e.Seq})
		case BeliefEnded:
			if i, began := open[holding{e.Key, e.Actor, e.Token}]; began {
				b := &beliefs[i]
				b.Until, b.Why, b.End = e.At, e.Note, e.Seq
			}
		}
	}
	grants := byHolding(t.Grants())
	for i := range beliefs {
		b := &beliefs[i]
		b.RightTo = max(b.From, min(b.Until, t.rightTo(grants[b.holding()], *b)))
	}
	return beliefs
}

// rightTo returns when the last of the belief's leases ended that made it right:
// with several lock nodes, the last one of a majority.
func (t *Trace) rightTo(grants []Grant, b Belief) time.Duration {
	var ends []time.Duration
	for _, g := range grants {
		if g.From <= b.From && g.Until >= b.From {
			ends = append(ends, g.Until)
		}
	}
	majority := t.Config.Nodes/2 + 1
	if len(ends) < majority {
		return b.From
	}
	slices.SortFunc(ends, func(a, b time.Duration) int { return cmp.Compare(b, a) })
	return ends[majority-1]
}

// Span is a time in the life of one client.
type Span struct {
	Client string        // whose
	From   time.Duration // true time since the run began
	Until  time.Duration // true time; that of the run's last event if it goes on at the end
	Only   bool          // of a pause: one thread only
	Event  int           // Seq of the event that began it
}

// Pauses returns the times during which clients stood still. A pause that a
// second one prolonged is one span.
func (t *Trace) Pauses() []Span {
	var pauses []Span
	open := func(e Event, only bool) *Span {
		for i := range pauses {
			if pauses[i].Client == e.Actor && pauses[i].Until < 0 && (pauses[i].Only == only || e.Kind == Crashed) {
				return &pauses[i]
			}
		}
		return nil
	}
	for _, e := range t.Events {
		switch e.Kind {
		case Paused:
			if only := e.ofOneThread(); open(e, only) == nil {
				pauses = append(pauses, Span{Client: e.Actor, From: e.At, Until: -1, Only: only, Event: e.Seq})
			}
		case Resumed, Crashed:
			for p := open(e, e.ofOneThread()); p != nil; p = open(e, e.ofOneThread()) {
				p.Until = e.At
			}
		}
	}
	for i := range pauses {
		if pauses[i].Until < 0 {
			pauses[i].Until = t.End()
		}
	}
	return pauses
}

// Waits returns the times during which clients stood in a lock's queue.
func (t *Trace) Waits() []Span {
	var waits []Span
	open := map[[2]string]int{} // client and lock to place in waits
	for _, e := range t.Events {
		who := [2]string{e.Client, e.Key}
		i, waiting := open[who]
		switch {
		case e.Kind == Queued && !waiting:
			open[who] = len(waits)
			waits = append(waits, Span{Client: e.Client, From: e.At, Until: t.End(), Event: e.Seq})
		case (e.Kind == Granted || e.Kind == LeftOut) && waiting:
			waits[i].Until = e.At
			delete(open, who)
		}
	}
	return waits
}

// Flight is one message on its way.
type Flight struct {
	Msg     int           // its number
	Client  string        // the client that sent it or that it goes to
	Service string        // who is at the other end: ActorLockService, ActorStorage or a lock node
	Op      Op            // the operation that it belongs to
	Reply   bool          // it goes back to the client
	Key     string        // the lock's name or the storage's key
	Token   uint64        // the token in it, 0 if there is none
	From    time.Duration // true time at which it was sent
	Until   time.Duration // when it arrived or was lost
	Lost    bool          // it never arrived
	Delayed time.Duration // by how much it took longer than Config.Latency
	Event   int           // Seq of the Sent event
	End     int           // Seq of the Arrived or Lost event, 0 if the run stopped first
}

// Flights returns all messages in the order in which they were sent. One that a
// fault duplicated is two flights.
func (t *Trace) Flights() []Flight {
	var flights []Flight
	index := map[int]int{} // message number to place in flights
	for _, e := range t.Events {
		switch e.Kind {
		case Sent:
			index[e.Msg] = len(flights)
			flights = append(flights, Flight{Msg: e.Msg, Client: e.Client, Service: e.Service, Op: e.Op, Reply: e.Reply, Key: e.Key, Token: e.Token,
				From: e.At, Until: e.Until, Delayed: e.Until - e.At - t.Config.Latency, Event: e.Seq})
		case Arrived, Lost:
			i, sent := index[e.Msg]
			if !sent {
				continue
			}
			f := &flights[i]
			if f.End != 0 { // it arrives again
				again := *f
				again.Delayed = e.At - f.From - t.Config.Latency
				flights = append(flights, again)
				f = &flights[len(flights)-1]
			}
			f.Until, f.Lost, f.End = e.At, e.Kind == Lost, e.Seq
		}
	}
	slices.SortStableFunc(flights, func(a, b Flight) int { return a.Event - b.Event })
	return flights
}

// Attempt is one write or delete that reached the storage.
type Attempt struct {
	Client   string        // who wrote
	Key      string        // what it wrote to
	Value    string        // what it wrote
	Op       Op            // OpWrite or OpDelete
	Token    uint64        // what it sent with it; 0 is none
	Number   int           // its number within the grant, if writes are numbered
	Fence    uint64        // the highest token that the key had accepted or been claimed with before
	Version  int           // of the key, after it
	Sent     time.Duration // when the client called the operation
	At       time.Duration // when it took effect or was rejected
	Accepted bool          // the storage carried it out
	Late     bool          // the writer's lease had ended, by the lock service's clock: that of the token, or if it has none of that token, every one of its leases; a writer that never had one is not late
	Stale    bool          // the key had accepted, or been claimed with, a higher token
	Lost     string        // the client whose value a stale write replaced; "" if none
	Missed   []int         // Seq of the changes since the version that the writer had read, if it had read
	Across   bool          // one of them was made under another grant
	Event    int           // Seq of the event at the storage
	Before   int           // Seq of the event that set the fence, 0 if none
	Reason   string        // of a rejection

	leased    bool // the writer had had a lease
	overtaken bool // a later write of its grant had been accepted
}

// Attempts returns all writes and deletes that reached the storage, in order of arrival.
func (t *Trace) Attempts() []Attempt {
	t.once.Do(func() { t.attempts = t.foldAttempts() })
	return slices.Clone(t.attempts)
}

// attempt returns the write that an Accepted or Rejected event stands for.
func (t *Trace) attempt(e Event) Attempt {
	t.once.Do(func() { t.attempts = t.foldAttempts() })
	i, found := slices.BinarySearchFunc(t.attempts, e.Seq, func(a Attempt, seq int) int { return a.Event - seq })
	if !found {
		return Attempt{}
	}
	return t.attempts[i]
}

// keyFold is what the attempts of one key are folded with.
type keyFold struct {
	fence   Event // set by it
	number  int   // the highest of the writes accepted with that token
	holds   Event // the write whose value it holds
	changes []Event
}

// callFold is what is known of one call when its request arrives.
type callFold struct {
	sent time.Duration
	base int // the version that the client knew, -1 if it had not read
}

func (t *Trace) foldAttempts() []Attempt {
	grants := t.Grants()
	ofClient, ofToken := grantsBy(grants, ofItsClient), grantsBy(grants, ofItsToken)
	keys := map[string]*keyFold{}
	calls := map[int]callFold{}
	known := map[[2]string]int{} // client and key to the version read last
	var attempts []Attempt
	for _, e := range t.Events {
		key := keys[e.Key]
		if key == nil {
			key = &keyFold{}
			keys[e.Key] = key
		}
		switch e.Kind {
		case Restarted:
			maps.DeleteFunc(known, func(k [2]string, _ int) bool { return k[0] == e.Actor }) // it has forgotten
		case Returned:
			_, hasRead := known[[2]string{e.Actor, e.Key}]
			reads := e.Op == OpRead || e.Op == OpClaim
			changes := e.Op == OpWrite || e.Op == OpDelete
			if e.Outcome == OK && (reads || changes && hasRead) {
				known[[2]string{e.Actor, e.Key}] = e.Version
			}
		case Called:
			base, hasRead := known[[2]string{e.Actor, e.Key}]
			if !hasRead {
				base = -1
			}
			calls[e.Call] = callFold{e.At, base}
		case Claimed:
			key.raise(e)
		case Accepted, Rejected, Deleted:
			switch e.Op {
			case OpWrite, OpDelete:
				attempts = append(attempts, key.attempt(e, calls[e.Call]))
				a := &attempts[len(attempts)-1]
				leases := ofToken[holder{e.Client, e.Token}]
				if len(leases) == 0 {
					leases = ofClient[holder{client: e.Client}]
				}
				a.leased, a.Late = t.leased(leases, e)
			case NoOp:
				key.holds = Event{} // a clean-up
			}
		}
	}
	return attempts
}

// attempt folds one event of the key.
func (k *keyFold) attempt(e Event, call callFold) Attempt {
	a := Attempt{Client: e.Client, Key: e.Key, Value: e.Value, Op: e.Op, Token: e.Token, Number: e.Number, Fence: k.fence.Token,
		Version: e.Version, Sent: call.sent, At: e.At, Accepted: e.Kind != Rejected, Stale: e.Token < k.fence.Token,
		Event: e.Seq, Before: k.fence.Seq, Reason: e.Note}
	if !a.Accepted {
		a.overtaken = e.Token == k.fence.Token && e.Number < k.number
		return a
	}
	if a.Stale && k.holds.Kind == Accepted && k.holds.Client != e.Client {
		a.Lost = k.holds.Client
	}
	for _, c := range k.since(call.base) {
		if c.Call == e.Call {
			continue // the same write, arriving again
		}
		a.Missed = append(a.Missed, c.Seq)
		a.Across = a.Across || a.ofAnotherGrant(c)
	}
	k.holds = e
	k.changes = append(k.changes, e)
	k.raise(e)
	return a
}

// raise lifts the key's fence by a write that was accepted, or a claim.
func (k *keyFold) raise(e Event) {
	if e.Token < k.fence.Token {
		return
	}
	if e.Token > k.fence.Token {
		k.number = 0
	}
	k.fence, k.number = e, max(k.number, e.Number)
}

// ofAnotherGrant reports whether a change was not made under the write's grant.
func (a Attempt) ofAnotherGrant(change Event) bool {
	return change.Token != a.Token || change.Client != a.Client
}

// since returns the changes that made the versions after base, none if the
// writer had not read.
func (k *keyFold) since(base int) []Event {
	if base < 0 {
		return nil
	}
	first := sort.Search(len(k.changes), func(i int) bool { return k.changes[i].Version > base })
	return k.changes[first:]
}

// holder is what a write says of its grant.
type holder struct {
	client string
	token  uint64
}

func ofItsToken(g Grant) holder  { return holder{g.Client, g.Token} }
func ofItsClient(g Grant) holder { return holder{client: g.Client} }

func grantsBy(grants []Grant, whose func(Grant) holder) map[holder][]Grant {
	of := map[holder][]Grant{}
	for _, g := range grants {
		of[whose(g)] = append(of[whose(g)], g)
	}
	return of
}

// leased reports whether the writer had been granted one of its leases by the
// time its write arrived, and whether they had all ended by then: with several
// lock nodes, whether a majority had granted one, and no majority of them ran. A
// release takes effect when the lock service handles it; an end by the clock at
// that very time, whatever is handled first.
func (t *Trace) leased(grants []Grant, write Event) (leased, ended bool) {
	running := 0
	var services []string
	for _, g := range grants {
		if g.Event > write.Seq {
			break
		}
		if !slices.Contains(services, g.Service) {
			services = append(services, g.Service)
		}
		if (g.End == 0 || g.End > write.Seq) && (g.Ended == Released || write.At < g.Until) {
			running++
		}
	}
	majority := t.Config.Nodes/2 + 1
	leased = len(services) >= majority
	return leased, leased && running < majority
}

// Content is what one key held for a time.
type Content struct {
	Key    string        // its name
	Value  string        // what was written
	Client string        // whose write it was
	Token  uint64        // the one that the write carried
	From   time.Duration // true time at which the write was accepted
	Until  time.Duration // true time of the key's next change, or of the run's last event
	Stale  bool          // written with a lower token than the key had accepted before
	Event  int           // Seq of the Accepted or Deleted event
}

// Contents returns what the storage held over time, in order of arrival. After a
// clean-up a key holds nothing until the next write.
func (t *Trace) Contents() []Content {
	var contents []Content
	last := map[string]int{}
	for _, e := range t.Events {
		if e.Kind != Accepted && e.Kind != Deleted {
			continue
		}
		if i, ok := last[e.Key]; ok {
			contents[i].Until = e.At
			delete(last, e.Key)
		}
		if e.Client == "" {
			continue // a clean-up
		}
		a := t.attempt(e)
		last[a.Key] = len(contents)
		contents = append(contents, Content{Key: a.Key, Value: a.Value, Client: a.Client, Token: a.Token, From: a.At, Until: t.End(), Stale: a.Stale, Event: a.Event})
	}
	return contents
}

// Overlap is a time during which at least two clients believed that they held
// the same lock.
type Overlap struct {
	Lock    string        // its name
	Clients []string      // in the order in which their beliefs began
	From    time.Duration // true time since the run began
	Until   time.Duration // true time
	Running time.Duration // how much of it at least two of them were not paused
	Events  []int         // Seq of the events that began the beliefs
}

// Overlaps returns the overlaps of belief, lock by lock and in order of time.
// Neighbouring times with different clients are different overlaps.
func (t *Trace) Overlaps() []Overlap {
	beliefs, pauses := t.Beliefs(), map[string][]Span{}
	for _, p := range t.Pauses() {
		if !p.Only {
			pauses[p.Client] = append(pauses[p.Client], p)
		}
	}
	var overlaps []Overlap
	for _, lock := range locksOf(beliefs) {
		of := slices.DeleteFunc(slices.Clone(beliefs), func(b Belief) bool { return b.Lock != lock })
		overlaps = append(overlaps, overlapsIn(of, pauses)...)
	}
	return overlaps
}

// overlapsIn goes through the beliefs in one lock in order of time.
func overlapsIn(beliefs []Belief, pauses map[string][]Span) []Overlap {
	var overlaps []Overlap
	var now []Belief // those that are held
	times := turns(beliefs, pauses)
	for i := range max(0, len(times)-1) {
		from, until := times[i], times[i+1]
		now = slices.DeleteFunc(now, func(b Belief) bool { return b.Until <= from })
		for len(beliefs) > 0 && beliefs[0].From <= from {
			if beliefs[0].Until > from {
				now = append(now, beliefs[0])
			}
			beliefs = beliefs[1:]
		}
		o := overlapOf(now, pauses, from, until)
		n := len(overlaps) - 1
		switch {
		case len(o.Clients) < 2:
		case n >= 0 && overlaps[n].Until == from && slices.Equal(overlaps[n].Clients, o.Clients):
			overlaps[n].Until = until
			overlaps[n].Running += o.Running
		default:
			overlaps = append(overlaps, o)
		}
	}
	return overlaps
}

// turns are the times at which a belief begins or ends, or a believer's pause.
func turns(beliefs []Belief, pauses map[string][]Span) []time.Duration {
	var times []time.Duration
	looked := map[string]bool{}
	for _, b := range beliefs {
		times = append(times, b.From, b.Until)
		if !looked[b.Client] {
			looked[b.Client] = true
			for _, p := range pauses[b.Client] {
				times = append(times, p.From, p.Until)
			}
		}
	}
	slices.Sort(times)
	return slices.Compact(times)
}

// overlapOf looks at a time in which no belief and no pause begins or ends.
func overlapOf(now []Belief, pauses map[string][]Span, from, until time.Duration) Overlap {
	o := Overlap{From: from, Until: until}
	if len(now) < 2 {
		return o
	}
	running := 0
	for _, b := range now {
		if slices.Contains(o.Clients, b.Client) {
			continue
		}
		o.Lock = b.Lock
		o.Clients = append(o.Clients, b.Client)
		o.Events = append(o.Events, b.Event)
		if !slices.ContainsFunc(pauses[b.Client], func(p Span) bool { return p.From <= from && p.Until >= until }) {
			running++
		}
	}
	if running >= 2 {
		o.Running = until - from
	}
	return o
}

func locksOf(beliefs []Belief) []string {
	var locks []string
	for _, b := range beliefs {
		if !slices.Contains(locks, b.Lock) {
			locks = append(locks, b.Lock)
		}
	}
	return locks
}
