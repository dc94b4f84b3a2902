package redis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/internal/private"
	"fencingtokens/fencing/live/systems/internal/privateredis"
)

// Grant is a lock that a client was given.
type Grant struct {
	Client string
	Token  uint64
}

// FailedOver is what has happened in [Failover].
type FailedOver struct {
	Shared uint64        // the last number that the primary had given when the replica heard of it last
	Lease  time.Duration // the length of both grants
	Before Grant         // what the primary has granted before it died
	After  Grant         // what the replica has granted after it took over, while Before had not run out
}

// String tells it in sentences.
func (f FailedOver) String() string {
	end := "The tokens differ."
	if f.Before.Token == f.After.Token {
		end = "Both have the same token: a storage that checks it lets both in."
	}
	return strings.Join([]string{
		fmt.Sprintf("The primary has granted the lock %d times, and its replica knows it.", f.Shared),
		"The link between the two is cut.",
		fmt.Sprintf("%s gets the lock from the primary for %s, with token %d.", f.Before.Client, f.Lease, f.Before.Token),
		"The primary is killed. The replica takes over; it has never heard of that grant.",
		fmt.Sprintf("%s gets the same lock from it, with token %d, while the lease of %s has not run out.", f.After.Client, f.After.Token, f.Before.Client),
		end,
	}, "\n")
}

// Failover shows how one Redis server that takes over from another one loses a
// lock, and gives the number of [WithCounter] a second time. It starts two servers
// of our own, a primary and its replica, cuts the link between them, lets client 1
// acquire the lock, kills the primary by SIGKILL, makes the replica the primary,
// and lets client 2 acquire the lock. Nobody pauses, and no clock is wrong: Redis
// answers before a replica has heard of a write
// (https://redis.io/docs/latest/operate/oss_and_stack/management/replication/).
//
// It takes seconds, 20 s at most. Without redis-server on PATH the error says how
// to get it. Variable plays no part.
func Failover(ctx context.Context) (FailedOver, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	told := FailedOver{Lease: time.Minute}

	primary, primaryAt, err := privateredis.Start(ctx, "--repl-diskless-sync-delay", "0")
	if err != nil {
		return told, err
	}
	defer primary.Close()
	wire, err := lay(primary.File("redis.sock"))
	if err != nil {
		return told, err
	}
	defer wire.cut()
	replica, replicaAt, err := privateredis.Start(ctx, "--replicaof", wire.host, wire.port)
	if err != nil {
		return told, err
	}
	defer replica.Close()
	r, err := open(ctx, replicaAt)
	if err != nil {
		return told, err
	}
	defer r.Close()

	if told.Shared, err = grantAndRelease(ctx, primaryAt, told.Lease); err != nil {
		return told, err
	}
	if err := replica.Answers(ctx, knows(r, told.Shared)); err != nil {
		return told, err
	}
	wire.cut()
	if told.Before, err = grant(ctx, primaryAt, "client 1", told.Lease); err != nil {
		return told, err
	}
	if err := primary.Close(); err != nil {
		return told, err
	}
	if err := r.SlaveOf(ctx, "NO", "ONE").Err(); err != nil {
		return told, privateredis.Conceal("the replica does not take over", err)
	}
	told.After, err = grant(ctx, replicaAt, "client 2", told.Lease)
	return told, err
}

// failover is the run whose lock [Failover] is about.
const failover, theLock = "failover", "lock"

func grant(ctx context.Context, address, client string, lease time.Duration) (Grant, error) {
	s, err := dial(ctx, address, live.Dialled{Client: client, Lease: lease, Run: failover}, setAndCount)
	if err != nil {
		return Grant{}, err
	}
	defer s.Close()
	token, err := s.TryAcquire(ctx, theLock)
	return Grant{client, token}, err
}

// grantAndRelease gives the counter something to remember, and returns it.
func grantAndRelease(ctx context.Context, address string, lease time.Duration) (token uint64, err error) {
	s, err := dial(ctx, address, live.Dialled{Client: "client 0", Lease: lease, Run: failover}, setAndCount)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	for range 3 {
		if token, err = s.TryAcquire(ctx, theLock); err == nil {
			err = s.Release(ctx, theLock, token)
		}
		if err != nil {
			return 0, err
		}
	}
	return token, nil
}

// knows asks whether a replica has heard of a grant and of its end.
func knows(replica *redis.Client, token uint64) func(context.Context) error {
	return func(ctx context.Context) error {
		values, err := replica.MGet(ctx, keys(failover, theLock)...).Result()
		if err == nil && (values[0] != nil || values[1] != fmt.Sprint(token)) {
			err = errors.New("it has not heard of all yet")
		}
		return err
	}
}

// wire leads from a port to a primary's socket, until it is cut.
type wire struct {
	host, port string
	listener   net.Listener
	ends       chan net.Conn
}

func lay(socket string) (*wire, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, private.Conceal("there is no wire between the two servers", err)
	}
	w := &wire{listener: l, ends: make(chan net.Conn, 100)}
	w.host, w.port, _ = net.SplitHostPort(l.Addr().String())
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				close(w.ends)
				return
			}
			to, err := net.Dial("unix", socket)
			if err != nil {
				from.Close()
				continue
			}
			w.ends <- from
			w.ends <- to
			go io.Copy(from, to)
			go io.Copy(to, from)
		}
	}()
	return w, nil
}

// cut ends all that goes over the wire, and lets nothing new over it.
func (w *wire) cut() {
	w.listener.Close()
	for end := range w.ends {
		end.Close()
	}
}
