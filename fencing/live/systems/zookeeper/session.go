package zookeeper

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-zookeeper/zk"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
	"fencingtokens/fencing/live/numbers"
)

type session struct {
	conn  *connection
	who   live.Dialled
	token func(numbers.ZooKeeper) uint64

	mu   sync.Mutex
	held map[string]string // by lock, the path of the node with which this client got it last
}

func dial(ctx context.Context, address string, who live.Dialled, token func(numbers.ZooKeeper) uint64) (*session, error) {
	conn, err := connect(ctx, address, who.Lease)
	if err != nil {
		return nil, err
	}
	return &session{conn: conn, who: who, token: token, held: map[string]string{}}, nil
}

func (s *session) Acquire(ctx context.Context, lock string, queued func()) (uint64, error) {
	queued = sync.OnceFunc(queued)
	for {
		token, err := s.get(ctx, lock, func(path, before string) error {
			queued()
			return s.wait(ctx, folder(s.who.Run, lock)+"/"+before)
		})
		if !errors.Is(err, errGone) { // its session ended while it waited: it queues again, at the end
			return token, err
		}
	}
}

func (s *session) TryAcquire(ctx context.Context, lock string) (uint64, error) {
	return s.get(ctx, lock, func(string, string) error {
		return fmt.Errorf("lock %s of ZooKeeper: %w", lock, fencing.ErrHeld)
	})
}

// errGone says that a client's node is not there any more.
var errGone = errors.New("ZooKeeper has ended the client's session while it asked for the lock")

// get makes a node, and calls behind as long as another one stands before it. If
// it does not get the lock, it removes its node.
func (s *session) get(ctx context.Context, lock string, behind func(path, before string) error) (uint64, error) {
	path, err := s.enqueue(ctx, lock)
	if err != nil {
		return 0, conceal("ZooKeeper does not say whether the client is in the queue", err)
	}
	for {
		before, n, err := s.look(ctx, path)
		if err == nil && before == "" {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.held[lock] = path
			return s.token(n), nil
		}
		if err == nil {
			err = behind(path, before)
		}
		if err != nil {
			s.leave(path)
			return 0, err
		}
	}
}

// enqueue makes the client's node. Its name begins with a mark, by which it is
// found if the connection breaks before the answer.
func (s *session) enqueue(ctx context.Context, lock string) (string, error) {
	dir, mark := folder(s.who.Run, lock), rand.Text()
	path, err := again(ctx, func() (string, error) { return s.findOrMake(dir, mark) })
	if err != nil { // nobody waits for a node that may be there all the same
		go func() {
			if path, err := again(context.Background(), func() (string, error) { return s.find(dir, mark) }); err == nil && path != "" {
				s.leave(path)
			}
		}()
	}
	return path, err
}

// findOrMake makes a node with that mark, unless there is one, and the lock's
// folder where it is missing.
func (s *session) findOrMake(dir, mark string) (string, error) {
	everybody := zk.WorldACL(zk.PermAll)
	path, err := s.find(dir, mark)
	if errors.Is(err, zk.ErrNoNode) {
		for _, missing := range []string{root(s.who.Run), dir} {
			if _, err = s.conn.CreateContainer(missing, nil, zk.FlagContainer, everybody); err != nil && !errors.Is(err, zk.ErrNodeExists) {
				return "", err
			}
		}
	} else if err != nil || path != "" {
		return path, err
	}
	return s.conn.Create(dir+"/"+mark+"-"+prefix, []byte(s.who.Client), zk.FlagEphemeral|zk.FlagSequence, everybody)
}

// find returns the path of the node with that mark, "" if there is none.
func (s *session) find(dir, mark string) (string, error) {
	nodes, _, err := s.conn.Children(dir)
	for _, node := range nodes {
		if strings.HasPrefix(node, mark) {
			return dir + "/" + node, nil
		}
	}
	return "", err
}

// leave removes a node that shall not wait any longer.
func (s *session) leave(path string) {
	again(context.Background(), func() (struct{}, error) { return struct{}{}, s.conn.Delete(path, -1) })
}

// look returns the node that stands just before the client's own, "" if none does,
// and what ZooKeeper says about its own. It is errGone if that is not there.
func (s *session) look(ctx context.Context, path string) (before string, n numbers.ZooKeeper, err error) {
	dir, name := path[:strings.LastIndex(path, "/")], path[strings.LastIndex(path, "/")+1:]
	type answer struct {
		nodes       []string
		parent, own *zk.Stat
	}
	a, err := again(ctx, func() (a answer, err error) {
		if a.nodes, a.parent, err = s.conn.Children(dir); err == nil {
			_, a.own, err = s.conn.Exists(path)
		}
		return a, err
	})
	if errors.Is(err, zk.ErrNoNode) {
		return "", n, errGone
	}
	if err != nil {
		return "", n, conceal("ZooKeeper does not say who holds the lock", err)
	}
	place := slices.Index(inOrder(a.nodes), name)
	if place < 0 || a.own.EphemeralOwner == 0 {
		return "", n, errGone
	}
	if place > 0 {
		before = a.nodes[place-1]
	}
	return before, numbers.ZooKeeper{
		Czxid:          a.own.Czxid,
		Mzxid:          a.own.Mzxid,
		Pzxid:          a.own.Pzxid,
		ParentPzxid:    a.parent.Pzxid,
		Version:        a.own.Version,
		EphemeralOwner: a.own.EphemeralOwner,
		Sequence:       sequence(name),
		LastZxid:       max(a.own.Mzxid, a.parent.Pzxid),
	}, nil
}

// wait returns when the node is gone, or when it is time to look again.
func (s *session) wait(ctx context.Context, node string) error {
	type watch struct {
		there  bool
		events <-chan zk.Event
	}
	w, err := again(ctx, func() (w watch, err error) {
		w.there, _, w.events, err = s.conn.ExistsW(node)
		return w, err
	})
	if err == nil && w.there {
		select {
		case <-w.events:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if err != nil {
		return conceal("ZooKeeper has not given the lock", err)
	}
	return nil
}

// Renew looks whether the client's node is still there.
func (s *session) Renew(ctx context.Context, lock string, _ uint64) error {
	s.mu.Lock()
	path := s.held[lock]
	s.mu.Unlock()
	there := false
	if path != "" {
		var err error
		if there, err = again(ctx, func() (bool, error) {
			there, _, err := s.conn.Exists(path)
			return there, err
		}); err != nil {
			return conceal("ZooKeeper does not say whether the lease still stands", err)
		}
	}
	if !there {
		return fmt.Errorf("lock %s of ZooKeeper: %w", lock, fencing.ErrLeaseLost)
	}
	return nil
}

// Release deletes the client's node, which nobody else's has the name of. An error
// that is not fencing.ErrLeaseLost leaves open whether it is gone.
func (s *session) Release(ctx context.Context, lock string, token uint64) error {
	if err := s.Renew(ctx, lock, token); err != nil {
		return err
	}
	s.mu.Lock()
	path := s.held[lock]
	s.mu.Unlock()
	_, err := once(ctx, func() (struct{}, error) { return struct{}{}, s.conn.Delete(path, -1) })
	if errors.Is(err, zk.ErrNoNode) {
		return fmt.Errorf("lock %s of ZooKeeper: %w", lock, fencing.ErrLeaseLost)
	}
	if err != nil {
		return conceal("ZooKeeper does not say whether the lock is released", err)
	}
	return nil
}

// Close ends the connection without a word to the server, so that a lease that is
// held runs out; the library's Close would end the session, and release all.
func (s *session) Close() error {
	s.conn.abandon()
	return nil
}
