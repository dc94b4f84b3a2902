package whichtoken_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencingtokens/exercises/internal/check"
	"fencingtokens/exercises/internal/prove"
	"fencingtokens/exercises/whichtoken"
	"fencingtokens/exercises/whichtoken/stub"
)

func TestFeedback(t *testing.T) {
	prove.Golden(t, "not attempted", of(stub.Tokens)(1))
	prove.Golden(t, "passed", of(Tokens)(1))
	for _, w := range catalogue {
		if w.Name == "the mod revision of etcd" || w.Name == "the last zxid seen" || w.Name == "the counter of Redis" || w.Name == "the time of the grant" {
			prove.Golden(t, w.Name, of(w.Answer)(1))
		}
	}
}

// The cell of the notebook, in its three states.
func TestTokens(t *testing.T) {
	prove.Cell(t, whichtoken.Check, stub.Tokens, Tokens)
}

// One wrong choice does not hide what becomes of the others.
func TestEverySystemIsJudgedForItself(t *testing.T) {
	r := of(but(func(a *answer) { a.ZooKeeper, a.Redis = whichtoken.ZooKeeperSuffix, "" }))(1)
	var states []check.State
	for _, f := range r.Findings {
		states = append(states, f.State)
	}
	assert.Equal(t, []check.State{check.Passed, check.Failed, check.Failed, check.Passed}, states)
}

func TestASeedRepeatsARun(t *testing.T) {
	wrong := of(but(func(a *answer) { a.Etcd = whichtoken.EtcdModRevision }))
	first, _ := wrong(3).First()
	again, _ := wrong(3).First()
	other, _ := wrong(4).First()
	assert.Equal(t, first.Events, again.Events)
	assert.NotEqual(t, first.Events, other.Events)
}
