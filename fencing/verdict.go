package fencing

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Status says what a run proves about a property.
type Status uint8

// The statuses.
const (
	Holds    Status = iota // nothing in this run broke it
	Violated               // the finding's events broke it
	Untold                 // the run ended early, so it cannot be known
)

var statusNames = [...]string{Holds: "holds", Violated: "violated", Untold: "unknown"}

// String returns "holds", "violated" or "unknown".
func (s Status) String() string { return nameOf(statusNames[:], int(s)) }

// Property is something that a learner may expect of every run.
type Property string

// The properties, in the order in which a verdict lists them. Each says what
// violates it; the finding's events are those that it takes.
const (
	// OneGrant: the lock service granted a lock while another client's lease of it
	// ran, or would have run if the service had not forgotten it. A lease runs and
	// ends by the service's own clock: one that a jump of that clock has ended is
	// over, whatever its holder believes. Lock nodes are judged one by one, each by
	// its own clock; since two majorities share a node, if it holds no two clients
	// had a majority at once, as far as the nodes knew. The two grants.
	OneGrant Property = "one lease at a time"
	// OneBeliever: two clients believed that they held one lock. The beginnings of
	// their beliefs.
	OneBeliever Property = "one believer at a time"
	// FencingSafe: a key accepted a lower token after a higher one, or one token
	// from two clients. The two writes.
	FencingSafe Property = "accepted tokens never go down"
	// NoStaleWrite: a write was accepted after its key had accepted, or been claimed
	// with, a higher token. What set the fence, and the write.
	NoStaleWrite Property = "no stale write accepted"
	// NoLateWrite: a write was accepted whose writer's lease had ended, by the lock
	// service's clock: see [Attempt.Late]. The write.
	NoLateWrite Property = "no late write accepted"
	// NoLostUpdate: a client wrote on top of what it had read, without having seen a
	// change that another grant had made since. The changes, and the write.
	NoLostUpdate Property = "no update lost across grants"
	// NoLostOwnUpdate: the same, and the change was of the same grant.
	NoLostOwnUpdate Property = "no update lost within a grant"
	// NothingTwice: an effect on the world outside was had twice. Both.
	NothingTwice Property = "no work done twice"
	// NobodyStuck: an operation will never return. Where the run found that out, and if
	// it waits for a lock that its holder's renewer keeps while the worker never goes
	// on, the grant. A run finds that out when its steps are spent ([Config.Steps]); a
	// worker never goes on if it was stopped for good ([Fault.ThreadOnly]) or waits
	// for a reply that was lost, without a time-out.
	NobodyStuck Property = "nobody waits for ever"
	// NoInnocentFenced: the storage rejected a write whose writer's lease ran, for
	// another reason than its version or a later write of the same grant; or somebody
	// else's release freed a lock. The rejection, or the release.
	NoInnocentFenced Property = "no rightful holder shut out"
)

// Finding is what a run proves about one property.
type Finding struct {
	Property Property // what it is about
	Status   Status   // whether it holds
	Events   []int    // Seq of the events that decide it
	Sentence string   // what happened, in one sentence

	// A story need not mention it: nothing in the run could have broken it, or
	// another finding says the same.
	idle bool
}

// Verdict is what a run proves, property by property.
type Verdict struct {
	Headline string    // the outcome in one sentence, as a chart's title says it
	Findings []Finding // one for each property
}

// Finding returns what the verdict says about a property.
func (v Verdict) Finding(p Property) Finding {
	for _, f := range v.Findings {
		if f.Property == p {
			return f
		}
	}
	return Finding{Property: p, Status: Untold, Sentence: "this verdict does not know the property"}
}

// String returns the verdict as a small table: the headline, then a line for
// each property that something in the run could have broken.
func (v Verdict) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, v.Headline)
	for _, f := range v.Findings {
		if f.idle {
			continue
		}
		fmt.Fprintf(&b, "  %-9s %s: %s\n", f.Status, f.Property, f.Sentence)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Verdict judges the run. If the run ended early, a property that was not
// violated by then is unknown.
func (t *Trace) Verdict() Verdict {
	v := Verdict{Headline: t.Headline(), Findings: []Finding{
		t.judgeGrants(), t.judgeBeliefs(), t.judgeFencing(), t.judgeStale(), t.judgeLate(), t.judgeLost(true), t.judgeLost(false),
		t.judgeTwice(), t.judgeStuck(), t.judgeInnocent(),
	}}
	why := "the run has an error, so this run cannot tell"
	switch {
	case t.Config.Untraced:
		why = "the run was not traced, so nothing is known of it"
	case t.err == nil:
		return v
	}
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Status == Holds {
			f.Status, f.Sentence, f.Events = Untold, why, nil
		}
	}
	return v
}

// Headline says the one thing to remember of the run, as [Trace.Verdict] does, and
// judges no more than that.
func (t *Trace) Headline() string {
	if t.err != nil {
		return "This run has an error: " + t.err.Error()
	}
	if t.Config.Untraced {
		return "This run was not traced: leave Config.Untraced out to see what happens in it"
	}
	fencing := "Fencing off"
	switch {
	case t.Config.Storage != nil:
		fencing = "Your storage"
	case t.Config.Fencing:
		fencing = "Fencing on"
	}
	if t.Config.Systems != "" {
		fencing = "On " + t.Config.Systems + ", " + strings.ToLower(fencing[:1]) + fencing[1:]
	}
	return fencing + ": " + t.outcome()
}

func (t *Trace) outcome() string {
	attempts := t.Attempts()
	find := func(match func(Attempt) bool) (Attempt, bool) {
		i := slices.IndexFunc(attempts, match)
		if i < 0 {
			return Attempt{}, false
		}
		return attempts[i], true
	}
	if a, ok := find(func(a Attempt) bool { return a.Accepted && a.Stale }); ok {
		if a.Lost == "" {
			return fmt.Sprintf("the write %s is accepted at %s, although the key had accepted %d", withToken(a.Token), Seconds(a.At), a.Fence)
		}
		return fmt.Sprintf("the write %s is accepted at %s and overwrites %s’s data", withToken(a.Token), Seconds(a.At), a.Lost)
	}
	if a, ok := find(func(a Attempt) bool { return len(a.Missed) > 0 }); ok {
		missed := append(t.missed(a, true), t.missed(a, false)...)
		return fmt.Sprintf("the write of %s at %s overwrites a change of %s that it had not seen", a.Client, Seconds(a.At), t.Events[missed[0]-1].Client)
	}
	if a, ok := find(func(a Attempt) bool { return !a.Accepted && a.Stale }); ok {
		return fmt.Sprintf("the write %s is rejected at %s, because the fence is %d", withToken(a.Token), Seconds(a.At), a.Fence)
	}
	if a, ok := find(func(a Attempt) bool { return !a.Accepted }); ok {
		return a.rejectedInTime()
	}
	if a, ok := find(func(a Attempt) bool { return a.Late }); ok {
		return fmt.Sprintf("the write %s is accepted at %s: late, but not stale", withToken(a.Token), Seconds(a.At))
	}
	if len(attempts) == 0 {
		return "nothing was written"
	}
	return t.inOrder()
}

// rejectedInTime is the headline of a rejection that is not of a stale write.
func (a Attempt) rejectedInTime() string {
	switch {
	case a.overtaken:
		return fmt.Sprintf("write no. %d of token %d is rejected at %s, because a later one had been accepted", a.Number, a.Token, Seconds(a.At))
	case a.conflicted():
		return fmt.Sprintf("the write %s is rejected at %s, because it was not made for the key’s present version", withToken(a.Token), Seconds(a.At))
	}
	return fmt.Sprintf("the write %s is rejected at %s, although no higher token had been accepted", withToken(a.Token), Seconds(a.At))
}

// conflicted reports whether it was rejected because of its version.
func (a Attempt) conflicted() bool { return strings.HasPrefix(a.Reason, ErrConflict.Error()) }

// inOrder is the headline of a run that harmed no write.
func (t *Trace) inOrder() string {
	beliefs := t.Beliefs()
	locks := locksOf(beliefs)
	switch crashed := t.crashedHolder(); {
	case len(t.Overlaps()) > 0:
		return "every write was accepted in order, although beliefs overlapped"
	case crashed != "":
		return fmt.Sprintf("%s crashed, and its lease ended; every write was in order", crashed)
	case len(beliefs) == 0:
		return "every write was accepted in order"
	case len(locks) > 1:
		return "every write was accepted in order, and of every lock one client at a time believed"
	}
	return "every write was accepted in order, and one client at a time believed"
}

// crashedHolder names the first client whose crash left a lease to the clock.
func (t *Trace) crashedHolder() string {
	grants := t.Grants()
	for _, e := range t.Events {
		if e.Kind == Crashed && slices.ContainsFunc(grants, func(g Grant) bool {
			return g.Client == e.Actor && g.Event < e.Seq && g.End > e.Seq && g.Ended == Expired
		}) {
			return e.Actor
		}
	}
	return ""
}

func (t *Trace) judgeGrants() Finding {
	type whose struct{ service, lock string }
	grants := t.Grants()
	promised := map[whose][]Grant{} // those that may still run
	for _, g := range grants {
		lock := whose{g.Service, g.Lock}
		running := slices.DeleteFunc(promised[lock], func(h Grant) bool { return h.promised() <= g.From })
		for _, h := range running {
			if h.Client != g.Client {
				return violated(OneGrant, []int{h.Event, g.Event},
					"%s granted %q to %s at %s, while %s had been promised it %s", theService(g.Service), g.Lock, g.Client, Seconds(g.From), h.Client, until(h.promised()))
			}
		}
		promised[lock] = append(running, g)
	}
	made := count(len(grants), "grant")
	if t.Config.Nodes > 0 {
		return holds(OneGrant, len(grants) == 0, "the lock nodes made %s, and none of them made two at a time of one lock, by its own clock", made)
	}
	return holds(OneGrant, len(grants) == 0, "the lock service made %s, and no two of one lock overlapped", made)
}

// theService names the lock service, or a lock node, in a sentence.
func theService(name string) string {
	if name == ActorLockService {
		return "the " + name
	}
	return name
}

// tokenOf names what a write carried.
func tokenOf(a Attempt) string {
	if a.Token == 0 {
		return "a write without a token"
	}
	return fmt.Sprintf("token %d", a.Token)
}

// promised returns until when nobody else may have the lock, as the service saw it
// when it last knew: a lease that was forgotten was promised for longer.
func (g Grant) promised() time.Duration {
	if g.Ended == Forgot {
		return g.Promised
	}
	return g.Until
}

func (t *Trace) judgeBeliefs() Finding {
	overlaps := t.Overlaps()
	locks := locksOf(t.Beliefs())
	if len(overlaps) == 0 {
		return holds(OneBeliever, false, "at no time did two clients believe that they held %s", the(len(locks), "lock"))
	}
	var events []int
	var sentences []string
	for _, lock := range locks {
		of := slices.DeleteFunc(slices.Clone(overlaps), func(o Overlap) bool { return o.Lock != lock })
		if len(of) == 0 {
			continue
		}
		about := ""
		if len(locks) > 1 {
			about = fmt.Sprintf(" that they held %q", lock)
		}
		sentences = append(sentences, overlapSentence(of, about))
		for _, o := range of {
			events = append(events, o.Events...)
		}
	}
	slices.Sort(events)
	return violated(OneBeliever, slices.Compact(events), "%s", strings.Join(sentences, "; "))
}

// overlapSentence says who believed at once that they held one lock, and for how
// long. Of more than two clients it may be now these and now those.
func overlapSentence(overlaps []Overlap, about string) string {
	var total, running time.Duration
	var clients []string
	for _, o := range overlaps {
		total += o.Until - o.From
		running += o.Running
		for _, c := range o.Clients {
			if !slices.Contains(clients, c) {
				clients = append(clients, c)
			}
		}
	}
	who := list(clients)
	if len(clients) > 2 {
		who = "at least two of " + who
	}
	return fmt.Sprintf("from %s on, %s believed at once%s, for %s (%s of it running at once)", Seconds(overlaps[0].From), who, about, Seconds(total), Seconds(running))
}

// the names something that there may be several of.
func the(n int, what string) string {
	if n > 1 {
		return "the same " + what
	}
	return "the " + what
}

func (t *Trace) judgeStale() Finding {
	var rejected, accepted int
	for _, a := range t.Attempts() {
		switch {
		case a.Accepted && a.Stale:
			s := fmt.Sprintf("at %s the storage accepted %s from %s after token %d", Seconds(a.At), tokenOf(a), a.Client, a.Fence)
			if a.Lost != "" {
				s += fmt.Sprintf(", and %s’s data is gone", a.Lost)
			}
			return violated(NoStaleWrite, []int{a.Before, a.Event}, "%s", s)
		case a.Stale:
			rejected++
		case a.Accepted:
			accepted++
		}
	}
	s := fmt.Sprintf("%s accepted, none below a token accepted before", count(accepted, "write"))
	if rejected > 0 {
		s += fmt.Sprintf("; %s rejected", count(rejected, "stale write"))
	}
	return holds(NoStaleWrite, false, "%s", s)
}

func (t *Trace) judgeLate() Finding {
	for _, a := range t.Attempts() {
		if a.Accepted && a.Late {
			s := fmt.Sprintf("at %s the storage accepted %s from %s, whose lease had ended", Seconds(a.At), tokenOf(a), a.Client)
			if !a.Stale && a.Token > 0 {
				s += "; no higher token had been accepted yet, so no fence could stop it"
			}
			return violated(NoLateWrite, []int{a.Event}, "%s", s)
		}
	}
	if slices.ContainsFunc(t.Attempts(), func(a Attempt) bool { return a.Accepted && !a.leased }) {
		return holds(NoLateWrite, false, "no accepted write arrived after its writer’s lease had ended, but not every writer had had one")
	}
	return holds(NoLateWrite, false, "every accepted write arrived while its writer’s lease ran")
}

func (t *Trace) judgeStuck() Finding {
	for _, e := range t.Events {
		switch {
		case e.Kind == Stuck && e.Note != "":
			return violated(NobodyStuck, append(t.grantOf(e), e.Seq), "%s waits for ever for %q: %s", e.Actor, e.Key, e.Note)
		case e.Kind == Stuck:
			return violated(NobodyStuck, []int{e.Seq}, "%s waits for ever for the reply to its %s of %q", e.Actor, opNoun(e.Op), e.Key)
		}
	}
	return holds(NobodyStuck, false, "every operation returned, or its client was gone")
}

// grantOf returns the Seq of the grant that a client waits behind for ever; none of
// a trace that does not have it.
func (t *Trace) grantOf(stuck Event) (events []int) {
	for _, g := range t.Grants() {
		if g.Lock == stuck.Key && g.Client == stuck.Client {
			events = []int{g.Event}
		}
	}
	return events
}

// judgeFencing is about the tokens of accepted writes alone: they never go down,
// and no two clients write with the same one.
func (t *Trace) judgeFencing() Finding {
	highest := map[string]Attempt{}
	for _, a := range t.Attempts() {
		before, seen := highest[a.Key]
		switch {
		case !a.Accepted:
			continue
		case seen && a.Token < before.Token:
			f := violated(FencingSafe, []int{before.Event, a.Event}, "%q accepted token %d and then, at %s, token %d", a.Key, before.Token, Seconds(a.At), a.Token)
			f.idle = true // the stale write tells it better
			return f
		case seen && a.Token == before.Token && a.Client != before.Client:
			return violated(FencingSafe, []int{before.Event, a.Event}, "%s and %s both wrote %q %s", before.Client, a.Client, a.Key, withToken(a.Token))
		}
		highest[a.Key] = a
	}
	return holds(FencingSafe, true, "for every key the tokens of accepted writes only rose, each of one client")
}

func (t *Trace) judgeLost(across bool) Finding {
	property := map[bool]Property{true: NoLostUpdate, false: NoLostOwnUpdate}[across]
	idle := true
	for _, a := range t.Attempts() {
		if missed := t.missed(a, across); len(missed) > 0 {
			first := t.Events[missed[0]-1]
			return violated(property, append(missed, a.Event),
				"at %s %s wrote %q without having seen the change that %s made at %s", Seconds(a.At), a.Client, a.Key, first.Client, Seconds(first.At))
		}
	}
	for _, e := range t.Events {
		if e.Kind == Served || e.Kind == Claimed {
			idle = false
		}
	}
	whose := map[bool]string{true: "other grants", false: "its own grant"}[across]
	return holds(property, idle, "whoever wrote on top of what it had read had seen every change of %s", whose)
}

// missed returns those of the changes that a write missed which other grants had
// made, or its own.
func (t *Trace) missed(a Attempt, across bool) []int {
	return slices.DeleteFunc(slices.Clone(a.Missed), func(seq int) bool { return a.ofAnotherGrant(t.Events[seq-1]) != across })
}

func (t *Trace) judgeTwice() Finding {
	first := map[string]Event{}
	for _, e := range t.Events {
		if e.Kind != Did || e.Outcome != OK {
			continue
		}
		if before, done := first[e.Key]; done {
			return violated(NothingTwice, []int{before.Seq, e.Seq}, "%q was done by %s at %s and by %s at %s", e.Key, before.Actor, Seconds(before.At), e.Actor, Seconds(e.At))
		}
		first[e.Key] = e
	}
	return holds(NothingTwice, len(first) == 0, "%s on the world outside, each once", count(len(first), "effect"))
}

func (t *Trace) judgeInnocent() Finding {
	for _, a := range t.Attempts() {
		if !a.Accepted && a.leased && !a.Late && !a.overtaken && !a.conflicted() {
			return violated(NoInnocentFenced, []int{a.Event}, "at %s the storage rejected %s from %s, whose lease ran", Seconds(a.At), tokenOf(a), a.Client)
		}
	}
	for _, e := range t.Events {
		if e.Kind == Released && e.Note != "" {
			return violated(NoInnocentFenced, []int{e.Seq}, "at %s %s’s release freed the lock of %s, whose lease ran", Seconds(e.At), e.Note, e.Client)
		}
	}
	return holds(NoInnocentFenced, true, "nobody was rejected or lost its lock while its lease ran")
}

func violated(p Property, events []int, format string, args ...any) Finding {
	return Finding{Property: p, Status: Violated, Events: events, Sentence: fmt.Sprintf(format, args...)}
}

func holds(p Property, idle bool, format string, args ...any) Finding {
	return Finding{Property: p, Status: Holds, Sentence: fmt.Sprintf(format, args...), idle: idle}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// list joins names as a sentence does: "a", "a and b", "a, b and c".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
