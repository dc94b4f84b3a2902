package fencing_test

import (
	"bytes"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencingtokens/fencing"
)

func quoteGo(text string) string { return strconv.Quote(text) }

func inJSONL(t *testing.T, trace *fencing.Trace) string {
	var b bytes.Buffer
	require.NoError(t, trace.WriteJSONL(&b))
	return b.String()
}

func readBack(t *testing.T, text string) *fencing.Trace {
	trace, err := fencing.ReadJSONL(strings.NewReader(text))
	require.NoError(t, err)
	return trace
}

// assertSame asserts that a trace read back tells what the one written told.
func assertSame(t *testing.T, want, got *fencing.Trace) {
	t.Helper()
	assert.Equal(t, want.Events, got.Events)
	assert.Equal(t, want.Clients, got.Clients)
	assert.Equal(t, want.String(), got.String())
	assert.Equal(t, want.Verdict(), got.Verdict())
	assert.Equal(t, want.Grants(), got.Grants())
	assert.Equal(t, want.Beliefs(), got.Beliefs())
	assert.Equal(t, want.Attempts(), got.Attempts())
	assert.Equal(t, want.Flights(), got.Flights())
	assert.Equal(t, want.Err() == nil, got.Err() == nil)
	if want.Err() != nil && got.Err() != nil {
		assert.EqualError(t, got.Err(), want.Err().Error())
	}
}

func TestATraceThatIsWrittenAndReadBackIsTheSame(t *testing.T) {
	for _, preset := range fencing.Presets() {
		for _, preset.Fencing = range []bool{false, true} {
			trace := preset.Run()
			got := readBack(t, inJSONL(t, trace))
			assert.Equal(t, trace.Config, got.Config)
			assertSame(t, trace, got)
		}
	}
}

func TestATraceWithAnErrorOrAStorageOfYourOwnIsReadBackWithIt(t *testing.T) {
	for name, trace := range map[string]*fencing.Trace{
		"a panic":            run(fencing.Config{}, func(*fencing.Client) { panic("no\nway") }),
		"a stuck client":     run(withFault(fencing.Drop("client 1", fencing.AcquireReply)), justAcquire),
		"a bad parameter":    run(fencing.Config{Lease: -s}, idle),
		"an unreached fault": run(withFault(fencing.Crash("client 1", fencing.AfterWrite)), justAcquire),
		"a storage of your own": run(fencing.Config{Storage: storage(func() error { return errors.New("full") })},
			func(c *fencing.Client) { c.Write("report", "x", 33) }),
		"hostile names": run(fencing.Config{Name: "<a> & \"b\"\n", Fencing: true}, func(c *fencing.Client) {
			c.Write("😀/=;\n\u2028", "\x00<script>\u2029", 1<<64-1)
		}),
	} {
		t.Run(name, func(t *testing.T) { assertSame(t, trace, readBack(t, inJSONL(t, trace))) })
	}
}

// fill sets every field to something that is not zero.
func fill(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(v.Type().Field(i).Name)
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int64, reflect.Int32:
			f.SetInt(int64(i) + 1)
		case reflect.Uint64, reflect.Uint32:
			f.SetUint(uint64(i) + 1)
		case reflect.Uint8:
			f.SetUint(1)
		}
	}
}

func TestEveryFieldOfAConfigurationAndOfAnEventIsWritten(t *testing.T) {
	var config fencing.Config
	fill(reflect.ValueOf(&config).Elem())
	config.Clocks = []fencing.Clock{{Actor: "client 1", Offset: 3, PPM: 4}}
	config.Faults = []fencing.Fault{fencing.Pause("client 1", fencing.AfterAcquire, 5).Time(2)}
	trace := &fencing.Trace{Config: config, Clients: []string{"client 1"}}
	for n := range 2 {
		var e fencing.Event
		fill(reflect.ValueOf(&e).Elem())
		e.Seq, e.Cause = n+1, n
		trace.Events = append(trace.Events, e)
	}
	got := readBack(t, inJSONL(t, trace))
	assert.Equal(t, trace.Config, got.Config)
	assert.Equal(t, trace.Events, got.Events)
}

func TestTheFormatIsOneHeaderLineAndOneLineForEachEvent(t *testing.T) {
	lines := strings.Split(inJSONL(t, fencing.GCPause().Run()), "\n")
	assert.Equal(t, `{"format":"fencing trace","version":1,"clients":["client 1","client 2"],"config":{"name":"GC pause","steps":100000,"lease":10000000000,"firstToken":33,"faults":"client 1/after acquire/1=pause 14s"}}`, lines[0])
	assert.Equal(t, `{"seq":1,"at":1000000000,"clock":1000000000,"actor":"client 1","kind":"called","op":"acquire","call":1,"key":"report"}`, lines[1])
	assert.Empty(t, lines[len(lines)-1], "every line ends with a line break")
}

func TestALineThatCannotBeUnderstoodIsNamed(t *testing.T) {
	good := inJSONL(t, fencing.GCPause().Run())
	for name, test := range map[string]struct{ from, to, want string }{
		"nothing at all":       {good, "", "there is no trace, because there is no line: read what Trace.WriteJSONL wrote"},
		"another format":       {"fencing trace", "journal", `line 1 has the format "journal": the first line of a trace has "fencing trace"`},
		"another version":      {`"version":1`, `"version":2`, "line 1 has version 2 of the format, and this program reads version 1"},
		"no header":            {good[:strings.Index(good, "\n")+1], "", `line 1 cannot be understood: unknown field "seq"`},
		"no JSON":              {`{"seq":2`, `seq 2`, "line 3 cannot be understood: invalid character 's' looking for beginning of value"},
		"half a line":          {`"kind":"called","op":"acquire","call":1,"key":"report"}`, `"kind":`, "line 2 cannot be understood: unexpected EOF"},
		"two on a line":        {"}\n{\"seq\":2", "}{\"seq\":2", "line 2 goes on after its end: write one JSON object a line"},
		"an unknown field":     {`{"seq":2`, `{"colour":"red","seq":2`, `line 3 cannot be understood: unknown field "colour"`},
		"an unknown operation": {`"op":"acquire"`, `"op":"borrow"`, `line 2 cannot be understood: there is no operation "borrow": take one of "acquire", "try to acquire", "renew", "release", "write", "read", "claim", "delete", "ask"`},
		"an unknown outcome":   {`"outcome":"ok"`, `"outcome":"so-so"`, `cannot be understood: there is no outcome "so-so": take one of "ok", "fail", "unknown"`},
		"an unknown kind":      {`"kind":"called"`, `"kind":"cold"`, `line 2 cannot be understood: there is no kind "cold": take one of "called", "returned",`},
		"an unknown check":     {`"steps":`, `"check":"best","steps":`, `line 1 has a configuration that cannot be: there is no check "best": take one of "at least the fence",`},
		"an unknown fault":     {`1=pause 14s`, `1=nap 14s`, `line 1 has a configuration that cannot be: the choice string stops making sense at`},
		"a missing line":       {`{"seq":2`, `{"seq":3`, "line 3 has the event 3 where event 2 belongs: lines are missing or out of order"},
		"a cause to come":      {`"cause":1`, `"cause":99`, "line 3 has the cause 99: an event's cause is an event before it, or 0"},
		"a broken time":        {`{"seq":1,"at":1000000000`, `{"seq":1,"at":1.5`, "line 2 cannot be understood: cannot unmarshal number 1.5 into Go struct field jsonEvent.at of type time.Duration"},
	} {
		_, err := fencing.ReadJSONL(strings.NewReader(strings.Replace(good, test.from, test.to, 1)))
		assert.ErrorContains(t, err, test.want, name)
	}
}

func TestWhatJSONCannotHoldIsRefused(t *testing.T) {
	trace := run(fencing.Config{}, func(c *fencing.Client) { c.Write("report", "\xff", 33) })
	assert.EqualError(t, trace.WriteJSONL(new(bytes.Buffer)), `event 1 has the text "\xff", which is not valid UTF-8, and JSON cannot hold it`)
	trace = run(fencing.Config{Name: "\xfe"}, idle)
	assert.EqualError(t, trace.WriteJSONL(new(bytes.Buffer)), `the trace has the name "\xfe", which is not valid UTF-8, and JSON cannot hold it: choose another`)
	trace = run(fencing.Config{Faults: []fencing.Fault{{Actor: "client 1"}}}, idle)
	assert.ErrorContains(t, trace.WriteJSONL(new(bytes.Buffer)), "the trace has faults that cannot be: ")
	trace = run(fencing.Config{Check: 99}, func(*fencing.Client) {})
	assert.EqualError(t, trace.WriteJSONL(new(bytes.Buffer)), "the trace has the check 99, which is none: run it with one of fencing's, for example fencing.AtLeast", "ReadJSONL would refuse it")
}

type brokenPipe struct{ after int }

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.after -= len(p); b.after < 0 {
		return 0, errors.New("the disk is full")
	}
	return len(p), nil
}

func TestAWritersErrorIsReturned(t *testing.T) {
	assert.EqualError(t, fencing.GCPause().Run().WriteJSONL(&brokenPipe{5000}), "the disk is full")
	assert.EqualError(t, fencing.GCPause().Run().WriteJSONL(&brokenPipe{}), "the disk is full")
}

func TestATraceOfAnyEventsIsToldWithoutAPanic(t *testing.T) {
	var lines strings.Builder
	lines.WriteString(`{"format":"fencing trace","version":1,"config":{}}` + "\n")
	seq := 0
	for kind := fencing.Called; kind <= fencing.Failed; kind++ {
		for _, op := range []fencing.Op{fencing.NoOp, fencing.OpAcquire, fencing.OpWrite, fencing.OpDelete} {
			seq++
			lines.WriteString(`{"seq":` + strconv.Itoa(seq) + `,"at":1,"clock":1,"actor":"x","kind":"` + kind.String() + `","op":"` + op.String() + `","msg":9,"version":3}` + "\n")
		}
	}
	trace := readBack(t, lines.String())
	assert.NotPanics(t, func() {
		_, _ = trace.String(), trace.Verdict()
		trace.Flights()
		trace.Waits()
		trace.Contents()
		trace.Overlaps()
	})
	assert.Equal(t, time.Duration(1), trace.End())
}
