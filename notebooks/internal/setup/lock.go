package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// lock lets one set-up at a time into the folder. The kernel of the operating
// system frees it when its holder dies: this lock needs no lease.
func lock(ctx context.Context, name string, out io.Writer) (unlock func() error, err error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	said := false
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return file.Close, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errors.Join(fmt.Errorf("cannot lock %s: %w", name, err), file.Close())
		}
		if !said {
			fmt.Fprintln(out, "Another set-up runs in this folder; waiting until it is done.")
			said = true
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(errors.New("stopped while waiting for another set-up"), file.Close())
		case <-time.After(200 * time.Millisecond):
		}
	}
}
