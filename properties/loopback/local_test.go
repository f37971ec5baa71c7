package loopback_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/properties/loopback"
)

func TestLocal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		host    string
		origins []string
		want    bool
	}{
		{"127.0.0.1:8080", nil, true},
		{"127.0.0.1", nil, true},
		{"127.1.2.3:80", nil, true},
		{"[::1]:80", nil, true},
		{"[::1]", nil, true},
		{"localhost", nil, true},
		{"LocalHost:1", nil, true},
		{"localhost.:1", nil, true},
		{"app.localhost:1", nil, true},
		{"", nil, false},
		{"evil.example", nil, false},
		{"evil.example:8080", nil, false},
		{"127.0.0.1.evil.example", nil, false},
		{"localhost.evil.example", nil, false},
		{"notlocalhost", nil, false},
		{"10.0.0.1:80", nil, false},
		{"0.0.0.0:80", nil, false},
		{"[::]:80", nil, false},
		{"127.0.0.1:80", []string{"http://localhost:6274"}, true},
		{"127.0.0.1:80", []string{"https://127.0.0.1"}, true},
		{"127.0.0.1:80", []string{"http://[::1]:3000"}, true},
		{"127.0.0.1:80", []string{"http://app.localhost"}, true},
		{"127.0.0.1:80", []string{"http://evil.example"}, false},
		{"127.0.0.1:80", []string{"http://localhost@evil.example"}, false},
		{"127.0.0.1:80", []string{"null"}, false},
		{"127.0.0.1:80", []string{"file://"}, false},
		{"127.0.0.1:80", []string{"%"}, false},
		{"127.0.0.1:80", []string{""}, false},
		{"127.0.0.1:80", []string{"http://localhost", "http://evil.example"}, false},
		{"evil.example", []string{"http://localhost"}, false},
	} {
		request := &http.Request{Host: test.host, Header: http.Header{"Origin": test.origins}}
		if got := loopback.Local(request); got != test.want {
			t.Errorf("host %q, origins %q: got %t, want %t", test.host, test.origins, got, test.want)
		}
	}
}

func TestListenTCP(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"127.0.0.1:0", "localhost:0"} {
		l, err := loopback.ListenTCP(address)
		if err != nil {
			t.Errorf("%s: got %v, want a port", address, err)
			continue
		}
		if got := l.Addr().String(); !strings.HasPrefix(got, "127.0.0.1:") {
			t.Errorf("%s: got %s, want one of 127.0.0.1", address, got)
		}
		l.Close()
	}
	for _, address := range []string{"", "0.0.0.0:0", ":0", "[::]:0", "[::1]:0", "127.0.0.2:0", "192.0.2.1:0", "nonsense", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:", "localhost:"} {
		if l, err := loopback.ListenTCP(address); err == nil || !strings.Contains(err.Error(), "127.0.0.1:0") {
			t.Errorf("%q: got %v, %v, want an error that tells an address", address, l, err)
		}
	}
}
