package etcd_test

import (
	"errors"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/etcd"
	"fencingtokens/fencing/live/systems/internal/suite"
)

func TestALockMayHaveAnyNameAndNoOtherLockIsBelowIt(t *testing.T) {
	server, err := etcd.Embedded().Start(t.Context())
	require.NoError(t, err)
	defer server.Close()
	session, err := etcd.Embedded().Dial(t.Context(), server.Address(), live.Dialled{Client: "client 1", Lease: time.Minute, Run: "names"})
	require.NoError(t, err)
	defer session.Close()
	for _, lock := range suite.Names {
		token, err := session.TryAcquire(t.Context(), lock)
		require.NoError(t, err, "%q", lock)
		_, number, err := server.Holder(t.Context(), "names", lock)
		require.NoError(t, err, "%q", lock)
		assert.Equal(t, token, number, "%q", lock)
	}
}

// killed is a program whose run stands still until it is killed.
const killed = "ETCD_TEST_KILLED"

var standsStill = run{fencing.Config{Name: "stands still", Lease: 2 * time.Second}, func(w *fencing.World) {
	w.Client("client 1", func(c *fencing.Client) {
		if live.IsPart() {
			http.Get(os.Getenv(handle))
			c.Sleep(time.Minute)
		}
	})
}}

func TestAProgramThatIsKilledLeavesNoFolder(t *testing.T) {
	folder := t.TempDir()
	reached := make(chan bool)
	when(t, func() { reached <- true })
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), killed+"=1", "TMPDIR="+folder, etcd.Variable+"=")
	require.NoError(t, program.Start())
	<-reached
	there, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.NotEmpty(t, there)
	require.NoError(t, program.Process.Kill())
	program.Wait()
	for len(there) > 0 { // the test's own time-out ends this if nothing else does
		time.Sleep(time.Millisecond)
		if there, err = os.ReadDir(folder); !errors.Is(err, os.ErrNotExist) {
			require.NoError(t, err)
		}
	}
}
