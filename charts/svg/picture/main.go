// The command picture draws the picture in README.md anew, for light and for
// dark pages:
//
//	go run ./charts/svg/picture
//
// It is called in the repository's folder, after go run ./notebooks setup, which
// brings ECharts.
package main

import (
	"fmt"
	"os"

	"fencingtokens/charts/draw"
	"fencingtokens/charts/svg"
	"fencingtokens/fencing"
)

const source = ".lab/static/echarts.min.js"

// pictures are the files, by what they stand on.
var pictures = map[svg.Theme]string{
	svg.Light: "charts/svg/gc-pause.svg",
	svg.Dark:  "charts/svg/gc-pause-dark.svg",
}

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write() error {
	echarts, err := os.ReadFile(source)
	if err != nil {
		return fmt.Errorf("ECharts is not there: call go run ./notebooks setup first, in the repository's folder (%w)", err)
	}
	for theme, file := range pictures {
		drawn, err := svg.Render(string(echarts), GCPause(), 0, theme)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(drawn), 0o644); err != nil {
			return err
		}
		fmt.Println("Drew", file)
	}
	return nil
}

// GCPause is the chart of README.md.
func GCPause() draw.Chart {
	preset := fencing.GCPause()
	off := preset.Run()
	preset.Fencing = true
	return draw.Timeline([]*fencing.Trace{off, preset.Run()})
}
