package draw

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"fencingtokens/fencing"
)

// axis maps seconds to units at the least width.
type axis struct {
	max, step float64 // seconds
	width     float64 // units, for the whole run
	from, to  float64 // where labels may stand, in units
	zoom      float64 // how many times wider than the plot; 1 if all of it is seen at once
}

func (a axis) px(seconds float64) float64 { return seconds / a.max * a.width }

// mostTimes is how many different times with something to see the plot has room
// for. What has more is seen through a window.
const mostTimes = 70

func newAxis(runs []run, plot float64) axis {
	var end float64
	zoom := 1.0
	for _, r := range runs {
		end = max(end, r.end.Seconds())
		zoom = max(zoom, float64(times(r))/mostTimes)
	}
	if zoom < 1.5 {
		zoom = 1
	}
	end *= 1 + 0.18/zoom // labels stand to the right of the last event
	if end == 0 {
		end = 10
	}
	step := niceStep(end / zoom)
	a := axis{max: math.Round(math.Ceil(end/step-1e-9)*step*1e9) / 1e9, step: step, width: plot * zoom, zoom: zoom}
	a.from, a.to = 4, a.width+laptop.right-4
	if zoom > 1 {
		a.to = a.width - 4
	}
	return a
}

// niceStep is the distance between two numbers of an axis that ends there.
func niceStep(end float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(end/5)))
	for _, times := range []float64{1, 2, 5, 10} {
		if end/(step*times) <= 14 {
			return step * times
		}
	}
	return step * 10
}

// times counts the different times at which a story has a line.
func times(r run) int {
	n, last := 0, time.Duration(-1)
	for _, e := range r.trace.Events {
		if e.At != last && inStory(e) {
			n, last = n+1, e.At
		}
	}
	return n
}

// frame is what surrounds the panes of a chart.
type frame struct {
	axis          axis
	gutter, width float64
	scale         float64
	stepped       bool
}

func newFrame(runs []run, scale float64) frame {
	f := frame{axis: newAxis(runs, plotOf(scale)), gutter: gutterOf(runs), scale: scale}
	f.width = f.gutter + plotOf(scale) + laptop.right
	return f
}

func newChart(runs []run, v view) Chart {
	f := newFrame(runs, v.scale)
	f.stepped = v.stepped
	return layChart(runs, f, func(i int, a axis, top float64) *pane { return newPane(runs[i], a, top) })
}

// chartIn returns the chart of runs that are stopped on their way. Nothing in it
// moves with the moment: the time axis, the lanes and the height are those of the
// whole runs.
func chartIn(whole Chart, runs []run) Chart {
	chart := layChart(runs, whole.picture.frame, func(i int, _ axis, _ float64) *pane { return paneIn(whole.picture.panes[i], runs[i]) })
	chart.Height = max(chart.Height, whole.Height)
	return chart
}

// layChart puts the panes below one another: newPane returns one by the number of
// its run, the axis, and where it may begin.
func layChart(runs []run, f frame, newPane func(int, axis, float64) *pane) Chart {
	p := picture{frame: f}
	scale := f.scale
	chart := Chart{Width: int(p.width * scale)}
	var still []shape
	kinds := map[string]int{} // of all shapes
	y := 0.0
	for i, r := range runs {
		heading, height := p.headingOf(r, y)
		p.titles = append(p.titles, heading)
		pane := newPane(i, p.axis, y+height)
		still = append(still, between(y, pane.top))
		pane.draw()
		p.panes = append(p.panes, pane)
		moving, fixed := pane.parts()
		still = append(still, fixed...)
		for i := range pane.shapes {
			kinds[pane.shapes[i].Kind] = 0
		}
		p.series = append(p.series, newSeries(short(r.title, 80), moving))
		y = pane.bottom + 14
		chart.Title = join(chart.Title, short(r.title, 300), " / ")
	}
	p.bottom = y - 6
	foot := p.bottom + 34
	if p.axis.zoom > 1 {
		foot += 26
	}
	if f.stepped {
		kinds = p.panes[0].firsts()
	}
	legend := legend(axisName(runs), p.gutter, p.width, foot, kinds)
	p.series = append(p.series, newSeries("lanes", append(still, legend.shapes...)))
	p.label = ariaLabel(chart, runs)
	chart.Height = int(legend.bottom * scale)
	chart.picture = p
	return chart
}

// between keeps the lines of the time axis out of what stands between the panes.
func between(y, y2 float64) shape {
	return shape{Kind: "between", Form: bar, Fixed: true, X2: 1, DX: -2, DX2: 2, Y: max(0, y-13), Y2: y2, Fill: "$ground", layer: layerBand}
}

// ariaLabel is what a screen reader says of the picture: the outcome. The story
// stands in the table below it.
func ariaLabel(chart Chart, runs []run) string {
	parts := []string{"Timeline. " + chart.Title}
	for _, r := range runs {
		parts = append(parts, short(heading(r), 300))
	}
	return strings.Join(parts, ". ") + ". All events stand in the table below the picture."
}

// headingOf begins at the edge and not above the plot: a verdict is a whole
// sentence, and a projector has 1280 pixels.
func (f frame) headingOf(r run, y float64) (title, float64) {
	return f.heading(r.title, r.trace.Config.Parameters(), y)
}

// The heights of a heading's lines.
const (
	titleHeight    = 20
	subtitleHeight = 16
)

func (f frame) heading(says, parameters string, y float64) (title, float64) {
	const margin = 24 // fonts are wider on some machines than is estimated
	lines := wrap(short(says, 400), laptop.title, true, f.width-margin)
	sub := wrap(short(parameters, 400), laptop.label, false, f.width-margin)
	t := title{text: strings.Join(lines, "\n"), subtext: strings.Join(sub, "\n"), top: y}
	return t, float64(len(lines)*titleHeight+len(sub)*subtitleHeight) + 20
}

func gutterOf(runs []run) float64 {
	width := textWidth(simulatedSeconds, laptop.label, false)
	for _, r := range runs {
		for _, name := range append(laneNames(r.trace).all(), outsideName) {
			if name != outsideName || hasEffects(r.trace) {
				width = max(width, textWidth(name, laptop.lane, true)+nameApart-axisApart)
			}
		}
	}
	return math.Ceil(width) + axisApart + 6
}

// How far the plot is from the names of lanes, so that a mark at its edge has
// room, and from the name of the time axis.
const (
	nameApart = 14
	axisApart = 10
)

// parts parts what moves with the time axis from what does not.
func (p *pane) parts() (moving, still []shape) {
	moving = make([]shape, 0, len(p.shapes))
	for i := range p.shapes {
		if s := &p.shapes[i]; s.Fixed {
			still = append(still, *s)
		} else {
			moving = append(moving, *s)
		}
	}
	return moving, still
}

func (f frame) pixels(units float64) string { return strconv.Itoa(int(units * f.scale)) }
func (f frame) font(size int) int           { return int(math.Round(float64(size) * f.scale)) }

func join(a, b, between string) string {
	if a == "" {
		return b
	}
	return a + between + b
}

// tell explains an event with its time and actor.
func (p *pane) tell(seq int) string {
	e, ok := p.event(seq)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s · %s: %s", fencing.Seconds(e.At), short(e.Actor, 40), short(p.sentence(e), 300))
}
