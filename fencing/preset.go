package fencing

import (
	"fmt"
	"time"
)

// Preset is a ready scenario: two workers of one policy in one world. It is a
// value: change a number of it in one line and run it again.
//
//	preset := fencing.GCPause()
//	preset.Fencing = true
//	preset.Lease = 20 * time.Second
//	preset.Faults[0].For = 30 * time.Second
//	fmt.Println(preset.Run())
type Preset struct {
	Config
	Policy
	Later time.Duration // how much later than client 1 client 2 asks for the lock; 0 means 1 s
}

// AddTo adds the preset's two clients to a world: "client 1" asks for the lock
// Policy.Start after the beginning, "client 2" later by Later.
func (p Preset) AddTo(w *World) {
	switch {
	case p.Later == 0:
		p.Later = time.Second
	case p.Later < 0 || p.Later > Longest:
		w.mistake(fmt.Errorf("Preset.Later is %s: give a positive length, or leave it out for 1 s (the longest is %s)", p.Later, longestInWords))
		p.Later = 0 // one mistake is enough
	case lacksUnit(p.Later):
		w.mistake(noUnit("Preset.Later is", p.Later))
	}
	for n := range 2 {
		policy := p.Policy
		policy.Start += time.Duration(n) * p.Later
		w.Client(fmt.Sprintf("client %d", n+1), Worker(policy))
	}
}

// Run runs the preset in a new world.
func (p Preset) Run() *Trace {
	if p.Config.Program == "" {
		p.Config.Program = p.Policy.String()
	}
	w := NewWorld(p.Config)
	p.AddTo(w)
	return w.Run()
}

// Presets returns the course's presets in their order, fencing off.
func Presets() []Preset {
	return []Preset{HealthyHandOver(), GCPause(), CheckThenWrite(), DelayedWrite(), RenewingMoreOften(), CrashedHolder()}
}

func preset(name string, policy Policy, faults ...Fault) Preset {
	policy.Start = time.Second
	return Preset{Config: Config{Name: name, Faults: faults}, Policy: policy}
}

// HealthyHandOver has no fault: client 1 writes, renews on the way and releases;
// client 2 is granted the lock at that moment.
func HealthyHandOver() Preset {
	return preset("healthy hand-over", Policy{RenewEvery: 3 * time.Second})
}

// GCPause stops client 1 for 14 s right after its acquire. A garbage collection
// that stops the world is one cause; a frozen virtual machine, a page fault on
// swapped memory or SIGSTOP do the same.
func GCPause() Preset {
	return preset("GC pause", Policy{}, Pause("client 1", AfterAcquire, 14*time.Second))
}

// CheckThenWrite has the workers look at their clock just before the write; the
// pause of client 1 falls between the check and the write.
func CheckThenWrite() Preset {
	return preset("pause between check and write", Policy{CheckFirst: true}, Pause("client 1", AfterCheck, 14*time.Second))
}

// DelayedWrite pauses nobody: the network holds client 1's write for 14 s. Its
// call times out after 3 s, and it releases the lock politely.
func DelayedWrite() Preset {
	p := preset("delayed write", Policy{}, Delay("client 1", WriteRequest, 14*time.Second))
	p.Timeout = 3 * time.Second
	return p
}

// RenewingMoreOften has the workers renew every second; the pause of client 1
// falls before its write. A paused client cannot renew.
func RenewingMoreOften() Preset {
	return preset("renewing more often", Policy{RenewEvery: time.Second}, Pause("client 1", BeforeWrite, 14*time.Second))
}

// CrashedHolder ends client 1 right after its acquire. Its lease runs out, and
// client 2 takes over: that is what leases are for.
func CrashedHolder() Preset {
	return preset("crash", Policy{}, Crash("client 1", AfterAcquire))
}
