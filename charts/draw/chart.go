package draw

import (
	"fencingtokens/fencing"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
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
}

func newFrame(runs []run, scale float64) frame {
	f := frame{axis: newAxis(runs, plotOf(scale)), gutter: gutterOf(runs), scale: scale}
	f.width = f.gutter + plotOf(scale) + laptop.right
	return f
}

func newChart(runs []run, scale float64) Chart {
	f := newFrame(runs, scale)
	c := echarts.NewCustom()
	chart := Chart{Width: int(f.width * scale), AssetsHost: c.Initialization.AssetsHost}
	var titles []opts.Title
	var stories []story
	var still, kinds []shape
	y := 0.0
	for _, r := range runs {
		heading, height := f.headingOf(r, y)
		titles = append(titles, heading)
		p := newPane(r, f.axis, y+height)
		p.draw()
		stories = append(stories, p.storyOf())
		moving, fixed := p.series()
		still, kinds = append(still, fixed...), append(kinds, p.shapes...)
		addSeries(c, short(r.title, 80), moving)
		y = p.bottom + 14
		chart.Title = join(chart.Title, short(r.title, 300), " / ")
		chart.Description = join(chart.Description, describe(r), "\n")
	}
	bottom := y - 6
	foot := bottom + 34
	if f.axis.zoom > 1 {
		foot += 26
	}
	legend := legend(f.gutter, f.width, foot, kinds)
	addSeries(c, "lanes", append(still, legend.shapes...))
	chart.Height = int(legend.bottom * scale)
	c.SetGlobalOptions(f.globals(bottom, ariaLabel(chart, runs))...)
	if f.axis.zoom > 1 {
		c.SetGlobalOptions(f.window(runs)...)
	}
	c.Accept(completing{titles: titles, also: map[string]any{
		"palettes": palettes, "interval": f.axis.step, "scale": scale, "stories": stories, "zoom": f.axis.zoom,
		"slider":  map[string]any{"top": (bottom + 28) * scale, "left": f.gutter * scale, "right": laptop.right * scale, "height": 20 * scale},
		"density": f.axis.width / f.axis.max * scale * 0.97, // pixels a second for which labels were placed
	}})
	c.Validate()
	chart.option = c.JSON()
	return chart
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

// addSeries adds shapes as go-echarts wants them, the hindmost first. What does
// not move with the time axis spans all of it, so that no zoom leaves it out.
func addSeries(c *echarts.Custom, name string, shapes []shape) {
	data := make([]opts.CustomData, 0, len(shapes))
	for layer := range layers {
		for i := range shapes {
			s := &shapes[i]
			from, until := s.X, max(s.X, s.X2)
			if s.Fixed {
				from, until = -1e9, 1e9
			}
			if s.layer == layer {
				data = append(data, opts.CustomData{Name: s.tip, Value: []any{from, until, s}})
			}
		}
	}
	c.AddSeries(name, data, echarts.WithEncodeOpts(opts.Encode{X: []int{0, 1}, Y: []int{}}))
}

func (f frame) globals(bottom float64, label string) []echarts.GlobalOpts {
	return []echarts.GlobalOpts{
		echarts.WithAnimation(false),
		echarts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "item"}),
		echarts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		echarts.WithAriaOpts(&opts.Aria{Enabled: opts.Bool(true), Label: &opts.AriaLabel{Description: label}}),
		echarts.WithGridOpts(opts.Grid{Left: f.pixels(f.gutter), Right: f.pixels(laptop.right), Top: "0", Height: f.pixels(bottom)}),
		echarts.WithXAxisOpts(opts.XAxis{Type: "value", Min: 0, Max: f.axis.max, SplitNumber: int(f.axis.max / f.axis.step / f.axis.zoom),
			AxisLabel: &opts.AxisLabel{Color: "$ink", FontSize: f.font(laptop.label), ShowMinLabel: opts.Bool(true), ShowMaxLabel: opts.Bool(true)},
			SplitLine: &opts.SplitLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: "$grid"}}}),
		echarts.WithYAxisOpts(opts.YAxis{Show: opts.Bool(false), Min: 0, Max: 1}),
	}
}

// window shows a part of a long run, around what decides it, and lets the reader
// move and widen it.
func (f frame) window(runs []run) []echarts.GlobalOpts {
	share := 100 / f.axis.zoom
	start := 0.0
	for _, r := range runs {
		if proof, ok := r.event(r.proof); ok && start == 0 {
			from := proof.At.Seconds() - 0.8*f.axis.max/f.axis.zoom
			from = math.Floor(from/f.axis.step) * f.axis.step
			start = max(0, min(100-share, 100*from/f.axis.max))
		}
	}
	both := opts.DataZoom{Start: float32(start), End: float32(start + share), FilterMode: "weakFilter"}
	inside, slider := both, both
	inside.Type = "inside"
	slider.Type = "slider"
	return []echarts.GlobalOpts{echarts.WithDataZoomOpts(inside, slider)}
}

// completing adds to go-echarts' option what its types have no place for.
type completing struct {
	echarts.BaseConfigurationVisitor
	titles []opts.Title
	also   map[string]any
}

func (v completing) VisitTitleOpt(opts.Title) any { return v.titles }

func (v completing) Visit(option map[string]any) {
	for name, value := range v.also {
		option[name] = value
	}
}

// headingOf begins at the edge and not above the plot: a verdict is a whole
// sentence, and a projector has 1280 pixels.
func (f frame) headingOf(r run, y float64) (opts.Title, float64) {
	return f.heading(r.title, r.trace.Config.Parameters(), y)
}

func (f frame) heading(title, parameters string, y float64) (opts.Title, float64) {
	const margin = 40 // fonts are wider on some machines than is estimated
	lines := wrap(short(title, 400), laptop.title, true, f.width-margin)
	sub := wrap(short(parameters, 400), laptop.label, false, f.width-margin)
	titleHeight, subHeight := laptop.title+5, laptop.label+4
	t := opts.Title{
		Title: strings.Join(lines, "\n"), Subtitle: strings.Join(sub, "\n"),
		Left: "0", Top: f.pixels(y),
		TitleStyle:    &opts.TextStyle{Color: "$ink", FontSize: f.font(laptop.title), FontWeight: "600", LineHeight: f.font(titleHeight)},
		SubtitleStyle: &opts.TextStyle{Color: "$muted", FontSize: f.font(laptop.label), LineHeight: f.font(subHeight)},
	}
	return t, float64(len(lines)*titleHeight+len(sub)*subHeight) + 20
}

func gutterOf(runs []run) float64 {
	width := textWidth("simulated seconds", laptop.label, false)
	for _, r := range runs {
		for _, name := range append(laneNames(r.trace).all(), outsideName) {
			if name != outsideName || hasEffects(r.trace) {
				width = max(width, textWidth(name, laptop.lane, true))
			}
		}
	}
	return math.Ceil(width) + 16
}

// series parts what moves with the time axis from what does not.
func (p *pane) series() (moving, still []shape) {
	for _, s := range p.shapes {
		if s.Fixed {
			still = append(still, s)
		} else {
			moving = append(moving, s)
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
