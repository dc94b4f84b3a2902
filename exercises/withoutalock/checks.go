package withoutalock

import (
	"fmt"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/database"
)

func firstPeriod(s *session) check.Finding {
	j := s.job()
	err := s.settle(s.worker("worker 1"), j)
	tried := fmt.Sprintf("the first settlement of %q, for %s, with %d cents", j.Account, j.Period, j.Cents)
	got := fmt.Sprintf("it returned %v: %s", err, s.books(j))
	switch {
	case err != nil:
		return check.Fail("the job fails", tried, settled(j), got, "Nobody has been there before. Look at the last statement above, and at its error.")
	case !s.books(j).once(j):
		return check.Fail("the job is not done", tried, settled(j), got,
			"nil says that both are there: the row in settlements, with account, period and cents, and the cents in the balance. What of it is missing, and was it committed?")
	}
	return check.Pass("the settlement and its cents are there")
}

func otherJobs(s *session) check.Finding {
	first, other := s.job(), s.job()
	w := s.worker("worker 1")
	if f, ok := s.settles(w, first); !ok {
		return f
	}
	second := s.next(first)
	other.Period = first.Period
	for _, j := range []Job{second, other} {
		err := s.settle(w, j)
		b := s.books(j)
		if err != nil || b.rows[0] != 1 {
			return check.Fail("two jobs taken for one", fmt.Sprintf("%q for %s, then %q for %s", first.Account, first.Period, j.Account, j.Period), settled(j),
				fmt.Sprintf("it returned %v: %s", err, settlements(b.rows[0])),
				"A job is an account and a period. An account has many periods, and a period many accounts: which columns name the job together?")
		}
	}
	if !s.books(first, second).once(first, second) || !s.books(other).once(other) {
		return check.Fail("another balance", fmt.Sprintf("two periods of %q, and one of %q", first.Account, other.Account), "each balance has grown by its own settlements",
			fmt.Sprintf("%q: %s; %q: %s", first.Account, s.books(first, second), other.Account, s.books(other)),
			"What does your UPDATE set the balance to, and in which rows?")
	}
	return check.Pass("an account and a period name the job together")
}

func secondCall(s *session) check.Finding {
	j, w := s.job(), s.worker("worker 1")
	if f, ok := s.settles(w, j); !ok {
		return f
	}
	err := s.settle(w, j)
	b := s.books(j)
	tried := fmt.Sprintf("two calls, one after the other, for %q and %s", j.Account, j.Period)
	got := fmt.Sprintf("the second returned %v: %s", err, b)
	const names = `SELECT count(DISTINCT id) FROM settlements WHERE account = ? AND period = ?`
	switch {
	case b.once(j) && err == nil:
		return check.Pass("the second call finds it done, and says so")
	case b.once(j):
		return check.Fail("done, and reported as failed", tried, settled(j), got,
			"It is settled, and nobody can do anything about it any more. A scheduler that is told an error calls again, for ever. A duplicate is the answer that you hoped for: return nil.")
	case b.rows[0] == 1:
		return check.Fail("the row is replaced", tried, settled(j), got,
			"There is one row, but it is not the first one, or not only the first one counted: the money was moved twice. Nothing may happen when the row is there, neither to it nor to the balance.")
	case b.rows[0] > 1 && s.db.Number(names, j.Account, j.Period) > 1:
		return check.Fail("a new name for every try", tried, settled(j), got,
			"The two rows have different ids, so to the database they are different jobs. The name of the job must be there before the first try: what do both tries have in common?")
	}
	return check.Fail("settled twice", tried, settled(j), got,
		"Nothing keeps the second settlement out. Either the table refuses it, or you look whether it is there, in a way that nobody can come in between.")
}

func nothingOpen(s *session) check.Finding {
	j, w := s.job(), s.worker("worker 1")
	for i := range 2 {
		s.settle(w, j)
		if w.Leaked {
			return check.Fail("a transaction stays open", "two calls for one job", "after each of them no connection is in use any more", fmt.Sprintf("after call %d one is", i+1),
				"A transaction that is neither committed nor rolled back keeps its locks, and nobody else can settle. defer tx.Rollback() right after Begin is enough for every way out: after a commit it does nothing.")
		}
	}
	return check.Pass("every transaction was committed or rolled back")
}

// tries is how often a job's caller calls before it gives up.
const tries = 3

// finish calls as a scheduler does, until it is told nil.
func (s *session) finish(w *database.Worker, j Job) (err error) {
	for range tries {
		if err = s.settle(w, j); err == nil {
			return nil
		}
	}
	return err
}

// atOnce runs the learner's calls as two workers, the second before every step of
// the first, and has a third finish what was not done. It returns the first
// finding that judge makes.
func (s *session) atOnce(jobs func() (first, second Job), judge func(b books, err error, jobs ...Job) (check.Finding, bool)) (int, check.Finding) {
	w := s.worker("worker 1")
	s.settle(w, s.job())
	steps := w.Steps()
	for step := range steps {
		s.renew()
		first, second := jobs()
		one, two, three := s.worker("worker 1"), s.worker("worker 2"), s.worker("the retry")
		var err1, err2 error
		s.db.Interleave(one, step,
			func() { err1 = s.settle(one, first) },
			func() { err2 = s.settle(two, second) })
		var err error
		if err1 != nil {
			err = s.finish(three, first)
		}
		if err2 != nil && err == nil {
			err = s.finish(three, second)
		}
		if f, bad := judge(s.books(first, second), err, first, second); bad {
			f.Tried = fmt.Sprintf("%q for %s by one worker, for %s by another, which comes before step %d of the first", first.Account, first.Period, second.Period, step+1)
			f.Events = s.db.Events()
			return steps, f
		}
	}
	return steps, check.Finding{}
}

// neverEnds is the finding for a job that its caller is never told to be done.
func neverEnds(err error) check.Finding {
	return check.Fail("the job never comes to an end", "", fmt.Sprintf("nil within %d calls", tries), "the last of them returned an error: "+err.Error(),
		"The state that the calls before have left is one that your function does not get out of. What does it find, and what should it make of it?")
}

func sameJobAtOnce(s *session) check.Finding {
	steps, f := s.atOnce(
		func() (Job, Job) { j := s.job(); return j, j },
		func(b books, err error, jobs ...Job) (check.Finding, bool) {
			j := jobs[0]
			got := fmt.Sprintf("%s, and %d added to the balance", settlements(b.rows[0]), b.added)
			switch {
			case b.rows[0] > 1 && s.db.Number(`SELECT version FROM accounts WHERE id = ?`, j.Account) > 0:
				return check.Fail("the version is read too late", "", settled(j), got,
					"The version did not move between your reading it and your UPDATE, but the other worker came before that, and after your look at the settlements. Read the version first of all: then every look after it is covered."), true
			case b.rows[0] > 1:
				return check.Fail("looked first, and written later", "", settled(j), got,
					"Both looked before either wrote, and both found nothing. A look is old when the write comes, in a transaction as well: at READ COMMITTED each statement sees the present. Let the database refuse the second write."), true
			case err != nil:
				return neverEnds(err), true
			case !b.once(j):
				return check.Fail("half of it twice", "", settled(j), got,
					"The settlement is there once, and its cents are not. Whoever does not write the settlement must not touch the balance."), true
			}
			return check.Finding{}, false
		})
	if f.State == check.Failed {
		return f
	}
	return check.Pass(fmt.Sprintf("a second worker came in before each of the %d steps, and it was settled once", steps))
}

func twoPeriodsAtOnce(s *session) check.Finding {
	steps, f := s.atOnce(
		func() (Job, Job) { j := s.job(); return j, s.next(j) },
		func(b books, err error, jobs ...Job) (check.Finding, bool) {
			switch {
			case err != nil:
				return neverEnds(err), true
			case !b.once(jobs...):
				return check.Fail("an update is lost", "", fmt.Sprintf("1 settlement each, and %d added to the balance", jobs[0].Cents+jobs[1].Cents), b.String(),
					"One worker read the balance, the other changed it, and the first wrote what it had read plus its own. Let the database add (balance = balance + ?), or write only if the version is the one that you read."), true
			}
			return check.Finding{}, false
		})
	if f.State == check.Failed {
		return f
	}
	return check.Pass(fmt.Sprintf("the other period came in before each of the %d steps, and both are in the balance", steps))
}

// faults are what breaks at every step.
var faults = []struct {
	fault database.Fault
	name  string
}{
	{database.CutAfter, "the reply to step %d is lost"},
	{database.CutBefore, "the connection breaks before step %d"},
	{database.Crash, "the worker crashes before step %d"},
}

func retry(s *session) check.Finding {
	w := s.worker("worker 1")
	s.settle(w, s.job())
	steps := w.Steps()
	for step := range steps {
		for _, broken := range faults {
			s.renew()
			j := s.job()
			one := s.worker("worker 1")
			one.Strike(step, broken.fault)
			err := s.settle(one, j)
			tried := fmt.Sprintf("%q for %s; "+broken.name, j.Account, j.Period, step+1)
			if b := s.books(j); err == nil && !b.once(j) && !b.twice(j) {
				return check.Fail("said to be done, and is not", tried, "an error, or 1 settlement with its cents", "it returned nil: "+b.String(),
					"An error of the database is not a duplicate. Return nil for one reason only, that it is settled, and return every other error: the caller calls again.")
			}
			tried += ", and a healthy worker calls again"
			if err := s.finish(s.worker("the retry"), j); err != nil {
				f := neverEnds(err)
				f.Tried = tried
				return f
			}
			b := s.books(j)
			switch {
			case b.twice(j):
				return check.Fail("settled twice by a retry", tried, settled(j), b.String(),
					"A call had done something, and did not know it. Every try after that, inside your function too, must find what is there, under the same name.")
			case !b.once(j):
				return check.Fail("half of it is done", tried, settled(j), b.String(),
					"The mark that it is done was committed without what is done, or the other way round. A worker can end between any two commits: let there be one.")
			}
		}
	}
	return check.Pass(fmt.Sprintf("at each of the %d steps a worker crashed, a connection broke and a reply was lost, and it was settled once", steps))
}
