package rightnumber_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/rightnumber"
	"fencingtokens/exercises/rightnumber/stub"
	"fencingtokens/fencing/live/numbers"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Tokens)(1))
	prove.Golden(t, "passed", of(Tokens)(1))
	for _, w := range catalogue {
		switch w.Name {
		case "the lease id of etcd", "the mod revision of etcd", "the last zxid", "the czxid in 32 bits":
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestTokens(t *testing.T) {
	prove.Cell(t, rightnumber.Check, stub.Tokens, Tokens)
}

// Whatever rises with the right number is right too.
func TestOtherRightAnswersPass(t *testing.T) {
	prove.OthersPass(t, of, 30, map[string]answer{
		"the pzxid of a node that can have no children": fromZooKeeper(func(n numbers.ZooKeeper) uint64 { return uint64(n.Pzxid) }),
		"twice the revision":                            fromEtcd(func(n numbers.Etcd) uint64 { return 2 * uint64(n.CreateRevision) }),
		"by a variable":                                 fromEtcd(func(n numbers.Etcd) (token uint64) { token = uint64(n.CreateRevision); return token }),
	})
}

// A mistake with one service does not hide what becomes of the other.
func TestBothServicesAreJudged(t *testing.T) {
	r := of(answer{Etcd: func(n numbers.Etcd) uint64 { return uint64(n.ModRevision) }})(1)
	var states []check.State
	for _, f := range r.Findings {
		states = append(states, f.State)
	}
	p, f := check.Passed, check.Failed
	assert.Equal(t, []check.State{p, f, p, p, f, f, f, f, f}, states)
}

func TestASeedRepeatsARun(t *testing.T) {
	wrong := of(fromEtcd(func(n numbers.Etcd) uint64 { return uint64(n.ModRevision) }))
	first, _ := wrong(3).First()
	again, _ := wrong(3).First()
	other, _ := wrong(4).First()
	assert.Equal(t, first.Events, again.Events)
	assert.NotEqual(t, first.Events, other.Events)
}
