// Package play is the playground without its looks: what may be run and
// changed there, what the screen says of it, and the Go cell that does the same.
// It is compiled to WebAssembly, so that it needs nothing of the notebook.
package play

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"fencingtokens/fencing"
	"fencingtokens/fencing/reported"
)

// Scene is all that a playground shows: a preset or a reported scenario, what
// was changed of it, and how it is looked at.
type Scene struct {
	Base    string            // name of the preset or scenario
	Changes map[string]string // by field of Config or Policy, as text
	Third   bool              // a third client, which the base has not

	Fencing string        // "off", "on" or "both", one below the other
	At      time.Duration // the moment stepped to; Whole is the whole run
	Held    bool          // the outcome is held back
}

// Whole as [Scene.At] shows the run to its end.
const Whole time.Duration = -1

// base is what a scene begins with.
type base struct {
	name    string
	group   string
	code    string // the Go expression for it
	preset  bool
	config  fencing.Config
	clients []fencing.Policy
	program func(*fencing.World)
}

// The functions that return [fencing.Presets] and [reported.All], in their order.
var (
	presetFunctions   = []string{"HealthyHandOver", "GCPause", "CheckThenWrite", "DelayedWrite", "RenewingMoreOften", "CrashedHolder"}
	scenarioFunctions = []string{"CutOff", "PlainDelete", "StarvedRenewer", "StuckWorker", "FailOver", "RolledBack", "LossIgnored",
		"ForgottenByRestart", "ForgottenByCleanUp", "SleepingLaptop", "LongPause", "OutlivedLock", "EqualityCheck",
		"TheHole", "TimedOutWrite", "RedlockClockJump", "RedlockPause", "RedlockRestart"}
)

// defaultLease is what a lease of 0 means, so that a control can show it.
const defaultLease = 10 * time.Second

var bases = allBases()

func allBases() []base {
	var all []base
	for i, p := range fencing.Presets() {
		b := base{name: p.Name, group: "presets", code: "fencing." + presetFunctions[i] + "()", preset: true, config: p.Config}
		b.clients = []fencing.Policy{p.Policy, p.Policy}
		b.clients[1].Start += time.Second
		all = append(all, b)
	}
	for i, s := range reported.All() {
		b := base{name: s.Name, group: "reported failures", code: "reported." + scenarioFunctions[i] + "()", config: s.Config, clients: s.Clients, program: s.Program}
		b.config.Name = s.Name
		for n := range b.clients {
			b.clients[n].Start = time.Duration(n+1) * time.Second
		}
		all = append(all, b)
	}
	for i := range all {
		all[i].config.Lease = cmp.Or(all[i].config.Lease, defaultLease)
	}
	return all
}

func findBase(name string) (base, error) {
	i := slices.IndexFunc(bases, func(b base) bool { return b.name == name })
	if i < 0 {
		return base{}, fmt.Errorf("there is no preset and no scenario %q", name)
	}
	b := bases[i]
	b.clients = slices.Clone(b.clients)
	b.config.Faults = slices.Clone(b.config.Faults)
	b.config.Clocks = slices.Clone(b.config.Clocks)
	return b, nil
}

// Of returns the scene that shows a preset, whatever was changed of it.
func Of(p fencing.Preset) (Scene, error) {
	if p.Storage != nil || p.Chooser != nil {
		return Scene{}, errors.New("the playground runs in the browser and cannot take a storage or a chooser of your own there: leave Config.Storage and Config.Chooser out")
	}
	if p.Later != 0 && p.Later != time.Second {
		return Scene{}, fmt.Errorf("Later is %s, and in the playground client 2 asks for the lock 1 s after client 1: leave Preset.Later out", p.Later)
	}
	b, err := findBase(p.Name)
	if err != nil || !b.preset {
		b, _ = findBase(bases[0].name)
	}
	s := Scene{Base: b.name, Changes: map[string]string{}, Fencing: "off", At: Whole}
	if p.Fencing {
		s.Fencing = "on"
	}
	p.Lease = cmp.Or(p.Lease, defaultLease)
	b.config.Fencing = p.Fencing
	compare(s.Changes, b.config, p.Config)
	compare(s.Changes, b.clients[0], p.Policy)
	_, err = s.build()
	return s, err
}

// play is a scene ready to run.
type play struct {
	base
	changed []string // fields, in the order of their declaration
}

// build applies the scene's changes to its base.
func (s Scene) build() (play, error) {
	b, err := findBase(s.Base)
	if err != nil {
		return play{}, err
	}
	p := play{base: b}
	for _, name := range slices.Sorted(maps.Keys(s.Changes)) {
		if err := p.apply(name, s.Changes[name]); err != nil {
			return play{}, err
		}
	}
	for _, f := range fields {
		if _, ok := s.Changes[f.name]; ok {
			p.changed = append(p.changed, f.name)
		}
	}
	if err := p.checkSize(); err != nil {
		return play{}, err
	}
	if s.Third && p.mayHaveThird() {
		third := p.clients[1]
		third.Start += time.Second
		p.clients = append(p.clients, third)
	}
	if p.preset && p.config.Program == "" {
		p.config.Program = p.clients[0].String()
	}
	return p, nil
}

// mayHaveThird reports whether the scene has two workers, which a third may
// join.
func (p play) mayHaveThird() bool { return p.program == nil && len(p.clients) == 2 }

// The most that a page can run and draw without standing still for long.
const (
	mostNodes  = 9 // fencing takes no more
	mostSteps  = 100_000
	mostWrites = 100 // of one client
)

// checkSize refuses what would keep the page from answering.
func (p play) checkSize() error {
	switch c := p.config; {
	case c.Nodes > mostNodes:
		return fmt.Errorf("Nodes is %d: the playground takes up to %d lock nodes", c.Nodes, mostNodes)
	case c.Steps > mostSteps:
		return fmt.Errorf("Steps is %d: the playground takes up to %d, which is also what it takes if you leave Steps out", c.Steps, mostSteps)
	}
	for _, c := range p.clients {
		if rounds, writes := max(c.Rounds, 1), max(c.Writes, 1); rounds > mostWrites/writes {
			return fmt.Errorf("Rounds is %d and Writes is %d: the playground takes up to %d writes of a client in all", c.Rounds, c.Writes, mostWrites)
		}
	}
	return nil
}

// apply changes one field: of the configuration, or of every client's policy.
func (p *play) apply(name, text string) error {
	f, err := findField(name)
	if err != nil {
		return err
	}
	switch {
	case !f.policy:
		return f.set(&p.config, text)
	case len(p.clients) == 0:
		return fmt.Errorf("%s cannot be changed in %q: its clients are no workers", name, p.name)
	case name == "Start" && !p.preset:
		return fmt.Errorf("Start cannot be changed in %q: its clients ask for the lock one second after the other", p.name)
	}
	for i := range p.clients {
		if err := f.set(&p.clients[i], text); err != nil {
			return err
		}
		if name == "Start" {
			p.clients[i].Start += time.Duration(i) * time.Second
		}
	}
	return nil
}

func (p play) run(fenced bool) *fencing.Trace {
	p.config.Fencing = fenced
	w := fencing.NewWorld(p.config)
	for i, policy := range p.clients {
		w.Client("client "+strconv.Itoa(i+1), fencing.Worker(policy))
	}
	if p.program != nil {
		p.program(w)
	}
	return w.Run()
}

// The keys of a link that are not fields.
const (
	linkBase    = "scenario"
	linkClients = "clients"
	linkFencing = "fencing"
	linkAt      = "at"
	linkHeld    = "held"
)

// Link returns the scene as a text such as "Lease=20s&fencing=on&scenario=crash".
func (s Scene) Link() string {
	values := url.Values{linkBase: {s.Base}, linkFencing: {s.Fencing}}
	for name, text := range s.Changes {
		values.Set(name, text)
	}
	if s.Third {
		values.Set(linkClients, "3")
	}
	if s.At >= 0 {
		values.Set(linkAt, s.At.String())
	}
	if s.Held {
		values.Set(linkHeld, "yes")
	}
	return values.Encode()
}

// linkForm is what a link looks like.
const linkForm = `a link looks like "fencing=on&scenario=GC+pause"`

// Parse reads what [Scene.Link] wrote.
func Parse(link string) (Scene, error) {
	values, err := url.ParseQuery(link)
	switch {
	case err != nil:
		return Scene{}, fmt.Errorf("this is no link of a playground: %s (%w)", linkForm, err)
	case values.Get(linkBase) == "":
		return Scene{}, fmt.Errorf("this link names no scenario: %s", linkForm)
	}
	for name, all := range values {
		if len(all) > 1 {
			return Scene{}, fmt.Errorf("%s stands in the link %d times: write it once", name, len(all))
		}
	}
	s := Scene{Base: values.Get(linkBase), Changes: map[string]string{}, At: Whole}
	s.Fencing = cmp.Or(values.Get(linkFencing), "off")
	clients, held := values.Get(linkClients), values.Get(linkHeld)
	s.Third, s.Held = clients == "3", held == "yes"
	switch {
	case !slices.Contains([]string{"off", "on", "both"}, s.Fencing):
		return s, fmt.Errorf("fencing is %q in the link: write off, on or both", s.Fencing)
	case !s.Third && clients != "":
		return s, fmt.Errorf("clients is %q in the link: write 3 for a third client, or leave it out", clients)
	case !s.Held && held != "":
		return s, fmt.Errorf("held is %q in the link: write yes to hold the outcome back, or leave it out", held)
	}
	if at := values.Get(linkAt); at != "" {
		if s.At, err = time.ParseDuration(at); err != nil || s.At < 0 {
			return s, fmt.Errorf("at is %q in the link: write a time such as 11s", at)
		}
	}
	for name := range values {
		if !slices.Contains([]string{linkBase, linkClients, linkFencing, linkAt, linkHeld}, name) {
			s.Changes[name] = values.Get(name)
		}
	}
	_, err = s.build()
	return s, err
}
