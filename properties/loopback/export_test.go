package loopback

import (
	"context"
	"net"
)

// What tests from outside see.
var Accepting = accepting

func (s Script) Perform(ctx context.Context, conn net.Conn, writing func()) (End, error) {
	return s.perform(ctx, conn, writing)
}
