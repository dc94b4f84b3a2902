// Package charts shows runs of package fencing as pictures in a notebook.
//
//	charts.Compare(fencing.GCPause())                           // fencing off above, on below
//	charts.Timeline(trace)                                      // one run
//	charts.Timeline(trace, charts.HoldBack(11*time.Second))     // what happens next?
//
// Outside a notebook the same calls print the run's story, so that a program or
// a test may make them too.
package charts

import (
	"fmt"
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

// Timeline shows one run: who held the lock, who believed so, what was written
// and what became of it. If the run has an error, the title says it.
func Timeline(trace *fencing.Trace, options ...Option) {
	show(draw.Timeline([]*fencing.Trace{trace}, options...))
}

// Compare runs a preset without and with fencing, shows the first run above the
// second on one time axis, and returns both.
func Compare(preset fencing.Preset, options ...Option) (off, on *fencing.Trace) {
	preset.Fencing = false
	off = preset.Run()
	preset.Fencing = true
	on = preset.Run()
	show(draw.Timeline([]*fencing.Trace{off, on}, options...))
	return off, on
}

func show(chart draw.Chart) {
	if !inNotebook() {
		fmt.Println(chart.Description)
		return
	}
	page, err := element(chart)
	if err != nil {
		fmt.Println("The chart cannot be drawn:", err)
		return
	}
	display(page)
}
