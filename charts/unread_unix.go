//go:build unix

package charts

import (
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// unread returns how many bytes wait in a pipe for their reader.
func unread(pipe *os.File) (int, error) {
	request := uintptr(0x541b) // FIONREAD of Linux
	if runtime.GOOS != "linux" {
		request = 0x4004667f // of macOS and the BSDs
	}
	var n int32
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, pipe.Fd(), request, uintptr(unsafe.Pointer(&n)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
