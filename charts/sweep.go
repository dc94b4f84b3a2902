package charts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"fencingtokens/charts/draw"
	"fencingtokens/fencing"
	"fencingtokens/fencing/sample"
	"fencingtokens/fencing/search"
)

// mostLengths is how many lengths a heat map tells apart.
const mostLengths = 60

// Range returns the lengths from the first to the last, one step apart, for
// [HeatMap]. A step that would give more than 60 lengths is taken as many times
// longer as it takes.
func Range(first, last, step time.Duration) []time.Duration {
	if step <= 0 || last < first {
		return nil
	}
	step *= (last-first)/step/mostLengths + 1
	var lengths []time.Duration
	for d := first; d <= last; d += step {
		lengths = append(lengths, d)
	}
	return lengths
}

// varied are the faults with a length for a heat map, and how it is called.
var varied = map[fencing.Action]string{fencing.PauseIt: "pause", fencing.SuspendIt: "sleep", fencing.DelayIt: "delay", fencing.CutIt: "cut", fencing.StopIt: "clock stop"}

// HeatMap runs a preset for every pair of a lease and a length of its first
// fault, which must have one (a pause or a delay, say), and shows what happens in
// each run. Of each there may be 60 lengths.
func HeatMap(preset fencing.Preset, leases, pauses []time.Duration, options ...Option) {
	if why := noHeat(preset, leases, pauses); why != "" {
		fmt.Println(why + ": charts.HeatMap(fencing.GCPause(), charts.Range(5*time.Second, 20*time.Second, time.Second), charts.Range(0, 20*time.Second, time.Second))")
		return
	}
	show(figure{chart: draw.HeatMap(heat(preset, leases, pauses), sized(options)...)})
}

// noHeat says what a heat map cannot be made of, and what to call instead.
func noHeat(preset fencing.Preset, leases, pauses []time.Duration) string {
	switch {
	case len(preset.Faults) == 0:
		return "A heat map varies the length of a fault, and this preset has none. Take one that has, as in"
	case varied[preset.Faults[0].Action] == "":
		return fmt.Sprintf("A heat map varies the length of the preset’s first fault, and that is a %s, which has none. Take a preset that begins with a pause or a delay, as in",
			preset.Faults[0].Action)
	case len(leases) == 0 || len(pauses) == 0:
		return "A heat map needs lengths for both the lease and the fault, as in"
	case max(len(leases), len(pauses)) > mostLengths:
		return fmt.Sprintf("A heat map tells %d lengths apart, and got %d leases and %d lengths of the fault. Take fewer, as in", mostLengths, len(leases), len(pauses))
	}
	return ""
}

func heat(preset fencing.Preset, leases, pauses []time.Duration) draw.Heat {
	h := draw.Heat{Across: varied[preset.Faults[0].Action], Down: "lease", Xs: pauses, Ys: leases}
	count := map[draw.Outcome]int{}
	for _, lease := range leases {
		var row []draw.Outcome
		for _, pause := range pauses {
			outcome := draw.OutcomeOf(lasting(preset, lease, pause).Run())
			count[outcome]++
			row = append(row, outcome)
		}
		h.Cells = append(h.Cells, row)
	}
	fence := map[bool]string{false: "fencing off", true: "fencing on"}[preset.Fencing]
	h.Title = fmt.Sprintf("%s, %s: data is lost in %d of %d runs", preset.Name, fence, count[draw.DataLost], len(leases)*len(pauses))
	if n := count[draw.Broken]; n > 0 {
		h.Title += fmt.Sprintf(", and %d ended in an error", n)
	}
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
	if len(points) == 0 {
		fmt.Println("Curves need points: points, err := sample.Sweep(ctx, study, 5*time.Second, 10*time.Second), then charts.Curves(points)")
		return
	}
	show(figure{chart: draw.Curves(curves(points), sized(options)...)})
}

func curves(points []sample.LeasePoint) draw.Plot {
	overlap := draw.Panel{Name: "two believed at once, % of runs"}
	takeOver := draw.Panel{Name: "take-over after a crash, median in seconds"}
	plot := draw.Plot{Title: sweptTitle(points), Across: "lease in seconds"}
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

// sweptTitle says what was found with the shortest lease and with the longest.
func sweptTitle(points []sample.LeasePoint) string {
	byLease := func(a, b sample.LeasePoint) int { return cmp.Compare(a.Lease, b.Lease) }
	ends := []sample.LeasePoint{slices.MinFunc(points, byLease), slices.MaxFunc(points, byLease)}
	if len(points) == 1 {
		ends = ends[:1]
	}
	var shares, takeOvers []string
	for _, p := range ends {
		shares = append(shares, fmt.Sprintf("in %s %% of runs with a lease of %s", draw.Number(100*p.Result.Overlapped.Share()), fencing.Seconds(p.Lease)))
		if p.Result.TakeOver.Count() > 0 {
			takeOvers = append(takeOvers, draw.Number(p.Result.TakeOver.Median().Value.Seconds())+" s")
		}
	}
	title := "Two believed at once " + strings.Join(shares, ", ")
	if len(takeOvers) == len(ends) {
		title += "; a take-over after a crash took " + strings.Join(takeOvers, ", and ")
	}
	return title
}

// Cost shows what [sample.Compare] found: what each way of guarding a job costs
// in a year, with its interval.
func Cost(c sample.Comparison, options ...Option) {
	show(figure{chart: draw.BarChart(cost(c), sized(options)...)})
}

func cost(c sample.Comparison) draw.Bars {
	cheapest, clear := c.Cheapest()
	b := draw.Bars{Unit: "cost a year", Log: true,
		Title: fmt.Sprintf("%s: %s costs least", c.Case.Name, cheapest.Way),
		Parameters: fmt.Sprintf("%s jobs a year · %d runs of each kind · seed %d · each step of the axis is ten times the one before; money in units of 100 cents",
			draw.Number(float64(c.Case.JobsPerYear)), c.Runs, c.Seed)}
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
