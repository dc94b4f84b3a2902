package zookeeper

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"

	"fencingtokens/fencing/live/systems/internal/private"
)

// patience is how long a server that is away may take to come back.
const patience = 5 * time.Second

// connection is a connection to ZooKeeper, which the library renews when it breaks.
type connection struct {
	*zk.Conn
	dialler *dialler
}

// connect returns a connection with a session, whose time-out is the one asked for.
func connect(ctx context.Context, address string, timeout time.Duration) (*connection, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	servers := strings.Split(address, ",")
	d := &dialler{failed: make(chan error, len(servers))}
	set := make(timeouts, 1)
	conn, _, err := zk.Connect(servers, timeout, zk.WithLogger(set), zk.WithDialer(d.dial))
	if err != nil {
		return nil, conceal("ZooKeeper cannot be used", err)
	}
	c := &connection{conn, d}
	given, err := c.session(ctx, set, len(servers))
	if err != nil {
		c.abandon()
		return nil, conceal("ZooKeeper cannot be used", err)
	}
	if given != timeout {
		c.Close()
		return nil, fmt.Errorf("ZooKeeper makes the session %s long and not %s: choose a lease from 2 to 20 ticks of the server (tickTime), or set its minSessionTimeout and maxSessionTimeout", given, timeout)
	}
	return c, nil
}

// session waits until there is a session, and returns its time-out. It is an error
// if none of the servers can be dialled.
func (c *connection) session(ctx context.Context, set timeouts, servers int) (time.Duration, error) {
	var err error
	for range servers {
		select {
		case timeout := <-set:
			return timeout, nil
		case err = <-c.dialler.failed:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	return 0, err
}

// abandon ends the connection and not the session.
func (c *connection) abandon() {
	c.dialler.close()
	go c.Close() // it waits a second for an answer that cannot come
}

// timeouts are those that the server has set. The library tells them to its log
// alone, which would otherwise go to the standard error, addresses included.
type timeouts chan time.Duration

func (t timeouts) Printf(format string, args ...any) {
	if !strings.HasPrefix(format, "authenticated:") {
		return
	}
	if ms, ok := args[1].(int32); ok {
		offer(t, time.Duration(ms)*time.Millisecond)
	}
}

// dialler dials for the library, until it is closed.
type dialler struct {
	failed chan error

	mu     sync.Mutex
	last   net.Conn
	closed bool
}

func (d *dialler) dial(network, address string, timeout time.Duration) (net.Conn, error) {
	conn, err := net.DialTimeout(network, address, timeout)
	if err != nil {
		offer(d.failed, err)
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		conn.Close()
		return nil, net.ErrClosed
	}
	d.last = conn
	return conn, nil
}

func (d *dialler) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	if d.last != nil {
		d.last.Close()
	}
}

// offer gives a value to whoever may wait for it, and does not wait itself.
func offer[T any](to chan T, value T) {
	select {
	case to <- value:
	default:
	}
}

// passing are the errors of a connection that has broken and may come back.
var passing = []error{zk.ErrConnectionClosed, zk.ErrSessionExpired, zk.ErrSessionMoved, zk.ErrNoServer}

// isPassing knows as well the network's own errors, which the library hands on when
// it finds out by writing.
func isPassing(err error) bool {
	return errors.As(err, new(*net.OpError)) || slices.ContainsFunc(passing, func(p error) bool { return errors.Is(err, p) })
}

// again asks until there is an answer, and gives up when the server has been away
// for too long or the context ends. The library's calls have no context, so they
// go on in the background until the connection is closed.
func again[T any](ctx context.Context, ask func() (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		answer, err := once(ctx, ask)
		if !isPassing(err) {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return answer, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// once asks, and waits for the answer as long as the context lasts.
func once[T any](ctx context.Context, ask func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	got := make(chan answer, 1)
	go func() {
		value, err := ask()
		got <- answer{value, err}
	}()
	select {
	case a := <-got:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// conceal is [private.Conceal], and knows what ZooKeeper itself answers.
func conceal(what string, err error) error {
	for _, known := range append(passing, zk.ErrNoAuth, zk.ErrAuthFailed, zk.ErrInvalidACL, zk.ErrNoNode, zk.ErrClosing, zk.ErrAPIError) {
		if errors.Is(err, known) {
			return private.Because(what, strings.TrimPrefix(known.Error(), "zk: "))
		}
	}
	return private.Conceal(what, err)
}
