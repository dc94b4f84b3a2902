package fencing_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"fencingtokens/fencing"
)

// An event of this benchmark is one timer that goes off and the client's
// function going on from there, as SimPy counts them. With the trace on the
// clients work instead of sleeping, because a sleep leaves nothing in a trace.
func BenchmarkClientsThatSleepInTurn(b *testing.B) {
	for _, clients := range []int{2, 100, 10_000} {
		for _, traced := range []bool{false, true} {
			b.Run(fmt.Sprintf("clients=%d/traced=%v", clients, traced), func(b *testing.B) {
				const events = 1_000_000
				for b.Loop() {
					sleepInTurn(b, clients, events/clients, traced)
				}
				b.ReportMetric(float64(events*b.N)/b.Elapsed().Seconds(), "events/s")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func sleepInTurn(b *testing.B, clients, each int, traced bool) {
	w := fencing.NewWorld(fencing.Config{Untraced: !traced, Steps: 3 * clients * (each + 1)})
	for i := range clients {
		w.Client(fmt.Sprintf("client %d", i+1), func(c *fencing.Client) {
			length := time.Duration(i%7+1) * time.Second
			for range each {
				if traced {
					c.Work(length)
				} else {
					c.Sleep(length)
				}
			}
		})
	}
	if err := w.Run().Err(); err != nil {
		b.Fatal(err)
	}
}

// A run is one of the course's presets, from making its world to its trace.
func BenchmarkPreset(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		fencing.GCPause().Run()
	}
}

// One runner, as search and sample use it.
func BenchmarkRunner(b *testing.B) {
	preset := fencing.GCPause()
	fencing.Runners(b.Context(), 1, func(_ context.Context, r *fencing.Runner) {
		b.ReportAllocs()
		for b.Loop() {
			r.Run(preset.Config, preset.AddTo)
		}
	})
}
