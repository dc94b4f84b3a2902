package fencing_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fencingtokens/fencing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden stories anew")

const s = time.Second

// write is what the table of presets says about one write.
type write struct {
	client   string
	token    uint64
	at       time.Duration
	accepted bool
	stale    bool
	late     bool
}

// outcome is one cell of the table of presets.
type outcome struct {
	grants  []string // "client 1 33 1s-11s expired"
	writes  []write
	overlap time.Duration
	running time.Duration
	final   string
}

var (
	inTime   = write{"client 2", 34, 12 * s, true, false, false}
	stale    = write{"client 1", 33, 16 * s, true, true, true}
	rejected = write{"client 1", 33, 16 * s, false, true, true}
)

var table = []struct {
	preset  fencing.Preset
	off, on outcome
}{
	{
		preset: fencing.HealthyHandOver(),
		off: outcome{
			grants: []string{"client 1 33 1s-7s released", "client 2 34 7s-13s released"},
			writes: []write{{"client 1", 33, 2 * s, true, false, false}, {"client 2", 34, 8 * s, true, false, false}},
			final:  "from client 2",
		},
		on: outcome{
			grants: []string{"client 1 33 1s-7s released", "client 2 34 7s-13s released"},
			writes: []write{{"client 1", 33, 2 * s, true, false, false}, {"client 2", 34, 8 * s, true, false, false}},
			final:  "from client 2",
		},
	},
	{
		preset: fencing.GCPause(),
		off: outcome{
			grants: []string{"client 1 33 1s-11s expired", "client 2 34 11s-17s released"},
			writes: []write{inTime, stale}, overlap: 6 * s, running: 2 * s, final: "from client 1",
		},
		on: outcome{
			grants: []string{"client 1 33 1s-11s expired", "client 2 34 11s-17s released"},
			writes: []write{inTime, rejected}, overlap: 5 * s, running: 1 * s, final: "from client 2",
		},
	},
	{
		preset: fencing.CheckThenWrite(),
		off: outcome{
			grants: []string{"client 1 33 1s-11s expired", "client 2 34 11s-17s released"},
			writes: []write{inTime, stale}, overlap: 6 * s, running: 1 * s, final: "from client 1",
		},
		on: outcome{
			grants: []string{"client 1 33 1s-11s expired", "client 2 34 11s-17s released"},
			writes: []write{inTime, rejected}, overlap: 5 * s, running: 0, final: "from client 2",
		},
	},
	{
		preset: fencing.DelayedWrite(),
		off: outcome{
			grants: []string{"client 1 33 1s-5s released", "client 2 34 5s-11s released"},
			writes: []write{{"client 2", 34, 6 * s, true, false, false}, stale}, final: "from client 1",
		},
		on: outcome{
			grants: []string{"client 1 33 1s-5s released", "client 2 34 5s-11s released"},
			writes: []write{{"client 2", 34, 6 * s, true, false, false}, rejected}, final: "from client 2",
		},
	},
	{
		preset: fencing.RenewingMoreOften(),
		off: outcome{
			grants: []string{"client 1 33 1s-12s expired", "client 2 34 12s-18s released"},
			writes: []write{{"client 2", 34, 13 * s, true, false, false}, stale}, overlap: 4 * s, running: 0, final: "from client 1",
		},
		on: outcome{
			grants: []string{"client 1 33 1s-12s expired", "client 2 34 12s-18s released"},
			writes: []write{{"client 2", 34, 13 * s, true, false, false}, rejected}, overlap: 4 * s, running: 0, final: "from client 2",
		},
	},
	{
		preset: fencing.CrashedHolder(),
		off: outcome{
			grants: []string{"client 1 33 1s-11s expired", "client 2 34 11s-17s released"},
			writes: []write{inTime}, final: "from client 2",
		},
		on: outcome{
			grants: []string{"client 1 33 1s-11s expired", "client 2 34 11s-17s released"},
			writes: []write{inTime}, final: "from client 2",
		},
	},
}

func TestEveryNumberOfThePresetTableIsAnOutputOfTheRun(t *testing.T) {
	for _, row := range table {
		for on, want := range map[bool]outcome{false: row.off, true: row.on} {
			preset := row.preset
			preset.Fencing = on
			t.Run(title(preset), func(t *testing.T) {
				trace := preset.Run()
				require.NoError(t, trace.Err())
				assert.Equal(t, want, outcomeOf(trace))
			})
		}
	}
}

func outcomeOf(trace *fencing.Trace) outcome {
	var o outcome
	for _, g := range trace.Grants() {
		o.grants = append(o.grants, fmt.Sprintf("%s %d %s-%s %s", g.Client, g.Token, g.From, g.Until, g.Ended))
	}
	for _, a := range trace.Attempts() {
		o.writes = append(o.writes, write{a.Client, a.Token, a.At, a.Accepted, a.Stale, a.Late})
	}
	for _, v := range trace.Overlaps() {
		o.overlap += v.Until - v.From
		o.running += v.Running
	}
	if contents := trace.Contents(); len(contents) > 0 {
		o.final = contents[len(contents)-1].Value
	}
	return o
}

func title(p fencing.Preset) string {
	if p.Fencing {
		return p.Name + ", fencing on"
	}
	return p.Name + ", fencing off"
}

func TestEveryPresetTellsItsGoldenStory(t *testing.T) {
	for _, preset := range fencing.Presets() {
		for _, preset.Fencing = range []bool{false, true} {
			t.Run(title(preset), func(t *testing.T) {
				trace := preset.Run()
				_, findings, _ := strings.Cut(trace.Verdict().String(), "\n") // the story ends with the headline
				story := fmt.Sprintf("%s\n%s\n", trace, findings)
				file := filepath.Join("testdata", strings.ReplaceAll(title(preset), " ", "-")+".txt")
				if *update {
					require.NoError(t, os.WriteFile(file, []byte(story), 0o644))
				}
				golden, err := os.ReadFile(file)
				require.NoError(t, err, "run go test ./fencing -update to write it")
				assert.Equal(t, string(golden), story)
			})
		}
	}
}

func TestTheHealthyHolderRenewsOnTheWay(t *testing.T) {
	grants := fencing.HealthyHandOver().Run().Grants()
	assert.Equal(t, []time.Duration{4 * s}, grants[0].Renewed)
}

func TestWithoutFencingBothBelieveForLongerThanWithIt(t *testing.T) {
	preset := fencing.GCPause()
	beliefs := preset.Run().Beliefs()
	assert.Equal(t, 1*s, beliefs[0].From)
	assert.Equal(t, 11*s, beliefs[0].RightTo, "its lease ended")
	assert.Equal(t, 21*s, beliefs[0].Until, "it called release")

	preset.Fencing = true
	told := preset.Run().Beliefs()[0]
	assert.Equal(t, 16*s, told.Until)
	assert.Equal(t, "the storage rejected its token", told.Why)
}

func TestRenewingMoreOftenHelpsAtNoInterval(t *testing.T) {
	for _, every := range []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond, s} {
		preset := fencing.RenewingMoreOften()
		preset.RenewEvery = every
		trace := preset.Run()
		require.NoError(t, trace.Err())
		assert.NotEmpty(t, trace.Grants()[0].Renewed, "it renewed before the pause")
		assert.Equal(t, fencing.Violated, trace.Verdict().Finding(fencing.NoStaleWrite).Status, "renewing every %s", every)

		preset.Fencing = true
		assert.Equal(t, fencing.Holds, preset.Run().Verdict().Finding(fencing.NoStaleWrite).Status, "renewing every %s", every)
	}
}

func TestAfterThePauseTheWriteGoesFirstAndTheRenewalIsRefused(t *testing.T) {
	preset := fencing.RenewingMoreOften()
	var after []string
	for _, e := range preset.Run().Events {
		if e.At == 16*s && e.Client == "client 1" && (e.Kind == fencing.Accepted || e.Kind == fencing.Refused) {
			after = append(after, e.Kind.String()+" "+e.Op.String())
		}
	}
	assert.Equal(t, []string{"accepted write", "refused renew"}, after)
}

func TestTheDelayedWriteLeavesItsClientInTheDark(t *testing.T) {
	trace := fencing.DelayedWrite().Run()
	assert.Empty(t, trace.Overlaps(), "beliefs never overlapped")
	for _, e := range trace.Events {
		if e.Kind == fencing.Returned && e.Op == fencing.OpWrite && e.Actor == "client 1" {
			assert.Equal(t, fencing.Unknown, e.Outcome)
			assert.Equal(t, 5*s, e.At)
			return
		}
	}
	t.Fatal("client 1's write never returned")
}

func TestAWriteInTheHoleIsAcceptedEvenWithFencing(t *testing.T) {
	preset := fencing.GCPause()
	preset.Fencing = true
	preset.Faults[0].For = 9500 * time.Millisecond
	hole := preset.Run().Attempts()[0]
	assert.Equal(t, write{"client 1", 33, 11500 * time.Millisecond, true, false, true},
		write{hole.Client, hole.Token, hole.At, hole.Accepted, hole.Stale, hole.Late})
}

func TestALongerLeaseThanThePauseKeepsThePresetHealthy(t *testing.T) {
	preset := fencing.GCPause()
	preset.Lease = 30 * s
	trace := preset.Run()
	assert.Equal(t, fencing.Holds, trace.Verdict().Finding(fencing.OneBeliever).Status)
	assert.Equal(t, "from client 2", outcomeOf(trace).final)
}

func TestAPresetIsAValue(t *testing.T) {
	changed := fencing.GCPause()
	changed.Faults[0].For = s
	changed.Fencing = true
	assert.Equal(t, 14*s, fencing.GCPause().Faults[0].For)
	assert.Equal(t, "renews every 1 s", fencing.RenewingMoreOften().Run().Config.Program)
}

func TestTheSameRunTwiceIsTheSameTrace(t *testing.T) {
	for _, preset := range fencing.Presets() {
		for _, preset.Fencing = range []bool{false, true} {
			first, second := preset.Run(), preset.Run()
			assert.Equal(t, first.Events, second.Events, title(preset))
			assert.Equal(t, first.String(), second.String(), title(preset))
		}
	}
}

func TestErrorsOfOperationsAreSentences(t *testing.T) {
	var errs []error
	w := fencing.NewWorld(fencing.Config{Fencing: true})
	w.Client("client 1", func(c *fencing.Client) {
		lease := c.Acquire("report")
		errs = append(errs, c.Write("report", "a", 40))
		errs = append(errs, c.Write("report", "b", lease.Token))
		c.Sleep(10 * s)
		errs = append(errs, c.Renew(lease))
	})
	w.Client("client 2", func(c *fencing.Client) {
		c.Sleep(s)
		_, err := c.TryAcquire("report")
		errs = append(errs, err)
	})
	require.NoError(t, w.Run().Err())
	require.Len(t, errs, 4)
	assert.NoError(t, errs[0])
	assert.EqualError(t, errs[1], `write "report" with token 33: fenced: "report" has accepted token 40, and 33 is lower`)
	assert.EqualError(t, errs[2], `try to acquire "report": lock held: client 1 holds it with token 33`)
	assert.EqualError(t, errs[3], `renew token 33 of "report": lease lost: nobody holds the lock now`)
	for i, target := range []error{nil, fencing.ErrFenced, fencing.ErrHeld, fencing.ErrLeaseLost} {
		assert.True(t, errors.Is(errs[i], target), "%v", errs[i])
	}
}
