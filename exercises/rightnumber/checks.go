package rightnumber

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/fencing"
	"fencingtokens/fencing/live/numbers"
)

// system is one of the two services, and how an answer for it is judged.
type system[N any] struct {
	name      string
	recorded  *numbers.Recorded[N]
	right     func(N) uint64
	scenarios []scenario[N]
	mistakes  []mistake[N]
	// move returns what is done to all numbers of a scenario, so that they are new
	// and their order is what was recorded.
	move func(r *rand.Rand, writes [5]N, long bool) func(N) N
}

// attempt is the answer in one scenario: what the clients knew at each of the five
// writes, and what the answer picked.
type attempt[N any] struct {
	title  string
	what   string
	right  func(N) uint64
	known  [5]N
	picked [5]uint64
	again  bool // it was asked in the other order
	trace  *fencing.Trace
}

func (s system[N]) checks(answer func(N) uint64, seed uint64) []check.Check {
	var list []check.Check
	for i, sc := range s.scenarios {
		name := s.name + ": " + sc.check
		list = append(list, check.Check{Name: name, Run: func() check.Finding {
			if answer == nil {
				return check.Fail("no function", "your function for "+s.name, "it returns one of n’s numbers", "there is none", "Name both of your functions in Tokens.")
			}
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			var shown check.Finding
			for _, again := range []bool{false, true} {
				a := s.attempt(answer, sc, again, random)
				f := s.judge(answer, a)
				if f.State != check.Passed {
					return f
				}
				if !again {
					shown = f
				}
			}
			if !sc.shown {
				shown.Trace = nil
			}
			return shown
		}})
	}
	return list
}

// attempt asks the answer for the numbers of the five writes and runs them. Two
// clients are two processes, so it must not matter which of them is asked first.
func (s system[N]) attempt(answer func(N) uint64, sc scenario[N], again bool, random *rand.Rand) attempt[N] {
	i := slices.IndexFunc(s.recorded.Scenarios, func(r numbers.Scenario[N]) bool { return r.Name == sc.name })
	was := s.recorded.Scenarios[i]
	a := attempt[N]{title: s.name + ", " + sc.check, what: was.What, right: s.right, again: again}
	move := s.move(random, was.Writes, sc.long)
	order := []int{0, 1, 2, 3, 4}
	if again {
		slices.Reverse(order)
	}
	for _, w := range order {
		a.known[w] = move(was.Writes[w])
		a.picked[w] = answer(a.known[w])
	}
	a.trace = play(a.title, was.Queued, a.picked)
	return a
}

func (s system[N]) judge(answer func(N) uint64, a attempt[N]) check.Finding {
	w, failed := wrong(a.trace)
	if !failed {
		f := check.Pass(fmt.Sprintf("%s; client 1 wrote with %d, client 2 with %d, and the late write was rejected", a.what, a.picked[0], a.picked[2]))
		f.Trace, f.Run = a.trace, title
		return f
	}
	mistake, think := s.mistake(answer, a, w)
	f := check.Fail(mistake, fmt.Sprintf("%s: %s. (Numbers of %s, recorded and then moved by amounts that are drawn.)", a.title, a.what, s.recorded.Server),
		"every write of the holder is accepted, and client 1’s late one is rejected", outcome(w), think)
	f.Events = append(a.asked(), check.Lines(a.trace, w.Before, w.Event)...)
	f.Trace, f.Run = a.trace, title
	return f
}

const title = "The run with your numbers, which stand in the values that are written. (The picture counts the grants 1 and 2.)"

// asked tells what the answer was asked for each write, and what it picked.
func (a attempt[N]) asked() []string {
	var lines []string
	for w, n := range a.known {
		var all []string
		v := reflect.ValueOf(n)
		for i := range v.NumField() {
			all = append(all, fmt.Sprintf("%s %d", v.Type().Field(i).Name, v.Field(i).Int()))
		}
		late := ""
		if w == 3 {
			late = ", late"
		}
		lines = append(lines, fmt.Sprintf("client %d%s: you picked %d out of %s", numbers.Writers[w], late, a.picked[w], strings.Join(all, ", ")))
	}
	if a.again {
		lines = append(lines, "(Your function was asked for the last of these first: the two clients are two processes.)")
	}
	return lines
}

func outcome(w fencing.Attempt) string {
	if w.Accepted {
		return fmt.Sprintf("the late write of %s was accepted at %s, and %s’s data is gone", w.Client, fencing.Seconds(w.At), w.Lost)
	}
	return fmt.Sprintf("%s, who held the lock, was locked out at %s", w.Client, fencing.Seconds(w.At))
}

// mistake is a number that is taken for a token, and is none.
type mistake[N any] struct {
	name  string
	pick  func(N) uint64
	think string
}

// mistake names what the answer picked, if that is what it picks in all that was
// recorded.
func (s system[N]) mistake(answer func(N) uint64, a attempt[N], w fencing.Attempt) (name, think string) {
	for _, m := range append(s.mistakes, cut(s.right)...) {
		picks := a.all(func(w int) bool { return a.picked[w] == m.pick(a.known[w]) })
		for _, r := range s.recorded.Scenarios {
			for _, n := range r.Writes {
				picks = picks && answer(n) == m.pick(n)
			}
		}
		if picks {
			return m.name, m.think
		}
	}
	now := time.Now()
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond, time.Nanosecond} {
		minute, clock := uint64(time.Minute/unit), uint64(now.UnixNano()/int64(unit))
		if a.all(func(w int) bool { return a.picked[w]+minute > clock && a.picked[w] < clock+minute }) {
			return "a time of day", "A late write is written late: by the clock it is the newest of all. And two clients’ clocks differ. The number must come from the service that grants the lock."
		}
	}
	switch {
	case a.all(func(w int) bool { return a.picked[w] == a.picked[0] }):
		return "one number for everybody", "If all numbers are equal, the storage cannot tell the late write from the others. Which of n’s numbers does the next holder have higher?"
	case a.again || a.picked[0] != a.picked[1] && reflect.DeepEqual(a.known[0], a.known[1]) || a.picked[1] != a.picked[3] && reflect.DeepEqual(a.known[1], a.known[3]):
		return "a number of the function’s own", "The same n gave two numbers, or it mattered which was asked first. What one client counts or remembers, the other, in its own process, never sees. Take a number out of n alone."
	case w.Accepted:
		return "lets a late write in", "Compare what you picked for the late write with what you picked for client 2. Which number did client 2 have higher, and client 1 no longer change?"
	}
	return "locks the holder out", "Compare what you picked for the rejected write with the highest before it. Which of n’s numbers does a later holder never have lower?"
}

func (a attempt[N]) all(is func(write int) bool) bool {
	for w := range a.picked {
		if !is(w) {
			return false
		}
	}
	return true
}
