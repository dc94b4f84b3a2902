package appendledger

import (
	"errors"
	"fmt"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

const (
	firstRefused = "No newer holder has been there: the account’s fence is 0. Look at the statement and the error above."
	appended     = "the entry is in the ledger, with the balance after it, and Append returns nil"
)

func firstEntry(s *session) check.Finding {
	e, token := Entry{s.account(), s.cents()}, check.Tokens(s.random, 1)[0]
	before, all := s.balance(e.Account), s.db.Number(`SELECT sum(cents) FROM entries`)
	err := s.append(s.worker, e, token)
	tried := fmt.Sprintf("the first entry for %q with a token, %d", e.Account, token)
	if err != nil {
		return s.whyNotFirst(tried, err)
	}
	switch n := s.count(e); {
	case n == 0:
		return check.Fail("nothing is appended", tried, appended, "it returned nil, and the entry is not there",
			"Nothing that a transaction does is there before its commit. Return nil only when the entry is committed.")
	case n > 1:
		return check.Fail("appended more than once", tried, appended, fmt.Sprintf("it is there %d times", n), "One call appends one entry.")
	}
	got, want := s.saved(e)
	switch {
	case got == want:
	case got == all+e.Cents:
		return check.Fail("the balance of all accounts", tried, appended, fmt.Sprintf("its balance is %d, and should be %d", got, want),
			"Every account has a ledger of its own. Which rows does your query add up?")
	default:
		return check.Fail("another balance", tried, appended, fmt.Sprintf("its balance is %d, and should be %d", got, want),
			fmt.Sprintf("The account had %d before this entry of %d. The balance after it is both together.", before, e.Cents))
	}
	if fence := s.fence(e.Account); fence != token {
		return check.Fail("the fence is not raised", tried, fmt.Sprintf("the account’s fence is %d afterwards", token), fmt.Sprintf("it is %d", fence),
			"The storage must remember the highest token that it has accepted. Who will tell the old holder’s entry from a new one’s, if nothing is written down?")
	}
	return check.Pass("the entry, its balance and the fence are there together")
}

// whyNotFirst tries out on new accounts for what fence the token gets past.
func (s *session) whyNotFirst(tried string, err error) check.Finding {
	got := "it returned an error: " + err.Error()
	events := s.db.Events()
	past := func(fence, token uint64) bool {
		a := s.account()
		s.exec(`UPDATE accounts SET fence = ? WHERE id = ?`, fence, a)
		return s.append(s.worker, Entry{a, s.cents()}, token) == nil
	}
	f := check.Fail("the first entry is rejected", tried, appended, got, firstRefused)
	switch token := check.Tokens(s.random, 1)[0]; {
	case past(token, token):
		f.Mistake = "only an equal token passes"
		f.Think = "A test for equality lets in nobody but the one who was there before. Which comparison rejects what is lower and nothing else?"
	case past(token+100, token):
		f.Mistake = "compared the wrong way round"
		f.Think = "A token that is lower than the fence gets past, and a higher one does not. Read the condition aloud: the row is changed if its fence is ... the token."
	}
	f.Events = events
	return f
}

// appends has an account with an entry that came with the token.
func (s *session) appends(account string, token uint64) (f check.Finding, ok bool) {
	e := Entry{account, s.cents()}
	if err := s.append(s.worker, e, token); err != nil || s.count(e) != 1 {
		return check.Depends(firstCheck, "the first entry is not appended", fmt.Sprintf("a first entry for %q with token %d", account, token), appended,
			fmt.Sprintf("it returned %v, and the entry is there %d times", err, s.count(e)), "It is what the first check speaks of."), false
	}
	return check.Finding{}, true
}

func holderAgain(s *session) check.Finding {
	account, token := s.account(), check.Tokens(s.random, 1)[0]
	if f, ok := s.appends(account, token); !ok {
		return f
	}
	e := Entry{account, s.cents()}
	err := s.append(s.worker, e, token)
	tried := fmt.Sprintf("two entries for %q with token %d, by the one holder of that lease", account, token)
	switch got, want := s.saved(e); {
	case err != nil:
		return check.Fail("an equal token rejected", tried, "both are appended", "the second was rejected: "+err.Error(),
			"One grant, one token: the holder’s second entry brings the same number again. A condition that asks for a lower fence refuses the holder itself.")
	case s.count(e) == 0:
		return check.Fail("the second entry is not appended", tried, "both are appended", "it returned nil, and the second is not there",
			"The second entry is an entry like any other. What becomes of it in your code?")
	case got != want:
		return check.Fail("the second balance is not right", tried, appended, fmt.Sprintf("the second entry’s balance is %d, and should be %d", got, want),
			"The balance after the second entry has the first one in it. What did your query add up, or which row did it take?")
	}
	return check.Pass("an equal token is the same grant, so the holder’s second entry is appended")
}

func newerHolder(s *session) check.Finding {
	account, tokens := s.account(), check.Tokens(s.random, 2)
	if f, ok := s.appends(account, tokens[0]); !ok {
		return f
	}
	e := Entry{account, s.cents()}
	err := s.append(s.worker, e, tokens[1])
	tried := fmt.Sprintf("an entry for %q with token %d, and one with token %d", account, tokens[0], tokens[1])
	switch {
	case err != nil:
		return check.Fail("a higher token rejected", tried, "both are appended", "the second was rejected: "+err.Error(),
			"Whoever holds the lock now has a higher token, by however much: not every grant leads to an entry. Your condition locks every later holder out.")
	case s.count(e) == 0 || s.fence(account) != tokens[1]:
		return check.Fail("a higher token is not taken over", tried, fmt.Sprintf("both entries are there, and the fence is %d", tokens[1]),
			fmt.Sprintf("the second entry is there %d times, and the fence is %d", s.count(e), s.fence(account)),
			"An entry that is let in raises the fence to its token. Else the holder before it is still let in.")
	}
	return check.Pass("a higher token is let in, and is the fence from then on")
}

func nothingOpen(s *session) check.Finding {
	account, tokens := s.account(), check.Tokens(s.random, 2)
	for _, call := range []struct {
		what    string
		account string
		token   uint64
	}{
		{"an entry that is let in", account, tokens[1]},
		{"one with a token that is too low", account, tokens[0]},
		{"one for an account that is not there", "no such account", tokens[1]},
	} {
		s.append(s.worker, Entry{call.account, s.cents()}, call.token)
		if s.worker.Leaked {
			return check.Fail("a transaction stays open", "three calls: an entry that is let in, one with a token that is too low, one for an account that is not there", "after each of them no connection is in use any more",
				"after "+call.what+" one is",
				"A transaction that is neither committed nor rolled back keeps its locks, and nobody else can append. defer tx.Rollback() right after Begin is enough for every way out: after a commit it does nothing.")
		}
	}
	return check.Pass("every transaction was committed or rolled back")
}

func saysFenced(s *session) check.Finding {
	account, tokens := s.account(), check.Tokens(s.random, 2)
	if f, ok := s.appends(account, tokens[1]); !ok {
		return f
	}
	err := s.append(s.worker, Entry{account, s.cents()}, tokens[0])
	if !errors.Is(err, fencing.ErrFenced) {
		return check.Fail("another error", fmt.Sprintf("an entry for %q with token %d, after one with %d", account, tokens[0], tokens[1]),
			"an error for which errors.Is(err, fencing.ErrFenced) is true", fmt.Sprintf("it returned %v", err),
			"A worker must be able to tell this rejection from a lost connection: on ErrFenced it stops, and does not try again. Return fencing.ErrFenced, or wrap it with fmt.Errorf and %w.")
	}
	return check.Pass("a worker learns that a newer holder is at work, and stops")
}

func noAccount(s *session) check.Finding {
	e := Entry{fmt.Sprintf("account %d", 100+s.random.IntN(900)), s.cents()}
	err := s.append(s.worker, e, check.Tokens(s.random, 1)[0])
	if n := s.count(e); err == nil || n > 0 {
		return check.Fail("a missing row taken for success", fmt.Sprintf("an entry for %q, which has no row in accounts", e.Account), "an error, and no entry",
			fmt.Sprintf("it returned %v, and the entry is there %d times", err, n),
			"Where there is no row, no row refuses anything. An entry is let in by one row that was changed, and by nothing else; opening accounts is somebody else’s business.")
	}
	return check.Pass("no row was changed, so nothing was appended")
}

func fencePerAccount(s *session) check.Finding {
	one, other, tokens := s.account(), s.account(), check.Tokens(s.random, 2)
	if f, ok := s.appends(one, tokens[1]); !ok {
		return f
	}
	e := Entry{other, s.cents()}
	if err := s.append(s.worker, e, tokens[0]); err != nil || s.count(e) != 1 {
		return check.Fail("one fence for all accounts", fmt.Sprintf("an entry for %q with token %d, then one for %q with token %d", one, tokens[1], other, tokens[0]), "both are appended: they are two locks",
			fmt.Sprintf("the second call returned %v, and its entry is there %d times", err, s.count(e)),
			"Tokens count per lock, and every account has its own. Which rows does your UPDATE change?")
	}
	return check.Pass("the token of one account’s lock says nothing about another account")
}
