package suite

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
)

// variable holds, for a process that is to be a client, who it is.
const variable = "FENCING_SUITE_CLIENT"

// started keeps the names of runs of two test processes apart on a server that
// both use.
var started = strconv.FormatInt(time.Now().UnixNano(), 36)

// run is the name of a test's run.
func run(t *testing.T) string {
	name := fnv.New32()
	io.WriteString(name, t.Name())
	return fmt.Sprintf("%s_%x", started, name.Sum32())
}

type identity struct {
	Service, Address string
	live.Dialled
}

// Main is the TestMain of an adapter: the tests start their own program again as
// a client, so that a client can be stopped as a process is.
func Main(m *testing.M, services ...live.LockService) {
	var me identity
	if json.Unmarshal([]byte(os.Getenv(variable)), &me) == nil {
		for _, service := range services {
			if service.Name == me.Service {
				serve(service, me)
			}
		}
		return
	}
	os.Exit(m.Run())
}

// serve does what it is told to, a word a line, and answers in a line each.
func serve(service live.LockService, me identity) {
	ctx := context.Background()
	session, err := service.Dial(ctx, me.Address, me.Dialled)
	if err != nil {
		fmt.Println(err)
		return
	}
	var token uint64
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch in.Text() {
		case "acquire":
			token, err = session.Acquire(ctx, "lock", func() {})
		case "renew":
			err = session.Renew(ctx, "lock", token)
		case "release":
			err = session.Release(ctx, "lock", token)
		}
		switch {
		case errors.Is(err, fencing.ErrLeaseLost):
			fmt.Println("lost")
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Println(token)
		}
	}
}

// process is a client in a process of its own.
type process struct {
	command *exec.Cmd
	in      io.Writer
	out     *bufio.Reader
}

func (b bench) process(t *testing.T, client string, lease time.Duration) *process {
	me, err := json.Marshal(identity{b.Service.Name, b.server.Address(), live.Dialled{Client: client, Lease: lease, Run: run(t)}})
	require.NoError(t, err)
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), variable+"="+string(me))
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	require.NoError(t, err)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
	})
	return &process{command, in, bufio.NewReader(out)}
}

func (p *process) ask(t *testing.T, word string) string {
	_, err := fmt.Fprintln(p.in, word)
	require.NoError(t, err)
	answer, err := p.out.ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(answer)
}

// grant has the client acquire the lock.
func (p *process) grant(t *testing.T) uint64 {
	answer := p.ask(t, "acquire")
	token, err := strconv.ParseUint(answer, 10, 64)
	assert.NoError(t, err, answer)
	return token
}

func (p *process) stop(t *testing.T) { require.NoError(t, p.command.Process.Signal(syscall.SIGSTOP)) }
func (p *process) goOn(t *testing.T) { require.NoError(t, p.command.Process.Signal(syscall.SIGCONT)) }
