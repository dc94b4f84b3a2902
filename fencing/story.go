package fencing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// String tells the run as a story: a heading, a line for everything that
// matters to a reader, and the verdict's headline.
func (t *Trace) String() string {
	var b strings.Builder
	name := t.Config.Name
	if name == "" {
		name = "a run"
	}
	fmt.Fprintf(&b, "%s (%s)\n", oneLine(name), oneLine(t.Config.Parameters()))
	width := len(ActorLockService)
	for _, c := range t.Clients {
		width = max(width, len([]rune(c)))
	}
	for _, e := range t.Events {
		if s := t.Sentence(e); s != "" && !e.quiet(t.Config.Latency) {
			fmt.Fprintf(&b, "%9s  %-*s  %s\n", seconds(e.At), width, oneLine(e.Actor), oneLine(s))
		}
	}
	b.WriteString(oneLine(t.headline()))
	return b.String()
}

// oneLine keeps a name with a strange character in it from breaking up the
// story's lines.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, s)
}

// quiet events have a sentence of their own, but the story of a run is told
// without them. Of the messages it tells those that take longer than all.
func (e Event) quiet(latency time.Duration) bool {
	switch e.Kind {
	case Sent:
		return e.Until-e.At <= latency
	case Arrived, Finished, BeliefBegan, Chosen, Stuck:
		return true
	case Returned:
		return e.Outcome != Unknown && (e.Op != OpRelease && e.Op != OpRenew || e.Outcome == OK)
	case BeliefEnded:
		return slices.Contains([]string{whyReleased, whyReturned, whyCrashed}, e.Note)
	}
	return false
}

// Sentence explains an event of this trace in plain words, without its time and
// actor: "grants token 33 to client 1 until 11 s".
func (t *Trace) Sentence(e Event) string {
	switch e.Kind {
	case Called:
		return e.called()
	case Returned:
		return e.returnedSentence()
	case Checked:
		if e.Outcome == OK {
			return fmt.Sprintf("looks at its clock: its lease runs until %s, so it thinks it may go on", seconds(e.Until))
		}
		return "looks at its clock: its lease is over"
	case Working:
		return fmt.Sprintf("works for %s", seconds(e.Until-e.At))
	case Finished:
		return "is done"
	case BeliefBegan:
		return fmt.Sprintf("believes that it holds %q with token %d until %s", e.Key, e.Token, seconds(e.Until))
	case BeliefEnded:
		return fmt.Sprintf("no longer believes that it holds token %d: %s", e.Token, e.Note)
	case Sent, Arrived, Lost:
		return e.messageSentence(t.Config.Latency)
	case LeftOut:
		return fmt.Sprintf("leaves %s out: it was not heard from in the queue", e.Client)
	case Forgot:
		return fmt.Sprintf("has forgotten the lease of %s", e.holder())
	case Did:
		if e.Outcome == Fail {
			return fmt.Sprintf("asks for the effect %q: %s", e.Key, e.Note)
		}
		return fmt.Sprintf("has the effect %q on the world outside", e.Key)
	case Restarted:
		return "begins anew"
	case CutOff:
		return fmt.Sprintf("loses every message from %s to %s until %s", e.Client, e.Key, seconds(e.Until))
	case ClockJumped:
		return fmt.Sprintf("has its clock jump by %s", seconds(e.Until))
	case ClockStopped:
		return fmt.Sprintf("has its clock stand still until %s", seconds(e.Until))
	case ClockRan:
		return "has its clock run again"
	case Rebooted:
		return "restarts"
	case FailedOver:
		if e.Key == "" {
			return "fails over, before anybody asked for a lock"
		}
		return fmt.Sprintf("fails over: the next token of %q is %d", e.Key, e.Token)
	case Queued:
		if e.Note == "" {
			return fmt.Sprintf("lets %s wait for %q", e.Client, e.Key)
		}
		return fmt.Sprintf("lets %s wait: %s holds %q with token %d until %s", e.Client, e.Note, e.Key, e.Token, seconds(e.Until))
	case Granted:
		return fmt.Sprintf("grants %s to %s until %s", e.tokenOrKey(), e.Client, seconds(e.Until))
	case Renewed:
		return fmt.Sprintf("lets the lease of %s run until %s", e.tokenOrKey(), seconds(e.Until))
	case Refused:
		return fmt.Sprintf("refuses the %s of %s: %s", opNoun(e.Op), e.Client, e.Note)
	case Released:
		if e.Note != "" {
			return fmt.Sprintf("takes %s away from %s, because %s released the lock by name", e.tokenOrKey(), e.Client, e.Note)
		}
		return fmt.Sprintf("takes %s back from %s", e.tokenOrKey(), e.Client)
	case Expired:
		return fmt.Sprintf("ends the lease of %s: %s did not renew it in time", e.tokenOrKey(), e.Client)
	case Accepted, Rejected, Served, Claimed, Deleted, Passed:
		return t.storageSentence(e)
	case Chosen:
		return "the world chooses " + e.Note
	case Paused:
		if e.Note != "" {
			return fmt.Sprintf("%s stands still until %s", e.Note, seconds(e.Until))
		}
		return fmt.Sprintf("stands still until %s: it sees nothing, and nobody tells it", seconds(e.Until))
	case Resumed:
		if e.Note != "" {
			return e.Note + " goes on"
		}
		return "goes on, as if no time had passed"
	case Crashed:
		return "crashes"
	case Unreached:
		return fmt.Sprintf("never met the fault %q", e.Note)
	case Panicked:
		value, _, _ := strings.Cut(e.Note, "\n")
		return "panics: " + value
	case Exited:
		return "ends its goroutine"
	case Stuck:
		return fmt.Sprintf("waits for ever for the reply to its %s", opNoun(e.Op))
	case Failed:
		return "error: " + e.Note
	}
	return ""
}

// tokenOrKey names a grant: by its token, or by its lock if it has none.
func (e Event) tokenOrKey() string {
	if e.Token == 0 {
		return fmt.Sprintf("%q", e.Key)
	}
	return fmt.Sprintf("token %d", e.Token)
}

func withToken(token uint64) string {
	if token == 0 {
		return "without a token"
	}
	return fmt.Sprintf("with token %d", token)
}

func (e Event) holder() string {
	if e.Token == 0 {
		return e.Client
	}
	return fmt.Sprintf("%s (token %d)", e.Client, e.Token)
}

func (e Event) called() string {
	switch e.Op {
	case OpAcquire, OpTryAcquire:
		return fmt.Sprintf("asks for the lock %q", e.Key)
	case OpRenew:
		return fmt.Sprintf("asks to renew the lease of token %d", e.Token)
	case OpRelease:
		return "releases " + e.tokenOrKey()
	case OpClaim:
		return fmt.Sprintf("claims %q with token %d", e.Key, e.Token)
	case OpDelete:
		return fmt.Sprintf("deletes %q, with token %d", e.Key, e.Token)
	case OpAsk:
		return fmt.Sprintf("asks for the present token of %q", e.Key)
	case OpWrite:
		return fmt.Sprintf("writes %q to %q, %s", e.Value, e.Key, withToken(e.Token))
	}
	return fmt.Sprintf("reads %q", e.Key)
}

func (e Event) returnedSentence() string {
	switch {
	case e.Outcome == Unknown:
		return fmt.Sprintf("gives up waiting for the reply to its %s: it cannot know whether it was carried out", opNoun(e.Op))
	case e.Outcome == Fail && e.Op == OpRelease:
		return "learns from the reply to its release: the lease was no longer its own"
	case e.Outcome == Fail:
		return fmt.Sprintf("learns that its %s failed", opNoun(e.Op))
	}
	return fmt.Sprintf("learns that its %s is done", opNoun(e.Op))
}

func (e Event) messageSentence(latency time.Duration) string {
	kind := "request"
	if e.Reply {
		kind = "reply"
	}
	what := fmt.Sprintf("the %s %s", opNoun(e.Op), kind)
	switch {
	case e.Kind == Lost && e.Note != "":
		return fmt.Sprintf("%s is lost: %s", what, e.Note)
	case e.Kind == Lost:
		return what + " is lost on its way"
	case e.Kind == Arrived:
		return what + " arrives"
	case e.Until-e.At > latency:
		return fmt.Sprintf("%s is held up by the network: it will arrive at %s", what, seconds(e.Until))
	}
	return fmt.Sprintf("%s is sent and will arrive at %s", what, seconds(e.Until))
}

func (t *Trace) storageSentence(e Event) string {
	switch e.Kind {
	case Served:
		return fmt.Sprintf("returns %q to %s", e.Value, e.Client)
	case Claimed:
		if e.Token < e.Fence {
			return fmt.Sprintf("returns %q to %s, whose claim with token %d raises nothing: the fence of %q is %d, and nobody checks it", e.Value, e.Client, e.Token, e.Key, e.Fence)
		}
		return fmt.Sprintf("raises the fence of %q to %d for %s and returns %q", e.Key, e.Fence, e.Client, e.Value)
	case Passed:
		return fmt.Sprintf("finds token %d of %s high enough; the write is a second step", e.Token, e.Client)
	case Deleted:
		if e.Client == "" {
			return fmt.Sprintf("deletes %q: %s", e.Key, e.Note)
		}
		return fmt.Sprintf("deletes %q for %s, with token %d", e.Key, e.Client, e.Token)
	}
	a := t.attempt(e)
	var remarks string
	switch {
	case e.Kind == Rejected:
		return fmt.Sprintf("rejects the %s of %s %s: %s", e.Op, e.Client, withToken(e.Token), rejection(a, e))
	case a.Stale && a.Lost != "":
		remarks = fmt.Sprintf(", although it had accepted %d: the data of %s is gone", a.Fence, a.Lost)
	case a.Stale:
		remarks = fmt.Sprintf(", although it had accepted %d", a.Fence)
	case a.Late:
		remarks = ", late: its lease had ended; but nobody had written with a higher token yet"
	}
	return fmt.Sprintf("accepts the write of %s %s%s", e.Client, withToken(e.Token), remarks)
}

func rejection(a Attempt, e Event) string {
	if a.Stale {
		return fmt.Sprintf("it has accepted %d", a.Fence)
	}
	return e.Note
}

// opNoun names an operation as a thing: "the acquire", "the write".
func opNoun(o Op) string {
	switch o {
	case OpRenew:
		return "renewal"
	case OpTryAcquire:
		return "acquire"
	}
	return o.String()
}

// seconds prints a duration as the course does: "14 s", "0.25 s".
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}
