// Package proc ends the programs the course starts so that none is left.
package proc

import (
	_ "embed"
	"io"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"fencingtokens/notebooks/internal/course"
)

// Apart puts cmd into a process group of its own. A Ctrl-C in the terminal
// then reaches only us, and we end cmd and its children in good order.
func Apart(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 10 * time.Second
	if cmd.Cancel != nil {
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	}
	return cmd
}

//go:embed family.py
var script string

// A Family is a program's children and theirs, as they were when it was made.
//
// Jupyter starts kernels in sessions of their own, and GoNB gopls in a process
// group of its own; a GoNB that no browser has ever spoken to panics when told
// to shut down, and leaves its gopls behind.
type Family struct {
	watch *exec.Cmd
	hold  io.Closer
}

// FamilyOf remembers the family of the program pid.
func FamilyOf(c course.Course, pid int) *Family {
	watch := exec.Command(c.Python(), "-c", script, strconv.Itoa(pid))
	watch.Env = c.Env()
	hold, errIn := watch.StdinPipe()
	known, errOut := watch.StdoutPipe()
	if errIn != nil || errOut != nil || watch.Start() != nil {
		return &Family{}
	}
	io.ReadFull(known, make([]byte, 1))
	return &Family{watch: watch, hold: hold}
}

// End kills those that are still there.
func (f *Family) End() {
	if f.watch != nil {
		f.hold.Close()
		f.watch.Wait()
	}
}
