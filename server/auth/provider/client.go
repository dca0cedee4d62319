package provider

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"plaza/server/internet"
	"plaza/server/tracing"
)

// Limits of a conversation with a provider.
const (
	conversationTimeout = 8 * time.Second
	maxAnswer           = 1 << 20 // bytes
	maxRedirects        = 3
)

// newClient makes the client for providers. next carries requests, nil over the
// network. open allows addresses that are not public, too.
func newClient(next http.RoundTripper, open bool) *http.Client {
	if next == nil {
		dialer := &net.Dialer{Timeout: conversationTimeout}
		transport := &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: conversationTimeout,
			MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10,
		}
		if open {
			transport.Proxy = http.ProxyFromEnvironment
		} else {
			dialer.Control = internet.OnlyPublic // what an admin of the project enters must not lead into its network
		}
		next = transport
	}
	return &http.Client{Timeout: conversationTimeout, Transport: tracing.Transport(bounded{next}, false), CheckRedirect: sameHost}
}

// sameHost follows redirects within a host only: a token goes nowhere else.
func sameHost(request *http.Request, via []*http.Request) error {
	first := via[0].URL
	if len(via) > maxRedirects || request.URL.Host != first.Host || request.URL.Scheme != first.Scheme {
		return fmt.Errorf("%s redirects to %s", first.Host, request.URL.Host)
	}
	return nil
}

// bounded refuses to read more of an answer than maxAnswer.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(request)
	if err == nil {
		response.Body = http.MaxBytesReader(nil, response.Body, maxAnswer)
	}
	return response, err
}
