//go:build !unix

package charts

import (
	"errors"
	"os"
)

func unread(*os.File) (int, error) { return 0, errors.ErrUnsupported }
