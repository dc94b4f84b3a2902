//go:build !windows

package judge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
)

// Isolation is what keeps answers from the rest of the machine.
type Isolation struct {
	Namespaces bool // no network, no other processes, a file system of its own
	Files      bool // no file but its own program
	confine    string
	roots      *atomic.Int64
}

// Isolate builds the program that confines answers, and finds out what it can do
// on this machine.
func (w *Workshop) Isolate(ctx context.Context) error {
	confine := w.bin("confine")
	if said, err := w.tool(ctx, "go", "build", "-trimpath", "-o", confine, "./notebooks/internal/judge/confine"); err != nil {
		return fmt.Errorf("build what confines answers: %w\n%s", err, said)
	}
	w.Isolation = Isolation{Namespaces: true, confine: confine, roots: &atomic.Int64{}}
	for _, w.Isolation.Namespaces = range []bool{runtime.GOOS == "linux", false} {
		cmd, err := w.Isolation.command(ctx, w, confine, "-probe")
		if err != nil {
			return err
		}
		if out, err := cmd.Output(); err == nil {
			w.Isolation.Files = w.Isolation.Namespaces || strings.Contains(string(out), "files closed: true")
			return nil
		}
	}
	return errors.New("what confines answers does not run on this machine")
}

// String says what is closed and what is open.
func (i Isolation) String() string {
	switch {
	case i.Namespaces:
		return "Each answer runs without network and files, in namespaces of its own."
	case i.Files:
		return "Each answer runs without files (Landlock). This system allows no user namespaces: the network is closed for TCP at most, and an answer can start itself again until its time is over."
	}
	return "This system neither allows user namespaces nor has Landlock: answers run with limits of time, output and CPU, and can read your files. Grade what you trust, or on Linux."
}

// command is confine around a program.
func (i Isolation) command(ctx context.Context, w *Workshop, program string, more ...string) (*exec.Cmd, error) {
	args := append([]string{"-alone", fmt.Sprintf("-cpu=%.0f", CPU.Seconds()), fmt.Sprintf("-memory=%d", Memory), fmt.Sprintf("-threads=%d", Threads)}, more...)
	if i.Namespaces {
		// A folder for each: a mount point is a place of one process alone.
		root := w.bin(fmt.Sprintf("root-%d", i.roots.Add(1)))
		if err := os.MkdirAll(root, 0o755); err != nil {
			return nil, err
		}
		args = append(args, "-root="+root)
	}
	cmd := exec.CommandContext(ctx, i.confine, append(args, program)...)
	cmd.Env, cmd.Dir = []string{}, "/"
	if i.Namespaces {
		cmd.SysProcAttr = namespaces()
	}
	return apart(cmd), nil
}
