package withoutalock

import (
	"fmt"
	"math/rand/v2"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/database"
)

const (
	accountsTable = `CREATE TABLE accounts (
		id      TEXT PRIMARY KEY,
		balance INTEGER NOT NULL,
		version INTEGER NOT NULL DEFAULT 0)`
	settlementsTable = `CREATE TABLE settlements (
		id      TEXT, -- a name of your own, if you need one
		account TEXT NOT NULL,
		period  TEXT NOT NULL,
		cents   INTEGER NOT NULL`
)

// session is a database in which the learner's workers settle.
type session struct {
	answer Answer
	random *rand.Rand
	db     *database.Database
	bad    error            // what SQLite has against the constraint
	before map[string]int64 // balances, by account
}

func newSession(answer Answer, seed uint64, number int) *session {
	s := &session{answer: answer, random: rand.New(rand.NewPCG(seed, uint64(number)))}
	s.renew()
	return s
}

func (s *session) close() { s.db.Close() }

// renew gives the session a new, empty database.
func (s *session) renew() {
	if s.db != nil {
		s.db.Close()
	}
	s.db = database.New(accountsTable)
	table := settlementsTable
	if s.answer.Constraint != "" {
		table += ", " + s.answer.Constraint
	}
	s.bad = s.db.Exec(table + ")")
	s.before = map[string]int64{}
}

func (s *session) worker(name string) *database.Worker { return s.db.Worker(name) }

// job draws a job for a new account, which has a balance already.
func (s *session) job() Job {
	j := Job{Period: fmt.Sprintf("2026-%02d", 1+s.random.IntN(12)), Cents: s.cents()}
	for j.Account == "" || s.before[j.Account] > 0 {
		j.Account = fmt.Sprintf("account %d", 1000+s.random.IntN(9000))
	}
	s.before[j.Account] = s.cents()
	if err := s.db.Exec(`INSERT INTO accounts (id, balance) VALUES (?, ?)`, j.Account, s.before[j.Account]); err != nil {
		panic(err)
	}
	return j
}

// next is the job of the same account for another period.
func (s *session) next(j Job) Job {
	var year, month int
	fmt.Sscanf(j.Period, "%d-%d", &year, &month)
	return Job{j.Account, fmt.Sprintf("%d-%02d", year, month%12+1), s.cents()}
}

func (s *session) cents() int64 { return 1000 + s.random.Int64N(100_000) }

// settle has a worker call the learner's function.
func (s *session) settle(w *database.Worker, j Job) error {
	return w.Call(fmt.Sprintf("Settle(%q, %q, %d)", j.Account, j.Period, j.Cents), func() error {
		return s.answer.Settle(w.DB, j)
	})
}

// books is what the database says about jobs of one account.
type books struct {
	rows  []int64 // settlements of each job
	added int64   // what the balance has grown by
}

func (s *session) books(jobs ...Job) (b books) {
	for _, j := range jobs {
		b.rows = append(b.rows, s.db.Number(`SELECT count(*) FROM settlements WHERE account = ? AND period = ? AND cents = ?`, j.Account, j.Period, j.Cents))
	}
	account := jobs[0].Account
	b.added = s.db.Number(`SELECT balance FROM accounts WHERE id = ?`, account) - s.before[account]
	return b
}

// once reports whether the books say that each job was done once.
func (b books) once(jobs ...Job) bool {
	sum := int64(0)
	for i, j := range jobs {
		if b.rows[i] != 1 {
			return false
		}
		sum += j.Cents
	}
	return b.added == sum
}

// twice reports whether a part of the one job was done more than once.
func (b books) twice(j Job) bool { return b.rows[0] > 1 || b.added > j.Cents }

func (b books) String() string {
	text := ""
	for _, n := range b.rows {
		text += settlements(n) + ", "
	}
	return fmt.Sprintf("%sand %d added to the balance", text, b.added)
}

func settlements(n int64) string {
	if n == 1 {
		return "1 settlement"
	}
	return fmt.Sprintf("%d settlements", n)
}

// settled is what every job must come to.
func settled(j Job) string {
	return fmt.Sprintf("1 settlement, %d added to the balance, and nil", j.Cents)
}

// settles has a job done, which a check begins with.
func (s *session) settles(w *database.Worker, j Job) (f check.Finding, ok bool) {
	if err := s.settle(w, j); err != nil || !s.books(j).once(j) {
		return check.Depends(firstCheck, "the first job is not done", fmt.Sprintf("a first job, %v", j), settled(j),
			fmt.Sprintf("it returned %v: %s", err, s.books(j)), "It is what the first check speaks of."), false
	}
	return check.Finding{}, true
}
