package live

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"reflect"
	"syscall"
)

// Reason says why something went wrong without the texts of client libraries,
// which name addresses, users and sometimes passwords: what the operating system
// said, or that there was no answer in time. Of an error that it does not know it
// gives the type; one that has a method Reason says it itself.
func Reason(err error) string {
	var number syscall.Errno
	var lookup *net.DNSError
	var told interface{ Reason() string }
	switch {
	case err == nil:
		return "nothing is wrong"
	case errors.As(err, &told):
		return told.Reason()
	case errors.As(err, &number):
		return number.Error()
	case errors.As(err, &lookup):
		return "the name of its machine is not known"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "no answer in time"
	case errors.Is(err, context.Canceled):
		return "given up"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return "the connection was closed"
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return "an error of the kind " + reflect.TypeOf(err).String()
}
