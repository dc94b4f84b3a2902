package fencing_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"fencingtokens/fencing"
)

// This file makes worlds out of bytes: random ones for the judge, and those that
// go test -fuzz comes up with. Zeros are a quiet world.

// source hands out the bytes one by one, and zeros when they are used up.
type source struct{ bytes []byte }

func (s *source) below(n int) int {
	if len(s.bytes) == 0 {
		return 0
	}
	b := s.bytes[0]
	s.bytes = s.bytes[1:]
	return int(b) % n
}

// yes is true for one byte in so many.
func (s *source) yes(in int) bool { return s.below(in) == in-1 }

// half hands out a length in halves of a second.
func (s *source) half(n int) time.Duration { return time.Duration(s.below(n)) * time.Second / 2 }

func randomBytes(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	data := make([]byte, 300)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

// kind says what a world may be made of.
type kind struct {
	config   func(*fencing.Config) // settles what must be so
	plan     func(*plan)           // the same for each client
	declared []declared            // the faults that may be declared for a time
	copies   bool                  // messages may be duplicated
	options  bool                  // every option may be on
}

// plan is what one client does, round after round.
type plan struct {
	start, before, after, renew time.Duration
	rounds, writes              int
	key                         string
	try, claim, read, check     bool
	cond, del, keep             bool
	effect, byName, ask         bool
}

var auditor = "auditor"

func (k kind) world(data []byte) *fencing.World {
	from := &source{data}
	config := fencing.Config{Fencing: true, Timeout: 3 * s, Steps: 20_000, Latency: time.Duration(from.below(5)) * 100 * time.Millisecond}
	clients := 2 + from.below(3)
	if k.options {
		anyOptions(from, clients, &config)
	}
	plans := make([]plan, clients)
	for i := range plans {
		plans[i] = anyPlan(from)
	}
	for range from.below(4) {
		if len(k.declared) > 0 {
			config.Faults = append(config.Faults, k.declared[from.below(len(k.declared))](from, clients))
		}
	}
	config.Chooser = chooser{from, k.copies}
	if k.config != nil {
		k.config(&config)
	}
	if config.Nodes > 0 {
		amongNodes(from, &config)
	}
	w := fencing.NewWorld(config)
	for i, p := range plans {
		if k.plan != nil {
			k.plan(&p)
		}
		w.Client(clientName(i), p.run)
	}
	w.Client(auditor, func(c *fencing.Client) {
		c.Sleep(500 * s)
		c.Read("report")
		c.Read("other")
	})
	return w
}

func anyOptions(from *source, clients int, c *fencing.Config) {
	some := func(d time.Duration) time.Duration {
		if from.yes(3) {
			return d
		}
		return 0
	}
	on := func() bool { return from.yes(4) }
	c.LockDelay, c.NoticeLate, c.MaxHold, c.CheckGap = some(5*s), some(2*s), some(15*s), some(s)
	c.ReviveLate, c.SameToken, c.PlainDelete, c.WaiterLease, c.Generations = on(), on(), on(), on(), on()
	c.Fencing, c.NumberedWrites, c.FenceForgotten, c.Idempotent, c.DeadlineFromReply = !on(), on(), on(), on(), on()
	c.Check = fencing.Check(max(0, from.below(12)-6))
	if c.Check != fencing.TwoSteps {
		c.CheckGap = 0
		c.NumberedWrites = c.NumberedWrites && c.Check == fencing.AtLeast
	}
	if from.yes(6) {
		c.Nodes = 3
		c.SameToken, c.WaiterLease, c.Generations = false, false, false
	}
	for i := range clients {
		if on() {
			c.Clocks = append(c.Clocks, fencing.Clock{Actor: clientName(i), Offset: from.half(200) - 50*s, PPM: int64(from.below(256)-128) * 7000})
		}
	}
	if on() {
		c.Clocks = append(c.Clocks, fencing.Clock{Actor: fencing.ActorLockService, Offset: from.half(200) - 50*s, PPM: int64(from.below(256)-128) * 7000})
	}
}

// amongNodes has one of the lock nodes do, or suffer, what was meant for the lock
// service.
func amongNodes(from *source, c *fencing.Config) {
	place := func(name string) string {
		if name == fencing.ActorLockService {
			return "node " + string(rune('A'+from.below(c.Nodes)))
		}
		return name
	}
	for i, f := range c.Faults {
		if f.Action == fencing.FailOverIt {
			f = fencing.RestartNode(f.Actor, f.At)
		}
		f.Actor, f.Target = place(f.Actor), place(f.Target)
		c.Faults[i] = f
	}
	for i := range c.Clocks {
		c.Clocks[i].Actor = place(c.Clocks[i].Actor)
	}
}

func clientName(i int) string { return fmt.Sprintf("client %d", i+1) }

func anyPlan(from *source) plan {
	return plan{
		start: from.half(8), before: from.half(8), after: from.half(8), renew: from.half(8),
		rounds: 1 + from.below(3), writes: 1 + from.below(3), key: []string{"report", "report", "other"}[from.below(3)],
		try: from.yes(8), claim: from.yes(2), read: from.yes(2), check: from.yes(3),
		cond: from.yes(6), del: from.yes(6), keep: from.yes(6),
		effect: from.yes(6), byName: from.yes(6), ask: from.yes(6),
	}
}

func (p plan) run(c *fencing.Client) {
	if lease, ok := c.Recall(); ok { // it was restarted and remembers
		c.Write(p.key, "recalled by "+c.Name(), lease.Token)
		c.Release(lease)
	}
	c.Sleep(p.start)
	for range p.rounds {
		if !p.round(c) {
			return
		}
	}
}

// round reports whether the client goes on with another.
func (p plan) round(c *fencing.Client) bool {
	lease, err := c.TryAcquire("report")
	if err != nil {
		if p.try {
			return true
		}
		lease = c.Acquire("report")
	}
	if p.renew > 0 {
		c.KeepAlive(lease, p.renew)
	}
	if p.ask && lease.Token > 0 { // lock nodes number nothing
		c.CurrentToken("report")
	}
	value := ""
	if p.claim {
		value, err = c.Claim(p.key, lease.Token)
	} else if p.read {
		value, err = c.Read(p.key)
	} else {
		err = nil
	}
	for n := 0; n < p.writes && err == nil; n++ {
		c.Work(p.before)
		if p.check && !c.Holds(lease) {
			return false
		}
		value, err = p.change(c, value, lease.Token, n)
	}
	if p.effect {
		c.Do("mail")
	}
	if p.keep {
		return false
	}
	c.Work(p.after)
	if p.byName {
		return c.ReleaseByName("report") == nil && err == nil
	}
	c.Release(lease)
	return err == nil
}

func (p plan) change(c *fencing.Client, value string, token uint64, n int) (string, error) {
	value += fmt.Sprintf("%s %d.%d\n", c.Name(), token, n)
	switch {
	case p.del && n > 0:
		return "", c.Delete(p.key, token)
	case p.cond:
		return value, c.WriteIf(p.key, value, token)
	}
	return value, c.Write(p.key, value, token)
}

// chooser lets a fault fall at one point in twenty.
type chooser struct {
	from   *source
	copies bool
}

func (c chooser) Choose(l fencing.Label) fencing.Choice {
	if l.Client == auditor || !c.from.yes(20) {
		return fencing.Choice{}
	}
	length := s/2 + c.from.half(40)
	if l.Point < fencing.AcquireRequest {
		if c.from.yes(4) {
			return fencing.Choice{Action: fencing.CrashIt}
		}
		return fencing.Choice{Action: fencing.PauseIt, For: length, Only: c.from.yes(4)}
	}
	actions := []fencing.Action{fencing.DelayIt, fencing.DelayIt, fencing.DropIt, fencing.DuplicateIt}
	if !c.copies {
		actions = actions[:3]
	}
	choice := fencing.Choice{Action: actions[c.from.below(len(actions))], For: length}
	if choice.Action == fencing.DropIt {
		choice.For = 0
	}
	return choice
}

// declared makes a fault at a time.
type declared func(from *source, clients int) fencing.Fault

func client(from *source, clients int) string { return clientName(from.below(clients)) }

// Faults that no fence, claim and unique token need to fear.
var harmless = []declared{
	func(from *source, n int) fencing.Fault {
		f := fencing.PauseAt(client(from, n), from.half(60), s/2+from.half(40))
		f.Only = from.yes(3)
		return f
	},
	func(from *source, n int) fencing.Fault {
		return fencing.SuspendAt(client(from, n), from.half(60), s/2+from.half(40))
	},
	func(from *source, n int) fencing.Fault { return fencing.CrashAt(client(from, n), from.half(60)) },
	func(from *source, n int) fencing.Fault {
		f := fencing.RestartAt(client(from, n), from.half(60))
		f.Keep = from.yes(2)
		return f
	},
	func(from *source, n int) fencing.Fault {
		return fencing.Cut(client(from, n), service(from), from.half(60), s/2+from.half(40))
	},
	func(from *source, n int) fencing.Fault {
		return fencing.Cut(service(from), client(from, n), from.half(60), s/2+from.half(40))
	},
	func(from *source, n int) fencing.Fault {
		return fencing.JumpClock(clockOf(from, n), from.half(60), s/2+from.half(40))
	},
	func(from *source, n int) fencing.Fault {
		return fencing.JumpClock(clockOf(from, n), from.half(60), -s/2-from.half(40))
	},
	func(from *source, n int) fencing.Fault {
		return fencing.StopClock(clockOf(from, n), from.half(60), s/2+from.half(40))
	},
	func(from *source, n int) fencing.Fault {
		f := fencing.FailOver(from.half(60))
		f.Keep = from.yes(2)
		return f
	},
	func(from *source, n int) fencing.Fault { return fencing.RestartStorage(from.half(60)) },
}

// Faults that a fence may fear.
var harmful = append([]declared{
	func(from *source, n int) fencing.Fault { return fencing.CleanUp("report", from.half(60)) },
	func(from *source, n int) fencing.Fault {
		return fencing.FailOver(from.half(60)).CountingBack(uint64(1 + from.below(3)))
	},
}, harmless...)

func service(from *source) string {
	return []string{fencing.ActorLockService, fencing.ActorStorage}[from.below(2)]
}

func clockOf(from *source, clients int) string {
	if from.yes(2) {
		return fencing.ActorLockService
	}
	return client(from, clients)
}
