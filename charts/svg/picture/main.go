// The command picture draws the picture in README.md anew:
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

const (
	source  = ".lab/static/echarts.min.js"
	picture = "charts/svg/gc-pause.svg"
)

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("Drew", picture)
}

func write() error {
	echarts, err := os.ReadFile(source)
	if err != nil {
		return fmt.Errorf("ECharts is not there: call go run ./notebooks setup first, in the repository's folder (%w)", err)
	}
	drawn, err := svg.Render(string(echarts), GCPause(), 0, svg.Light)
	if err != nil {
		return err
	}
	return os.WriteFile(picture, []byte(drawn), 0o644)
}

// GCPause is the chart of README.md.
func GCPause() draw.Chart {
	preset := fencing.GCPause()
	off := preset.Run()
	preset.Fencing = true
	return draw.Timeline([]*fencing.Trace{off, preset.Run()})
}
