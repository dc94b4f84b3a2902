package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"time"

	"fencingtokens/fencing"
	"fencingtokens/fencing/live"
)

// standIn is a lock service small enough to be read here: tokens from 1 on, leases
// by the wall clock, waiters that ask again. It lives in the test's process, and
// the clients' processes reach it over HTTP.
func standIn() live.LockService {
	return live.LockService{
		Name:  "a stand-in",
		Start: func(context.Context) (live.Server, error) { return newService(), nil },
		Dial: func(_ context.Context, address string, d live.Dialled) (live.Session, error) {
			return &standInSession{address, d}, nil
		},
	}
}

type service struct {
	*httptest.Server
	mu     sync.Mutex
	token  uint64
	holder string
	until  time.Time
}

func newService() *service {
	s := &service{}
	s.Server = httptest.NewServer(s)
	return s
}

func (s *service) Address() string { return s.URL }
func (s *service) Close() error    { s.Server.Close(); return nil }

func (s *service) Holder(context.Context, string, string) (string, uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look()
	return s.holder, s.token, nil
}

// look ends a lease that is over.
func (s *service) look() {
	if !time.Now().Before(s.until) {
		s.holder = ""
	}
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look()
	client, lease := r.FormValue("client"), r.FormValue("lease")
	length, _ := time.ParseDuration(lease)
	switch r.FormValue("op") {
	case "acquire":
		if s.holder != "" {
			w.WriteHeader(http.StatusConflict)
			return
		}
		s.token++
		s.holder, s.until = client, time.Now().Add(length)
	case "renew", "release":
		if s.holder != client {
			w.WriteHeader(http.StatusGone)
			return
		}
		s.until = time.Now().Add(length)
		if r.FormValue("op") == "release" {
			s.holder = ""
		}
	}
	json.NewEncoder(w).Encode(s.token)
}

type standInSession struct {
	address string
	live.Dialled
}

func (s *standInSession) ask(ctx context.Context, op string) (token uint64, err error) {
	question := url.Values{"op": {op}, "client": {s.Client}, "lease": {s.Lease.String()}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address+"?"+question.Encode(), nil)
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusConflict:
		return 0, fencing.ErrHeld
	case http.StatusGone:
		return 0, fencing.ErrLeaseLost
	}
	return token, json.NewDecoder(answer.Body).Decode(&token)
}

func (s *standInSession) Acquire(ctx context.Context, lock string, queued func()) (uint64, error) {
	for first := true; ; first = false {
		token, err := s.ask(ctx, "acquire")
		if !errors.Is(err, fencing.ErrHeld) {
			return token, err
		}
		if first {
			queued()
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (s *standInSession) TryAcquire(ctx context.Context, lock string) (uint64, error) {
	return s.ask(ctx, "acquire")
}

func (s *standInSession) Renew(ctx context.Context, lock string, token uint64) error {
	_, err := s.ask(ctx, "renew")
	return err
}

func (s *standInSession) Release(ctx context.Context, lock string, token uint64) error {
	_, err := s.ask(ctx, "release")
	return err
}

func (s *standInSession) Close() error { return nil }

// nobody is an address at which nothing listens.
func nobody() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}
