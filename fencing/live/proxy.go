package live

import (
	"encoding/json"
	"net/http"
	"sync"

	"fencingtokens/fencing"
)

// message is a request to the storage and its reply, as points at which a fault
// can strike.
type message struct {
	op             fencing.Op
	request, reply fencing.Point
}

// messages are those that go over the wire to the storage.
var messages = []message{
	{fencing.OpWrite, fencing.WriteRequest, fencing.WriteReply},
	{fencing.OpRead, fencing.ReadRequest, fencing.ReadReply},
	{fencing.OpClaim, fencing.ClaimRequest, fencing.ClaimReply},
	{fencing.OpDelete, fencing.DeleteRequest, fencing.DeleteReply},
}

// proxy stands between the clients and the storage, in the conductor's process. It
// holds a message, or loses it, where a fault says so; a client that stops
// waiting recalls nothing.
type proxy struct {
	*conductor
	storage *wire

	mu     sync.Mutex
	passed map[fencing.Label]int // how many messages of that client and point it has seen; Nth is 0
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q query
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, "this is no query", http.StatusBadRequest)
		return
	}
	// The run is not over while a message is under way, whoever waits for it.
	p.changed(func() { p.underWay++ })
	defer p.changed(func() { p.underWay-- })
	request, reply := pointsOf(q.Op)
	if !p.passes(q, request, q.Msg) {
		<-r.Context().Done() // the client waits for what never comes
		return
	}
	answer, err := p.storage.send(p.ctx, q)
	if err != nil {
		answer = result{Failed: unusable("storage", err).Error()}
	}
	if !p.passes(q, reply, q.Msg+1) {
		<-r.Context().Done()
		return
	}
	json.NewEncoder(w).Encode(answer)
}

// passes lets the faults do to a message what they declare, and reports whether
// it goes on.
func (p *proxy) passes(q query, point fencing.Point, msg int) bool {
	fault, found := p.fault(q.Client, point)
	if !found {
		return true
	}
	p.network(fencing.Event{Client: q.Client, Kind: fencing.Chosen, Actor: q.Client, Msg: msg, Note: fault.String()})
	if fault.Action == fencing.DropIt {
		p.network(fencing.Event{Client: q.Client, Kind: fencing.Lost, Actor: fencing.ActorNetwork, Service: fencing.ActorStorage, Op: q.Op, Call: q.Call,
			Msg: msg, Reply: msg != q.Msg, Key: q.Key, Token: q.Token})
		return false
	}
	p.sleep(fault.For)
	p.awaitOthers(q.Client, p.beforeArrival(fault))
	return true
}

func (p *proxy) fault(client string, point fencing.Point) (fencing.Fault, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	label := fencing.Label{Client: client, Point: point}
	p.passed[label]++
	for _, f := range p.config.Faults {
		if f.Actor == client && f.Point == point && max(f.Nth, 1) == p.passed[label] {
			return f, true
		}
	}
	return fencing.Fault{}, false
}

// network records what happens on the wire.
func (p *proxy) network(e fencing.Event) {
	e.At = p.now()
	e.Clock = e.At
	p.changed(func() { p.streams[fencing.ActorNetwork] = append(p.streams[fencing.ActorNetwork], e) })
}

func pointsOf(op fencing.Op) (request, reply fencing.Point) {
	for _, m := range messages {
		if m.op == op {
			return m.request, m.reply
		}
	}
	return 0, 0
}
