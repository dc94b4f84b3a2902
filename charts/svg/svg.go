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

// Render returns the chart as an SVG document in light colours, width pixels
// wide, or as wide as the chart needs if that is more. The argument echarts is
// the source of ECharts, the file echarts.min.js that set-up puts into
// .lab/static.
func Render(echarts string, chart draw.Chart, width int) (string, error) {
	option, err := chart.Option()
	if err != nil {
		return "", err
	}
	js := goja.New()
	// ECharts asks for a timer, and has nothing to wait for in a static picture.
	if err := js.Set("setTimeout", func() int { return 0 }); err != nil {
		return "", err
	}
	module := "(function () { const module = { exports: {} }; (function (exports, module) {" + echarts + "\n})(module.exports, module); return module.exports; })()"
	library, err := js.RunScript("echarts.min.js", module)
	if err != nil {
		return "", fmt.Errorf("ECharts does not run: %w", err)
	}
	if err := js.Set("echarts", library); err != nil {
		return "", err
	}
	drawn, err := js.RunScript("draw.js", fmt.Sprintf(`{
		const option = (%s)(%s, false);
		option.backgroundColor = option.palettes.light.ground;
		const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: %d, height: %d });
		chart.setOption(option);
		chart.renderToSVGString();
	}`, draw.Script, option, max(width, chart.Width), chart.Height))
	if err != nil {
		return "", fmt.Errorf("ECharts cannot draw the chart: %w", err)
	}
	label := html.EscapeString(strings.Join(strings.Fields(chart.Title), " "))
	return strings.Replace(drawn.String(), "<svg ", `<svg role="img" aria-label="`+label+`" `, 1) + "\n", nil
}
