package live_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/sqlite"
)

const oddName = "a/b\x00\n\"'; 🔒"

var (
	oddlyNamed = run{systems, fencing.Config{Name: "odd names", Lease: lease}, func(w *fencing.World) {
		for _, name := range []string{"the storage", oddName} {
			w.Client(name, func(c *fencing.Client) {
				c.Write(oddName, oddName+strings.Repeat("x", 1<<20), 1)
				if value, err := c.Read(oddName); err != nil || !strings.HasPrefix(value, oddName) {
					panic(fmt.Sprintf("%.20q: %v", value, err))
				}
			})
		}
	}}
	noLease = run{systems, fencing.Config{Name: "default lease"}, func(w *fencing.World) {
		w.Client("client 1", func(c *fencing.Client) {
			l := c.Acquire("report")
			c.Work(50 * time.Millisecond)
			c.Write("report", "x", l.Token)
			c.Release(l)
		})
	}}
	highToken = own("high token", systems, func(c *fencing.Client) { c.Write("report", "x", 1<<63) })
	noText    = own("no text", systems, func(c *fencing.Client) { c.Write("report", "\xff", 1) })
	// leavesAProcess starts another program and does not end it.
	leavesAProcess = own("leaves a process", systems, func(c *fencing.Client) {
		if live.IsPart() {
			sleep := exec.Command("sleep", "1000")
			if sleep.Start() == nil {
				tell(os.Getenv("LIVE_TEST_SLEEPER"), sleep.Process.Pid)
			}
		}
	})
	// killsTheStorage has the test kill the storage's process between two writes.
	killsTheStorage = own("kills the storage", live.Systems{Locks: standIn(), Storage: inFile()}, func(c *fencing.Client) {
		c.Write("report", "a", 1)
		if live.IsPart() {
			if answer, err := http.Get(os.Getenv("LIVE_TEST_HANDLE")); err == nil {
				answer.Body.Close()
			}
		}
		c.Sleep(time.Minute)
	})
	hostile = []run{oddlyNamed, noLease, highToken, noText, leavesAProcess, killsTheStorage}
)

// inFile is a storage whose database outlives its process; in its folder each
// process that opens it leaves its number.
func inFile() live.Storage {
	s := live.SQLite()
	s.Open = func(context.Context) (*sql.DB, error) {
		folder := os.Getenv("LIVE_TEST_FOLDER")
		os.WriteFile(filepath.Join(folder, "opened by "+strconv.Itoa(os.Getpid())), nil, 0o600)
		return sqlite.Open(filepath.Join(folder, "database"))
	}
	return s
}

func TestAnyNameAndAnyTextComesThrough(t *testing.T) {
	trace := oddlyNamed.start()
	require.NoError(t, trace.Err())
	assert.Len(t, trace.Attempts(), 2)
}

func TestARunWithoutALeaseHasTheUsualOne(t *testing.T) {
	trace := noLease.start()
	require.NoError(t, trace.Err())
	require.Len(t, trace.Grants(), 1)
	assert.Equal(t, fencing.Holds, trace.Verdict().Finding(fencing.NoLateWrite).Status, "%s", trace)
}

func TestWhatADatabaseCannotKeepIsRefused(t *testing.T) {
	assert.ErrorContains(t, highToken.start().Err(), "tokens up to 9223372036854775807")
	assert.ErrorContains(t, noText.start().Err(), "this is not UTF-8")
}

func TestWhatIsMissingIsASentence(t *testing.T) {
	program := func(w *fencing.World) { w.Client("client 1", fencing.Worker(fencing.Policy{})) }
	assert.ErrorContains(t, live.Run(live.Systems{}, fencing.Config{}, program).Err(), "Systems.Locks is no lock service")
	assert.ErrorContains(t, live.Run(live.Systems{Locks: standIn()}, fencing.Config{}, program).Err(), "Systems.Storage is no storage")
	assert.ErrorContains(t, live.Run(systems, fencing.Config{}, nil).Err(), "the run has no program")
}

func TestAProgramThatAClientHasStartedEndsWithTheRunAndDoesNotHoldItUp(t *testing.T) {
	pipe := t.TempDir() + "/processes"
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	t.Setenv("LIVE_TEST_SLEEPER", pipe)
	trace := make(chan *fencing.Trace)
	go func() { trace <- leavesAProcess.start() }()
	sleeper := readProcesses(t, pipe, 1)[0]
	require.NoError(t, (<-trace).Err())
	for syscall.Kill(sleeper, 0) == nil && !isZombie(sleeper) { // the test's own time-out ends this if nothing else does
		time.Sleep(time.Millisecond)
	}
}

// isZombie reports whether a process has ended and nobody has asked how.
func isZombie(process int) bool {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	return strings.Contains(string(stat), ") Z ")
}

func TestAStorageThatIsKilledIsASentenceAndLeavesNoTable(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("LIVE_TEST_FOLDER", folder)
	kill := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		opened, err := filepath.Glob(folder + "/opened by *")
		assert.NoError(t, err)
		for _, by := range opened {
			process, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(by), "opened by "))
			assert.NoError(t, err)
			assert.NoError(t, syscall.Kill(process, syscall.SIGKILL))
		}
	}))
	defer kill.Close()
	t.Setenv("LIVE_TEST_HANDLE", kill.URL)
	trace := killsTheStorage.start()
	require.EqualError(t, trace.Err(), "the process of the storage ended (signal: killed) before the run was over")
	assert.Equal(t, fencing.Untold, trace.Verdict().Finding(fencing.NoStaleWrite).Status)

	db, err := sqlite.Open(folder + "/database")
	require.NoError(t, err)
	defer db.Close()
	tables := 0
	require.NoError(t, db.QueryRow(`SELECT count(*) FROM sqlite_master`).Scan(&tables))
	assert.Zero(t, tables)
}
