package etcd_test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.etcd.io/etcd/server/v3/embed"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/etcd"
)

// handle is where a client of these tests asks the test to do something to the
// server, and waits until it is done.
const handle = "ETCD_TEST_HANDLE"

// asksTheTest is a client that holds the lock while the test does something to
// etcd.
func asksTheTest(name string, timeout time.Duration) run {
	return run{fencing.Config{Name: name, Lease: 2 * time.Second, Timeout: timeout}, func(w *fencing.World) {
		w.Client("client 1", func(c *fencing.Client) {
			lease := c.Acquire("report")
			if live.IsPart() { // and not in the simulation
				if answer, err := http.Get(os.Getenv(handle)); err == nil {
					answer.Body.Close()
				}
			}
			value := "renewed"
			if err := c.Renew(lease); errors.Is(err, fencing.ErrTimeout) {
				value = "unknown"
			}
			c.Write("report", value, lease.Token)
		})
	}}
}

type run struct {
	fencing.Config
	program func(*fencing.World)
}

func (r run) start() *fencing.Trace { return live.Run(systems, r.Config, r.program) }

var (
	patient   = asksTheTest("patient", 0)
	impatient = asksTheTest("impatient", time.Second)
	runs      = []run{patient, impatient, standsStill}
)

// own is an etcd of the test's, as a reader would run one.
type own struct {
	*embed.Etcd
	folder, address string
}

func startOwn(t *testing.T) *own {
	o := &own{folder: t.TempDir(), address: freeAddress(t)}
	o.start(t)
	t.Cleanup(o.stop)
	t.Setenv(etcd.Variable, o.address)
	return o
}

func (o *own) start(t *testing.T) {
	config := embed.NewConfig()
	config.Dir, config.LogLevel, config.LogOutputs = o.folder, "panic", []string{os.DevNull}
	at, err := url.Parse(o.address)
	require.NoError(t, err)
	peers := url.URL{Scheme: "http", Host: "127.0.0.1:0"}
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{*at}, []url.URL{*at}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{peers}, []url.URL{peers}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	o.Etcd, err = embed.StartEtcd(config)
	require.NoError(t, err)
	<-o.Server.ReadyNotify()
}

func (o *own) stop() {
	if o.Etcd != nil {
		o.Close()
	}
	o.Etcd = nil
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return "http://" + l.Addr().String()
}

// when calls do when the run's client asks for it.
func when(t *testing.T, do func()) {
	asked := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { do() }))
	t.Cleanup(asked.Close)
	t.Setenv(handle, asked.URL)
}

func TestAnEtcdThatIsNotThereIsASentence(t *testing.T) {
	address := freeAddress(t)
	t.Setenv(etcd.Variable, address)
	trace := patient.start()
	require.EqualError(t, trace.Err(), "etcd cannot be reached (no answer in time): start one and put its address into FENCING_ETCD, or leave FENCING_ETCD out for the embedded one")
	assert.Equal(t, fencing.Untold, trace.Verdict().Finding(fencing.NoStaleWrite).Status)
}

func TestAnEtcdThatGoesDownIsASentenceForAClientThatWaits(t *testing.T) {
	server := startOwn(t)
	when(t, server.stop)
	trace := patient.start()
	require.EqualError(t, trace.Err(), `client 1 could not renew "report": the lock service cannot be used (no answer in time); is it still running?`)
	verdict := trace.Verdict()
	assert.Equal(t, fencing.Untold, verdict.Finding(fencing.NoStaleWrite).Status)
	assert.NotContains(t, fmt.Sprint(trace, verdict), server.address[len("http://"):])
}

func TestAnEtcdThatGoesDownLeavesTheOutcomeUnknownToAClientWithATimeOut(t *testing.T) {
	server := startOwn(t)
	when(t, server.stop)
	trace := impatient.start()
	require.EqualError(t, trace.Err(), "etcd no longer says who holds a lock, so it cannot be known when its leases ended")
	attempts := trace.Attempts()
	require.Len(t, attempts, 1)
	assert.Equal(t, "unknown", attempts[0].Value)
}

func TestAnEtcdThatRestartsGoesOnWithItsLeases(t *testing.T) {
	server := startOwn(t)
	when(t, func() { server.stop(); server.start(t) })
	trace := patient.start()
	require.NoError(t, trace.Err())
	assert.Equal(t, "renewed", trace.Attempts()[0].Value)
}
