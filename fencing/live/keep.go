package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"fencingtokens/fencing"
)

// keeper is the storage's process: it owns the database and answers queries.
type keeper struct {
	*part
	*store
	name string
	mu   sync.Mutex // a statement and its events are one step
}

// keepStorage answers until it is told to end. If nobody tells it any more, the
// run's program is gone, and what it left running is ended here.
func (p *part) keepStorage(s Storage, config fencing.Config) error {
	ctx, cancel := context.WithTimeout(context.Background(), dialling)
	defer cancel()
	st, err := openStore(ctx, s, p.Run, config)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return errors.New("there is no wire to the storage: " + Reason(err))
	}
	k := &keeper{part: p, store: st, name: s.Name}
	go http.Serve(listener, k)
	p.report(report{Ready: "http://" + listener.Addr().String()})
	k.untilTheEnd()
	ctx, cancel = context.WithTimeout(context.Background(), dialling)
	defer cancel()
	return st.drop(ctx)
}

func (k *keeper) untilTheEnd() {
	var guarded []int
	for {
		told, ok := k.wait()
		word, number, _ := strings.Cut(told, " ")
		n, _ := strconv.ParseInt(number, 10, 64)
		switch {
		case !ok:
			for _, process := range guarded {
				syscall.Kill(-process, syscall.SIGKILL) // with what it has started
			}
			return
		case word == guard:
			guarded = append(guarded, int(n))
		case word == begin:
			k.start = n
		case word == end:
			return
		}
	}
}

func (k *keeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q query
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, "this is no query", http.StatusBadRequest)
		return
	}
	// Whoever asked may have stopped waiting: it is carried out all the same.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), patience)
	defer cancel()
	k.record(q, fencing.Arrived, row{}, "")
	answer := k.carryOut(ctx, q)
	k.record(q, fencing.Sent, row{}, "")
	json.NewEncoder(w).Encode(answer)
}

func (k *keeper) carryOut(ctx context.Context, q query) result {
	checked := k.fencing && q.Op != fencing.OpRead
	if checked && k.check == fencing.TwoSteps && q.Op != fencing.OpClaim {
		taken, answer := k.step(q, fencing.Passed, func() (row, bool, error) {
			r, err := k.row(ctx, q.Key)
			return r, uint64(r.fence) <= q.Token, err
		})
		if !taken {
			return answer
		}
		time.Sleep(k.checkGap) // whatever comes in now, the write follows unchecked
		checked = false
	}
	_, answer := k.step(q, done(q.Op), func() (row, bool, error) {
		if q.Op == fencing.OpRead {
			r, err := k.row(ctx, q.Key)
			return r, true, err
		}
		return k.change(ctx, q, checked)
	})
	return answer
}

func done(op fencing.Op) fencing.Kind {
	switch op {
	case fencing.OpRead:
		return fencing.Served
	case fencing.OpClaim:
		return fencing.Claimed
	case fencing.OpDelete:
		return fencing.Deleted
	}
	return fencing.Accepted
}

// step carries out one statement and records what became of it.
func (k *keeper) step(q query, kind fencing.Kind, statement func() (row, bool, error)) (bool, result) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r, taken, err := statement()
	if err != nil {
		return false, result{Failed: k.name + " could not carry out the statement (" + Reason(err) + ")"}
	}
	answer, note := result{Taken: taken, Body: r.body, Version: int(r.version)}, ""
	if !taken {
		kind = fencing.Rejected
		answer.Conflict = q.Check && uint64(r.fence) <= q.Token
		answer.Why = fmt.Sprintf("%q has accepted token %d, and %d is lower", q.Key, r.fence, q.Token)
		if answer.Conflict {
			answer.Why = fmt.Sprintf("%q has version %d, and the write was made for version %d", q.Key, r.version, q.Version)
		}
		note = answer.error().Error()
	}
	k.record(q, kind, r, note)
	return taken, answer
}

func (k *keeper) record(q query, kind fencing.Kind, r row, note string) {
	e := fencing.Event{At: k.now(), Actor: fencing.ActorStorage, Client: q.Client, Kind: kind, Op: q.Op, Call: q.Call, Key: q.Key, Token: q.Token,
		Value: q.Value, Fence: uint64(r.fence), Version: int(r.version), Note: note}
	switch kind {
	case fencing.Arrived:
		e.Service, e.Msg = fencing.ActorStorage, q.Msg
	case fencing.Sent:
		e.Service, e.Msg, e.Reply = fencing.ActorStorage, q.Msg+1, true
	case fencing.Served, fencing.Claimed:
		e.Value = r.body
	}
	e.Clock = e.At
	k.report(report{Event: &e})
}
