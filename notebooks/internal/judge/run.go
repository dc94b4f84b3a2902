//go:build !windows

package judge

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"fencingtokens/notebooks/internal/judge/exchange"
)

// Limits of one answer.
const (
	Time    = 20 * time.Second // the checks of one answer take 8 s at most
	CPU     = 20 * time.Second // of all cores together
	Memory  = 1 << 30          // bytes
	Output  = 1 << 20          // bytes
	Threads = 100
)

// Verdict is what became of one answer.
type Verdict struct {
	State   string // "passed", "failed", "timed out", "panicked", "not attempted"
	Check   string // the first that did not pass
	Mistake string // the misconception
	Seconds float64
}

// ofTheProcess is the check that an answer does not pass which keeps the others
// from coming to an end.
const ofTheProcess = "the answer keeps to its process and its limits"

// Run judges an answer. Isolated, it is confined as far as the system allows;
// otherwise it has a limit of time and of output alone.
func (w *Workshop) Run(ctx context.Context, b Built, seed uint64, isolated bool) (Verdict, error) {
	begin := time.Now()
	limited, cancel := context.WithTimeout(ctx, Time)
	defer cancel()
	order := exchange.Order{Nonce: rand.Text(), Seed: seed, Limit: 2 * Time}
	out := &limitedOutput{full: cancel}
	result, ended, err := w.start(limited, b.Program, order, isolated, out)
	if ctx.Err() != nil {
		return Verdict{}, errors.New("stopped")
	}
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{State: result.State, Check: result.Check, Mistake: result.Mistake}
	switch {
	case result.Nonce == "":
		v = ended.withoutResult(out, limited.Err() != nil)
	case v.State == "not attempted":
		v.Check = ""
	}
	v.Seconds = time.Since(begin).Seconds()
	return v, nil
}

// end is how a process ended.
type end struct{ *os.ProcessState }

func (e end) signal() syscall.Signal {
	if status, ok := e.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal()
	}
	return 0
}

// memory is the most that the process had at once, in bytes; Linux counts in KB.
func (e end) memory() int64 {
	if usage, ok := e.SysUsage().(*syscall.Rusage); ok && runtime.GOOS == "linux" {
		return int64(usage.Maxrss) << 10
	}
	return 0
}

// withoutResult says what an answer did that ended before its checks did.
func (e end) withoutResult(out *limitedOutput, late bool) Verdict {
	v := Verdict{State: "failed", Check: ofTheProcess}
	said := out.begin.String()
	switch {
	case strings.Contains(said, "out of memory"), strings.Contains(said, "cannot allocate memory"),
		strings.Contains(said, "fatal error:") && e.memory() > Memory/2: // Go's runtime has many words for it
		v.Mistake = fmt.Sprintf("needs more than %d MB of memory", Memory>>20)
	case strings.Contains(said, "failed to create new OS thread"):
		v.Mistake = fmt.Sprintf("needs more than %d threads", Threads)
	case out.overflown: // after those: Go's runtime tells of every goroutine
		v.Mistake = fmt.Sprintf("prints more than %d MB", Output>>20)
	case late, e.signal() == syscall.SIGXCPU:
		v.State, v.Mistake = "timed out", "does not come to an end"
	case strings.Contains(said, "stack overflow"), strings.Contains(said, "goroutine stack exceeds"):
		v.State, v.Mistake = "panicked", "endless recursion"
	case strings.Contains(said, "concurrent map"):
		v.State, v.Mistake = "panicked", "two goroutines write to one map"
	case strings.Contains(said, "panic:"), strings.Contains(said, "fatal error:"):
		v.State, v.Mistake = "panicked", "panics outside of the checks"
	default:
		v.Mistake = "ends the process"
	}
	return v
}

// start runs the program until it ends, and returns the result if it handed in a
// true one.
func (w *Workshop) start(ctx context.Context, program string, order exchange.Order, isolated bool, out io.Writer) (exchange.Result, end, error) {
	var none exchange.Result
	orderIn, orderOut, err := os.Pipe()
	if err != nil {
		return none, end{}, err
	}
	defer orderIn.Close()
	resultIn, resultOut, err := os.Pipe()
	if err != nil {
		return none, end{}, errors.Join(err, orderOut.Close())
	}
	defer resultIn.Close()
	cmd, err := w.command(ctx, program, isolated)
	if err != nil {
		return none, end{}, errors.Join(err, orderOut.Close(), resultOut.Close())
	}
	cmd.ExtraFiles = []*os.File{orderIn, resultOut}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = 2 * time.Second
	// It fits into the pipe, so that nobody need read yet.
	err = json.NewEncoder(orderOut).Encode(order)
	err = errors.Join(err, orderOut.Close())
	if err == nil {
		err = cmd.Start()
	}
	resultOut.Close()
	if err != nil {
		return none, end{}, fmt.Errorf("start the program of an answer: %w", err)
	}
	result := make(chan exchange.Result, 1)
	go func() { result <- receive(resultIn, order.Nonce) }()
	_ = cmd.Wait() // how it ended is in its state
	_ = resultIn.SetReadDeadline(time.Now().Add(time.Second))
	return <-result, end{cmd.ProcessState}, nil
}

// receive reads results and takes the one that has the nonce.
func receive(from io.Reader, nonce string) exchange.Result {
	lines := bufio.NewScanner(io.LimitReader(from, Output))
	for lines.Scan() {
		var r exchange.Result
		if json.Unmarshal(lines.Bytes(), &r) == nil && r.Nonce == nonce {
			return r
		}
	}
	return exchange.Result{}
}

// limitedOutput keeps the beginning of what is printed, and says when it is too
// much.
type limitedOutput struct {
	begin     bytes.Buffer
	overflown bool
	full      func()
}

func (o *limitedOutput) Write(data []byte) (int, error) {
	if o.begin.Len()+len(data) > Output {
		o.overflown = true
		o.full()
		return 0, errors.New("too much output")
	}
	return o.begin.Write(data)
}

// command is the program, or confine around it.
func (w *Workshop) command(ctx context.Context, program string, isolated bool) (*exec.Cmd, error) {
	if !isolated {
		return apart(exec.CommandContext(ctx, program)), nil
	}
	return w.Isolation.command(ctx, w, program)
}

// apart lets the end of a program be the end of those that it started.
func apart(cmd *exec.Cmd) *exec.Cmd {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}
