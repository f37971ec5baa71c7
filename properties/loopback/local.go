package loopback

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// ListenTCP opens a port of 127.0.0.1, port 0 for any that is free. An address of
// another host is an error.
func ListenTCP(address string) (*net.TCPListener, error) {
	if _, port, err := net.SplitHostPort(address); err == nil && port == "" {
		return nil, fmt.Errorf("loopback: listen on %s: the port is missing; an address is such as 127.0.0.1:0, port 0 for any that is free", address)
	}
	tcp, err := net.ResolveTCPAddr("tcp4", address)
	if err != nil {
		return nil, fmt.Errorf("loopback: listen on %s: %w; an address is such as 127.0.0.1:0, port 0 for any that is free", address, err)
	}
	if !tcp.IP.Equal(net.IPv4(127, 0, 0, 1)) {
		return nil, fmt.Errorf("loopback: listen on %s: only 127.0.0.1 is listened on, as in 127.0.0.1:0", address)
	}
	listener, err := net.ListenTCP("tcp4", tcp)
	if err != nil {
		return nil, fmt.Errorf("loopback: %w", err) // it names the address
	}
	return listener, nil
}

// Local tells whether a request is one of this machine's own: its Host, and each
// Origin that it has, name this machine as such, by localhost, a name under it, or
// an address of loopback. A page of the web is told apart by its Origin; one whose
// name was made to lead here (DNS rebinding) by its Host.
func Local(request *http.Request) bool {
	for _, origin := range request.Header.Values("Origin") {
		if u, err := url.Parse(origin); err != nil || !localHost(u.Host) {
			return false
		}
	}
	return localHost(request.Host)
}

// localHost tells whether a host, with or without a port, names this machine.
func localHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}
