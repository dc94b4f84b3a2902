package play

import (
	"encoding/json"
	"testing"
)

// BenchmarkShow is a move of a slider, without the drawing in ECharts.
func BenchmarkShow(b *testing.B) {
	for i := range b.N {
		screen, err := Show("scenario=GC+pause&fencing=off", "pause", 5+float64(i%20)/2)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := screen.Chart.Option(); err != nil {
			b.Fatal(err)
		}
		if _, err := json.Marshal(screen); err != nil {
			b.Fatal(err)
		}
	}
}
