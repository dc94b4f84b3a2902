package charts

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/charts/draw"
	"fencingtokens/fencing"
	"fencingtokens/fencing/sample"
	"fencingtokens/fencing/search"
)

func ExampleHeatMap() {
	HeatMap(fencing.GCPause(), []time.Duration{10 * time.Second}, Range(8*time.Second, 14*time.Second, 2*time.Second))
	// Output:
	// GC pause, fencing off: data is lost in 2 of 4 runs
	// lease: 10 s, pause: 8 s, what happens: two believed, no write suffered
	// lease: 10 s, pause: 10 s, what happens: late write accepted, nothing lost
	// lease: 10 s, pause: 12 s, what happens: another’s data lost
	// lease: 10 s, pause: 14 s, what happens: another’s data lost
}

func swept(t testing.TB) []sample.LeasePoint {
	study := sample.Study{Runs: 100, Jobs: sample.Uniform(time.Second, 4*time.Second), Pauses: sample.TypicalStalls(), CrashPPM: 100_000,
		Points: []fencing.Point{fencing.BeforeWrite}, Policy: fencing.Policy{RenewEvery: time.Second}}
	points, err := sample.Sweep(context.Background(), study, 3*time.Second, 5*time.Second, 10*time.Second, 20*time.Second, 30*time.Second)
	require.NoError(t, err)
	return points
}

func compared(t testing.TB) sample.Comparison {
	comparison, err := sample.Compare(context.Background(), sample.Ledger(), 100, 1)
	require.NoError(t, err)
	return comparison
}

func searched() search.Result {
	program := func(w *fencing.World) {
		for i := range 2 {
			w.Client(fmt.Sprintf("client %d", i+1), fencing.Worker(fencing.Policy{Start: time.Duration(i+1) * time.Second}))
		}
	}
	return search.Explore(context.Background(), program, fencing.Config{Timeout: 3 * time.Second, Fencing: true}, search.Options{Faults: 1, Cores: 1})
}

func sheets(t testing.TB) []figure {
	off, on := fencing.GCPause(), fencing.GCPause()
	on.Fencing = true
	leases, pauses := Range(5*time.Second, 20*time.Second, 3*time.Second), Range(0, 24*time.Second, time.Second)
	return []figure{{chart: draw.HeatMap(heat(off, leases, pauses))}, {chart: draw.HeatMap(heat(on, leases, pauses))},
		{chart: draw.Curves(curves(swept(t)))}, {chart: draw.BarChart(cost(compared(t)))}, {chart: draw.BarChart(explored(searched()))}}
}

func TestASweepTellsWhatItShows(t *testing.T) {
	all := sheets(t)
	for i, want := range []string{"data is lost in", "data is lost in 0 of", "two believed at once, % of runs", "costs least", "Held in all of"} {
		f := all[i]
		option, err := f.chart.Option()
		require.NoError(t, err)
		assert.Contains(t, f.chart.Title+f.chart.Description(), want)
		assert.Contains(t, string(option), `"table"`)
		assert.Less(t, len(option), 150_000)
		assert.False(t, strings.Contains(string(option), "NaN"))
	}
}

func TestSweepsAreDrawnWithTheirTables(t *testing.T) {
	got := inBrowser(t, `
		document.querySelectorAll('details').forEach(d => { d.open = true; }); await pause();
		const r = { drawn: document.querySelectorAll('[data-drawn]').length, rows: document.querySelectorAll('tbody tr').length };
		document.querySelectorAll('details').forEach(d => { d.open = false; });
		return r;`, sheets(t)...)
	assert.EqualValues(t, 5, got["drawn"])
	assert.Greater(t, got["rows"], 100.0)
}
