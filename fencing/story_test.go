package fencing_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

func TestEveryKindOfEventHasASentenceAndAName(t *testing.T) {
	trace := &fencing.Trace{}
	for kind := fencing.Called; kind <= fencing.Failed; kind++ {
		for op := fencing.NoOp; op <= fencing.OpAsk; op++ {
			e := fencing.Event{Seq: 1, Kind: kind, Op: op, Actor: "x", Note: "y"}
			assert.NotEmpty(t, trace.Sentence(e), "%s %s", kind, op)
			assert.NotContains(t, trace.Sentence(e), "invalid")
		}
		assert.NotContains(t, []string{"", "invalid"}, kind.String())
	}
}

func TestEveryNameOfAnEnumerationIsThere(t *testing.T) {
	for p := fencing.BeforeAcquire; p <= fencing.ReleaseReply; p++ {
		assert.NotContains(t, []string{"", "invalid"}, p.String())
	}
	for a := fencing.Nothing; a <= fencing.FailOverIt; a++ {
		assert.NotContains(t, []string{"", "invalid"}, a.String())
	}
	for c := fencing.AtLeast; c <= fencing.Owner; c++ {
		assert.NotContains(t, []string{"", "invalid"}, c.String())
	}
	assert.Equal(t, "invalid", fencing.Kind(math.MaxUint8).String())
}

// tells asserts that the story has those lines, in this order.
func tells(t *testing.T, trace *fencing.Trace, lines ...string) {
	t.Helper()
	require.NoError(t, trace.Err())
	story := trace.String()
	for _, line := range lines {
		_, rest, found := strings.Cut(story, line)
		require.True(t, found, "%q is not in, or not in this place of\n%s", line, trace)
		story = rest
	}
}

func TestTheStorySaysWhatAFaultDid(t *testing.T) {
	write := func(c *fencing.Client) { c.Write("report", "x", 33); c.Sleep(20 * s) }
	tells(t, run(faults(fencing.SuspendAt("client 1", s, 5*s)), write),
		"1 s  client 1      sleeps, and its clock and timers with it, until 6 s", "6 s  client 1      goes on, as if no time had passed")
	tells(t, run(faults(fencing.Pause("client 1", fencing.BeforeWrite, 5*s).ThreadOnly()), write),
		"stands still in its only thread until 5 s\n", "5 s  client 1      goes on in that thread")
	renewing := func(c *fencing.Client) { c.KeepAlive(c.Acquire("report"), 3*s); c.Sleep(20 * s) }
	beforeRenew := fencing.Pause("client 2", fencing.BeforeRenew, 9*s).ThreadOnly()
	tells(t, two(faults(beforeRenew), holdFor(4*s), renewing), "4 s  client 2      stands still in its only thread until 13 s\n", "13 s  client 2      asks to renew")
	tells(t, two(faults(beforeRenew.Time(2)), holdFor(4*s), renewing), "7 s  client 2      stands still in one of its threads until 16 s; the others go on")
	assert.True(t, two(faults(beforeRenew), holdFor(4*s), renewing).Pauses()[0].Only)
	tells(t, run(faults(fencing.Duplicate("client 1", fencing.WriteRequest, 3*s)), write),
		"0 s  storage       accepts the write", "3 s  storage       the write request arrives a second time", "3 s  storage       accepts the write")
	tells(t, run(faults(fencing.JumpClock("client 1", s, -2*s), fencing.StopClock("lock service", 3*s, 2*s)), write),
		"1 s  client 1      its clock jumps back by 2 s", "3 s  lock service  its clock stands still until 5 s", "5 s  lock service  its clock runs again")
	tells(t, run(faults(fencing.StopClock("lock service", 0, 4*s)), justAcquire),
		"lock service  grants token 33 to client 1 for as long as its clock stands still")
	tells(t, run(fencing.Config{FenceForgotten: true, Faults: []fencing.Fault{fencing.RestartStorage(s), fencing.CleanUp("report", 2*s)}}, write),
		"1 s  storage       restarts, and forgets its fence", `2 s  storage       deletes "report", as a clean-up does, and forgets its fence`)
	tells(t, run(faults(fencing.RestartAt("client 1", s).Keeping()), func(c *fencing.Client) { c.Acquire("report"); c.Sleep(3 * s) }),
		"1 s  client 1      crashes", "1 s  client 1      begins anew and remembers its lease")
	tells(t, run(fencing.Config{Timeout: s, Faults: []fencing.Fault{fencing.Cut("client 1", "storage", 0, s)}}, write),
		"0 s  network       loses every message from client 1 to the storage until 1 s", "0 s  network       the write request is lost on its way",
		"1 s  client 1      gives up waiting for the reply to its write: it cannot know whether it was carried out")
}

func TestAStaleDeleteIsToldLikeAStaleWrite(t *testing.T) {
	tells(t, run(fencing.Config{}, func(c *fencing.Client) { c.Write("report", "x", 34); c.Delete("report", 33) }),
		`storage       deletes "report" for client 1, with token 33, although it had accepted 34`)
}

func TestAClaimThatNobodyChecksIsToldAsOne(t *testing.T) {
	tells(t, run(fencing.Config{}, func(c *fencing.Client) { c.Write("report", "x", 34); c.Claim("report", 33) }),
		`storage       returns "x" to client 1, whose claim with token 33 raises nothing: the fence of "report" is 34, and nobody checks it`)
}

func TestTheStoryOfLockNodesNamesThemTogetherAndSaysWhoHasAMajority(t *testing.T) {
	trace := two(redlock(5, cutOff("client 2", "node A")...), holdFor(3*s), func(c *fencing.Client) { c.Sleep(s); c.Acquire("report") })
	tells(t, trace,
		`0 s  node A, B, C, D, E  grants "report" to client 1 until 10 s`,
		"0 s  client 1            has a majority: 5 of 5 nodes granted it, and it counts on the lock until 9.898 s",
		"2 s  network             the acquire request to node A is lost on its way",
		"2 s  node B, C, D, E     refuses the acquire of client 2: client 1 holds it",
		"2.5 s  client 2            does not get the lock: 0 of 5 nodes granted it")
	assert.NotContains(t, trace.String(), "refuses the release")
}

func TestMessagesThatTakeTheirUsualTimeAreNotTold(t *testing.T) {
	trace := run(fencing.Config{Latency: s, Faults: []fencing.Fault{fencing.Delay("client 1", fencing.WriteRequest, 5*s)}},
		func(c *fencing.Client) { c.Read("report"); c.Write("report", "x", 33) })
	tells(t, trace, "the write request is held up by the network: it will arrive at 8 s")
	assert.NotContains(t, trace.String(), "the read request")
}

func TestSecondsHaveNoDigitsThatNobodyWrote(t *testing.T) {
	for ms := range time.Duration(20_000) {
		d := ms * 10 * time.Millisecond
		want := strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%d.%02d", ms/100, ms%100), "0"), ".") + " s"
		require.Equal(t, want, fencing.Seconds(d))
	}
}

func TestTheStoryDoesNotBlameAHolderForALeaseThatItCouldNotKeep(t *testing.T) {
	renewing := func(c *fencing.Client) { c.KeepAlive(c.Acquire("report"), 3*s); c.Sleep(20 * s) }
	limited := run(fencing.Config{MaxHold: 12 * s}, renewing)
	tells(t, limited, "12 s  lock service  ends the lease of token 33: no lease lasts longer than 12 s")
	assert.NotContains(t, limited.String(), "did not renew")

	jump := func(by time.Duration) fencing.Config {
		return faults(fencing.JumpClock(fencing.ActorLockService, 4*s, by))
	}
	tells(t, run(jump(20*s), renewing), "4 s  lock service  ends the lease of token 33: its clock has jumped past the end")
	silent := func(c *fencing.Client) { c.Acquire("report"); c.Sleep(20 * s) }
	tells(t, run(jump(2*s), silent), "8 s  lock service  ends the lease of token 33: client 1 did not renew it in time, by a clock that had jumped")
	tells(t, run(jump(2*s), func(c *fencing.Client) { lease := c.Acquire("report"); c.Sleep(5 * s); c.Renew(lease); c.Sleep(20 * s) }),
		"15 s  lock service  ends the lease of token 33: client 1 did not renew it in time\n")
	tells(t, run(fencing.Config{MaxHold: 12 * s}, silent), "10 s  lock service  ends the lease of token 33: client 1 did not renew it in time\n")
}

func TestTheStorySaysWhatAWrongClockShows(t *testing.T) {
	look := func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.Sleep(5 * s)
		c.Holds(lease)
		c.Sleep(20 * s)
		c.Holds(lease)
	}
	tells(t, run(clocks(fencing.Clock{Actor: "client 1", Offset: 2 * s}), look),
		"5 s  client 1      looks at its clock, which shows 7 s: its lease runs until 12 s, so it thinks it may go on",
		"25 s  client 1      looks at its clock, which shows 27 s: its lease is over")
	tells(t, run(fencing.Config{}, look), "5 s  client 1      looks at its clock: its lease runs until 10 s, so it thinks it may go on")
}

func TestTheStoryTellsOfALockDelayAndOfAWaiterThatWasLeftOut(t *testing.T) {
	delay := fencing.Config{LockDelay: 15 * s}
	tells(t, two(delay, func(c *fencing.Client) { c.Acquire("report"); c.Sleep(20 * s) }, func(c *fencing.Client) { c.Sleep(11 * s); c.Acquire("report") }),
		"10 s  lock service  ends the lease of token 33: client 1 did not renew it in time; the lock-delay keeps everybody out for 15 s",
		"12 s  lock service  lets client 2 wait for \"report\": the lock-delay is not over", "25 s  lock service  grants token 34 to client 2")

	leftOut := faults(fencing.PauseAt("client 2", 2*s, 30*s))
	leftOut.WaiterLease = true
	story := two(leftOut, func(c *fencing.Client) {
		lease := c.Acquire("report")
		c.KeepAlive(lease, 3*s)
		c.Work(20 * s)
		c.Release(lease)
	}, justAcquire)
	tells(t, story, "20 s  lock service  leaves client 2 out", "32 s  client 2      goes on",
		"32 s  client 2      still waits, and asks for the lock \"report\" again", "32 s  lock service  grants token 34 to client 2")
	assert.Equal(t, 1, strings.Count(story.String(), "still waits"), "what only keeps its place goes without saying")
	tells(t, two(faults(fencing.PauseAt("client 2", 2*s, 30*s)), holdFor(20*s), justAcquire), "32 s  client 2      learns that its renewal failed",
		"32 s  client 2      still waits, and asks for the lock \"report\" again", "32 s  lock service  grants token 35 to client 2")
}

func TestTheColumnsOfAStoryStandBelowEachOtherWhateverTheTimes(t *testing.T) {
	trace := run(fencing.Config{}, func(c *fencing.Client) { c.Sleep(12_345_283_568 * time.Microsecond); c.Read("report") })
	tells(t, trace, "\n12345.284 s  client 1      reads", "\n12345.284 s  storage       returns")
	tells(t, run(faults(fencing.CrashAt("client 1", 12_345_678_900*time.Microsecond)), func(c *fencing.Client) { c.Read("report"); c.Sleep(20_000 * s) }),
		"\n        0 s  client 1      reads", "\n12345.679 s  client 1      crashes")
}

func TestAPartOfTheWorldHasItsArticleInEverySentence(t *testing.T) {
	c := fencing.Config{Clocks: []fencing.Clock{{Actor: fencing.ActorLockService, Offset: s, PPM: 3}}, Faults: []fencing.Fault{
		fencing.Cut("client 1", fencing.ActorLockService, s, s), fencing.Cut(fencing.ActorStorage, "client 1", s, s),
		fencing.JumpClock(fencing.ActorLockService, s, s), fencing.StopClock(fencing.ActorLockService, 2*s, s), fencing.RestartStorage(s)}}
	tells(t, run(c, func(c *fencing.Client) { c.Sleep(5 * s) }), "the clock of the lock service is 1 s ahead · the clock of the lock service runs 3 ppm fast · "+
		"client 1 cut off from the lock service for 1 s at 1 s · the storage cut off from client 1 for 1 s at 1 s · the clock of the lock service jumps by 1 s at 1 s · "+
		"the clock of the lock service stands still for 1 s at 2 s · the storage restarts at 1 s",
		"from client 1 to the lock service until 2 s", "from the storage to client 1 until 2 s")
	endless := func(c *fencing.Client) { c.Sleep(s); c.Sleep(s); c.Sleep(s) }
	assert.ErrorContains(t, run(fencing.Config{Steps: 1, Latency: s}, endless).Err(), "more than 1 step, client 1 last")
}

func TestSecondsAreRoundedToWhatAReaderCanUse(t *testing.T) {
	for d, want := range map[time.Duration]string{15_909_090_910: "15.909 s", 927_272_728: "0.927 s", 99_999_999: "0.1 s", 12_345_678: "0.0123 s", 12_345: "0.0000123 s", 7: "0.000000007 s", -1_234_567_890: "-1.235 s",
		100_000: "0.0001 s", 10 * time.Second: "10 s"} {
		assert.Equal(t, want, fencing.Seconds(d))
	}
}

func TestStoryAndTitleOfARunByASlowClockAreRoundedAlike(t *testing.T) {
	slow := fencing.GCPause()
	slow.Clocks = []fencing.Clock{{Actor: fencing.ActorLockService, PPM: -100_000}}
	trace := slow.Run()
	require.NoError(t, trace.Err())
	assert.Contains(t, trace.String(), "12.111 s  lock service")
	assert.NotRegexp(t, `\d\.\d{4}`, trace.String()+trace.Verdict().String())
}
