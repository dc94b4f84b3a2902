// Package zookeeper runs the lessons' clients on ZooKeeper: who wants a lock makes
// an ephemeral sequential node in the lock's folder, and the node with the lowest
// number holds it (https://zookeeper.apache.org/doc/r3.8.4/recipes.html#sc_recipes_Locks).
//
// The server is the one that FENCING_ZOOKEEPER names, as host:port, or several
// between commas. If that is not set, a run starts one for itself, if Java and
// Debian's package zookeeper are there. It listens on a loopback port, which other
// users of the machine could dial while the run lasts.
//
// # The session is the lease
//
// A node is there as long as its client's session, so all locks of a client share
// one lease, and the session's time-out is its length. The client library keeps
// the session alive by itself as long as the process runs: a program that is busy,
// or that forgets to renew, keeps its locks; a process that is stopped loses them.
// Renew therefore only looks whether the node is still there.
//
// A server has bounds for time-outs, by default 2 and 20 of its ticks
// (tickTime, by default 2 s, so 4 s to 40 s). What is out of bounds it changes
// without a word. A run whose leases are not as long as it says would show a wrong
// picture, so that is an error here.
package zookeeper

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"

	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/numbers"
	"fencingtokens/fencing/live/systems/internal/private"
)

// Variable is the environment variable that names servers which the reader runs.
const Variable = "FENCING_ZOOKEEPER"

// Server is a lock whose token is the czxid of the client's own node: the number
// of the transaction that made it, which rises with every change to the service.
// It is fixed when the client queues, and the queue is served in that order.
func Server() live.LockService {
	return With(func(n numbers.ZooKeeper) uint64 { return uint64(n.Czxid) })
}

// With is [Server] with a number of your choice as the token, read when the client
// has got the lock. Only one of them is right. LastZxid is the newest transaction
// that shows in the node and in the lock's folder; others may be newer.
func With(token func(numbers.ZooKeeper) uint64) live.LockService {
	return live.LockService{
		Name:  "ZooKeeper",
		Start: func(ctx context.Context) (live.Server, error) { return start(ctx) },
		Dial: func(ctx context.Context, address string, client live.Dialled) (live.Session, error) {
			return dial(ctx, address, client, token)
		},
	}
}

// root is the folder of a run. folder is that of one of its locks, a path of two
// names whatever the lock is called.
func root(run string) string         { return "/fencingtokens-" + run }
func folder(run, lock string) string { return root(run) + "/lock " + url.PathEscape(lock) }

// prefix stands before the number in a node's name, and behind a mark of its own.
const prefix = "lock-"

// sequence is the number that the server has put at the end of a node's name. It
// is a signed number of 32 bits; after the highest it goes on with the lowest.
func sequence(node string) int32 {
	_, digits, _ := strings.Cut(node, prefix)
	n, _ := strconv.ParseInt(digits, 10, 32)
	return int32(n)
}

// inOrder sorts the nodes of a lock: the first holds it, the others wait.
func inOrder(nodes []string) []string {
	slices.SortFunc(nodes, func(a, b string) int { return cmp.Compare(sequence(a), sequence(b)) })
	return nodes
}

type server struct {
	address string
	conn    *connection
	process *private.Process // nil if the reader runs it

	mu   sync.Mutex
	runs map[string]bool // those that Holder was asked for
}

// watching is the time-out of the session of a Server, which holds no lock.
const watching = 10 * time.Second

func start(ctx context.Context) (_ *server, err error) {
	s := &server{address: os.Getenv(Variable), runs: map[string]bool{}}
	if s.address == "" {
		if s.process, s.address, err = startPrivate(ctx); err != nil {
			return nil, err
		}
	}
	if s.conn, err = connect(ctx, s.address, watching); err != nil {
		if s.process != nil {
			s.process.Close()
		}
		return nil, err
	}
	return s, nil
}

func (s *server) Address() string { return s.address }

// Holder gives the czxid of the holder's node as its token, also if the clients
// take another number.
func (s *server) Holder(ctx context.Context, run, lock string) (string, uint64, error) {
	s.mu.Lock()
	s.runs[run] = true
	s.mu.Unlock()
	type holder struct {
		client string
		token  uint64
	}
	h, err := again(ctx, func() (holder, error) {
		nodes, _, err := s.conn.Children(folder(run, lock))
		if err != nil || len(nodes) == 0 {
			return holder{}, err
		}
		client, stat, err := s.conn.Get(folder(run, lock) + "/" + inOrder(nodes)[0])
		if err != nil {
			return holder{}, err
		}
		return holder{string(client), uint64(stat.Czxid)}, nil
	})
	if errors.Is(err, zk.ErrNoNode) { // nobody has wanted the lock yet, or its holder has just gone
		return "", 0, nil
	}
	if err != nil {
		return "", 0, conceal("ZooKeeper does not say who holds the lock", err)
	}
	return h.client, h.token, nil
}

// Close ends a server of our own. In the reader's it removes the folders of the
// runs that Holder was asked for; the server itself removes what is left of a run
// that ends without Close, because its folders are containers.
func (s *server) Close() error {
	if s.process != nil {
		s.conn.Close()
		return s.process.Close()
	}
	defer s.conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for run := range s.runs {
		_, err := again(ctx, func() (struct{}, error) { return struct{}{}, remove(s.conn.Conn, root(run)) })
		if err != nil {
			return conceal("the run's nodes are still in ZooKeeper", err)
		}
	}
	return nil
}

// remove removes a node with all below it.
func remove(c *zk.Conn, path string) error {
	nodes, _, err := c.Children(path)
	if errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, node := range nodes {
		if err := remove(c, path+"/"+node); err != nil {
			return err
		}
	}
	if err := c.Delete(path, -1); !errors.Is(err, zk.ErrNoNode) {
		return err
	}
	return nil
}
