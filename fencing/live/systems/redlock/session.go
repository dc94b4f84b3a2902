package redlock

import (
	"context"
	crypto "crypto/rand"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/go-redsync/redsync/v4"
	redsyncredis "github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/internal/private"
)

type session struct {
	nodes nodes
	locks *redsync.Redsync
	who   live.Dialled

	mu   sync.Mutex
	held map[string]string // by lock, the value that this client's last grant has set
}

func dial(ctx context.Context, addresses string, who live.Dialled) (*session, error) {
	n, err := open(ctx, addresses)
	if err != nil {
		return nil, err
	}
	var pools []redsyncredis.Pool
	for _, client := range n {
		pools = append(pools, goredis.NewPool(client))
	}
	return &session{nodes: n, locks: redsync.New(pools...), who: who, held: map[string]string{}}, nil
}

// mutex is a lock as redsync knows it, with the value that is ours. All servers
// have a quarter of the lease to answer, which redsync then takes off the lease.
func (s *session) mutex(lock, value string) *redsync.Mutex {
	return s.locks.NewMutex(key(s.who.Run, lock), redsync.WithExpiry(s.who.Lease), redsync.WithTimeoutFactor(0.25),
		redsync.WithValue(value), redsync.WithGenValueFunc(func() (string, error) { return value, nil }))
}

func (s *session) Acquire(ctx context.Context, lock string, queued func()) (uint64, error) {
	queued = sync.OnceFunc(queued)
	for {
		token, err := s.TryAcquire(ctx, lock)
		if !errors.Is(err, fencing.ErrHeld) {
			return token, err
		}
		queued()
		select {
		case <-ctx.Done():
			return 0, private.Conceal("Redlock has not given the lock", ctx.Err())
		case <-time.After(20*time.Millisecond + rand.N(40*time.Millisecond)):
		}
	}
}

// TryAcquire answers fencing.ErrHeld also if nobody has a majority, or if it came
// so late that nothing was left of the lease.
func (s *session) TryAcquire(ctx context.Context, lock string) (uint64, error) {
	value := crypto.Text() + " " + s.who.Client
	if err := s.mutex(lock, value).TryLockContext(ctx); err != nil {
		if err := noMajority(err); err != nil {
			return 0, err
		}
		return 0, fmt.Errorf("lock %s of Redlock: %w", lock, fencing.ErrHeld)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[lock] = value
	return 0, nil
}

func (s *session) Renew(ctx context.Context, lock string, _ uint64) error {
	return s.ifOwn(lock, func(m *redsync.Mutex) (bool, error) { return m.ExtendContext(ctx) })
}

func (s *session) Release(ctx context.Context, lock string, _ uint64) error {
	return s.ifOwn(lock, func(m *redsync.Mutex) (bool, error) { return m.UnlockContext(ctx) })
}

// ifOwn does something on all servers that have the client's own value, and says
// whether those were a majority.
func (s *session) ifOwn(lock string, do func(*redsync.Mutex) (bool, error)) error {
	s.mu.Lock()
	value := s.held[lock] // "" before the first grant: no key has it
	s.mu.Unlock()
	own, err := do(s.mutex(lock, value))
	if own {
		return nil
	}
	if err := noMajority(err); err != nil {
		return err
	}
	return fmt.Errorf("lock %s of Redlock: %w", lock, fencing.ErrLeaseLost)
}

func (s *session) Close() error {
	s.nodes.close()
	return nil
}
