package sample

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fencingtokens/fencing"
)

// mostClients bounds a world: with more, one run takes seconds.
const mostClients = 1000

// Study says what is run again and again, and what differs from run to run.
// Zero is off, or the default that the field's comment names. Every run is a
// world of its own, with chance of its own ([Draws]).
type Study struct {
	// What every run does.
	Name    string
	Policy  fencing.Policy              // what each client does; client n starts Policy.Start + n-1 s after the beginning
	Program func(*fencing.World, Draws) // adds clients of your own, in place of Policy; called by several goroutines at once
	Clients int                         // how many clients, called "client 1", "client 2", ...; 0 means 2
	Config  fencing.Config              // what all runs share; Chooser and Storage must be left out
	Faults  func(Draws) []fencing.Fault // further faults, drawn anew for every run; one that its run never comes to does nothing; called by several goroutines at once

	// How often.
	Runs int    // how many runs
	Seed uint64 // the same seed gives the same result

	// What differs.
	Leases   Distribution    // length of all leases of a run; nil is Config.Lease
	Jobs     Distribution    // each client's work between its grant and its write; nil is Policy.WorkBefore
	Pauses   Distribution    // how long a client stands still at a point
	PausePPM int64           // chance of that at each passing, in parts per million; 0 means always
	CrashPPM int64           // chance that a client crashes at a point, at each passing, in parts per million; 0 means never
	Points   []fencing.Point // where pauses and crashes strike; nil is every point of a client
	Delays   Distribution    // by how much a message is late, on top of Config.Latency
	DelayPPM int64           // chance of that for each message, in parts per million; 0 means always
	Messages []fencing.Point // which messages; nil is all
	Clocks   Distribution    // what each clock gains in a second, drawn for every client and the lock service; 1 µs is 1 part per million

	// How it is done. Neither changes the result.
	Workers  int                // how many runs at once; 0 means one a core
	Progress func(done, of int) // told now and then how many runs are done, always by the goroutine that called Run
}

func (s Study) withDefaults() Study {
	if s.Clients == 0 {
		s.Clients = 2
	}
	if s.PausePPM == 0 {
		s.PausePPM = whole
	}
	if s.DelayPPM == 0 {
		s.DelayPPM = whole
	}
	return s
}

// check reports the first mistake.
func (s Study) check() error {
	switch {
	case s.Runs <= 0:
		return fmt.Errorf("Study.Runs is %d: say how many runs you want, for example 10_000", s.Runs)
	case s.Clients < 0 || s.Clients > mostClients:
		return fmt.Errorf("Study.Clients is %d: give a number from 1 to %d, or leave it out for 2", s.Clients, mostClients)
	case s.Workers < 0:
		return fmt.Errorf("Study.Workers is %d: give a positive number, or leave it out for one a core", s.Workers)
	case s.Program != nil && s.Policy != fencing.Policy{}:
		return errors.New("the study has both a Program and a Policy: give the Program alone, or the Policy of the standard worker")
	case s.Program != nil && s.Jobs != nil:
		return errors.New("Study.Jobs is for the worker of Study.Policy: let your Program draw its own, for example draws.Length(\"work\", sample.Uniform(time.Second, 5*time.Second))")
	case s.Jobs != nil && s.Policy.WorkBefore != 0:
		return fmt.Errorf("Study.Policy works for %s, and Study.Jobs draws how long: give one of the two", s.Policy.WorkBefore)
	case s.Leases != nil && s.Config.Lease != 0:
		return fmt.Errorf("Study.Config has a lease of %s, and Study.Leases draws it: give one of the two", s.Config.Lease)
	case s.Config.Untraced:
		return errors.New("Study.Config is Untraced, and what happened in a run is counted in its trace: leave Untraced out")
	case s.Config.Chooser != nil:
		return errors.New("Study.Config has a Chooser, which the study sets itself: leave it out, and give Pauses and Delays")
	case s.Config.Storage != nil:
		return errors.New("Study.Config has a Storage, which many runs would share: leave it out, and use Fencing and Check")
	}
	for _, check := range []func() error{s.checkChances, s.checkTables, s.checkPoints, s.checkUses} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (s Study) checkChances() error {
	for _, c := range []struct {
		field string
		ppm   int64
	}{{"PausePPM", s.PausePPM}, {"CrashPPM", s.CrashPPM}, {"DelayPPM", s.DelayPPM}} {
		if c.ppm < 0 || c.ppm > whole {
			return fmt.Errorf("Study.%s is %d: give parts per million from 0 to 1000000; one in a hundred is 10_000", c.field, c.ppm)
		}
	}
	return nil
}

func (s Study) checkTables() error {
	for _, t := range []struct {
		field       string
		table       Distribution
		least, most time.Duration
	}{
		{"Study.Leases", s.Leases, fencing.Shortest, fencing.Longest}, {"Study.Jobs", s.Jobs, 0, fencing.Longest}, {"Study.Pauses", s.Pauses, 0, fencing.Longest}, {"Study.Delays", s.Delays, 0, fencing.Longest},
		// A clock that loses a whole second in a second stands still, and fencing takes no such rate.
		{"Study.Clocks", s.Clocks, -time.Second + time.Microsecond, time.Second},
	} {
		if err := t.table.check(t.field, t.least, t.most); err != nil {
			return err
		}
	}
	return nil
}

func (s Study) checkPoints() error {
	for _, p := range s.Points {
		if p == 0 || p.Message() {
			return fmt.Errorf("Study.Points has %q, which is no point of a client: take for example fencing.BeforeWrite, and put messages into Study.Messages", p)
		}
	}
	for _, p := range s.Messages {
		if !p.Message() {
			return fmt.Errorf("Study.Messages has %q, which is no message: take for example fencing.WriteRequest, and put points into Study.Points", p)
		}
	}
	return nil
}

// checkUses refuses what says how often or where something strikes that the
// study does not have.
func (s Study) checkUses() error {
	switch {
	case s.PausePPM != 0 && s.Pauses == nil:
		return fmt.Errorf("Study.PausePPM is %d, and there are no Pauses: give their length, for example sample.TypicalStalls(), or leave out PausePPM", s.PausePPM)
	case s.DelayPPM != 0 && s.Delays == nil:
		return fmt.Errorf("Study.DelayPPM is %d, and there are no Delays: give their length, for example sample.TypicalDelays(), or leave out DelayPPM", s.DelayPPM)
	case len(s.Points) > 0 && s.Pauses == nil && s.CrashPPM == 0:
		return errors.New("Study.Points says where pauses and crashes strike, and there are none: give Pauses or CrashPPM, or leave out Points")
	case len(s.Messages) > 0 && s.Delays == nil:
		return errors.New("Study.Messages says which messages are late, and none are: give Delays, or leave out Messages")
	}
	return nil
}

// Trace runs one run of the study, counted from 1, and returns its trace: to
// draw the run in which something happened first, pass a [Rate]'s First. All that
// chance brought is in the trace's Config.Faults, so that the run can be named and
// pasted like any other, unless it has an error. Of a study whose Runs are 0 it
// can be any run. The error is a mistake in the study; one of the run is
// [fencing.Trace.Err].
func (s Study) Trace(run int) (*fencing.Trace, error) {
	if s.Runs == 0 {
		s.Runs = run
	}
	switch err := s.check(); {
	case run < 1:
		return nil, fmt.Errorf("there is no run %d: runs are counted from 1, and a Rate's First is 0 if it happened in none", run)
	case err != nil:
		return nil, err
	case run > s.Runs:
		return nil, fmt.Errorf("there is no run %d: the study has %d runs, counted from 1", run, s.Runs)
	}
	s = s.withDefaults()
	s.Config.Name = strings.TrimPrefix(fmt.Sprintf("%s, run %d", s.Name, run), ", ")
	if s.Program == nil && s.Config.Program == "" {
		s.Config.Program = s.Policy.String()
	}
	draws := drawsOf(s.Seed, run)
	trace := s.run(s.config(draws), draws)
	if trace.Err() != nil {
		return trace, nil
	}
	faults, err := fencing.ParseFaults(trace.ChoiceString())
	if err != nil {
		return nil, err
	}
	config := trace.Config
	config.Chooser, config.Faults = nil, faults
	return s.run(config, draws), nil
}

func (s *Study) run(c fencing.Config, draws Draws) *fencing.Trace {
	w := fencing.NewWorld(c)
	s.addTo(w, draws)
	return w.Run()
}

// addTo adds the clients of one run to its world.
func (s *Study) addTo(w *fencing.World, draws Draws) {
	if s.Program != nil {
		s.Program(w, draws)
		return
	}
	for n := range s.Clients {
		name := client(n)
		policy := s.Policy
		policy.Start += time.Duration(n) * time.Second
		if s.Jobs != nil {
			// The worker takes 0 for its default.
			policy.WorkBefore = max(1, draws.Length("work of "+name, s.Jobs))
		}
		w.Client(name, fencing.Worker(policy))
	}
}

// config is the configuration of one run.
func (s *Study) config(draws Draws) fencing.Config {
	c := s.Config
	c.Chooser = chooser{s, draws}
	if s.Leases != nil {
		c.Lease = draws.Length("lease", s.Leases)
	}
	if s.Faults != nil {
		c.Faults = slices.Concat(c.Faults, s.Faults(draws))
	}
	if s.Clocks != nil {
		c.Clocks = slices.Clone(c.Clocks)
		for _, actor := range s.actors() {
			gains := draws.Length("clock of "+actor, s.Clocks)
			c.Clocks = append(c.Clocks, fencing.Clock{Actor: actor, PPM: ppm(gains)})
		}
	}
	return c
}

// actors are those whose clocks differ.
func (s *Study) actors() []string {
	var names []string
	for n := range s.Clients {
		names = append(names, client(n))
	}
	for n := range s.Config.Nodes {
		names = append(names, "node "+string(rune('A'+n)))
	}
	if s.Config.Nodes == 0 {
		names = append(names, fencing.ActorLockService)
	}
	return names
}

func client(n int) string { return fmt.Sprintf("client %d", n+1) }

// parameters names everything that makes the result what it is, in one line.
func (s *Study) parameters() string {
	// A world without clients does not run, but its trace has the defaults.
	common := fencing.NewWorld(s.Config).Run().Config.Parameters()
	if s.Leases != nil {
		_, rest, _ := strings.Cut(common, " · ")
		common = "leases " + s.Leases.String() + " · " + rest
	}
	parts := []string{fmt.Sprintf("seed %d", s.Seed), common}
	add := func(on bool, format string, args ...any) {
		if on {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(s.Program == nil, "%d clients", s.Clients)
	add(s.Program == nil && s.Policy.String() != "", "%s", s.Policy)
	add(s.Jobs != nil, "jobs %s", s.Jobs)
	add(s.Pauses != nil, "%s paused %s", often(s.PausePPM, "at", s.Points, "point"), s.Pauses)
	add(s.Faults != nil, "faults drawn for every run")
	add(s.CrashPPM > 0, "%s crashed", often(s.CrashPPM, "at", s.Points, "point"))
	add(s.Delays != nil, "%s late by %s", often(s.DelayPPM, "of", s.Messages, "message"), s.Delays)
	if last := len(s.Clocks) - 1; last > 0 {
		add(true, "clocks gain %d to %d ppm", ppm(s.Clocks[0].Value), ppm(s.Clocks[last].Value))
	}
	return strings.Join(parts, " · ")
}

// often says how often something strikes, and where.
func often(ppm int64, preposition string, points []fencing.Point, every string) string {
	where := fmt.Sprintf("%s every %s", preposition, every)
	if len(points) > 0 {
		names := make([]string, len(points))
		for i, p := range points {
			names[i] = p.String()
		}
		where = strings.Join(names, ", ")
	}
	if ppm == whole {
		return where
	}
	return fmt.Sprintf("%d ppm %s", ppm, where)
}

// ppm is what a clock gains in a second, in parts per million.
func ppm(gains time.Duration) int64 { return int64(gains / time.Microsecond) }
