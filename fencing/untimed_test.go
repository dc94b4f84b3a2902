package fencing_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fencingtokens/fencing"
	"fencingtokens/fencing/search"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// This file compares search.Exhaust with the plainest search there is: it runs
// the program along every way, in a world in which a step is taken at no moment
// in particular. There, requests and replies arrive, are lost and are waited for
// at any moment, clients crash at any moment, sleep and work until any moment,
// and leases end at any moment.

// plain is such a search. It is the picker of its runs.
type plain struct {
	way     []int
	done    int
	runner  *fencing.Runner
	print   uint64
	options int
	asked   bool // the choice at the end is about what happens at once

	most     int                       // runs; 0 is no end
	cut      bool                      // it would have taken more
	storage  map[string]bool           // everything that was ever stored, with the fences
	violated map[fencing.Property]bool // by anything that happened
	states   int                       // in which there is a choice about what does not happen at once
}

// way is one that has not been gone yet.
type way struct {
	picks  []int
	writes int // and claims and effects: how many there are on it up to the last choice
}

func (p *plain) Pick(steps []fencing.Step) int {
	if p.done < len(p.way) {
		p.done++
		return p.way[p.done-1]
	}
	p.print, p.options = p.runner.Fingerprint(), len(steps)
	switch steps[0].Kind {
	case fencing.Waits, fencing.HasReply, fencing.SeesInTime:
		p.asked = true
	}
	return -1
}

func (p *plain) search(t *testing.T, program func(*fencing.World), config fencing.Config, bounds fencing.Bounds) *plain {
	p.storage, p.violated = map[string]bool{}, map[fencing.Property]bool{}
	known := map[uint64]bool{}
	ways := []way{{}}
	require.NoError(t, fencing.Runners(t.Context(), 1, func(_ context.Context, r *fencing.Runner) {
		p.runner = r
		for runs := 1; len(ways) > 0; ways = ways[1:] {
			if runs == p.most {
				p.cut = true
				return
			}
			runs++
			p.way, p.done, p.options, p.asked = ways[0].picks, 0, 0, false
			trace := r.RunUntimed(config, program, p, bounds)
			if !assert.NoError(t, trace.Err()) {
				return
			}
			writes := p.judge(trace, ways[0].writes)
			if p.options == 0 || known[p.print] {
				continue
			}
			known[p.print] = true
			if !p.asked {
				p.states++
			}
			for i := range p.options {
				ways = append(ways, way{append(slices.Clone(p.way), i), writes})
			}
		}
	}))
	return p
}

// judge notes what the run has shown after some writes, claims and effects.
func (p *plain) judge(trace *fencing.Trace, before int) (writes int) {
	keys := map[string]string{}
	for _, e := range trace.Events {
		switch e.Kind {
		case fencing.Accepted, fencing.Deleted, fencing.Claimed:
			keys[e.Key] = fmt.Sprintf("%q version %d fence %d", e.Value, e.Version, e.Fence)
			writes++
			if writes > before {
				p.storage[fmt.Sprint(keys)] = true
			}
		case fencing.Did:
			writes++
		}
	}
	if writes == before {
		return writes
	}
	for _, f := range trace.Verdict().Findings {
		if f.Status == fencing.Violated && slices.Contains(timeless, f.Property) {
			p.violated[f.Property] = true
		}
	}
	return writes
}

var timeless = []fencing.Property{fencing.NoStaleWrite, fencing.NoLostUpdate, fencing.NoLostOwnUpdate, fencing.FencingSafe, fencing.NothingTwice}

func TestAnExhaustiveSearchLeavesOutNothingThatTheStorageCouldNotice(t *testing.T) {
	on, off, patient := fencing.Config{Fencing: true, Timeout: 3 * s}, fencing.Config{Timeout: 3 * s}, fencing.Config{Fencing: true}
	twoSteps, failOver, restart := on, on, on
	twoSteps.Check = fencing.TwoSteps
	failOver.Faults = []fencing.Fault{fencing.FailOver(5 * s)}
	restart.Faults = []fencing.Fault{fencing.RestartAt("client 1", 5*s).Keeping()}
	rmw := fencing.Policy{ReadModifyWrite: true}
	claim := fencing.Policy{ReadModifyWrite: true, ClaimFirst: true}
	once := fencing.Bounds{Expiries: 1, Drops: 1, Crashes: 1}
	for name, test := range map[string]struct {
		program func(*fencing.World)
		config  fencing.Config
		bounds  fencing.Bounds
	}{
		"blind":                 {bothRun(fencing.Worker(fencing.Policy{})), off, once},
		"blind, fenced":         {bothRun(fencing.Worker(fencing.Policy{})), on, once},
		"blind, fenced, no end": {bothRun(fencing.Worker(fencing.Policy{})), patient, once},
		"read-modify-write":     {bothRun(fencing.Worker(rmw)), on, fencing.Bounds{Expiries: 1, Drops: 1}},
		"claim first":           {bothRun(fencing.Worker(claim)), on, once},
		"claim first, time-out": {bothRun(fencing.Worker(claim)), on, fencing.Bounds{Expiries: 1, TimeOuts: 1}},
		"checked in two steps":  {bothRun(fencing.Worker(fencing.Policy{})), twoSteps, fencing.Bounds{Expiries: 1, Drops: 1}},
		"a fail-over":           {bothRun(fencing.Worker(claim)), failOver, fencing.Bounds{Expiries: 1, Crashes: 1}},
		"a restart":             {bothRun(fencing.Worker(fencing.Policy{})), restart, fencing.Bounds{Expiries: 1}},
		"a restart at work":     {bothRun(recalls), restart, fencing.Bounds{Expiries: 1}},
		"told late":             {bothRun(toldLate), fencing.Config{SameToken: true}, fencing.Bounds{Expiries: 1, Operations: 6}},
		"two keys":              {bothRun(twoKeys), on, fencing.Bounds{Expiries: 1, Drops: 1}},
		"renews":                {bothRun(renews), on, once},
		"keeps its lease alive": {bothRun(fencing.Worker(fencing.Policy{RenewEvery: s})), on, fencing.Bounds{Expiries: 1, Crashes: 1, Operations: 5}},
		"stops when told":       {bothRun(stopsWhenTold), on, fencing.Bounds{Expiries: 1, Operations: 5}},
		"looks at its clock":    {bothRun(fencing.Worker(fencing.Policy{CheckFirst: true})), on, fencing.Bounds{Expiries: 1}},
		"writes until it knows": {bothRun(insists), on, once},
		"tries and gives up":    {bothRun(tries), on, once},
	} {
		t.Run(name, func(t *testing.T) {
			b := test.bounds
			if b.Operations == 0 {
				b.Operations = 30
			}
			all := (&plain{}).search(t, test.program, test.config, b.Everything())
			few := (&plain{}).search(t, test.program, test.config, b)
			assert.Equal(t, all.violated, few.violated)
			assert.Equal(t, strings.Join(sorted(all.storage), "\n"), strings.Join(sorted(few.storage), "\n"))

			for _, property := range timeless {
				r := search.Exhaust(t.Context(), test.program, test.config, search.Bounds{Expiries: b.Expiries, Drops: b.Drops, Crashes: b.Crashes, TimeOuts: b.TimeOuts,
					Operations: b.Operations, Properties: []fencing.Property{property}})
				require.NoError(t, r.Err())
				assert.Equal(t, few.violated[property], r.Found != nil, property)
				if r.Finished {
					assert.Equal(t, few.states, r.States)
				}
			}
		})
	}
}

func sorted(set map[string]bool) []string {
	var list []string
	for s := range set {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

func bothRun(function func(*fencing.Client)) func(*fencing.World) {
	return func(w *fencing.World) {
		w.Client("client 1", function)
		w.Client("client 2", function)
	}
}

func twoKeys(c *fencing.Client) {
	lease := c.Acquire("report")
	c.Write("report", c.Name(), lease.Token)
	c.Write("other", c.Name(), lease.Token)
	c.Release(lease)
}

func renews(c *fencing.Client) {
	lease := c.Acquire("report")
	if c.Renew(lease) == nil {
		c.Write("report", c.Name(), lease.Token)
	}
}

func recalls(c *fencing.Client) {
	lease, again := c.Recall()
	if again {
		c.Write("report", "again", lease.Token)
		return
	}
	lease = c.Acquire("report")
	c.Work(s)
	c.Release(lease)
}

func toldLate(c *fencing.Client) {
	if c.Name() == "client 1" {
		lease := c.Acquire("report")
		c.KeepAlive(lease, s)
		_, err := c.TryAcquire("report")
		c.Work(s)
		if err == nil && c.Lost(lease) {
			c.Write("other", "", 0)
		}
	}
}

func tries(c *fencing.Client) {
	lease, err := c.TryAcquire("report")
	if err != nil {
		c.Write("refused", c.Name(), 0)
		return
	}
	c.Write("report", c.Name(), lease.Token)
	c.Release(lease)
}

func stopsWhenTold(c *fencing.Client) {
	lease := c.Acquire("report")
	c.KeepAlive(lease, s)
	c.Work(s)
	if c.Lost(lease) {
		c.Write("other", c.Name(), 0)
		return
	}
	c.Write("report", c.Name(), lease.Token)
}

func insists(c *fencing.Client) {
	lease := c.Acquire("report")
	if c.Write("report", c.Name(), lease.Token) != nil {
		c.Write("report", c.Name()+" again", lease.Token)
	}
}
