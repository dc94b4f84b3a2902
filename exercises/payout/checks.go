package payout

import (
	"errors"
	"fmt"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/database"
	"fencingtokens/fencing"
)

func firstPayout(s *session) check.Finding {
	p, token := s.payout(), check.Tokens(s.random, 1)[0]
	worker, sender := s.worker("worker 1"), s.worker("sender 1")
	err := s.settle(worker, p, token)
	tried := fmt.Sprintf("a payout of %d from %q, settled with token %d, and then sent", p.Cents, p.Account, token)
	if err != nil {
		return check.Fail("the settlement fails", tried, "SettlePayout returns nil", "it returned an error: "+err.Error(),
			"Nobody has been there before. Look at the last statement above, and at its error.")
	}
	if err := s.send(sender); err != nil {
		return check.Fail("sending fails", tried, "SendPayouts returns nil", "it returned an error: "+err.Error(),
			"The bank answers, and there is one payout to send. Look at the last step above, and at its error.")
	}
	switch {
	case worker.Leaked || sender.Leaked:
		return check.Fail("a transaction stays open", tried, "after each call no connection is in use any more", "after one of them one is",
			"A transaction that is neither committed nor rolled back keeps its locks, and rows that are not closed keep their connection. defer tx.Rollback() right after Begin, and defer rows.Close() right after Query.")
	case s.paid(p) == 0:
		return check.Fail("nothing is paid", tried, once(p), s.state(p), "SettlePayout leaves a row in the outbox, and SendPayouts asks the bank for every row that is not sent. Which of the two is missing?")
	case !s.done(p) || len(s.bank.payments) > 1:
		return check.Fail("another payout", tried, once(p), s.state(p), "The bank pays the payout’s cents, once, and the account’s balance goes down by them, once.")
	case s.fence(p.Account) != token:
		return check.Fail("the fence is not raised", tried, fmt.Sprintf("the account’s fence is %d afterwards", token), fmt.Sprintf("it is %d", s.fence(p.Account)),
			"The balance is data in the storage, and is fenced as in the exercise of the ledger: first the conditional UPDATE that raises the account’s fence.")
	}
	return check.Pass("the balance went down, the fence was raised, and the bank paid")
}

func notSentAgain(s *session) check.Finding {
	p := s.payout()
	if f, ok := s.makes(p, check.Tokens(s.random, 1)[0]); !ok {
		return f
	}
	before := s.bank.calls
	if err := s.send(s.worker("sender 2")); err != nil || s.bank.calls > before {
		return check.Fail("never marked as sent", "SendPayouts, when everything has been sent", "it returns nil and asks the bank for nothing",
			fmt.Sprintf("it returned %v, and the bank was asked %d times", err, s.bank.calls-before),
			"The key keeps the bank from paying again, and still the outbox grows, and every sender sends all of it. Mark the row when the bank has said nil.")
	}
	return check.Pass("a row that is marked is not sent any more")
}

func settledTwice(s *session) check.Finding {
	p, token := s.payout(), check.Tokens(s.random, 1)[0]
	if f, ok := s.makes(p, token); !ok {
		return f
	}
	err := s.settle(s.worker("worker 1"), p, token)
	sent := s.send(s.worker("sender 1"))
	tried := fmt.Sprintf("%q is settled and sent, and both once more, by a holder who does not know that it is done", p.ID)
	got := fmt.Sprintf("the calls returned %v and %v: %s", err, sent, s.state(p))
	switch {
	case s.paid(p) > 1:
		return check.Fail("paid twice", tried, once(p), got, "The bank was asked with two keys for one payout. What both tries have in common is the payout’s ID.")
	case !s.done(p):
		return check.Fail("the balance goes down twice", tried, once(p), got,
			"The second call found the payout in the outbox, and went on. If its row is there already, nothing is left to do, neither in the outbox nor in the balance.")
	case err != nil || sent != nil:
		return check.Fail("done, and reported as failed", tried, "nil from both", got,
			"It is settled, and whoever calls is told that it is not, and calls again, for ever. The payout’s row being there already is success.")
	}
	return check.Pass("the second call found it done")
}

func severalPayouts(s *session) check.Finding {
	one, other := s.payout(), s.payout()
	tokens := check.Tokens(s.random, 2)
	second, third := s.another(one.Account), s.another(one.Account)
	w := s.worker("worker 1")
	for _, call := range []struct {
		p     Payout
		token uint64
	}{{one, tokens[0]}, {second, tokens[0]}, {other, tokens[0]}, {third, tokens[1]}} {
		if err := s.settle(w, call.p, call.token); err != nil {
			return check.Fail("a payout in order is rejected", fmt.Sprintf("four payouts, three of them from %q", one.Account), "all are settled", fmt.Sprintf("%q returned an error: %v", call.p.ID, err),
				"The holder may write again with its token, and a newer one with a higher token. What did the call before leave that is in the way?")
		}
	}
	err := until(func() error { return s.send(s.worker("sender 1")) })
	for _, p := range []Payout{one, second, other, third} {
		if n := s.paid(p); n != 1 {
			f := check.Fail("one key for several payouts", fmt.Sprintf("four payouts, three of them from %q, and three settled with token %d", one.Account, tokens[0]), "each is paid once",
				fmt.Sprintf("%q was %s; SendPayouts returned %v", p.ID, times(n), err),
				"To the bank two payouts with one key are one. An account and a holder’s token stand for many payouts: which of a payout’s fields stands for it alone?")
			f.Events = s.asked()
			return f
		}
	}
	if got, want := s.taken(one.Account), one.Cents+second.Cents+third.Cents; got != want || s.taken(other.Account) != other.Cents {
		return check.Fail("another balance", fmt.Sprintf("three payouts from %q and one from %q", one.Account, other.Account), fmt.Sprintf("%d and %d are taken", want, other.Cents),
			fmt.Sprintf("%d and %d are", got, s.taken(other.Account)), "Which rows does your UPDATE of the balance change, and by how much?")
	}
	return check.Pass("four payouts have four keys")
}

func oldHolder(s *session) check.Finding {
	first, tokens := s.payout(), check.Tokens(s.random, 2)
	if f, ok := s.makes(first, tokens[1]); !ok {
		return f
	}
	p := s.another(first.Account)
	err := s.settle(s.worker("worker 2"), p, tokens[0])
	s.send(s.worker("sender 1"))
	tried := fmt.Sprintf("a payout from %q with token %d, after one with token %d", p.Account, tokens[0], tokens[1])
	const expected = "SettlePayout returns an error for which errors.Is(err, fencing.ErrFenced) is true, and nothing is paid or taken"
	got := fmt.Sprintf("it returned %v; %q was %s", err, p.ID, times(s.paid(p)))
	switch {
	case s.paid(p) > 0 && err != nil:
		return check.Fail("paid, and then rejected", tried, expected, got,
			"The money is gone, and nobody takes it back. Nothing may leave the storage, and nothing may stand in the outbox, before the fence has let you in.")
	case s.paid(p) > 0 || s.taken(p.Account) != first.Cents:
		return check.Fail("an old holder is let in", tried, expected, got,
			"The UPDATE of the fence is the question, and its number of rows the answer: no row means roll back and return fencing.ErrFenced.")
	case !errors.Is(err, fencing.ErrFenced):
		return check.Fail("another error", tried, expected, got, "A worker must be able to tell this rejection from a lost connection: on ErrFenced it stops. Return it, or wrap it with fmt.Errorf and %w.")
	}
	return check.Pass("an old holder left nothing to pay")
}

// faults are what breaks at every step; the crash comes first.
var faults = []struct {
	fault database.Fault
	name  string
}{
	{database.Crash, "the worker crashes before step %d"},
	{database.CutBefore, "the connection breaks before step %d"},
	{database.CutAfter, "step %d is done and its reply lost"},
}

// everyFault runs a case in a new database and bank for every fault at every one
// of the steps, and returns the first finding that one makes.
func (s *session) everyFault(steps int, run func(step int, fault database.Fault) check.Finding) check.Finding {
	for _, broken := range faults {
		for step := range steps {
			s.renew()
			if f := run(step, broken.fault); f.State == check.Failed {
				f.Tried += fmt.Sprintf("; "+broken.name, step+1)
				return f
			}
		}
	}
	return check.Finding{}
}

// finished says what is wrong when everybody has called until told nil.
func (s *session) finished(p Payout, err error) (f check.Finding, bad bool) {
	switch {
	case err != nil:
		return check.Fail("it never comes to an end", "", fmt.Sprintf("nil within %d calls", tries), "the last of them returned an error: "+err.Error(),
			"The calls before have left something that your functions do not get out of. What do they find, and what should they make of it?"), true
	case s.done(p):
		return check.Finding{}, false
	case s.paid(p) == 0:
		return check.Fail("a payout is lost", "", once(p), s.state(p),
			"It is settled, everybody was told nil, and the bank was never asked. A worker can end between any two steps: what is still to be paid must be committed together with the settlement, as a row that a sender finds."), true
	case s.paid(p) > 1:
		return check.Fail("a new key with every try", "", once(p), s.state(p)+s.keys(),
			"Whoever tries again does not know whether the bank was asked before. The bank knows it by the key, if the key is the same. Take it from the payout, and not from the clock, from chance, or from the worker that tries."), true
	}
	return check.Fail("half of it is done", "", once(p), s.state(p),
		"The row in the outbox and the balance were not committed together. A worker can end between any two commits: let there be one."), true
}

func (s *session) keys() string {
	text := ", with the keys"
	for _, p := range s.bank.payments {
		text += fmt.Sprintf(" %q", p.key)
	}
	return text
}

func brokenSettlement(s *session) check.Finding {
	w := s.worker("worker 1")
	s.settle(w, s.payout(), check.Tokens(s.random, 1)[0])
	steps := w.Steps()
	f := s.everyFault(steps, func(step int, fault database.Fault) check.Finding {
		p, token := s.payout(), check.Tokens(s.random, 1)[0]
		one := s.worker("worker 1")
		one.Strike(step, fault)
		s.settle(one, p, token)
		tried := fmt.Sprintf("%q is settled", p.ID)
		if s.paid(p) > 0 && s.taken(p.Account) == 0 {
			return check.Fail("paid, and the books know nothing of it", tried, "nothing is paid before the settlement is committed", s.state(p),
				"The transaction was rolled back, and the bank does not roll back. If the next holder decides otherwise, the money is still gone. Pay after the commit, and let somebody else do it: then a crash in between is no loss.")
		}
		err := until(func() error { return s.settle(s.worker("worker 2"), p, token) })
		if err == nil {
			err = until(func() error { return s.send(s.worker("sender 1")) })
		}
		f, _ := s.finished(p, err)
		f.Tried = tried + ", and everybody calls again until told nil"
		return f
	})
	if f.State == check.Failed {
		return f
	}
	return check.Pass(fmt.Sprintf("each of the %d steps broke in three ways, and the bank paid once", steps))
}

// sending settles a payout and lets its sender break.
func (s *session) sending(step int, fault database.Fault) (p Payout, tokens []uint64) {
	p, tokens = s.payout(), check.Tokens(s.random, 2)
	s.settle(s.worker("worker 1"), p, tokens[0])
	sender := s.worker("sender 1")
	sender.Strike(step, fault)
	s.send(sender)
	return p, tokens
}

// sendSteps returns how many steps it takes to send one payout.
func (s *session) sendSteps() int {
	s.settle(s.worker("worker 1"), s.payout(), check.Tokens(s.random, 1)[0])
	w := s.worker("sender 1")
	s.send(w)
	return w.Steps()
}

func brokenSender(s *session) check.Finding {
	steps := s.sendSteps()
	f := s.everyFault(steps, func(step int, fault database.Fault) check.Finding {
		p, _ := s.sending(step, fault)
		err := until(func() error { return s.send(s.worker("sender 2")) })
		f, bad := s.finished(p, err)
		switch {
		case !bad || err != nil || s.paid(p) > 0:
		case fault == database.Crash:
			f.Mistake = "marked before it was sent"
			f.Think = "The row said that it was sent, and it was not: the sender crashed in between, and nobody looks at it again. First the bank, then the mark. A crash in between sends it once more, and the key makes that harmless."
		default:
			f.Mistake = "marked in spite of an error"
			f.Think = "The bank did not say that it has paid, and the row was marked all the same. An error means that nobody knows: leave the row as it is, and let it be sent again."
		}
		f.Tried = fmt.Sprintf("%q is settled, and sent by senders who call again until told nil", p.ID)
		return f
	})
	if f.State == check.Failed {
		return f
	}
	return check.Pass(fmt.Sprintf("each of the %d steps broke in three ways, and the next sender left it paid once", steps))
}

func nextHolder(s *session) check.Finding {
	steps := s.sendSteps()
	f := s.everyFault(steps, func(step int, fault database.Fault) check.Finding {
		p, tokens := s.sending(step, fault)
		err := until(func() error { return s.settle(s.worker("worker 2"), p, tokens[1]) })
		if err == nil {
			err = until(func() error { return s.send(s.worker("sender 2")) })
		}
		f, bad := s.finished(p, err)
		if bad && s.paid(p) > 1 {
			f.Mistake = "a key for every holder"
			f.Think = "The next holder has another token, and has put another key into the outbox, for a payout that the bank may have made. The key belongs to the payout: whoever settles it again leaves the row as it is."
		}
		f.Tried = fmt.Sprintf("%q is settled with token %d, and a sender breaks off; then the next holder settles it with token %d, and it is sent", p.ID, tokens[0], tokens[1])
		return f
	})
	if f.State == check.Failed {
		return f
	}
	return check.Pass("the next holder settled it again, and the bank knew the key")
}
