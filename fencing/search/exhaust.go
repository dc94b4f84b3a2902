package search

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"fencingtokens/fencing"
)

// Bounds says how far [Exhaust] goes. Zero is the default that the field's
// comment names.
type Bounds struct {
	Expiries   int                // how many leases may end by the clock in a run; 0 means 2
	TimeOuts   int                // how often a client may stop waiting for a reply in a run; needs Config.Timeout
	Properties []fencing.Property // what must hold; nil means NoStaleWrite and NoLostUpdate

	Limit    int              // stop soon after this many states; 0 means a million
	Cores    int              // how many cores to use; 0 means all. The result is the same for any number
	Progress func(states int) // called now and then with the number of states so far
}

const defaultExpiries = 2

func (b Bounds) withDefaults() Bounds {
	if b.Expiries == 0 {
		b.Expiries = defaultExpiries
	}
	if b.Properties == nil {
		b.Properties = []fencing.Property{fencing.NoStaleWrite, fencing.NoLostUpdate}
	}
	if b.Limit == 0 {
		b.Limit = defaultLimit
	}
	if b.Cores == 0 {
		b.Cores = runtime.GOMAXPROCS(0)
	}
	return b
}

// timeless are the properties that speak of the storage and of effects alone.
var timeless = []fencing.Property{fencing.NoStaleWrite, fencing.NoLostUpdate, fencing.NoLostOwnUpdate, fencing.FencingSafe, fencing.NothingTwice}

func (b Bounds) check(program func(*fencing.World), config fencing.Config) error {
	for name, n := range map[string]int{"TimeOuts": b.TimeOuts, "Expiries": b.Expiries, "Limit": b.Limit, "Cores": b.Cores} {
		if n < 0 {
			return fmt.Errorf("Bounds.%s is %d: give 0 or more", name, n)
		}
	}
	for _, p := range b.Properties {
		if !slices.Contains(timeless, p) {
			return fmt.Errorf("Exhaust has no time and cannot tell whether there is %q: ask Explore, or take one of %q", p, timeless)
		}
	}
	switch {
	case program == nil:
		return errNoProgram
	case config.Storage != nil:
		return errors.New("Config.Storage is a storage whose state Exhaust cannot see: leave it out, or ask Explore")
	case config.Untraced:
		return errUntraced
	case b.TimeOuts > 0 && config.Timeout == 0:
		return errors.New("Bounds.TimeOuts lets clients stop waiting, but Config.Timeout is 0, so that nobody ever does: set it, to any length")
	}
	return nil
}

// Exhaust tries everything that can happen in a world without time, breadth
// first, and returns the shortest way to a violation, or the number of states in
// which all properties held. What can happen is what [fencing.Runner.RunUntimed]
// lists.
//
// A client's function cannot be copied in the middle, so every step is tried by
// running the program anew and taking the steps that led there. States that the
// simulator cannot tell apart ([fencing.Runner.Fingerprint]) are entered once.
//
// # What it assumes
//
// The clients' functions are told everything by their client's methods: the same
// answers lead to the same calls. They share no variables, and use no
// randomness, no real time, no goroutines. If a program does something else when
// it is run again, the search ends with an error that says so. A function that
// may ask for ever (polling, [fencing.Client.KeepAlive]) has no end of states:
// the search reaches Limit and says that it is not finished. Two states are
// taken for the same if 64 bits of a hash are: among a million states the chance
// that any two are mixed up is about one in 37 million.
//
// # What it leaves out, and why that is sound
//
// The properties it takes are decided by what the storage accepted, in which
// order, and by what its writers had read. It is enough that every such order is
// tried, up to every moment. So:
//
//   - A message that is lost is one that is under way for ever; a client that
//     crashes is one whose next request is under way for ever, and one that
//     pauses is one whose next request takes long. Requests may be under way for
//     as long as they like, so there are no steps for any of these, and any
//     number of them is covered. What a loss leads to besides is a time-out, and
//     that is a step.
//   - Work and Sleep end at once. What the others do meanwhile could as well be
//     done while the client's next request is under way.
//   - A reply arrives at once, and a client that stops waiting does so at once,
//     whatever becomes of its request. Either changes nothing but that client,
//     whose next request may then be under way for as long as it would have
//     waited.
//   - A lease ends only when something is on its way to the lock, or somebody
//     waits for it: nobody else could notice.
//
// Each of the steps that are taken at once is independent of every step of the
// others, stays possible whatever they do, and is not seen by the properties;
// each that is put off commutes with everything up to the moment to which it is
// put off. And since what the operations returned is part of a state, there is
// no way round in a circle, on which a step could be put off for ever. These are
// the conditions under which a partial-order reduction keeps every order of the
// storage's events (Clarke, Grumberg and Peled, Model Checking, chapter 10).
func Exhaust(ctx context.Context, program func(*fencing.World), config fencing.Config, b Bounds) Exhaustion {
	b = b.withDefaults()
	r := Exhaustion{Bounds: b}
	if r.err = b.check(program, config); r.err != nil {
		return r
	}
	e := &exhauster{Bounds: b, program: program, config: config, known: map[uint64]bool{}}
	e.exhaust(ctx, &r)
	return r
}

// exhauster is one exhaustive search.
type exhauster struct {
	Bounds
	program func(*fencing.World)
	config  fencing.Config
	places  []place
	known   map[uint64]bool // the fingerprints of the places
}

// place is a state in which several things can happen next, and how it was come
// to.
type place struct {
	parent  int32 // index of the place before it
	pick    int32 // which of the steps there led here
	step    fencing.Step
	options int // how many steps there are here
}

// landing is what one step from a place has led to.
type landing struct {
	place
	print    uint64 // of the new place; options is 0 if the run ended before there was one
	kinds    kinds
	violated fencing.Property
	err      error
}

func (e *exhauster) exhaust(ctx context.Context, r *Exhaustion) {
	e.places = []place{{options: 1}}
	for first, end := 0, 1; first < end; {
		for ; first < end; first += batch {
			if r.over(ctx) {
				return
			}
			e.expand(ctx, r, first, min(end, first+batch))
			if e.Progress != nil {
				e.Progress(r.States)
			}
		}
		if first, end = end, len(e.places); first < end {
			r.Depth++
		}
	}
	r.Finished = !r.over(ctx)
}

// expand takes every step from some places, and merges what they led to in
// order.
func (e *exhauster) expand(ctx context.Context, r *Exhaustion, first, end int) {
	landings := make([][]landing, end-first)
	r.err = inParallel(ctx, e.Cores, len(landings), func(runner *fencing.Runner) func(context.Context, int) bool {
		p := &pathfinder{exhauster: e, runner: runner}
		return func(ctx context.Context, i int) bool {
			landings[i] = p.expand(ctx, first+i)
			last := len(landings[i]) - 1
			return last >= 0 && landings[i][last].decided()
		}
	})
	for _, some := range landings {
		for _, l := range some {
			if r.over(ctx) {
				return
			}
			e.merge(r, l)
		}
	}
}

func (l *landing) decided() bool { return l.err != nil || l.violated != "" }

func (e *exhauster) merge(r *Exhaustion, l landing) {
	r.Steps++
	r.kinds |= l.kinds
	r.err = l.err
	if l.violated != "" {
		r.Found = e.way(l)
	}
	if l.options == 0 || e.known[l.print] {
		return
	}
	e.known[l.print] = true
	e.places = append(e.places, l.place)
	r.States++
	r.limited = r.States >= e.Limit
}

func (r *Exhaustion) over(ctx context.Context) bool {
	return r.err != nil || r.Found != nil || r.limited || ctx.Err() != nil
}

// way runs the way to a violation once more.
func (e *exhauster) way(l landing) *Way {
	w := &Way{Property: l.violated}
	fencing.Runners(context.Background(), 1, func(_ context.Context, runner *fencing.Runner) {
		p := &pathfinder{exhauster: e, runner: runner}
		p.readPath(int(l.parent))
		if l.parent > 0 {
			p.path = append(p.path, choice{pick: int(l.pick)})
		}
		w.Trace = p.walk()
		for _, c := range p.path {
			w.Steps = append(w.Steps, c.step)
		}
	})
	w.Finding = w.Trace.Verdict().Finding(w.Property)
	return w
}

// pathfinder walks the steps of one way after another. It is the picker of its
// runs.
type pathfinder struct {
	*exhauster
	runner *fencing.Runner
	judge  judge

	path    []choice
	done    int // how many of the steps have been taken
	other   bool
	print   uint64
	options int // at the end of the path
}

// choice is one step of a path.
type choice struct {
	pick int
	step fencing.Step // what it was before, zero if it is new
}

// Pick takes the steps of the path, and ends the run after them.
func (p *pathfinder) Pick(steps []fencing.Step) int {
	if p.done == len(p.path) {
		p.print, p.options = p.runner.Fingerprint(), len(steps)
		return -1
	}
	m := &p.path[p.done]
	p.done++
	if m.pick >= len(steps) || m.step != (fencing.Step{}) && m.step != steps[m.pick] {
		p.other = true
		return -1
	}
	m.step = steps[m.pick]
	return m.pick
}

// readPath makes the way to a place the path. Place 0 is before the run, and
// place 1 is the first that it comes to.
func (p *pathfinder) readPath(n int) {
	p.path = p.path[:0]
	for i := n; i > 1; i = int(p.places[i].parent) {
		p.path = append(p.path, choice{int(p.places[i].pick), p.places[i].step})
	}
	slices.Reverse(p.path)
}

func (p *pathfinder) walk() *fencing.Trace {
	p.done, p.other, p.options = 0, false, 0
	return p.runner.RunUntimed(p.config, p.program, p, fencing.Bounds{Expiries: p.Expiries, TimeOuts: p.TimeOuts})
}

// expand takes every step from a place.
func (p *pathfinder) expand(ctx context.Context, n int) []landing {
	options := p.places[n].options
	landings := make([]landing, 0, options)
	p.readPath(n)
	before := len(p.path)
	for pick := range options {
		if ctx.Err() != nil {
			break
		}
		if n > 0 {
			p.path = append(p.path[:before], choice{pick: pick})
		}
		l := p.land(n, pick)
		landings = append(landings, l)
		if l.decided() {
			break
		}
	}
	return landings
}

// land walks the path and says where it led.
func (p *pathfinder) land(n, pick int) landing {
	trace := p.walk()
	p.judge.read(trace)
	l := landing{place: place{parent: int32(n), pick: int32(pick), options: p.options}, print: p.print, kinds: p.judge.kinds}
	switch {
	case p.other || p.done < len(p.path):
		l.err = errChanged
	case trace.Err() != nil:
		l.err = fmt.Errorf("the run in which %s ended early: %w", inWords(p.path), trace.Err())
	default:
		l.violated = p.judge.violated(trace, p.Properties)
	}
	if len(p.path) > 0 {
		l.step = p.path[len(p.path)-1].step
	}
	return l
}

func inWords(path []choice) string {
	if len(path) == 0 {
		return "nothing has been chosen yet"
	}
	return fmt.Sprint(path[len(path)-1].step)
}
