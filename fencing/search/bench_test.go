package search_test

import (
	"fmt"
	"testing"
	"time"

	"fencingtokens/fencing"
	"fencingtokens/fencing/search"
)

// Everything that may happen to the two-client worker, up to 3 faults.
func BenchmarkExplore(b *testing.B) {
	runs := 0
	for b.Loop() {
		r := search.Explore(b.Context(), workers(2, fencing.Policy{}), fencing.Config{Timeout: 3 * s, Fencing: true},
			search.Options{Faults: 3, Actions: everything, ThreadOnly: true})
		if !r.Finished {
			b.Fatal(r)
		}
		runs += r.Runs
	}
	b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(0, "ns/op")
}

func BenchmarkFirstCounterexample(b *testing.B) {
	for b.Loop() {
		if search.Explore(b.Context(), workers(2, fencing.Policy{}), fencing.Config{Timeout: 3 * s}, search.Options{Faults: 1}).Found == nil {
			b.Fatal("none found")
		}
	}
}

// Two clients, three rounds, one loss, one crash and one lease that ends. A step
// is one choice more.
func BenchmarkExhaust(b *testing.B) {
	for _, timeOut := range []time.Duration{3 * s, 0} {
		b.Run(fmt.Sprintf("time-out=%s", timeOut), func(b *testing.B) {
			steps := 0
			for b.Loop() {
				r := search.Exhaust(b.Context(), workers(2, rounds(3, claiming)), fencing.Config{Fencing: true, Timeout: timeOut},
					search.Bounds{Expiries: 1, Drops: 1, Crashes: 1})
				if !r.Finished {
					b.Fatal(r)
				}
				steps += r.Steps
			}
			b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}
