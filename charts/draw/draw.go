// Package draw turns a trace into a chart: the options that go-echarts knows,
// and a short script that draws the shapes which ECharts does not know. It is
// pure: a notebook, a static picture and a program in the browser all show the
// chart that it returns.
package draw

import (
	_ "embed"
	"time"

	"fencingtokens/fencing"
)

// Script is the JavaScript that completes a chart's option before ECharts gets
// it. It is an expression: a function of the option (which it changes and
// returns) and of whether the page is dark.
//
//go:embed draw.js
var Script string

// Chart is a chart that is ready to be drawn. Its texts are shortened and free
// of control characters, but not escaped for HTML.
type Chart struct {
	Title  string // what happened, or what may happen
	Width  int    // pixels it needs at least; a wider chart has more room
	Height int    // pixels

	picture picture
}

// Description tells the chart to those who do not see it: its title, and the
// story or the numbers.
func (c Chart) Description() string {
	if c.picture.table != nil {
		return join(c.Title, c.picture.table.text(), "\n")
	}
	told := ""
	for _, p := range c.picture.panes {
		told = join(told, describe(p.run), "\n")
	}
	return told
}

// Long reports whether only a part of a run is seen at once, through a window
// that the reader moves.
func (c Chart) Long() bool { return c.picture.axis.zoom > 1 }

// Option changes what a chart shows.
type Option func(*view)

type view struct {
	until   time.Duration // nothing later is shown; negative is everything
	stop    bool          // where all would stand that is shown of everything
	scale   float64       // how much larger than on a laptop
	stepped bool          // a cursor leads through it
}

// HoldBack ends the chart at a second of the run and takes the outcome out of
// its title, so that a class can say first what it expects. Nothing later than
// at is in the chart.
func HoldBack(at time.Duration) Option {
	return func(v *view) { v.until = max(at, 0) }
}

// StopAt ends the chart at a second of the run as [HoldBack] does, on the time
// axis and the lanes of the whole run: from one stop to the next, nothing moves. So
// the chart tells how long the run is.
func StopAt(at time.Duration) Option {
	return func(v *view) { v.until, v.stop = max(at, 0), true }
}

// Projector makes type and marks larger, to be read from the last row of a
// class room: one run fits 1280 by 720 pixels.
func Projector() Option {
	return func(v *view) { v.scale = projector }
}

// Stepped is for a chart of one run that is shown up to a cursor: its legend knows
// by which event each sign is seen first.
func Stepped() Option {
	return func(v *view) { v.stepped = true }
}

// Timeline returns the chart of one run, or of several below one another on one
// time axis.
func Timeline(traces []*fencing.Trace, options ...Option) Chart {
	v := viewOf(options)
	if !v.stop {
		return newChart(newRuns(traces, v), v)
	}
	everything := newRuns(traces, view{until: -1})
	v.until = min(v.until, endOf(everything))
	return chartIn(newChart(everything, v), newRuns(traces, v))
}

func newRuns(traces []*fencing.Trace, v view) []run {
	runs := make([]run, len(traces))
	for i, t := range traces {
		runs[i] = newRun(t, v)
	}
	return runs
}

// endOf is when the last of the runs ends.
func endOf(runs []run) time.Duration {
	var end time.Duration
	for _, r := range runs {
		end = max(end, r.end)
	}
	return end
}

func viewOf(options []Option) view {
	v := view{until: -1, scale: 1}
	for _, o := range options {
		o(&v)
	}
	return v
}
