package charts

import (
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"fencingtokens/charts/draw"
	"fencingtokens/charts/internal/play"
	"fencingtokens/fencing"
)

//go:embed playground.js
var playgroundScript string

//go:embed playground.css
var playgroundStyle string

// Playground shows a preset with everything to change it by: the simulator runs
// in the reader's browser, so that the cell ends at once and the playground
// lives on without the kernel. Where scripts do not run, the reader sees the
// run's story.
func Playground(preset fencing.Preset) {
	scene, err := play.Of(preset)
	if err != nil {
		fmt.Println("The playground cannot be shown:", err)
		return
	}
	chart := draw.Timeline([]*fencing.Trace{preset.Run()}, sized(nil)...)
	if !inNotebook() {
		fmt.Println(chart.Description())
		return
	}
	page, err := playgroundElement(scene, chart)
	if err != nil {
		fmt.Println("The playground cannot be shown:", err)
		return
	}
	display(page)
}

// playgroundElement returns the playground as HTML. The story in it is there
// until the script has replaced it.
func playgroundElement(scene play.Scene, chart draw.Chart) (string, error) {
	id := "fencing-playground-" + rand.Text()
	arguments, err := json.Marshal([]string{id, draw.AssetsHost})
	if err != nil {
		return "", err
	}
	link, err := json.Marshal(scene.Link())
	if err != nil {
		return "", err
	}
	template, err := draw.Template(sized(nil)...)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<style>\n%s</style>\n", playgroundStyle)
	fmt.Fprintf(&b, `<section id="%s" class="fencing-playground" aria-label="Playground">`, id)
	b.WriteString("<p>Here is a playground, where scripts may run: open this lesson with “go run ./notebooks” and run the cell. This is the run as a story:</p>")
	fmt.Fprintf(&b, "<pre style=\"white-space: pre-wrap\">%s</pre></section>\n", html.EscapeString(chart.Description()))
	fmt.Fprintf(&b, "<script>\n(%s)(...%s, %s, %s, %s, %s, %s, %s, %s);\n</script>", trimmed(playgroundScript), arguments, trimmed(zoomScript), trimmed(causeTool), trimmed(draw.Fill), trimmed(draw.Flat), template, trimmed(draw.Script), link)
	return b.String(), nil
}
