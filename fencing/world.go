package fencing

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// World is one lock service, one storage and some clients, on simulated time.
// Make it with [NewWorld], add clients with [World.Client], run it once with
// [World.Run]. It is not safe for use by several goroutines.
type World struct {
	config   Config
	clients  []*Client
	threads  []*thread
	services []*service // the lock service, or the lock nodes
	records  []*record
	effects  map[string]bool // what the outside world has carried out, by name
	cuts     []cut
	clocks   map[string]*clock
	locks    []*lock
	reached  []bool // by index of the fault: it has struck

	queue    queue
	messages []message
	sent     int // how many messages, the lost ones too
	now      time.Duration
	calls    int
	steps    int
	cause    int     // Seq of the event that led to the present step
	seq      int     // of the last event
	longRun  longRun // the events beyond those that a short run has
	current  *thread
	last     *thread // who went on last
	next     *thread // who goes on next, if the step has woken somebody
	host     *thread // whom the loop has let go on: it may be the loop for others
	skewed   bool    // some clock may differ from true time
	gate     *gate
	idle     []*coroutine // whose functions are over, to be used again
	again    bool         // there will be another run

	backend Backend       // of a world on real systems
	heard   chan heard    // its replies
	open    int           // how many of its requests have no reply yet
	wentOn  time.Duration // when the process was last stopped until

	untimed *untimed // of a world without time
	kinds   uint64   // the kinds of the events so far, as a set of bits
	stale   bool     // a stale write may have been accepted
	lost    bool     // an update may have been lost
	done    uint64   // the effects carried out, for a fingerprint

	trace   *Trace
	ran     bool
	running bool

	goroutines int // how many there were when it began
}

// NewWorld returns a world without clients. A mistake in config is reported by
// the trace of its run ([Trace.Err]).
func NewWorld(config Config) *World {
	w := emptyWorld()
	w.begin(config)
	return w
}

func emptyWorld() *World {
	return &World{gate: &gate{}, trace: &Trace{}, effects: map[string]bool{}, clocks: map[string]*clock{}}
}

// begin makes the world new. What it keeps of a run before is room: an empty
// list of pointers keeps those behind its end, for [again].
func (w *World) begin(config Config) {
	config = config.withDefaults()
	w.gate.begin()
	*w.trace = Trace{Config: config, Clients: w.trace.Clients[:0], Events: w.trace.Events[:0]}
	clear(w.effects)
	clear(w.clocks)
	*w = World{config: config, reached: make([]bool, len(config.Faults)), effects: w.effects, clocks: w.clocks,
		gate: w.gate, idle: w.idle, again: w.again, trace: w.trace, messages: w.messages[:0], queue: queue{items: w.queue.items[:0]},
		clients: w.clients[:0], threads: w.threads[:0], services: w.services[:0], records: w.records[:0], locks: w.locks[:0]}
	for _, node := range config.nodes() {
		*again(&w.services) = service{name: node}
	}
	if len(w.services) == 0 {
		*again(&w.services) = service{name: ActorLockService, generation: 1}
	}
	for _, s := range w.services {
		w.clocks[s.name] = &s.clock
	}
}

// again adds an element to a list: the one that a run before has left at that
// place, or a new one.
func again[T any](list *[]*T) *T {
	n := len(*list)
	if n == cap(*list) {
		*list = append(*list, nil)
	}
	*list = (*list)[:n+1]
	if (*list)[n] == nil {
		(*list)[n] = new(T)
	}
	return (*list)[n]
}

// Client adds a client. Its function is called when the run begins, at 0 s, and
// does what it does in simulated time: only the methods of [Client] make time
// pass. It must not wait for anything outside the simulator, such as a channel
// or time.Sleep.
func (w *World) Client(name string, function func(*Client)) {
	switch {
	case w.trace == nil: // Run will say so
	case w.ran:
		w.mistake(fmt.Errorf("client %q was added after the run began: add all clients before world.Run()", name))
	case name == "":
		w.mistake(errors.New(`a client was added with an empty name: give it one, for example "client 1"`))
	case w.isPart(name):
		w.mistake(fmt.Errorf("a client was named %q, which is the name of a part of the world: choose another, for example %q", name, "client 1"))
	case w.clocks[name] != nil:
		w.mistake(fmt.Errorf("two clients were named %q: give each client a name of its own", name))
	case function == nil:
		w.mistake(fmt.Errorf("client %q has no function: pass a func(*fencing.Client)", name))
	default:
		c := again(&w.clients)
		*c = Client{world: w, name: name, index: len(w.clients) - 1, threads: c.threads[:0], beliefs: c.beliefs[:0], versions: c.versions[:0], backlog: c.backlog[:0]}
		c.main = c.spawn(function)
		w.clocks[name] = &c.ownClock
		w.trace.Clients = append(w.trace.Clients, name)
	}
}

// isPart reports whether a part of the world has that name.
func (w *World) isPart(name string) bool {
	return name == ActorLockService || name == ActorStorage || name == ActorNetwork || slices.Contains(w.config.nodes(), name)
}

// Run runs the world until nothing is left to happen and returns the trace. If
// the run was impossible or ended early, [Trace.Err] says why. Run works once.
//
// A client's function that panics or ends its goroutine ends the run with an
// error that names the client. So does one that does not come back to the
// simulator for 2 s of real time, or for 10 s in all; then its goroutine is lost:
// nothing can stop it from outside. A client's method that is called by a
// goroutine which the function has begun (go) does nothing, ends that goroutine,
// and is an error of the run; once the run is over it panics.
func (w *World) Run() *Trace {
	if w.trace == nil {
		return &Trace{err: errors.New("this world was not made by fencing.NewWorld, so it has neither a lock service nor a storage: write world := fencing.NewWorld(fencing.Config{})")}
	}
	if w.running && w.current != nil {
		w.current.client.mistake(errors.New("it called world.Run, which runs already: call it once, after the last world.Client and outside every client's function"))
	}
	if w.ran {
		return &Trace{Config: w.config, Clients: w.trace.Clients,
			err: errors.New("this world has already run: make a new one with fencing.NewWorld for every run")}
	}
	if w.mayRun() {
		w.watch(func() {
			w.running, w.goroutines = true, runtime.NumGoroutine()
			w.loop()
			w.running = false
			w.endIdle()
		})
		w.joinEvents()
	}
	return w.trace
}

// mayRun looks for mistakes that can be found beforehand.
func (w *World) mayRun() bool {
	w.ran = true
	if len(w.clients) == 0 {
		w.mistake(errors.New(`this world has no clients: add one with world.Client("client 1", func(c *fencing.Client) { ... }) before world.Run()`))
	}
	if w.config.Systems != "" {
		w.mistake(fmt.Errorf("Config.Systems is %q, and this run is simulated: leave it out; live.Run fills it in", w.config.Systems))
	}
	if w.trace.err == nil {
		w.mistake(w.config.check(actors{w.trace.Clients, w.config.nodes()}))
	}
	return w.trace.err == nil
}

// mistake keeps the first error only: what follows is often its consequence.
func (w *World) mistake(err error) {
	if w.trace != nil && w.trace.err == nil {
		w.trace.err = err
	}
}

// fail is a mistake during the run: it is part of the story.
func (w *World) fail(actor string, err error) {
	w.mistake(err)
	w.record(Event{Actor: actor, Kind: Failed, Note: err.Error()})
}

// record appends an event. Its cause is the event before it in the same step,
// or the one that brought the step about.
func (w *World) record(e Event) {
	w.kinds |= 1 << e.Kind
	if !w.config.Untraced {
		w.addEvent(&e)
	}
}

func (w *World) addEvent(e *Event) {
	w.seq++
	e.Seq, e.At, e.Clock, e.Cause = w.seq, w.now, w.clockOf(e.Actor), w.cause
	w.cause = w.seq
	w.keep(e)
	if w.backend != nil {
		w.backend.Record(*e)
	}
}

// keep puts an event into the trace, or where it stays until the run is over.
func (w *World) keep(e *Event) {
	const few = 128
	n := len(w.trace.Events)
	if n == few {
		w.longRun.add(e)
		return
	}
	if cap(w.trace.Events) == 0 {
		w.trace.Events = make([]Event, 0, few)
	}
	w.trace.Events = w.trace.Events[:n+1]
	w.trace.Events[n] = *e
}

// joinEvents makes one list of all events.
func (w *World) joinEvents() {
	if len(w.longRun.parts) > 0 {
		w.trace.Events, w.longRun = w.longRun.after(w.trace.Events), longRun{}
	}
}

// loop lets one thread after another go on until nothing is left to happen,
// something failed, or the budget is spent; then it ends the clients that still
// wait.
func (w *World) loop() {
	w.start()
	for w.next != nil || w.advance(true) {
		w.host, w.next = w.next, nil
		w.host.goOn()
	}
	w.finish()
}

// start puts into the queue what happens of itself.
func (w *World) start() {
	w.setClocks()
	// What is declared for 0 s is so from the beginning.
	for i, f := range w.config.Faults {
		if f.Point == 0 {
			w.at(f.At, strike, i, 0)
		}
	}
	for _, c := range w.clients {
		w.at(0, wake, c.main.index, c.main.turn)
	}
}

// advance takes steps until one has woken a thread, and reports whether one
// has. A thread that parks takes them itself: if it turns out to be the next to
// go on, no coroutine need be switched, and the order is the same whoever takes
// the steps. Only a fault is left to the loop, since it may end the very
// coroutine that takes the step.
func (w *World) advance(inLoop bool) bool {
	if w.untimed != nil {
		return w.advanceUntimed(inLoop)
	}
	if w.backend != nil {
		return w.advanceReal()
	}
	for w.next == nil && w.trace.err == nil && len(w.queue.items) > 0 {
		if !inLoop && w.queue.items[0].kind == strike || w.overBudget() {
			return false
		}
		next := &w.queue.items[0]
		if next.at >= farthest {
			w.fail(ActorNetwork, fmt.Errorf("the run went on for more than %s: let its clients end sooner, or take a clock that is not so slow", Seconds(farthest)))
			break
		}
		kind, who, turn := next.kind, int(next.who), int(next.turn)
		w.now, w.cause = next.at, int(next.cause)
		w.queue.removeFirst()
		w.do(kind, who, turn)
	}
	return w.next != nil
}

// overBudget counts one step and reports whether it was one too many.
func (w *World) overBudget() bool {
	w.steps++
	return w.steps > w.config.Steps && w.spent()
}

// spent lets the run fail for the steps it has taken, or for a lock that nobody
// else will ever get.
func (w *World) spent() bool {
	if w.reportLockedOut() {
		return true
	}
	actor := ActorNetwork
	if w.last != nil {
		actor = w.last.client.name
	}
	w.fail(actor, fmt.Errorf("the run took more than %s, %s last: %s, or raise Config.Steps", count(w.config.Steps, "step"), actor, w.whySpent()))
	return true
}

// whySpent says why a run may have gone on and on, and what to do about it.
func (w *World) whySpent() string {
	wayAndBack := 2 * w.config.Latency
	switch {
	case w.config.Timeout > 0 && w.config.Timeout <= wayAndBack:
		return fmt.Sprintf("no reply comes in time, since a request and its reply take %s and Config.Timeout is %s: raise Config.Timeout", Seconds(wayAndBack), Seconds(w.config.Timeout))
	case w.last != nil && w.last.every > 0:
		return fmt.Sprintf("it renews its lease every %s: renew less often, let the client end sooner", Seconds(w.last.every))
	}
	return "end the loop in its function"
}

func (w *World) do(kind itemKind, who, turn int) {
	w.current = nil
	switch kind {
	case wake:
		w.threads[who].wake(turn)
	case arrive:
		w.arrive(&w.messages[who])
	case expiry:
		w.expire(w.locks[who])
	case resume:
		w.clients[who].resume(turn)
	case strike:
		w.strike(w.config.Faults[who], who)
	case runOn:
		w.letClockRun(w.config.Faults[who].Actor)
	case second:
		w.storeSecondStep(&w.messages[who])
	case letGo:
		w.threads[who].letGo()
	}
}

// strike carries out a fault that was declared for a time, if there is anybody
// left to notice.
func (w *World) strike(f Fault, index int) {
	if f.Action != RestartIt && (f.strikesClient() && !w.client(f.Actor).alive() || w.isOver()) {
		return
	}
	w.reached[index] = true
	w.record(Event{Actor: f.Actor, Kind: Chosen, Note: f.String()})
	switch f.Action {
	case CrashIt:
		w.client(f.Actor).crash()
	case RestartIt:
		if c := w.client(f.Actor); c.alive() {
			c.crash()
		}
		w.client(f.Actor).restart(f.Keep)
	case SuspendIt:
		w.client(f.Actor).suspend(f.For)
	case PauseIt:
		if f.Only {
			w.client(f.Actor).main.stop(f.For)
			return
		}
		w.client(f.Actor).pause(f.For, nil)
	case CutIt:
		w.cuts = append(w.cuts, cut{f.Actor, f.Target, w.now + f.For})
		w.record(Event{Actor: ActorNetwork, Client: f.Actor, Kind: CutOff, Key: f.Target, Until: w.now + f.For})
	case JumpIt:
		w.jumpClock(f.Actor, f.For)
	case StopIt:
		w.clock(f.Actor).stop(w.now)
		w.record(Event{Actor: f.Actor, Kind: ClockStopped, Until: w.now + f.For})
		w.at(w.now+f.For, runOn, index, 0)
	case RebootIt:
		w.reboot(f)
	case CleanUpIt:
		w.cleanUp(f.Target)
	case FailOverIt:
		w.failOver(f)
	}
}

// isOver reports whether every client has ended, none will be restarted, and
// nothing that one of them sent is still under way.
func (w *World) isOver() bool {
	if w.untimed != nil || slices.ContainsFunc(w.clients, (*Client).alive) {
		return false
	}
	return !slices.ContainsFunc(w.queue.items, func(i item) bool {
		switch i.kind {
		case arrive:
			return !w.messages[i.who].reply
		case strike:
			return w.config.Faults[i.who].Action == RestartIt
		}
		return i.kind == second
	})
}

// choose asks what happens at a point: the declared faults first, then the
// configured chooser.
func (w *World) choose(l Label) Choice {
	for i, f := range w.config.Faults {
		if f.Point == l.Point && f.nth() == l.Nth && f.Actor == l.Client {
			w.reached[i] = true
			return Choice{f.Action, f.For, f.Only}
		}
	}
	if w.config.Chooser != nil {
		return w.vet(l, w.config.Chooser.Choose(l))
	}
	return Choice{}
}

// fits reports what of every choice that can be made quickly: a chooser that has
// thought about its choices is not slowed down.
func (c Choice) fits(p Point) bool {
	switch c.Action {
	case PauseIt:
		return !p.Message() && c.For > 0 && c.For <= Longest
	case CrashIt:
		return !p.Message() && !c.Only
	case DelayIt, DuplicateIt:
		return p.Message() && c.For > 0 && c.For <= Longest && !c.Only
	case DropIt:
		return p.Message() && !c.Only
	}
	return false
}

// vet lets the run fail if the chooser's choice is impossible.
func (w *World) vet(l Label, c Choice) Choice {
	if c.Action == Nothing {
		return c
	}
	if c.fits(l.Point) {
		return c
	}
	if err := l.Fault(c).check(actors{clients: []string{l.Client}}); err != nil {
		w.fail(l.Client, fmt.Errorf("the chooser chose what cannot be: %w", err))
		return Choice{}
	}
	return c
}

func (w *World) finish() {
	w.current = nil
	if w.trace.err == nil && w.untimed == nil {
		w.reportUnreached()
		w.reportStuck()
	}
	for _, c := range w.clients {
		c.stopThreads()
	}
	w.letOthersGoOn()
	w.gate.word.Store(idle)
	w.reportIntruder()
}

// letOthersGoOn gives a goroutine that a client's function has just begun a
// moment to call a method, as long as the run can still tell.
func (w *World) letOthersGoOn() {
	const moments = 100
	for n := 0; n < moments && !w.again && runtime.NumGoroutine() > w.goroutines+len(w.idle); n++ {
		runtime.Gosched()
	}
}

// reportIntruder lets the run fail if a goroutine that is no client's has called
// a client's method.
func (w *World) reportIntruder() {
	if i := w.gate.intruder.Swap(nil); i != nil {
		w.fail(i.client, errors.New(i.text))
	}
}

// endIdle ends the coroutines that wait for a function.
func (w *World) endIdle() {
	for _, co := range w.idle {
		co.halt()
	}
	w.idle = nil
}

func (w *World) reportUnreached() {
	for i, f := range w.config.Faults {
		if w.reached[i] && !w.cleansStrangeKey(f) {
			continue
		}
		w.cause = 0
		w.record(Event{Actor: f.Actor, Kind: Unreached, Note: f.String()})
		w.mistake(&unreached{fmt.Sprintf("the fault %q never happened, because %s", f, w.whyUnreached(f))})
	}
}

// unreached is what [ErrUnreached] is in the words of one run.
type unreached struct{ text string }

func (u *unreached) Error() string { return u.text }
func (u *unreached) Unwrap() error { return ErrUnreached }

// cleansStrangeKey reports whether a clean-up is of a key that no client used,
// although they used others: a name with a slip in it.
func (w *World) cleansStrangeKey(f Fault) bool {
	return f.Action == CleanUpIt && len(w.keysAsked()) > 0 && !slices.Contains(w.keysAsked(), f.Target)
}

func (w *World) keysAsked() []string {
	var keys []string
	for _, r := range w.records {
		if r.asked {
			keys = append(keys, r.key)
		}
	}
	return keys
}

func (w *World) whyUnreached(f Fault) string {
	if w.cleansStrangeKey(f) {
		return fmt.Sprintf("no client used the key %q: give one that they used, which is %s", f.Target, quoted(w.keysAsked()))
	}
	if !f.strikesClient() {
		return "every client had already ended: choose an earlier time"
	}
	const advice = ": choose a point or a time that the client reaches"
	c := w.client(f.Actor)
	switch n := c.passed[f.Point]; {
	case f.Point == 0:
		return c.name + " had already ended" + advice
	case n > 0:
		return fmt.Sprintf("%s came to %q only %s", c.name, f.Point, count(n, "time")) + advice
	}
	return fmt.Sprintf("%s never came to %q; it came to %s", c.name, f.Point, c.pointsPassed(f.Point.Message())) + advice
}

func (w *World) reportStuck() {
	for _, c := range w.clients {
		for _, t := range c.threads {
			if c.crashed || t.co == nil || t.forGood {
				continue
			}
			w.cause = 0
			w.record(Event{Actor: c.name, Kind: Stuck, Op: t.op, Call: t.call, Key: t.key})
			w.mistake(fmt.Errorf("%s waits for ever for the reply to its %s of %q: set Config.Timeout, so that a lost message does not block it", c.name, t.op, t.key))
		}
	}
}

// reportLockedOut reports those who wait for a lock that its holder's renewer keeps
// for ever: its worker never goes on, and neither a fault nor the lock service
// will take the lock away.
func (w *World) reportLockedOut() bool {
	faultsToCome := slices.ContainsFunc(w.queue.items, func(i item) bool { return i.kind == strike })
	if w.untimed != nil || w.backend != nil || w.config.MaxHold > 0 || faultsToCome {
		return false
	}
	for _, l := range w.locks {
		if l.holder == nil || !l.holder.client.alive() {
			continue
		}
		for _, q := range l.queue {
			if why := w.whyStuck(l.holder.client.main); why != "" && q.client.alive() {
				why = fmt.Sprintf("%s holds it, its worker %s, and its renewer goes on", l.holder.client.name, why)
				w.cause = 0
				w.record(Event{Actor: q.client.name, Client: l.holder.client.name, Kind: Stuck, Op: q.op, Call: q.call, Key: l.name, Token: l.token, Note: why})
				w.mistake(fmt.Errorf("%s waits for ever for %q: %s: let renewing come to an end, with Config.MaxHold", q.client.name, l.name, why))
			}
		}
	}
	return w.trace.err != nil
}

// whyStuck says why a client's worker will never go on, "" if it may.
func (w *World) whyStuck(t *thread) string {
	concerns := func(i item) bool {
		return i.kind == arrive && w.messages[i.who].thread == t || i.kind == wake && int(i.who) == t.index && int(i.turn) == t.turn
	}
	switch {
	case t.forGood:
		return "stands still for good"
	case t.op != NoOp && t.op != OpAcquire && !t.client.paused && !slices.ContainsFunc(w.queue.items, concerns):
		return "waits for ever for the reply to its " + opNoun(t.op)
	}
	return ""
}

// item is something that will happen at a time. It is small, because the queue
// moves items about all the time.
type item struct {
	at    time.Duration
	order int64 // among items of one instant
	cause int32
	turn  int32 // wake and resume: stale if the thread or client has moved on
	who   int32 // index of the thread, message, lock or fault
	kind  itemKind
}

type itemKind uint8

const (
	wake   itemKind = iota // a thread's timer
	arrive                 // a message reaches its receiver
	expiry                 // a lease may have ended
	resume                 // a pause is over
	strike                 // a fault declared for a time
	runOn                  // a clock that stood still runs again
	second                 // the second step of a check in two
	letGo                  // a pause of one thread is over
)

// at puts an item into the queue for a true time.
func (w *World) at(when time.Duration, kind itemKind, who, turn int) {
	var i *item
	if w.untimed == nil {
		i = w.queue.put(when)
	} else { // in no order: the picker chooses
		w.queue.items = append(w.queue.items, item{at: when})
		i = &w.queue.items[len(w.queue.items)-1]
	}
	i.cause, i.kind, i.who, i.turn = int32(w.cause), kind, int32(who), int32(turn)
}
