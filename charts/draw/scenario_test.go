package draw

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/reported"
)

const s = time.Second

// everything is a run with most of what a trace can hold.
func everything() *fencing.Trace {
	w := fencing.NewWorld(fencing.Config{Name: "everything", Fencing: true, Latency: 50 * time.Millisecond, Timeout: 2 * s, Lease: 6 * s, Faults: []fencing.Fault{
		fencing.RestartAt("client 1", 5*s).Keeping(), fencing.Drop("client 2", fencing.WriteReply), fencing.Duplicate("client 1", fencing.WriteRequest, 3*s),
		fencing.JumpClock("client 2", 4*s, 3*s), fencing.StopClock(fencing.ActorLockService, 8*s, 4*s), fencing.RestartStorage(12 * s), fencing.CleanUp("report", 15*s), fencing.FailOver(20 * s)}})
	for i := range 3 {
		w.Client(fmt.Sprintf("client %d", i+1), func(c *fencing.Client) {
			c.Sleep(time.Duration(i) * s)
			lease := c.Acquire("report")
			c.Claim("report", lease.Token)
			c.Work(s)
			c.Write("report", "draft of "+c.Name(), lease.Token)
			c.Read("report")
			c.CurrentToken("report")
			c.Do("send the e-mail")
			c.Work(2 * s)
			if i == 1 {
				c.Delete("report", lease.Token)
			}
			c.TryAcquire("other")
			c.Work(2 * s)
			c.Release(lease)
		})
	}
	return w.Run()
}

// scenarios are runs that a chart has to cope with.
func scenarios() map[string]*fencing.Trace {
	traces := map[string]*fencing.Trace{"everything": everything(), "crowd": crowd()[0]}
	for _, r := range reported.All() {
		traces[r.Name], traces[r.Name+", cured"] = r.Without(), r.Cured()
	}
	for _, p := range fencing.Presets() {
		pair := both(p)
		traces[p.Name], traces[p.Name+", fencing"] = pair[0], pair[1]
	}
	return traces
}

// What a trace can hold, and the mark by which a picture tells it.
func TestEverythingThatATraceCanHoldIsDrawn(t *testing.T) {
	drawn := kinds(panes([]*fencing.Trace{everything()})[0])
	for _, kind := range []string{"read", "claim", "effect", "effect twice", "restart", "reboot", "clean-up", "fail-over line", "forgotten", "clock", "clock jump", "clock stop",
		"asked", "reply lost", "message again", "message aside", "wait", "lease", "renewal", "belief right", "belief wrong", "accepted", "content", "unknown", "deleted content"} {
		assert.NotZero(t, drawn[kind], kind)
	}
	for scenario, kinds_ := range map[string][]string{
		"cut off from the lock service only":                   {"cut", "request lost", "unknown"},
		"the renewer starves while the worker runs":            {"pause of a thread"},
		"the holder's laptop sleeps":                           {"suspend", "clock", "check"},
		"a fail-over loses the lock":                           {"fail-over line", "forgotten", "read", "accepted, unseen change lost", "accepted, late"},
		"a fail-over loses the lock, cured":                    {"claim", "rejected"},
		"the loss is noticed and not acted on":                 {"refused", "belief end"},
		"the fence is forgotten by a restart":                  {"reboot"},
		"the fence is forgotten by a clean-up":                 {"clean-up"},
		"a job outlives its lock and runs twice":               {"effect", "effect twice"},
		"a job outlives its lock and runs twice, cured":        {"effect stopped"},
		"a write that timed out arrives after the next":        {"message delayed", "unknown"},
		"Redlock: the clock of node C jumps":                   {"clock jump", "cut", "expiry", "refused"},
		"Redlock: node C restarts without its lock":            {"reboot", "forgotten"},
		"a plain delete frees the next holder's lock":          {"overlap", "refused"},
		"Redlock: a pause after the check of the elapsed time": {"pause"},
	} {
		trace := scenarios()[scenario]
		require.NotNil(t, trace, scenario)
		got := kinds(panes([]*fencing.Trace{trace})[0])
		for _, kind := range kinds_ {
			assert.NotZero(t, got[kind], "%s: %s", scenario, kind)
		}
	}
}

func TestLockNodesHaveLanesOfTheirOwn(t *testing.T) {
	said := texts(panes([]*fencing.Trace{reported.RedlockClockJump().Without()})[0])
	for _, name := range []string{"node A", "node B", "node C", "node D", "node E"} {
		assert.Contains(t, said, name)
	}
	assert.Contains(t, said, "its clock jumps by +20 s")
	assert.NotContains(t, said, "lock service")
}

func TestAnEventKnowsWhatLedToIt(t *testing.T) {
	p := panes([]*fencing.Trace{fencing.GCPause().Run()})[0]
	told := p.storyOf()
	lines := map[int]Line{}
	for _, l := range told.Lines {
		lines[l.Seq] = l
	}
	stale := lines[told.Proof]
	assert.Contains(t, stale.Says, "although it had accepted 34")
	cause := lines[stale.Cause]
	assert.Equal(t, "client 1", cause.Who)
	for _, l := range told.Lines {
		assert.Less(t, l.Cause, l.Seq, "a cause comes before what it led to")
		if l.Cause > 0 {
			assert.NotEmpty(t, lines[l.Cause].Says, "the cause of %d is in the story", l.Seq)
		}
	}
}

// long is a run of some 140 events a round.
func long(rounds int) *fencing.Trace {
	w := fencing.NewWorld(fencing.Config{Name: "long", Latency: 10 * time.Millisecond, Steps: 1_000_000, Faults: []fencing.Fault{fencing.Pause("client 1", fencing.BeforeWrite, 14*s).Time(40)}})
	for i := range 4 {
		w.Client(fmt.Sprintf("client %d", i+1), fencing.Worker(fencing.Policy{Start: time.Duration(i) * s, Rounds: rounds, ReadModifyWrite: i == 3, RenewEvery: 4 * s}))
	}
	return w.Run()
}

func TestALongRunStaysUsable(t *testing.T) {
	trace := long(68)
	require.NoError(t, trace.Err())
	require.Greater(t, len(trace.Events), 9_000)
	began := time.Now()
	chart := Timeline([]*fencing.Trace{trace})
	option, err := chart.Option()
	require.NoError(t, err)
	t.Logf("%d events: option of %d bytes in %s", len(trace.Events), len(option), time.Since(began))
	assert.Less(t, len(option), 6_000_000)
	assert.Contains(t, string(option), `"dataZoom"`)
	short, err := Timeline([]*fencing.Trace{fencing.GCPause().Run()}).Option()
	require.NoError(t, err)
	assert.NotContains(t, string(short), `"dataZoom"`)
}

func TestAVeryLongRunIsDrawnUpToItsTwelveThousandthEvent(t *testing.T) {
	trace := long(150)
	require.Greater(t, len(trace.Events), mostEvents)
	chart := Timeline([]*fencing.Trace{trace})
	option, err := chart.Option()
	require.NoError(t, err)
	assert.Contains(t, chart.Title, "are drawn")
	assert.Less(t, len(option), 8_000_000)
}

func TestAProjectorHasLargerTypeAndMarks(t *testing.T) {
	trace := []*fencing.Trace{fencing.GCPause().Run()}
	small, big := Timeline(trace), Timeline(trace, Projector())
	assert.Greater(t, big.Width, small.Width)
	assert.LessOrEqual(t, big.Width, 1200, "it fits a page of 1280 pixels")
	assert.LessOrEqual(t, big.Height, 600, "it fits a page of 720 pixels with its title")
	option, err := big.Option()
	require.NoError(t, err)
	assert.Contains(t, string(option), `"scale":1.4`)
}

func BenchmarkTimelineOfAPreset(b *testing.B) {
	traces := both(fencing.GCPause())
	for b.Loop() {
		Timeline(traces).Option()
	}
}

func BenchmarkTimelineOfTenThousandEvents(b *testing.B) {
	trace := []*fencing.Trace{long(68)}
	for b.Loop() {
		Timeline(trace).Option()
	}
}

func TestALoopThatNeverLeavesOneInstantIsDrawnInPart(t *testing.T) {
	w := fencing.NewWorld(fencing.Config{})
	w.Client("client 1", func(c *fencing.Client) {
		for lease := c.Acquire("report"); ; {
			c.Write("report", "again", lease.Token)
		}
	})
	trace := w.Run()
	require.Error(t, trace.Err())
	r := newRun(trace, view{until: -1})
	assert.Len(t, r.trace.Events, mostEvents+1)
	assert.Contains(t, r.title, "of which those up to 0 s are drawn")
}
