package fencing_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

// Worlds made of bytes (generate_test.go), for go test -fuzz, which looks for
// those that lead to code not seen before. Random schedules without that, many
// more a second, are in search/random_test.go. Ten million schedules of clients
// that claim first, outside CI, on all cores:
//
//	go test ./fencing -run '^$' -fuzz FuzzWithAFenceAndAClaimNoUpdateIsLost -fuzztime 10000000x -fuzzminimizetime 1x
//
// The last flag keeps the engine from shrinking every interesting input for a
// minute.
//
// Without -fuzz these targets run the seeds below and what is in testdata/fuzz.

func addSeeds(f *testing.F) {
	f.Add([]byte{})
	for seed := range uint64(60) {
		f.Add(randomBytes(seed))
	}
}

func FuzzAnyWorldRunsTheSameTwiceAndGrantsNothingTwice(f *testing.F) {
	addSeeds(f)
	k := kind{options: true, declared: harmful, copies: true}
	f.Fuzz(func(t *testing.T, data []byte) {
		trace := k.world(data).Run()
		require.NoError(t, unexpected(trace.Err()))
		if !slices.Equal(trace.Events, k.world(data).Run().Events) {
			t.Fatalf("the same run twice is not the same:\n%s\n%s", trace, k.world(data).Run())
		}
		requireOrder(t, trace)
		requireMessages(t, trace)
		if len(times(trace, fencing.Forgot)) == 0 {
			for _, v := range trace.Verdict().Findings {
				require.False(t, v.Property == fencing.OneGrant && v.Status == fencing.Violated, v.Sentence)
			}
		}
		requireReadBack(t, trace)
	})
}

// unexpected drops what a world may well end with: a fault that came too late for
// its client.
func unexpected(err error) error {
	if err == nil || errors.Is(err, fencing.ErrUnreached) {
		return nil
	}
	return err
}

// requireOrder requires that time goes forward, that causes come before their
// effects, and that beliefs, pauses and leases end after they began.
func requireOrder(t *testing.T, trace *fencing.Trace) {
	for i, e := range trace.Events {
		if e.Seq != i+1 || e.Cause >= e.Seq || i > 0 && e.At < trace.Events[i-1].At || trace.Sentence(e) == "" {
			t.Fatalf("event %d is out of order or has no sentence: %+v", i, e)
		}
	}
	for _, b := range trace.Beliefs() {
		require.True(t, b.From <= b.RightTo && b.RightTo <= b.Until, "%v", b)
	}
	for _, span := range append(trace.Pauses(), trace.Waits()...) {
		require.LessOrEqual(t, span.From, span.Until)
	}
	for _, g := range trace.Grants() {
		require.LessOrEqual(t, g.From, g.Until, "%v", g)
	}
	for _, o := range trace.Overlaps() {
		require.True(t, len(o.Clients) > 1 && o.From < o.Until && o.Running <= o.Until-o.From, "%v", o)
	}
}

// requireMessages requires that every message has a number of its own, and that
// what becomes of it is told with the same two ends.
func requireMessages(t *testing.T, trace *fencing.Trace) {
	var sent []fencing.Event // by number
	for _, e := range trace.Events {
		switch e.Kind {
		case fencing.Sent:
			sent = append(sent, e)
			require.Equal(t, len(sent), e.Msg)
		case fencing.Arrived, fencing.Lost:
			before := sent[e.Msg-1]
			require.NotEmpty(t, e.Service)
			require.Equal(t, []any{before.Client, before.Service, before.Op, before.Reply, before.Call, before.Key},
				[]any{e.Client, e.Service, e.Op, e.Reply, e.Call, e.Key})
		}
	}
}

func requireReadBack(t *testing.T, trace *fencing.Trace) {
	var lines bytes.Buffer
	require.NoError(t, trace.WriteJSONL(&lines))
	read, err := fencing.ReadJSONL(&lines)
	require.NoError(t, err)
	require.Equal(t, trace.String(), read.String())
	require.Equal(t, trace.Verdict(), read.Verdict())
}

// rightFence settles what the promise of fencing stands on.
func rightFence(c *fencing.Config) {
	c.Fencing, c.Check, c.CheckGap, c.FenceForgotten = true, fencing.AtLeast, 0, false
}

func FuzzWithAFenceNoStaleWriteIsAccepted(f *testing.F) {
	addSeeds(f)
	k := kind{options: true, declared: harmful, copies: true, config: rightFence}
	f.Fuzz(func(t *testing.T, data []byte) {
		trace := k.world(data).Run()
		require.NoError(t, unexpected(trace.Err()))
		require.NotEqual(t, fencing.Violated, trace.Verdict().Finding(fencing.NoStaleWrite).Status, "%s", trace)
	})
}

func FuzzWithAFenceAndAClaimNoUpdateIsLost(f *testing.F) {
	addSeeds(f)
	k := kind{options: true, declared: harmless, copies: true,
		config: func(c *fencing.Config) {
			rightFence(c)
			c.Nodes, c.SameToken = 0, false // unique tokens
		},
		plan: func(p *plan) { p.claim = true },
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		trace := k.world(data).Run()
		require.NoError(t, unexpected(trace.Err()))
		v := trace.Verdict()
		require.NotEqual(t, fencing.Violated, v.Finding(fencing.NoStaleWrite).Status, "%s", trace)
		require.NotEqual(t, fencing.Violated, v.Finding(fencing.NoLostUpdate).Status, "%s", trace)
		require.NotEqual(t, fencing.Violated, v.Finding(fencing.FencingSafe).Status, "%s", trace)
	})
}

// What a reader makes of any text must be a trace or a sentence.
func FuzzReadJSONL(f *testing.F) {
	var lines bytes.Buffer
	preset := fencing.GCPause()
	if err := preset.Run().WriteJSONL(&lines); err != nil {
		f.Fatal(err)
	}
	f.Add(lines.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		trace, err := fencing.ReadJSONL(bytes.NewReader(data))
		if err != nil {
			return
		}
		_, _ = trace.String(), trace.Verdict()
		requireReadBack(t, trace)
	})
}

func FuzzParseFaults(f *testing.F) {
	f.Add("client 1/after acquire/1=pause 14s; client 1/at 3s=crash")
	f.Add(`"a/b"/at 3s=cut 1s "c;d"; lock service/at 1s=fail over, keeping, counting from start`)
	f.Fuzz(func(t *testing.T, text string) {
		faults, err := fencing.ParseFaults(text)
		if err != nil {
			return
		}
		again, err := fencing.ParseFaults(fencing.ChoiceString(faults))
		require.NoError(t, err)
		require.Equal(t, faults, again)
	})
}

// What never happens in any of them is not tried by chance.
func TestInTheGeneratedWorldsEverythingHappens(t *testing.T) {
	k := kind{options: true, declared: harmful, copies: true}
	happened, toNodes := map[fencing.Kind]bool{}, map[fencing.Kind]bool{}
	for seed := range uint64(600) {
		for _, e := range k.world(randomBytes(seed)).Run().Events {
			happened[e.Kind] = true
			if strings.HasPrefix(e.Actor, "node ") || e.Kind == fencing.CutOff && strings.HasPrefix(e.Key, "node ") {
				toNodes[e.Kind] = true
			}
		}
	}
	for kind := fencing.Called; kind <= fencing.Unreached; kind++ {
		assert.True(t, happened[kind], kind)
	}
	for _, kind := range []fencing.Kind{fencing.CutOff, fencing.ClockJumped, fencing.ClockStopped, fencing.Rebooted, fencing.Forgot} {
		assert.True(t, toNodes[kind], "a node: %s", kind)
	}
}
