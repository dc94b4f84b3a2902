package efficiencyorcorrectness

import (
	"fmt"
	"strings"

	"fencingtokens/exercises/internal/check"
)

// attempt is a choice for one job.
type attempt struct {
	job    Job
	choice Choice
}

// judge returns what the rule says about the first job that it does not hold for.
func judge(answer Answer, seed uint64, rule func(*attempt) check.Finding) check.Finding {
	var shown check.Finding
	for _, j := range jobs(seed) {
		a := &attempt{j, answer(j)}
		f := rule(a)
		if f.State != check.Passed {
			f.Tried = fmt.Sprintf("your choice, %s, for this job: %s", a.choice, j)
			return f
		}
		if f.Trace != nil || shown.Got == "" {
			shown = f
		}
	}
	return shown
}

// String names the guards of a choice: "efficiency: a lock".
func (c Choice) String() string {
	var guards []string
	for _, g := range []struct {
		on   bool
		name string
	}{{c.Lock, "a lock"}, {c.Fence, "a fence"}, {c.Key, "a key"}} {
		if g.on {
			guards = append(guards, g.name)
		}
	}
	if guards == nil {
		guards = []string{"no guard"}
	}
	return string(c.For) + ": " + strings.Join(guards, " and ")
}

// failed is a finding that a run decides.
func (o outcome) failed(title, mistake, expected, got, think string, events ...int) check.Finding {
	f := check.Fail(mistake, "", expected, got, think)
	if !o.job.AddsTo && len(o.worked) > 1 {
		title += " (the second result is the same as the first, so nothing is lost where the picture says overwritten)"
	}
	f.Events, f.Trace, f.Run = check.Lines(o.trace, events...), o.trace, title+":"
	return f
}

// damage tells what went wrong in a run, and the events that show it.
func (o outcome) damage() (string, []int) {
	if len(o.lost) > 0 {
		return "what one had added is gone from the record, and nobody knows", o.lost
	}
	return "the payment is made twice, and nothing takes it back", o.acted
}

const yours = "The run with your choice"

func purpose(a *attempt) check.Finding {
	o, wrong := damaged(a.job, Choice{Lock: true})
	switch {
	case a.choice.For == Efficiency && wrong:
		got, events := o.damage()
		return o.failed("The job under a lock with a lease, with a stall", "correctness taken for efficiency", "two at once cost no more than work done twice",
			"under a lease, with the first worker stalled, "+got, "Would doing the job once more put that right? If not, the lock is for more than saving work.", events...)
	case a.choice.For == Correctness && !wrong:
		o = look(a.job, Choice{Lock: true}, true)
		return o.failed("The job under a lock with a lease, with a stall", "efficiency taken for correctness", "two at once leave something wrong",
			fmt.Sprintf("the job is done twice, which costs %s, and the record is as it should be", units(a.job.TwiceCents)),
			"A name such as ledger or payroll sounds important. What is wrong after two have done this job, and is it still wrong when the job has been done once more?", o.worked...)
	case a.choice.For != Efficiency && a.choice.For != Correctness:
		return check.Fail("no purpose", "", "For is Efficiency or Correctness", fmt.Sprintf("it is %q", a.choice.For), "Every job has one of the two. Choose, if only to see what happens.")
	}
	return check.Pass("what two at once leave behind is either work done twice, or wrong for good")
}

func dataKept(a *attempt) check.Finding {
	for _, stalled := range []bool{false, true} {
		o := look(a.job, a.choice, stalled)
		if len(o.lost) == 0 {
			if stalled && a.job.AddsTo {
				f := check.Pass("the late write of a stalled worker is rejected, and what the others added stays")
				f.Trace, f.Run = o.trace, "One of your choices for a record that is added to, with a stall:"
				return f
			}
			continue
		}
		const expected = "whatever was added to the record stays in it"
		got, events := o.damage()
		switch c := a.choice; {
		case c.Fence && !c.Lock:
			return o.failed(yours, "a fence without a lock", expected, got, "A fence compares tokens, and tokens come from the grants of a lock. Without one all writes have the same.", events...)
		case !c.Lock:
			return o.failed(yours, "nothing around a read and a write", expected, got, "Both read the same record, and each wrote it back with its own line. It takes no failure at all.", events...)
		case c.Key:
			return o.failed(yours, "a key in place of a fence", expected, got, "A key lets an effect outside happen once. The record’s storage does not know it, and takes the late write.", events...)
		default:
			return o.failed(yours, "a lease alone in place of a fence", expected, got, "The lease ended while its holder stood still, and the storage was not told. Who can tell the late write from a rightful one?", events...)
		}
	}
	return check.Pass("what is made anew is the same, whoever writes it")
}

func paidOnce(a *attempt) check.Finding {
	const expected = "the payment is made once"
	for _, stalled := range []bool{false, true} {
		o := look(a.job, a.choice, stalled)
		if !o.paidTwice() {
			continue
		}
		got, events := o.damage()
		switch c := a.choice; {
		case c.Fence:
			return o.failed(yours, "a fence against an effect outside", expected, got, "The late write was rejected, and the payment had been made before it. Whoever pays knows no tokens: what could the worker send along?", events...)
		case c.Lock:
			return o.failed(yours, "a lease against an effect outside", expected, got, "The second worker got the lock when the lease was over, and found the job not done. Who could have known that it was paid?", events...)
		default:
			return o.failed(yours, "nothing against an effect outside", expected, got, "Two workers are woken for every run of this job. Each of them paid.", events...)
		}
	}
	return check.Pass("a second request with the same key pays nothing")
}

func workSaved(a *attempt) check.Finding {
	o := look(a.job, a.choice, false)
	wasted := a.job.RunsPerYear * a.job.TwiceCents
	if len(o.worked) > 1 && wasted > LockCentsPerYear {
		return o.failed("An ordinary run with your choice", "no lock where it pays", "work done twice costs less than a lock, which is "+units(LockCentsPerYear)+" a year",
			fmt.Sprintf("both workers do the job, in each of %d runs a year, and that costs %s", a.job.RunsPerYear, units(wasted)),
			"For efficiency alone a lock is worth its price if it saves more. Multiply the runs with what one more costs.", o.worked...)
	}
	return check.Pass("where both workers do the job, that costs less in a year than a lock")
}

func nothingSpare(a *attempt) check.Finding {
	const title = "The run without it"
	if less := a.choice; less.Fence {
		less.Fence = false
		if _, wrong := damaged(a.job, less); !wrong {
			o := look(a.job, less, true)
			return o.failed(title, "a fence where nothing is added to", "without the fence data is lost",
				"a stalled worker’s late write puts the same result there again; the fence would cost "+units(FenceCentsPerYear)+" a year",
				"What a job makes anew from its sources is the same from whoever comes last. What is there for the fence to keep?", o.worked...)
		}
	}
	if less := a.choice; less.Key {
		less.Key = false
		if _, wrong := damaged(a.job, less); !wrong {
			o := look(a.job, less, true)
			return o.failed(title, "a key where nothing is paid", "without the key a payment is made twice",
				fmt.Sprintf("there is none; whatever is done twice in a stall costs %s a year, and the key would cost %s", units(a.job.StallsPerYear*a.job.TwiceCents), units(KeyCentsPerYear)),
				"A key is worth it for an effect that nobody can live with twice. Does this job have one?", append(o.acted, o.worked...)...)
		}
	}
	if less := a.choice; less.Lock {
		less.Lock = false
		wasted := a.job.RunsPerYear * a.job.TwiceCents
		if _, wrong := damaged(a.job, less); !wrong && wasted < LockCentsPerYear {
			o := look(a.job, less, false)
			return o.failed(title, "a lock that costs more than it saves", "without the lock more is lost than the "+units(LockCentsPerYear)+" a year that it costs",
				fmt.Sprintf("both workers do the job, in each of %d runs a year, and that costs %s; nothing is wrong afterwards", a.job.RunsPerYear, units(wasted)),
				"If nothing is damaged, count: what does the lock save in a year, and what does it cost?", o.worked...)
		}
	}
	return check.Pass("each guard is missed, in a run or in the sum of a year, where it is taken away")
}
