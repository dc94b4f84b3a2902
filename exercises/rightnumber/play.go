package rightnumber

import (
	"fmt"
	"time"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live/numbers"
)

// storage lets in what is not lower than the highest number so far. The simulator
// hands it the grants' own tokens, which count 1 and 2; it compares the numbers that
// the answer picked, which stand in the values.
type storage struct {
	picked map[string]uint64
	fence  uint64
	began  bool
	value  string
}

func (s *storage) Write(_, value string, _ uint64) error {
	n := s.picked[value]
	if s.began && n < s.fence {
		return fmt.Errorf("%w: the fence is %d, and %d is lower", fencing.ErrFenced, s.fence, n)
	}
	s.fence, s.began, s.value = n, true, value
	return nil
}

func (s *storage) Read(string) string { return s.value }

// play runs a scenario's five writes with the numbers that the answer picked for
// them. Queued says whether client 2 asks for the lock while client 1 holds it.
func play(name string, queued bool, picked [5]uint64) *fencing.Trace {
	const lease = 10 * time.Second
	s := &storage{picked: map[string]uint64{}}
	values := map[int][]string{}
	for i, client := range numbers.Writers {
		value := fmt.Sprintf("no. %d of client %d, with %d", len(values[client])+1, client, picked[i])
		values[client] = append(values[client], value)
		s.picked[value] = picked[i]
	}
	config := fencing.Config{Name: name, Lease: lease, FirstToken: 1, Storage: s}
	if picked[0] <= picked[1] { // else client 1 stops there, by itself
		config.Faults = []fencing.Fault{fencing.Pause("client 1", fencing.BeforeWrite, 7*time.Second).Time(3)}
	}
	world := fencing.NewWorld(config)
	world.Client("client 1", worker(time.Second, values[1]))
	if queued {
		world.Client("client 2", worker(2*time.Second, values[2]))
	} else {
		world.Client("client 2", worker(time.Second+lease, values[2]))
	}
	return world.Run()
}

// worker writes the values one after another, until the storage rejects one.
func worker(start time.Duration, values []string) func(*fencing.Client) {
	return func(c *fencing.Client) {
		c.Sleep(start)
		lease := c.Acquire("report")
		c.Work(time.Second)
		for _, v := range values {
			if c.Write("report", v, lease.Token) != nil {
				return
			}
			c.Work(2 * time.Second)
		}
		_ = c.Release(lease)
	}
}

// wrong returns the first write that the storage decided otherwise than it does with
// the right number.
func wrong(trace *fencing.Trace) (fencing.Attempt, bool) {
	for _, a := range trace.Attempts() {
		if a.Accepted == a.Stale {
			return a, true
		}
	}
	return fencing.Attempt{}, false
}
