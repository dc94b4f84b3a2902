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
	lines := t.lines()
	times, actors := len("10.898 s")+1, len(ActorLockService)
	for _, l := range lines {
		times, actors = max(times, len(Seconds(l.at))), max(actors, len([]rune(l.actor)))
	}
	for _, l := range lines {
		fmt.Fprintf(&b, "%*s  %-*s  %s\n", times, Seconds(l.at), actors, oneLine(l.actor), oneLine(l.sentence))
	}
	b.WriteString(oneLine(t.Headline()))
	return b.String()
}

// line is one line of a story.
type line struct {
	at              time.Duration
	actor, sentence string
}

// lines tells the events one by one. What several lock nodes do at one instant,
// one after the other, is one line: "node A, B, C".
func (t *Trace) lines() []line {
	var lines []line
	givingBack := map[string]bool{} // by client: it has just missed a majority
	lost := map[string]bool{}       // by client: it has lost its place in the queue, or the lease that it waited for
	for _, e := range t.Events {
		l := line{e.At, e.Actor, t.Sentence(e)}
		if asksAgain(e, lost) {
			l.sentence = fmt.Sprintf("still waits, and asks for the lock %q again", e.Key)
		} else if t.quiet(e) || t.givesBack(e, givingBack) {
			continue
		}
		if l.sentence == "" {
			continue
		}
		if n := len(lines) - 1; n >= 0 && t.isNode(e.Actor) && lines[n].at == l.at && lines[n].sentence == l.sentence {
			lines[n].actor += strings.Replace(l.actor, "node", ",", 1)
			continue
		}
		lines = append(lines, l)
	}
	return lines
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

func (t *Trace) isNode(actor string) bool {
	return t.Config.Nodes > 0 && slices.Contains(t.Config.nodes(), actor)
}

// givesBack reports whether a client releases what it has got of the lock nodes
// after it missed a majority: the story has just said so.
func (t *Trace) givesBack(e Event, now map[string]bool) bool {
	if t.Config.Nodes == 0 {
		return false
	}
	switch e.Kind {
	case Returned:
		over := e.Op == OpRelease && now[e.Actor]
		now[e.Actor] = e.Op == OpTryAcquire && e.Outcome != OK
		return over
	case Called:
		return e.Op == OpRelease && now[e.Actor]
	}
	return false
}

// asksAgain reports whether a client asks for a lock once more in one and the same
// acquire, after it was left out of the queue or found the lease over that it had
// waited for. What only keeps its place is not told.
func asksAgain(e Event, lost map[string]bool) bool {
	switch {
	case e.Kind == LeftOut:
		lost[e.Client] = true
	case e.Kind == Returned && e.Op == OpRenew && e.Outcome == Fail:
		lost[e.Actor] = true
	case e.Kind == Called && e.Op == OpAcquire:
		lost[e.Actor] = false
	case e.Kind == Sent && e.Op == OpAcquire && !e.Reply && lost[e.Actor]:
		lost[e.Actor] = false
		return true
	}
	return false
}

// quiet reports whether the story leaves an event out, although it has a sentence
// of its own. Of the messages it tells those that take longer than the others,
// that are lost or that arrive again.
func (t *Trace) quiet(e Event) bool {
	nodes := t.Config.Nodes > 0
	switch e.Kind {
	case Sent:
		return e.Until-e.At <= t.Config.Latency
	case Arrived:
		return e.Note == ""
	case Finished, BeliefBegan, Chosen, Stuck:
		return true
	case Refused:
		return nodes && e.Op == OpRelease // it had not granted it, or not any more
	case Returned:
		tried := nodes && e.Op == OpTryAcquire
		return !tried && e.Outcome != Unknown && (e.Op != OpRelease && e.Op != OpRenew || e.Outcome == OK)
	case BeliefEnded:
		return slices.Contains([]string{whyReleased, whyReturned, whyCrashed}, e.Note)
	}
	return false
}

// Sentence explains an event of this trace in plain words, without its time and
// actor: "grants token 33 to client 1 until 11 s".
func (t *Trace) Sentence(e Event) string {
	switch e.Kind {
	case Called, Returned, Did, Checked, Working, Finished, BeliefBegan, BeliefEnded, Stuck:
		return t.clientSentence(e)
	case Sent, Arrived, Lost:
		return t.messageSentence(e)
	case Queued, Granted, Renewed, Refused, Released, Expired, LeftOut, Forgot, FailedOver:
		return t.serviceSentence(e)
	case Accepted, Rejected, Served, Claimed, Deleted, Passed:
		return t.storageSentence(e)
	case CutOff, ClockJumped, ClockStopped, ClockRan, Rebooted, Chosen, Unreached:
		return t.faultSentence(e)
	}
	return e.fateSentence()
}

// clientSentence tells what a client does, learns and believes.
func (t *Trace) clientSentence(e Event) string {
	switch e.Kind {
	case Called:
		return t.called(e)
	case Returned:
		return t.returnedSentence(e)
	case Did:
		if e.Outcome == Fail {
			return fmt.Sprintf("asks for the effect %q: %s", e.Key, e.Note)
		}
		return fmt.Sprintf("has the effect %q on the world outside", e.Key)
	case Checked:
		if e.Outcome == OK {
			return fmt.Sprintf("looks at its clock%s: its lease runs until %s, so it thinks it may go on", e.shown(), Seconds(e.Until))
		}
		return "looks at its clock" + e.shown() + ": its lease is over"
	case Working:
		return fmt.Sprintf("works for %s", Seconds(e.Until-e.At))
	case Finished:
		return "is done"
	case BeliefBegan:
		return fmt.Sprintf("believes that it holds %q %s until %s", e.Key, withToken(e.Token), Seconds(e.Until))
	case BeliefEnded:
		return fmt.Sprintf("no longer believes that it holds %s: %s", e.tokenOrKey(), e.Note)
	case Stuck:
		if e.Note != "" {
			return fmt.Sprintf("waits for ever for %q: %s", e.Key, e.Note)
		}
		return fmt.Sprintf("waits for ever for the reply to its %s", opNoun(e.Op))
	}
	return ""
}

// serviceSentence tells what the lock service or a lock node does.
func (t *Trace) serviceSentence(e Event) string {
	switch e.Kind {
	case Queued:
		return t.queueSentence(e)
	case Granted:
		return fmt.Sprintf("grants %s to %s %s", e.tokenOrKey(), e.Client, until(e.Until))
	case Renewed:
		return fmt.Sprintf("lets the lease of %s run %s", e.tokenOrKey(), until(e.Until))
	case Refused:
		return fmt.Sprintf("refuses the %s of %s: %s", opNoun(e.Op), e.Client, e.Note)
	case Released:
		if e.Note != "" {
			return fmt.Sprintf("takes %s away from %s, because %s released the lock by name", e.tokenOrKey(), e.Client, e.Note)
		}
		return fmt.Sprintf("takes %s back from %s", e.tokenOrKey(), e.Client)
	case Expired:
		return t.expirySentence(e)
	case LeftOut:
		return fmt.Sprintf("leaves %s out: it was not heard from in the queue", e.Client)
	case Forgot:
		return fmt.Sprintf("has forgotten the lease of %s", e.holder())
	case FailedOver:
		if e.Key == "" {
			return "fails over, before anybody asked for a lock"
		}
		sentence := fmt.Sprintf("fails over: the next token of %q is %d", e.Key, e.Token)
		if e.Note != "" {
			sentence += "; " + e.Note
		}
		return sentence
	}
	return ""
}

func (t *Trace) queueSentence(e Event) string {
	if e.Note == "" && t.Config.LockDelay > 0 {
		return fmt.Sprintf("lets %s wait for %q: the lock-delay is not over", e.Client, e.Key)
	}
	if e.Note == "" {
		return fmt.Sprintf("lets %s wait for %q", e.Client, e.Key)
	}
	return fmt.Sprintf("lets %s wait: %s holds %q with token %d %s", e.Client, e.Note, e.Key, e.Token, until(e.Until))
}

func (t *Trace) expirySentence(e Event) string {
	why := e.Note
	if why == "" {
		why = e.Client + " did not renew it in time"
	}
	if t.Config.LockDelay > 0 {
		why += fmt.Sprintf("; the lock-delay keeps everybody out for %s", Seconds(t.Config.LockDelay))
	}
	return fmt.Sprintf("ends the lease of %s: %s", e.tokenOrKey(), why)
}

// faultSentence tells what the world does to its links, clocks and services.
func (t *Trace) faultSentence(e Event) string {
	switch e.Kind {
	case CutOff:
		return fmt.Sprintf("loses every message from %s to %s until %s", theActor(e.Client), theActor(e.Key), Seconds(e.Until)) + t.losingNothing(e)
	case ClockJumped:
		if e.Until < 0 {
			return fmt.Sprintf("its clock jumps back by %s", Seconds(-e.Until))
		}
		return fmt.Sprintf("its clock jumps ahead by %s", Seconds(e.Until))
	case ClockStopped:
		return fmt.Sprintf("its clock stands still until %s", Seconds(e.Until))
	case ClockRan:
		return "its clock runs again"
	case Rebooted:
		return "restarts" + t.forgetting(e.Actor)
	case Chosen:
		return "the world chooses " + e.Note
	case Unreached:
		return fmt.Sprintf("never met the fault %q", e.Note)
	}
	return ""
}

// fateSentence tells what becomes of a client, and how a run ends.
func (e Event) fateSentence() string {
	switch e.Kind {
	case Paused:
		return e.pauseSentence()
	case Resumed:
		if e.Note == aloneNote {
			return "goes on in that thread"
		}
		return "goes on, as if no time had passed"
	case Crashed:
		return "crashes"
	case Restarted:
		if e.Note != "" {
			return "begins anew " + e.Note
		}
		return "begins anew"
	case Panicked:
		value, _, _ := strings.Cut(e.Note, "\n")
		return "panics: " + value
	case Exited:
		return "ends its goroutine"
	case Failed:
		return "error: " + e.Note
	}
	return ""
}

func (e Event) pauseSentence() string {
	end := "until " + Seconds(e.Until)
	if e.ofOneThread() && e.Until-e.At == Longest {
		end = "for good"
	}
	switch e.Note {
	case aloneNote:
		return fmt.Sprintf("stands still in one of its threads %s; the others go on", end)
	case lonelyNote:
		return fmt.Sprintf("stands still in its only thread %s", end)
	case asleepNote:
		return fmt.Sprintf("sleeps, and its clock and timers with it, %s", end)
	}
	return fmt.Sprintf("stands still %s: it sees nothing, and nobody tells it", end)
}

// shown says what a clock shows that differs from true time.
func (e Event) shown() string {
	if e.Clock == e.At {
		return ""
	}
	return ", which shows " + Seconds(e.Clock)
}

// losingNothing says so if a cut lost no message.
func (t *Trace) losingNothing(cut Event) string {
	for _, e := range t.Events {
		from, to := e.Client, e.Service
		if e.Reply {
			from, to = to, from
		}
		if e.Kind == Lost && from == cut.Client && to == cut.Key && cut.At <= e.At && e.At < cut.Until {
			return ""
		}
	}
	return ", and none is sent"
}

// forgetting says what a restart or a deletion has made an actor forget.
func (t *Trace) forgetting(actor string) string {
	if actor == ActorStorage && t.Config.FenceForgotten {
		return ", and forgets its fence"
	}
	return ""
}

// until says when a lease ends. That of a clock that stands still has no end yet.
func until(end time.Duration) string {
	if end >= farthest {
		return "for as long as its clock stands still"
	}
	return "until " + Seconds(end)
}

// tokenOrKey names a grant: by its token, or by its lock if it has none.
func (e Event) tokenOrKey() string {
	if e.Token == 0 {
		return fmt.Sprintf("%q", e.Key)
	}
	return fmt.Sprintf("token %d", e.Token)
}

// theActor names an actor inside a sentence.
func theActor(name string) string {
	if name == ActorStorage {
		return "the " + name
	}
	return theService(name)
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

func (t *Trace) called(e Event) string {
	switch e.Op {
	case OpAcquire, OpTryAcquire:
		if e.Note != "" {
			return fmt.Sprintf("has had no reply in time, and asks for the lock %q again", e.Key)
		}
		return fmt.Sprintf("asks for the lock %q", e.Key)
	case OpRenew:
		return "asks to renew the lease of " + e.tokenOrKey()
	case OpRelease:
		// A lock service without tokens has the owner's lease released all the same.
		if e.Token == 0 && t.Config.Nodes == 0 && t.Config.Systems == "" {
			return fmt.Sprintf("releases %q by name, whoever holds it", e.Key)
		}
		return "releases " + e.tokenOrKey()
	case OpClaim:
		return fmt.Sprintf("claims %q %s", e.Key, withToken(e.Token))
	case OpDelete:
		return fmt.Sprintf("deletes %q, %s", e.Key, withToken(e.Token))
	case OpAsk:
		return fmt.Sprintf("asks for the present token of %q", e.Key)
	case OpWrite:
		return fmt.Sprintf("writes %q to %q, %s", e.Value, e.Key, withToken(e.Token))
	}
	return fmt.Sprintf("reads %q", e.Key)
}

func (t *Trace) returnedSentence(e Event) string {
	switch {
	case t.Config.Nodes > 0 && e.Op == OpTryAcquire && e.Outcome == OK:
		return fmt.Sprintf("has a majority: %s, and it counts on the lock until %s", e.Note, Seconds(e.Until))
	case t.Config.Nodes > 0 && e.Op == OpTryAcquire:
		return "does not get the lock: " + e.Note[strings.LastIndex(e.Note, ": ")+len(": "):]
	case e.Outcome == Unknown:
		return fmt.Sprintf("gives up waiting for the reply to its %s: it cannot know whether it was carried out", opNoun(e.Op))
	case e.Outcome == Fail && e.Op == OpRelease:
		return "learns from the reply to its release: the lease was no longer its own"
	case e.Outcome == Fail:
		return fmt.Sprintf("learns that its %s failed", opNoun(e.Op))
	}
	return fmt.Sprintf("learns that its %s is done", opNoun(e.Op))
}

func (t *Trace) messageSentence(e Event) string {
	kind := "request"
	if e.Reply {
		kind = "reply"
	}
	what := fmt.Sprintf("the %s %s%s", opNoun(e.Op), kind, t.destination(e))
	switch {
	case e.Kind == Lost && e.Note != "":
		return fmt.Sprintf("%s is lost: %s", what, e.Note)
	case e.Kind == Lost:
		return what + " is lost on its way"
	case e.Kind == Arrived && e.Note != "":
		return what + " arrives " + e.Note
	case e.Kind == Arrived:
		return what + " arrives"
	case e.Until-e.At > t.Config.Latency:
		return fmt.Sprintf("%s is held up by the network: it will arrive at %s", what, Seconds(e.Until))
	}
	return fmt.Sprintf("%s is sent and will arrive at %s", what, Seconds(e.Until))
}

// destination says to which lock node a request goes.
func (t *Trace) destination(e Event) string {
	if e.Reply || e.Kind == Arrived || !t.isNode(e.Service) {
		return ""
	}
	return " to " + e.Service
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
			return fmt.Sprintf("deletes %q, as %s does%s", e.Key, e.Note, t.forgetting(e.Actor))
		}
		return fmt.Sprintf("deletes %q for %s, %s%s%s", e.Key, e.Client, withToken(e.Token), t.attempt(e).remarks(), t.forgetting(e.Actor))
	case Rejected:
		a := t.attempt(e)
		return fmt.Sprintf("rejects the %s of %s %s: %s", e.Op, e.Client, withToken(e.Token), rejection(a, e))
	}
	return fmt.Sprintf("accepts the write of %s %s%s", e.Client, withToken(e.Token), t.attempt(e).remarks())
}

// remarks says what is wrong with a write that was accepted.
func (a Attempt) remarks() string {
	switch {
	case a.Stale && a.Lost != "":
		return fmt.Sprintf(", although it had accepted %d: the data of %s is gone", a.Fence, a.Lost)
	case a.Stale:
		return fmt.Sprintf(", although it had accepted %d", a.Fence)
	case a.Late && a.Token == 0:
		return ", late: its lease had ended"
	case a.Late:
		return ", late: its lease had ended; but nobody had written with a higher token yet"
	}
	return ""
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

// Seconds writes a duration as the course does, in charts, stories and feedback
// alike: "14 s", "0.25 s". It rounds to the millisecond, and what is shorter than
// 0.1 s to three digits: a clock that runs slow ends a lease at 15.90909091 s, of
// which a reader can use 15.909 s.
func Seconds(d time.Duration) string {
	unit := time.Millisecond
	for unit > 1 && d.Abs() < 100*unit {
		unit /= 10
	}
	d = d.Round(unit)
	// d.Seconds adds up a whole and a fraction, and so writes 1.84 s as 1.8399999999999999.
	return strconv.FormatFloat(float64(d)/float64(time.Second), 'f', -1, 64) + " s"
}
