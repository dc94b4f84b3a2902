// Package svg draws charts as static pictures, without a browser: ECharts itself
// runs in goja, a JavaScript engine written in Go.
//
// The picture in README.md is drawn by
//
//	go run ./charts/svg/picture
package svg

import (
	"fmt"
	"html"
	"strings"

	"github.com/dop251/goja"

	"fencingtokens/charts/draw"
)

// Engine draws charts one after another. It is not safe for use by several
// goroutines at once.
type Engine struct{ js *goja.Runtime }

// New returns an engine with ECharts in it. The argument is its source, the file
// echarts.min.js that set-up puts into .lab/static.
func New(echarts string) (*Engine, error) {
	js := goja.New()
	// ECharts asks for a timer, and has nothing to wait for in a static picture.
	if err := js.Set("setTimeout", func() int { return 0 }); err != nil {
		return nil, err
	}
	module := "(function () { const module = { exports: {} }; (function (exports, module) {" + echarts + "\n})(module.exports, module); return module.exports; })()"
	library, err := js.RunScript("echarts.min.js", module)
	if err != nil {
		return nil, fmt.Errorf("ECharts does not run: %w", err)
	}
	return &Engine{js}, js.Set("echarts", library)
}

// Theme is what a picture stands on.
type Theme string

// The themes of pages.
const (
	Light Theme = "light"
	Dark  Theme = "dark"
)

// Render returns the chart as an SVG document, width pixels wide, or as wide as
// the chart needs if that is more.
func (e *Engine) Render(chart draw.Chart, width int, theme Theme) (string, error) {
	option, err := chart.Option()
	if err != nil {
		return "", err
	}
	return e.RenderOption(option, chart.Title, max(width, chart.Width), chart.Height, theme)
}

// RenderOption does the same for a chart of which only the option is left, as in
// a page: see [draw.Chart.Option].
func (e *Engine) RenderOption(option []byte, title string, width, height int, theme Theme) (string, error) {
	drawn, err := e.js.RunScript("draw.js", fmt.Sprintf(`{
		const given = %[2]s;
		const option = (%[1]s)(given, %[5]t);
		option.backgroundColor = given.palettes['%[6]s'].ground;
		const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: %[3]d, height: %[4]d });
		chart.setOption(option);
		const drawn = chart.renderToSVGString();
		chart.dispose();
		drawn;
	}`, draw.Script, option, width, height, theme == Dark, theme))
	if err != nil {
		return "", fmt.Errorf("ECharts cannot draw the chart: %w", err)
	}
	label := html.EscapeString(strings.Join(strings.Fields(title), " "))
	return strings.Replace(drawn.String(), "<svg ", `<svg role="img" aria-label="`+label+`" `, 1) + "\n", nil
}

// Render draws one chart: see [New] and [Engine.Render].
func Render(echarts string, chart draw.Chart, width int, theme Theme) (string, error) {
	e, err := New(echarts)
	if err != nil {
		return "", err
	}
	return e.Render(chart, width, theme)
}
