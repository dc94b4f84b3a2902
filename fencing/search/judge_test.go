package search

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"fencingtokens/fencing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dice pauses clients and delays messages.
type dice struct{ *rand.Rand }

func (d dice) Choose(l fencing.Label) fencing.Choice {
	long := time.Duration(d.IntN(15)+1) * time.Second
	here := append(Options{Actions: atPoint[:1], Pauses: []time.Duration{long}}.alternatives(false), make([]fencing.Choice, 20)...)
	if l.Point.Message() {
		here = append(Options{Actions: atMessage[:1], Delays: []time.Duration{long}}.alternatives(true), make([]fencing.Choice, 20)...)
	}
	return here[d.IntN(len(here))]
}

func TestARunWithoutATraceTellsOnlyOfARunThatHoldsThatItDoes(t *testing.T) {
	both := []fencing.Property{fencing.NoStaleWrite, fencing.NoLostUpdate}
	counts := map[fencing.Property]int{}
	require.NoError(t, fencing.Runners(t.Context(), 1, func(_ context.Context, r *fencing.Runner) {
		for seed := range uint64(5000) {
			p := fencing.Preset{Config: fencing.Config{Timeout: 3 * time.Second, Fencing: seed%3 == 0},
				Policy: fencing.Policy{ReadModifyWrite: seed%2 == 0, ClaimFirst: seed%5 == 0, Rounds: 2, Writes: 2}}
			if seed%7 == 0 {
				p.Faults = []fencing.Fault{fencing.CleanUp("report", 9*time.Second), fencing.RestartAt("client 1", 8*time.Second)}
			}
			p.Chooser = dice{rand.New(rand.NewPCG(seed, 0))}
			trace := p.Run()
			verdict := trace.Verdict()
			var want fencing.Property
			for _, property := range both {
				if want == "" && verdict.Finding(property).Status == fencing.Violated {
					want = property
				}
			}
			p.Chooser, p.Untraced = dice{rand.New(rand.NewPCG(seed, 0))}, true
			r.Run(p.Config, p.AddTo)
			stale, lost := r.Suspects()
			found, _ := violated(both, stale, lost, func() (*fencing.Trace, error) { return trace, nil })
			assert.Equal(t, want, found, "seed %d", seed)
			counts[want]++
			var kinds uint64
			for _, e := range trace.Events {
				kinds |= 1 << e.Kind
			}
			assert.Equal(t, kinds, r.Kinds(), "seed %d", seed)
		}
	}))
	assert.Greater(t, min(counts[""], counts[both[0]], counts[both[1]]), 100, "%v", counts)
}
