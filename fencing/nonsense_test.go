package fencing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

// chooses is a Chooser that makes one choice at one kind of point.
type chooses struct {
	at     fencing.Point
	choice fencing.Choice
}

func (c chooses) Choose(l fencing.Label) fencing.Choice {
	if l.Point == c.at {
		return c.choice
	}
	return fencing.Choice{}
}

func TestNonsenseOptionsFaultsAndClocksGetASentenceThatSaysWhatToWrite(t *testing.T) {
	service, own := fencing.ActorLockService, storage(func() error { return nil })
	fault := func(f fencing.Fault) fencing.Config { return faults(f) }
	nodes := func(f fencing.Fault) fencing.Config { return fencing.Config{Nodes: 3, Faults: []fencing.Fault{f}} }
	at := func(p fencing.Point, c fencing.Choice) fencing.Config { return fencing.Config{Chooser: chooses{p, c}} }
	for name, test := range map[string]struct {
		config fencing.Config
		want   string
	}{
		"negative lock-delay": {fencing.Config{LockDelay: -s}, "Config.LockDelay is -1s: give a positive length, or leave it out for none (the longest is 1000 hours)"},
		"negative lateness":   {fencing.Config{NoticeLate: -s}, "Config.NoticeLate is -1s: give a positive length, or leave it out for a service that notices at once (the longest is 1000 hours)"},
		"negative maximum":    {fencing.Config{MaxHold: -s}, "Config.MaxHold is -1s: give a positive length, or leave it out for no limit (the longest is 1000 hours)"},
		"negative gap":        {fencing.Config{CheckGap: -s}, "Config.CheckGap is -1s: give a positive length, or leave it out (the longest is 1000 hours)"},
		"negative nodes":      {fencing.Config{Nodes: -1}, "Config.Nodes is -1: give a number from 1 to 9, or leave it out for one lock service"},
		"too many nodes":      {fencing.Config{Nodes: 10}, "Config.Nodes is 10: give a number from 1 to 9, or leave it out for one lock service"},
		"unknown check":       {fencing.Config{Check: 77}, "Config.Check is 77, which is no check: take one of fencing's, for example fencing.AtLeast"},
		"endless token":       {fencing.Config{FirstToken: 1<<64 - 1}, "Config.FirstToken is 18446744073709551615: give a number up to 4611686018427387904, or leave it out for 33"},
		"token beyond its generation": {fencing.Config{FirstToken: 1_000_000, Generations: true},
			"Config.FirstToken is 1000000, and with Config.Generations a counter has room below 1000000 only: give a lower number"},
		"nodes with tokens": {fencing.Config{Nodes: 3, Generations: true},
			"Config.Nodes is for lock nodes, which have neither tokens nor a queue: leave out SameToken, Generations and WaiterLease"},

		"token of lock nodes": {fencing.Config{Nodes: 3, FirstToken: 40}, "Config.FirstToken is 40, and lock nodes number nothing: leave out FirstToken or Config.Nodes"},
		"gap in one step": {fencing.Config{Fencing: true, CheckGap: s},
			`Config.CheckGap is 1s, and the check "at least the fence" has one step: set Check to fencing.TwoSteps, or leave out CheckGap`},
		"numbers that nobody reads": {fencing.Config{Check: fencing.Equal, NumberedWrites: true},
			`Config.NumberedWrites is set, and the check "equal to the fence" does not look at that number: leave out NumberedWrites or Check`},
		"fencing of your own storage": {fencing.Config{Storage: own, Fencing: true},
			"Config.Storage is a storage of your own, which checks tokens as it likes: leave out Fencing, Check, NumberedWrites and FenceForgotten, or leave out Storage"},
		"restart of your own storage": {fencing.Config{Storage: own, Faults: []fencing.Fault{fencing.RestartStorage(s)}},
			`the fault "storage/at 1s=reboot" cannot happen to a storage of your own, which has Write and Read only: leave out Config.Storage`},
		"clean-up of your own storage": {fencing.Config{Storage: own, Faults: []fencing.Fault{fencing.CleanUp("report", s)}},
			`the fault "storage/at 1s=clean up report" cannot happen to a storage of your own, which has Write and Read only: leave out Config.Storage`},

		"clock of a stranger": {clocks(fencing.Clock{Actor: "client 9"}), `Config.Clocks has a clock for "client 9", which nobody looks at: take one of "client 1", "lock service"`},
		"clock of the storage": {clocks(fencing.Clock{Actor: fencing.ActorStorage}),
			`Config.Clocks has a clock for "storage", which nobody looks at: take one of "client 1", "lock service"`},
		"clock of a service that is not there": {fencing.Config{Nodes: 2, Clocks: []fencing.Clock{{Actor: service}}},
			`Config.Clocks has a clock for "lock service", which nobody looks at: take one of "client 1", "node A", "node B"`},
		"clock too far off": {clocks(fencing.Clock{Actor: "client 1", Offset: -2000 * time.Hour}), `Config.Clocks sets the clock of "client 1" off by -2000h0m0s: the most is 1000 hours either way`},
		"clock that runs backwards": {clocks(fencing.Clock{Actor: "client 1", PPM: -1_000_000}),
			`Config.Clocks lets the clock of "client 1" run faster by -1000000 parts per million: give a number above -1000000 and up to 1000000; a clock that is 0.1 % fast has 1000`},
		"clock too fast": {clocks(fencing.Clock{Actor: "client 1", PPM: 1_000_001}),
			`Config.Clocks lets the clock of "client 1" run faster by 1000001 parts per million: give a number above -1000000 and up to 1000000; a clock that is 0.1 % fast has 1000`},
		"two clocks of one": {clocks(fencing.Clock{Actor: "client 1", PPM: 1}, fencing.Clock{Actor: "client 1", Offset: s}),
			`Config.Clocks has two clocks for "client 1": put its offset and its rate into one`},

		"suspension of no length":    {fault(fencing.SuspendAt("client 1", s, 0)), `the fault "client 1/at 1s=suspend 0s" lasts 0s: give a length above 0 s and up to 1000 hours, for example 14 * time.Second`},
		"suspension of a message":    {fault(fencing.Fault{Actor: "client 1", Point: fencing.WriteRequest, Action: fencing.SuspendIt, For: s}), `the fault "client 1/write request/1=suspend 1s" cannot strike at a point: give it a time, in At`},
		"restart of a stranger":      {fault(fencing.RestartAt("client 7", s)), `the fault "client 7/at 1s=restart" is for a client that this world does not have: its clients are "client 1"`},
		"restart at a point":         {fault(fencing.Fault{Actor: "client 1", Point: fencing.AfterAcquire, Action: fencing.RestartIt}), `the fault "client 1/after acquire/1=restart" cannot strike at a point: give it a time, in At`},
		"copy of no message":         {fault(fencing.Duplicate("client 1", fencing.AfterWrite, s)), `the fault "client 1/after write/1=duplicate 1s" needs a message, for example fencing.WriteRequest or fencing.WriteReply: only a message can be delayed, dropped or duplicated`},
		"copy at the same time":      {fault(fencing.Duplicate("client 1", fencing.WriteRequest, 0)), `the fault "client 1/write request/1=duplicate 0s" lasts 0s: give a length above 0 s and up to 1000 hours, for example 14 * time.Second`},
		"drop of no message":         {fault(fencing.Drop("client 1", fencing.BeforeRead)), `the fault "client 1/before read/1=drop" needs a message, for example fencing.WriteRequest or fencing.WriteReply: only a message can be delayed, dropped or duplicated`},
		"cut between two clients":    {fault(fencing.Cut("client 1", "client 1", 0, s)), `the fault "client 1/at 0s=cut 1s client 1" cuts a link that carries no messages: name a client and, on the other end, the lock service or the storage`},
		"cut between two parts":      {fault(fencing.Cut(service, fencing.ActorStorage, 0, s)), `the fault "lock service/at 0s=cut 1s storage" cuts a link that carries no messages: name a client and, on the other end, the lock service or the storage`},
		"cut from a stranger":        {fault(fencing.Cut("client 1", "database", 0, s)), `the fault "client 1/at 0s=cut 1s database" cuts off "database", which this world does not have: it has "client 1", "lock service", "storage"`},
		"cut from no service":        {nodes(fencing.Cut("client 1", service, 0, s)), `the fault "client 1/at 0s=cut 1s lock service" cuts off "lock service", which this world does not have: it has "client 1", "node A", "node B", "node C", "storage"`},
		"jump by nothing":            {fault(fencing.JumpClock("client 1", s, 0)), `the fault "client 1/at 1s=jump 0s" jumps by 0s: give a length other than 0 s, at most 1000 hours either way`},
		"jump too far":               {fault(fencing.JumpClock("client 1", s, -2000*time.Hour)), `the fault "client 1/at 1s=jump -2000h0m0s" jumps by -2000h0m0s: give a length other than 0 s, at most 1000 hours either way`},
		"jump of the storage":        {fault(fencing.JumpClock(fencing.ActorStorage, s, s)), `the fault "storage/at 1s=jump 1s" is for the clock of "storage", which nobody looks at: take one of "client 1", "lock service"`},
		"stop for no time":           {fault(fencing.StopClock("client 1", s, 0)), `the fault "client 1/at 1s=stop clock 0s" lasts 0s: give a length above 0 s and up to 1000 hours, for example 14 * time.Second`},
		"restart of no node":         {fault(fencing.RestartNode("node C", s)), `the fault "node C/at 1s=reboot" cannot happen to "node C": it can happen to "storage"`},
		"pause at no point":          {fault(fencing.Pause("client 1", 0, s)), `the fault "client 1/invalid/1=pause 1s" has a point that does not exist: take one of fencing's, for example fencing.AfterAcquire`},
		"crash at no point":          {fault(fencing.Crash("client 1", 0)), `the fault "client 1/invalid/1=crash" has a point that does not exist: take one of fencing's, for example fencing.AfterAcquire`},
		"clean-up of nothing":        {fault(fencing.CleanUp("", s)), `the fault "storage/at 1s=clean up \"\"" deletes a key without a name: give the key, for example "report"`},
		"fail-over of nodes":         {nodes(fencing.FailOver(s)), `the fault "lock service/at 1s=fail over" needs one lock service, and this world has 3 lock nodes: restart a node with fencing.RestartNode, or leave out Config.Nodes`},
		"fail-over of the storage":   {fault(fencing.Fault{Actor: fencing.ActorStorage, Action: fencing.FailOverIt}), `the fault "storage/at 0s=fail over" cannot happen to "storage": it can happen to "lock service"`},
		"fail-over before the start": {fault(fencing.FailOver(-s)), `the fault "lock service/at -1s=fail over" strikes at -1s: give a time from 0 s to 1000 hours`},
		"crash of one thread":        {fault(fencing.Crash("client 1", fencing.AfterAcquire).ThreadOnly()), `the fault "client 1/after acquire/1=crash, thread only" is for one thread only, which works for a pause: use fencing.Pause or fencing.PauseAt`},
		"a pause that keeps":         {fault(fencing.PauseAt("client 1", s, s).Keeping()), `the fault "client 1/at 1s=pause 1s, keeping" has nothing to keep: Keeping is for fencing.RestartAt and fencing.FailOver`},
		"a crash that counts":        {fault(fencing.CrashAt("client 1", s).CountingBack(2)), `the fault "client 1/at 1s=crash, counting back 2" has no counter: CountingBack is for fencing.FailOver`},

		"a point and a time": {fault(fencing.Fault{Actor: "client 1", Point: fencing.AfterAcquire, At: 3 * s, Action: fencing.CrashIt}),
			`the fault "client 1/after acquire/1=crash" has the time 3s as well as a point: leave out At or Point`},
		"a time that comes twice": {fault(fencing.CrashAt("client 1", s).Time(2)),
			`the fault "client 1/at 1s=crash" strikes at a time, which comes once, and was told to strike when it comes no. 2: leave out Nth, or give a point`},
		"a long crash": {fault(fencing.Fault{Actor: "client 1", Point: fencing.AfterAcquire, Action: fencing.CrashIt, For: 9 * s}),
			`the fault "client 1/after acquire/1=crash" was given the length 9s, and a crash has none: leave out For`},
		"a pause with a target": {fault(fencing.Fault{Actor: "client 1", At: s, Action: fencing.PauseIt, For: s, Target: fencing.ActorStorage}),
			`the fault "client 1/at 1s=pause 1s" was given the target "storage", and only a cut and a clean-up have one: leave out Target`},

		"cut when all have ended":          {fault(fencing.Cut("client 1", service, 7*s, s)), `the fault "client 1/at 7s=cut 1s lock service" never happened, because every client had already ended: choose an earlier time`},
		"jump when all have ended":         {fault(fencing.JumpClock(service, 7*s, s)), `the fault "lock service/at 7s=jump 1s" never happened, because every client had already ended: choose an earlier time`},
		"stop when all have ended":         {fault(fencing.StopClock("client 1", 7*s, s)), `the fault "client 1/at 7s=stop clock 1s" never happened, because every client had already ended: choose an earlier time`},
		"clean-up when all have ended":     {fault(fencing.CleanUp("report", 7*s)), `the fault "storage/at 7s=clean up report" never happened, because every client had already ended: choose an earlier time`},
		"restart when all have ended":      {fault(fencing.RestartStorage(7 * s)), `the fault "storage/at 7s=reboot" never happened, because every client had already ended: choose an earlier time`},
		"fail-over when all have ended":    {fault(fencing.FailOver(7 * s)), `the fault "lock service/at 7s=fail over" never happened, because every client had already ended: choose an earlier time`},
		"node's restart when all are gone": {nodes(fencing.RestartNode("node A", 7*s)), `the fault "node A/at 7s=reboot" never happened, because every client had already ended: choose an earlier time`},

		"choice of a pause for a message": {at(fencing.AcquireRequest, fencing.Choice{Action: fencing.PauseIt, For: s}),
			`the chooser chose what cannot be: the fault "client 1/acquire request/1=pause 1s" stops a client at a message: give a point of the client, for example fencing.BeforeWrite, or use fencing.Delay for the message`},
		"choice of a delay for a client": {at(fencing.BeforeAcquire, fencing.Choice{Action: fencing.DelayIt, For: s}),
			`the chooser chose what cannot be: the fault "client 1/before acquire/1=delay 1s" needs a message, for example fencing.WriteRequest or fencing.WriteReply: only a message can be delayed, dropped or duplicated`},
		"choice of a pause into the past": {at(fencing.BeforeAcquire, fencing.Choice{Action: fencing.PauseIt, For: -s}),
			`the chooser chose what cannot be: the fault "client 1/before acquire/1=pause -1s" lasts -1s: give a length above 0 s and up to 1000 hours, for example 14 * time.Second`},
		"choice of a fail-over": {at(fencing.BeforeAcquire, fencing.Choice{Action: fencing.FailOverIt}),
			`the chooser chose what cannot be: the fault "client 1/before acquire/1=fail over" cannot happen to "client 1": it can happen to "lock service"`},
	} {
		t.Run(name, func(t *testing.T) {
			trace := run(test.config, func(c *fencing.Client) { c.Release(c.Acquire("report")); c.Sleep(5 * s) })
			require.EqualError(t, trace.Err(), test.want)
			assert.Contains(t, trace.String(), trace.Err().Error(), "the story shows it")
			for _, f := range trace.Verdict().Findings {
				assert.NotEqual(t, fencing.Holds, f.Status, "an error proves nothing")
			}
		})
	}
}

func TestNonsenseCallsGetASentenceThatSaysWhatToWrite(t *testing.T) {
	for want, call := range map[string]func(*fencing.Client){
		`client 1 made a mistake: it used "" as the name of a lock, a key or an effect: give the key a name, for example "report"`:                             func(c *fencing.Client) { c.Claim("", 33) },
		`client 1 made a mistake: it used "" as the name of a lock, a key or an effect: give the effect a name, for example "report"`:                          func(c *fencing.Client) { c.Do("") },
		`client 1 made a mistake: it used "" as the name of a lock, a key or an effect: give the lock a name, for example "report"`:                            func(c *fencing.Client) { c.ReleaseByName("") },
		`client 1 made a mistake: it pauses for -1s: give a length from 0 s to 1000 hours, for example 2 * time.Second`:                                        func(c *fencing.Client) { c.Pause(-s) },
		`client 1 made a mistake: it used a lease that no Acquire returned: pass the lease that c.Acquire gave`:                                                func(c *fencing.Client) { c.Renew(fencing.Lease{}) },
		`client 1 made a mistake: it keeps a lease alive every 1000h0m0.000000001s: give a length above 0 s and up to 1000 hours, for example 3 * time.Second`: func(c *fencing.Client) { c.KeepAlive(c.Acquire("report"), 1000*time.Hour+1) },
	} {
		assert.EqualError(t, run(fencing.Config{}, call).Err(), want)
	}
	own := fencing.Config{Storage: storage(func() error { return nil })}
	assert.EqualError(t, run(own, func(c *fencing.Client) { c.Claim("report", 33) }).Err(),
		`client 1 made a mistake: it claims "report", and a storage of your own has Write and Read only: leave out Config.Storage`)
	assert.EqualError(t, run(own, func(c *fencing.Client) { c.Delete("report", 33) }).Err(),
		`client 1 made a mistake: it deletes "report", and a storage of your own has Write and Read only: leave out Config.Storage`)
	assert.EqualError(t, run(own, func(c *fencing.Client) { c.WriteIf("report", "x", 33) }).Err(),
		`client 1 made a mistake: it compares the version of "report", and a storage of your own has Write and Read only: leave out Config.Storage`)
	assert.EqualError(t, run(fencing.Config{Nodes: 3}, func(c *fencing.Client) { c.CurrentToken("report") }).Err(),
		`client 1 made a mistake: it asks for the token of "report", and lock nodes number nothing: leave out Config.Nodes`)
	assert.EqualError(t, run(fencing.Config{}, func(c *fencing.Client) { c.Lost(fencing.Lease{}) }).Err(),
		`client 1 made a mistake: it used a lease that no Acquire returned: pass the lease that c.Acquire gave`)
}

func TestANonsensePolicyGetsASentenceThatSaysWhatToWrite(t *testing.T) {
	for want, policy := range map[string]fencing.Policy{
		"Policy.Start is -1s: give a positive length, or leave it out to begin at once (the longest is 1000 hours)":                       {Start: -s},
		"Policy.WorkBefore is -1s: give a positive length, or leave it out for 1 s (the longest is 1000 hours)":                           {WorkBefore: -s},
		"Policy.WorkAfter is 2000h0m0s: give a positive length, or leave it out for 5 s (the longest is 1000 hours)":                      {WorkAfter: 2000 * time.Hour},
		"Policy.RenewEvery is -1s: give a positive length, or leave it out for a lease that is never renewed (the longest is 1000 hours)": {RenewEvery: -s},
		"Policy.Writes is -3: give a positive number, or leave it out for 1":                                                              {Writes: -3},
		"Policy.Rounds is -2: give a positive number, or leave it out for 1":                                                              {Rounds: -2},
	} {
		assert.EqualError(t, run(fencing.Config{}, fencing.Worker(policy)).Err(), "client 1 made a mistake: "+want)
	}
}

func TestAFaultForATimeStrikesAsLongAsAnythingThatAClientSentIsUnderWay(t *testing.T) {
	late := fencing.Config{Timeout: s, Faults: []fencing.Fault{fencing.Delay("client 1", fencing.WriteRequest, 9*s), fencing.CleanUp("report", 7*s)}}
	trace := run(late, func(c *fencing.Client) { c.Write("report", "x", 33) })
	require.NoError(t, trace.Err())
	assert.Len(t, times(trace, fencing.Deleted), 1, "before the write arrives")

	lives := 0
	trace = run(faults(fencing.FailOver(7*s), fencing.RestartAt("client 1", 8*s)), func(c *fencing.Client) { lives++ })
	require.NoError(t, trace.Err())
	assert.Equal(t, 2, lives)
	assert.Len(t, times(trace, fencing.FailedOver), 1, "before the client begins anew")
}

func TestAFaultThatNeverHappensDoesNotEndTheRunEarlyAndItsErrorCanBeTold(t *testing.T) {
	trace := two(faults(fencing.PauseAt("client 1", 3*s, s)), func(*fencing.Client) {}, func(c *fencing.Client) { c.Sleep(5 * s); c.Write("report", "x", 33) })
	assert.ErrorIs(t, trace.Err(), fencing.ErrUnreached)
	assert.Len(t, trace.Attempts(), 1)
	assert.NotErrorIs(t, run(fencing.Config{}, func(*fencing.Client) { panic("x") }).Err(), fencing.ErrUnreached)
}

func TestAWorldOrAClientThatNobodyMadeSaysHowToMakeOne(t *testing.T) {
	var world fencing.World
	world.Client("client 1", func(*fencing.Client) {})
	trace := world.Run()
	assert.EqualError(t, trace.Err(), "this world was not made by fencing.NewWorld, so it has neither a lock service nor a storage: write world := fencing.NewWorld(fencing.Config{})")
	assert.Contains(t, trace.String(), trace.Err().Error())

	inNoWorld := "fencing: this client is in no world: use the *fencing.Client that a world passes to the function given to world.Client"
	var client fencing.Client
	assert.PanicsWithValue(t, inNoWorld, func() { client.Acquire("report") })
	assert.PanicsWithValue(t, inNoWorld, func() { client.Lost(fencing.Lease{Lock: "report"}) })
	var none *fencing.Client
	assert.PanicsWithValue(t, inNoWorld, func() { none.Sleep(s) })
	inside := run(fencing.Config{}, func(*fencing.Client) { client.Write("report", "x", 33) })
	assert.ErrorContains(t, inside.Err(), "client 1 panicked: "+inNoWorld)
}

func TestAWorldThatIsRunInsideAClientSaysSo(t *testing.T) {
	w := fencing.NewWorld(fencing.Config{})
	w.Client("client 1", func(c *fencing.Client) { c.Sleep(s); w.Run() })
	assert.EqualError(t, w.Run().Err(), "client 1 made a mistake: it called world.Run, which runs already: call it once, after the last world.Client and outside every client's function")
}

func TestAForgottenUnitIsNoticedWhereverALengthOrAMomentIsGiven(t *testing.T) {
	const hardly, shortest = ", which is hardly meant: write the unit, for example 3 * time.Second", " (the shortest is 1µs)"
	idle := func(*fencing.Client) {}
	for what, config := range map[string]fencing.Config{
		"Config.Lease is": {Lease: 3}, "Config.Latency is": {Latency: 3}, "Config.Timeout is": {Timeout: 3}, "Config.LockDelay is": {LockDelay: 3},
		"Config.NoticeLate is": {NoticeLate: 3}, "Config.MaxHold is": {MaxHold: 3}, "Config.CheckGap is": {CheckGap: 3, Fencing: true, Check: fencing.TwoSteps},
		`Config.Clocks sets the clock of "client 1" off by`:             clocks(fencing.Clock{Actor: "client 1", Offset: 3}),
		`the fault "client 1/after acquire/1=pause 3ns" lasts`:          faults(fencing.Pause("client 1", fencing.AfterAcquire, 3)),
		`the fault "client 1/at 3ns=pause 1s" strikes at`:               faults(fencing.PauseAt("client 1", 3, s)),
		`the fault "lock service/at 1s=jump 3ns" jumps by`:              faults(fencing.JumpClock(fencing.ActorLockService, s, 3)),
		`the fault "client 1/at 3ns=cut 1s storage" strikes at`:         faults(fencing.Cut("client 1", fencing.ActorStorage, 3, s)),
		`the fault "client 1/write request/1=duplicate 3ns" lasts`:      faults(fencing.Duplicate("client 1", fencing.WriteRequest, 3)),
		`the fault "lock service/at 3ns=fail over, keeping" strikes at`: faults(fencing.FailOver(3).Keeping()),
		`the fault "storage/at 3ns=clean up report" strikes at`:         faults(fencing.CleanUp("report", 3)),
		`the fault "lock service/at 3ns=stop clock 1s" strikes at`:      faults(fencing.StopClock(fencing.ActorLockService, 3, s)),
		`the fault "client 1/at 3ns=restart" strikes at`:                faults(fencing.RestartAt("client 1", 3)),
		`the fault "client 1/at 1s=suspend 3ns" lasts`:                  faults(fencing.SuspendAt("client 1", s, 3)),
		`the fault "client 1/at 3ns=crash" strikes at`:                  faults(fencing.CrashAt("client 1", 3)),
		`the fault "storage/at 3ns=reboot" strikes at`:                  faults(fencing.RestartStorage(3)),
	} {
		assert.EqualError(t, run(config, idle).Err(), what+" 3ns"+hardly+shortest)
	}
	for what, call := range map[string]func(*fencing.Client){
		"it sleeps for": func(c *fencing.Client) { c.Sleep(3) }, "it works for": func(c *fencing.Client) { c.Work(3) },
		"it pauses for": func(c *fencing.Client) { c.Pause(3) }, "it keeps a lease alive every": func(c *fencing.Client) { c.KeepAlive(c.Acquire("report"), 3) },
		"Policy.Start is": fencing.Worker(fencing.Policy{Start: 3}), "Policy.WorkBefore is": fencing.Worker(fencing.Policy{WorkBefore: 3}),
		"Policy.WorkAfter is": fencing.Worker(fencing.Policy{WorkAfter: 3}), "Policy.RenewEvery is": fencing.Worker(fencing.Policy{RenewEvery: 3}),
	} {
		assert.EqualError(t, run(fencing.Config{}, call).Err(), "client 1 made a mistake: "+what+" 3ns"+hardly+shortest)
	}
	assert.EqualError(t, fencing.Preset{Later: 3}.Run().Err(), "Preset.Later is 3ns"+hardly+shortest)
	assert.EqualError(t, fencing.Preset{Later: -3 * s}.Run().Err(), "Preset.Later is -3s: give a positive length, or leave it out for 1 s (the longest is 1000 hours)")
	assert.NotPanics(t, func() { fencing.Preset{Later: 3}.AddTo(&fencing.World{}) })
}

func TestATinyLengthThatIsCountedFromAnOddClockPasses(t *testing.T) {
	odd := clocks(fencing.Clock{Actor: "client 1", PPM: 777})
	assert.NoError(t, run(odd, func(c *fencing.Client) { c.Sleep(3); c.Work(3) }).Err())
	every := s + 1
	assert.NoError(t, run(fencing.Config{Latency: s / 2}, func(c *fencing.Client) { c.KeepAlive(c.Acquire("report"), every); c.Sleep(9 * s) }).Err(), "a renewer sleeps for the rest")
}

func TestARunThatTakesTooManyStepsNamesTheCauseThatItKnows(t *testing.T) {
	acquire := func(c *fencing.Client) { c.Acquire("report") }
	assert.EqualError(t, run(fencing.Config{Nodes: 3, Latency: 2 * s, Timeout: 3 * s, Steps: 500}, acquire).Err(),
		"the run took more than 500 steps, client 1 last: no reply comes in time, since a request and its reply take 4 s and Config.Timeout is 3 s: raise Config.Timeout, or raise Config.Steps")
	assert.EqualError(t, run(fencing.Config{Steps: 500}, func(c *fencing.Client) { c.KeepAlive(c.Acquire("report"), time.Millisecond); c.Sleep(time.Hour) }).Err(),
		"the run took more than 500 steps, client 1 last: it renews its lease every 0.001 s: renew less often, let the client end sooner, or raise Config.Steps")
}

func TestWhatAFaultCouldNotDoIsSaid(t *testing.T) {
	write := func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Write("report", "x", lease.Token)
		c.Sleep(5 * s)
	}
	assert.EqualError(t, run(faults(fencing.CleanUp("reprot", 3*s)), write).Err(),
		`the fault "storage/at 3s=clean up reprot" never happened, because no client used the key "reprot": give one that they used, which is "report"`)
	assert.NoError(t, run(faults(fencing.CleanUp("report", 3*s)), write).Err())
	assert.NoError(t, run(faults(fencing.CleanUp("report", 3*s)), func(c *fencing.Client) { c.Sleep(4 * s); c.Read("report") }).Err(), "it came too early, but it knew the key")

	tells(t, run(faults(fencing.FailOver(3*s).CountingBack(99)), write), "3 s  lock service  fails over: the next token of \"report\" is 33; it had made 1 grant, and not the 99 that were to be lost")
	tells(t, run(faults(fencing.FailOver(3*s).CountingBack(1)), write), "3 s  lock service  fails over: the next token of \"report\" is 33\n")
	tells(t, run(faults(fencing.FailOver(3*s).CountingBack(fencing.FromStart)), write), "3 s  lock service  fails over: the next token of \"report\" is 33\n")

	cut := func(at time.Duration) fencing.Config {
		config := faults(fencing.Cut("client 1", fencing.ActorStorage, at, s))
		config.Timeout = s
		return config
	}
	tells(t, run(cut(3*s), write), "loses every message from client 1 to the storage until 4 s, and none is sent\n")
	tells(t, run(cut(0), write), "loses every message from client 1 to the storage until 1 s\n")
}

func TestACheckThatNobodyMakesIsSaidUnderTheTitle(t *testing.T) {
	assert.Equal(t, "lease 10 s · fencing off, and with it the check “equal to the fence”", fencing.NewWorld(fencing.Config{Check: fencing.Equal}).Run().Config.Parameters())
	assert.Contains(t, fencing.Config{NumberedWrites: true}.Parameters(), "writes are numbered within a grant, and nobody checks it")
	assert.NotContains(t, fencing.Config{NumberedWrites: true, Fencing: true}.Parameters(), "nobody checks")
}
