//go:build !js

package draw

import (
	"encoding/json"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// AssetsHost is where go-echarts would load ECharts from.
var AssetsHost = echarts.NewCustom().Initialization.AssetsHost

// Option returns ECharts' option as JSON that may stand inside a script element:
// it holds no "<". ECharts needs it completed by [Script].
func (c Chart) Option() ([]byte, error) {
	p := c.picture
	e := echarts.NewCustom()
	for _, s := range p.series {
		e.AddSeries(s.name, s.data(), echarts.WithEncodeOpts(opts.Encode{X: []int{0, 1}, Y: []int{}}))
	}
	e.SetGlobalOptions(p.globals()...)
	also := map[string]any{"palettes": palettes, "scale": p.scale}
	if p.table != nil {
		also["table"] = p.table
	} else {
		also["stories"], also["interval"], also["zoom"], also["slider"], also["density"] = c.Stories(), p.axis.step, p.axis.zoom, p.slider(), p.density()
	}
	e.Accept(completing{titles: p.optionTitles(), also: also})
	e.Validate()
	return json.Marshal(e.JSON())
}

// Template returns the option that timelines of one size have in common, and
// [Chart.Changes] what one of them adds. A program in the browser, which has no go-echarts, puts
// them together by [Fill].
func Template(options ...Option) ([]byte, error) {
	f := frame{axis: axis{max: 1, step: 10, zoom: 2}, scale: viewOf(options).scale}
	return Chart{picture: picture{frame: f, titles: make([]title, 1), series: make([]series, 1)}}.Option()
}

func (s series) data() []opts.CustomData {
	data := make([]opts.CustomData, len(s.shapes))
	for i := range s.shapes {
		from, until := s.shapes[i].reach()
		data[i] = opts.CustomData{Name: s.shapes[i].tip, Value: []any{from, until, &s.shapes[i]}}
	}
	return data
}

func (p picture) globals() []echarts.GlobalOpts {
	all := []echarts.GlobalOpts{
		echarts.WithAnimation(false),
		echarts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "item"}),
		echarts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		echarts.WithAriaOpts(&opts.Aria{Enabled: opts.Bool(true), Label: &opts.AriaLabel{Description: p.label}}),
		echarts.WithGridOpts(opts.Grid{Left: p.pixels(p.gutter), Right: p.pixels(laptop.right), Top: "0", Height: p.pixels(p.bottom)}),
		echarts.WithYAxisOpts(opts.YAxis{Show: opts.Bool(false), Min: 0, Max: 1}),
	}
	if p.table != nil {
		return append(all, echarts.WithXAxisOpts(opts.XAxis{Type: "value", Show: opts.Bool(false), Min: 0, Max: p.axis.max}))
	}
	all = append(all, echarts.WithXAxisOpts(opts.XAxis{Type: "value", Min: 0, Max: p.axis.max, SplitNumber: p.splits(),
		AxisLabel: &opts.AxisLabel{Color: "$ink", FontSize: p.font(laptop.label), ShowMinLabel: opts.Bool(true), ShowMaxLabel: opts.Bool(true)},
		SplitLine: &opts.SplitLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: "$grid"}}}))
	if p.axis.zoom > 1 {
		from, to := p.window()
		inside := opts.DataZoom{Type: "inside", Start: float32(from), End: float32(to), FilterMode: "weakFilter"}
		handles := inside
		handles.Type = "slider"
		all = append(all, echarts.WithDataZoomOpts(inside, handles))
	}
	return all
}

func (p picture) optionTitles() []opts.Title {
	var titles []opts.Title
	for _, t := range p.titles {
		titles = append(titles, opts.Title{
			Title: t.text, Subtitle: t.subtext, Left: "0", Top: p.pixels(t.top),
			TitleStyle:    &opts.TextStyle{Color: "$ink", FontSize: p.font(laptop.title), FontWeight: "600", LineHeight: p.font(titleHeight)},
			SubtitleStyle: &opts.TextStyle{Color: "$muted", FontSize: p.font(laptop.label), LineHeight: p.font(subtitleHeight)},
		})
	}
	return titles
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
