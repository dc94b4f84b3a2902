// Package etcd lets a run use etcd as its lock service: an embedded server, so that
// nothing has to be installed, or one that the reader runs.
//
// The lock is that of etcd's own Go client (concurrency.Mutex): a key for every
// client that wants it, on a lease of its own; the lowest CreateRevision holds the
// lock. That CreateRevision is the fencing token.
package etcd

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/numbers"
	"fencingtokens/fencing/live/systems/internal/private"
)

// Variable is the environment variable with the address of an etcd that the reader
// runs, for example "http://localhost:2379". Without it a run has a server of its
// own.
const Variable = "FENCING_ETCD"

// shortest is the shortest lease that etcd grants with its usual settings; a
// shorter one is lengthened without a word (minTTL in etcd's server/lease/lessor.go:
// 1.5 election time-outs, rounded up to a second).
const shortest = 2 * time.Second

// Embedded is an etcd server inside the program, with its data in a folder that is
// removed after the run, or the one at [Variable]. The token is the CreateRevision of
// the lock's key.
func Embedded() live.LockService {
	return With(func(n numbers.Etcd) uint64 { return uint64(n.CreateRevision) })
}

// With is [Embedded] with a number of your choice as the token, to see what comes
// of the wrong ones.
func With(token func(numbers.Etcd) uint64) live.LockService {
	return live.LockService{
		Name:  "etcd",
		Start: start,
		Dial: func(ctx context.Context, address string, d live.Dialled) (live.Session, error) {
			return dial(ctx, address, d, token)
		},
	}
}

// server is an etcd that runs, embedded or not.
type server struct {
	address  string
	embedded *embed.Etcd
	folder   *private.Process // nil if the reader runs the server
	client   *clientv3.Client
}

func start(ctx context.Context) (live.Server, error) {
	s := &server{address: os.Getenv(Variable)}
	if s.address == "" {
		if err := s.embed(ctx); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	var err error
	if s.client, err = connect(ctx, s.address); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *server) embed(ctx context.Context) (err error) {
	// The folder is a sleeping process's, so that it goes also when this one is killed.
	if s.folder, err = private.Start("The folder of the embedded etcd", "/bin/sleep", func(string) ([]string, error) { return []string{"86400"}, nil }); err != nil {
		return err
	}
	config := embed.NewConfig()
	config.Dir, config.LogLevel, config.LogOutputs, config.UnsafeNoFsync = s.folder.File("etcd"), "panic", []string{os.DevNull}, true
	anyPort := url.URL{Scheme: "http", Host: "127.0.0.1:0"}
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{anyPort}, []url.URL{anyPort}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{anyPort}, []url.URL{anyPort}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	if s.embedded, err = embed.StartEtcd(config); err != nil {
		return fmt.Errorf("the embedded etcd did not start: %s", live.Reason(err))
	}
	select {
	case <-s.embedded.Server.ReadyNotify():
		s.address = "http://" + s.embedded.Clients[0].Addr().String()
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the embedded etcd was not ready in time: %s", live.Reason(context.Cause(ctx)))
	}
}

func connect(ctx context.Context, address string) (*clientv3.Client, error) {
	client, err := clientv3.New(clientv3.Config{Endpoints: strings.Split(address, ","), DialTimeout: 5 * time.Second, Logger: zap.NewNop()})
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		_, err = client.Get(ctx, "fencingtokens")
	}
	if err != nil {
		return nil, fmt.Errorf("etcd cannot be reached (%s): start one and put its address into %s, or leave %s out for the embedded one", live.Reason(err), Variable, Variable)
	}
	return client, nil
}

func (s *server) Address() string { return s.address }

// prefix is where the keys of a lock are. Of "a" and "a/b" none is below the other.
func prefix(run, lock string) string {
	return "fencingtokens/" + run + "/locks/" + url.PathEscape(lock)
}

// owner is the key that names the client whose lease that is: the lock's own key
// has no value.
func owner(run string, lease clientv3.LeaseID) string {
	return fmt.Sprintf("fencingtokens/%s/owners/%x", run, lease)
}

func (s *server) Holder(ctx context.Context, run, lock string) (string, uint64, error) {
	found, err := s.client.Get(ctx, prefix(run, lock)+"/", clientv3.WithFirstCreate()...)
	if err != nil || len(found.Kvs) == 0 {
		return "", 0, err
	}
	key := found.Kvs[0]
	client, err := s.client.Get(ctx, owner(run, clientv3.LeaseID(key.Lease)))
	if err != nil || len(client.Kvs) == 0 { // it ended just now
		return "", 0, err
	}
	return string(client.Kvs[0].Value), uint64(key.CreateRevision), nil
}

// Close leaves nothing behind in a server of the reader's: every key hangs on a
// lease.
func (s *server) Close() error {
	if s.client != nil {
		s.client.Close()
	}
	if s.embedded != nil {
		s.embedded.Close()
	}
	if s.folder == nil {
		return nil
	}
	return s.folder.Close()
}

// session is one client's. Every grant has an etcd lease of its own, which nothing
// but Renew renews.
type session struct {
	live.Dialled
	client *clientv3.Client
	token  func(numbers.Etcd) uint64

	mu   sync.Mutex
	held map[string]held // by lock
}

type held struct {
	session *concurrency.Session
	mutex   *concurrency.Mutex
}

func dial(ctx context.Context, address string, d live.Dialled, token func(numbers.Etcd) uint64) (live.Session, error) {
	if d.Lease < shortest || d.Lease%time.Second != 0 {
		return nil, fmt.Errorf("the lease is %s, and etcd counts leases in whole seconds, from %s on: choose such a one", d.Lease, shortest)
	}
	client, err := connect(ctx, address)
	if err != nil {
		return nil, err
	}
	return &session{Dialled: d, client: client, token: token, held: map[string]held{}}, nil
}

func (s *session) Acquire(ctx context.Context, lock string, queued func()) (uint64, error) {
	before, err := s.client.Get(ctx, prefix(s.Run, lock)+"/", clientv3.WithFirstCreate()...)
	if err != nil {
		return 0, err
	}
	if len(before.Kvs) > 0 {
		queued()
	}
	return s.get(ctx, lock, (*concurrency.Mutex).Lock)
}

func (s *session) TryAcquire(ctx context.Context, lock string) (uint64, error) {
	token, err := s.get(ctx, lock, (*concurrency.Mutex).TryLock)
	if errors.Is(err, concurrency.ErrLocked) {
		return 0, fmt.Errorf("%w by another client", fencing.ErrHeld)
	}
	return token, err
}

// get takes the lock with a lease of its own and reads the lock's key. A session
// keeps its lease alive by itself, which is right while it waits; a holder here
// renews when its program says so.
func (s *session) get(ctx context.Context, lock string, take func(*concurrency.Mutex, context.Context) error) (uint64, error) {
	lease, err := concurrency.NewSession(s.client, concurrency.WithTTL(int(s.Lease/time.Second)))
	if err != nil {
		return 0, err
	}
	if _, err = s.client.Put(ctx, owner(s.Run, lease.Lease()), s.Client, clientv3.WithLease(lease.Lease())); err != nil {
		return 0, errors.Join(err, lease.Close())
	}
	mutex := concurrency.NewMutex(lease, prefix(s.Run, lock))
	if err = take(mutex, ctx); err != nil {
		return 0, errors.Join(err, lease.Close())
	}
	lease.Orphan()
	key, err := s.client.Get(ctx, mutex.Key())
	if err != nil {
		return 0, err
	}
	if len(key.Kvs) == 0 {
		return 0, errors.New("the lease ended at once")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[lock] = held{lease, mutex}
	kv := key.Kvs[0]
	return s.token(numbers.Etcd{LeaseID: kv.Lease, CreateRevision: kv.CreateRevision, ModRevision: kv.ModRevision, Version: kv.Version, Revision: key.Header.Revision, RaftTerm: int64(key.Header.RaftTerm)}), nil
}

func (s *session) Renew(ctx context.Context, lock string, token uint64) error {
	h, holds := s.holds(lock)
	if !holds {
		return lost(token)
	}
	_, err := s.client.KeepAliveOnce(ctx, h.session.Lease())
	if errors.Is(err, rpctypes.ErrLeaseNotFound) {
		return lost(token)
	}
	return err
}

// Release deletes the lock's key if it is still there and ours.
func (s *session) Release(ctx context.Context, lock string, token uint64) error {
	h, holds := s.holds(lock)
	if !holds {
		return lost(token)
	}
	done, err := s.client.Txn(ctx).If(h.mutex.IsOwner()).Then(clientv3.OpDelete(h.mutex.Key())).Commit()
	switch {
	case err != nil:
		return err
	case !done.Succeeded:
		return lost(token)
	}
	s.mu.Lock()
	delete(s.held, lock)
	s.mu.Unlock()
	return h.session.Close()
}

func (s *session) Close() error { return s.client.Close() }

func (s *session) holds(lock string) (held, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, holds := s.held[lock]
	return h, holds
}

func lost(token uint64) error {
	return fmt.Errorf("%w: etcd no longer has the lease of token %d", fencing.ErrLeaseLost, token)
}
