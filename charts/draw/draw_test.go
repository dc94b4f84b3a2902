package draw

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

// both runs a preset without and with fencing.
func both(p fencing.Preset) []*fencing.Trace {
	off := p.Run()
	p.Fencing = true
	return []*fencing.Trace{off, p.Run()}
}

// panes draws the traces as Timeline does, for a look at the shapes.
func panes(traces []*fencing.Trace) []*pane {
	var runs []run
	for _, t := range traces {
		runs = append(runs, newRun(t, view{until: -1}))
	}
	var drawn []*pane
	top := 50.0
	for _, r := range runs {
		p := newPane(r, newAxis(runs, laptop.plot), top)
		p.draw()
		drawn = append(drawn, p)
		top = p.bottom + 60
	}
	return drawn
}

func kinds(p *pane) map[string]int {
	n := map[string]int{}
	for _, s := range p.shapes {
		n[s.Kind]++
	}
	return n
}

func texts(p *pane) []string {
	var said []string
	for _, s := range p.shapes {
		if s.Form == text {
			said = append(said, s.Text)
		}
	}
	return said
}

// A comparison of every preset, by what its marks tell.
func TestEveryPresetShowsItsMarks(t *testing.T) {
	for _, c := range []struct {
		preset  fencing.Preset
		off, on map[string]int
	}{
		{fencing.HealthyHandOver(),
			map[string]int{"accepted": 2, "release": 2, "renewal": 2, "belief right": 2, "message": 4},
			map[string]int{"accepted": 2, "release": 2, "renewal": 2, "belief right": 2, "message": 4}},
		{fencing.GCPause(),
			map[string]int{"accepted": 1, "accepted, stale": 1, "belief wrong": 1, "pause": 1, "overlap": 1, "expiry": 1, "release": 1, "wait": 1, "belief end": 1},
			map[string]int{"accepted": 1, "rejected": 1, "belief wrong": 1, "pause": 1, "overlap": 1, "expiry": 1, "release": 1, "wait": 1, "belief end": 1}},
		{fencing.CheckThenWrite(),
			map[string]int{"check": 2, "accepted, stale": 1, "overlap": 1},
			map[string]int{"check": 2, "rejected": 1, "overlap": 1}},
		{fencing.DelayedWrite(),
			map[string]int{"message delayed": 1, "unknown": 1, "accepted, stale": 1, "overlap": 0, "belief wrong": 0, "pause": 0},
			map[string]int{"message delayed": 1, "unknown": 1, "rejected": 1, "overlap": 0, "belief wrong": 0, "pause": 0}},
		{fencing.RenewingMoreOften(),
			map[string]int{"accepted, stale": 1, "belief wrong": 1, "overlap": 1, "belief end": 1},
			map[string]int{"rejected": 1, "belief wrong": 1, "overlap": 1, "belief end": 1}},
		{fencing.CrashedHolder(),
			map[string]int{"crash": 1, "expiry": 1, "accepted": 1, "accepted, stale": 0},
			map[string]int{"crash": 1, "expiry": 1, "accepted": 1, "rejected": 0}},
	} {
		t.Run(c.preset.Name, func(t *testing.T) {
			drawn := panes(both(c.preset))
			for i, want := range []map[string]int{c.off, c.on} {
				got := kinds(drawn[i])
				for kind, n := range want {
					assert.Equal(t, n, got[kind], "%s, fencing %v", kind, i == 1)
				}
				assert.Equal(t, got["accepted"]+got["accepted, stale"]+got["accepted, late"], got["content"], "every accepted write changes what the storage holds")
			}
		})
	}
}

func TestEveryMarkHasItsWords(t *testing.T) {
	drawn := panes(both(fencing.GCPause()))
	for i, want := range [][]string{
		{"client 1", "client 2", "lock service", "storage", "believes, rightly", "believes, wrongly", "waits for the lock", "token 33", "token 34",
			"lease ends: 34 granted", "released", "34 accepted", "33 accepted, stale", "both believe: 6 s (2 s of it both running)",
			"paused 14 s: it sees nothing, and nobody tells it", "holds client 1’s data: client 2’s is lost", "release: “not yours”"},
		{"34 accepted, fence 34", "33 rejected: 33 < 34", "both believe: 5 s (1 s of it both running)", "holds client 2’s data", "learns: the storage rejected its token"},
	} {
		for _, w := range want {
			assert.Contains(t, texts(drawn[i]), w)
		}
	}
}

// crowd is a run of five clients with messages that take time, two locks and two
// keys.
func crowd() []*fencing.Trace {
	w := fencing.NewWorld(fencing.Config{Latency: 100 * time.Millisecond, Timeout: 4 * time.Second, Lease: 3 * time.Second, Faults: []fencing.Fault{
		fencing.Pause("client 1", fencing.AfterAcquire, 5*time.Second), fencing.Drop("client 2", fencing.WriteRequest), fencing.Crash("client 3", fencing.AfterAcquire)}})
	for i := range 5 {
		w.Client(fmt.Sprintf("client %d", i+1), fencing.Worker(fencing.Policy{Key: []string{"report", "invoice"}[i%2], Start: time.Duration(i) * time.Second, RenewEvery: time.Second}))
	}
	return []*fencing.Trace{w.Run()}
}

func TestSeveralKeysHaveLanesOfTheirOwn(t *testing.T) {
	p := panes(crowd())[0]
	for _, name := range []string{"client 5", "lock service report", "lock service invoice", "storage report", "storage invoice"} {
		assert.Contains(t, texts(p), name)
	}
	assert.NotZero(t, kinds(p)["request lost"])
}

func TestTheSecondsOfARealRunAreNotCalledSimulated(t *testing.T) {
	simulated := fencing.GCPause().Run()
	real := fencing.Recorded(simulated.Config, simulated.Clients, simulated.Events, nil)
	real.Config.Systems = "etcd and SQLite"
	name := func(traces ...*fencing.Trace) string {
		var runs []run
		for _, trace := range traces {
			runs = append(runs, newRun(trace, view{until: -1}))
		}
		return axisName(runs)
	}
	assert.Equal(t, "simulated seconds", name(simulated))
	assert.Equal(t, "seconds", name(simulated, real))
}

func TestAHeldBackChartKnowsNothingOfWhatComesLater(t *testing.T) {
	for _, preset := range fencing.Presets() {
		for _, fence := range []bool{false, true} {
			preset.Fencing = fence
			chart := Timeline([]*fencing.Trace{preset.Run()}, HoldBack(11*time.Second))
			option, err := chart.Option()
			require.NoError(t, err)
			all := string(option) + chart.Title + chart.Description()
			assert.Contains(t, chart.Title, "what happens next?")
			for _, outcome := range []string{"33 accepted, stale", "33 rejected", "at 12 s", "at 16 s", "still until 15 s", "12 s ·", "15 s ·", "16 s ·", "arrive at 16 s"} {
				assert.False(t, strings.Contains(withoutLegend(all), outcome), "%s, fencing %v: %s", preset.Name, fence, outcome)
			}
		}
	}
}

func withoutLegend(option string) string { return strings.ReplaceAll(option, `"accepted, stale"`, "") }

func TestAHeldBackChartIsTheSameWhateverComesLater(t *testing.T) {
	long := fencing.GCPause()
	long.Faults[0].For = 500 * time.Second
	for _, at := range []time.Duration{0, 5 * time.Second, 11 * time.Second} {
		option := func(p fencing.Preset) string {
			trace := p.Run()
			trace.Config = fencing.Config{} // the parameters stand in the chart, and may differ
			option, err := Timeline([]*fencing.Trace{trace}, HoldBack(at)).Option()
			require.NoError(t, err)
			return string(option)
		}
		assert.True(t, option(fencing.GCPause()) == option(long), "held back at %s", at)
	}
}

// What lasts longer than the class may see looks as if nobody knew how long.
func TestAHeldBackChartDoesNotTellHowLongAFaultLasts(t *testing.T) {
	option := func(d time.Duration) string {
		w := fencing.NewWorld(fencing.Config{Timeout: 30 * time.Second, Faults: []fencing.Fault{
			fencing.Cut("client 2", fencing.ActorLockService, 3*time.Second, d), fencing.StopClock("client 2", 3*time.Second, d), fencing.SuspendAt("client 1", 4*time.Second, d),
			fencing.Delay("client 1", fencing.WriteRequest, d)}})
		for i := range 2 {
			w.Client(fmt.Sprintf("client %d", i+1), fencing.Worker(fencing.Policy{Start: time.Duration(i+1) * time.Second, Effect: "send"}))
		}
		trace := w.Run()
		require.NoError(t, trace.Err())
		trace.Config = fencing.Config{Timeout: 30 * time.Second}
		option, err := Timeline([]*fencing.Trace{trace}, HoldBack(8*time.Second)).Option()
		require.NoError(t, err)
		return string(option)
	}
	assert.True(t, option(9*time.Second) == option(900*time.Second))
}

func TestTheTitleSaysTheErrorOfARun(t *testing.T) {
	w := fencing.NewWorld(fencing.Config{Lease: -time.Second})
	w.Client("client 1", func(*fencing.Client) {})
	trace := w.Run()
	require.Error(t, trace.Err())
	for _, chart := range []Chart{Timeline([]*fencing.Trace{trace}), Timeline([]*fencing.Trace{trace}, HoldBack(time.Second))} {
		assert.Contains(t, chart.Title, "Config.Lease")
	}
}

func TestHostileNamesNeitherEndTheScriptNorRun(t *testing.T) {
	for _, name := range []string{`</script><script>alert(1)</script>`, `"'\`, "a\nb\u2028c\r", "💥👩‍🚀", strings.Repeat("x", 10_000), "$ink"} {
		w := fencing.NewWorld(fencing.Config{Name: name})
		w.Client(name, func(c *fencing.Client) {
			lease := c.Acquire(name)
			c.Claim(name, lease.Token)
			c.Write(name, name, lease.Token)
			c.Read(name)
			c.Do(name)
			c.Delete(name, lease.Token)
		})
		chart := Timeline([]*fencing.Trace{w.Run()})
		option, err := chart.Option()
		require.NoError(t, err)
		assert.True(t, json.Valid(option))
		assert.Less(t, len(option), 40_000)
		for _, bad := range []string{"<", "\u2028", "\n"} {
			assert.NotContains(t, string(option), bad)
		}
	}
}

func TestALateWriteIsNotAStaleOne(t *testing.T) {
	p := fencing.GCPause()
	p.Fencing = true
	p.Faults[0].For = 9500 * time.Millisecond // client 1 writes at 11.5 s, client 2 at 12 s
	assert.Equal(t, 1, kinds(panes([]*fencing.Trace{p.Run()})[0])["accepted, late"])
}

func TestTextsHaveContrast(t *testing.T) {
	for theme, palette := range palettes {
		contrasts := func(text, ground string, least float64) {
			assert.GreaterOrEqual(t, contrast(t, palette[text], palette[ground]), least, "%s: %s on %s", theme, text, ground)
		}
		for _, text := range []string{"ink", "muted", "warn text"} {
			contrasts(text, "ground", 4.5)
		}
		for i := range clientColours {
			fill := strings.TrimPrefix(clientColour(i), "$")
			contrasts(fill+" text", "ground", 4.5)
			contrasts("on fill", fill, 4.5)
			contrasts(fill, "ground", 3)
		}
		contrasts("warn", "ground", 3)
		contrasts("on fill", "warn", 3)
	}
}

// contrast is the ratio that WCAG 2 defines.
func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	n, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	require.NoError(t, err)
	part := func(shift int) float64 {
		c := float64(n>>shift&255) / 255
		if c <= 0.03928 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}
