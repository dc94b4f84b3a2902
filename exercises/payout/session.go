package payout

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/database"
)

// session is a database and a bank, which the learner's workers use.
type session struct {
	answer Answer
	random *rand.Rand
	db     *database.Database
	bank   *bank
	before map[string]int64 // balances, by account
	amount int64            // the last one drawn
}

// bank has paid what payments say. It is one for all workers.
type bank struct {
	payments []payment
	calls    int
}

type payment struct {
	key, account string
	cents        int64
}

// counter is where one worker calls the bank.
type counter struct {
	*bank
	worker *database.Worker
}

func (c counter) Pay(key, account string, cents int64) error {
	return c.worker.Step(func() error {
		said, err := c.pay(payment{key, account, cents})
		c.worker.Note("asks the bank to pay %d from %q, key %q: %s", cents, account, key, said)
		return err
	})
}

func (b *bank) pay(p payment) (said string, err error) {
	b.calls++
	for _, before := range b.payments {
		switch {
		case before == p:
			return "this key was paid before, nothing is paid", nil
		case before.key == p.key:
			err := errors.New("this key was used for another payout")
			return err.Error(), err
		}
	}
	b.payments = append(b.payments, p)
	return "it pays", nil
}

func newSession(answer Answer, seed uint64, number int) *session {
	s := &session{answer: answer, random: rand.New(rand.NewPCG(seed, uint64(number)))}
	s.renew()
	return s
}

// renew gives the session a new database, and a bank that has paid nothing.
func (s *session) renew() {
	if s.db != nil {
		s.db.Close()
	}
	s.db, s.bank, s.before = database.New(Schema), &bank{}, map[string]int64{}
}

func (s *session) worker(name string) *database.Worker { return s.db.Worker(name) }

// cents draws an amount that no other payout has.
func (s *session) cents() int64 {
	s.amount += 100 + s.random.Int64N(1000)
	return s.amount
}

// payout draws a payout from a new account.
func (s *session) payout() Payout {
	account := ""
	for account == "" || s.before[account] > 0 {
		account = fmt.Sprintf("account %d", 1000+s.random.IntN(9000))
	}
	s.before[account] = 1_000_000 + s.random.Int64N(1_000_000)
	if err := s.db.Exec(`INSERT INTO accounts (id, balance) VALUES (?, ?)`, account, s.before[account]); err != nil {
		panic(err)
	}
	return s.another(account)
}

// another draws a payout from an account that is there.
func (s *session) another(account string) Payout {
	cents := s.cents()
	return Payout{ID: fmt.Sprintf("payout %d", 100_000+cents), Account: account, Cents: cents}
}

// settle and send have a worker call the learner's functions.
func (s *session) settle(w *database.Worker, p Payout, token uint64) error {
	return w.Call(fmt.Sprintf("SettlePayout(%q, %q, %d, token %d)", p.ID, p.Account, p.Cents, token), func() error {
		return s.answer.Settle(w.DB, counter{s.bank, w}, p, token)
	})
}

func (s *session) send(w *database.Worker) error {
	return w.Call("SendPayouts", func() error { return s.answer.Send(w.DB, counter{s.bank, w}) })
}

// tries is how often whoever is responsible calls before it gives up.
const tries = 3

// until calls until it is told nil.
func until(call func() error) (err error) {
	for range tries {
		if err = call(); err == nil {
			return nil
		}
	}
	return err
}

// paid returns how often the payout was paid.
func (s *session) paid(p Payout) (n int) {
	for _, q := range s.bank.payments {
		if q.account == p.Account && q.cents == p.Cents {
			n++
		}
	}
	return n
}

// taken returns what the account's balance has lost.
func (s *session) taken(account string) int64 {
	return s.before[account] - s.db.Number(`SELECT balance FROM accounts WHERE id = ?`, account)
}

func (s *session) fence(account string) uint64 {
	return uint64(s.db.Number(`SELECT fence FROM accounts WHERE id = ?`, account))
}

// state says what became of a payout.
func (s *session) state(p Payout) string {
	return fmt.Sprintf("%s, and %d taken from the balance", times(s.paid(p)), s.taken(p.Account))
}

// once is what every payout must come to.
func once(p Payout) string {
	return fmt.Sprintf("paid once, and %d taken from the balance", p.Cents)
}

// times says how often something was paid.
func times(n int) string {
	switch n {
	case 0:
		return "not paid"
	case 1:
		return "paid once"
	}
	return fmt.Sprintf("paid %d times", n)
}

// done reports whether the account's one payout has come to what it must.
func (s *session) done(p Payout) bool { return s.paid(p) == 1 && s.taken(p.Account) == p.Cents }

// makes has a payout settled and sent, which a check begins with.
func (s *session) makes(p Payout, token uint64) (f check.Finding, ok bool) {
	err := s.settle(s.worker("worker 1"), p, token)
	sent := s.send(s.worker("sender 1"))
	if err != nil || sent != nil || !s.done(p) {
		return check.Depends(firstCheck, "the first payout is not made", fmt.Sprintf("a first payout, %q", p.ID), once(p),
			fmt.Sprintf("the calls returned %v and %v: %s", err, sent, s.state(p)), "It is what the first check speaks of."), false
	}
	return check.Finding{}, true
}

// asked returns the events at the bank, and those of the settlements it pays for.
func (s *session) asked() (lines []string) {
	for _, e := range s.db.Events() {
		if strings.Contains(e, " calls SettlePayout(") || strings.Contains(e, " asks the bank ") {
			lines = append(lines, e)
		}
	}
	return lines
}
