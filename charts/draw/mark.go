package draw

import (
	"fmt"
	"slices"

	"fencingtokens/fencing"
)

// sign is a mark for one event, and what it says.
type sign struct {
	kind   string
	symbol symbol
	lane   *lane
	y      float64
	fill   string
	stroke string
	width  float64
	ink    string    // colour of its text
	rows   []float64 // where that may stand, if not beside the mark
	texts  []string  // the best first; none if the mark says it all
}

// marks draws a mark for every event that has one. Their labels follow later,
// when what matters more has found its room.
func (p *pane) marks() {
	for _, e := range p.trace.Events {
		s, ok := p.signOf(e)
		if !ok {
			continue
		}
		at := e.At.Seconds()
		if s.symbol != "" {
			drawn := shape{Kind: s.kind, Form: mark, Symbol: s.symbol, X: at, Y: s.y, Fill: s.fill, Stroke: s.stroke, Width: s.width, told: told{Event: e.Seq}}
			p.addMark(drawn, s.lane)
		}
		if e.Kind == fencing.Did {
			p.drawEffect(e)
		}
	}
}

// addMark draws a mark where it hides no other: beside its time, if one stands there
// already. One cross on another says the same.
func (p *pane) addMark(s shape, l *lane) {
	const half = 4.5 // two marks may overlap, but not so that one is not known
	for _, dx := range []float64{0, -2 * laptop.symbol, 2 * laptop.symbol, -4 * laptop.symbol, 4 * laptop.symbol} {
		x := p.axis.px(s.X) + dx
		b := around(x, x-half, s.Y-half, x+half, s.Y+half)
		if s.Symbol == no || !p.marked.meet(b) {
			p.marked.add(b)
			s.DX = dx
			break
		}
	}
	if s.DX != 0 {
		if p.shifted == nil {
			p.shifted = map[int]float64{}
		}
		p.shifted[s.Event] = s.DX
	}
	p.add(s, l, layerMark)
	p.takeMark(s)
}

func (p *pane) drawFailOvers() {
	for _, e := range p.trace.Events {
		if e.Kind != fencing.FailedOver {
			continue
		}
		l, at := p.laneOf(e), e.At.Seconds()
		s := shape{Kind: "fail-over line", Form: line, X: at, X2: at, Y: l.y, Y2: l.y + l.height, Stroke: "$warn", Width: 2.5, Halo: true, told: told{Event: e.Seq}}
		p.stepAside(&s, e.Actor)
		p.add(s, l, layerMark)
		p.lines.add(p.track(s)...)
	}
}

func (p *pane) labelMarks() {
	for _, e := range p.trace.Events {
		if s, ok := p.signOf(e); ok && len(s.texts) > 0 {
			if s.rows == nil {
				s.rows = []float64{s.y}
			}
			var spots []spot
			for _, y := range s.rows {
				spots = append(spots, p.beside(e.Seq, e.At.Seconds(), y)...)
			}
			p.label(s.lane, s.kind+" label", s.ink, told{Event: e.Seq}, s.texts, spots...)
		}
	}
}

func (p *pane) signOf(e fencing.Event) (sign, bool) {
	l := p.laneOf(e)
	if l == nil {
		return sign{}, false
	}
	s := sign{lane: l, y: l.middle, fill: "$ground", stroke: "$ink", width: 1.5, ink: "$ink"}
	switch {
	case p.clients[e.Actor] == nil:
		s = p.serviceSign(s, e)
	case e.Kind == fencing.Did:
		s = p.effectSign(s, e)
	default:
		s = p.clientSign(s, e)
	}
	return s, s.kind != ""
}

func (p *pane) clientSign(s sign, e fencing.Event) sign {
	above := s.lane.middle - laptop.bar/2 - 7
	switch e.Kind {
	case fencing.Checked:
		s.kind, s.symbol, s.y, s.texts = "check", clock, above, []string{"checks: lease valid", "valid"}
		if e.Outcome != fencing.OK {
			s.texts = []string{"checks: lease over", "over"}
		}
	case fencing.Returned:
		switch {
		case e.Outcome == fencing.Unknown && (p.trace.Config.Nodes == 0 || ofStorage(e.Op)): // of several lock nodes, some answer late
			s.kind, s.symbol, s.y = "unknown", unknown, above
			s.texts = []string{noun(e.Op) + ": no reply, outcome unknown", "outcome unknown", "no reply"}
		case e.Op == fencing.OpAsk && e.Outcome == fencing.OK:
			s.kind, s.symbol, s.y, s.texts = "asked", dot, above, []string{fmt.Sprintf("is told: %d is the present token", e.Token), fmt.Sprintf("told %d", e.Token)}
		}
	case fencing.Crashed:
		s.kind, s.symbol, s.texts = "crash", dead, []string{"crashes"}
	case fencing.Panicked:
		s.kind, s.symbol, s.texts = "panic", dead, []string{"panics"}
	case fencing.Exited:
		s.kind, s.symbol, s.texts = "exit", dead, []string{"ends its goroutine", "ends"}
	case fencing.Restarted:
		s.kind, s.symbol, s.texts = "restart", again, []string{"begins anew"}
	case fencing.Stuck:
		s.kind, s.symbol, s.y, s.texts = "stuck", unknown, above, []string{"waits for ever for the reply to its " + noun(e.Op), "waits for ever"}
	case fencing.ClockJumped, fencing.ClockStopped:
		return p.clockSign(s, e)
	}
	if s.symbol == dead {
		s.fill, s.stroke, s.width, s.ink = "$warn", "$on fill", 2, "$warn text"
	}
	return s
}

func (p *pane) clockSign(s sign, e fencing.Event) sign {
	s.symbol, s.y = clock, s.lane.clockY
	switch {
	case len(s.lane.clock) == 0: // it did not matter
		s.y = s.lane.middle - laptop.bar/2 - 7
	case e.Kind == fencing.ClockJumped && e.Until > 0: // the clock's line goes on above
		s.rows = []float64{s.y + laptop.clockText}
	default:
		s.rows = []float64{s.y - laptop.clockText}
	}
	if e.Kind == fencing.ClockStopped {
		s.kind, s.texts = "clock stop", []string{"its clock stands still"}
		return s
	}
	by := "+" + fencing.Seconds(e.Until)
	if e.Until < 0 {
		by = "−" + fencing.Seconds(-e.Until)
	}
	s.kind, s.texts = "clock jump", []string{"its clock jumps by " + by, by}
	return s
}

func (p *pane) effectSign(s sign, e fencing.Event) sign {
	effect := short(e.Key, 24)
	s.kind, s.symbol, s.fill, s.stroke, s.width = "effect", check, p.colour(e.Actor), "$on fill", 2
	s.texts = []string{fmt.Sprintf("%s: done", effect), "done"}
	switch {
	case e.Outcome != fencing.OK:
		s.kind, s.symbol, s.fill, s.stroke, s.texts = "effect stopped", blocked, "$ground", "$ink", []string{effect + ": known already, not done again", "not done again"}
	case p.doneBefore(e):
		s.kind, s.symbol, s.fill, s.ink, s.texts = "effect twice", warning, "$warn", "$warn text", []string{effect + ": done again", "done again"}
	}
	return s
}

func (p *pane) doneBefore(e fencing.Event) bool {
	return slices.ContainsFunc(p.trace.Events[:e.Seq-1], func(b fencing.Event) bool {
		return b.Kind == fencing.Did && b.Key == e.Key && b.Outcome == fencing.OK
	})
}

// drawEffect leads from the client to the world outside.
func (p *pane) drawEffect(e fencing.Event) {
	l, at := p.clients[e.Actor], e.At.Seconds()
	s := shape{Kind: "effect line", Form: line, X: at, X2: at, Y: l.below(), Y2: p.outside.middle - laptop.symbol,
		Stroke: l.colour + " text", Width: 1.5, Head: true, Halo: true, told: told{Event: e.Seq}}
	p.stepAside(&s, outsideName)
	p.add(s, l, layerLine)
	p.lines.add(p.track(s)...)
	p.takeEnd(s)
}

// serviceSign is a mark of the lock service, a lock node or the storage.
func (p *pane) serviceSign(s sign, e fencing.Event) sign {
	switch e.Kind {
	case fencing.Refused, fencing.LeftOut:
		return p.refusal(s, e)
	case fencing.FailedOver:
		s.kind, s.rows = "fail-over", []float64{s.lane.y + 8, s.lane.middle + laptop.bar/2 + 7}
		s.texts, s.ink = []string{fmt.Sprintf("fails over; next token %d", e.Token), "fails over"}, "$warn text"
	case fencing.Rebooted:
		s.kind, s.symbol, s.texts = "reboot", again, []string{"restarts"}
	case fencing.ClockJumped, fencing.ClockStopped:
		return p.clockSign(s, e)
	case fencing.Panicked, fencing.Exited:
		s.kind, s.symbol, s.fill, s.stroke, s.width, s.ink, s.texts = "panic", dead, "$warn", "$on fill", 2, "$warn text", []string{"fails"}
	case fencing.Served, fencing.Claimed, fencing.Passed, fencing.Rejected, fencing.Deleted:
		return p.storeSign(s, e)
	}
	return s
}

func (p *pane) refusal(s sign, e fencing.Event) sign {
	s.kind, s.symbol, s.stroke, s.width = "refused", no, "$warn", 2.5
	if p.trace.Config.Nodes > 0 { // below the bar, which says whose it is
		s.y = s.lane.middle + laptop.bar/2 + 5
		return s
	}
	s.y = s.lane.middle + laptop.bar/2 + 7
	s.ink = "$warn text"
	whose := short(e.Client, 14)
	s.texts = []string{noun(e.Op) + " of " + whose + " refused", noun(e.Op) + " refused", "refused"}
	if e.Kind == fencing.LeftOut {
		s.kind, s.texts = "left out", []string{whose + " left out of the queue", "left out"}
	}
	return s
}

// storeSign is a mark for what is no write: those are attempts.
func (p *pane) storeSign(s sign, e fencing.Event) sign {
	whose := short(e.Client, 14)
	switch {
	case e.Kind == fencing.Served:
		s.kind, s.symbol, s.stroke = "read", read, p.colour(e.Client)+" text"
		s.texts = []string{fmt.Sprintf("%s reads %s", whose, quoted(e.Value)), "reads " + quoted(e.Value), "read"}
	case e.Kind == fencing.Claimed:
		s.kind, s.symbol, s.fill, s.stroke = "claim", claim, p.colour(e.Client), "$on fill"
		s.texts = []string{fmt.Sprintf("%d claims: fence %d, reads %s", e.Token, e.Fence, quoted(e.Value)), fmt.Sprintf("%d claims: fence %d", e.Token, e.Fence), fmt.Sprintf("claim %d", e.Token)}
	case e.Kind == fencing.Passed:
		s.kind, s.symbol, s.stroke = "passed", dot, p.colour(e.Client)+" text"
		s.texts = []string{fmt.Sprintf("%d passes the check, the write follows", e.Token), fmt.Sprintf("%d passes", e.Token)}
	case e.Kind == fencing.Rejected && e.Op == fencing.OpClaim:
		s.kind, s.symbol, s.stroke, s.width, s.ink = "claim rejected", cross, "$warn", 4, "$warn text"
		s.texts = []string{fmt.Sprintf("%d claims: rejected", e.Token), fmt.Sprint(e.Token)}
	case e.Kind == fencing.Deleted && e.Client == "":
		s.kind, s.symbol, s.texts = "clean-up", gone, []string{"clean-up deletes it", "clean-up"}
	}
	return s
}

// quoted is a value as a label shows it.
func quoted(value string) string {
	if value == "" {
		return "nothing"
	}
	return "“" + short(value, 24) + "”"
}

// noun names an operation as a thing.
func noun(op fencing.Op) string {
	switch op {
	case fencing.OpTryAcquire:
		return fencing.OpAcquire.String()
	case fencing.OpRenew:
		return "renewal"
	case fencing.OpAsk:
		return "question"
	}
	return op.String()
}
