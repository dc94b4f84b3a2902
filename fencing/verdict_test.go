package fencing_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

// decides is one event that a finding must name.
type decides struct {
	kind   fencing.Kind
	client string // whom it is about, or who did it
	at     time.Duration
}

// events are the deciding events of a finding.
func events(trace *fencing.Trace, f fencing.Finding) []decides {
	var got []decides
	for _, seq := range f.Events {
		e := trace.Events[seq-1]
		client := e.Client
		if client == "" {
			client = e.Actor
		}
		got = append(got, decides{e.Kind, client, e.At})
	}
	return got
}

// writeAt writes at a time with a token.
func writeAt(at time.Duration, value string, token uint64) func(*fencing.Client) {
	return func(c *fencing.Client) { sleepUntil(c, at); c.Write("report", value, token) }
}

var properties = []struct {
	property         fencing.Property
	holds, violated  *fencing.Trace
	events           []decides
	sentence         string
	violatedHasError bool
}{
	{
		property: fencing.OneGrant,
		holds:    two(fencing.Config{}, holdFor(6*s), justAcquire),
		violated: two(faults(fencing.FailOver(3*s)), holdFor(6*s), justAcquire),
		events:   []decides{{fencing.Granted, "client 1", 0}, {fencing.Granted, "client 2", 3 * s}},
		sentence: `the lock service granted "report" to client 2 at 3 s, while client 1 had been promised it until 10 s`,
	},
	{
		property: fencing.OneBeliever,
		holds:    two(fencing.Config{}, holdFor(6*s), holdFor(s)),
		violated: two(fencing.Config{}, holdFor(15*s), holdFor(s)),
		events:   []decides{{fencing.BeliefBegan, "client 1", 0}, {fencing.BeliefBegan, "client 2", 10 * s}},
		sentence: "from 10 s on, client 1 and client 2 believed at once, for 1 s (1 s of it running at once)",
	},
	{
		property: fencing.FencingSafe,
		holds:    two(fencing.Config{}, writeAt(0, "a", 33), writeAt(2*s, "b", 34)),
		violated: two(fencing.Config{}, writeAt(0, "a", 33), writeAt(2*s, "b", 33)),
		events:   []decides{{fencing.Accepted, "client 1", 0}, {fencing.Accepted, "client 2", 2 * s}},
		sentence: `client 1 and client 2 both wrote "report" with token 33`,
	},
	{
		property: fencing.NoStaleWrite,
		holds:    two(fencing.Config{Fencing: true}, writeAt(3*s, "a", 33), writeAt(2*s, "b", 34)),
		violated: two(fencing.Config{}, writeAt(3*s, "a", 33), writeAt(2*s, "b", 34)),
		events:   []decides{{fencing.Accepted, "client 2", 2 * s}, {fencing.Accepted, "client 1", 3 * s}},
		sentence: "at 3 s the storage accepted token 33 from client 1 after token 34, and client 2’s data is gone",
	},
	{
		property: fencing.NoLateWrite,
		holds:    run(fencing.Config{}, func(c *fencing.Client) { lease := c.Acquire("report"); c.Write("report", "a", lease.Token) }),
		violated: run(fencing.Config{Fencing: true}, func(c *fencing.Client) {
			lease := c.Acquire("report")
			c.Sleep(10 * s)
			c.Write("report", "a", lease.Token)
		}),
		events:   []decides{{fencing.Accepted, "client 1", 10 * s}},
		sentence: "at 10 s the storage accepted token 33 from client 1, whose lease had ended; no higher token had been accepted yet, so no fence could stop it",
	},
	{
		property: fencing.NoLostUpdate,
		holds:    two(fencing.Config{}, appendAt(0, 2*s, 33), appendAt(3*s, 4*s, 34)),
		violated: two(fencing.Config{}, appendAt(0, 2*s, 33), appendAt(s, 4*s, 34)),
		events:   []decides{{fencing.Accepted, "client 1", 2 * s}, {fencing.Accepted, "client 2", 4 * s}},
		sentence: `at 4 s client 2 wrote "report" without having seen the change that client 1 made at 2 s`,
	},
	{
		property: fencing.NoLostOwnUpdate,
		holds:    run(fencing.Config{}, func(c *fencing.Client) { c.Read("report"); c.Write("report", "a", 33); c.Write("report", "b", 33) }),
		violated: run(fencing.Config{Timeout: s, Faults: []fencing.Fault{fencing.Delay("client 1", fencing.WriteRequest, 5*s)}},
			func(c *fencing.Client) {
				c.Read("report")
				c.Write("report", "a", 33)
				c.Write("report", "b", 33)
				c.Sleep(9 * s)
			}),
		events:   []decides{{fencing.Accepted, "client 1", s}, {fencing.Accepted, "client 1", 5 * s}},
		sentence: `at 5 s client 1 wrote "report" without having seen the change that client 1 made at 1 s`,
	},
	{
		property: fencing.NothingTwice,
		holds:    two(fencing.Config{}, func(c *fencing.Client) { c.Do("pay") }, func(c *fencing.Client) { c.Do("mail") }),
		violated: two(fencing.Config{}, func(c *fencing.Client) { c.Do("pay") }, func(c *fencing.Client) { c.Do("pay") }),
		events:   []decides{{fencing.Did, "client 1", 0}, {fencing.Did, "client 2", s}},
		sentence: `"pay" was done by client 1 at 0 s and by client 2 at 1 s`,
	},
	{
		property:         fencing.NobodyStuck,
		holds:            run(fencing.Config{Timeout: s, Faults: []fencing.Fault{fencing.Drop("client 1", fencing.AcquireReply)}}, justAcquire),
		violated:         run(faults(fencing.Drop("client 1", fencing.AcquireReply)), justAcquire),
		events:           []decides{{fencing.Stuck, "client 1", 10 * s}},
		sentence:         `client 1 waits for ever for the reply to its acquire of "report"`,
		violatedHasError: true,
	},
	{
		property: fencing.NoInnocentFenced,
		holds: run(fencing.Config{Fencing: true}, func(c *fencing.Client) {
			lease := c.Acquire("report")
			c.Write("report", "a", lease.Token)
			c.Write("report", "b", lease.Token)
		}),
		violated: run(fenced(fencing.Higher), func(c *fencing.Client) {
			lease := c.Acquire("report")
			c.Write("report", "a", lease.Token)
			c.Write("report", "b", lease.Token)
		}),
		events:   []decides{{fencing.Rejected, "client 1", 0}},
		sentence: "at 0 s the storage rejected token 33 from client 1, whose lease ran",
	},
}

// appendAt reads at one time and writes what it read, and more, at another.
func appendAt(read, write time.Duration, token uint64) func(*fencing.Client) {
	return func(c *fencing.Client) {
		sleepUntil(c, read)
		value, _ := c.Read("report")
		sleepUntil(c, write)
		c.Write("report", value+c.Name(), token)
	}
}

func TestEveryPropertyHoldsInOneRunAndIsViolatedInAnotherWithItsDecidingEvents(t *testing.T) {
	for _, test := range properties {
		t.Run(string(test.property), func(t *testing.T) {
			require.NoError(t, test.holds.Err())
			require.Equal(t, test.violatedHasError, test.violated.Err() != nil)
			good, bad := test.holds.Verdict().Finding(test.property), test.violated.Verdict().Finding(test.property)
			assert.Equal(t, fencing.Holds, good.Status, good.Sentence)
			assert.NotEmpty(t, good.Sentence)
			assert.Equal(t, fencing.Violated, bad.Status)
			assert.Equal(t, test.sentence, bad.Sentence)
			assert.Equal(t, test.events, events(test.violated, bad))
		})
	}
	assert.Len(t, properties, len(fencing.GCPause().Run().Verdict().Findings), "a test for each")
}

func TestARunWithAnErrorProvesNothingButWhatItHasViolated(t *testing.T) {
	trace := two(fencing.Config{}, writeAt(3*s, "a", 33), func(c *fencing.Client) { writeAt(2*s, "b", 34)(c); c.Sleep(5 * s); panic("no more") })
	require.Error(t, trace.Err())
	for _, f := range trace.Verdict().Findings {
		want := fencing.Untold
		switch f.Property {
		case fencing.NoStaleWrite, fencing.FencingSafe:
			want = fencing.Violated
		}
		assert.Equal(t, want, f.Status, string(f.Property))
	}
}

func TestAnUnknownPropertyIsUnknown(t *testing.T) {
	f := fencing.GCPause().Run().Verdict().Finding("no such thing")
	assert.Equal(t, fencing.Untold, f.Status)
	assert.Equal(t, "this verdict does not know the property", f.Sentence)
}

func TestARejectedDuplicateOfANumberedWriteIsNobodysHarm(t *testing.T) {
	config := fencing.Config{Fencing: true, NumberedWrites: true, Faults: []fencing.Fault{fencing.Duplicate("client 1", fencing.WriteRequest, 2*s)}}
	trace := run(config, func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Write("report", "a", lease.Token)
		c.Write("report", "b", lease.Token)
		c.Sleep(3 * s)
	})
	require.NoError(t, trace.Err())
	require.Len(t, trace.Attempts(), 3)
	assert.False(t, trace.Attempts()[2].Accepted)
	assert.Equal(t, fencing.Holds, trace.Verdict().Finding(fencing.NoInnocentFenced).Status)
}

// overlapping lets two clients believe at once that they hold a lock: the first
// for 15 s, the second from 10 s on.
func overlapping(w *fencing.World, lock, first, second string) {
	for n, name := range []string{first, second} {
		w.Client(name, func(c *fencing.Client) {
			c.Sleep(time.Duration(n) * s)
			c.Acquire(lock)
			c.Sleep(time.Duration(15-n) * s)
		})
	}
}

func TestBeliefsInDifferentLocksAreNotAddedUp(t *testing.T) {
	w := fencing.NewWorld(fencing.Config{})
	overlapping(w, "A", "c1", "c2")
	overlapping(w, "B", "c3", "c4")
	trace := w.Run()
	require.NoError(t, trace.Err())
	assert.Equal(t, `from 10 s on, c1 and c2 believed at once that they held "A", for 5 s (5 s of it running at once); `+
		`from 10 s on, c3 and c4 believed at once that they held "B", for 5 s (5 s of it running at once)`,
		trace.Verdict().Finding(fencing.OneBeliever).Sentence)
	assert.Len(t, trace.Verdict().Finding(fencing.OneBeliever).Events, 4)
}

func TestOfManyBelieversInOneLockAtLeastTwoBelievedAtOnce(t *testing.T) {
	w := fencing.NewWorld(fencing.Config{})
	overlapping(w, "A", "c1", "c2")
	w.Client("c3", func(c *fencing.Client) { c.Sleep(2 * s); c.Acquire("A"); c.Sleep(20 * s) })
	w.Client("c4", func(c *fencing.Client) { c.Sleep(3 * s); c.Acquire("A"); c.Sleep(s) })
	trace := w.Run()
	require.NoError(t, trace.Err())
	assert.Equal(t, "from 10 s on, at least two of c1, c2, c3 and c4 believed at once, for 10 s (10 s of it running at once)",
		trace.Verdict().Finding(fencing.OneBeliever).Sentence)
}

func TestAClientForEachLockIsNoOverlap(t *testing.T) {
	trace := two(fencing.Config{}, holdFor(6*s), func(c *fencing.Client) { c.Write("a", "b", c.Acquire("another").Token) })
	assert.Equal(t, "at no time did two clients believe that they held the same lock", trace.Verdict().Finding(fencing.OneBeliever).Sentence)
	assert.Equal(t, "Fencing off: every write was accepted in order, and of every lock one client at a time believed", trace.Verdict().Headline)
}

func TestAnUpdateLostAcrossGrantsAndOneWithinAreBothFoundWithTheirAuthors(t *testing.T) {
	trace := two(fencing.Config{Timeout: s, Faults: []fencing.Fault{fencing.Drop("client 1", fencing.WriteReply)}}, func(c *fencing.Client) {
		c.Read("report")
		c.Write("report", "a", 33) // it never learns of this one
		sleepUntil(c, 2*s)
		c.Write("report", "b", 33)
	}, func(c *fencing.Client) { c.Write("report", "x", 34) })
	require.NoError(t, trace.Err())
	verdict := trace.Verdict()
	across, own := verdict.Finding(fencing.NoLostUpdate), verdict.Finding(fencing.NoLostOwnUpdate)
	assert.Equal(t, `at 2 s client 1 wrote "report" without having seen the change that client 2 made at 1 s`, across.Sentence)
	assert.Equal(t, []decides{{fencing.Accepted, "client 2", s}, {fencing.Accepted, "client 1", 2 * s}}, events(trace, across))
	assert.Equal(t, `at 2 s client 1 wrote "report" without having seen the change that client 1 made at 0 s`, own.Sentence)
	assert.Equal(t, []decides{{fencing.Accepted, "client 1", 0}, {fencing.Accepted, "client 1", 2 * s}}, events(trace, own))
}

func TestTheHeadlineNamesTheOtherClientWhoseChangeIsLost(t *testing.T) {
	trace := two(fencing.Config{Timeout: s, Faults: []fencing.Fault{fencing.Drop("client 1", fencing.WriteReply)}}, func(c *fencing.Client) {
		c.Read("report")
		c.Write("report", "a", 33)
		sleepUntil(c, 2*s)
		c.Write("report", "b", 33)
	}, func(c *fencing.Client) { c.Write("report", "x", 33) })
	assert.Equal(t, "Fencing off: the write of client 1 at 2 s overwrites a change of client 2 that it had not seen", trace.Verdict().Headline)
}

func TestWhatHoldsOfUpdatesDoesNotDenyWhatIsViolated(t *testing.T) {
	verdict := two(fencing.Config{}, appendAt(0, 2*s, 33), appendAt(s, 4*s, 34)).Verdict()
	assert.Equal(t, fencing.Violated, verdict.Finding(fencing.NoLostUpdate).Status)
	assert.Equal(t, "whoever wrote on top of what it had read had seen every change of its own grant", verdict.Finding(fencing.NoLostOwnUpdate).Sentence)
}

func TestARightfulHolderIsShutOutByAHigherFenceWithNumberedWritesToo(t *testing.T) {
	for _, numbered := range []bool{false, true} {
		config := fencing.Config{Fencing: true, NumberedWrites: numbered, Faults: []fencing.Fault{fencing.FailOver(3 * s).CountingBack(fencing.FromStart)}}
		trace := two(config, holdFor(s), func(c *fencing.Client) {
			c.Write("report", "a", c.Acquire("report").Token)
			sleepUntil(c, 4*s)
			c.Write("report", "b", c.Acquire("report").Token)
		})
		require.NoError(t, trace.Err())
		f := trace.Verdict().Finding(fencing.NoInnocentFenced)
		assert.Equal(t, "at 4 s the storage rejected token 33 from client 2, whose lease ran", f.Sentence)
		assert.Equal(t, []decides{{fencing.Rejected, "client 2", 4 * s}}, events(trace, f))
	}
}

func TestAVersionConflictOfTheHolderIsNobodysHarm(t *testing.T) {
	trace := two(fencing.Config{}, func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Read("report")
		sleepUntil(c, 2*s)
		assert.ErrorIs(t, c.WriteIf("report", "b", lease.Token), fencing.ErrConflict)
	}, func(c *fencing.Client) { c.Write("report", "a", 7) })
	require.NoError(t, trace.Err())
	assert.Equal(t, fencing.Holds, trace.Verdict().Finding(fencing.NoInnocentFenced).Status)
	assert.Equal(t, "Fencing off: the write with token 33 is rejected at 2 s, because it was not made for the key’s present version", trace.Verdict().Headline)
}

func TestOnlyACrashThatLeavesALeaseToTheClockIsTheHeadline(t *testing.T) {
	worker := fencing.Worker(fencing.Policy{WorkBefore: 2 * s})
	for name, test := range map[string]struct {
		fault fencing.Fault
		want  string
	}{
		"before the grant":   {fencing.Crash("client 2", fencing.BeforeAcquire), "every write was accepted in order, and one client at a time believed"},
		"with the lease":     {fencing.CrashAt("client 1", s), "client 1 crashed, and its lease ended; every write was in order"},
		"after the release":  {fencing.CrashAt("client 1", 8*s), "every write was accepted in order, and one client at a time believed"},
		"with a second life": {fencing.RestartAt("client 1", s).Keeping(), "every write was accepted in order, although beliefs overlapped"},
	} {
		trace := two(faults(test.fault), func(c *fencing.Client) {
			if _, recalled := c.Recall(); recalled {
				sleepUntil(c, 12*s)
				return
			}
			worker(c)
			c.Sleep(2 * s)
		}, worker)
		require.NoError(t, trace.Err(), name)
		assert.Equal(t, "Fencing off: "+test.want, trace.Verdict().Headline, name)
	}
}

func TestAWriterWithoutALeaseIsNotLate(t *testing.T) {
	trace := run(fencing.Config{}, func(c *fencing.Client) { c.Write("k", "v", 99) })
	assert.False(t, trace.Attempts()[0].Late)
	assert.NotContains(t, trace.String(), "late")
	assert.Equal(t, "Fencing off: every write was accepted in order", trace.Verdict().Headline)
	assert.Equal(t, "no accepted write arrived after its writer’s lease had ended, but not every writer had had one", trace.Verdict().Finding(fencing.NoLateWrite).Sentence)
}

func TestARejectedWriterWithoutALeaseIsNoRightfulHolder(t *testing.T) {
	trace := run(fenced(fencing.Higher), func(c *fencing.Client) { c.Write("k", "v", 99); c.Write("k", "v", 99) })
	require.False(t, trace.Attempts()[1].Accepted)
	assert.Equal(t, fencing.Holds, trace.Verdict().Finding(fencing.NoInnocentFenced).Status)
}

func TestAWriteWithoutATokenIsLateWhenItsWritersLeaseHasEnded(t *testing.T) {
	for at, late := range map[time.Duration]bool{9 * s: false, 10 * s: true} {
		trace := run(fencing.Config{}, func(c *fencing.Client) {
			c.Acquire("report")
			c.Sleep(at)
			c.Write("report", "v", 0)
		})
		assert.Equal(t, late, trace.Attempts()[0].Late, at)
	}
}

func TestAWriteWithAnothersTokenIsLateWhenItsWritersOwnLeaseHasEnded(t *testing.T) {
	trace := two(fencing.Config{}, func(c *fencing.Client) {
		c.Acquire("report")
		sleepUntil(c, 12*s)
		token, err := c.CurrentToken("report")
		require.NoError(t, err)
		c.Write("report", "v", token)
	}, holdFor(5*s))
	require.NoError(t, trace.Err())
	assert.EqualValues(t, 34, trace.Attempts()[0].Token)
	assert.True(t, trace.Attempts()[0].Late)
}

func TestLeasesOverlapOrNotByTheClockOfTheLockService(t *testing.T) {
	const service = fencing.ActorLockService
	acquireAt := func(at time.Duration) func(*fencing.Client) {
		return func(c *fencing.Client) { sleepUntil(c, at); c.Acquire("report"); c.Sleep(s) }
	}
	for name, test := range map[string]struct {
		config        fencing.Config
		first, second func(*fencing.Client)
		want          string
	}{
		"a jump has ended the lease": {faults(fencing.JumpClock(service, 3*s, 20*s)), holdFor(6 * s), justAcquire,
			"the lock service made 2 grants, and no two of one lock overlapped"},
		"it was forgotten, but a jump had brought its end nearer": {faults(fencing.JumpClock(service, s, 5*s), fencing.FailOver(3*s)), holdFor(6 * s), acquireAt(5 * s),
			"the lock service made 2 grants, and no two of one lock overlapped"},
		"it was forgotten before that end": {faults(fencing.JumpClock(service, s, 5*s), fencing.FailOver(3*s)), holdFor(6 * s), acquireAt(4 * s),
			`the lock service granted "report" to client 2 at 4 s, while client 1 had been promised it until 5 s`},
		"its clock stood still when it forgot": {faults(fencing.StopClock(service, s, 5*s), fencing.FailOver(3*s)), holdFor(6 * s), acquireAt(4 * s),
			`the lock service granted "report" to client 2 at 4 s, while client 1 had been promised it for as long as its clock stands still`},
		"the same client has it again": {faults(fencing.FailOver(3 * s)), func(c *fencing.Client) { holdFor(4 * s)(c); justAcquire(c) }, func(*fencing.Client) {},
			"the lock service made 2 grants, and no two of one lock overlapped"},
	} {
		trace := two(test.config, test.first, test.second)
		require.NoError(t, trace.Err(), name)
		require.Len(t, trace.Grants(), 2, name)
		assert.Equal(t, test.want, trace.Verdict().Finding(fencing.OneGrant).Sentence, name)
	}
}

func TestLockNodesAreJudgedOneByOneEachByItsOwnClock(t *testing.T) {
	cut := []fencing.Fault{fencing.Cut("client 1", "node D", 0, 2*s), fencing.Cut("client 1", "node E", 0, 2*s), fencing.Cut("client 2", "node A", 0, 9*s), fencing.Cut("client 2", "node B", 0, 9*s)}
	for fault, want := range map[fencing.Fault]string{
		fencing.JumpClock("node C", s/2, 20*s): "the lock nodes made 6 grants, and none of them made two at a time of one lock, by its own clock",
		fencing.RestartNode("node C", s/2):     `node C granted "report" to client 2 at 1 s, while client 1 had been promised it until 10 s`,
	} {
		trace := two(redlock(5, append(cut, fault)...), holdFor(9*s), holdFor(s))
		require.NoError(t, trace.Err())
		require.NotEmpty(t, trace.Overlaps(), "two clients had a majority")
		assert.Equal(t, want, trace.Verdict().Finding(fencing.OneGrant).Sentence)
	}
}

// lockedOut runs two workers that renew, under what may let the first one keep the
// lock for ever.
func lockedOut(config fencing.Config) *fencing.Trace {
	if config.Steps == 0 {
		config.Steps = 200
	}
	return fencing.Preset{Config: config, Policy: fencing.Policy{RenewEvery: 3 * s}}.Run()
}

func TestALockThatARenewerKeepsForAWorkerThatIsStuckForGoodIsStuck(t *testing.T) {
	const stuck = 1000 * time.Hour
	for name, test := range map[string]struct {
		fault fencing.Fault
		why   string
	}{
		"at a point":            {fencing.Pause("client 1", fencing.BeforeWrite, stuck).ThreadOnly(), "stands still for good"},
		"at a time":             {fencing.PauseAt("client 1", 3*s, stuck).ThreadOnly(), "stands still for good"},
		"for a reply":           {fencing.Drop("client 1", fencing.WriteReply), "waits for ever for the reply to its write"},
		"for a request's reply": {fencing.Drop("client 1", fencing.WriteRequest), "waits for ever for the reply to its write"},
	} {
		trace := lockedOut(faults(test.fault))
		f := trace.Verdict().Finding(fencing.NobodyStuck)
		assert.Equal(t, `client 2 waits for ever for "report": client 1 holds it, its worker `+test.why+`, and its renewer goes on`, f.Sentence, name)
		assert.EqualError(t, trace.Err(), f.Sentence+": let renewing come to an end, with Config.MaxHold", name)
		got := events(trace, f)
		assert.Equal(t, decides{fencing.Granted, "client 1", 0}, got[0], name)
		assert.Equal(t, fencing.Stuck, got[1].kind, name)
	}
}

func TestALockThatWillComeFreeIsNotStuckWhenTheStepsAreSpent(t *testing.T) {
	const stuck = 1000 * time.Hour
	alone := func(d time.Duration) fencing.Fault {
		return fencing.Pause("client 1", fencing.BeforeWrite, d).ThreadOnly()
	}
	for name, config := range map[string]fencing.Config{
		"the pause has an end":        faults(alone(stuck - 1)),
		"a lease has an end":          {MaxHold: time.Hour, Faults: []fencing.Fault{alone(stuck)}},
		"the holder will crash":       faults(alone(stuck), fencing.CrashAt("client 1", time.Hour)),
		"the reply is on its way":     faults(fencing.Delay("client 1", fencing.WriteReply, time.Hour)),
		"the worker works":            {Steps: 8},
		"the holder waits no more":    {Timeout: time.Hour, Faults: []fencing.Fault{fencing.Drop("client 1", fencing.WriteReply)}},
		"the pause will have had one": faults(fencing.PauseAt("client 1", 3*s, time.Hour).ThreadOnly()),
	} {
		trace := lockedOut(config)
		assert.ErrorContains(t, trace.Err(), "steps", name)
		assert.Equal(t, fencing.Untold, trace.Verdict().Finding(fencing.NobodyStuck).Status, name)
	}
}

func TestAThreadThatIsStuckForGoodDoesNotKeepARunFromItsEnd(t *testing.T) {
	trace := lockedOut(fencing.Config{MaxHold: 20 * s, Faults: []fencing.Fault{fencing.Pause("client 1", fencing.BeforeWrite, 1000*time.Hour).ThreadOnly()}})
	require.NoError(t, trace.Err())
	assert.Equal(t, fencing.Holds, trace.Verdict().Finding(fencing.NobodyStuck).Status)
	assert.Contains(t, trace.String(), "stands still in one of its threads for good; the others go on")
}

func TestAVerdictOnATraceThatLacksTheStuckLocksGrantNamesTheEventsThatThereAre(t *testing.T) {
	trace := lockedOut(faults(fencing.Drop("client 1", fencing.WriteReply)))
	trace.Events = slices.DeleteFunc(trace.Events, func(e fencing.Event) bool { return e.Kind == fencing.Granted })
	f := trace.Verdict().Finding(fencing.NobodyStuck)
	assert.Equal(t, fencing.Violated, f.Status)
	assert.Len(t, f.Events, 1)
}
