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
	// lease 10 s, with a pause of 8 s: two believed, no write suffered; 10 s: late write accepted, nothing lost; 12 s to 14 s: another’s data lost
}

func TestAHeatMapSaysWhatItCannotBeMadeOf(t *testing.T) {
	lengths := Range(time.Second, 3*time.Second, time.Second)
	many := make([]time.Duration, 61)
	assert.Contains(t, noHeat(fencing.CrashedHolder(), lengths, lengths), "that is a crash, which has none")
	assert.Contains(t, noHeat(fencing.HealthyHandOver(), lengths, lengths), "this preset has none")
	assert.Contains(t, noHeat(fencing.GCPause(), nil, lengths), "lengths for both")
	assert.Contains(t, noHeat(fencing.GCPause(), lengths, many), "got 3 leases and 61 lengths")
	assert.Empty(t, noHeat(fencing.GCPause(), lengths, lengths))
}

func TestARangeGoesOnToItsEnd(t *testing.T) {
	for last, step := range map[time.Duration]time.Duration{59 * time.Second: time.Second, 100 * time.Second: 2 * time.Second, time.Hour: 61 * time.Second} {
		lengths := Range(0, last, time.Second)
		assert.LessOrEqual(t, len(lengths), mostLengths)
		assert.Equal(t, step, lengths[1]-lengths[0], last)
		assert.Less(t, last-lengths[len(lengths)-1], step, last)
	}
}

func TestAHeatMapCountsRunsWithAnError(t *testing.T) {
	preset := fencing.GCPause()
	preset.Steps = 10
	h := heat(preset, Range(10*time.Second, 11*time.Second, time.Second), Range(0, 2*time.Second, time.Second))
	assert.Equal(t, "GC pause, fencing off: data is lost in 0 of 6 runs, and 6 ended in an error", h.Title)
}

func TestEveryCellOfALargeHeatMapHasItsSignAndIsTold(t *testing.T) {
	chart := draw.HeatMap(heat(fencing.GCPause(), Range(5*time.Second, 14*time.Second, time.Second), Range(0, 59*time.Second, time.Second)))
	option, err := chart.Option()
	require.NoError(t, err)
	assert.Greater(t, strings.Count(string(option), `"form":"mark"`), 600, "one for each cell, and the legend")
	assert.Contains(t, chart.Description(), "lease 5 s, with a pause of")
	assert.Contains(t, chart.Description(), "59 s: another’s data lost")
	assert.NotContains(t, chart.Description(), "and so on")
}

func TestTheTitleOfCurvesSaysWhatWasMeasured(t *testing.T) {
	sure := fencing.GCPause().Policy
	points, err := sample.Sweep(context.Background(), sample.Study{Runs: 20, Policy: sure}, 60*time.Second, 30*time.Second)
	require.NoError(t, err)
	assert.Equal(t, "Two believed at once in 0 % of runs with a lease of 30 s, in 0 % of runs with a lease of 60 s", curves(points).Title)
	assert.Equal(t, "Two believed at once in 0 % of runs with a lease of 60 s", curves(points[:1]).Title)
	assert.Regexp(t, `^Two believed at once in [\d.]+ % of runs with a lease of 3 s, in [\d.]+ % of runs with a lease of 30 s; a take-over after a crash took [\d.]+ s, and [\d.]+ s$`, curves(swept(t)).Title)
}

func ExampleCurves() {
	Curves(nil)
	// Output:
	// Curves need points: points, err := sample.Sweep(ctx, study, 5*time.Second, 10*time.Second), then charts.Curves(points)
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
