package live_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
)

const ms = time.Millisecond

// lines are the events of the kinds that matter here, in a few words each.
func lines(events []fencing.Event) (lines []string) {
	for _, e := range events {
		lines = append(lines, fmt.Sprintf("%s %s %s %s", e.At, e.Actor, e.Kind, e.Client))
	}
	return lines
}

func granted(at time.Duration, client string, token uint64) fencing.Event {
	return fencing.Event{At: at, Actor: fencing.ActorLockService, Client: client, Kind: fencing.Granted, Key: "report", Token: token}
}

func TestALeaseEndsWhereTheServiceNoLongerNamesItsHolder(t *testing.T) {
	events := live.Merge(map[string][]fencing.Event{
		"client 1": {granted(100*ms, "client 1", 33)},
	}, append(live.Observations(), live.Observation(90*ms, "report", "client 1"), live.Observation(2300*ms, "report", "")))
	assert.Equal(t, []string{"100ms lock service granted client 1", "2.3s lock service expired client 1"}, lines(events))
}

func TestALeaseEndsBeforeTheNextGrantEvenIfThatWasHeardOfFirst(t *testing.T) {
	events := live.Merge(map[string][]fencing.Event{
		"client 1": {granted(100*ms, "client 1", 33)},
		"client 2": {granted(2290*ms, "client 2", 34)},
	}, append(live.Observations(), live.Observation(2300*ms, "report", "client 2")))
	assert.Equal(t, []string{"100ms lock service granted client 1", "2.29s lock service expired client 1", "2.29s lock service granted client 2"}, lines(events))
}

func TestAReleaseStandsBeforeTheNextGrantEvenIfThatWasHeardOfFirst(t *testing.T) {
	events := live.Merge(map[string][]fencing.Event{
		"client 1": {granted(100*ms, "client 1", 33),
			{At: 200 * ms, Actor: "client 1", Kind: fencing.Called, Op: fencing.OpRelease, Key: "report"},
			{At: 230 * ms, Actor: fencing.ActorLockService, Client: "client 1", Kind: fencing.Released, Key: "report", Token: 33}},
		"client 2": {granted(220*ms, "client 2", 34)},
	}, nil)
	assert.Equal(t, []string{"100ms lock service granted client 1", "200ms client 1 called ",
		"220ms lock service released client 1", "220ms lock service granted client 2"}, lines(events))
}

// A service that lost the lock grants it twice, and nothing may hide that.
func TestTwoGrantsAtOnceStayTwoGrantsAtOnce(t *testing.T) {
	events := live.Merge(map[string][]fencing.Event{
		"client 1": {granted(100*ms, "client 1", 33)},
		"client 2": {granted(200*ms, "client 2", 33)},
	}, nil)
	assert.Equal(t, []string{"100ms lock service granted client 1", "200ms lock service granted client 2"}, lines(events))
	trace := fencing.Recorded(fencing.Config{}, []string{"client 1", "client 2"}, append(events[:1:1], fencing.Event{At: 200 * ms, Actor: events[1].Actor,
		Client: "client 2", Kind: fencing.Granted, Key: "report", Token: 33, Until: time.Second}), nil)
	assert.Len(t, trace.Grants(), 2)
}

func TestCallsAndMessagesOfDifferentClientsGetNumbersOfTheirOwn(t *testing.T) {
	sent := func(at time.Duration, client string) fencing.Event {
		return fencing.Event{Seq: 1, At: at, Actor: client, Client: client, Kind: fencing.Sent, Call: 1, Msg: 1}
	}
	arrived := func(at time.Duration, client string) fencing.Event {
		return fencing.Event{At: at, Actor: fencing.ActorStorage, Client: client, Kind: fencing.Arrived, Call: 1, Msg: 1}
	}
	events := live.Merge(map[string][]fencing.Event{
		"client 1": {sent(10*ms, "client 1")}, "client 2": {sent(20*ms, "client 2")},
		"the storage":        {arrived(30*ms, "client 2"), arrived(40*ms, "client 1")},
		fencing.ActorNetwork: {{At: 11 * ms, Actor: "client 1", Client: "client 1", Kind: fencing.Chosen, Msg: 1}},
	}, nil)
	var numbers [][3]int
	for _, e := range events {
		numbers = append(numbers, [3]int{e.Call, e.Msg, e.Cause})
	}
	assert.Equal(t, [][3]int{{1, 1, 0}, {0, 0, 0}, {2, 2, 0}, {2, 2, 3}, {1, 1, 1}}, numbers)
	assert.Equal(t, 40*ms, events[0].Until, "a fault has held this message")
	assert.Zero(t, events[2].Until, "and not this one")
}
