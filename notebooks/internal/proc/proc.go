// Package proc starts and ends other programs so that none is left behind.
package proc

import (
	"os/exec"
	"syscall"
	"time"
)

// Apart puts cmd into a process group of its own. A Ctrl-C in the terminal
// then reaches only us, and we end cmd and its children in good order.
func Apart(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}
