package live

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"fencingtokens/fencing"
)

// Systems is what a run uses in place of the simulated lock service and storage.
type Systems struct {
	Locks   LockService
	Storage Storage
}

// String names both, for example "etcd and SQLite".
func (s Systems) String() string { return s.Locks.Name + " and " + s.Storage.Name }

// limit is how long a run may take, whatever happens.
var limit = 30 * time.Second // shorter in a test

// Run runs the program's clients on real systems. Each client is a process: the
// cell's own program, started again, which runs up to this call and there becomes
// the client. What such a copy prints goes nowhere. The storage has a process
// too. A pause at a point is SIGSTOP and SIGCONT, a crash is SIGKILL, a delayed
// or dropped message to the storage is held or lost on the wire.
//
// The trace has the events of all processes by the wall clock, counted from the
// beginning of the run, so that its story, verdict and timeline are those of a
// simulated run. What the lock service did is stamped with the time at which a
// client heard of it; the end of a lease, with the time at which the service, asked
// every 20 ms, named no holder or another one.
//
// The same program is simulated first. Where a fault ends in the simulation after
// something that another client does, it does so in the run: on a busy machine
// the run waits for what has to happen, and not for a time.
//
// Run returns within 30 s. If a system cannot be used, or the run was not over
// by then, [fencing.Trace.Err] says so in a sentence without addresses and
// passwords, and the verdict is unknown where that is the truth. An interrupt
// ends all processes of the run, and then this one.
func Run(s Systems, config fencing.Config, program func(*fencing.World)) *fencing.Trace {
	config = fencing.Recorded(config, nil, nil, nil).Config // with its defaults
	if err := complete(s, program); err != nil {
		return fencing.Recorded(config, nil, nil, err)
	}
	run := nameOf(s, config)
	if name, of := partOf(); name != "" {
		if of == run {
			takePart(name, s, config, program)
		}
		return &fencing.Trace{Config: config} // the process is a part of another run
	}
	simulated := simulate(config, program)
	err := errors.Join(supported(config), simulated.Err())
	if err != nil {
		return fencing.Recorded(config, simulated.Clients, nil, err)
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit,
		fmt.Errorf("the run was not over after %s, and was ended", limit))
	defer cancel()
	ctx, interrupted := untilInterrupt(ctx)
	trace := conduct(ctx, s, run, simulated)
	interrupted()
	return trace
}

// RunPreset runs a preset's two workers on real systems, see [Run].
func RunPreset(s Systems, p fencing.Preset) *fencing.Trace {
	if p.Config.Program == "" {
		p.Config.Program = p.Policy.String()
	}
	return Run(s, p.Config, p.AddTo)
}

// Scaled returns the preset with every length divided, so that it takes seconds
// on real systems: etcd grants leases of 2 s and more.
func Scaled(p fencing.Preset, by int) fencing.Preset {
	for _, length := range []struct {
		of       *time.Duration
		standard time.Duration
	}{
		{&p.Config.Lease, 10 * time.Second}, {&p.Later, time.Second},
		{&p.Policy.WorkBefore, time.Second}, {&p.Policy.WorkAfter, 5 * time.Second},
		{&p.Config.Timeout, 0}, {&p.Config.CheckGap, 0}, {&p.Policy.Start, 0}, {&p.Policy.RenewEvery, 0},
	} {
		*length.of = cmp.Or(*length.of, length.standard) / time.Duration(by)
	}
	faults := make([]fencing.Fault, len(p.Config.Faults))
	for i, f := range p.Config.Faults {
		f.For, f.At = f.For/time.Duration(by), f.At/time.Duration(by)
		faults[i] = f
	}
	p.Config.Faults = faults
	return p
}

func simulate(config fencing.Config, program func(*fencing.World)) *fencing.Trace {
	w := fencing.NewWorld(config)
	program(w)
	return w.Run()
}

// complete reports what is missing.
func complete(s Systems, program func(*fencing.World)) error {
	switch {
	case s.Locks.Start == nil || s.Locks.Dial == nil:
		return errors.New("Systems.Locks is no lock service: give one, for example etcd.Embedded()")
	case s.Storage.Open == nil || s.Storage.Placeholder == nil:
		return errors.New("Systems.Storage is no storage: give one, for example live.SQLite()")
	case program == nil:
		return errors.New("the run has no program: give a func(*fencing.World) that adds the clients")
	}
	return nil
}

// supported reports the first thing of a configuration that real systems cannot do.
func supported(config fencing.Config) error {
	rest := config
	rest.Name, rest.Program, rest.Systems, rest.Steps, rest.Lease, rest.Timeout, rest.Faults = "", "", "", 0, 0, 0, nil
	rest.Fencing, rest.Check, rest.CheckGap, rest.FirstToken = false, 0, 0, 0
	if fields := notZero(rest); fields != "" {
		return fmt.Errorf("Config.%s is for simulated systems: a real run knows Lease, Timeout, Fencing, Check, CheckGap and Faults", fields)
	}
	if config.Check != fencing.AtLeast && config.Check != fencing.TwoSteps {
		return fmt.Errorf("Config.Check is %q: a real storage here has fencing.AtLeast and fencing.TwoSteps", config.Check)
	}
	for _, f := range config.Faults {
		if !canHappen(f) {
			return fmt.Errorf("the fault %q cannot be made to happen to real systems: a client can be paused or can crash at a point, and a message to or from the storage can be delayed or dropped", f)
		}
	}
	return nil
}

func notZero(config fencing.Config) string {
	v := reflect.ValueOf(config)
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			return v.Type().Field(i).Name
		}
	}
	return ""
}

func canHappen(f fencing.Fault) bool {
	switch f.Action {
	case fencing.PauseIt, fencing.CrashIt:
		return f.Point != 0 && !f.Point.Message() && !f.Only
	case fencing.DelayIt, fencing.DropIt:
		return slices.ContainsFunc(messages, func(m message) bool { return f.Point == m.request || f.Point == m.reply })
	}
	return false
}

// calls counts the runs of this process, so that a part knows which one is its own.
var calls = struct {
	sync.Mutex
	of map[string]int
}{of: map[string]int{}}

// nameOf names the run: the same in this process and in its copies, if they run
// the same program.
func nameOf(s Systems, config fencing.Config) string {
	key := strings.Join([]string{s.String(), config.Name, config.Parameters()}, "/")
	calls.Lock()
	defer calls.Unlock()
	calls.of[key]++
	return fmt.Sprintf("%d-%x", calls.of[key], sha256.Sum256([]byte(key)))
}

// newName is one that no other run has, for its locks and its table.
func newName() string { return strings.ToLower(rand.Text()[:10]) }

// untilInterrupt returns a context that an interrupt ends. The function that it
// returns lets the process go the way the interrupt wanted, if there was one.
func untilInterrupt(ctx context.Context) (context.Context, func()) {
	got := make(chan os.Signal, 1)
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as nohup has it
			signal.Notify(got, s)
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var which os.Signal
	done := make(chan struct{})
	go func() {
		defer close(done)
		if which = <-got; which != nil {
			cancel(errors.New("the run was interrupted"))
		}
	}()
	return ctx, func() {
		signal.Stop(got)
		close(got)
		<-done
		cancel(nil)
		if which != nil {
			signal.Reset(which)
			syscall.Kill(os.Getpid(), which.(syscall.Signal))
			time.Sleep(limit) // the signal ends the process before
		}
	}
}

// IsPart reports whether this process is a part of a run: the program started
// again, which has nothing else to do than to come to that run.
func IsPart() bool {
	name, _ := partOf()
	return name != ""
}
