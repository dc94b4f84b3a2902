// Package redlock runs the lessons' clients on Redlock: five Redis servers that
// know nothing of each other, and who has set the key on three of them in time
// holds the lock (https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/#the-redlock-algorithm).
// The algorithm is that of github.com/go-redsync/redsync.
//
// The servers are those that FENCING_REDLOCK names, five addresses such as
// redis://:password@host:6379/0 between commas. If that is not set, a run starts
// five for itself, if redis-server is on PATH.
//
// There is no token: a value on five servers is random, without an order. Nor is
// there a queue: who waits asks again after 20 to 60 ms, at random, so that those
// who wait do not split the servers between them each time.
package redlock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/redis/go-redis/v9"

	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/systems/internal/private"
	"fencingtokens/fencing/live/systems/internal/privateredis"
)

// Variable is the environment variable that names five servers of the reader's.
const Variable = "FENCING_REDLOCK"

const (
	count    = 5
	majority = count/2 + 1
)

// Server is the lock on five servers. Its token is always 0.
func Server() live.LockService {
	return live.LockService{
		Name:  "Redlock",
		Start: func(ctx context.Context) (live.Server, error) { return start(ctx) },
		Dial: func(ctx context.Context, address string, client live.Dialled) (live.Session, error) {
			return dial(ctx, address, client)
		},
	}
}

// key is the name of a lock's key, on every server.
func key(run, lock string) string { return "fencingtokens-" + run + "/" + lock }

// nodes are the clients of the five servers.
type nodes []*redis.Client

// open returns clients of servers most of which have answered.
func open(ctx context.Context, addresses string) (nodes, error) {
	each := strings.Split(addresses, ",")
	if len(each) != count {
		return nil, fmt.Errorf("%s names %d servers: Redlock wants %d addresses between commas here, such as redis://:password@host:6379/0", Variable, len(each), count)
	}
	var n nodes
	for _, address := range each {
		client, err := privateredis.Client(strings.TrimSpace(address))
		if err != nil {
			n.close()
			return nil, err
		}
		n = append(n, client)
	}
	if err := n.each(func(c *redis.Client, _ int) error { return c.Ping(ctx).Err() }); err != nil {
		n.close()
		return nil, err
	}
	return n, nil
}

// each asks all servers at once, and fails if there is no majority of answers.
func (n nodes) each(ask func(client *redis.Client, node int) error) error {
	errs := make([]error, len(n))
	var all sync.WaitGroup
	for i, client := range n {
		all.Go(func() {
			if err := ask(client, i); err != nil {
				errs[i] = &redsync.RedisError{Node: i, Err: err}
			}
		})
	}
	all.Wait()
	return noMajority(errors.Join(errs...))
}

// noMajority returns an error if err, in which redsync joins what its servers say,
// has so many that cannot be used that the others are no majority.
func noMajority(err error) error {
	if silent := unusable(err); silent > count-majority {
		return privateredis.Conceal(fmt.Sprintf("%d of the %d Redis servers cannot be used", silent, count), err)
	}
	return nil
}

func unusable(err error) (servers int) {
	switch e := err.(type) {
	case *redsync.RedisError:
		return 1
	case interface{ Unwrap() []error }:
		for _, err := range e.Unwrap() {
			servers += unusable(err)
		}
	}
	return servers
}

func (n nodes) close() {
	for _, client := range n {
		client.Close()
	}
}

type server struct {
	address   string
	nodes     nodes
	processes []*private.Process // none if the reader runs the servers

	mu    sync.Mutex
	asked map[string]bool // the keys of the locks that Holder was asked for
}

func start(ctx context.Context) (_ *server, err error) {
	s := &server{address: os.Getenv(Variable), asked: map[string]bool{}}
	defer func() {
		if err != nil {
			s.end()
		}
	}()
	if s.address == "" {
		var addresses []string
		for range count {
			process, address, err := privateredis.Start(ctx)
			if err != nil {
				return nil, fmt.Errorf("%w; or put the addresses of %d servers into %s, between commas", err, count, Variable)
			}
			s.processes, addresses = append(s.processes, process), append(addresses, address)
		}
		s.address = strings.Join(addresses, ",")
	}
	s.nodes, err = open(ctx, s.address)
	return s, err
}

func (s *server) Address() string { return s.address }

// Holder is who has the key on a majority of the servers.
func (s *server) Holder(ctx context.Context, run, lock string) (string, uint64, error) {
	s.mu.Lock()
	s.asked[key(run, lock)] = true
	s.mu.Unlock()
	values := make([]string, count)
	err := s.nodes.each(func(client *redis.Client, node int) (err error) {
		values[node], err = client.Get(ctx, key(run, lock)).Result()
		if errors.Is(err, redis.Nil) {
			return nil
		}
		return err
	})
	if err != nil {
		return "", 0, err
	}
	have := map[string]int{}
	for _, value := range values {
		have[value]++
		if value != "" && have[value] == majority {
			_, client, _ := strings.Cut(value, " ")
			return client, 0, nil
		}
	}
	return "", 0, nil
}

// Close ends servers of our own. In the reader's it deletes the keys of the locks
// that Holder was asked for.
func (s *server) Close() error {
	defer s.end()
	if len(s.processes) > 0 || len(s.asked) == 0 {
		return nil
	}
	var keys []string
	for key := range s.asked {
		keys = append(keys, key)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return s.nodes.each(func(client *redis.Client, _ int) error { return client.Del(ctx, keys...).Err() })
}

func (s *server) end() {
	s.nodes.close()
	for _, process := range s.processes {
		process.Close()
	}
}
