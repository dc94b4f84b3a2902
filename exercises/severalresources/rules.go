package severalresources

import (
	"fmt"
	"slices"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// judgeQuiet judges a run without faults: all money must have moved, and all locks
// must have been given back.
func (r *ran) judgeQuiet() (check.Finding, bool) {
	if f, failed := r.judge(); failed {
		return f, true
	}
	accepted := r.accepted()
	for _, client := range r.world.clients {
		for i, job := range r.world.jobs[client] {
			expected := fmt.Sprintf("%s moves %d from %q to %q, and returns nil", client, job.Amount, job.From, job.To)
			switch d := accepted[client][i]; {
			case d.half():
				return r.Failed("one side of the transfer is missing", expected, "it wrote one of them and not the other", "A transfer takes from one account and gives to the other. Both values that job.Move returns have to be written.", r.Granted(client)), true
			case !d.from:
				return r.Failed("nothing is written", expected, fmt.Sprintf("its transfer no. %d wrote to neither (it returned %v)", i+1, r.returned[client]), "Write what job.Move returns: each value under its account. Or what job.MoveIn returns, under severalresources.Record.", r.Granted(client)), true
			}
		}
		if err := r.returned[client]; err != nil {
			return r.Failed("gives up although nothing is wrong", "it returns nil: the money has moved", fmt.Sprintf("%s returned %v", client, err), "An error says that the money may not have moved. Which of your calls returned it, and why do you pass it on?", r.Granted(client)), true
		}
	}
	for _, g := range r.Trace.Grants() {
		if g.Ended == fencing.Expired {
			return r.Failed("a lock is never given back", "the transfer releases every lock when it is done", fmt.Sprintf("%s keeps %q until the lease ends by itself, at %s", g.Client, g.Lock, fencing.Seconds(g.Until)),
				"Two locks, two releases. A lease that runs out is for a holder that died.", g.Event, g.End), true
		}
	}
	return check.Finding{}, false
}

// judge judges what must hold in every run.
func (r *ran) judge() (check.Finding, bool) {
	return check.FirstBroken(r.judgeRepeats, r.Bad, r.judgeTokens, r.judgeBalances)
}

// judgeRepeats looks for a client that asks again after it was refused.
func (r *ran) judgeRepeats() (check.Finding, bool) {
	for _, client := range r.world.clients {
		var refused fencing.Event
		for _, e := range r.Events(client, fencing.Rejected) {
			if refused.Seq > 0 && e.Op == refused.Op && e.Key == refused.Key && e.Token == refused.Token {
				return r.Failed("tries again with the token that was refused", "a client whose token is refused stops, with the error: a newer holder is at work", fmt.Sprintf("%s tried %q again with token %d", client, e.Key, e.Token),
					"The fence never goes down again, so that token will be refused for ever. Return the error.", refused.Seq, e.Seq), true
			}
			refused = e
		}
	}
	return check.Finding{}, false
}

// judgeTokens looks at the token of every claim and write. A key may be guarded by
// whichever lock, and always by the same one.
func (r *ran) judgeTokens() (check.Finding, bool) {
	guards := map[string][]fencing.Grant{} // by key: the grants that its first event may have been made under
	seen := map[string]fencing.Event{}
	for _, e := range r.Trace.Events {
		if !slices.Contains([]fencing.Kind{fencing.Claimed, fencing.Accepted, fencing.Rejected}, e.Kind) {
			continue
		}
		under := slices.DeleteFunc(r.Held(e), func(g fencing.Grant) bool { return g.Token != e.Token })
		if len(under) == 0 {
			return r.notGranted(e), true
		}
		if guards[e.Key] == nil {
			guards[e.Key], seen[e.Key] = under, e
			continue
		}
		same := func(g fencing.Grant) bool {
			return slices.ContainsFunc(guards[e.Key], func(h fencing.Grant) bool { return h.Lock == g.Lock })
		}
		if !slices.ContainsFunc(under, same) {
			return r.Failed("tokens of two locks meet at one key", "every key is sent the tokens of one lock, always the same",
				fmt.Sprintf("%q was sent token %d of the lock %q, and then token %d of the lock %q", e.Key, seen[e.Key].Token, guards[e.Key][0].Lock, e.Token, under[0].Lock),
				"Tokens count the grants of one lock. Those of two locks cannot be compared, and whichever has counted further shuts the other one’s holders out. Send each account the token of its own lock’s lease.", seen[e.Key].Seq, e.Seq), true
		}
	}
	return check.Finding{}, false
}

func (r *ran) notGranted(e fencing.Event) check.Finding {
	expected := "every claim and every write carries the token of a lease that the client got"
	got := fmt.Sprintf("%s sent token %d with its %s of %q", e.Client, e.Token, e.Op, e.Key)
	if e.Token == 0 {
		return r.Failed("no token", expected, got, "Without a token the storage cannot tell an old holder from a new one. Each lease has its token.", e.Seq)
	}
	return r.Failed("a token that the client was never granted", expected, got, "Do not compute with tokens, and do not ask for other people’s: a token is the proof of your own grant.", e.Seq)
}

// judgeBalances compares every account with what was accepted for it, and looks
// for the write that was made without having seen another.
func (r *ran) judgeBalances() (check.Finding, bool) {
	for _, account := range r.world.accounts {
		holds, due := r.holds(account), r.due(account)
		if holds == due {
			continue
		}
		expected := fmt.Sprintf("%q holds %d: the %d that it began with, and every change that was accepted", account, due, opening)
		got := fmt.Sprintf("it holds %d", holds)
		var last fencing.Attempt
		for _, a := range r.Trace.Attempts() {
			if !a.Accepted || a.Key != account && a.Key != Record {
				continue
			}
			if f, found := r.unseen(last, a, expected, got); found {
				return f, true
			}
			last = a
		}
		return r.Failed("a wrong balance", expected, got, "job.Move returns the new values of both accounts, first that of job.From. Compare in the timeline what was read with what was written.", last.Event), true
	}
	return check.Finding{}, false
}

// unseen finds out why a write was made without having seen the one before it.
func (r *ran) unseen(earlier, a fencing.Attempt, expected, got string) (check.Finding, bool) {
	read, claim := r.Looks(a)
	events := []int{read.Seq, earlier.Event, claim.Seq, a.Event}
	switch {
	case earlier.Event == 0 || earlier.Key != a.Key:
		return check.Finding{}, false
	case read.Seq == 0 && claim.Seq == 0:
		return r.Failed("writes without a look", expected, got, "Whoever writes without having looked writes over what was there. First get the value that the account holds.", events...), true
	case claim.Seq == 0 && read.Seq < earlier.Event:
		return r.Failed("reads in place of a claim", expected, got, "This is the hole, at the one account or at the other: a read tells the storage nothing of the new holder, and the old one’s write is still let in.", events...), true
	case read.Seq > 0 && read.Seq < earlier.Event && earlier.Event < claim.Seq:
		return r.Failed("claims after it has computed", expected, got, "The claim came, and what was written had been computed from an older value. Claim both accounts, and let job.Move compute from what the claims returned.", events...), true
	}
	return check.Finding{}, false
}

// judgeReturned compares what a client returned with what was accepted of its
// transfer.
func (r *ran) judgeReturned() (check.Finding, bool) {
	accepted := r.accepted()
	for _, client := range r.world.clients {
		err, returned := r.returned[client]
		d := accepted[client][0]
		if returned && err == nil && !(d.from && d.to) {
			last := r.Events(client, fencing.Accepted, fencing.Rejected, fencing.Claimed)
			return r.Failed("says that the money has moved, and it has not", "nil only if both accounts were changed; an error otherwise", client+" returned nil, and was refused at the storage",
				"Every call at the storage may be refused. Which error did you not look at?", last[len(last)-1].Seq), true
		}
	}
	return check.Finding{}, false
}
