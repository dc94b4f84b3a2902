package private

import (
	"context"
	"errors"
	"net"
	"os"

	"fencingtokens/fencing/live"
)

// Conceal returns an error that says what failed, and of its cause the
// [live.Reason] alone. errors.Is still finds [context.DeadlineExceeded] in it if no answer came
// in time, and [context.Canceled]; nothing else of the cause.
func Conceal(what string, err error) error {
	e := &concealed{what: what, reason: live.Reason(err)}
	if isTimeout(err) {
		e.cause = context.DeadlineExceeded
	} else if errors.Is(err, context.Canceled) {
		e.cause = context.Canceled
	}
	return e
}

// Because is an error that says what failed, and the reason in words that show
// nothing private.
func Because(what, reason string) error { return &concealed{what: what, reason: reason} }

type concealed struct {
	what, reason string
	cause        error
}

func (e *concealed) Error() string  { return e.what + ": " + e.reason }
func (e *concealed) Unwrap() error  { return e.cause }
func (e *concealed) Reason() string { return e.reason } // for live.Reason

func isTimeout(err error) bool {
	var e net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &e) && e.Timeout()
}
