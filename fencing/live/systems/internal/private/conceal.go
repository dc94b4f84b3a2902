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
	e := &concealed{text: what + ": " + live.Reason(err)}
	if isTimeout(err) {
		e.cause = context.DeadlineExceeded
	} else if errors.Is(err, context.Canceled) {
		e.cause = context.Canceled
	}
	return e
}

type concealed struct {
	text  string
	cause error
}

func (e *concealed) Error() string { return e.text }
func (e *concealed) Unwrap() error { return e.cause }

func isTimeout(err error) bool {
	var e net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &e) && e.Timeout()
}
