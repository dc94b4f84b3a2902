package readtimeline

import (
	"fmt"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// look is one run, and what the learner has read from it.
type look struct {
	run   int // 1, 2 or 3
	said  Reading
	trace *fencing.Trace
}

// judge asks the rule about each of the three runs and returns the first finding
// that does not pass.
func judge(r Readings, rule func(*look) check.Finding) check.Finding {
	if r.Number == 0 {
		return check.Fail("no number", "your readings were looked at", "they say of which number they are", "the number is 0",
			"Choose any number above 0, for example your birthday, and call readtimeline.Show with it. The same number goes into Readings.")
	}
	var f check.Finding
	for i, trace := range runs(r.Number) {
		l := &look{run: i + 1, said: r.Runs[i], trace: trace}
		f = rule(l)
		if f.State != check.Passed {
			f.Tried = fmt.Sprintf("your reading of run %d of number %d", l.run, r.Number)
			f.Trace, f.Run = trace, fmt.Sprintf("Run %d, with its outcome:", l.run)
			return f
		}
	}
	return f
}

func (l *look) failed(mistake, expected, got, think string, events ...int) check.Finding {
	f := check.Fail(mistake, "", expected, got, think)
	f.Events = check.Lines(l.trace, events...)
	return f
}

// count returns how many attempts hold, and the events of all.
func (l *look) count(holds func(fencing.Attempt) bool) (n int, events []int) {
	for _, a := range l.trace.Attempts() {
		events = append(events, a.Event)
		if holds(a) {
			n++
		}
	}
	return n, events
}

func isLate(a fencing.Attempt) bool  { return a.Late }
func isStale(a fencing.Attempt) bool { return a.Stale }

func late(l *look) check.Finding {
	n, events := l.count(isLate)
	if l.said.Late == n {
		return check.Pass("a write is late if its writer’s lease had ended when it came")
	}
	expected, got := fmt.Sprintf("%d", n), fmt.Sprintf("you read %d", l.said.Late)
	staleOnes, _ := l.count(isStale)
	rejected, _ := l.count(func(a fencing.Attempt) bool { return !a.Accepted })
	switch {
	case l.said.Late < 0 || l.said.Late > 2:
		return l.failed("more writes than there are", expected, got, "Each client writes once. Count the marks on the storage’s lane.", events...)
	case l.said.Late == staleOnes && n > staleOnes:
		return l.failed("late taken for stale", expected, got,
			"You counted the writes that came after a higher token. Late asks something else: had the writer’s lease ended? That may be so before anybody else has written.", events...)
	case l.said.Late == rejected && n > rejected:
		return l.failed("only what is rejected counted as late", expected, got,
			"A late write may be accepted all the same. Compare the time of each write with the end of its writer’s lease on the lock service’s lane.", events...)
	case l.said.Late > n:
		return l.failed("a write in time called late", expected, got,
			"A write may come late in the run and still be in time: its writer’s lease decides. When did that end?", events...)
	}
	return l.failed("a late write not seen", expected, got, "Compare the time of each write with the end of its writer’s lease on the lock service’s lane.", events...)
}

func stale(l *look) check.Finding {
	n, events := l.count(isStale)
	if l.said.Stale == n {
		return check.Pass("a write is stale if a higher token had been accepted before it")
	}
	expected, got := fmt.Sprintf("%d", n), fmt.Sprintf("you read %d", l.said.Stale)
	lateOnes, _ := l.count(isLate)
	switch {
	case l.said.Stale == lateOnes && n < lateOnes:
		return l.failed("every late write is stale", expected, got,
			"Look at what the storage had accepted before that write. If nobody had written with a higher token yet, the write is late and not stale.", events...)
	case l.said.Stale > n:
		return l.failed("a write in order called stale", expected, got, "Which token had the storage accepted before it? Only a higher one makes a write stale.", events...)
	}
	return l.failed("a stale write not seen", expected, got,
		"A stale write is stale whether it is accepted or rejected. Look for one whose token is lower than one accepted before.", events...)
}

func atTheEnd(l *look) check.Finding {
	contents := l.trace.Contents()
	last := contents[len(contents)-1]
	if l.said.AtTheEnd == last.Client {
		return check.Pass("the storage holds what it has accepted last, right or wrong")
	}
	expected, got := last.Client, fmt.Sprintf("you read %q", l.said.AtTheEnd)
	attempts := l.trace.Attempts()
	newest := attempts[len(attempts)-1]
	switch {
	case l.said.AtTheEnd != client1 && l.said.AtTheEnd != client2:
		return l.failed("no such client", expected, got, "Write \"client 1\" or \"client 2\", to the letter.", last.Event)
	case !newest.Accepted:
		return l.failed("a rejected write stores", expected, got, "The last write was rejected: it changes nothing. What was there before it stays.", last.Event, newest.Event)
	case last.Stale:
		return l.failed("the highest token wins", expected, got,
			"Without fencing the storage does not look at tokens: what comes last stays, also if its token is the lower one.", last.Event)
	}
	return l.failed("the first write stays", expected, got, "Every accepted write replaces the one before. Which came last?", last.Event)
}

func overlap(l *look) check.Finding {
	var o fencing.Overlap
	for _, o = range l.trace.Overlaps() {
	}
	long := o.Until - o.From
	if l.said.Overlap == long {
		return check.Pass("both believe from the second grant on, until one of them learns better, also while one stands still")
	}
	expected, got := fencing.Seconds(long), "you read "+fencing.Seconds(l.said.Overlap)
	var pause fencing.Span
	for _, pause = range l.trace.Pauses() {
	}
	switch said := l.said.Overlap; {
	case said < 0 || said > l.trace.End():
		return l.failed("longer than the run", expected, got, "Write seconds as 6*time.Second. The run ends at "+fencing.Seconds(l.trace.End())+".", o.Events...)
	case said == 0:
		return l.failed("belief ends with the lease", expected, got,
			"Client 1’s lease ended, and client 1 did not notice: it went on believing, hatched in the picture, until somebody told it.", o.Events...)
	case long > 0 && said == o.Running:
		return l.failed("only while both run", expected, got, "A client that stands still goes on believing: it cannot look. Count that time too.", o.Events...)
	case long > 0 && said == o.Until-pause.From:
		return l.failed("from the beginning of the pause", expected, got,
			"While client 1 stood still and its lease ran, it believed rightly, and alone. Two believe from the second grant on.", o.Events...)
	case long > 0 && said == pause.Until-pause.From:
		return l.failed("the pause measured", expected, got, "That is how long client 1 stood still. From when on did client 2 believe, and until when did client 1?", o.Events...)
	}
	return l.failed("another length", expected, got, "Find the two moments: when did the second client begin to believe, and which of the two stopped first, and when?", o.Events...)
}
