package setup

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// progress shows steps as they start and end, and between them that those
// running are alive: on a terminal in one line that is written over every
// second, elsewhere in a line each every 20 seconds. As steps run side by
// side, its number is of those that are done, and never jumps.
type progress struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	total    int
	done     int
	running  []*task
	quit     chan struct{}
}

// A task is one step as its viewer sees it.
type task struct {
	show   *progress
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
	if p.terminal {
		p.erase()
		fmt.Fprint(p.out, p.together())
		return
	}
	for _, t := range p.running {
		fmt.Fprintln(p.out, t.alive(120))
	}
}

// together is one line for all that run: a tool's own words have room in it
// when its step runs alone.
func (p *progress) together() string {
	const width = 79
	if len(p.running) == 1 {
		return p.running[0].alive(width)
	}
	var all []string
	for _, t := range p.running {
		all = append(all, t.age())
	}
	return shorten(indent+strings.Join(all, "; "), width)
}

// shorten cuts between words, and leaves nothing of one word that is too long.
func shorten(text string, width int) string {
	const more = " ..."
	if len(text) <= width {
		return text
	}
	end := strings.LastIndexByte(text[:max(0, width-len(more)+1)], ' ')
	if end <= 0 {
		return ""
	}
	return strings.TrimRight(text[:end], " ") + more
}

// erase clears the line that is written over.
func (p *progress) erase() {
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// say writes a line; the caller holds the mutex.
func (p *progress) say(format string, args ...any) {
	p.erase()
	fmt.Fprintf(p.out, format+"\n", args...)
}

// indent stands where a finished step has its number.
const indent = "      "

// over counts a step; the caller holds the mutex.
func (p *progress) over(t *task, how string) {
	p.done++
	p.say("[%d/%d] %s: %s", p.done, p.total, t.name, how)
}

func (p *progress) task(name string) *task { return &task{show: p, name: name} }

func (t *task) age() string {
	return fmt.Sprintf("%s, %.0f s", t.name, time.Since(t.began).Seconds())
}

func (t *task) alive(width int) string {
	line := indent + t.age()
	if words := shorten(t.latest, width-len(line)-len(": ")); words != "" {
		line += ": " + words
	}
	return line
}

func (t *task) ready() {
	t.show.mu.Lock()
	defer t.show.mu.Unlock()
	t.show.over(t, "there already")
}

func (t *task) start() {
	t.show.mu.Lock()
	defer t.show.mu.Unlock()
	t.began = time.Now()
	t.show.say(indent+"%s: started", t.name)
	t.show.running = append(t.show.running, t)
}

func (t *task) finish(err error) {
	t.show.mu.Lock()
	defer t.show.mu.Unlock()
	t.show.running = slices.DeleteFunc(t.show.running, func(other *task) bool { return other == t })
	if err == nil {
		t.show.over(t, fmt.Sprintf("done in %.0f s", time.Since(t.began).Seconds()))
	}
}

func (t *task) line(text string) {
	t.show.mu.Lock()
	defer t.show.mu.Unlock()
	if text != "" {
		t.latest = text
	}
}
