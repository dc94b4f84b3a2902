// Package private holds what the adapters keep to themselves: server processes
// that run for one owner only, and the addresses and passwords that no error may
// show.
package private

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"fencingtokens/fencing/live"
)

// Process is a server that this process has started for itself. It cannot outlive
// its owner: see [Start].
type Process struct {
	name  string
	dir   string
	owner *os.File      // the writing end of the pipe whose end is the server's end
	ended chan struct{} // closed when the server has ended and its folder is gone
}

// Absent is an error that says that there is no server, neither named by the
// reader nor to be started here, and how to get one.
type Absent string

func (a Absent) Error() string { return string(a) }

// guard runs a server ("$@", in a folder "$dir" of its own) until it ends, or
// until nobody has the other end of the pipe open any more, which is descriptor 3.
// The operating system closes that end when the owner dies, of SIGKILL too; so
// this works wherever there is a shell, on Linux and on macOS alike.
const guard = `
dir=$1; shift
"$@" 3<&- >/dev/null 2>&1 & server=$!
{ read -r _ <&3; kill -9 $server; } 2>/dev/null & watcher=$!
exec 3<&-
wait $server; status=$?
kill $watcher 2>/dev/null
cd / && rm -rf -- "$dir"
exit $status`

// Start runs a program in a new folder, which only this user can read. arguments
// returns those of the program, and puts files into the folder that it needs. The
// program is killed by SIGKILL and the folder removed by [Process.Close], or when
// this process ends, in whatever way. It has a process group of its own, so that
// an interrupt for the owner is not one for it.
func Start(name, program string, arguments func(dir string) ([]string, error)) (*Process, error) {
	dir, err := os.MkdirTemp("", "fencingtokens-")
	if err != nil {
		return nil, fmt.Errorf("%s gets no folder of its own: %s", name, live.Reason(err))
	}
	p := &Process{name: name, dir: dir, ended: make(chan struct{})}
	if err := p.start(program, arguments); err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("%s cannot be started: %s", name, live.Reason(err))
	}
	return p, nil
}

func (p *Process) start(program string, arguments func(dir string) ([]string, error)) error {
	args, err := arguments(p.dir)
	if err != nil {
		return err
	}
	guarded, owner, err := os.Pipe()
	if err != nil {
		return err
	}
	defer guarded.Close()
	shell := exec.Command("/bin/sh", append([]string{"-c", guard, "sh", p.dir, program}, args...)...)
	shell.Dir = p.dir
	shell.ExtraFiles = []*os.File{guarded}
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := shell.Start(); err != nil {
		owner.Close()
		return err
	}
	p.owner = owner
	go func() {
		shell.Wait()
		close(p.ended)
	}()
	return nil
}

// File is the path of a file in the server's folder.
func (p *Process) File(name string) string { return filepath.Join(p.dir, name) }

// Answers asks the server again and again, until ask returns nil. It is an error
// if the server ends before that, or the context, or 20 s.
func (p *Process) Answers(ctx context.Context, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for {
		err := ask(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.ended:
			return fmt.Errorf("%s has ended as soon as it was started", p.name)
		case <-ctx.Done():
			return fmt.Errorf("%s was started and is not ready: %s", p.name, live.Reason(ctx.Err()))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Close kills the server by SIGKILL, and returns when it is gone and its folder
// with it.
func (p *Process) Close() error {
	err := p.owner.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	<-p.ended
	return err
}

// Port returns a TCP port of the loopback interface that nobody uses now.
func Port() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("there is no free port: %s", live.Reason(err))
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
