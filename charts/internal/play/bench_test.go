package play

import "testing"

// BenchmarkShow is a move of a slider until ECharts has what changed.
func BenchmarkShow(b *testing.B) {
	for i := range b.N {
		shown, err := Show("scenario=GC+pause&fencing=off", "pause", 5+float64(i%20)/2)
		if err != nil {
			b.Fatal(err)
		}
		if len(shown.Chart.Changes()) == 0 {
			b.Fatal("nothing to draw")
		}
	}
}
