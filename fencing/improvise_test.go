package fencing_test

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fencingtokens/fencing"
	"fencingtokens/fencing/search"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Random programs in random worlds without time, on one core. Outside CI:
//
//	go test ./fencing -run 'OneFuture|SearchedWhole' -v -timeout 0 -programs 10000
//
// Program n is the same on every machine. A run that was stopped goes on with
// -firstprogram.
var (
	programs     = flag.Int("programs", 80, "how many random programs are searched")
	firstProgram = flag.Int("firstprogram", 0, "number of the first program, to go on from where a run was stopped")
)

// improviser is a client that decides what to do next by everything that it was
// told.
type improviser struct {
	seed       uint64
	operations int
	coin       bool // what client 1 does depends on whether it reads before another one has written
}

func (i improviser) run(c *fencing.Client) {
	told := fnv.New64a()
	tell := func(what ...any) { fmt.Fprintln(told, what...) }
	tell(i.seed, c.Name())
	lease, again := c.Recall()
	tell(lease, again)
	if i.coin && c.Name() == clientName(0) {
		tell(c.Read("coin"))
	} else if i.coin {
		tell(c.Write("coin", "thrown", 0))
	}
	kept := false
	for n := range i.operations {
		tell(n)
		from := rand.New(rand.NewPCG(told.Sum64(), 0))
		key := []string{"report", "other"}[from.IntN(2)]
		value := []string{"", "a", "b"}[from.IntN(3)]
		pick := from.IntN(20)
		if lease.Lock == "" {
			pick += 20
		}
		switch pick {
		case 0, 1:
			tell(c.Release(lease))
			lease = fencing.Lease{}
		case 2, 3:
			tell(c.Renew(lease))
		case 4:
			tell(c.Holds(lease))
		case 5:
			tell(c.Lost(lease))
		case 6:
			if !kept {
				c.KeepAlive(lease, s)
				kept = true
			}
		case 7, 8:
			tell(c.Claim(key, lease.Token))
		case 9:
			tell(c.Now())
		case 10:
			c.Work(s)
		case 11:
			tell(c.WriteIf(key, value, lease.Token))
		case 20, 21, 22, 23, 24:
			lease = c.Acquire(key)
			tell(lease)
		case 25, 26, 27, 28:
			got, err := c.TryAcquire(key)
			lease = got
			tell(lease, err)
		case 29:
			tell(c.ReleaseByName(key))
		case 12, 30:
			tell(c.CurrentToken(key))
		case 13, 14, 31, 32:
			tell(c.Read(key))
		case 15, 33, 34:
			c.Do("effect " + value)
		case 16, 35:
			tell(c.Delete(key, lease.Token))
		default:
			tell(c.Write(key, value, lease.Token))
		}
	}
}

// improvised is a random program in a random world.
type improvised struct {
	clients int
	improviser
	world
}

// world is a program and what may happen to it.
type world struct {
	program func(*fencing.World)
	config  fencing.Config
	bounds  fencing.Bounds
}

func improvise(n int) improvised {
	from := rand.New(rand.NewPCG(uint64(n), 5))
	one := func(of int) bool { return from.IntN(of) == 0 }
	once := func(of int) int { return 1 / (1 + from.IntN(of)) }
	i := improvised{clients: 1 + from.IntN(3), improviser: improviser{seed: from.Uint64()}}
	i.operations = 1 + from.IntN(4/i.clients+1)
	i.coin = i.clients > 1 && one(2)
	i.bounds = fencing.Bounds{Expiries: 1, Drops: once(3), Crashes: once(3), Operations: 2 + from.IntN(6)}
	c := &i.config
	if !one(3) {
		c.Timeout, i.bounds.TimeOuts = 3*s, once(3)
	}
	c.SameToken, c.ReviveLate, c.Generations, c.PlainDelete = one(4), one(4), one(5), one(5)
	c.Fencing, c.FenceForgotten, c.Idempotent, c.DeadlineFromReply = one(2), one(4), one(4), one(4)
	if c.Fencing && one(2) {
		c.Check = fencing.Check(from.IntN(6))
	}
	c.NumberedWrites = (c.Check == fencing.AtLeast || c.Check == fencing.TwoSteps) && one(3)
	declared := []fencing.Fault{fencing.RestartAt("client 1", s), fencing.RestartAt("client 1", s).Keeping(), fencing.CrashAt("client 1", s),
		fencing.RestartStorage(s), fencing.CleanUp("report", s), fencing.FailOver(s), fencing.FailOver(s).Keeping(), fencing.FailOver(s).CountingBack(1)}
	for range from.IntN(3) {
		c.Faults = append(c.Faults, declared[from.IntN(len(declared))])
	}
	i.program = func(w *fencing.World) {
		for n := range i.clients {
			w.Client(clientName(n), i.run)
		}
	}
	return i
}

func (i improvised) String() string {
	return fmt.Sprintf("%d clients, %d operations, %+v, %s", i.clients, i.operations, i.bounds, i.config.Parameters())
}

// futures goes the ways of a program, and compares what may still happen after
// those that lead to one fingerprint.
type futures struct {
	world
	ways   int // to one fingerprint that are gone on
	most   int // runs
	runner *fencing.Runner
	way    []int
	taken  int
	print  uint64
	steps  []fencing.Step // that are possible at the end of the way
	runs   int
	known  map[uint64][]future
	differ [][]int // two ways to one fingerprint with different futures
	err    error
}

// future is what may still happen after a way: for each of the timeless
// properties a hash of the steps, of what they change and of whether that violates
// the property. It is 0 if the property is violated already.
type future struct {
	way  []int
	hash [5]uint64
}

// Pick goes the way.
func (f *futures) Pick(steps []fencing.Step) int {
	if f.taken < len(f.way) {
		f.taken++
		return f.way[f.taken-1]
	}
	f.print, f.steps = f.runner.Fingerprint(), slices.Clone(steps)
	return -1
}

// after returns the future after a way, and all that the way has changed.
func (f *futures) after(way []int) (future, []string) {
	f.runs++
	f.way, f.taken, f.steps = way, 0, nil
	trace := f.runner.RunUntimed(f.config, f.program, f, f.bounds)
	if f.err == nil {
		f.err = trace.Err()
	}
	changes, here, verdict := changesIn(trace), future{way: way}, trace.Verdict()
	for n, property := range timeless {
		if verdict.Finding(property).Status != fencing.Violated {
			here.hash[n] = 1
		}
	}
	print, steps := f.print, f.steps
	if steps == nil || f.over() {
		return here, changes
	}
	alike := 0
	for _, other := range f.known[print] {
		if other.violated() == here.violated() {
			if alike++; alike == f.ways {
				return other, changes
			}
		}
	}
	var next [len(here.hash)][]string
	for n, step := range steps {
		then, changed := f.after(append(slices.Clip(way), n))
		for property, hash := range then.hash {
			next[property] = append(next[property], fmt.Sprint(step, changed[len(changes):], hash))
		}
	}
	for property := range here.hash {
		slices.Sort(next[property])
		here.hash[property] *= hashOf(next[property])
	}
	f.compare(print, here)
	return here, changes
}

func (f *futures) over() bool { return f.runs > f.most || f.differ != nil || f.err != nil }

func (f *futures) compare(print uint64, here future) {
	if f.over() {
		return // what may happen here is not known to its end
	}
	for _, other := range f.known[print] {
		for property, hash := range here.hash {
			if hash != 0 && other.hash[property] != 0 && hash != other.hash[property] {
				f.differ = [][]int{here.way, other.way}
				return
			}
		}
	}
	f.known[print] = append(f.known[print], here)
}

func (f future) violated() (v [5]bool) {
	for property, hash := range f.hash {
		v[property] = hash == 0
	}
	return v
}

func hashOf(what any) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, what)
	return h.Sum64() | 1
}

// changesIn returns what the storage did, and what was done to the world outside.
func changesIn(trace *fencing.Trace) []string {
	var changes []string
	for _, e := range trace.Events {
		switch e.Kind {
		case fencing.Accepted, fencing.Deleted, fencing.Claimed, fencing.Did:
			changes = append(changes, fmt.Sprint(e.Kind, e.Actor, e.Client, e.Key, e.Value, e.Token, e.Version, e.Fence, e.Outcome))
		}
	}
	return changes
}

// futures compares those of a program.
func (w world) futures(r *fencing.Runner, ways, most int) *futures {
	f := &futures{world: w, ways: ways, most: most, runner: r, known: map[uint64][]future{}}
	f.after(nil)
	return f
}

func acquires(c *fencing.Client) { c.Write("report", "", c.Acquire("report").Token) }

// thrown lets client 1 do something for the key "report" if it reads a third one
// before client 2 has written there, and for the key "other" if not.
func thrown(does func(*fencing.Client, string), after func(*fencing.Client)) func(*fencing.World) {
	return func(w *fencing.World) {
		w.Client("client 1", func(c *fencing.Client) {
			switch coin, _ := c.Read("coin"); coin {
			case "":
				does(c, "report")
			default:
				does(c, "other")
			}
		})
		w.Client("client 2", func(c *fencing.Client) {
			c.Write("coin", "thrown", 0)
			after(c)
		})
		w.Client("client 3", func(c *fencing.Client) { c.Read("coin") })
	}
}

// story tells the two ways.
func (f *futures) story() string {
	var b strings.Builder
	for _, way := range f.differ {
		f.way, f.taken = way, 0
		fmt.Fprintf(&b, "%v:\n%s\n", way, f.runner.RunUntimed(f.config, f.program, f, f.bounds))
	}
	return b.String()
}

// What a fingerprint leaves out makes no difference: whichever way leads to it,
// the same may happen from there on.
func TestStatesWithOneFingerprintHaveOneFuture(t *testing.T) {
	compared, larger, runs := 0, 0, 0
	require.NoError(t, fencing.Runners(t.Context(), 1, func(_ context.Context, r *fencing.Runner) {
		for n := *firstProgram; n < *firstProgram+*programs && !t.Failed(); n++ {
			i := improvise(n)
			f := i.futures(r, 3, 1000)
			runs += f.runs
			assert.NoError(t, f.err, "program %d: %s", n, i)
			switch {
			case f.runs > f.most:
				larger++
			case f.differ != nil:
				t.Errorf("program %d: %s:\nafter the two ways to one fingerprint not the same may happen:\n%s", n, i, f.story())
			default:
				compared++
			}
		}
	}))
	assert.Greater(t, compared, *programs/3)
	t.Logf("%d programs, %d more were larger, %d runs", compared, larger, runs)
}

// Each of these needs something in the fingerprint that one might take for
// superfluous.
func TestNoTwoStatesAreMixedUp(t *testing.T) {
	tidy := fencing.Config{Faults: []fencing.Fault{fencing.CleanUp("report", s)}}
	counting := fencing.Config{Faults: []fencing.Fault{fencing.FailOver(s).Keeping().CountingBack(1)}}
	forgets := fencing.Config{Fencing: true, FenceForgotten: true, Faults: []fencing.Fault{fencing.RestartStorage(s)}}
	few := fencing.Bounds{Operations: 9}
	revive := fencing.Config{ReviveLate: true, Timeout: 3 * s}
	for name, w := range map[string]world{
		"an operation of a life before": {bothRun(func(c *fencing.Client) {
			c.Read("other")
			c.Read("other")
			c.Write("report", "", 0)
		}), fencing.Config{Faults: []fencing.Fault{fencing.RestartAt("client 1", s)}}, fencing.Bounds{Operations: 4}},
		"an effect of a client that is gone": {thrown(func(c *fencing.Client, key string) { c.Do("pay for " + key) }, func(c *fencing.Client) {
			c.Read("report")
			c.Do("pay for report")
		}), fencing.Config{}, few},
		"which lock a client that is gone has had": {thrown(func(c *fencing.Client, key string) { c.Release(c.Acquire(key)) }, acquires), fencing.Config{}, few},
		"which key a client that is gone has written": {thrown(func(c *fencing.Client, key string) { c.Write(key, "", 1) }, func(c *fencing.Client) {
			c.Write("report", "", 0)
		}), fencing.Config{Fencing: true}, few},
		"which token comes next": {thrown(func(c *fencing.Client, _ string) { c.Release(c.Acquire("report")) }, acquires), counting, few},
		"which token was the last": {thrown(func(c *fencing.Client, key string) {
			c.Release(c.Acquire("report"))
			if key == "other" {
				c.Release(c.Acquire("report"))
			}
		}, func(c *fencing.Client) {
			token, _ := c.CurrentToken("report")
			c.Write("report", "", token)
		}), counting, few},
		"who held a lock last": {func(w *fencing.World) {
			w.Client("client 1", acquires)
			w.Client("client 2", func(c *fencing.Client) { c.Release(c.Acquire("report")) })
			w.Client("client 3", func(c *fencing.Client) { c.Read("coin") })
		}, fencing.Config{SameToken: true, Faults: []fencing.Fault{fencing.RestartAt("client 1", s)}}, fencing.Bounds{Expiries: 1, Operations: 9}},
		"what a client that is gone has stored": {thrown(func(c *fencing.Client, key string) { c.Write("report", key, 0) }, func(c *fencing.Client) {
			value, _ := c.Read("report")
			c.Write("other", value, 0)
		}), fencing.Config{}, few},
		"the fence that the storage has forgotten": {thrown(func(c *fencing.Client, key string) {
			c.Claim("report", uint64(len(key))) // 6 or 5
		}, func(c *fencing.Client) { c.Write("report", "", 5) }), forgets, few},
		"whether the storage has forgotten the fence": {func(w *fencing.World) {
			w.Client("client 1", func(c *fencing.Client) { c.Write("report", "", 2) })
			w.Client("client 2", func(c *fencing.Client) { c.Write("report", "", 1) })
			w.Client("client 3", func(c *fencing.Client) { c.Read("coin") })
		}, forgets, few},
		"whose write came first": {func(w *fencing.World) {
			w.Client("client 1", func(c *fencing.Client) { c.Write("report", "", 0) })
			w.Client("client 2", func(c *fencing.Client) {
				c.Write("report", "", 0)
				c.Read("report")
				c.Write("report", "", 0)
			})
			w.Client("client 3", func(c *fencing.Client) { c.Read("coin") })
		}, fencing.Config{Timeout: 3 * s}, fencing.Bounds{TimeOuts: 1, Operations: 9}},
		"a delete and a clean-up": {func(w *fencing.World) {
			w.Client("client 1", func(c *fencing.Client) { c.Delete("report", 0) })
			w.Client("client 2", func(c *fencing.Client) {
				c.Read("report")
				c.Write("report", "", 0)
			})
			w.Client("client 3", func(c *fencing.Client) { c.Read("other") })
		}, tidy, fencing.Bounds{Operations: 9}},
		"a lease that was revived": {func(w *fencing.World) {
			w.Client("client 1", func(c *fencing.Client) {
				c.Release(c.Acquire("other"))
				c.Release(c.Acquire("report"))
				lease, _ := c.TryAcquire("report")
				c.Write("report", "", lease.Token)
			})
		}, revive, fencing.Bounds{Expiries: 1, TimeOuts: 2, Operations: 9}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, fencing.Runners(t.Context(), 1, func(_ context.Context, r *fencing.Runner) {
				f := w.futures(r, 20, 200_000)
				assert.NoError(t, f.err)
				assert.LessOrEqual(t, f.runs, f.most)
				assert.Empty(t, f.differ, "%s", f.story())
			}))
		})
	}
}

// Both ways of searching come to the same, and to the same as one that leaves
// nothing out.
func TestRandomProgramsAreSearchedWhole(t *testing.T) {
	compared, whole, larger := 0, 0, 0
	for n := *firstProgram; n < *firstProgram+*programs && !t.Failed(); n++ {
		i := improvise(n)
		few := (&plain{most: 500}).search(t, i.program, i.config, i.bounds)
		if few.cut {
			larger++
			continue
		}
		compared++
		i.exhaust(t, few)
		all := (&plain{most: 500}).search(t, i.program, i.config, i.bounds.Everything())
		if all.cut {
			continue
		}
		whole++
		assert.Equal(t, all.violated, few.violated, "program %d: %s", n, i)
		assert.Equal(t, sorted(all.storage), sorted(few.storage), "program %d: %s", n, i)
	}
	assert.Greater(t, whole, *programs/10)
	t.Logf("%d programs, %d of them in a world where nothing is left out too; %d more were larger", compared, whole, larger)
}

// exhaust compares search.Exhaust with the plain search: what may be violated,
// and if nothing is, how many states there are.
func (i improvised) exhaust(t *testing.T, plain *plain) {
	b := search.Bounds{Expiries: i.bounds.Expiries, Drops: i.bounds.Drops, Crashes: i.bounds.Crashes, TimeOuts: i.bounds.TimeOuts, Operations: i.bounds.Operations}
	for _, property := range timeless {
		if plain.violated[property] {
			b.Properties = []fencing.Property{property}
			r := search.Exhaust(t.Context(), i.program, i.config, b)
			assert.True(t, r.Found != nil && r.Err() == nil, "%s: %s", property, r)
		}
	}
	b.Properties = slices.DeleteFunc(slices.Clone(timeless), func(p fencing.Property) bool { return plain.violated[p] })
	if len(b.Properties) > 0 {
		r := search.Exhaust(t.Context(), i.program, i.config, b)
		assert.True(t, r.Finished && r.Err() == nil, "%s", r)
		assert.Equal(t, plain.states, r.States)
	}
}
