package checkpoint

import (
	"fmt"
	"slices"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/trial"
	"fencingtokens/fencing"
)

const healthyCheck = "nothing goes wrong, and every item is done once"

// attempt is a learner's worker, before it is run in a world.
type attempt struct {
	process Answer
	seed    uint64
}

func nothingGoesWrong(a *attempt) check.Finding {
	r := newWorld(a.seed).run(a.process)
	if f, failed := r.judge(); failed {
		return f
	}
	for _, client := range clients {
		if err := r.returned[client]; err != nil {
			return r.Failed("gives up although nothing is wrong", "it returns nil: all items are done", fmt.Sprintf("%s returned %v", client, err), "Which of your calls returned it, and why do you pass it on?", r.Granted(client))
		}
	}
	for _, g := range r.Trace.Grants() {
		if g.Ended == fencing.Expired {
			return r.Failed("the lock is never given back", "the worker releases the lock when all is done", fmt.Sprintf("%s keeps it until the lease ends by itself, at %s", g.Client, fencing.Seconds(g.Until)),
				"A lease that runs out is for a holder that died. Give yours back with c.Release.", g.Event, g.End)
		}
	}
	return check.Pass("client 1 did the batch, and client 2 found nothing left to do")
}

// places are where a holder may be struck, in the middle of the batch.
var places = []fencing.Point{fencing.BeforeEffect, fencing.AfterEffect, fencing.BeforeWrite, fencing.AfterWrite}

func crashes(a *attempt) check.Finding {
	w := newWorld(a.seed)
	var shown *ran
	for _, place := range places {
		shown = w.run(a.process, fencing.Crash("client 1", place).Time(w.middle))
		if f, failed := shown.judge(); failed {
			return f
		}
	}
	f := check.Pass("wherever client 1 died, client 2 began with the first item that was not committed")
	f.Trace, f.Run = shown.Trace, "The timeline of your own worker, with a crash in the middle of the batch:"
	return f
}

// pauses stops client 1 for longer than its lease, until client 2 is at work and,
// in other runs, until it is done.
func pauses(a *attempt) check.Finding {
	w := newWorld(a.seed)
	for _, place := range places[:3] {
		for _, long := range []time.Duration{w.lease, w.lease + 4*time.Second, 3 * w.lease} {
			r := w.run(a.process, fencing.Pause("client 1", place, long).Time(w.middle))
			if f, failed := r.judge(); failed {
				return f
			}
			if err, returned := r.returned["client 1"]; returned && err == nil && r.wasFenced("client 1") {
				return r.Failed("hides that it was refused", "a worker that was refused returns the error", "client 1 returned nil", "Whoever called you must learn that this worker did not do all of it.", r.Granted("client 2"))
			}
		}
	}
	return check.Pass("client 1 finished at most the item it was at, was refused, and stopped")
}

func (r *ran) wasFenced(client string) bool {
	return slices.ContainsFunc(r.Events(client, fencing.Rejected), trial.Fenced)
}

func lateCheckpoints(a *attempt) check.Finding {
	w := newWorld(a.seed)
	faults := trial.Pauses(w.with(a.process), "client 1", "client 2", w.middle)
	if len(faults) == 0 {
		return check.Depends(healthyCheck, "nothing to disturb", "your worker, to see when it looks and writes", "both clients come to the storage", "one of them does not, or never lets the other one in", "First let one worker do the batch, and another find it done.")
	}
	for _, fault := range faults {
		if f, failed := w.run(a.process, fault).judge(); failed {
			return f
		}
	}
	return check.Pass(fmt.Sprintf("wherever client 1’s checkpoint arrived, it was seen by client 2 or refused (%d moments tried)", len(faults)))
}

// noAnswer loses the reply of a checkpoint, its request, or lets the request come
// after the next one.
func noAnswer(a *attempt) check.Finding {
	w := newWorld(a.seed)
	w.timeout = 2 * time.Second
	for _, fault := range []fencing.Fault{
		fencing.Drop("client 1", fencing.WriteReply).Time(w.middle),
		fencing.Drop("client 1", fencing.WriteRequest).Time(w.middle),
		fencing.Delay("client 1", fencing.WriteRequest, 5*time.Second+w.latency/2).Time(w.middle),
	} {
		if f, failed := w.run(a.process, fault).judge(); failed {
			return f
		}
	}
	return check.Pass("client 1 did not guess what had become of its checkpoint, and client 2 went on from what was committed")
}

// judge judges what must hold in every run: nobody makes a mistake on the way, and
// in the end all is done.
func (r *ran) judge() (check.Finding, bool) {
	return check.FirstBroken(r.judgeTokens, r.walk, r.Bad, r.judgeEnd)
}

// judgeTokens looks at the token of every claim and every checkpoint.
func (r *ran) judgeTokens() (check.Finding, bool) {
	const expected = "every claim and every checkpoint carries the token of the worker’s own lease"
	for _, client := range clients {
		for _, e := range r.Events(client, fencing.Claimed, fencing.Accepted, fencing.Rejected) {
			got := fmt.Sprintf("%s sent token %d with its %s", client, e.Token, e.Op)
			held := r.Held(e)
			switch {
			case len(held) > 0 && held[len(held)-1].Token == e.Token:
			case e.Token == 0:
				return r.Failed("a checkpoint without a token", expected, got, "Without a token the storage cannot tell an old holder’s checkpoint from yours. Pass lease.Token.", e.Seq), true
			default:
				return r.Failed("a token that is not its own", expected, got, "A token is the proof of your own grant. Another number says that you are somebody else, and the fence is of no use.", e.Seq), true
			}
		}
	}
	return check.Finding{}, false
}

func (r *ran) judgeEnd() (check.Finding, bool) {
	for item := range r.world.job.Items {
		if r.did(item) == 0 {
			return r.Failed("an item is never done", fmt.Sprintf("all %d items are done in the end", r.world.job.Items), fmt.Sprintf("nobody did item %d", item), "Go through your loop: where does it begin, and where does it end?", r.Granted("client 2")), true
		}
	}
	if done := r.progress(); done != r.world.job.Items {
		return r.Failed("the last items are not committed", fmt.Sprintf("the progress says %q in the end", r.world.job.Progress(r.world.job.Items)), fmt.Sprintf("it says %q", r.world.job.Progress(done)),
			"Each checkpoint says how many items are done, so after item 0 it is 1. Write job.Progress(done+1) when item done is finished.", r.Granted("client 2")), true
	}
	return check.Finding{}, false
}
