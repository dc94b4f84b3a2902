package live

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"fencingtokens/fencing"
)

// The processes of a run are the program that called [Run], started again: each
// runs it up to the same call of Run, and there becomes the part that this
// environment variable names.
const partVariable = "FENCINGTOKENS_LIVE_PART"

// storagePart is the part that is no client; no client may have that name.
const storagePart = fencing.ActorStorage

// reports is the file descriptor on which a part writes what happens to it.
const reports = 3

// What a client starts itself does not keep the conductor waiting for more reports.
func init() {
	if IsPart() {
		syscall.CloseOnExec(reports)
	}
}

// order is the first thing a part is told, on its standard input.
type order struct {
	Run     string
	Locks   string // of a client: where the lock service is
	Storage string // of a client: where the storage is
	Holds   []fencing.Label
}

// The words of the lines that follow the order.
const (
	guard = "guard" // to the storage: the number of a process that must not outlive the run
	begin = "begin" // the time at which the run began, as time.Time.UnixNano
	goOn  = "go on" // to a client that waits at a point
	end   = "end"   // to the storage
)

// report is one line of what a part writes.
type report struct {
	Ready   string         `json:",omitempty"` // it is ready; of the storage, its address
	Event   *fencing.Event `json:",omitempty"`
	Reached *reached       `json:",omitempty"` // a client waits at a point for the word to go on
	Failed  string         `json:",omitempty"` // it cannot do its part, and why
}

type reached struct {
	Label  fencing.Label
	Choice fencing.Choice
}

// part is this process, if it is one of a run's.
type part struct {
	order
	start int64 // when the run began, as time.Time.UnixNano
	in    *bufio.Scanner
	mu    sync.Mutex
	out   *json.Encoder
}

// partOf says which part of which run this process is, both "" if none.
func partOf() (name, run string) {
	run, name, _ = strings.Cut(os.Getenv(partVariable), "/")
	name, _ = url.QueryUnescape(name)
	return name, run
}

// partOfRun is what partOf reads, for any name.
func partOfRun(name, run string) string {
	return partVariable + "=" + run + "/" + url.QueryEscape(name)
}

// takePart becomes the part and does not return.
func takePart(name string, s Systems, config fencing.Config, program func(*fencing.World)) {
	p := &part{in: bufio.NewScanner(os.Stdin), out: json.NewEncoder(os.NewFile(reports, "reports"))}
	if !p.in.Scan() || json.Unmarshal(p.in.Bytes(), &p.order) != nil {
		os.Exit(1) // nobody is there who could be told
	}
	var err error
	if name == storagePart {
		err = p.keepStorage(s.Storage, config)
	} else {
		err = p.runClient(name, s.Locks, config, program)
	}
	if err != nil {
		p.report(report{Failed: err.Error()})
		os.Exit(1)
	}
	os.Exit(0)
}

func (p *part) report(r report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out.Encode(r) // if nobody listens any more, the input has ended too
}

// wait returns the next line it is told, and false when nobody tells any more.
func (p *part) wait() (string, bool) {
	told := p.in.Scan()
	return p.in.Text(), told
}

func (p *part) now() time.Duration { return time.Duration(time.Now().UnixNano() - p.start) }

// awaitStart waits for the beginning of the run.
func (p *part) awaitStart() {
	told, _ := p.wait()
	if _, err := fmt.Sscan(strings.TrimPrefix(told, begin), &p.start); err != nil {
		os.Exit(1) // nobody is there any more
	}
}

// dialling is how long it may take to reach a system.
const dialling = 10 * time.Second

func (p *part) runClient(name string, locks LockService, config fencing.Config, program func(*fencing.World)) error {
	ctx, cancel := context.WithTimeout(context.Background(), dialling)
	defer cancel()
	session, err := locks.Dial(ctx, p.Locks, Dialled{Client: name, Lease: config.Lease, Run: p.Run})
	if err != nil {
		return err
	}
	p.report(report{Ready: name})
	p.awaitStart()
	world := fencing.NewWorld(ofClient(config, name))
	program(world)
	trace := world.RunOn(name, &backend{part: p, client: name, session: session, timeout: config.Timeout, storage: newWire(p.Storage), asked: map[int]bool{}})
	return errors.Join(trace.Err(), session.Close())
}

// ofClient leaves of the configuration what one client's process looks after.
func ofClient(config fencing.Config, name string) fencing.Config {
	own := config
	own.Faults = nil
	for _, f := range config.Faults {
		if f.Actor == name && !f.Point.Message() {
			own.Faults = append(own.Faults, f)
		}
	}
	return own
}
