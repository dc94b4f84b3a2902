package fencing_test

import (
	"flag"
	"fmt"
	"math"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

// An independent judge of what the verdict says: porcupine, a checker of
// linearizability that knows nothing of this package. It sees what the clients
// saw (calls, returns, and the versions in the replies) and the model of a fenced
// register. A plain register that accepts everything is always linearizable, so
// that would prove nothing.

// asked and answered are one operation on the storage.
type asked struct {
	op    fencing.Op // NoOp is a clean-up
	token uint64
	value string
}

type answered struct {
	outcome fencing.Outcome // Unknown if the client never learned
	value   string          // of a read or a claim
	version int
}

// register is the state of one key.
type register struct {
	fence   uint64
	version int
	value   string
}

func (r register) raised(token uint64) register {
	r.fence = max(r.fence, token)
	return r
}

func (r register) changed(to asked) register {
	r.version++
	r.value = to.value
	return r.raised(to.token)
}

// fencedRegister accepts a token that is not below the fence and nothing else. A
// lenient one lets the storage reject what it likes: that is safe, and useless.
func fencedRegister(lenient bool) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return register{} },
		Step: func(state, input, output any) (bool, any) {
			return state.(register).step(input.(asked), output.(answered), lenient)
		},
		Equal: func(a, b any) bool { return a == b },
	}
}

func (r register) step(in asked, out answered, lenient bool) (bool, any) {
	high := in.token >= r.fence
	switch {
	case in.op == fencing.NoOp:
		return true, register{r.fence, r.version + 1, ""}
	case in.op == fencing.OpRead:
		return out.outcome == fencing.Unknown || out.version == r.version && out.value == r.value, r
	case out.outcome == fencing.Fail:
		return lenient || !high, r
	case out.outcome == fencing.Unknown && !high:
		return true, r
	case in.op == fencing.OpClaim:
		// A lenient storage lets everybody claim: a claim changes no data.
		return (lenient || high) && (out.outcome == fencing.Unknown || out.version == r.version && out.value == r.value), r.raised(in.token)
	}
	next := r.changed(in)
	return high && (out.outcome == fencing.Unknown || out.version == next.version), next
}

// history is what the clients saw of each key. An operation of unknown outcome is
// under way until the end, and so is the second arrival of a message.
func history(trace *fencing.Trace) map[string][]porcupine.Operation {
	ops := map[string][]porcupine.Operation{}
	of := map[int]*porcupine.Operation{}
	arrived := map[int]int{}
	var calls []fencing.Event
	for _, e := range trace.Events {
		switch {
		case e.Kind == fencing.Deleted && e.Op == fencing.NoOp:
			ops[e.Key] = append(ops[e.Key], porcupine.Operation{Input: asked{}, Output: answered{}, Call: int64(e.Seq), Return: int64(e.Seq)})
		case !onStorage(e.Op):
		case e.Kind == fencing.Called:
			of[e.Call] = &porcupine.Operation{Input: asked{e.Op, e.Token, e.Value}, Output: answered{outcome: fencing.Unknown}, Call: int64(e.Seq), Return: math.MaxInt64}
			calls = append(calls, e)
		case e.Kind == fencing.Returned && e.Outcome != fencing.Unknown:
			of[e.Call].Output, of[e.Call].Return = answered{e.Outcome, e.Value, e.Version}, int64(e.Seq)
		case e.Kind == fencing.Arrived && !e.Reply:
			arrived[e.Call]++
		}
	}
	for _, e := range calls {
		op := *of[e.Call]
		ops[e.Key] = append(ops[e.Key], op)
		for range arrived[e.Call] - 1 {
			op.Output, op.Return = answered{outcome: fencing.Unknown}, math.MaxInt64
			ops[e.Key] = append(ops[e.Key], op)
		}
	}
	return ops
}

func onStorage(op fencing.Op) bool {
	return op == fencing.OpWrite || op == fencing.OpRead || op == fencing.OpClaim || op == fencing.OpDelete
}

// judge reports whether every key's history is that of the model.
func judge(model porcupine.Model, history map[string][]porcupine.Operation) bool {
	for _, ops := range history {
		if !porcupine.CheckOperations(model, ops) {
			return false
		}
	}
	return true
}

// allKnown reports whether every client learned the outcome of everything it did.
func allKnown(history map[string][]porcupine.Operation) bool {
	for _, ops := range history {
		for _, op := range ops {
			if op.Return == math.MaxInt64 {
				return false
			}
		}
	}
	return true
}

var judged = flag.Int("judged", 800, "how many random runs of each kind the judge looks at")

// judgeRuns lets a judge see random runs of one kind.
func judgeRuns(t *testing.T, k kind, see func(*testing.T, *fencing.Trace)) {
	t.Helper()
	errors := 0
	for seed := range *judged {
		trace := k.world(randomBytes(uint64(seed))).Run()
		if trace.Err() != nil {
			errors++ // a fault that was never reached
			continue
		}
		see(t, trace)
		if t.Failed() {
			t.Fatalf("seed %d\n%s", seed, trace)
		}
	}
	require.Less(t, errors, *judged/2, "too many runs prove nothing")
}

// noConditions keeps to operations that the register has.
func noConditions(p *plan) { p.cond = false }

func checkedBy(c fencing.Check) func(*fencing.Config) {
	return func(config *fencing.Config) {
		config.Check = c
		if c == fencing.TwoSteps {
			config.CheckGap = 2 * s
		}
	}
}

func TestTheJudgeFindsNothingWhereTheFenceIsRightAndAgreesWithTheVerdictWhereItIsNot(t *testing.T) {
	off := func(c *fencing.Config) { c.Fencing = false }
	forgets := func(c *fencing.Config) { c.FenceForgotten = true }
	numbered := func(c *fencing.Config) { c.NumberedWrites = true }
	for name, test := range map[string]struct {
		config func(*fencing.Config)
		unsafe bool // a stale write is accepted in some run
		wrong  bool // a right write is rejected in some run
	}{
		"at least":                       {nil, false, false},
		"numbered":                       {numbered, false, true},
		"higher":                         {checkedBy(fencing.Higher), false, true},
		"equal":                          {checkedBy(fencing.Equal), false, true},
		"the last to claim":              {checkedBy(fencing.Owner), false, true},
		"in two steps":                   {checkedBy(fencing.TwoSteps), true, true},
		"the version, and not the token": {checkedBy(fencing.Version), true, true},
		"forgotten":                      {forgets, true, true},
		"off":                            {off, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kind{config: test.config, plan: noConditions, declared: harmful, copies: true}
			strict, lenient := fencedRegister(false), fencedRegister(true)
			unsafe, wrong := 0, 0
			judgeRuns(t, k, func(t *testing.T, trace *fencing.Trace) {
				h := history(trace)
				safe, verdict := judge(lenient, h), trace.Verdict().Finding(fencing.NoStaleWrite).Status
				if !safe {
					assert.Equal(t, fencing.Violated, verdict, "the judge found what the verdict did not")
				}
				if allKnown(h) {
					assert.Equal(t, verdict == fencing.Violated, !safe, "where every outcome is known the two agree")
				}
				if !safe {
					unsafe++
				}
				if !judge(strict, h) {
					wrong++
				}
			})
			t.Logf("unsafe in %d runs of %d, not a fenced register in %d", unsafe, *judged, wrong)
			assert.Equal(t, test.unsafe, unsafe > 0, "unsafe runs: %d", unsafe)
			assert.Equal(t, test.wrong, wrong > 0, "runs that are none of a fenced register: %d", wrong)
		})
	}
}

// section is a whole critical section: what it had read and what it wrote.
type section struct{ read, wrote string }

// sections is a model whose operations read and write in one step. A section of
// unknown outcome has none where it does not fit.
var sections = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		in := input.(section)
		if state == in.read {
			return true, in.wrote
		}
		return output == fencing.Unknown, state
	},
}

// sectionsOf takes a read or a claim and the write after it for one operation.
func sectionsOf(trace *fencing.Trace) []porcupine.Operation {
	type underWay struct {
		read  fencing.Event // its return
		began int64
		wrote string
	}
	var ops []porcupine.Operation
	now := map[string]*underWay{}
	for _, e := range trace.Events {
		u := now[e.Actor]
		if e.Key != "report" && e.Kind != fencing.Crashed {
			continue
		}
		switch {
		case e.Kind == fencing.Crashed && u != nil && u.wrote != "":
			ops = append(ops, porcupine.Operation{Input: section{u.read.Value, u.wrote}, Output: fencing.Unknown, Call: u.began, Return: math.MaxInt64})
			delete(now, e.Actor)
		case e.Kind == fencing.Called && (e.Op == fencing.OpRead || e.Op == fencing.OpClaim):
			now[e.Actor] = &underWay{began: int64(e.Seq)}
		case u == nil:
		case e.Kind == fencing.Returned && (e.Op == fencing.OpRead || e.Op == fencing.OpClaim):
			if u.read = e; e.Actor == auditor {
				ops = append(ops, porcupine.Operation{Input: section{e.Value, e.Value}, Output: fencing.OK, Call: u.began, Return: int64(e.Seq)})
			}
		case e.Kind == fencing.Called && e.Op == fencing.OpWrite:
			u.wrote = e.Value
		case e.Kind == fencing.Returned && e.Op == fencing.OpWrite:
			if e.Outcome != fencing.Fail {
				op := porcupine.Operation{Input: section{u.read.Value, u.wrote}, Output: e.Outcome, Call: u.began, Return: int64(e.Seq)}
				if e.Outcome == fencing.Unknown {
					op.Return = math.MaxInt64
				}
				ops = append(ops, op)
			}
			delete(now, e.Actor)
		}
	}
	return ops
}

func TestTheJudgeFindsNoLostUpdateWithAFenceAClaimAndUniqueTokensAndOneWithoutAnyOfThem(t *testing.T) {
	const claims, reads = true, false
	off := func(c *fencing.Config) { c.Fencing = false }
	for name, test := range map[string]struct {
		config   func(*fencing.Config)
		claim    bool
		declared []declared
		lost     bool
	}{
		"all three":          {nil, claims, noMemory(harmless), false},
		"no fence":           {off, claims, noMemory(harmless), true},
		"no claim":           {nil, reads, noMemory(harmless), true},
		"tokens given twice": {nil, claims, []declared{rolledBack}, true},
		"generations":        {func(c *fencing.Config) { c.Generations = true }, claims, []declared{rolledBack}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kind{config: test.config, declared: test.declared, plan: func(p *plan) {
				*p = plan{start: p.start, before: p.before, after: p.after, renew: p.renew, rounds: p.rounds, check: p.check,
					writes: 1, key: "report", claim: test.claim, read: !test.claim}
			}}
			lost := 0
			judgeRuns(t, k, func(t *testing.T, trace *fencing.Trace) {
				ops := sectionsOf(trace)
				safe, verdict := porcupine.CheckOperations(sections, ops), trace.Verdict()
				found := verdict.Finding(fencing.NoLostUpdate).Status == fencing.Violated || verdict.Finding(fencing.NoLostOwnUpdate).Status == fencing.Violated
				if !safe {
					assert.True(t, found, "the judge found what the verdict did not")
				}
				if allKnown(map[string][]porcupine.Operation{"": ops}) {
					assert.Equal(t, found, !safe, "where every outcome is known the two agree")
				}
				if !safe {
					lost++
				}
			})
			t.Logf("lost updates in %d runs of %d", lost, *judged)
			assert.Equal(t, test.lost, lost > 0, "runs with a lost update: %d", lost)
		})
	}
}

func rolledBack(from *source, _ int) fencing.Fault {
	return fencing.FailOver(from.half(60)).CountingBack(uint64(1 + from.below(3)))
}

// noMemory leaves out restarts: a client that remembers its lease writes without
// having read.
func noMemory(all []declared) []declared {
	var some []declared
	for _, d := range all {
		if d(&source{}, 1).Action != fencing.RestartIt {
			some = append(some, d)
		}
	}
	return some
}

func TestTheJudgeItselfTellsRightFromWrong(t *testing.T) {
	op := func(in asked, out answered, call, ret int64) porcupine.Operation {
		return porcupine.Operation{Input: in, Output: out, Call: call, Return: ret}
	}
	newer := op(asked{fencing.OpWrite, 34, "b"}, answered{fencing.OK, "", 1}, 1, 2)
	stale := op(asked{fencing.OpWrite, 33, "a"}, answered{fencing.OK, "", 2}, 3, 4)
	early := op(asked{fencing.OpWrite, 33, "a"}, answered{fencing.OK, "", 1}, 0, 4)
	lost := op(asked{fencing.OpWrite, 33, "a"}, answered{outcome: fencing.Unknown}, 0, math.MaxInt64)
	reads := func(value string, version int) porcupine.Operation {
		return op(asked{op: fencing.OpRead}, answered{fencing.OK, value, version}, 5, 6)
	}
	for name, test := range map[string]struct {
		ops  []porcupine.Operation
		want bool
	}{
		"in order":                      {[]porcupine.Operation{newer, reads("b", 1)}, true},
		"stale":                         {[]porcupine.Operation{newer, stale}, false},
		"an old version is read":        {[]porcupine.Operation{newer, reads("", 0)}, false},
		"unknown and never carried out": {[]porcupine.Operation{newer, lost, reads("b", 1)}, true},
		"unknown and stale":             {[]porcupine.Operation{newer, lost, reads("a", 2)}, false},
		"two of one version":            {[]porcupine.Operation{newer, early}, false},
	} {
		assert.Equal(t, test.want, porcupine.CheckOperations(fencedRegister(false), test.ops), fmt.Sprint(name))
	}
}
