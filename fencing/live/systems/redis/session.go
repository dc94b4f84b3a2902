package redis

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/internal/privateredis"
)

// askAgain is how long a client that waits for a lock leaves the server alone.
const askAgain = 20 * time.Millisecond

type session struct {
	client *redis.Client
	who    live.Dialled
	take   *redis.Script

	mu   sync.Mutex
	held map[string]string // by lock, the value that this client's last grant has set
}

func dial(ctx context.Context, address string, who live.Dialled, take *redis.Script) (*session, error) {
	client, err := open(ctx, address)
	if err != nil {
		return nil, err
	}
	return &session{client: client, who: who, take: take, held: map[string]string{}}, nil
}

func (s *session) Acquire(ctx context.Context, lock string, queued func()) (uint64, error) {
	for waiting := false; ; waiting = true {
		token, err := s.TryAcquire(ctx, lock)
		if !errors.Is(err, fencing.ErrHeld) {
			return token, err
		}
		if !waiting {
			queued()
		}
		select {
		case <-ctx.Done():
			return 0, privateredis.Conceal("Redis has not given the lock", ctx.Err())
		case <-time.After(askAgain):
		}
	}
}

// TryAcquire may time out after the server has set the key: then nobody holds the
// lock until that lease has run out.
func (s *session) TryAcquire(ctx context.Context, lock string) (uint64, error) {
	value := rand.Text() + " " + s.who.Client
	token, err := s.take.Run(ctx, s.client, keys(s.who.Run, lock), value, s.who.Lease.Milliseconds()).Uint64()
	if errors.Is(err, redis.Nil) {
		return 0, fmt.Errorf("lock %s of Redis: %w", lock, fencing.ErrHeld)
	}
	if err != nil {
		return 0, privateredis.Conceal("Redis does not say whether the lock is free", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[lock] = value
	return token, nil
}

func (s *session) Renew(ctx context.Context, lock string, _ uint64) error {
	return s.ifOwn(ctx, renewOwn, lock, s.who.Lease.Milliseconds())
}

func (s *session) Release(ctx context.Context, lock string, _ uint64) error {
	return s.ifOwn(ctx, deleteOwn, lock)
}

// ifOwn runs a script that does something if the key has the value that this
// client has set, and says whether it had.
func (s *session) ifOwn(ctx context.Context, script *redis.Script, lock string, more ...any) error {
	s.mu.Lock()
	value := s.held[lock] // "" before the first grant: no key has it
	s.mu.Unlock()
	own, err := script.Run(ctx, s.client, keys(s.who.Run, lock)[:1], append([]any{value}, more...)...).Bool()
	if err != nil {
		return privateredis.Conceal("Redis does not say whether the lease still stands", err)
	}
	if !own {
		return fmt.Errorf("lock %s of Redis: %w", lock, fencing.ErrLeaseLost)
	}
	return nil
}

func (s *session) Close() error {
	if err := s.client.Close(); err != nil {
		return privateredis.Conceal("the connection to Redis cannot be closed", err)
	}
	return nil
}
