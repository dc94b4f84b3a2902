package setup

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// progress shows steps as they start and end, and between them that those
// running are alive: on a terminal in one line that is written over every
// second, elsewhere in a line every 20 seconds.
type progress struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	total    int
	running  []*task
	quit     chan struct{}
}

// A task is one step as its viewer sees it.
type task struct {
	show   *progress
	number int
	name   string
	began  time.Time
	latest string // the tool's latest line
}

func newProgress(out io.Writer, total int) *progress {
	p := &progress{out: out, total: total, terminal: isTerminal(out), quit: make(chan struct{})}
	go p.live()
	return p
}

func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (p *progress) stop() {
	close(p.quit)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

func (p *progress) live() {
	every := 20 * time.Second
	if p.terminal {
		every = time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-p.quit:
			return
		case <-tick.C:
			p.showRunning()
		}
	}
}

func (p *progress) showRunning() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.running {
		line := fmt.Sprintf("      %s, %.0f s: %s", t.name, time.Since(t.began).Seconds(), t.latest)
		if !p.terminal {
			fmt.Fprintf(p.out, "%.120s\n", line)
			continue
		}
		p.erase()
		fmt.Fprintf(p.out, "%.79s", line)
	}
}

// erase clears the line that is written over.
func (p *progress) erase() {
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

func (p *progress) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	fmt.Fprintf(p.out, format+"\n", args...)
}

func (p *progress) task(number int, name string) *task {
	return &task{show: p, number: number, name: name}
}

func (t *task) label() string { return fmt.Sprintf("[%d/%d] %s", t.number, t.show.total, t.name) }

func (t *task) ready() { t.show.say("%s: there", t.label()) }

func (t *task) start() {
	t.began = time.Now()
	t.show.say("%s ...", t.label())
	t.show.mu.Lock()
	defer t.show.mu.Unlock()
	t.show.running = append(t.show.running, t)
}

func (t *task) finish() {
	t.show.say("%s: done in %.0f s", t.label(), time.Since(t.began).Seconds())
	t.show.mu.Lock()
	defer t.show.mu.Unlock()
	for i, other := range t.show.running {
		if other == t {
			t.show.running = append(t.show.running[:i], t.show.running[i+1:]...)
			return
		}
	}
}

func (t *task) line(text string) {
	t.show.mu.Lock()
	defer t.show.mu.Unlock()
	t.latest = text
}
