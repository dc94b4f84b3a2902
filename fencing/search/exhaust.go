package search

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"runtime"
	"slices"
	"strings"

	"fencingtokens/fencing"
)

// Bounds says how far [Exhaust] goes. Zero is the default that the field's
// comment names. The first four are at most 100, Operations at most 1000.
type Bounds struct {
	Expiries   int // how many leases may end by the clock in a run; 0 means 2
	Drops      int // how many messages may be lost in a run, requests or replies
	Crashes    int // how many clients may crash in a run
	TimeOuts   int // how often a client may stop waiting in a run for a reply that is only late; needs Config.Timeout
	Operations int // how many operations a client may begin in a run; 0 means 30. It stays for ever in the next one

	Properties []fencing.Property // what must hold; nil means NoStaleWrite and NoLostUpdate

	Limit    int              // stop soon after this many states; 0 means a million
	Cores    int              // how many cores to use; 0 means all. The result is the same for any number
	Progress func(states int) // called now and then with the number of states so far
}

const (
	// mostOfAll is the greatest bound of what may happen in a run.
	mostOfAll = 100

	defaultExpiries   = 2
	defaultOperations = 30
)

func (b Bounds) withDefaults() Bounds {
	if b.Expiries == 0 {
		b.Expiries = defaultExpiries
	}
	if b.Operations == 0 {
		b.Operations = defaultOperations
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
	for _, bound := range []struct {
		name    string
		n, most int
	}{{"Expiries", b.Expiries, mostOfAll}, {"Drops", b.Drops, mostOfAll}, {"Crashes", b.Crashes, mostOfAll}, {"TimeOuts", b.TimeOuts, mostOfAll},
		{"Operations", b.Operations, 1000}, {"Limit", b.Limit, math.MaxInt}, {"Cores", b.Cores, math.MaxInt}} {
		switch {
		case bound.n < 0:
			return fmt.Errorf("Bounds.%s is %d: give 0 or more", bound.name, bound.n)
		case bound.n > bound.most:
			return fmt.Errorf("Bounds.%s is %d, and no search of that would end: give at most %d", bound.name, bound.n, bound.most)
		}
	}
	for _, p := range b.Properties {
		switch {
		case !known(p):
			return noProperty(p)
		case !slices.Contains(timeless, p):
			return fmt.Errorf("Exhaust has no time and cannot tell whether there is %q: ask Explore, or take NoStaleWrite, NoLostUpdate, NoLostOwnUpdate, FencingSafe or NothingTwice", p)
		}
	}
	switch {
	case program == nil:
		return errNoProgram
	case len(b.Properties) == 0:
		return errors.New("Bounds.Properties is empty, so everything would hold: leave it out for the two usual ones, or name one")
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
// lists: requests arrive at any moment and in any order, leases end at any
// moment, a client that looks at its clock sees that no time has passed or too
// much, and as many messages are lost and clients crash as [Bounds] says. A
// property must hold at every moment of a run, so what happens before a message
// arrives is looked at as well, however late it is.
//
// A client's function cannot be copied in the middle. What it does next is
// therefore learned by running the program anew and taking the steps that led
// there, once for everything that a client may have been told by then
// ([fencing.Model]); the rest of a state is data. States that nobody can tell
// apart ([fencing.Runner.Fingerprint]: the lock service, the storage, the
// messages on their way, and for each client everything that its operations have
// returned) are entered once. One state in 64 is also come to by a run, which
// must lead to the same fingerprint.
//
// # What it assumes
//
// The clients' functions are told everything by their client's methods: the same
// answers lead to the same calls. They share no variables, and use no
// randomness, no real time, no goroutines. If a program does something else when
// it is run again, the search ends with an error that says so. Two states are
// taken for the same if 64 bits of a hash are: among a million states the chance
// that any two are mixed up is about one in 37 million.
//
// A client that loses a message stops waiting for the reply if Config.Timeout is
// set, as in a run with time, and does so at no cost; Bounds.TimeOuts counts the
// clients that stop waiting for a reply that is only late. Without Config.Timeout
// it waits for ever.
//
// A function that may ask for ever (polling, [fencing.Client.KeepAlive]) has no
// end of states. So a client stays for ever in the operation after
// Bounds.Operations, as if its request never arrived, and the result says so. To
// look at the clock is an operation here, and so is to sleep or to work while a
// lease is kept alive, or could be remembered after a restart.
//
// # What it leaves out, and why that is sound
//
// The properties it takes are decided by what the storage accepted, in which
// order, and by what its writers had read. It is enough that every such order is
// tried, up to every moment. So some steps are taken at once, or put off:
//
//   - Work and Sleep end at once. What the others do meanwhile could as well be
//     done while the client's next request is on its way. A client whose lease is
//     kept alive may be told of its loss meanwhile, and so goes on at any moment.
//     So does one with a lease that a restart may make it remember
//     ([fencing.Fault.Keeping]): its next request may be the release.
//   - A reply arrives at once, or is lost at once; a request is lost as it is
//     sent; a client that stops waiting does so at once, whatever becomes of its
//     request. Each of these changes nothing but that client, whose next request
//     may then be on its way for as long as it would have waited.
//     A client whose lease is kept alive does two things at once, and what it
//     learns by the one may change what it does by the other. To such a client
//     replies come, and are lost, at any moment, and at any moment it stops
//     waiting. Only a renewal that was granted tells it nothing new.
//   - The reply to a request that has changed nothing (a read, a renewal, what was
//     refused) is not lost: the client and everybody else are where they would be
//     had its request been lost.
//   - A lease ends only when something is on its way to the lock, or somebody
//     waits for it: nobody else could notice.
//   - A client crashes only when nobody else can do anything, or when a fault of
//     Config.Faults may strike, which may treat the living and the dead
//     differently. To all else a crash is a next request that never arrives, so
//     whatever others do after the crash they can do before it. The same holds
//     for a client that loses a message and waits for ever.
//   - A client that pauses is one whose next request takes long.
//
// Each of the steps that are taken at once is independent of every step of the
// others, stays possible whatever they do, and is not seen by the properties;
// each that is put off commutes with everything up to the moment to which it is
// put off. And since what the operations returned is part of a state, there is
// no way round in a circle, on which a step could be put off for ever. These are
// the conditions under which a partial-order reduction keeps every order of the
// storage's events (Clarke, Grumberg and Peled, Model Checking, chapter 10). A
// test compares the storage's contents, and the properties violated, with those
// of a search that leaves out nothing.
//
// Clients with the same program are not taken for each other: they write their
// names.
func Exhaust(ctx context.Context, program func(*fencing.World), config fencing.Config, b Bounds) Exhaustion {
	b = b.withDefaults()
	r := Exhaustion{Bounds: b}
	if r.err = b.check(program, config); r.err != nil {
		return r
	}
	e := &exhauster{Bounds: b, known: map[uint64]bool{}, seed: maphash.MakeSeed(), model: fencing.NewModel(config, program,
		fencing.Bounds{Expiries: b.Expiries, TimeOuts: b.TimeOuts, Drops: b.Drops, Crashes: b.Crashes, Operations: b.Operations})}
	e.exhaust(ctx, &r)
	return r
}

// exhauster is one exhaustive search.
type exhauster struct {
	Bounds
	model  *fencing.Model
	seed   maphash.Seed // of the labels
	places []place
	known  map[uint64]bool // the fingerprints of the places
}

// place is a state in which several things can happen next, and how it was come
// to.
type place struct {
	parent int32    // index of the place before it
	picks  []choice // what was chosen there, and at once after it
	print  uint64   // of the state
	state  *fencing.State
}

// choice is one step of a way.
type choice struct {
	pick  uint16
	label uint64 // a hash of the step
}

// landing is what one step from a place has led to.
type landing struct {
	place    // its state is nil if it is known or if the run is over
	kinds    kinds
	cut      bool
	violated fencing.Property
	limited  bool // there are more than Bounds.Limit landings from the place, and the others are missing
	err      error
}

// checked is how many places there are for each one that is come to by a run too,
// to find programs that do not do the same every time.
const checked = 64

func (e *exhauster) exhaust(ctx context.Context, r *Exhaustion) {
	e.places = []place{{parent: -1}}
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
		p := &pathfinder{exhauster: e, runner: runner, walker: e.model.Walker()}
		return func(ctx context.Context, i int) bool {
			landings[i] = p.expand(ctx, first+i)
			last := len(landings[i]) - 1
			return last >= 0 && landings[i][last].decided()
		}
	})
	for i, some := range landings {
		e.model.Recycle(e.places[first+i].state)
		e.places[first+i].state = nil
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
	if l.limited {
		r.limited = true
		return
	}
	r.Steps++
	r.kinds |= l.kinds
	r.Cut = r.Cut || l.cut
	r.err = l.err
	if l.violated != "" {
		r.Found = e.way(l)
	}
	if l.state == nil {
		return
	}
	if e.known[l.print] {
		e.model.Recycle(l.state)
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
		p := &pathfinder{exhauster: e, runner: runner, from: int(l.parent)}
		w.Trace, _ = p.run(l.picks)
		w.Steps = p.listed()
	})
	w.Finding = w.Trace.Verdict().Finding(w.Property)
	return w
}

// pathfinder takes the steps from one place after another. It is the picker of
// the runs that the model learns from.
type pathfinder struct {
	*exhauster
	runner *fencing.Runner
	walker *fencing.Walker

	from     int      // the place that it goes on from
	path     []choice // of a run
	done     int      // how many of its steps have been taken
	steps    []fencing.Step
	learns   bool
	arrived  bool   // at the end of the path
	print    uint64 // of the state there
	other    bool
	landings []landing
}

// Pick takes the steps of the path, and ends the run after them. A run for the
// model to learn from goes on, since what it learns will be of use.
func (p *pathfinder) Pick(steps []fencing.Step) int {
	if p.done == len(p.path) {
		if p.learns {
			p.arrived = true
			return 0
		}
		p.print = p.runner.Fingerprint()
		return -1
	}
	c := p.path[p.done]
	p.done++
	if int(c.pick) >= len(steps) || c.label != p.label(steps[c.pick]) {
		p.other = true
		return -1
	}
	p.steps = append(p.steps, steps[c.pick])
	return int(c.pick)
}

// readPath makes the way to a place the path. Place 0 is before the run.
func (p *pathfinder) readPath(n int) {
	p.path = p.path[:0]
	for i := n; i > 0; i = int(p.places[i].parent) {
		for _, c := range slices.Backward(p.places[i].picks) {
			p.path = append(p.path, c)
		}
	}
	slices.Reverse(p.path)
}

// expand takes every step from a place.
func (p *pathfinder) expand(ctx context.Context, n int) []landing {
	p.from, p.landings = n, nil
	if n == 0 {
		p.step(ctx, nil, nil, 0)
		return p.landings
	}
	if n%checked == 1 {
		if err := p.check(n); err != nil {
			return []landing{{err: err}}
		}
	}
	state := p.places[n].state
	for pick := range state.Options {
		if !p.step(ctx, state, nil, pick) {
			break
		}
	}
	return p.landings
}

// step takes one step, and then everything that may come at once after it. It
// reports whether to go on.
func (p *pathfinder) step(ctx context.Context, from *fencing.State, before []choice, pick int) bool {
	if ctx.Err() != nil {
		return false
	}
	if len(p.landings) >= p.Limit {
		p.landings = append(p.landings, landing{limited: true})
		return false
	}
	w := p.walker
	w.GoTo(from)
	picks := before
	if from != nil {
		picks = append(slices.Clip(before), choice{uint16(pick), p.label(w.Step(pick))})
	}
	l := landing{place: place{parent: int32(p.from), picks: picks}}
	for tries := 0; l.err == nil && !w.Take(pick); tries++ {
		if l.err = p.learn(picks); l.err == nil && tries > 0 {
			l.err = errChanged
		}
		w.GoTo(from)
	}
	if l.err == nil {
		l.kinds, l.cut = kinds(w.Kinds()), w.Cut()
		l.violated, l.err = p.violated(picks)
	}
	goesOn := w.Options() > 1 && !l.decided()
	switch {
	case goesOn && w.Urgent():
		from = w.State()
	case goesOn:
		if l.print = w.Fingerprint(); !p.known[l.print] {
			l.state = w.State()
		}
		goesOn = false
	}
	p.landings = append(p.landings, l)
	if !goesOn {
		return !l.decided()
	}
	for i := range from.Options {
		if !p.step(ctx, from, picks, i) {
			return false
		}
	}
	p.model.Recycle(from)
	return true
}

// check comes to a place by a run, and looks whether it is the same.
func (p *pathfinder) check(n int) error {
	p.follow(nil)
	err := p.mistake(p.model.Learn(p.runner, p))
	if err == nil && p.print != p.places[n].print {
		err = errChanged
	}
	return err
}

// learn lets the model learn from a run along the way to the place and some
// picks further.
func (p *pathfinder) learn(picks []choice) error {
	p.follow(picks)
	p.learns = true
	err := p.model.Learn(p.runner, p)
	p.learns = false
	if p.arrived {
		err = nil // of what comes later
	}
	return p.mistake(err)
}

// run runs the program along the way to the place and some picks further.
func (p *pathfinder) run(picks []choice) (*fencing.Trace, error) {
	p.follow(picks)
	trace := p.model.Run(p.runner, p)
	return trace, p.mistake(trace.Err())
}

func (p *pathfinder) follow(picks []choice) {
	p.readPath(p.from)
	p.path = append(p.path, picks...)
	p.done, p.steps, p.other, p.arrived = 0, p.steps[:0], false, false
}

// mistake returns what was wrong with the run.
func (p *pathfinder) mistake(err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("the run in which %s ended early: %w", p.inWords(), err)
	case p.other || p.done < len(p.path) || p.model.Torn():
		return errChanged
	}
	return nil
}

// violated returns the first property that the present step violates, "" if
// none does.
func (p *pathfinder) violated(picks []choice) (fencing.Property, error) {
	if !kinds(p.walker.Kinds()).change() {
		return "", nil
	}
	stale, lost := p.walker.Suspects()
	return violated(p.Properties, stale, lost, func() (*fencing.Trace, error) { return p.run(picks) })
}

func (e *exhauster) label(s fencing.Step) uint64 { return maphash.Comparable(e.seed, s) }

// listed returns the steps of the run, without those that are as usual.
func (p *pathfinder) listed() []fencing.Step {
	return slices.DeleteFunc(slices.Clone(p.steps), func(s fencing.Step) bool { return s.Kind == fencing.Waits || s.Kind == fencing.HasReply })
}

func (p *pathfinder) inWords() string {
	var words []string
	for _, s := range p.listed() {
		words = append(words, s.String())
	}
	if len(words) == 0 {
		return "nothing has been chosen yet"
	}
	return strings.Join(words, "; ")
}
