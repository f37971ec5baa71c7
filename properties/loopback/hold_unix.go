//go:build unix

package loopback

import (
	"io"
	"syscall"
)

// holdPort binds a port and does not listen there: a connection to it is
// refused, and nobody else can take it.
func holdPort(port int) (io.Closer, error) {
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, err
	}
	if err = syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err == nil {
		err = syscall.Bind(fd, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}})
	}
	if err != nil {
		syscall.Close(fd)
		return nil, err
	}
	return held(fd), nil
}

type held int

func (h held) Close() error { return syscall.Close(int(h)) }
