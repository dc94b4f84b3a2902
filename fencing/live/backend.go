package live

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"fencingtokens/fencing"
)

// patience is how long a client without a time-out waits for an answer before
// the run is given up. Only an acquire waits longer.
const patience = 10 * time.Second

// backend is what stands behind a client in its own process.
type backend struct {
	*part
	client  string
	session Session
	storage *wire
	timeout time.Duration

	mu    sync.Mutex
	asked map[int]bool // the acquires under way, by their call
}

func (b *backend) Now() time.Duration { return b.now() }

func (b *backend) Record(e fencing.Event) { b.report(report{Event: &e}) }

// Pass waits at a point where the run's conductor has something to do to the
// client, or makes it wait for another one. While the process is stopped nothing
// in it runs, not even the heartbeats of a client library.
func (b *backend) Pass(l fencing.Label, c fencing.Choice) {
	if c.Action == fencing.Nothing && !slices.Contains(b.Holds, l) {
		return
	}
	b.report(report{Reached: &reached{l, c}})
	if _, told := b.wait(); !told {
		os.Exit(1)
	}
}

func (b *backend) Ask(r fencing.Request, reply func(fencing.Reply)) {
	if r.Op == fencing.OpAcquire {
		b.mu.Lock()
		again := b.asked[r.Call]
		b.asked[r.Call] = true
		b.mu.Unlock()
		if !again {
			go func() { reply(b.acquire(r, reply)) }()
		}
		return
	}
	go func() {
		deadline := b.timeout
		if deadline == 0 {
			deadline = patience
		}
		ctx, cancel := context.WithTimeout(context.Background(), deadline)
		defer cancel()
		answer := b.answer(ctx, r)
		if ctx.Err() != nil && b.timeout > 0 {
			return // the client has given up waiting, by its own clock
		}
		reply(answer)
	}()
}

func (b *backend) acquire(r fencing.Request, reply func(fencing.Reply)) fencing.Reply {
	token, err := b.session.Acquire(context.Background(), r.Key, func() { reply(fencing.Reply{Queued: true}) })
	b.mu.Lock()
	delete(b.asked, r.Call)
	b.mu.Unlock()
	return fencing.Reply{Token: token, Err: unusable("lock service", err)}
}

func (b *backend) answer(ctx context.Context, r fencing.Request) fencing.Reply {
	switch r.Op {
	case fencing.OpTryAcquire:
		token, err := b.session.TryAcquire(ctx, r.Key)
		return fencing.Reply{Token: token, Err: unusable("lock service", err)}
	case fencing.OpRenew:
		return fencing.Reply{Token: r.Token, Err: unusable("lock service", b.session.Renew(ctx, r.Key, r.Token))}
	case fencing.OpRelease:
		return fencing.Reply{Token: r.Token, Err: unusable("lock service", b.session.Release(ctx, r.Key, r.Token))}
	case fencing.OpAsk:
		return fencing.Reply{Err: errors.New("a real lock service is asked for no other client's token here: use the token of the lease")}
	}
	if err := unwritable(r); err != nil {
		return fencing.Reply{Err: err}
	}
	return b.storage.ask(ctx, query{Client: b.client, Request: r})
}

// unwritable reports what a database cannot keep as it is.
func unwritable(r fencing.Request) error {
	switch {
	case !utf8.ValidString(r.Key), !utf8.ValidString(r.Value):
		return errors.New("a real storage here keeps text, and this is not UTF-8: encode it, for example with encoding/hex")
	case r.Token > math.MaxInt64:
		return fmt.Errorf("a real storage here keeps tokens up to %d: choose a lower one", math.MaxInt64)
	}
	return nil
}

// unusable leaves a lock service's answers as they are and puts any other error
// into words.
func unusable(service string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fencing.ErrHeld), errors.Is(err, fencing.ErrLeaseLost):
		return err
	}
	return errors.New("the " + service + " cannot be used (" + Reason(err) + "); is it still running?")
}
