package private_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/internal/private"
)

// server is a program that writes its process number to a file, and stays.
func server(t testing.TB) *private.Process {
	p, err := private.Start("A server", "/bin/sh", func(string) ([]string, error) {
		return []string{"-c", `echo $$ >pid.new; mv pid.new pid; exec sleep 1000`}, nil
	})
	require.NoError(t, err)
	return p
}

func pid(t testing.TB, p *private.Process) int {
	var text []byte
	require.NoError(t, p.Answers(context.Background(), func(context.Context) (err error) {
		text, err = os.ReadFile(p.File("pid"))
		return err
	}))
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	return n
}

func runs(pid int) bool { return syscall.Kill(pid, 0) == nil }

func TestCloseKillsTheServerAndRemovesItsFolder(t *testing.T) {
	p := server(t)
	n := pid(t, p)
	require.True(t, runs(n))
	require.NoError(t, p.Close())
	assert.False(t, runs(n))
	assert.NoDirExists(t, p.File("."))
	assert.NoError(t, p.Close(), "again")
}

// The test's own binary is the owner here: it starts a server, says which, and
// waits to be killed.
func TestMain(m *testing.M) {
	if os.Getenv("PRIVATE_TEST_OWNER") == "" {
		os.Exit(m.Run())
	}
	t := &testing.B{}
	p := server(t)
	fmt.Println(pid(t, p), p.File("."))
	select {}
}

func TestTheServerEndsWhenItsOwnerIsKilled(t *testing.T) {
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), "PRIVATE_TEST_OWNER=1")
	out, err := owner.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, owner.Start())
	var n int
	var dir string
	_, err = fmt.Fscan(bufio.NewReader(out), &n, &dir)
	require.NoError(t, err)
	require.True(t, runs(n))

	require.NoError(t, owner.Process.Kill())
	owner.Wait()
	assert.Eventually(t, func() bool { return !runs(n) }, 20*time.Second, 10*time.Millisecond)
	assert.Eventually(t, func() bool { _, err := os.Stat(dir); return os.IsNotExist(err) }, 20*time.Second, 10*time.Millisecond)
}

func TestAServerThatEndsAtOnceIsToldFromOneThatIsSlow(t *testing.T) {
	p, err := private.Start("A server", "/bin/false", func(string) ([]string, error) { return nil, nil })
	require.NoError(t, err)
	defer p.Close()
	err = p.Answers(t.Context(), func(context.Context) error { return errors.New("not yet") })
	assert.EqualError(t, err, "A server has ended as soon as it was started")

	p = server(t)
	defer p.Close()
	ctx, cancel := context.WithCancel(t.Context())
	err = p.Answers(ctx, func(context.Context) error { cancel(); return syscall.ECONNREFUSED })
	assert.EqualError(t, err, "A server was started and is not ready: given up")
}

func TestAConcealedErrorSaysWhyAndNeitherWhereNorWho(t *testing.T) {
	port, err := private.Port()
	require.NoError(t, err)
	_, refused := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	timedOut := &net.OpError{Op: "read", Addr: &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3)}, Err: os.ErrDeadlineExceeded}
	for want, err := range map[string]error{
		"It failed: connection refused":                   refused,
		"It failed: no answer in time":                    fmt.Errorf("dial host.example: %w", timedOut),
		"It failed: given up":                             fmt.Errorf("dial host.example: %w", context.Canceled),
		"It failed: the name of its machine is not known": &net.DNSError{Err: "no such host", Name: "host.example"},
		"It failed: an error of the kind *errors.errorString": &url.Error{Op: "parse", URL: "redis://me:secret@host.example",
			Err: errors.New(`invalid port "secret"`)},
	} {
		assert.EqualError(t, private.Conceal("It failed", err), want)
	}
	assert.Equal(t, "connection refused", live.Reason(fmt.Errorf("and so: %w", private.Conceal("It failed", refused))), "the reason is told on")
	assert.ErrorIs(t, private.Conceal("It failed", timedOut), context.DeadlineExceeded)
	assert.NotErrorIs(t, private.Conceal("It failed", refused), syscall.ECONNREFUSED)
}
