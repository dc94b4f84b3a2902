package fencing

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// jsonFormat and jsonVersion begin every file, so that a reader knows what it has.
const (
	jsonFormat  = "fencing trace"
	jsonVersion = 1
)

// jsonHeader is the first line.
type jsonHeader struct {
	Format  string     `json:"format"`
	Version int        `json:"version"`
	Clients []string   `json:"clients,omitempty"`
	Config  jsonConfig `json:"config"`
	Error   string     `json:"error,omitempty"`
}

// jsonConfig is [Config], with its faults as one choice string and its check by
// name. A Chooser is not written: what it chose is in the events.
type jsonConfig struct {
	Name              string        `json:"name,omitempty"`
	Program           string        `json:"program,omitempty"`
	Systems           string        `json:"systems,omitempty"`
	Steps             int           `json:"steps,omitempty"`
	Untraced          bool          `json:"untraced,omitempty"`
	Lease             time.Duration `json:"lease,omitempty"`
	FirstToken        uint64        `json:"firstToken,omitempty"`
	LockDelay         time.Duration `json:"lockDelay,omitempty"`
	NoticeLate        time.Duration `json:"noticeLate,omitempty"`
	ReviveLate        bool          `json:"reviveLate,omitempty"`
	SameToken         bool          `json:"sameToken,omitempty"`
	MaxHold           time.Duration `json:"maxHold,omitempty"`
	PlainDelete       bool          `json:"plainDelete,omitempty"`
	WaiterLease       bool          `json:"waiterLease,omitempty"`
	Generations       bool          `json:"generations,omitempty"`
	Nodes             int           `json:"nodes,omitempty"`
	Fencing           bool          `json:"fencing,omitempty"`
	Check             string        `json:"check,omitempty"`
	CheckGap          time.Duration `json:"checkGap,omitempty"`
	NumberedWrites    bool          `json:"numberedWrites,omitempty"`
	FenceForgotten    bool          `json:"fenceForgotten,omitempty"`
	OwnStorage        bool          `json:"ownStorage,omitempty"`
	Idempotent        bool          `json:"idempotent,omitempty"`
	Latency           time.Duration `json:"latency,omitempty"`
	Timeout           time.Duration `json:"timeout,omitempty"`
	Clocks            []jsonClock   `json:"clocks,omitempty"`
	DeadlineFromReply bool          `json:"deadlineFromReply,omitempty"`
	Faults            string        `json:"faults,omitempty"`
}

type jsonClock struct {
	Actor  string        `json:"actor"`
	Offset time.Duration `json:"offset,omitempty"`
	PPM    int64         `json:"ppm,omitempty"`
}

// jsonEvent is [Event], with its kind, operation and outcome by name.
type jsonEvent struct {
	Seq     int           `json:"seq"`
	At      time.Duration `json:"at"`
	Clock   time.Duration `json:"clock"`
	Actor   string        `json:"actor"`
	Client  string        `json:"client,omitempty"`
	Service string        `json:"service,omitempty"`
	Kind    string        `json:"kind"`
	Op      string        `json:"op,omitempty"`
	Reply   bool          `json:"reply,omitempty"`
	Outcome string        `json:"outcome,omitempty"`
	Call    int           `json:"call,omitempty"`
	Msg     int           `json:"msg,omitempty"`
	Cause   int           `json:"cause,omitempty"`
	Key     string        `json:"key,omitempty"`
	Token   uint64        `json:"token,omitempty"`
	Fence   uint64        `json:"fence,omitempty"`
	Until   time.Duration `json:"until,omitempty"`
	Value   string        `json:"value,omitempty"`
	Version int           `json:"version,omitempty"`
	Number  int           `json:"number,omitempty"`
	Note    string        `json:"note,omitempty"`
}

// WriteJSONL writes the trace as JSON Lines: a header line with the format's
// name and version, the clients' names, the configuration and the run's error if
// it has one; then one line for each event. A field is named like that of
// [Config] or [Event], in lower case, and left out if it is zero. Times are whole
// numbers of nanoseconds; kinds, operations, outcomes and checks are their names;
// faults are one choice string ([ParseFaults] reads it). [ReadJSONL] reads it all
// back.
//
// The error is that of the writer, or says what cannot be written: a text that is
// not valid UTF-8, a check that is none, or a fault without an action.
func (t *Trace) WriteJSONL(to io.Writer) error {
	header := jsonHeader{Format: jsonFormat, Version: jsonVersion, Clients: t.Clients, Config: t.Config.toJSON()}
	if t.err != nil {
		header.Error = t.err.Error()
	}
	if text := header.notUTF8(); text != "" {
		return fmt.Errorf("the trace has the name %q, which is not valid UTF-8, and JSON cannot hold it: choose another", text)
	}
	if int(t.Config.Check) >= len(checkNames) {
		return fmt.Errorf("the trace has the check %d, which is none: run it with one of fencing's, for example fencing.AtLeast", t.Config.Check)
	}
	if _, err := ParseFaults(header.Config.Faults); err != nil {
		return fmt.Errorf("the trace has faults that cannot be: %w", err)
	}
	lines := bufio.NewWriter(to)
	enc := json.NewEncoder(lines)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(header); err != nil {
		return err
	}
	for _, e := range t.Events {
		if text := e.notUTF8(); text != "" {
			return fmt.Errorf("event %d has the text %q, which is not valid UTF-8, and JSON cannot hold it", e.Seq, text)
		}
		if err := enc.Encode(e.toJSON()); err != nil {
			return err
		}
	}
	return lines.Flush()
}

func (h jsonHeader) notUTF8() string {
	texts := slices.Concat(h.Clients, []string{h.Config.Name, h.Config.Program, h.Config.Systems, h.Config.Faults, h.Error})
	for _, k := range h.Config.Clocks {
		texts = append(texts, k.Actor)
	}
	return firstNotUTF8(texts)
}

func (e Event) notUTF8() string {
	return firstNotUTF8([]string{e.Actor, e.Client, e.Service, e.Key, e.Value, e.Note})
}

func firstNotUTF8(texts []string) string {
	i := slices.IndexFunc(texts, func(s string) bool { return !utf8.ValidString(s) })
	if i < 0 {
		return ""
	}
	return texts[i]
}

func (c Config) toJSON() jsonConfig {
	j := jsonConfig{
		Name: c.Name, Program: c.Program, Systems: c.Systems, Steps: c.Steps, Untraced: c.Untraced,
		Lease: c.Lease, FirstToken: c.FirstToken, LockDelay: c.LockDelay, NoticeLate: c.NoticeLate, ReviveLate: c.ReviveLate,
		SameToken: c.SameToken, MaxHold: c.MaxHold, PlainDelete: c.PlainDelete, WaiterLease: c.WaiterLease, Generations: c.Generations, Nodes: c.Nodes,
		Fencing: c.Fencing, CheckGap: c.CheckGap, NumberedWrites: c.NumberedWrites, FenceForgotten: c.FenceForgotten,
		OwnStorage: c.Storage != nil, Idempotent: c.Idempotent,
		Latency: c.Latency, Timeout: c.Timeout, DeadlineFromReply: c.DeadlineFromReply, Faults: ChoiceString(c.Faults),
	}
	if c.Check != AtLeast {
		j.Check = c.Check.String()
	}
	for _, k := range c.Clocks {
		j.Clocks = append(j.Clocks, jsonClock(k))
	}
	return j
}

func (e Event) toJSON() jsonEvent {
	return jsonEvent{Seq: e.Seq, At: e.At, Clock: e.Clock, Actor: e.Actor, Client: e.Client, Service: e.Service, Kind: e.Kind.String(), Op: e.Op.String(),
		Reply: e.Reply, Outcome: e.Outcome.String(), Call: e.Call, Msg: e.Msg, Cause: e.Cause, Key: e.Key, Token: e.Token, Fence: e.Fence,
		Until: e.Until, Value: e.Value, Version: e.Version, Number: e.Number, Note: e.Note}
}

// ReadJSONL reads what [Trace.WriteJSONL] wrote. The trace has the same story,
// verdict and folds as the one that was written; its Err is a plain error with the
// same text. In place of a storage of your own it has one that only says that it
// is not there.
//
// The error is a sentence that names the line: something that is not JSON, a
// field, kind, operation, outcome or check of an unknown name, an event out of
// order, or a format of another version.
func ReadJSONL(from io.Reader) (*Trace, error) {
	lines := lineReader{from: bufio.NewReader(from)}
	t, err := lines.header()
	if err != nil {
		return nil, err
	}
	for {
		e, err := lines.event(len(t.Events) + 1)
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, err
		}
		t.Events = append(t.Events, e)
	}
}

// lineReader knows the number of the line it reads, for its errors.
type lineReader struct {
	from   *bufio.Reader
	number int
}

// next decodes the next line that is not empty; io.EOF says that there is none.
func (l *lineReader) next(into any) error {
	for {
		line, err := l.from.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("line %d cannot be read: %w", l.number+1, err)
		}
		if len(line) == 0 {
			return io.EOF
		}
		l.number++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return l.decode(line, into)
		}
	}
}

func (l *lineReader) decode(line []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return l.errorf("cannot be understood: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); err != io.EOF {
		return l.errorf("goes on after its end: write one JSON object a line")
	}
	return nil
}

func (l *lineReader) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d "+format, append([]any{l.number}, args...)...)
}

func (l *lineReader) header() (*Trace, error) {
	var h jsonHeader
	err := l.next(&h)
	switch {
	case err == io.EOF:
		return nil, errors.New("there is no trace, because there is no line: read what Trace.WriteJSONL wrote")
	case err != nil:
		return nil, err
	case h.Format != jsonFormat:
		return nil, l.errorf("has the format %q: the first line of a trace has %q", h.Format, jsonFormat)
	case h.Version != jsonVersion:
		return nil, l.errorf("has version %d of the format, and this program reads version %d", h.Version, jsonVersion)
	}
	t := &Trace{Clients: h.Clients}
	if h.Error != "" {
		t.err = errors.New(h.Error)
	}
	t.Config, err = h.Config.config()
	if err != nil {
		return nil, l.errorf("has a configuration that cannot be: %w", err)
	}
	return t, nil
}

func (j jsonConfig) config() (Config, error) {
	c := Config{
		Name: j.Name, Program: j.Program, Systems: j.Systems, Steps: j.Steps, Untraced: j.Untraced,
		Lease: j.Lease, FirstToken: j.FirstToken, LockDelay: j.LockDelay, NoticeLate: j.NoticeLate, ReviveLate: j.ReviveLate,
		SameToken: j.SameToken, MaxHold: j.MaxHold, PlainDelete: j.PlainDelete, WaiterLease: j.WaiterLease, Generations: j.Generations, Nodes: j.Nodes,
		Fencing: j.Fencing, CheckGap: j.CheckGap, NumberedWrites: j.NumberedWrites, FenceForgotten: j.FenceForgotten, Idempotent: j.Idempotent,
		Latency: j.Latency, Timeout: j.Timeout, DeadlineFromReply: j.DeadlineFromReply,
	}
	if j.OwnStorage {
		c.Storage = notHere{}
	}
	for _, k := range j.Clocks {
		c.Clocks = append(c.Clocks, Clock(k))
	}
	var err error
	if j.Check != "" {
		if c.Check, err = named[Check]("check", checkNames[:], j.Check); err != nil {
			return c, err
		}
	}
	c.Faults, err = ParseFaults(j.Faults)
	return c, err
}

// notHere stands for a storage that a file could not hold.
type notHere struct{}

func (notHere) Write(string, string, uint64) error {
	return errors.New("the storage of this run was not in the file that the trace was read from")
}
func (notHere) Read(string) string { return "" }

// event reads the event of that number.
func (l *lineReader) event(seq int) (Event, error) {
	var j jsonEvent
	if err := l.next(&j); err != nil {
		return Event{}, err
	}
	e := Event{Seq: j.Seq, At: j.At, Clock: j.Clock, Actor: j.Actor, Client: j.Client, Service: j.Service, Reply: j.Reply, Call: j.Call, Msg: j.Msg, Cause: j.Cause,
		Key: j.Key, Token: j.Token, Fence: j.Fence, Until: j.Until, Value: j.Value, Version: j.Version, Number: j.Number, Note: j.Note}
	if e.Seq != seq {
		return e, l.errorf("has the event %d where event %d belongs: lines are missing or out of order", e.Seq, seq)
	}
	if e.Cause < 0 || e.Cause >= e.Seq {
		return e, l.errorf("has the cause %d: an event's cause is an event before it, or 0", e.Cause)
	}
	return e, l.names(&e, j)
}

func (l *lineReader) names(e *Event, j jsonEvent) (err error) {
	e.Kind, err = named[Kind]("kind", kindNames[:], j.Kind)
	if err == nil && j.Op != "" {
		e.Op, err = named[Op]("operation", opNames[:], j.Op)
	}
	if err == nil && j.Outcome != "" {
		e.Outcome, err = named[Outcome]("outcome", outcomeNames[:], j.Outcome)
	}
	if err != nil {
		return l.errorf("cannot be understood: %w", err)
	}
	return nil
}

// named finds the value of a name.
func named[T ~uint8](what string, names []string, name string) (T, error) {
	i := slices.Index(names, name)
	if i < 0 || name == "" {
		known := slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s == "" })
		return 0, fmt.Errorf("there is no %s %q: take one of %s", what, name, quoted(known))
	}
	return T(i), nil
}
