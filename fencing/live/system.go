package live

import (
	"context"
	"database/sql"
	"time"
)

// LockService is a kind of lock service that a run can use: etcd, ZooKeeper,
// Redis. It is a description; nothing is started or dialled before a run.
type LockService struct {
	// Name is what charts and errors call it, for example "etcd 3.7".
	Name string
	// Start starts the service for one run, or finds the one that the reader runs.
	// The error is a sentence that says how to get it going, without an address or
	// a password. It runs in the process of the cell.
	Start func(context.Context) (Server, error)
	// Dial connects one client, in that client's own process, to the address that
	// [Server.Address] gave.
	Dial func(ctx context.Context, address string, client Dialled) (Session, error)
}

// Dialled is who dials a lock service, and for leases of which length.
type Dialled struct {
	Client string        // the client's name, which the service keeps beside the lock
	Lease  time.Duration // the length of every lease
	Run    string        // names this run: no other run uses the same locks
}

// Server is a lock service that runs.
type Server interface {
	// Address is what a client's process needs to dial it. It may hold a password,
	// and is never printed.
	Address() string
	// Holder says who holds a lock now, as the service itself sees it: the client's
	// name and its token, "" if nobody does. The run asks again and again, so that
	// its trace can tell when a lease ended.
	Holder(ctx context.Context, run, lock string) (client string, token uint64, err error)
	// Close ends what Start has begun, and removes what the run has left behind in
	// a service that goes on.
	Close() error
}

// Session is one client's connection to a lock service. Each method returns nil
// or an error that wraps [fencing.ErrHeld] or [fencing.ErrLeaseLost] if that is
// the answer; any other error says that the service cannot be used. The context's
// deadline is the client's time-out.
type Session interface {
	// Acquire waits until the client holds the lock, and returns the token of the
	// grant; 0 if the service has none. It calls queued once if it has to wait.
	Acquire(ctx context.Context, lock string, queued func()) (token uint64, err error)
	// TryAcquire asks once.
	TryAcquire(ctx context.Context, lock string) (token uint64, err error)
	// Renew makes the lease last another full length.
	Renew(ctx context.Context, lock string, token uint64) error
	// Release gives the lock back, if the client still holds it.
	Release(ctx context.Context, lock string, token uint64) error
	// Close ends the connection. A lease that is held runs out.
	Close() error
}

// Storage is a kind of database that keeps what the clients write. It belongs to
// a process of its own, and clients reach it over a wire on which a write can be
// late.
type Storage struct {
	// Name is what charts and errors call it, for example "SQLite".
	Name string
	// Open connects to the database, in the storage's process. The run makes one
	// table in it and drops it again, and touches nothing else. The error is a
	// sentence without an address or a password.
	Open func(context.Context) (*sql.DB, error)
	// Placeholder returns how a statement names its n-th argument, "?1" or "$1".
	Placeholder func(n int) string
}
