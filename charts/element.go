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

//go:embed page.js
var pageScript string

// element returns the chart as HTML. Until its script has drawn the picture, and
// wherever scripts do not run, it shows the story instead.
func element(chart draw.Chart) (string, error) {
	option, err := chart.Option()
	if err != nil {
		return "", err
	}
	id := "fencing-chart-" + rand.Text()
	arguments, err := json.Marshal([]any{id, chart.AssetsHost})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<div style="overflow-x: auto"><div id="%s" class="fencing-chart" style="min-width: %dpx; height: %dpx">`, id, chart.Width, chart.Height)
	fmt.Fprintf(&b, "<pre style=\"white-space: pre-wrap\">%s</pre></div></div>\n", html.EscapeString(chart.Description))
	fmt.Fprintf(&b, "<script>\n(%s)(...%s, %s, %s);\n</script>", strings.TrimSpace(pageScript), arguments, strings.TrimSpace(draw.Script), option)
	return b.String(), nil
}
