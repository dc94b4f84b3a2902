package search

import (
	"math/rand/v2"
	"testing"
	"time"

	"fencingtokens/fencing"

	"github.com/stretchr/testify/assert"
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

func TestTheQuickJudgeAgreesWithTheVerdict(t *testing.T) {
	both := []fencing.Property{fencing.NoStaleWrite, fencing.NoLostUpdate}
	counts := map[fencing.Property]int{}
	var quick judge
	for seed := range uint64(5000) {
		p := fencing.Preset{Config: fencing.Config{Timeout: 3 * time.Second, Fencing: seed%3 == 0, Chooser: dice{rand.New(rand.NewPCG(seed, 0))}},
			Policy: fencing.Policy{ReadModifyWrite: seed%2 == 0, ClaimFirst: seed%5 == 0, Rounds: 2, Writes: 2}}
		if seed%7 == 0 {
			p.Faults = []fencing.Fault{fencing.CleanUp("report", 9*time.Second), fencing.RestartAt("client 1", 8*time.Second)}
		}
		trace := p.Run()
		verdict := trace.Verdict()
		var want fencing.Property
		for _, property := range both {
			if want == "" && verdict.Finding(property).Status == fencing.Violated {
				want = property
			}
		}
		quick.read(trace)
		assert.Equal(t, want, quick.violated(trace, both), "seed %d", seed)
		counts[want]++
	}
	assert.Greater(t, min(counts[""], counts[both[0]], counts[both[1]]), 100, "%v", counts)
}
