package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fencingtokens/fencing"
)

// player runs schedules one after another. It is the chooser of its runs.
type player struct {
	*explorer
	runner *fencing.Runner

	script []move
	done   int // how many of the moves have been made
	passed int // how many choices the run has come to
	labels []fencing.Label
	listen bool // note the labels after the last move
	other  bool // a label was not the expected one
}

// move is one fault of a schedule.
type move struct {
	at     int           // which of the run's choices it is, counted from 0
	which  int           // index among the alternatives there
	label  fencing.Label // where that is; zero until a run has come to it
	choice fencing.Choice
}

// finding is what the runs of one task have shown.
type finding struct {
	runs     int
	leftOut  int
	seen     seen
	children []node
	violated fencing.Property // the first one that was
	faults   []fencing.Fault  // with these
	err      error
}

func (f *finding) decided() bool { return f.err != nil || f.violated != "" }

// Choose makes the moves of the script and notes what comes after them.
func (p *player) Choose(l fencing.Label) fencing.Choice {
	at := p.passed
	p.passed++
	if p.done < len(p.script) {
		m := &p.script[p.done]
		if at < m.at {
			return fencing.Choice{}
		}
		p.done++
		if m.label == (fencing.Label{}) && m.which < len(p.choices(l)) {
			m.label, m.choice = l, p.choices(l)[m.which]
		}
		p.other = p.other || m.label != l
		return m.choice
	}
	if p.listen {
		p.labels = append(p.labels, l)
	}
	return fencing.Choice{}
}

func (p *player) choices(l fencing.Label) []fencing.Choice {
	if l.Point.Message() {
		return p.alternatives[1]
	}
	return p.alternatives[0]
}

// play runs the program once with the script.
func (p *player) play(traced bool) *fencing.Trace {
	p.done, p.passed, p.labels, p.other = 0, 0, p.labels[:0], false
	config := p.config
	config.Chooser, config.Untraced = p, !traced
	if p.Storage != nil {
		config.Storage = p.Storage()
	}
	return p.runner.Run(config, p.program)
}

// runRoot runs the program without a fault.
func (e *explorer) runRoot(_ context.Context, p *player, _ int, f *finding) {
	p.script = p.script[:0]
	p.try(f)
}

// runChildren runs every schedule that has one fault more than the node's.
func (e *explorer) runChildren(ctx context.Context, p *player, n int, f *finding) {
	p.readScript(n)
	p.listen = true
	p.play(false)
	p.listen = false
	if p.changed() {
		f.err = errChanged
		return
	}
	from := p.passed - len(p.labels)
	p.script = append(p.script, move{})
	child := &p.script[len(p.script)-1]
	for i, l := range p.labels {
		for which, choice := range p.choices(l) {
			*child = move{at: from + i, label: l, choice: choice}
			holds := p.try(f)
			if f.decided() || ctx.Err() != nil {
				return
			}
			if holds && len(p.script) < e.Faults {
				f.children = append(f.children, node{int32(n), int32(child.at), int32(which)})
			}
		}
	}
}

// readScript makes the node's schedule the script.
func (p *player) readScript(n int) {
	p.script = p.script[:0]
	for i := p.nodes[n]; i.parent >= 0; i = p.nodes[i.parent] {
		p.script = append(p.script, move{at: int(i.at), which: int(i.which)})
	}
	slices.Reverse(p.script)
}

// changed reports whether the run did something else than the one before it
// that had the same choices.
func (p *player) changed() bool { return p.other || p.done < len(p.script) }

var errChanged = errors.New("the program did something else when it was run again with the same choices: it must add the same clients every time, share nothing between runs, and use no randomness, no real time and no map's order")

// try runs the script, adds what that shows to the finding, and reports whether
// everything held.
func (p *player) try(f *finding) bool {
	trace := p.play(p.traced)
	kinds := kinds(p.runner.Kinds())
	if len(p.script) > 0 && kinds.has(fencing.Unreached) && !kinds.has(fencing.Failed) {
		f.leftOut++
		return false
	}
	f.runs++
	f.seen.add(kinds)
	switch {
	case p.changed():
		f.err = errChanged
	case trace.Err() == nil || kinds.has(fencing.Stuck) && !kinds.has(fencing.Failed) && !kinds.has(fencing.Unreached):
		f.violated, f.err = p.violated(trace)
	default:
		f.err = fmt.Errorf("the run %s ended early: %w", p.faultsInWords(), trace.Err())
	}
	if f.violated != "" {
		f.faults = p.faults()
	}
	return !f.decided()
}

// violated returns the first property that the run violates, "" if none.
func (p *player) violated(trace *fencing.Trace) (fencing.Property, error) {
	stale, lost := p.runner.Suspects()
	return violated(p.Properties, stale, lost, func() (*fencing.Trace, error) {
		if p.traced {
			return trace, nil
		}
		trace := p.play(true)
		if p.changed() {
			return nil, errChanged
		}
		return trace, nil
	})
}

// faults returns the script as faults that can be declared.
func (p *player) faults() []fencing.Fault {
	var faults []fencing.Fault
	for _, m := range p.script {
		faults = append(faults, m.label.Fault(m.choice))
	}
	return faults
}

func (p *player) faultsInWords() string {
	if len(p.script) == 0 {
		return "without a fault"
	}
	return "with " + fencing.ChoiceString(p.faults())
}
