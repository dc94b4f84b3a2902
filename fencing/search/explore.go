package search

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"fencingtokens/fencing"
)

// Options says what [Explore] tries. Zero is the default that the field's
// comment names.
type Options struct {
	Faults     int                // try every schedule with up to this many faults; 0 runs the program once, without any
	Properties []fencing.Property // what must hold; nil means NoStaleWrite and NoLostUpdate
	Actions    []fencing.Action   // what may happen; nil means PauseIt, CrashIt, DelayIt and DropIt; DuplicateIt may be added
	Pauses     []time.Duration    // how long a pause may last; nil means a tenth longer than the lease
	Delays     []time.Duration    // how long a delay or a duplicate may take; nil means a tenth longer than the lease
	ThreadOnly bool               // try also pauses of one thread of a client, while its others go on

	Storage  func() fencing.Checker // makes a storage of your own for every run, since none may remember the run before
	Limit    int                    // stop soon after this many runs; 0 means a million
	Cores    int                    // how many cores to use; 0 means all. The result is the same for any number
	Progress func(runs int)         // called now and then with the number of runs so far
}

const defaultLimit = 1_000_000

func (o Options) withDefaults(config fencing.Config) Options {
	lease := config.Lease
	if lease <= 0 {
		lease = 10 * time.Second // as fencing.Config says
	}
	longer := []time.Duration{lease + lease/10}
	if o.Properties == nil {
		o.Properties = []fencing.Property{fencing.NoStaleWrite, fencing.NoLostUpdate}
	}
	if o.Actions == nil {
		o.Actions = []fencing.Action{fencing.PauseIt, fencing.CrashIt, fencing.DelayIt, fencing.DropIt}
	}
	if o.Pauses == nil {
		o.Pauses = longer
	}
	if o.Delays == nil {
		o.Delays = longer
	}
	if o.Limit == 0 {
		o.Limit = defaultLimit
	}
	if o.Cores == 0 {
		o.Cores = runtime.GOMAXPROCS(0)
	}
	return o
}

func (o Options) check(program func(*fencing.World), config fencing.Config) error {
	switch {
	case program == nil:
		return errNoProgram
	case o.Faults < 0:
		return fmt.Errorf("Options.Faults is %d: give 0 or more", o.Faults)
	case o.Limit < 0:
		return fmt.Errorf("Options.Limit is %d: give a number of runs, or leave it out for a million", o.Limit)
	case o.Cores < 0:
		return fmt.Errorf("Options.Cores is %d: give a number, or leave it out for all", o.Cores)
	case config.Chooser != nil:
		return errors.New("Config.Chooser is set, but the search is the chooser: leave it out")
	case config.Storage != nil:
		return errors.New("Config.Storage is one storage for all runs, which would remember the run before: give Options.Storage, a function that makes one")
	case config.Untraced:
		return errUntraced
	}
	return o.checkVocabulary()
}

var (
	errNoProgram = errors.New("there is no program: pass a func(*fencing.World) that adds the clients")
	errUntraced  = errors.New("Config.Untraced is set, but the search judges traces: leave it out")
)

func (o Options) checkVocabulary() error {
	switch {
	case len(o.Actions) == 0 && o.Faults > 0:
		return errors.New("Options.Actions is empty, so nothing could happen: leave it out for the four usual ones, or name one")
	case len(o.Properties) == 0:
		return errors.New("Options.Properties is empty, so everything would hold: leave it out for the two usual ones, or name one")
	case repeats(o.Actions), repeats(o.Pauses), repeats(o.Delays):
		return errors.New("Options names an action or a length twice, so that schedules would be counted twice: name each once")
	}
	for _, a := range o.Actions {
		if !slices.Contains(atPoint, a) && !slices.Contains(atMessage, a) {
			return fmt.Errorf("Options.Actions has %q, which has no point where it could fall: take PauseIt, CrashIt, DelayIt, DropIt or DuplicateIt, and declare the rest in Config.Faults", a)
		}
	}
	for _, d := range slices.Concat(o.Pauses, o.Delays) {
		if d < fencing.Shortest || d > fencing.Longest {
			return fmt.Errorf("Options has a pause or a delay of %s: give lengths from %s to %s, for example 11 * time.Second", d, fencing.Shortest, fencing.Longest)
		}
	}
	for _, p := range o.Properties {
		if !known(p) {
			return noProperty(p)
		}
	}
	return nil
}

func noProperty(p fencing.Property) error {
	return fmt.Errorf("there is no property %q: take one of fencing's, for example fencing.NoStaleWrite", p)
}

func repeats[T comparable](list []T) bool {
	for i, v := range list {
		if slices.Contains(list[:i], v) {
			return true
		}
	}
	return false
}

// known reports whether verdicts speak of the property.
func known(p fencing.Property) bool {
	findings := (&fencing.Trace{}).Verdict().Findings
	return slices.ContainsFunc(findings, func(f fencing.Finding) bool { return f.Property == p })
}

var (
	atPoint   = []fencing.Action{fencing.PauseIt, fencing.CrashIt}
	atMessage = []fencing.Action{fencing.DelayIt, fencing.DropIt, fencing.DuplicateIt}
)

// alternatives lists what may happen at a client's point, or to a message.
func (o Options) alternatives(message bool) []fencing.Choice {
	var choices []fencing.Choice
	for _, a := range o.Actions {
		switch {
		case message != slices.Contains(atMessage, a):
		case a == fencing.PauseIt:
			for _, d := range o.Pauses {
				choices = append(choices, fencing.Choice{Action: a, For: d})
				if o.ThreadOnly {
					choices = append(choices, fencing.Choice{Action: a, For: d, Only: true})
				}
			}
		case a == fencing.DelayIt || a == fencing.DuplicateIt:
			for _, d := range o.Delays {
				choices = append(choices, fencing.Choice{Action: a, For: d})
			}
		default:
			choices = append(choices, fencing.Choice{Action: a})
		}
	}
	return choices
}

// Explore runs the program under every schedule with 0, 1, 2, ... faults, up to
// Options.Faults, and returns the first one in which a property is violated, or
// the number of runs in which all held.
//
// A schedule is a set of faults, each at one passing of a point or at one
// message. The schedules with one more fault are made from the points that the
// schedule before it came to after its last fault: so no fault is tried where
// it could not happen, and no schedule twice. What Config.Faults declares
// happens in every run and is not counted. A schedule in which it does not come
// about, since its client had crashed for example, is left out.
//
// The program is called anew for every run, by several goroutines at once: it
// must add the same clients every time, and share nothing between runs. A run
// with an error ends the search and is reported. Only a client that waits for
// ever is no error here: the run is over, what it did is judged, and the runs
// in which it came to that are counted.
func Explore(ctx context.Context, program func(*fencing.World), config fencing.Config, o Options) Result {
	o = o.withDefaults(config)
	r := Result{Options: o}
	if r.err = o.check(program, config); r.err != nil {
		return r
	}
	e := &explorer{program: program, config: config, Options: o, alternatives: [2][]fencing.Choice{o.alternatives(false), o.alternatives(true)}}
	e.traced = slices.ContainsFunc(o.Properties, func(p fencing.Property) bool { return p != fencing.NoStaleWrite && p != fencing.NoLostUpdate })
	e.explore(ctx, &r)
	return r
}

// explorer is one exploration.
type explorer struct {
	Options
	program      func(*fencing.World)
	config       fencing.Config
	alternatives [2][]fencing.Choice // at a point, at a message
	traced       bool                // no run can be judged without its trace

	nodes []node // all schedules that are to get one more fault
}

// node is a schedule: another one and one fault more.
type node struct {
	parent int32 // index of the other one; -1 is none
	at     int32 // which of the run's choices the fault is, counted from 0
	which  int32 // index among the alternatives there
}

// batch is how many schedules are given one more fault before the results are
// merged. It does not depend on the number of cores, so that the result does
// not.
const batch = 256

func (e *explorer) explore(ctx context.Context, r *Result) {
	e.nodes = []node{{parent: -1}}
	first, end := 0, 1
	e.tasks(ctx, r, 0, 1, e.runRoot)
	for faults := 1; faults <= e.Faults && !r.over(ctx); faults++ {
		r.Schedules = append(r.Schedules, 0)
		for ; first < end; first += batch {
			if r.over(ctx) {
				return
			}
			e.tasks(ctx, r, first, min(end, first+batch), e.runChildren)
			if e.Progress != nil {
				e.Progress(r.Runs)
			}
		}
		first, end = end, len(e.nodes)
	}
	r.Finished = !r.over(ctx)
}

// tasks does a task for each of the nodes and merges what they found in the order
// of the nodes, whichever was ready first.
func (e *explorer) tasks(ctx context.Context, r *Result, first, end int, task func(context.Context, *player, int, *finding)) {
	findings := make([]finding, end-first)
	r.err = inParallel(ctx, e.Cores, len(findings), func(runner *fencing.Runner) func(context.Context, int) bool {
		p := &player{explorer: e, runner: runner}
		return func(ctx context.Context, i int) bool {
			task(ctx, p, first+i, &findings[i])
			return findings[i].decided()
		}
	})
	for i := range findings {
		if r.over(ctx) {
			return
		}
		e.merge(r, &findings[i])
	}
}

func (e *explorer) merge(r *Result, f *finding) {
	if len(r.Schedules) == 0 {
		r.Schedules = []int{0}
	}
	r.Runs += f.runs
	r.Schedules[len(r.Schedules)-1] += f.runs
	r.LeftOut += f.leftOut
	for i := range f.seen {
		r.seen[i] += f.seen[i]
	}
	e.nodes = append(e.nodes, f.children...)
	r.err = f.err
	if f.violated != "" {
		r.Found = e.counterexample(f)
	}
	if r.Runs >= e.Limit {
		r.limited = true
	}
}

// over reports whether the search has its result.
func (r *Result) over(ctx context.Context) bool {
	return r.err != nil || r.Found != nil || r.limited || ctx.Err() != nil
}

// counterexample runs the schedule once more, as an ordinary run.
func (e *explorer) counterexample(f *finding) *Counterexample {
	config := e.config
	config.Faults = slices.Concat(config.Faults, f.faults)
	if e.Storage != nil {
		config.Storage = e.Storage()
	}
	w := fencing.NewWorld(config)
	e.program(w)
	trace := w.Run()
	return &Counterexample{Property: f.violated, Faults: f.faults, Trace: trace, Finding: trace.Verdict().Finding(f.violated)}
}
