package charts

import (
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"fencingtokens/charts/draw"
)

// The scripts of a page: one draws the chart, the others add what stands beside
// it. Each is an expression.
var (
	//go:embed page.js
	pageScript string
	//go:embed cause.js
	causeTool string
	//go:embed table.js
	tableTool string
	//go:embed step.js
	stepTool string
	//go:embed zoom.js
	zoomScript string
)

// zoomTool gives a figure the buttons of its window, as large as its type.
const zoomTool = `tool => {
  const part = tool.figure.querySelector('.fencing-part');
  part.style.fontSize = tool.option.scale + 'em';
  (%s)(part, () => tool)();
}`

// figure is a chart with what stands beside it.
type figure struct {
	chart draw.Chart
	steps bool // with a cursor
}

// element returns the figure as HTML. Until its script has drawn the picture, and
// wherever scripts do not run, it shows the story instead.
func element(f figure) (string, error) {
	option, err := f.chart.Option()
	if err != nil {
		return "", err
	}
	id := "fencing-chart-" + rand.Text()
	arguments, err := json.Marshal([]any{id, draw.AssetsHost})
	if err != nil {
		return "", err
	}
	tools := []string{causeTool, tableTool}
	var b strings.Builder
	b.WriteString(`<div class="fencing-figure">`)
	if f.steps {
		tools = append(tools, stepTool)
		b.WriteString(`<div class="fencing-steps" hidden></div>`)
	}
	fmt.Fprintf(&b, `<div style="overflow-x: auto"><div id="%s" class="fencing-chart" style="min-width: %dpx; height: %dpx; overflow-y: auto; transform-origin: 0 0">`,
		id, f.chart.Width, f.chart.Height)
	fmt.Fprintf(&b, "<pre style=\"white-space: pre-wrap\">%s</pre></div></div>\n", html.EscapeString(f.chart.Description()))
	if f.chart.Long() {
		tools = append(tools, fmt.Sprintf(zoomTool, trimmed(zoomScript)))
		b.WriteString(`<div class="fencing-part"></div>`)
	}
	b.WriteString("</div>\n")
	fmt.Fprintf(&b, "<script>\n(%s)(...%s, %s, %s, [%s]);\n</script>", trimmed(pageScript), arguments, trimmed(draw.Script), option, trimmed(tools...))
	return b.String(), nil
}

// trimmed joins scripts as a list of expressions.
func trimmed(scripts ...string) string {
	for i, s := range scripts {
		scripts[i] = strings.TrimSpace(s)
	}
	return strings.Join(scripts, ",\n")
}
