package recorded

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing/live/numbers"
	"fencingtokens/fencing/live/systems/internal/private"
	"fencingtokens/fencing/live/systems/internal/suite"
)

func TestZooKeeper(t *testing.T) {
	s := startZooKeeper(t)
	t.Logf("used: %s", s.name)
	fresh := numbers.Recorded[numbers.ZooKeeper]{Server: s.name}
	add := func(name, what string, secondFirst bool, c course) {
		folder := s.root + "/" + strings.ReplaceAll(name, " ", "-")
		s.make(folder)
		s.crowd(folder)
		clients := [2]*zkClient{}
		order := []int{0, 1}
		if secondFirst {
			order = []int{1, 0}
		}
		for _, i := range order {
			clients[i] = s.open(t, folder, []time.Duration{brief, patient}[i])
		}
		fresh.Scenarios = append(fresh.Scenarios, record(name, what, clients[0], clients[1], s.busy, c))
		for _, c := range clients {
			c.conn.Close()
		}
	}
	add("one after another", "client 2 started first and opened its session first; client 1 asked for the lock first", true, course{queued: true})
	add("the holder writes into its node", "client 1 writes its progress into its own lock node, while client 2 already waits", false, course{queued: true, rewrites: true})
	add("news after the grant", "client 1 wakes, asks ZooKeeper for its settings, and the answer tells it the newest transaction; then it writes", false, course{queued: true, hears: true})
	folder := "the folder is made anew"
	add(folder, "after client 1’s session has ended, the lock’s folder is empty, and a clean-up deletes it; client 2 makes it again", false, course{between: func() {
		path := s.root + "/" + strings.ReplaceAll(folder, " ", "-")
		require.NoError(t, s.conn.Delete(path, -1))
		s.make(path)
	}})
	if s.restart == nil {
		require.False(t, *update, "unset FENCING_ZOOKEEPER: only a server of the test's own can be restarted for the recording")
		t.Log("not recorded: a new leader, because the server at FENCING_ZOOKEEPER is not this test’s to restart")
	} else {
		add("a new leader", "after client 1’s grant the server restarts and is elected leader anew; the upper 32 bits of a zxid count the elections, and the lower 32 begin again", false, course{between: s.restart})
	}
	keep(t, fresh, func(r *numbers.Recording) *numbers.Recorded[numbers.ZooKeeper] { return &r.ZooKeeper })
}

// How long a session lives on without a word of its client. Client 1 stalls, and
// is waited for; the others must outlive a restart of the server.
const (
	brief   = 2 * time.Second
	patient = 4 * time.Second
)

type zooKeeper struct {
	t       *testing.T
	name    string
	address string
	root    string // everything is below this node
	conn    *zk.Conn
	restart func() // nil for a server that others use too
}

func startZooKeeper(t *testing.T) *zooKeeper {
	s := &zooKeeper{t: t, address: os.Getenv("FENCING_ZOOKEEPER"), root: fmt.Sprintf("/fencing-%d", time.Now().UnixNano())}
	if s.address != "" {
		s.name = "the ZooKeeper at FENCING_ZOOKEEPER"
	} else {
		s.ownServer()
	}
	s.conn, _ = s.dial(&wire{}, patient)
	s.make(s.root)
	s.make(s.root + "/settings")
	t.Cleanup(s.remove)
	return s
}

// ownServer starts Debian's ZooKeeper. It is an ensemble of one: only an ensemble
// elects leaders, and counts the elections in its zxids.
func (s *zooKeeper) ownServer() {
	const jar = "/usr/share/java/zookeeper.jar"
	java, err := exec.LookPath("java")
	if _, missing := os.Stat(jar); err != nil || missing != nil {
		suite.Require(s.t, errors.New("no ZooKeeper is on this machine (Debian, Ubuntu: apt install zookeeper), and FENCING_ZOOKEEPER names none"))
	}
	dir := s.t.TempDir()
	ports := freePorts(s.t, 3)
	s.address = "127.0.0.1:" + ports[0]
	config := filepath.Join(dir, "zoo.cfg")
	require.NoError(s.t, os.WriteFile(filepath.Join(dir, "myid"), []byte("1"), 0o600))
	require.NoError(s.t, os.WriteFile(config, []byte(strings.Join([]string{
		"tickTime=200", "initLimit=20", "syncLimit=20", "dataDir=" + dir, "admin.enableServer=false", "4lw.commands.whitelist=cons,srvr",
		"standaloneEnabled=false", "server.1=127.0.0.1:" + ports[1] + ":" + ports[2] + ";" + s.address,
	}, "\n")), 0o600))
	var process *private.Process
	start := func() {
		process, err = private.Start("ZooKeeper", java, func(string) ([]string, error) {
			return []string{"-Xmx128m", "-cp", jar, "org.apache.zookeeper.server.quorum.QuorumPeerMain", config}, nil
		})
		require.NoError(s.t, err)
		s.name = s.version()
	}
	stop := func() { require.NoError(s.t, process.Close()) }
	start()
	s.t.Cleanup(func() { stop() })
	s.restart = func() {
		stop()
		start()
	}
}

// version waits until the server answers, and returns its name.
func (s *zooKeeper) version() string {
	for ctx := soon(s.t); ; time.Sleep(50 * time.Millisecond) {
		if answer := s.ask("srvr"); strings.Contains(answer, "Mode: leader") {
			words := strings.FieldsFunc(answer, func(r rune) bool { return r == ' ' || r == '-' || r == ',' })
			return "ZooKeeper " + words[2] + ", an ensemble of one"
		}
		require.NoError(s.t, ctx.Err(), "ZooKeeper does not get ready")
	}
}

// ask sends one of ZooKeeper's commands of four letters.
func (s *zooKeeper) ask(command string) string {
	c, err := net.DialTimeout("tcp", s.address, time.Second)
	if err != nil {
		return ""
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Second))
	_, _ = c.Write([]byte(command))
	var answer strings.Builder
	_, _ = c.(*net.TCPConn).WriteTo(&answer)
	return answer.String()
}

func freePorts(t *testing.T, n int) []string {
	var ports []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		ports = append(ports, strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
	}
	return ports
}

// dial returns when the client has a session.
func (s *zooKeeper) dial(w *wire, timeout time.Duration) (*zk.Conn, <-chan zk.Event) {
	conn, events, err := zk.Connect([]string{s.address}, timeout, zk.WithDialer(w.dial), zk.WithLogInfo(false), zk.WithLogger(quiet{}))
	require.NoError(s.t, err)
	s.t.Cleanup(conn.Close)
	await(s.t, events, zk.StateHasSession)
	return conn, events
}

func await(t *testing.T, events <-chan zk.Event, state zk.State) {
	ctx := soon(t)
	for {
		select {
		case e := <-events:
			if e.State == state {
				return
			}
		case <-ctx.Done():
			require.Fail(t, "ZooKeeper’s client does not reach the state "+state.String())
		}
	}
}

func (s *zooKeeper) make(path string) {
	_, err := s.conn.Create(path, nil, 0, zk.WorldACL(zk.PermAll))
	require.NoError(s.t, err)
}

func (s *zooKeeper) busy() {
	for range 3 {
		_, err := s.conn.Set(s.root+"/settings", []byte("another value"), -1)
		require.NoError(s.t, err)
	}
}

// crowd makes the lock's folder look used: others have held the lock before.
func (s *zooKeeper) crowd(folder string) {
	for range 7 {
		path, err := s.conn.Create(folder+"/lock-", nil, zk.FlagEphemeral|zk.FlagSequence, zk.WorldACL(zk.PermAll))
		require.NoError(s.t, err)
		require.NoError(s.t, s.conn.Delete(path, -1))
	}
}

func (s *zooKeeper) remove() {
	locks, _, err := s.conn.Children(s.root)
	require.NoError(s.t, err)
	for _, name := range locks {
		nodes, _, err := s.conn.Children(s.root + "/" + name)
		require.NoError(s.t, err)
		for _, n := range nodes {
			_ = s.conn.Delete(s.root+"/"+name+"/"+n, -1) // or its session has just ended
		}
		require.NoError(s.t, s.conn.Delete(s.root+"/"+name, -1))
	}
	require.NoError(s.t, s.conn.Delete(s.root, -1))
}

func (s *zooKeeper) open(t *testing.T, folder string, timeout time.Duration) *zkClient {
	c := &zkClient{t: t, server: s, folder: folder, wire: &wire{}}
	c.conn, c.events = s.dial(c.wire, timeout)
	return c
}

type zkClient struct {
	t      *testing.T
	server *zooKeeper
	folder string
	conn   *zk.Conn
	events <-chan zk.Event
	wire   *wire
	node   string
	seen   numbers.ZooKeeper
}

func (c *zkClient) ask() {
	path, err := c.conn.Create(c.folder+"/lock-", nil, zk.FlagEphemeral|zk.FlagSequence, zk.WorldACL(zk.PermAll))
	require.NoError(c.t, err)
	c.node = path
}

// wait waits for the node just before its own to go, as long as there is one.
func (c *zkClient) wait() {
	for {
		nodes, _, err := c.conn.Children(c.folder)
		require.NoError(c.t, err)
		before := ""
		for _, n := range nodes {
			if path := c.folder + "/" + n; path < c.node && path > before {
				before = path
			}
		}
		if before == "" {
			return
		}
		there, _, gone, err := c.conn.ExistsW(before)
		require.NoError(c.t, err)
		if !there {
			continue
		}
		select {
		case <-gone:
		case <-soon(c.t).Done():
			require.Fail(c.t, "the lock is never free")
		}
	}
}

func (c *zkClient) rewrite() {
	_, err := c.conn.Set(c.node, []byte("half of it"), -1)
	require.NoError(c.t, err)
}

func (c *zkClient) look() numbers.ZooKeeper {
	_, parent, err := c.conn.Get(c.folder)
	require.NoError(c.t, err)
	_, own, err := c.conn.Get(c.node)
	require.NoError(c.t, err)
	sequence, err := strconv.ParseInt(strings.TrimPrefix(c.node, c.folder+"/lock-"), 10, 32)
	require.NoError(c.t, err)
	c.seen = numbers.ZooKeeper{Czxid: own.Czxid, Mzxid: own.Mzxid, Pzxid: own.Pzxid, ParentPzxid: parent.Pzxid, Version: own.Version,
		EphemeralOwner: own.EphemeralOwner, Sequence: int32(sequence), LastZxid: c.lastZxid()}
	return c.seen
}

// hear goes on after a stall: the client reaches the server again, is told that its
// session is over, and gets a new one.
func (c *zkClient) hear() numbers.ZooKeeper {
	c.wire.mend()
	await(c.t, c.events, zk.StateHasSession)
	_, _, err := c.conn.Get(c.server.root + "/settings")
	require.NoError(c.t, err)
	_, parent, err := c.conn.Get(c.folder)
	require.NoError(c.t, err)
	c.seen.ParentPzxid, c.seen.LastZxid = parent.Pzxid, c.lastZxid()
	return c.seen
}

// lastZxid returns the zxid of the server's last answer to this client. ZooKeeper's
// client for Java keeps it too; the one for Go does not show it, so the server is
// asked.
func (c *zkClient) lastZxid() int64 {
	session := fmt.Sprintf("sid=0x%x,", c.conn.SessionID())
	for line := range strings.Lines(c.server.ask("cons")) {
		_, after, found := strings.Cut(line, "lzxid=0x")
		if found && strings.Contains(line, session) {
			zxid, _, _ := strings.Cut(after, ",")
			n, err := strconv.ParseInt(zxid, 16, 64)
			require.NoError(c.t, err)
			return n
		}
	}
	require.Fail(c.t, "the server does not say what its clients have seen: set 4lw.commands.whitelist=cons,srvr in its configuration")
	return 0
}

func (c *zkClient) stall() {
	there, _, gone, err := c.server.conn.ExistsW(c.node)
	require.NoError(c.t, err)
	require.True(c.t, there)
	c.wire.cut()
	select {
	case <-gone:
	case <-soon(c.t).Done():
		require.Fail(c.t, "the session never ends")
	}
}

// wire is a client's way to the server.
type wire struct {
	mu   sync.Mutex
	down bool
	conn net.Conn
}

func (w *wire) dial(network, address string, timeout time.Duration) (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down {
		return nil, fmt.Errorf("dial: the wire is cut")
	}
	conn, err := net.DialTimeout(network, address, timeout)
	w.conn = conn
	return conn, err
}

func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = true
	_ = w.conn.Close()
}

func (w *wire) mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = false
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
