package live_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
)

var systems = live.Systems{Locks: standIn(), Storage: live.SQLite()}

// A run is one of the tests' runs.
type run struct {
	live.Systems
	fencing.Config
	program func(*fencing.World)
}

func (r run) start() *fencing.Trace { return live.Run(r.Systems, r.Config, r.program) }

const lease = 500 * time.Millisecond

// own is a run of one client with a function of its own.
func own(name string, s live.Systems, function func(*fencing.Client)) run {
	return run{s, fencing.Config{Name: name, Lease: lease}, func(w *fencing.World) { w.Client("client 1", function) }}
}

// writesItsProcess is a client whose value is the number of its process.
func writesItsProcess(c *fencing.Client) {
	l := c.Acquire("report")
	c.Write("report", strconv.Itoa(os.Getpid()), l.Token)
	c.Release(l)
}

var (
	twoProcesses = run{systems, fencing.Config{Name: "two processes", Lease: lease}, func(w *fencing.World) {
		w.Client("client 1", writesItsProcess)
		w.Client("client 2", writesItsProcess)
	}}
	panics = own("panics", systems, func(c *fencing.Client) {
		if real := c.Now() != 0; real { // in the simulation no time passes before
			panic("in the client")
		}
		c.Sleep(time.Millisecond)
	})
	exits = own("exits", systems, func(c *fencing.Client) {
		if c.Acquire("report"); live.IsPart() {
			os.Exit(3)
		}
	})
	otherService = live.LockService{Name: "one that is down",
		Start: standIn().Start,
		Dial: func(context.Context, string, live.Dialled) (live.Session, error) {
			return &standInSession{nobody(), live.Dialled{}}, nil
		}}
	serviceDown = own("service down", live.Systems{Locks: otherService, Storage: live.SQLite()}, writesItsProcess)
	shyService  = live.LockService{Name: "one that is silent at first",
		Start: func(context.Context) (live.Server, error) { return &silentAtFirst{newService(), 20}, nil },
		Dial:  standIn().Dial}
	silentFor20 = own("silent at first", live.Systems{Locks: shyService, Storage: live.SQLite()}, writesItsProcess)
	brokenBase  = own("storage broken", live.Systems{Locks: standIn(), Storage: live.Storage{Name: "a database", Placeholder: live.SQLite().Placeholder,
		Open: func(context.Context) (*sql.DB, error) { return nil, errors.New("the database is not there") }}}, writesItsProcess)
	triesAndReads = own("tries and reads", systems, func(c *fencing.Client) {
		l, err := c.TryAcquire("report")
		c.Claim("report", l.Token)
		c.Write("report", fmt.Sprint("held: ", err == nil), l.Token)
		value, _ := c.Read("report")
		c.WriteIf("report", value+", read", l.Token)
		c.Delete("report", l.Token)
		c.Release(l)
	})
	// longOnes hold the lock until somebody ends them; client 2 is stopped meanwhile.
	longOnes = run{systems, fencing.Config{Name: "long", Lease: time.Minute, Faults: []fencing.Fault{fencing.Pause("client 2", fencing.BeforeWrite, time.Minute)}},
		func(w *fencing.World) {
			for _, name := range []string{"client 1", "client 2"} {
				w.Client(name, func(c *fencing.Client) {
					if live.IsPart() { // and not in the simulation
						tell(os.Getenv("LIVE_TEST_PIDS"), os.Getpid())
					}
					c.Write("of "+c.Name(), "x", 1)
					c.Sleep(time.Minute)
				})
			}
		}}
	// endless never ends in real time.
	endless = own("endless", systems, func(c *fencing.Client) {
		l := c.Acquire("report")
		for live.IsPart() {
			c.Sleep(time.Millisecond)
		}
		c.Release(l)
	})
	runs = []run{exits, endless, twoProcesses, panics, serviceDown, silentFor20, brokenBase, triesAndReads, longOnes}
)

// silentAtFirst does not say who holds a lock when it is asked for the first times,
// as a service that has restarted.
type silentAtFirst struct {
	*service
	silences int
}

func (s *silentAtFirst) Holder(ctx context.Context, run, lock string) (string, uint64, error) {
	if s.silences > 0 {
		s.silences--
		return "", 0, errors.New("not yet")
	}
	return s.service.Holder(ctx, run, lock)
}

// tell appends the number of a process to a named pipe.
func tell(pipe string, process int) {
	to, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer to.Close()
	fmt.Fprintln(to, process)
}

// twoSteps has a storage that checks a token and writes a good while later, which
// is wrong: the old holder's check falls between the new one's check and its write.
func twoSteps() fencing.Preset {
	p := fencing.GCPause()
	p.Name, p.Fencing, p.Check, p.CheckGap = "a check in two steps", true, fencing.TwoSteps, 10*time.Second
	return p
}

func everyPreset(each func(fencing.Preset)) {
	each(live.Scaled(twoSteps(), 20))
	for _, p := range fencing.Presets() {
		for _, on := range []bool{false, true} {
			p.Fencing = on
			each(live.Scaled(p, 20))
		}
	}
}

// The processes of a run are this program started again: they come to it here.
func TestMain(m *testing.M) {
	for live.IsPart() {
		everyPreset(func(p fencing.Preset) { live.RunPreset(systems, p) })
		for _, r := range append(runs, hostile...) {
			r.start()
		}
	}
	if os.Getenv("LIVE_TEST_PIDS") != "" {
		longOnes.start()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestEveryPresetHasTheOutcomeOfTheSimulation(t *testing.T) {
	everyPreset(func(p fencing.Preset) {
		t.Run(fmt.Sprintf("%s, fencing %v", p.Name, p.Fencing), func(t *testing.T) {
			real := live.RunPreset(systems, p)
			require.NoError(t, real.Err())
			c := live.Compare(p.Run(), real)
			assert.True(t, c.Same(), "%s\n%s", c, real)
		})
	})
}

func TestARealCheckInTwoStepsLetsAStaleWriteThrough(t *testing.T) {
	trace := live.RunPreset(systems, live.Scaled(twoSteps(), 20))
	require.NoError(t, trace.Err())
	assert.Equal(t, fencing.Violated, trace.Verdict().Finding(fencing.NoStaleWrite).Status, "%s", trace)
}

func TestEachClientIsAProcessOfItsOwn(t *testing.T) {
	trace := twoProcesses.start()
	require.NoError(t, trace.Err())
	var processes []string
	for _, a := range trace.Attempts() {
		processes = append(processes, a.Value)
	}
	require.Len(t, processes, 2)
	assert.NotEqual(t, processes[0], processes[1])
	assert.NotContains(t, processes, strconv.Itoa(os.Getpid()))
}

func TestEveryOperationReachesTheRealStorage(t *testing.T) {
	trace := triesAndReads.start()
	require.NoError(t, trace.Err())
	var did []string
	for _, e := range trace.Events {
		if e.Actor == fencing.ActorStorage && e.Kind != fencing.Arrived && e.Kind != fencing.Sent {
			did = append(did, fmt.Sprintf("%s %q version %d fence %d", e.Kind, e.Value, e.Version, e.Fence))
		}
	}
	assert.Equal(t, []string{`claimed "" version 0 fence 1`, `accepted "held: true" version 1 fence 1`, `served "held: true" version 1 fence 1`,
		`accepted "held: true, read" version 2 fence 1`, `deleted "" version 3 fence 1`}, did)
}

func TestWhatGoesWrongIsASentenceWithoutAddresses(t *testing.T) {
	for _, c := range []struct {
		run  run
		says string
	}{
		{panics, "client 1 panicked: in the client"},
		{exits, "the process of client 1 ended (exit status 3) before its function returned"},
		{serviceDown, `client 1 could not acquire "report": the lock service cannot be used (connection refused); is it still running?`},
		{brokenBase, "the database is not there"},
	} {
		trace := c.run.start()
		require.Error(t, trace.Err(), c.run.Name)
		assert.Contains(t, trace.Err().Error(), c.says)
		assert.NotContains(t, fmt.Sprint(trace, trace.Verdict()), "127.0.0.1")
		assert.Equal(t, fencing.Untold, trace.Verdict().Finding(fencing.NoStaleWrite).Status, "the verdict is unknown")
	}
}

func TestALockServiceThatIsSilentForAWhileIsWaitedFor(t *testing.T) {
	trace := silentFor20.start()
	require.NoError(t, trace.Err())
	assert.Len(t, trace.Grants(), 1)
}

func TestWhatRealSystemsCannotDoIsRefused(t *testing.T) {
	program := func(w *fencing.World) { w.Client("client 1", fencing.Worker(fencing.Policy{})) }
	for _, c := range []struct {
		config fencing.Config
		says   string
	}{
		{fencing.Config{Nodes: 5}, "Config.Nodes is for simulated systems"},
		{fencing.Config{Clocks: []fencing.Clock{{Actor: "client 1", PPM: 3}}}, "Config.Clocks is for simulated systems"},
		{fencing.Config{Fencing: true, Check: fencing.Equal}, `Config.Check is "equal to the fence"`},
		{fencing.Config{Faults: []fencing.Fault{fencing.Delay("client 1", fencing.AcquireReply, time.Second)}}, "cannot be made to happen to real systems"},
		{fencing.Config{Faults: []fencing.Fault{fencing.Pause("client 3", fencing.AfterAcquire, time.Second)}}, "client 3"},
	} {
		trace := live.Run(systems, c.config, program)
		require.Error(t, trace.Err())
		assert.Contains(t, trace.Err().Error(), c.says)
		assert.Empty(t, trace.Events, "nothing was begun")
	}
}

func TestARunThatDoesNotEndIsEnded(t *testing.T) {
	defer live.SetLimit(time.Second)()
	trace := endless.start()
	require.EqualError(t, trace.Err(), "the run was not over after 1s, and was ended; client 1 was still at work")
	assert.Len(t, trace.Grants(), 1, "what happened until then is in the trace")
}

// The program that runs may end in any way: an interrupt, or a kernel that kills
// it. Its processes end with it, the stopped one too.
func TestNothingIsLeftRunningWhateverEndsTheProgram(t *testing.T) {
	for _, with := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		pipe := t.TempDir() + "/processes"
		require.NoError(t, syscall.Mkfifo(pipe, 0o600))
		program := exec.Command(os.Args[0])
		program.Env = append(os.Environ(), "LIVE_TEST_PIDS="+pipe)
		require.NoError(t, program.Start())
		processes := readProcesses(t, pipe, 2)
		for !isStopped(processes) {
			time.Sleep(time.Millisecond)
		}
		require.NoError(t, program.Process.Signal(with))
		program.Wait()
		assert.Equal(t, with, program.ProcessState.Sys().(syscall.WaitStatus).Signal(), "it ends as it was told to")
		for _, process := range processes {
			for syscall.Kill(process, 0) == nil { // the test's own time-out ends this if nothing else does
				time.Sleep(time.Millisecond)
			}
		}
	}
}

func readProcesses(t *testing.T, pipe string, count int) (processes []int) {
	from, err := os.OpenFile(pipe, os.O_RDWR, 0)
	require.NoError(t, err)
	defer from.Close()
	lines := bufio.NewScanner(from)
	for len(processes) < count && lines.Scan() {
		process, err := strconv.Atoi(lines.Text())
		require.NoError(t, err)
		processes = append(processes, process)
	}
	return processes
}

// isStopped reports whether one of the processes is, where the system tells.
func isStopped(processes []int) bool {
	return runtime.GOOS != "linux" || slices.ContainsFunc(processes, func(process int) bool {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
		return strings.Contains(string(stat), ") T ")
	})
}
