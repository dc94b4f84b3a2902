package whichtoken

import (
	"fmt"
	"math/rand/v2"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
)

// storage lets in what is not lower than the highest number so far. The simulator
// hands it the grants' own tokens, which count 1, 2, 3; it compares the numbers
// that the system would have shown instead.
type storage struct {
	number  Number
	history history
	writes  [3]int // how many writes of each grant have come
	fence   int64
	began   bool
	value   string
	lines   []string
}

func (s *storage) Write(key, value string, token uint64) error {
	grant := token - 1
	number := s.history.numbers[grant][min(s.writes[grant], 1)]
	s.writes[grant]++
	if s.history.free {
		s.value = value
		return nil
	}
	said := fmt.Sprintf("grant %d brings %s %d", token, s.number, number)
	if s.began && number < s.fence {
		s.lines = append(s.lines, fmt.Sprintf("%s: lower than %d, rejected", said, s.fence))
		return fmt.Errorf("%w: the fence is %d, and %d is lower", fencing.ErrFenced, s.fence, number)
	}
	s.lines = append(s.lines, said+": accepted")
	s.fence, s.began, s.value = number, true, value
	return nil
}

func (s *storage) Read(string) string { return s.value }

// run lets three clients hold the lock in turn. Client 1 is paused in the middle
// and writes again after client 2 has written, before client 3 does.
func (s *storage) run() *fencing.Trace {
	const work = time.Second
	lease := 10 * time.Second
	config := fencing.Config{Name: string(s.number) + " as a token", Lease: lease, FirstToken: 1, Storage: s}
	granted := 1*time.Second + lease // client 2
	if s.history.failOver {
		granted = 2500 * time.Millisecond
		config.Faults = append(config.Faults, fencing.FailOver(granted))
	}
	// Without the pause client 1 would write again at 3 s.
	config.Faults = append(config.Faults, fencing.Pause("client 1", fencing.BeforeWrite, granted+work+2*time.Second-3*time.Second).Time(2))
	world := fencing.NewWorld(config)
	for i, writes := range []int{2, 1, 1} {
		world.Client(fmt.Sprintf("client %d", i+1), fencing.Worker(fencing.Policy{Start: time.Duration(i+1) * time.Second, Writes: writes}))
	}
	return world.Run()
}

// wrong returns the first write that a token would have decided otherwise.
func wrong(trace *fencing.Trace) (fencing.Attempt, bool) {
	for _, a := range trace.Attempts() {
		if a.Accepted == a.Stale {
			return a, true
		}
	}
	return fencing.Attempt{}, false
}

// try runs one choice.
func try(n Number, draw func(*rand.Rand) history, seed uint64) (*storage, *fencing.Trace) {
	s := &storage{number: n, history: draw(rand.New(rand.NewPCG(seed, 0)))}
	return s, s.run()
}

// judge runs the choice for a system.
func judge(system string, n Number, seed uint64) check.Finding {
	m, known := modelOf(n)
	switch {
	case n == NoNumber && system == "Redis":
		return judgeNone(seed)
	case n == NoNumber:
		m = model{draw: unchecked, mistake: "gives up a number that is there",
			think: "One of this system’s numbers does rise with every grant and stays what it is. Which one is fixed at the moment of the grant, or of queueing for it?"}
	case n == "":
		return check.Fail("no choice", "your choice for "+system, "one of its numbers, or whichtoken.NoNumber", "it is empty", "Choose, if only to see what happens with it.")
	case !known || m.number.system() != system:
		return check.Fail("not a number of this system", "your choice for "+system, "one of its numbers: "+names(system), fmt.Sprintf("%q", n), "The names begin with the system’s: write whichtoken. and choose one of them.")
	}
	s, trace := try(n, m.draw, seed)
	w, failed := wrong(trace)
	if !failed {
		return check.Pass(fmt.Sprintf("%s: %s. Three holders got in, one after the other, and the late write was rejected", n, s.history.why))
	}
	f := check.Fail(m.mistake, fmt.Sprintf("%s: three clients hold the lock in turn, client 1 is paused and writes again too late; %s is what the storage compares", system, n),
		"each holder’s write is accepted, and client 1’s late one is rejected", outcome(w), m.think)
	f.Events = append([]string{"numbers: " + s.history.why}, append(s.lines, check.Lines(trace, w.Before, w.Event)...)...)
	f.Trace, f.Run = trace, "The run with your choice. (In the picture the grants are counted 1, 2, 3; what the storage compared stands above.)"
	return f
}

// judgeNone shows that no number of Redis is a token, by running all of them.
func judgeNone(seed uint64) check.Finding {
	shown := "none of its numbers is a token:"
	var trace *fencing.Trace
	for _, m := range models {
		if m.number.system() != "Redis" {
			continue
		}
		var s *storage
		s, trace = try(m.number, m.draw, seed)
		w, failed := wrong(trace)
		if !failed {
			return check.Fail("a number that would do", "every number of Redis", "each fails", string(m.number)+" did not", "This is a mistake of the exercise: "+s.history.why)
		}
		shown += fmt.Sprintf(" with the %s %s;", m.number, outcome(w))
	}
	f := check.Pass(shown + " a storage behind this Redis needs its token from elsewhere")
	f.Trace, f.Run = trace, "The counter of Redis, after a fail-over that lost it. (In the picture the grants are counted 1, 2, 3.)"
	return f
}

func outcome(w fencing.Attempt) string {
	if w.Accepted {
		return fmt.Sprintf("the late write of %s was accepted at %s, and %s’s data is gone", w.Client, fencing.Seconds(w.At), w.Lost)
	}
	return fmt.Sprintf("%s, who held the lock, was locked out at %s", w.Client, fencing.Seconds(w.At))
}

func names(system string) string {
	list := ""
	for _, m := range models {
		if m.number.system() == system {
			list += string(m.number) + ", "
		}
	}
	return list + string(NoNumber)
}
