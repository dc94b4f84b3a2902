package database

import (
	"database/sql"
	"errors"
)

// Fault is what the world does to one step of a worker.
type Fault uint8

// The faults. A connection that breaks takes its open transaction with it.
const (
	Crash     Fault = iota + 1 // the worker is gone before the step, and does nothing any more
	CutBefore                  // the connection breaks, and the step was not done
	CutAfter                   // the step was done, and then the connection breaks: the reply is lost
)

// Errors that a worker's calls return. To the worker, the two cuts look the same.
var (
	errCut  = errors.New("the connection broke before a reply came")
	errGone = errors.New("this worker has crashed, and nothing that it does has an effect")
)

// Worker is one process that uses the database. Its DB is what a learner's
// function is given.
type Worker struct {
	DB     *sql.DB
	Leaked bool // a call came back and left a transaction, a connection or rows open

	database *Database
	name     string
	conns    []*conn
	steps    int
	before   func(step int)
	fault    Fault
	at       int // the step that the fault falls on
	gone     bool
}

// Worker returns a new worker with a name for the events.
func (d *Database) Worker(name string) *Worker {
	w := &Worker{database: d, name: name}
	w.DB = sql.OpenDB(w)
	d.workers = append(d.workers, w)
	return w
}

// Steps returns how many steps the worker has made.
func (w *Worker) Steps() int { return w.steps }

// Strike lets a fault fall on a step to come.
func (w *Worker) Strike(step int, fault Fault) { w.at, w.fault = step, fault }

// Crashed reports whether the worker is gone.
func (w *Worker) Crashed() bool { return w.gone }

// Call calls the learner's code and ends what it leaves open, so that a check can
// look into the database afterwards.
func (w *Worker) Call(what string, code func() error) error {
	w.database.Note("%s calls %s", w.name, what)
	err := code()
	if w.gone {
		return err
	}
	if w.DB.Stats().InUse > 0 {
		w.Leaked = true
		w.database.Note("%s’s call returns %s, and leaves a connection in use", w.name, told(err))
		w.cut()
		return err
	}
	w.database.Note("%s’s call returns %s", w.name, told(err))
	return err
}

// Step makes one step: do, unless the world breaks at it.
func (w *Worker) Step(do func() error) error {
	if w.gone {
		return errGone
	}
	step := w.steps
	w.steps++
	if w.before != nil {
		w.before(step)
	}
	if w.fault == 0 || step != w.at {
		return do()
	}
	switch w.fault {
	case Crash:
		w.gone = true
		w.cut()
		w.database.Note("%s crashes", w.name)
		return errGone
	case CutAfter:
		do()
		w.database.Note("the reply to %s is lost, and its connection breaks", w.name)
	case CutBefore:
		w.database.Note("the connection of %s breaks before the next step", w.name)
	}
	return errCut
}

// Note adds a line about the worker to the events.
func (w *Worker) Note(format string, args ...any) { w.database.Note(w.name+" "+format, args...) }

// cut breaks all the worker's connections.
func (w *Worker) cut() {
	for _, c := range w.conns {
		c.cut()
	}
}

func told(err error) string {
	if err == nil {
		return "nil"
	}
	return "an error: " + err.Error()
}
