package draw

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// sizes are the lengths of a chart, in pixels.
type sizes struct {
	plot                              float64 // width of the time axis, at least
	right                             float64 // margin
	title, lane, label                int     // type
	bar, band                         float64 // height of a belief or lease, and of a pause
	clientLane, lockLane, storageLane float64
	pauseRow, overlapRow              float64 // what a pause, and an overlap, add
	symbol                            float64 // half a mark's size
}

var laptop = sizes{
	plot: 676, right: 20,
	title: 15, lane: 13, label: 12,
	bar: 18, band: 8,
	clientLane: 42, lockLane: 46, storageLane: 52,
	pauseRow: 24, overlapRow: 18,
	symbol: 8,
}

// axis maps seconds to pixels at the least width.
type axis struct {
	max, step float64 // seconds
	width     float64 // pixels
	from, to  float64 // where labels may stand, in pixels
}

func (a axis) px(seconds float64) float64 { return seconds / a.max * a.width }

func newAxis(runs []run) axis {
	var end float64
	for _, r := range runs {
		end = max(end, r.end.Seconds())
	}
	end *= 1.18 // labels stand to the right of the last event
	if end == 0 {
		end = 10
	}
	step := math.Pow(10, math.Floor(math.Log10(end/5)))
	for _, times := range []float64{1, 2, 5, 10} {
		if end/(step*times) <= 14 {
			step *= times
			break
		}
	}
	return axis{max: math.Round(math.Ceil(end/step-1e-9)*step*1e9) / 1e9, step: step, width: laptop.plot, from: 4, to: laptop.plot + laptop.right - 4}
}

func newChart(runs []run) Chart {
	gutter := gutterOf(runs)
	axis := newAxis(runs)
	width := gutter + laptop.plot + laptop.right
	c := echarts.NewCustom()
	var titles []opts.Title
	y := 0.0
	chart := Chart{Width: int(width), AssetsHost: c.Initialization.AssetsHost}
	for _, r := range runs {
		heading, height := headingOf(r, width, y)
		titles = append(titles, heading)
		p := newPane(r, axis, y+height)
		p.draw()
		c.AddSeries(short(r.title, 80), p.data(), echarts.WithEncodeOpts(opts.Encode{X: []int{0, 1}, Y: []int{}}))
		y = p.bottom + 14
		chart.Title = join(chart.Title, short(r.title, 300), " / ")
		chart.Description = join(chart.Description, describe(r), "\n")
	}
	bottom := y - 6
	legend := legend(gutter, width, bottom+34)
	c.AddSeries("legend", legend.data(), echarts.WithEncodeOpts(opts.Encode{X: []int{0, 1}, Y: []int{}}))
	chart.Height = int(legend.bottom)
	c.SetGlobalOptions(
		echarts.WithAnimation(false),
		echarts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "item"}),
		echarts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		echarts.WithAriaOpts(&opts.Aria{Enabled: opts.Bool(true), Label: &opts.AriaLabel{Description: chart.Description}}),
		echarts.WithGridOpts(opts.Grid{Left: pixels(gutter), Right: pixels(laptop.right), Top: "0", Height: pixels(bottom)}),
		echarts.WithXAxisOpts(opts.XAxis{Type: "value", Min: 0, Max: axis.max, SplitNumber: int(axis.max / axis.step),
			AxisLabel: &opts.AxisLabel{Color: "$ink", FontSize: laptop.label, ShowMinLabel: opts.Bool(true), ShowMaxLabel: opts.Bool(true)},
			SplitLine: &opts.SplitLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: "$grid"}}}),
		echarts.WithYAxisOpts(opts.YAxis{Show: opts.Bool(false), Min: 0, Max: 1}),
	)
	c.Accept(completing{titles: titles, interval: axis.step})
	c.Validate()
	chart.option = c.JSON()
	return chart
}

// completing adds to go-echarts' option what its types have no place for.
type completing struct {
	echarts.BaseConfigurationVisitor
	titles   []opts.Title
	interval float64
}

func (v completing) VisitTitleOpt(opts.Title) any { return v.titles }

func (v completing) Visit(option map[string]any) {
	option["palettes"] = palettes
	option["interval"] = v.interval
}

// headingOf begins at the edge and not above the plot: a verdict is a whole
// sentence, and a projector has 1280 pixels.
func headingOf(r run, width, y float64) (opts.Title, float64) {
	const margin = 40 // fonts are wider on some machines than is estimated
	title := wrap(short(r.title, 400), laptop.title, true, width-margin)
	sub := wrap(short(r.trace.Config.Parameters(), 400), laptop.label, false, width-margin)
	titleHeight, subHeight := laptop.title+5, laptop.label+4
	t := opts.Title{
		Title: strings.Join(title, "\n"), Subtitle: strings.Join(sub, "\n"),
		Left: "0", Top: pixels(y),
		TitleStyle:    &opts.TextStyle{Color: "$ink", FontSize: laptop.title, FontWeight: "600", LineHeight: titleHeight},
		SubtitleStyle: &opts.TextStyle{Color: "$muted", FontSize: laptop.label, LineHeight: subHeight},
	}
	return t, float64(len(title)*titleHeight+len(sub)*subHeight) + 20
}

func gutterOf(runs []run) float64 {
	width := textWidth("simulated seconds", laptop.label, false)
	for _, r := range runs {
		for _, name := range laneNames(r.trace) {
			width = max(width, textWidth(name, laptop.lane, true))
		}
	}
	return math.Ceil(width) + 16
}

// describe says what a chart shows to those who do not see it.
func describe(r run) string {
	told := r.trace.String()
	for _, e := range r.trace.Events {
		if r.early(e) {
			told = strings.Replace(told, r.trace.Sentence(e), r.sentence(e), 1)
		}
	}
	story := strings.Split(told, "\n")
	lines := []string{r.title}
	lines = append(lines, story[:len(story)-1]...) // the last line is the outcome of what is shown: the title says it, or holds it back
	for i, l := range lines {
		lines[i] = short(l, 300)
	}
	if len(lines) > 60 {
		lines = append(lines[:60], "and so on")
	}
	return strings.Join(lines, "\n")
}

// data returns the pane's shapes as go-echarts wants them, the hindmost first.
func (p *pane) data() []opts.CustomData {
	slices.SortStableFunc(p.shapes, func(a, b shape) int { return a.layer - b.layer })
	data := make([]opts.CustomData, len(p.shapes))
	for i, s := range p.shapes {
		data[i] = opts.CustomData{Name: s.tip, Value: []any{s.X, max(s.X, s.X2), s}}
	}
	return data
}

func pixels(n float64) string { return strconv.Itoa(int(n)) }

func join(a, b, between string) string {
	if a == "" {
		return b
	}
	return a + between + b
}

// tell explains an event with its time and actor.
func (p *pane) tell(seq int) string {
	if seq < 1 || seq > len(p.trace.Events) {
		return ""
	}
	e := p.trace.Events[seq-1]
	return fmt.Sprintf("%s · %s: %s", inSeconds(e.At), short(e.Actor, 40), short(p.sentence(e), 300))
}

func inSeconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}
