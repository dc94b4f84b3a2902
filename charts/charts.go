// Package charts shows runs of package fencing as pictures in a notebook.
//
//	charts.Compare(fencing.GCPause())                           // fencing off above, on below
//	charts.Timeline(trace)                                      // one run
//	charts.Both(simulated, real)                                // two runs on one axis
//	charts.Timeline(trace, charts.HoldBack(11*time.Second))     // what happens next?
//	charts.Timeline(trace, charts.StopAt(11*time.Second))       // the same, where the whole run would stand
//	charts.StepThrough(trace)                                   // event by event
//	charts.Playground(fencing.GCPause())                        // everything to change it by, in the browser
//	charts.HeatMap(fencing.GCPause(), leases, pauses)           // what happens for every pair
//	charts.Curves(points)                                       // of sample.Sweep
//	charts.Cost(comparison)                                     // of sample.Compare
//	charts.Explored(result)                                     // of search.Explore
//
// For a projector, pass [Projector] or set the environment variable
// FENCING_CHART_SIZE to "projector".
//
// Outside a notebook the same calls print the run's story, so that a program or
// a test may make them too.
package charts

import (
	"fmt"
	"os"
	"time"

	"fencingtokens/charts/draw"
	"fencingtokens/fencing"
)

// Option changes what a chart shows.
type Option = draw.Option

// HoldBack ends the chart at a second of the run and takes the outcome out of
// its title, so that a class can say first what it expects. Nothing that
// happened later is in the chart, nor in its tooltips or its text.
func HoldBack(at time.Duration) Option { return draw.HoldBack(at) }

// StopAt ends the chart at a second of the run as [HoldBack] does, on the time
// axis and the lanes of the whole run: from one stop to the next, nothing moves. So
// the chart tells how long the run is.
func StopAt(at time.Duration) Option { return draw.StopAt(at) }

// Projector makes type and marks larger, so that they can be read from the last
// row: one run then fills a screen of 1280 by 720 pixels. The environment
// variable FENCING_CHART_SIZE=projector does so for every chart and playground.
func Projector() Option { return draw.Projector() }

// Timeline shows one run: who held the lock, who believed so, what was written
// and what became of it. If the run has an error, the title says it.
//
// A long run is seen through a window, around what decides it. Buttons below the
// picture say which part that is, move it, widen it and show the whole run, and so do
// the arrow keys, +, −, 0, Home and End on one of them; with the mouse, drag the picture, or turn the wheel with Ctrl held.
func Timeline(trace *fencing.Trace, options ...Option) {
	show(figure{chart: draw.Timeline([]*fencing.Trace{trace}, sized(options)...)})
}

// Compare runs a preset without and with fencing, shows the first run above the
// second on one time axis, and returns both.
func Compare(preset fencing.Preset, options ...Option) (off, on *fencing.Trace) {
	preset.Fencing = false
	off = preset.Run()
	preset.Fencing = true
	on = preset.Run()
	Both(off, on, options...)
	return off, on
}

// Both shows two runs on one time axis, the first above the second: the simulated
// run of a program, say, and its run on real systems.
func Both(first, second *fencing.Trace, options ...Option) {
	show(figure{chart: draw.Timeline([]*fencing.Trace{first, second}, sized(options)...)})
}

// StepThrough shows one run with a cursor: buttons (and the arrow keys) lead from
// event to event, and to the one that decides, with the story's line above the
// picture. What comes later is covered, the outcome in the title too.
func StepThrough(trace *fencing.Trace, options ...Option) {
	show(stepped(trace, sized(options)...))
}

func stepped(trace *fencing.Trace, options ...Option) figure {
	return figure{chart: draw.Timeline([]*fencing.Trace{trace}, append(options, draw.Stepped())...), steps: true}
}

// sized adds the size that the environment asks for.
func sized(options []Option) []Option {
	if os.Getenv("FENCING_CHART_SIZE") == "projector" {
		return append([]Option{Projector()}, options...)
	}
	return options
}

func show(f figure) {
	if !inNotebook() {
		fmt.Println(f.chart.Description())
		return
	}
	page, err := element(f)
	if err != nil {
		fmt.Println("The chart cannot be drawn:", err)
		return
	}
	display(page)
}

// Page shows HTML as it is, in order with the text that is printed. Outside a
// notebook it prints the text, which says the same. Whoever makes the page
// escapes what it takes from others.
func Page(page, text string) {
	if !inNotebook() {
		fmt.Print(text)
		return
	}
	display(page)
}
