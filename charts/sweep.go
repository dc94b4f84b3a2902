package charts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fencingtokens/charts/draw"
	"fencingtokens/fencing"
	"fencingtokens/fencing/sample"
	"fencingtokens/fencing/search"
)

// Range returns the lengths from the first to the last, one step apart, for
// [HeatMap].
func Range(first, last, step time.Duration) []time.Duration {
	const most = 60 // more would not be told apart
	var lengths []time.Duration
	for d := first; d <= last && step > 0 && len(lengths) < most; d += step {
		lengths = append(lengths, d)
	}
	return lengths
}

// HeatMap runs a preset for every pair of a lease and a length of its first
// fault, a pause or a delay, and shows what happens in each run.
func HeatMap(preset fencing.Preset, leases, pauses []time.Duration, options ...Option) {
	if len(preset.Faults) == 0 || len(leases) == 0 || len(pauses) == 0 {
		fmt.Println("A heat map needs a preset with a fault, and lengths for both: charts.HeatMap(fencing.GCPause(), charts.Range(5*time.Second, 20*time.Second, time.Second), charts.Range(0, 20*time.Second, time.Second))")
		return
	}
	show(figure{chart: draw.HeatMap(heat(preset, leases, pauses), sized(options)...)})
}

func heat(preset fencing.Preset, leases, pauses []time.Duration) draw.Heat {
	h := draw.Heat{Across: "pause", Down: "lease", Xs: pauses, Ys: leases}
	if preset.Faults[0].Action == fencing.DelayIt {
		h.Across = "delay"
	}
	harmed := 0
	for _, lease := range leases {
		var row []draw.Outcome
		for _, pause := range pauses {
			outcome := draw.OutcomeOf(lasting(preset, lease, pause).Run())
			if outcome == draw.DataLost {
				harmed++
			}
			row = append(row, outcome)
		}
		h.Cells = append(h.Cells, row)
	}
	fence := map[bool]string{false: "fencing off", true: "fencing on"}[preset.Fencing]
	h.Title = fmt.Sprintf("%s, %s: data is lost in %d of %d runs", preset.Name, fence, harmed, len(leases)*len(pauses))
	h.Parameters = "each cell is one run, with another lease and another " + h.Across
	if preset.Program == "" {
		preset.Program = preset.Policy.String()
	}
	if preset.Program != "" {
		h.Parameters += " · " + preset.Program
	}
	return h
}

// lasting returns the preset with that lease, and with a first fault that lasts
// that long.
func lasting(preset fencing.Preset, lease, pause time.Duration) fencing.Preset {
	preset.Lease = lease
	preset.Faults = slices.Clone(preset.Faults)
	preset.Faults[0].For = pause
	if pause == 0 { // no fault at all
		preset.Faults = preset.Faults[1:]
	}
	return preset
}

// Curves shows what [sample.Sweep] found: how often two clients believed, and how
// long it took to take over after a crash, against the length of the lease.
func Curves(points []sample.LeasePoint, options ...Option) {
	show(figure{chart: draw.Curves(curves(points), sized(options)...)})
}

func curves(points []sample.LeasePoint) draw.Plot {
	overlap := draw.Panel{Name: "two believed at once, % of runs"}
	takeOver := draw.Panel{Name: "take-over after a crash, median in seconds"}
	plot := draw.Plot{Title: "The longer the lease, the rarer two believe, and the longer a crash stops everybody", Across: "lease in seconds"}
	for _, p := range points {
		x := p.Lease.Seconds()
		low, high := p.Result.Overlapped.Interval()
		overlap.Points = append(overlap.Points, draw.Point{X: x, Value: 100 * p.Result.Overlapped.Share(), Low: 100 * low, High: 100 * high})
		if p.Result.TakeOver.Count() > 0 {
			m := p.Result.TakeOver.Median()
			takeOver.Points = append(takeOver.Points, draw.Point{X: x, Value: m.Value.Seconds(), Low: m.Low.Seconds(), High: m.High.Seconds(), Unsure: m.TooFew})
		}
		common := strings.Replace(p.Result.Parameters, fmt.Sprintf("lease %s s · ", draw.Number(x)), "", 1)
		plot.Parameters = fmt.Sprintf("%d runs for each lease · %s", p.Result.Runs, common)
	}
	plot.Panels = []draw.Panel{overlap}
	if len(takeOver.Points) > 0 {
		plot.Panels = append(plot.Panels, takeOver)
	}
	return plot
}

// Cost shows what [sample.Compare] found: what each way of guarding a job costs
// in a year, with its interval.
func Cost(c sample.Comparison, options ...Option) {
	show(figure{chart: draw.BarChart(cost(c), sized(options)...)})
}

func cost(c sample.Comparison) draw.Bars {
	cheapest, clear := c.Cheapest()
	b := draw.Bars{Unit: "cost a year", Log: true,
		Title:      fmt.Sprintf("%s: %s costs least", c.Case.Name, cheapest.Way),
		Parameters: fmt.Sprintf("%s jobs a year · %d runs of each kind · seed %d · each step of the axis is ten times the one before; money in units of 100 cents", draw.Number(float64(c.Case.JobsPerYear)), c.Runs, c.Seed)}
	if !clear {
		b.Title += ", but intervals meet: take more runs before you rely on it"
	}
	for _, each := range c.Costs {
		b.Bars = append(b.Bars, draw.Bar{Name: each.Way, Value: each.TotalCents.Value / 100, Low: each.TotalCents.Low / 100, High: each.TotalCents.High / 100, Best: each.Way == cheapest.Way,
			Says: fmt.Sprintf("%s a year: %s duplicates, %s corrupted; %s for the guard, %s for waiting", draw.Number(each.TotalCents.Value/100),
				draw.Number(each.Duplicates.Value), draw.Number(each.Corrupted.Value), draw.Number(float64(each.FixedCents)/100), draw.Number(each.WaitCents/100))})
	}
	return b
}

// Explored shows what [search.Explore] found: in how many of the runs something
// happened at all. If it found a counterexample, its run is drawn below.
func Explored(r search.Result, options ...Option) {
	show(figure{chart: draw.BarChart(explored(r), sized(options)...)})
	if r.Found != nil && r.Found.Trace != nil {
		Timeline(r.Found.Trace, options...)
	}
}

func explored(r search.Result) draw.Bars {
	b := draw.Bars{Unit: "runs", Title: fmt.Sprintf("Held in all of %d runs", r.Runs), Parameters: "every schedule with up to " + plural(r.Options.Faults, "fault")}
	switch {
	case r.Err() != nil:
		b.Title = "The search has an error: " + r.Err().Error()
	case r.Found != nil:
		b.Title = fmt.Sprintf("Violated after %d runs: %s", r.Runs, r.Found.Property)
	case !r.Finished:
		b.Title = fmt.Sprintf("Not finished: held in the first %d runs", r.Runs)
	}
	for faults, n := range r.Schedules {
		b.Bars = append(b.Bars, draw.Bar{Name: "with " + plural(faults, "fault"), Value: float64(n), Says: plural(n, "schedule")})
	}
	for _, t := range r.Sometimes() {
		b.Bars = append(b.Bars, draw.Bar{Name: t.What, Value: float64(t.Runs), Says: "in " + plural(t.Runs, "run")})
	}
	return b
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
