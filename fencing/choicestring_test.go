package fencing_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

// Names that a careless choice string would break at.
var hostile = []string{"client 1", "", " ", "a/b", "a=b", "a;b", "a,b", `"`, `a"b`, `"quoted"`, "at 3s", "😀/😀", "line\nbreak", "back\\slash", "\t tab",
	"cut", "pause 3s", "ends with ;", "\u00a0", "´x`", "thread only", "\x00", "\xff\xfe", "client 1/after acquire/1=crash"}

// anyFault is a fault of any actor, point, action and length, and with options
// only where its action has them.
func anyFault(r *rand.Rand) fencing.Fault {
	name := func() string { return hostile[r.IntN(len(hostile))] }
	f := fencing.Fault{Actor: name(), Action: fencing.Action(1 + r.IntN(int(fencing.FailOverIt)))}
	if r.IntN(2) == 0 {
		f.Point = fencing.Point(1 + r.IntN(int(fencing.ReleaseReply)))
		if n := r.IntN(4); n > 1 {
			f.Nth = n
		}
	} else {
		f.At = time.Duration(r.Int64() >> r.IntN(63))
	}
	switch f.Action {
	case fencing.PauseIt, fencing.SuspendIt, fencing.DelayIt, fencing.DuplicateIt, fencing.StopIt, fencing.JumpIt:
		f.For = time.Duration(r.Int64()>>r.IntN(63)) - time.Duration(r.Int64()>>r.IntN(63))
	case fencing.CutIt:
		f.For, f.Target = time.Duration(r.Int64()>>r.IntN(63)), name()
	case fencing.CleanUpIt:
		f.Target = name()
	case fencing.FailOverIt:
		f.Back = []uint64{0, 1, 99, fencing.FromStart}[r.IntN(4)]
	}
	f.Only, f.Keep = r.IntN(4) == 0, r.IntN(4) == 0
	return f
}

func TestAChoiceStringIsReadBackAsTheSameFaultsWhateverTheNames(t *testing.T) {
	check := func(seed uint64) bool {
		r := rand.New(rand.NewPCG(seed, 0))
		faults := make([]fencing.Fault, 1+r.IntN(4))
		for i := range faults {
			faults[i] = anyFault(r)
		}
		text := fencing.ChoiceString(faults)
		read, err := fencing.ParseFaults(text)
		return assert.NoError(t, err, "%s", text) && assert.Equal(t, faults, read, "%s", text)
	}
	assert.NoError(t, quick.Check(check, &quick.Config{MaxCount: 5000}))
}

func TestAChoiceStringReadsLikeAList(t *testing.T) {
	text := "client 1/after acquire/1=pause 14s; client 2/before write/3=pause 1s, thread only; lock service/at 3s=fail over, counting from start; " +
		"client 1/at 0s=cut 2s node C; storage/at 4s=clean up report; client 2/at 9s=restart, keeping"
	faults, err := fencing.ParseFaults(text)
	require.NoError(t, err)
	assert.Equal(t, []fencing.Fault{
		fencing.Pause("client 1", fencing.AfterAcquire, 14*s),
		fencing.Pause("client 2", fencing.BeforeWrite, s).Time(3).ThreadOnly(),
		fencing.FailOver(3 * s).CountingBack(fencing.FromStart),
		fencing.Cut("client 1", "node C", 0, 2*s),
		fencing.CleanUp("report", 4*s),
		fencing.RestartAt("client 2", 9*s).Keeping(),
	}, faults)
	assert.Equal(t, text, fencing.ChoiceString(faults))
	spaced, err := fencing.ParseFaults(" " + strings.ReplaceAll(text, "; ", "  ;\n") + " ;\n")
	assert.NoError(t, err)
	assert.Equal(t, faults, spaced, "white space between faults is free")
	none, err := fencing.ParseFaults("  ")
	assert.NoError(t, err)
	assert.Empty(t, none)
}

func TestAChoiceStringThatMakesNoSenseIsRefusedAtItsPlace(t *testing.T) {
	for text, why := range map[string]string{
		"client 1":                                         `an "=" is missing after ""`,
		"client 1/after acquire/1":                         `an "=" is missing after "after acquire/1"`,
		"client 1/after lunch/1=crash":                     `there is no point "after lunch"`,
		"client 1/after acquire=crash":                     `"" does not say which passing of "after acquire", counted from 1`,
		"client 1/after acquire/0=crash":                   `"0" does not say which passing of "after acquire", counted from 1`,
		"client 1/at noon=crash":                           `"noon" is not a length such as 14s or 250ms`,
		"client 1/after acquire/1=":                        `there is no action in ""`,
		"client 1/after acquire/1=explode":                 `there is no action in "explode"`,
		"client 1/after acquire/1=crashes":                 `there is no action in "crashes"`,
		"client 1/after acquire/1=pause":                   `"" is not a length such as 14s or 250ms`,
		"client 1/after acquire/1=pause long":              `"long" is not a length such as 14s or 250ms`,
		"client 1/after acquire/1=pause 1s, alone":         `there is no option "alone"`,
		"lock service/at 1s=fail over, counting back many": `"many" is not a number of grants`,
		`"client 1/after acquire/1=crash`:                  `a quoted name has no end`,
		`client 1/at 1s=cut 1s "node C`:                    `a quoted name has no end`,
	} {
		_, err := fencing.ParseFaults(text)
		assert.EqualError(t, err, "the choice string stops making sense at "+quoteGo(text)+": "+why+`; write it as in "client 1/after acquire/1=pause 14s; client 1/at 3s=crash"`)
		_, err = fencing.ParseFaults("client 1/at 3s=crash; " + text)
		assert.ErrorContains(t, err, "stops making sense at "+quoteGo(text), "the faults before it were clear")
	}
}

func TestARunWithAChoiceOfAnUnknownOrUnusedNameIsAnError(t *testing.T) {
	preset := fencing.GCPause()
	for text, want := range map[string]string{
		"client 9/after acquire/1=pause 14s": `the fault "client 9/after acquire/1=pause 14s" is for a client that this world does not have: its clients are "client 1", "client 2"`,
		"client 1/after acquire/2=pause 14s": `the fault "client 1/after acquire/2=pause 14s" never happened, because client 1 came to "after acquire" only 1 time: choose a point or a time that the client reaches`,
	} {
		var err error
		preset.Faults, err = fencing.ParseFaults(text)
		require.NoError(t, err)
		assert.EqualError(t, preset.Run().Err(), want)
	}
}

func TestWhatARunChoseCanBePastedAndGivesTheSameRun(t *testing.T) {
	preset := fencing.GCPause()
	first := preset.Run()
	var err error
	preset.Faults, err = fencing.ParseFaults(fencing.ChoiceString(preset.Faults))
	require.NoError(t, err)
	assert.Equal(t, first.Events, preset.Run().Events)
}
