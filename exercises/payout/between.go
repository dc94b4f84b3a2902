package payout

import (
	"fmt"

	"fencingtokens/exercises/internal/check"
)

// between is what came of two holders' payouts from one account, when the other
// one came in before a step of the learner's.
type between struct {
	*session
	mine, others   Payout
	token, other   uint64
	err, othersErr error
	settledByThen  bool // mine, when the other holder came
}

// everyStep settles a payout with the first or the second of two tokens, and
// another holder's with the other one before each of the steps. It returns the
// first finding that is one.
func (s *session) everyStep(mine, other int, judge func(between) (check.Finding, bool)) (steps int, f check.Finding) {
	w := s.worker("worker 1")
	s.settle(w, s.payout(), check.Tokens(s.random, 1)[0])
	steps = w.Steps()
	for step := range steps {
		s.renew()
		tokens := check.Tokens(s.random, 2)
		b := between{session: s, mine: s.payout(), token: tokens[mine], other: tokens[other]}
		b.others = s.another(b.mine.Account)
		one, two := s.worker("worker 1"), s.worker("worker 2")
		s.db.Interleave(one, step,
			func() { b.err = s.settle(one, b.mine, b.token) },
			func() {
				b.settledByThen = s.taken(b.mine.Account) > 0
				b.othersErr = s.settle(two, b.others, b.other)
			})
		until(func() error { return s.send(s.worker("sender 1")) })
		if f, bad := judge(b); bad {
			f.Tried = fmt.Sprintf("%q is settled with token %d, and %q with token %d by another holder, which comes in before step %d", b.mine.ID, b.token, b.others.ID, b.other, step+1)
			return steps, f
		}
	}
	return steps, check.Finding{}
}

// books says what is wrong when what the two holders were told is compared with
// what was paid and taken.
func (b between) books() (check.Finding, bool) {
	want, paid := int64(0), true
	for _, call := range []struct {
		p   Payout
		err error
	}{{b.mine, b.err}, {b.others, b.othersErr}} {
		n := 0
		if call.err == nil {
			n, want = 1, want+call.p.Cents
		}
		paid = paid && b.paid(call.p) == n
	}
	if paid && b.taken(b.mine.Account) == want {
		return check.Finding{}, false
	}
	return check.Fail("the balance was read before the fence was raised", "", fmt.Sprintf("what was settled is paid once, and %d taken from the balance", want),
		fmt.Sprintf("%q was %s, %q was %s, and %d taken", b.mine.ID, times(b.paid(b.mine)), b.others.ID, times(b.paid(b.others)), b.taken(b.mine.Account)),
		"What you write was computed from a balance that another holder has changed since you read it. Raise the fence before you read, or let the UPDATE compute: balance = balance - ..."), true
}

func newerInBetween(s *session) check.Finding {
	steps, f := s.everyStep(0, 1, func(b between) (check.Finding, bool) {
		const expected = "your payout is settled before the newer holder’s, or not at all"
		got := fmt.Sprintf("with token %d it was settled after that of token %d", b.token, b.other)
		switch late, fence := b.err == nil && !b.settledByThen, b.fence(b.mine.Account); {
		case late && fence == b.token:
			return check.Fail("checked first, and written later", "", expected, fmt.Sprintf("%s, and the fence went down to %d", got, fence),
				"Between your look at the fence and your UPDATE the newer holder has committed. The condition belongs into the UPDATE, as in the ledger."), true
		case late:
			return check.Fail("the payout in another transaction", "", expected, got,
				"The fence was raised, and that was committed, before the payout was written. In between the newer holder came, and the fence was not asked again. Both belong into one transaction."), true
		}
		return b.books()
	})
	if f.State == check.Failed {
		return f
	}
	return check.Pass(fmt.Sprintf("a newer holder came in before each of the %d steps, and your payout never came after its", steps))
}

func olderInBetween(s *session) check.Finding {
	steps, f := s.everyStep(1, 0, func(b between) (check.Finding, bool) {
		if b.err != nil {
			return check.Fail("the newest holder rejected", "", "your payout, with the higher token, is settled", fmt.Sprintf("your function returned %v", b.err),
				"An older holder has raised the fence while your function ran. It is still not above your token: compare with the fence that is in the row, and not with one that you read before."), true
		}
		return b.books()
	})
	if f.State == check.Failed {
		return f
	}
	return check.Pass(fmt.Sprintf("an older holder came in before each of the %d steps, and no cent was lost", steps))
}
