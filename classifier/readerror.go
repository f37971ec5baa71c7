package classifier

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"os"
	"strings"
	"syscall"
)

// endedOf is how a body ended that was read up to err.
func endedOf(err error) Ended {
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil, err == io.EOF:
		return EndedEOF
	case errors.Is(err, context.Canceled):
		return EndedCancelled
	case isTimeout(err):
		return EndedDeadline
	case errors.As(err, &tooLarge):
		return EndedSizeLimit
	}
	return EndedReset
}

func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &timeout) && timeout.Timeout()
}

// isGzipDamage tells whether the error is of gzip data that net/http undid.
func isGzipDamage(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt)
}

// NoAnswerFromError tells how a POST ended for which [http.Client.Do] or a
// transport returned an error and no response, to be given to
// [ClassifyNoAnswer] (rule T): cancelled, deadline, connect for a connection
// that was never made, tls for a failed handshake or certificate, reset for one
// that broke or spoke no HTTP before the status line. Any other error is
// connect, and no error is eof.
func NoAnswerFromError(err error) Ended {
	var (
		op        *net.OpError
		dns       *net.DNSError
		malformed textproto.ProtocolError
	)
	switch {
	case err == nil:
		return EndedEOF
	case errors.Is(err, context.Canceled):
		return EndedCancelled
	case errors.Is(err, context.DeadlineExceeded):
		return EndedDeadline
	case errors.As(err, &dns), errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect" || op.Op == "socks connect"):
		return EndedConnect
	case isTLS(err):
		return EndedTLS
	case isTimeout(err):
		return EndedDeadline
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), errors.Is(err, io.ErrClosedPipe),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNABORTED),
		errors.As(err, &op), errors.As(err, &malformed):
		return EndedReset
	}
	// net/http gives these no type.
	for _, text := range []string{"malformed HTTP", "server closed idle connection", "http2:", "transport connection broken"} {
		if strings.Contains(err.Error(), text) {
			return EndedReset
		}
	}
	return EndedConnect
}

func isTLS(err error) bool {
	var (
		record   tls.RecordHeaderError
		verify   *tls.CertificateVerificationError
		alert    tls.AlertError
		ech      *tls.ECHRejectionError
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
	)
	return errors.As(err, &record) || errors.As(err, &verify) || errors.As(err, &alert) || errors.As(err, &ech) ||
		errors.As(err, &unknown) || errors.As(err, &hostname) || errors.As(err, &invalid) ||
		errors.Is(err, http.ErrSchemeMismatch) || strings.Contains(err.Error(), "tls: ") || strings.Contains(err.Error(), "TLS handshake")
}
