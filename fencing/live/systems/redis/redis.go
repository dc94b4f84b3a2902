// Package redis runs the lessons' clients on one Redis server: a lock is a key
// that is set if it is absent and that expires (SET with NX and PX,
// https://redis.io/docs/latest/commands/set/).
//
// The server is the one that FENCING_REDIS names, an address such as
// redis://:password@host:6379/0. If that is not set, a run starts redis-server for
// itself, if it is on PATH.
//
// Redis has no queue for a lock: who waits asks again every 20 ms, and who asks
// first after the lease has ended gets it.
package redis

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/internal/private"
	"fencingtokens/fencing/live/systems/internal/privateredis"
)

// Variable is the environment variable that names a server which the reader runs.
const Variable = "FENCING_REDIS"

// Server is the lock as Redis's documentation describes it for one server
// (https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/): the
// key's value is random, and only who knows it renews or releases. The value says
// who holds the lock and has no order, so there is no token: it is 0.
func Server() live.LockService { return service("Redis", setIfAbsent) }

// WithCounter counts the grants, in the same step as it sets the key, and the
// count is the token. It rises as long as this server keeps its memory. A counter
// is worth no more than its storage: replication is asynchronous, so a replica
// that takes over may lack the last grant and its number, and a server that starts
// again from an older disk, or from none, counts again from there. The next holder
// then gets a number that another one has had, and a storage lets both in: see
// [Failover].
func WithCounter() live.LockService { return service("Redis with a counter", setAndCount) }

// setIfAbsent answers 0 if the key was set, and nothing if it is there already.
var setIfAbsent = redis.NewScript(`
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
return false`)

// setAndCount answers the grant's number, and nothing if the key is there already.
// The counter outlives the lease by a day, longer than any run takes, and is gone
// then also if the program was killed before it could delete it.
var setAndCount = redis.NewScript(`
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
	local count = redis.call('INCR', KEYS[2])
	redis.call('PEXPIRE', KEYS[2], ARGV[2] + 24 * 3600 * 1000)
	return count
end
return false`)

// renewOwn and deleteOwn answer whether the key still had the value.
var (
	renewOwn = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`)
	deleteOwn = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`)
)

func service(name string, take *redis.Script) live.LockService {
	return live.LockService{
		Name:  name,
		Start: func(ctx context.Context) (live.Server, error) { return start(ctx) },
		Dial: func(ctx context.Context, address string, client live.Dialled) (live.Session, error) {
			return dial(ctx, address, client, take)
		},
	}
}

// keys are the key of a lock and that of its counter.
func keys(run, lock string) []string {
	key := "fencingtokens-" + run + "/" + url.PathEscape(lock) // so that no other lock's name ends in /counter
	return []string{key, key + "/counter"}
}

type server struct {
	address string
	client  *redis.Client
	process *private.Process // nil if the reader runs it

	mu    sync.Mutex
	asked map[string]bool // the keys of the locks that Holder was asked for
}

func start(ctx context.Context) (*server, error) {
	s := &server{address: os.Getenv(Variable), asked: map[string]bool{}}
	if s.address == "" {
		var err error
		if s.process, s.address, err = privateredis.Start(ctx); err != nil {
			return nil, fmt.Errorf("%w; or put the address of a server into %s, for example redis://:password@host:6379/0", err, Variable)
		}
	}
	var err error
	if s.client, err = open(ctx, s.address); err != nil {
		if s.process != nil {
			s.process.Close()
		}
		return nil, err
	}
	return s, nil
}

// open returns a client for a server that has answered.
func open(ctx context.Context, address string) (*redis.Client, error) {
	client, err := privateredis.Client(address)
	if err != nil {
		return nil, err
	}
	if err := client.Ping(ctx).Err(); err != nil {
		client.Close()
		return nil, privateredis.Conceal("Redis cannot be used", err)
	}
	return client, nil
}

func (s *server) Address() string { return s.address }

// Holder reads the lock and its counter in one step. The counter moves with each
// grant only, so what it shows is the holder's token.
func (s *server) Holder(ctx context.Context, run, lock string) (string, uint64, error) {
	names := keys(run, lock)
	s.mu.Lock()
	for _, name := range names {
		s.asked[name] = true
	}
	s.mu.Unlock()

	values, err := s.client.MGet(ctx, names...).Result()
	if err != nil {
		return "", 0, privateredis.Conceal("Redis does not say who holds the lock", err)
	}
	if values[0] == nil {
		return "", 0, nil
	}
	_, client, _ := strings.Cut(values[0].(string), " ")
	var token uint64
	if count, ok := values[1].(string); ok {
		token, err = strconv.ParseUint(count, 10, 64)
	}
	return client, token, err
}

// Close ends a server of our own. In the reader's it deletes the keys of the locks
// that Holder was asked for.
func (s *server) Close() error {
	defer s.client.Close()
	if s.process != nil {
		return s.process.Close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var names []string
	for name := range s.asked {
		names = append(names, name)
	}
	if err := s.client.Del(ctx, names...).Err(); err != nil {
		return privateredis.Conceal("the run's keys are still in Redis", err)
	}
	return nil
}
