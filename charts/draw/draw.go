// Package draw turns a trace into a chart: the options that go-echarts knows,
// and a short script that draws the shapes which ECharts does not know. It is
// pure: a notebook, a static picture and a program in the browser all show the
// chart that it returns.
package draw

import (
	_ "embed"
	"encoding/json"
	"fmt"
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
	Title       string // what happened, or what may happen
	Description string // the same and the story, for those who do not see the picture
	Width       int    // pixels it needs at least; a wider chart has more room
	Height      int    // pixels
	AssetsHost  string // where go-echarts would load ECharts from

	option map[string]any
}

// Option returns ECharts' option as JSON that may stand inside a script element:
// it holds no "<". ECharts needs it completed by [Script].
func (c Chart) Option() ([]byte, error) { return json.Marshal(c.option) }

// Option changes what a chart shows.
type Option func(*view)

type view struct {
	until time.Duration // nothing later is shown; negative is everything
}

// HoldBack ends the chart at a second of the run and takes the outcome out of
// its title, so that a class can say first what it expects. Nothing later than
// at is in the chart.
func HoldBack(at time.Duration) Option {
	return func(v *view) { v.until = max(at, 0) }
}

// Timeline returns the chart of one run, or of several below one another on one
// time axis.
func Timeline(traces []*fencing.Trace, options ...Option) Chart {
	v := view{until: -1}
	for _, o := range options {
		o(&v)
	}
	runs := make([]run, len(traces))
	for i, t := range traces {
		runs[i] = newRun(t, v)
	}
	return newChart(runs)
}

// run is what a chart may know of a run.
type run struct {
	trace *fencing.Trace
	held  bool
	end   time.Duration // up to where things are drawn
	title string
}

func newRun(t *fencing.Trace, v view) run {
	r := run{trace: t, end: t.End(), title: t.Verdict().Headline}
	if v.until < 0 {
		return r
	}
	r.trace, r.held, r.end = upTo(t, v.until), true, v.until
	if t.Err() == nil || t.End() > v.until {
		r.title = question(t.Config)
	}
	return r
}

// sentence explains an event, and does not say when it will end if that is held
// back.
func (r run) sentence(e fencing.Event) string {
	switch {
	case r.early(e) && e.Kind == fencing.Paused:
		return "stands still"
	case r.early(e):
		return fmt.Sprintf("the %s is under way", e.Op)
	}
	return r.trace.Sentence(e)
}

// early reports whether the event knows of a time that is held back.
func (r run) early(e fencing.Event) bool {
	return r.held && e.Until > r.end && (e.Kind == fencing.Paused || e.Kind == fencing.Sent)
}

func question(c fencing.Config) string {
	fence := "fencing off"
	if c.Fencing {
		fence = "fencing on"
	}
	if c.Name == "" {
		return fmt.Sprintf("What happens next, with %s?", fence)
	}
	return fmt.Sprintf("%s, %s: what happens next?", c.Name, fence)
}

// upTo returns the trace as it was at a time. Its last event says nothing: it
// is there so that what has not ended by then lasts until then.
func upTo(t *fencing.Trace, at time.Duration) *fencing.Trace {
	short := &fencing.Trace{Config: t.Config, Clients: t.Clients}
	for _, e := range t.Events {
		if e.At <= at {
			short.Events = append(short.Events, e)
		}
	}
	short.Events = append(short.Events, fencing.Event{Seq: len(short.Events) + 1, At: at})
	return short
}
