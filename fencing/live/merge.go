package live

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"fencingtokens/fencing"
)

// grain is how finely the trace tells the time. The order of events is finer.
const grain = time.Millisecond

// origin says which part recorded an event, and as which of its own.
type origin struct {
	part string
	seq  int
}

// recorded is an event of the run on its way into the trace.
type recorded struct {
	fencing.Event
	origin
}

// merge puts the events of all parts into one order, that of the wall clock, which
// the parts share, and adds the ends of the leases that ran out.
func merge(streams map[string][]fencing.Event, truth []observation) []fencing.Event {
	var all []recorded
	for _, part := range slices.Sorted(maps.Keys(streams)) {
		for _, e := range streams[part] {
			all = append(all, recorded{e, origin{part, e.Seq}})
		}
	}
	slices.SortStableFunc(all, func(a, b recorded) int { return cmp.Compare(a.At, b.At) })
	all = releaseFirst(all)
	all = withEnds(all, truth)
	return link(all)
}

// releaseFirst moves a release before the next holder's grant. Each client stamps
// what the lock service did when it hears of it, and the next holder may hear
// first.
func releaseFirst(all []recorded) []recorded {
	called := map[string]int{} // client to the place where it called its last release
	for i, e := range all {
		switch {
		case e.Kind == fencing.Called && e.Op == fencing.OpRelease:
			called[e.Actor] = i
		case e.Kind == fencing.Released:
			from := called[e.Client]
			next := slices.IndexFunc(all[from:i], func(g recorded) bool { return isGrant(g, e.Key) && g.Client != e.Client })
			if next >= 0 {
				next += from
				e.At, e.Clock = all[next].At, all[next].At
				copy(all[next+1:i+1], all[next:i])
				all[next] = e
			}
		}
	}
	return all
}

func isGrant(e recorded, lock string) bool { return e.Kind == fencing.Granted && e.Key == lock }

// withEnds adds an Expired event for every lease that was not released and that
// the lock service no longer named.
func withEnds(all []recorded, truth []observation) []recorded {
	var ends []recorded
	for i, g := range all {
		if g.Kind != fencing.Granted || isReleased(all[i:], g) {
			continue
		}
		n := slices.IndexFunc(truth, func(o observation) bool { return o.at > g.At && o.lock == g.Key && o.client != g.Client })
		if n < 0 {
			continue
		}
		end := fencing.Event{At: truth[n].at, Actor: fencing.ActorLockService, Client: g.Client, Kind: fencing.Expired, Key: g.Key, Token: g.Token}
		// Whoever was granted the lock next may have heard before the run had looked.
		for _, next := range all[i+1:] {
			if isGrant(next, g.Key) {
				end.At = min(end.At, next.At)
				break
			}
		}
		end.Clock = end.At
		ends = append(ends, recorded{Event: end})
	}
	// The ends first, so that one stands before a grant of the same instant.
	all = append(ends, all...)
	slices.SortStableFunc(all, func(a, b recorded) int { return cmp.Compare(a.At, b.At) })
	return all
}

func isReleased(later []recorded, g recorded) bool {
	return slices.ContainsFunc(later, func(e recorded) bool {
		return e.Kind == fencing.Released && e.Key == g.Key && e.Client == g.Client && e.Token == g.Token
	})
}

// numbered is a call or a message by the number that its client gave it.
type numbered struct {
	client string
	number int
}

// link gives the events, calls and messages numbers of the run, says when each
// message arrived, and names the causes.
func link(all []recorded) []fencing.Event {
	events := make([]fencing.Event, len(all))
	seqs, calls, messages := map[origin]int{}, map[numbered]int{}, map[numbered]int{}
	sent, faulty := map[int]int{}, map[int]bool{} // message to the place where it was sent, and whether a fault has held it
	handled := map[numbered]int{}                 // call to the Seq of what the storage did last for it
	for i, r := range all {
		e := r.Event
		e.Seq = i + 1
		e.At, e.Clock, e.Until = e.At.Truncate(grain), e.Clock.Truncate(grain), e.Until.Truncate(grain)
		if r.seq > 0 { // the parts that are no clients number nothing
			e.Cause = seqs[origin{r.part, e.Cause}]
			seqs[r.origin] = e.Seq
		}
		owner := cmp.Or(e.Client, e.Actor)
		call := numbered{owner, e.Call}
		e.Call = renumber(calls, call)
		e.Msg = renumber(messages, numbered{owner, e.Msg})
		if e.Actor == fencing.ActorStorage {
			e.Cause = handled[call]
			handled[call] = e.Seq
		}
		switch from, found := sent[e.Msg]; {
		case e.Kind == fencing.Sent:
			sent[e.Msg] = i
		case e.Kind == fencing.Chosen:
			faulty[e.Msg] = true
			e.Msg = 0
		case (e.Kind == fencing.Arrived || e.Kind == fencing.Lost) && found:
			e.Cause = from + 1
			if faulty[e.Msg] {
				events[from].Until = e.At
			}
		}
		events[i] = e
	}
	return events
}

// renumber returns the run's number for a client's, 0 for 0.
func renumber(numbers map[numbered]int, n numbered) int {
	if n.number == 0 {
		return 0
	}
	if numbers[n] == 0 {
		numbers[n] = len(numbers) + 1
	}
	return numbers[n]
}
