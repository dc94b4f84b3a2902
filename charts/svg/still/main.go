// Command still replaces what is alive in an exported page by pictures of it,
// for paper: `go run ./notebooks export --print` calls it. It reads the page from
// its standard input and writes it to its standard output.
//
//	go run ./charts/svg/still .lab/static/echarts.min.js < page.html
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"fencingtokens/charts/draw"
	"fencingtokens/charts/internal/play"
	"fencingtokens/charts/svg"
)

func main() {
	if err := command(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func command(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("say where ECharts is: go run ./charts/svg/still .lab/static/echarts.min.js")
	}
	echarts, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	engine, err := svg.New(string(echarts))
	if err != nil {
		return err
	}
	page, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	still, err := picture(engine, string(page))
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, still)
	return err
}

// figure is what package charts shows, and the script that makes it alive.
var (
	figure = regexp.MustCompile(`(?s)<(?:div|section)[^>]*class="fencing-(?:figure|playground)".*?<script>(.*?)</script>`)
	size   = regexp.MustCompile(`min-width: (\d+)px; height: (\d+)px`)
)

// picture replaces every figure of a page.
func picture(engine *svg.Engine, page string) (string, error) {
	var failed error
	still := figure.ReplaceAllStringFunc(page, func(found string) string {
		drawn, err := draws(engine, found, figure.FindStringSubmatch(found)[1])
		if err != nil {
			failed = errors.Join(failed, err)
			return found
		}
		return drawn
	})
	return still, failed
}

// draws returns the picture that a figure's script would draw. After the script
// that completes an option comes the option, or a playground's link.
func draws(engine *svg.Engine, element, script string) (string, error) {
	_, after, found := strings.Cut(script, strings.TrimSpace(draw.Script)+", ")
	if !found {
		return "", errors.New("a figure of the page was made by another version of the course: run its cell again")
	}
	var given json.RawMessage
	if err := json.NewDecoder(strings.NewReader(after)).Decode(&given); err != nil {
		return "", fmt.Errorf("a figure of the page cannot be read: %w", err)
	}
	var link string
	if json.Unmarshal(given, &link) != nil {
		return drawsChart(engine, element, given)
	}
	screen, err := play.Show(link, "", 0)
	if err != nil {
		return "", err
	}
	drawn, err := engine.Render(screen.Chart, 0, svg.Light)
	return drawn + "<p>" + html.EscapeString("A playground stands here on a screen.") + "</p>\n", err
}

func drawsChart(engine *svg.Engine, element string, option []byte) (string, error) {
	found := size.FindStringSubmatch(element)
	if found == nil {
		return "", errors.New("a chart of the page has no size")
	}
	width, _ := strconv.Atoi(found[1])
	height, _ := strconv.Atoi(found[2])
	var titled struct{ Title []struct{ Text string } }
	if err := json.Unmarshal(option, &titled); err != nil {
		return "", err
	}
	var titles []string
	for _, t := range titled.Title {
		titles = append(titles, t.Text)
	}
	return engine.RenderOption(option, strings.Join(titles, " / "), width, height, svg.Light)
}
