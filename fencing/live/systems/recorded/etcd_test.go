package recorded

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/etcd/api/v3/version"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.etcd.io/etcd/server/v3/embed"

	"fencingtokens/fencing/live/numbers"
)

func TestEtcd(t *testing.T) {
	s := startEtcd(t)
	t.Logf("used: %s", s.name())
	fresh := numbers.Recorded[numbers.Etcd]{Server: s.name()}
	add := func(name, what string, secondFirst bool, c course) {
		lock := "locks/" + name
		clients := [2]*etcdClient{}
		order := []int{0, 1}
		if secondFirst {
			order = []int{1, 0}
		}
		for _, i := range order {
			clients[i] = s.open(t, lock)
		}
		fresh.Scenarios = append(fresh.Scenarios, record(name, what, clients[0], clients[1], s.busy, c))
	}
	add("one after another", "client 2 started first and opened its session first; client 1 asked for the lock first", true, course{queued: true})
	add("the holder rewrites its key", "client 1 writes its progress into its own lock key, while client 2 already waits", false, course{queued: true, rewrites: true})
	add("news after the grant", "client 1 wakes, asks etcd for its settings, and the answer tells it the store’s newest revision; then it writes", false, course{queued: true, hears: true})
	keep(t, fresh, func(r *numbers.Recording) *numbers.Recorded[numbers.Etcd] { return &r.Etcd })
}

type etcd struct {
	t       *testing.T
	client  *clientv3.Client
	address string
}

func startEtcd(t *testing.T) *etcd {
	config := embed.NewConfig()
	config.Dir = t.TempDir()
	config.LogLevel = "fatal"
	free := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config.ListenClientUrls, config.AdvertiseClientUrls = free, free
	config.ListenPeerUrls, config.AdvertisePeerUrls = free, free
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	server, err := embed.StartEtcd(config)
	require.NoError(t, err)
	t.Cleanup(server.Close)
	select {
	case <-server.Server.ReadyNotify():
	case <-soon(t).Done():
		require.Fail(t, "etcd does not get ready")
	}
	s := &etcd{t: t, address: server.Clients[0].Addr().String()}
	s.client = s.dial()
	return s
}

func (s *etcd) name() string { return "etcd " + version.Version + ", embedded" }

func (s *etcd) dial() *clientv3.Client {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{s.address}})
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = client.Close() })
	return client
}

func (s *etcd) busy() {
	for range 3 {
		_, err := s.client.Put(soon(s.t), "settings", "another value")
		require.NoError(s.t, err)
	}
}

// open opens a session with a short lease: when client 1 stalls, it is waited for.
func (s *etcd) open(t *testing.T, lock string) *etcdClient {
	client := s.dial()
	session, err := concurrency.NewSession(client, concurrency.WithTTL(2))
	require.NoError(t, err)
	return &etcdClient{t: t, client: client, session: session, lock: lock, mutex: concurrency.NewMutex(session, lock), granted: make(chan error, 1)}
}

type etcdClient struct {
	t       *testing.T
	client  *clientv3.Client
	session *concurrency.Session
	lock    string
	mutex   *concurrency.Mutex
	granted chan error
	seen    numbers.Etcd
}

func (c *etcdClient) ask() {
	queue := func() *clientv3.GetResponse {
		r, err := c.client.Get(soon(c.t), c.lock+"/", clientv3.WithPrefix())
		require.NoError(c.t, err)
		return r
	}
	before := queue()
	made := c.client.Watch(soon(c.t), c.lock+"/", clientv3.WithPrefix(), clientv3.WithRev(before.Header.Revision+1))
	go func() { c.granted <- c.mutex.Lock(soon(c.t)) }()
	first := <-made
	require.NoError(c.t, first.Err())
	require.Equal(c.t, before.Count+1, queue().Count)
}

func (c *etcdClient) wait() { require.NoError(c.t, <-c.granted) }

func (c *etcdClient) rewrite() {
	_, err := c.client.Put(soon(c.t), c.mutex.Key(), "half of it", clientv3.WithLease(c.session.Lease()))
	require.NoError(c.t, err)
}

func (c *etcdClient) look() numbers.Etcd {
	r := c.get(c.mutex.Key())
	require.Len(c.t, r.Kvs, 1)
	key := r.Kvs[0]
	c.seen.LeaseID, c.seen.CreateRevision, c.seen.ModRevision, c.seen.Version = key.Lease, key.CreateRevision, key.ModRevision, key.Version
	return c.seen
}

func (c *etcdClient) hear() numbers.Etcd {
	c.get("settings")
	return c.seen
}

func (c *etcdClient) get(key string) *clientv3.GetResponse {
	r, err := c.client.Get(soon(c.t), key)
	require.NoError(c.t, err)
	c.seen.Revision, c.seen.RaftTerm = r.Header.Revision, int64(r.Header.RaftTerm)
	return r
}

func (c *etcdClient) stall() {
	gone := c.client.Watch(soon(c.t), c.mutex.Key(), clientv3.WithFilterPut())
	c.session.Orphan()
	first := <-gone
	require.NoError(c.t, first.Err())
}
