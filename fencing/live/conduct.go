package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"fencingtokens/fencing"
)

// conductor leads one run, in the process of the cell.
type conductor struct {
	ctx       context.Context
	systems   Systems
	run       string // what copies of the program know the run by
	name      string // what the systems know it by
	config    fencing.Config
	simulated *fencing.Trace
	locks     []string // that the simulated run has granted
	start     time.Time

	server   Server
	keeper   *process
	clients  []*process
	mu       sync.Mutex
	news     chan struct{} // closed, and made anew, whenever one of these has changed
	streams  map[string][]fencing.Event
	truth    []observation
	looked   map[string]time.Duration // lock to the last time at which the lock service has said who holds it
	heard    time.Duration            // the last time at which it has answered, or the run had something else to wait for
	ended    map[string]bool          // clients whose process is over
	underWay int                      // messages on the wire
	mistakes []error
}

// process is a part of the run.
type process struct {
	name   string
	cmd    *exec.Cmd
	in     io.WriteCloser
	ready  chan string   // gets what it says when it is ready
	over   chan struct{} // closed when its process is
	begun  bool          // it was ready
	killed bool          // by the run, and so not of itself
}

func (p *process) String() string {
	if p.name == storagePart {
		return "the storage"
	}
	return p.name
}

func conduct(ctx context.Context, s Systems, run string, simulated *fencing.Trace) *fencing.Trace {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := &conductor{ctx: ctx, systems: s, run: run, name: newName(), config: simulated.Config, simulated: simulated, locks: locksOf(simulated),
		news: make(chan struct{}), streams: map[string][]fencing.Event{}, ended: map[string]bool{}, looked: map[string]time.Duration{}}
	err := c.lead()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.mistakes) > 0 {
		err = c.mistakes[0] // what follows is often its consequence
	}
	c.config.Systems = s.String()
	return fencing.Recorded(c.config, simulated.Clients, merge(c.streams, c.truth), err)
}

// lead takes the run from its first process to its last.
func (c *conductor) lead() (err error) {
	c.server, err = c.systems.Locks.Start(c.ctx)
	if err != nil {
		return c.cause(err)
	}
	defer func() { err = errors.Join(err, c.server.Close()) }()
	c.keeper, err = c.startPart(storagePart, order{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.letGo(c.keeper)) }()
	address, err := c.whenReady(c.keeper)
	if err != nil {
		return err
	}
	wire, err := c.serveWire(address)
	if err != nil {
		return err
	}
	defer wire.Close()
	defer c.killClients()
	for _, name := range c.simulated.Clients {
		client, err := c.startPart(name, order{Locks: c.server.Address(), Storage: "http://" + wire.Addr, Holds: c.holds(name)})
		if err != nil {
			return err
		}
		c.clients = append(c.clients, client)
		fmt.Fprintln(c.keeper.in, guard, client.cmd.Process.Pid)
	}
	for _, client := range c.clients {
		if _, err := c.whenReady(client); err != nil {
			return err
		}
	}
	c.start = time.Now()
	for _, p := range append(c.clients, c.keeper) {
		fmt.Fprintln(p.in, begin, c.start.UnixNano())
	}
	observed := c.observe()
	defer observed()
	if err := c.until(c.isOver); err != nil {
		return fmt.Errorf("%w; %s", err, c.whatIsNotOver())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.isFree() {
		return fmt.Errorf("%s no longer says who holds a lock, so it cannot be known when its leases ended", c.systems.Locks.Name)
	}
	return nil
}

// isOver reports whether every client has ended, no message is under way, and
// every lease is over, or the lock service does not say any more.
func (c *conductor) isOver() bool {
	return !c.isBusy() && (c.isFree() || c.now()-c.heard >= silent)
}

// isBusy reports whether a client is at work or a message under way.
func (c *conductor) isBusy() bool { return len(c.atWork()) > 0 || c.underWay > 0 }

// atWork returns the clients whose process is not over.
func (c *conductor) atWork() []string {
	var names []string
	for _, p := range c.clients {
		if !c.ended[p.name] {
			names = append(names, p.name)
		}
	}
	return names
}

// whatIsNotOver says what the run was waiting for.
func (c *conductor) whatIsNotOver() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	atWork := c.atWork()
	switch {
	case len(atWork) == 1:
		return atWork[0] + " was still at work"
	case len(atWork) > 1:
		return strings.Join(atWork, " and ") + " were still at work"
	case c.underWay > 0:
		return "a message to the storage was still under way"
	}
	return c.systems.Locks.Name + " still named a holder of a lock"
}

// startPart starts the program again as a part of the run.
func (c *conductor) startPart(name string, o order) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	o.Run = c.name
	first, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	from, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer to.Close()
	p := &process{name: name, cmd: exec.Command(program, os.Args[1:]...), ready: make(chan string, 1), over: make(chan struct{})}
	// What a copy of a cell displays is shown nowhere.
	p.cmd.Env = append(slices.DeleteFunc(os.Environ(), isDisplay), partOfRun(name, c.run))
	p.cmd.ExtraFiles = []*os.File{to}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt is for the program only
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		from.Close()
		return nil, fmt.Errorf("the program could not be started again as %s: %s", p, Reason(err))
	}
	fmt.Fprintf(p.in, "%s\n", first)
	go c.listen(p, from)
	return p, nil
}

// listen takes in what a part reports, until its process is over.
func (c *conductor) listen(p *process, from *os.File) {
	defer from.Close()
	lines := json.NewDecoder(from)
	for {
		var r report
		if lines.Decode(&r) != nil {
			break
		}
		switch {
		case r.Ready != "":
			c.changed(func() { p.begun = true })
			p.ready <- r.Ready
		case r.Event != nil:
			c.changed(func() { c.streams[p.name] = append(c.streams[p.name], *r.Event) })
		case r.Reached != nil:
			go c.reached(p, *r.Reached)
		case r.Failed != "":
			c.changed(func() { c.mistakes = append(c.mistakes, errors.New(r.Failed)) })
		}
	}
	p.cmd.Wait()
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // what it has started
	close(p.over)
	c.changed(func() {
		c.ended[p.name] = true
		if p.begun && !p.killed && !isFinished(c.streams[p.name]) {
			c.mistakes = append(c.mistakes, fmt.Errorf("the process of %s ended (%s) before %s", p, p.cmd.ProcessState, p.whatItIsFor()))
		}
	})
}

func (p *process) whatItIsFor() string {
	if p.name == storagePart {
		return "the run was over"
	}
	return "its function returned"
}

func isFinished(events []fencing.Event) bool {
	return slices.ContainsFunc(events, func(e fencing.Event) bool { return e.Kind == fencing.Finished })
}

func (c *conductor) kill(p *process) {
	c.changed(func() { p.killed = true })
	p.cmd.Process.Signal(syscall.SIGKILL)
}

// reached does to a client at a point what the run's faults say, or lets it wait
// until another client has done what it has in the simulated run.
func (c *conductor) reached(p *process, r reached) {
	switch r.Choice.Action {
	case fencing.CrashIt:
		c.kill(p)
		return
	case fencing.PauseIt:
		p.cmd.Process.Signal(syscall.SIGSTOP)
		c.sleep(r.Choice.For)
		c.awaitOthers(p.name, c.beforeResume(r))
	default:
		c.awaitOthers(p.name, c.beforeAcquire(p.name))
	}
	fmt.Fprintln(p.in, goOn)
	p.cmd.Process.Signal(syscall.SIGCONT)
}

// whenReady returns what the part says when it is ready.
func (c *conductor) whenReady(p *process) (string, error) {
	select {
	case said := <-p.ready:
		return said, nil
	case <-p.over:
		return "", fmt.Errorf("the process of %s was over before the run began: a program that is started again must come to live.Run as it did the first time", p)
	case <-c.ctx.Done():
		return "", context.Cause(c.ctx)
	}
}

// changed changes what is known of the run, and tells those who wait for it.
func (c *conductor) changed(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
	close(c.news)
	c.news = make(chan struct{})
}

// until waits for something to be true of what is known of the run. It gives up
// when the run is over by its time, or has failed.
func (c *conductor) until(is func() bool) error {
	for {
		c.mu.Lock()
		yes, failed, news := is(), len(c.mistakes) > 0, c.news
		c.mu.Unlock()
		if yes || failed {
			return nil
		}
		select {
		case <-news:
		case <-c.ctx.Done():
			return context.Cause(c.ctx)
		}
	}
}

func (c *conductor) sleep(d time.Duration) {
	select {
	case <-time.After(d):
	case <-c.ctx.Done():
	}
}

// cause prefers the reason why the run was ended to what followed from it.
func (c *conductor) cause(err error) error {
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	return err
}

func (c *conductor) killClients() {
	for _, p := range c.clients {
		c.kill(p)
		<-p.over
	}
}

// letGo ends the storage, which drops its table, also if somebody has stopped it.
// If it was killed, its table is dropped here.
func (c *conductor) letGo(p *process) error {
	c.changed(func() { p.killed = true })
	fmt.Fprintln(p.in, end)
	p.cmd.Process.Signal(syscall.SIGCONT)
	select {
	case <-p.over:
	case <-time.After(lettingGo):
		p.cmd.Process.Kill()
		<-p.over
	}
	if p.cmd.ProcessState.Exited() || !p.begun {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lettingGo)
	defer cancel()
	return dropTable(ctx, c.systems.Storage, c.name)
}

// lettingGo is how long the storage has to drop its table.
const lettingGo = 5 * time.Second

func isDisplay(variable string) bool {
	return strings.HasPrefix(variable, "GONB_PIPE=") || strings.HasPrefix(variable, "GONB_PIPE_BACK=")
}

// serveWire serves the way to the storage, on which messages can be late.
func (c *conductor) serveWire(storage string) (*http.Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.New("there is no wire to the storage: " + Reason(err))
	}
	server := &http.Server{Addr: listener.Addr().String(), Handler: &proxy{conductor: c, storage: newWire(storage), passed: map[fencing.Label]int{}}}
	go server.Serve(listener)
	return server, nil
}
