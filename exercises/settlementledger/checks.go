package settlementledger

import (
	"fmt"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/trial"
	"fencingtokens/fencing"
)

const healthyCheck = "nothing goes wrong, and every job is settled and paid once"

// attempt is a learner's worker, before it is run in a world.
type attempt struct {
	settle Answer
	seed   uint64
}

func nothingGoesWrong(a *attempt) check.Finding {
	r := newWorld(a.seed).run(a.settle)
	if f, failed := r.judge(); failed {
		return f
	}
	for _, t := range r.tries {
		if t.err != nil {
			return r.Failed("gives up although nothing is wrong", "it returns nil: the account is settled and paid", fmt.Sprintf("%s returned %v for %s", t.client, t.err, t.job),
				"Which of your calls returned it, and why do you pass it on?", t.granted.Seq)
		}
	}
	for _, g := range r.Trace.Grants() {
		if g.Ended == fencing.Expired {
			return r.Failed("the lock is never given back", "the worker releases the lock when it is done", fmt.Sprintf("%s keeps it until the lease ends by itself, at %s", g.Client, fencing.Seconds(g.Until)),
				"A lease that runs out is for a holder that died. Give yours back with c.Release.", g.Event, g.End)
		}
	}
	return check.Pass("client 1 settled and paid, and client 2 found nothing left to settle")
}

// places are where a worker may be struck.
var places = []fencing.Point{fencing.AfterAcquire, fencing.BeforeWrite, fencing.AfterWrite, fencing.BeforeEffect, fencing.AfterEffect}

func crashes(a *attempt) check.Finding {
	w := newWorld(a.seed)
	var shown *ran
	for i := range w.jobs {
		for _, place := range places {
			r := w.run(a.settle, fencing.Crash("client 1", place).Time(i+1))
			if f, failed := r.judge(); failed {
				return f
			}
			if i == 0 && place == fencing.BeforeEffect {
				shown = r
			}
		}
	}
	f := check.Pass("wherever client 1 died, client 2 finished what was left and paid nothing twice")
	f.Trace, f.Run = shown.Trace, "The timeline of your own worker, with a crash between the write and the payout:"
	return f
}

// pauses stops client 1 until client 2 has gone through all the jobs.
func pauses(a *attempt) check.Finding {
	w := newWorld(a.seed)
	for _, place := range places {
		if f, failed := w.run(a.settle, fencing.Pause("client 1", place, 4*w.lease).Time(w.struck)).judge(); failed {
			return f
		}
	}
	return check.Pass("client 1 was refused, and changed and paid nothing more of that job")
}

func lateWrites(a *attempt) check.Finding {
	w := newWorld(a.seed)
	faults := trial.Pauses(w.with(a.settle), "client 1", "client 2", w.struck)
	if len(faults) == 0 {
		return check.Depends(healthyCheck, "nothing to disturb", "your worker, to see when it looks and writes", "both clients come to the storage", "one of them does not, or never lets the other one in",
			"First let one worker settle, and another find it settled.")
	}
	for _, fault := range faults {
		if f, failed := w.run(a.settle, fault).judge(); failed {
			return f
		}
	}
	return check.Pass(fmt.Sprintf("wherever client 1’s write arrived, it was seen by client 2 or refused (%d moments tried)", len(faults)))
}

// noAnswer loses the reply or the request of a write, lets the request come late,
// and loses the reply of a claim of an account that holds something.
func noAnswer(a *attempt) check.Finding {
	w := newWorld(a.seed)
	w.timeout = 2 * time.Second
	for _, fault := range []fencing.Fault{
		fencing.Drop("client 1", fencing.WriteReply).Time(w.struck),
		fencing.Drop("client 1", fencing.WriteRequest).Time(w.struck),
		// For so long that who looks, computes and writes again has just done so.
		fencing.Delay("client 1", fencing.WriteRequest, w.timeout+w.jobs[0].Takes+4*w.latency).Time(w.struck),
		fencing.Drop("client 1", fencing.ClaimReply).Time(len(w.jobs)),
	} {
		if f, failed := w.run(a.settle, fault).judge(); failed {
			return f
		}
	}
	return check.Pass("client 1 did not guess what had become of its call, and each job was settled and paid once")
}

// judge judges what must hold in every run: nobody makes a mistake on the way, and
// in the end all is settled and paid.
func (r *ran) judge() (check.Finding, bool) {
	return check.FirstBroken(r.judgeTokens, r.walk, r.Bad, r.judgeEnd)
}

// judgeTokens looks at the token of every claim, write and delete.
func (r *ran) judgeTokens() (check.Finding, bool) {
	const expected = "every claim and every write carries the token of the worker’s own lease"
	for _, client := range clients {
		for _, e := range r.Events(client, fencing.Claimed, fencing.Accepted, fencing.Rejected, fencing.Deleted) {
			got := fmt.Sprintf("%s sent token %d with its %s", client, e.Token, e.Op)
			held := r.Held(e)
			switch {
			case len(held) > 0 && held[len(held)-1].Token == e.Token:
			case e.Token == 0:
				return r.Failed("no token", expected, got, "Without a token the storage cannot tell an old holder’s write from yours. Pass lease.Token.", e.Seq), true
			default:
				return r.Failed("a token that is not its own", expected, got, "A token is the proof of your own grant. Another number says that you are somebody else, and the fence is of no use.", e.Seq), true
			}
		}
	}
	return check.Finding{}, false
}

// judgeEnd asks that somebody has finished every job.
func (r *ran) judgeEnd() (check.Finding, bool) {
	if len(r.unfinished) == 0 {
		return check.Finding{}, false
	}
	return r.Failed("nobody finishes", "every account and period is settled and paid in the end", fmt.Sprintf("%s is not", r.unfinished[0]),
		"Nothing was wrong with client 2. What kept it from finishing? Wait for the lock with c.Acquire.", r.Granted("client 2")), true
}
