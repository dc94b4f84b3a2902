package fencing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

// pair runs two workers of a policy, the second from 1 s on.
func pair(t *testing.T, config fencing.Config, policy fencing.Policy) *fencing.Trace {
	t.Helper()
	trace := fencing.Preset{Config: config, Policy: policy}.Run()
	require.NoError(t, trace.Err())
	return trace
}

// did are the operations that a client has called, in order.
func did(trace *fencing.Trace, client string) []string {
	var calls []string
	for _, e := range trace.Events {
		switch {
		case e.Actor != client:
		case e.Kind == fencing.Called:
			calls = append(calls, e.Op.String())
		case e.Kind == fencing.Checked:
			calls = append(calls, "look")
		case e.Kind == fencing.Did:
			calls = append(calls, "effect")
		}
	}
	return calls
}

func TestEveryPolicyOfAWorkerIsInWhatItDoes(t *testing.T) {
	for name, test := range map[string]struct {
		policy fencing.Policy
		want   []string
	}{
		"the default":        {fencing.Policy{}, []string{"acquire", "write", "release"}},
		"checks first":       {fencing.Policy{CheckFirst: true}, []string{"acquire", "look", "write", "release"}},
		"renews":             {fencing.Policy{RenewEvery: 4 * s}, []string{"acquire", "write", "renew", "release"}},
		"claims first":       {fencing.Policy{ClaimFirst: true}, []string{"acquire", "claim", "write", "release"}},
		"reads":              {fencing.Policy{ReadModifyWrite: true}, []string{"acquire", "read", "write", "release"}},
		"claims for reading": {fencing.Policy{ClaimFirst: true, ReadModifyWrite: true}, []string{"acquire", "claim", "write", "release"}},
		"asks for a token":   {fencing.Policy{FreshToken: true}, []string{"acquire", "ask", "write", "release"}},
		"has an effect":      {fencing.Policy{Effect: "mail"}, []string{"acquire", "write", "effect", "release"}},
		"writes twice":       {fencing.Policy{Writes: 2}, []string{"acquire", "write", "write", "release"}},
		"two rounds":         {fencing.Policy{Rounds: 2}, []string{"acquire", "write", "release", "acquire", "write", "release"}},
	} {
		trace := run(fencing.Config{}, fencing.Worker(test.policy))
		require.NoError(t, trace.Err(), name)
		assert.Equal(t, test.want, did(trace, "client 1"), name)
	}
}

func TestAWorkerThatStopsWhenItsRenewalFailsDoesNotWriteAndOneThatGoesOnDoes(t *testing.T) {
	cut := fencing.Config{Timeout: s, Faults: []fencing.Fault{fencing.Cut("client 1", fencing.ActorLockService, 2*s, 10*s)}}
	for _, stops := range []bool{false, true} {
		trace := pair(t, cut, fencing.Policy{WorkBefore: 14 * s, RenewEvery: 3 * s, StopWhenLost: stops})
		assert.NotEmpty(t, times(trace, fencing.Refused), "client 1 is told")
		assert.Equal(t, !stops, writes(trace, "client 1"))
		assert.True(t, writes(trace, "client 2"))
	}
}

func writes(trace *fencing.Trace, client string) bool {
	for _, a := range trace.Attempts() {
		if a.Client == client {
			return true
		}
	}
	return false
}

func TestAWorkerThatAsksForTheTokenAgainWritesWithTheNextHoldersAndGetsPastTheFence(t *testing.T) {
	pause := fencing.Config{Fencing: true, Faults: []fencing.Fault{fencing.Pause("client 1", fencing.AfterAcquire, 14*s)}}
	for fresh, accepted := range map[bool]bool{false: false, true: true} {
		trace := pair(t, pause, fencing.Policy{FreshToken: fresh})
		last := trace.Attempts()[1]
		assert.Equal(t, "client 1", last.Client)
		assert.Equal(t, accepted, last.Accepted)
		assert.Equal(t, map[bool]uint64{false: 33, true: 34}[fresh], last.Token)
	}
}

func TestAWorkerThatReleasesByNameFreesWhoeverHoldsTheLockIfTheServiceLetsItAndNobodyElse(t *testing.T) {
	for plain, until := range map[bool]time.Duration{false: 20 * s, true: 11 * s} {
		config := fencing.Config{PlainDelete: plain, Faults: []fencing.Fault{fencing.Pause("client 1", fencing.AfterWrite, 5*s)}}
		trace := pair(t, config, fencing.Policy{ReleaseByName: true})
		second := trace.Grants()[1]
		assert.Equal(t, "client 2", second.Client)
		assert.Equal(t, until, second.Until, "client 1 releases at 11 s, one second after client 2 was granted the lock")
		assert.Equal(t, plain, second.Ended == fencing.Released)
	}
}

func TestAWorkerWhoseWriteTimesOutReleasesAndOneThatIsFencedDoesNot(t *testing.T) {
	lost := fencing.Config{Timeout: s, Faults: []fencing.Fault{fencing.Drop("client 1", fencing.WriteReply)}}
	assert.Equal(t, []string{"acquire", "write", "release"}, did(pair(t, lost, fencing.Policy{}), "client 1"))
	fenced := fencing.Config{Fencing: true, Faults: []fencing.Fault{fencing.Pause("client 1", fencing.AfterAcquire, 14*s)}}
	assert.Equal(t, []string{"acquire", "write"}, did(pair(t, fenced, fencing.Policy{}), "client 1"))
}

func TestAWorkerRestartedWithItsMemoryGoesOnWithItsLeaseAndWithoutItQueues(t *testing.T) {
	at := fencing.RestartAt("client 1", 2*s)
	tokens := func(f fencing.Fault) (tokens []uint64) {
		trace := run(faults(f), fencing.Worker(fencing.Policy{WorkBefore: 3 * s, WorkAfter: s, Rounds: 2}))
		for _, a := range trace.Attempts() {
			tokens = append(tokens, a.Token)
		}
		return tokens
	}
	assert.Equal(t, []uint64{33, 34}, tokens(at.Keeping()))
	assert.Equal(t, []uint64{34, 35}, tokens(at), "its own lease had to end first")
}
