package appendledger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"fencingtokens/exercises/internal/database"
)

// session is a database with some ledgers in it, and a worker that runs the
// learner's function.
type session struct {
	appendEntry Answer
	random      *rand.Rand
	db          *database.Database
	worker      *database.Worker
	accounts    []string // not used yet
	amount      int64    // the last one drawn
}

func newSession(appendEntry Answer, seed uint64, number int) *session {
	s := &session{appendEntry: appendEntry, random: rand.New(rand.NewPCG(seed, uint64(number)))}
	s.renew()
	return s
}

// renew gives the session a new database with new accounts, each with two entries
// from before anybody had a token.
func (s *session) renew() {
	if s.db != nil {
		s.db.Close()
	}
	s.accounts = nil
	var accounts, entries []string
	for len(s.accounts) < 4 {
		account := fmt.Sprintf("account %d", 1000+s.random.IntN(9000))
		if slices.Contains(s.accounts, account) {
			continue
		}
		s.accounts = append(s.accounts, account)
		first, second := s.cents(), s.cents()
		accounts = append(accounts, fmt.Sprintf("('%s')", account))
		entries = append(entries, fmt.Sprintf("('%[1]s', %[2]d, %[2]d), ('%[1]s', %[3]d, %[4]d)", account, first, second, first+second))
	}
	s.db = database.New(Schema + `
		INSERT INTO accounts (id) VALUES ` + strings.Join(accounts, ", ") + `;
		INSERT INTO entries (account, cents, balance) VALUES ` + strings.Join(entries, ", "))
	s.worker = s.db.Worker("your worker")
}

// exec runs a statement of the exercise's own.
func (s *session) exec(statement string, args ...any) {
	if err := s.db.Exec(statement, args...); err != nil {
		panic(err)
	}
}

// insert adds an entry with the balance that it must have.
func (s *session) insert(e Entry) {
	s.exec(`INSERT INTO entries (account, cents, balance) VALUES (?, ?, ?)`, e.Account, e.Cents, s.balance(e.Account)+e.Cents)
}

// account returns an account that the session has not used.
func (s *session) account() string {
	a := s.accounts[0]
	s.accounts = s.accounts[1:]
	return a
}

// cents draws an amount that no other entry has.
func (s *session) cents() int64 {
	s.amount += 100 + s.random.Int64N(10_000)
	return s.amount
}

// append has a worker call the learner's function.
func (s *session) append(w *database.Worker, e Entry, token uint64) error {
	return w.Call(fmt.Sprintf("Append(%q, %d, token %d)", e.Account, e.Cents, token), func() error {
		return s.appendEntry(w.DB, e, token)
	})
}

// another appends an entry as another holder does, and reports whether it was
// let in. Nobody comes in between.
func (s *session) another(e Entry, token uint64) bool {
	if s.fence(e.Account) > token {
		s.db.Note("another worker, with token %d, is rejected", token)
		return false
	}
	s.exec(`UPDATE accounts SET fence = ? WHERE id = ?`, token, e.Account)
	s.insert(e)
	s.db.Note("another worker, with token %d, appends %d to %q: the balance is %d", token, e.Cents, e.Account, s.balance(e.Account))
	return true
}

func (s *session) fence(account string) uint64 {
	return uint64(s.db.Number(`SELECT fence FROM accounts WHERE id = ?`, account))
}

// balance adds up what the account's entries say.
func (s *session) balance(account string) int64 {
	return s.db.Number(`SELECT coalesce(sum(cents), 0) FROM entries WHERE account = ?`, account)
}

// count returns how often the entry is in the ledger.
func (s *session) count(e Entry) int64 {
	return s.db.Number(`SELECT count(*) FROM entries WHERE account = ? AND cents = ?`, e.Account, e.Cents)
}

// saved returns the balance that the entry was stored with, and the one that it
// should have been stored with.
func (s *session) saved(e Entry) (got, want int64) {
	const number = `SELECT min(number) FROM entries WHERE account = ?1 AND cents = ?2`
	return s.db.Number(`SELECT balance FROM entries WHERE number = (`+number+`)`, e.Account, e.Cents),
		s.db.Number(`SELECT sum(cents) FROM entries WHERE account = ?1 AND number <= (`+number+`)`, e.Account, e.Cents)
}
