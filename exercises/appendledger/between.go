package appendledger

import (
	"fmt"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// steps returns how many steps a call makes that nobody disturbs.
func (s *session) steps() int {
	s.append(s.worker, Entry{s.account(), s.cents()}, check.Tokens(s.random, 1)[0])
	return s.worker.Steps()
}

// everyStep runs the learner's call with its token in a new database for every
// one of its steps, and another holder's before that step. It returns the first
// finding that is one.
func (s *session) everyStep(mine, other int, judge func(run between) (check.Finding, bool)) (steps int, f check.Finding) {
	steps = s.steps()
	for step := range steps {
		s.renew()
		tokens, account := check.Tokens(s.random, 2), s.account()
		run := between{session: s, account: account, token: tokens[mine], other: tokens[other],
			entry: Entry{account, s.cents()}, others: Entry{account, s.cents()}}
		s.db.Interleave(s.worker, step,
			func() { run.err = s.append(s.worker, run.entry, run.token) },
			func() { run.letIn = s.another(run.others, run.other) })
		if f, bad := judge(run); bad {
			f.Tried = fmt.Sprintf("an entry for %q with token %d, and another holder’s with token %d while your function runs", account, run.token, run.other)
			f.Events = s.db.Events()
			return steps, f
		}
	}
	return steps, check.Finding{}
}

// between is what came of two holders' calls.
type between struct {
	*session
	account       string
	token, other  uint64
	entry, others Entry
	err           error
	letIn         bool // the other holder's entry is in
}

// last reports whether the learner's entry is the last one of the ledger.
func (b between) last() bool {
	return b.db.Number(`SELECT cents FROM entries WHERE account = ? ORDER BY number DESC LIMIT 1`, b.account) == b.entry.Cents
}

func newerInBetween(s *session) check.Finding {
	steps, f := s.everyStep(0, 1, func(b between) (check.Finding, bool) {
		const expected = "your entry is in the ledger before the newer holder’s, or not at all"
		in := b.count(b.entry) > 0
		got := fmt.Sprintf("your entry, with token %d, stands after that of token %d", b.token, b.other)
		switch fence := b.fence(b.account); {
		case in && b.last() && fence == b.token:
			return check.Fail("checked first, and written later", "", expected, got+fmt.Sprintf(", and the fence went down to %d", fence),
				"Between your look at the fence and your UPDATE the newer holder has committed. A SELECT knows what was true when it was made. Let the database compare at the moment it changes the row: the condition belongs into the UPDATE."), true
		case in && b.last():
			return check.Fail("the entry in another transaction", "", expected, got,
				"The fence was raised, and that was committed, before the entry was inserted. In between the row is unlocked, and the newer holder comes. Raise the fence and insert in one transaction, over the same tx."), true
		case in != (b.err == nil):
			return check.Fail("what is returned is not what is there", "", "nil if the entry is in the ledger, an error if it is not", fmt.Sprintf("your function returned %v, and the entry is there %d times", b.err, b.count(b.entry)),
				"The caller knows nothing but what you return."), true
		}
		return check.Finding{}, false
	})
	if f.State == check.Failed {
		return f
	}
	return check.Pass(fmt.Sprintf("a newer holder came in before each of the %d steps, and your entry never stood after its", steps))
}

func olderInBetween(s *session) check.Finding {
	steps, f := s.everyStep(1, 0, func(b between) (check.Finding, bool) {
		got, want := b.saved(b.entry)
		switch {
		case b.err != nil || b.count(b.entry) == 0:
			return check.Fail("the newest holder rejected", "", "your entry, with the higher token, is in the ledger", fmt.Sprintf("your function returned %v, and the entry is there %d times", b.err, b.count(b.entry)),
				"The fence was raised by an older holder while your function ran. It is still not above your token, so there is no reason to stop. Compare with the fence that is in the row, and not with one that you read before."), true
		case got != want:
			return check.Fail("read before the fence was raised", "", fmt.Sprintf("the balance of your entry is %d, with the other one’s %d in it", want, b.others.Cents), fmt.Sprintf("it is %d", got),
				"You read the balance, then the older holder appended, which nothing forbade yet, and then you raised the fence. Claim first: from the raised fence on, what you read stays as it is."), true
		}
		return check.Finding{}, false
	})
	if f.State == check.Failed {
		return f
	}
	return check.Pass(fmt.Sprintf("an older holder came in before each of the %d steps, and was in your balance or was rejected", steps))
}

// ledger is the learner's function in the simulator: a write to a key is an
// entry in an account.
type ledger struct {
	*session
	entries map[string]Entry // by the value that the client writes
}

func (l ledger) Write(key, value string, token uint64) error {
	e := Entry{key, l.cents()}
	l.entries[value] = e
	return l.append(l.worker, e, token)
}

func (l ledger) Read(string) string { return "" }

// client1 and client2 are the values that the clients of the preset write.
const (
	client1 = "from client 1"
	client2 = "from client 2"
)

func pausedClient(s *session) check.Finding {
	l := ledger{s, map[string]Entry{}}
	preset := fencing.GCPause()
	preset.Name = "GC pause, with your ledger"
	preset.Key = s.account()
	preset.FirstToken = check.Tokens(s.random, 1)[0]
	preset.Storage = l
	trace := preset.Run()
	if f, bad := check.RunFailed(trace); bad {
		return f
	}
	f := l.judge(trace)
	f.Tried = fmt.Sprintf("the GC pause: client 1 stands still past the end of its lease, client 2 appends with token %d, client 1 wakes and appends with token %d", preset.FirstToken+1, preset.FirstToken)
	f.Replay = append(check.Choices(preset.Faults), fmt.Sprintf("first token %d", preset.FirstToken))
	// A chart says of an accepted stale write that it overwrites, and a ledger's
	// does not: there the statements tell it.
	if f.State == check.Passed {
		f.Trace, f.Run = trace, "The timeline of your own code, under the GC pause:"
	}
	return f
}

func accepted(trace *fencing.Trace, value string) bool {
	for _, a := range trace.Attempts() {
		if a.Value == value {
			return a.Accepted
		}
	}
	return false
}

func (l ledger) judge(trace *fencing.Trace) check.Finding {
	if !accepted(trace, client2) {
		return check.Depends(firstCheck, "the first entry is not appended", "", "client 2’s entry is appended", "it is rejected", "It is what the first check speaks of.")
	}
	stale, fence := l.entries[client1], l.fence(l.entries[client1].Account)
	newest := trace.Attempts()[0].Token
	const expected = "client 1’s entry is rejected, and nothing of it is there"
	switch in, said := l.count(stale) > 0, accepted(trace, client1); {
	case in && said && fence < newest:
		return check.Fail("every token gets past", "", expected, fmt.Sprintf("it is in the ledger, and the fence went down from %d to %d", newest, fence),
			"The UPDATE changes the row whatever its fence is. Let it ask: WHERE id = ... AND fence <= the token.")
	case in && said:
		return check.Fail("no row is not noticed", "", expected, fmt.Sprintf("it is in the ledger; the fence is still %d", fence),
			"The row was not changed, and the database said so: an UPDATE that finds no row is no error, it reports 0 rows. Ask RowsAffected, and roll back if it is not 1.")
	case in:
		return check.Fail("rejected, and it stays", "", expected, "Append returned an error, and the entry is in the ledger",
			"What was inserted before the fence said no must go again: insert and fence belong into one transaction, which is rolled back.")
	case said:
		return check.Fail("a rejection that nobody hears of", "", expected, "nothing is appended, and Append returned nil",
			"The paused client takes its entry for appended, and goes on. Return fencing.ErrFenced when no row was changed.")
	case fence != newest:
		return check.Fail("a rejection moves the fence", "", expected, fmt.Sprintf("it is rejected, and the fence is %d after %d", fence, newest),
			"Whatever the rejected call has done must be rolled back, the fence included.")
	}
	return check.Pass("client 1 woke and appended, no row was changed, and nothing of it is there")
}
