package provider

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"plaza/server/internet"
	"plaza/server/tracing"
)

// Limits of a request to a provider.
const (
	requestTimeout = 8 * time.Second
	maxResponse    = 1 << 20 // bytes
	maxRedirects   = 3
)

// newClient returns the HTTP client for providers. next is its transport; nil means the network.
// allowPrivate also allows addresses that are not public.
func newClient(next http.RoundTripper, allowPrivate bool) *http.Client {
	if next == nil {
		dialer := &net.Dialer{Timeout: requestTimeout}
		transport := &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: requestTimeout,
			MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10,
		}
		if allowPrivate {
			transport.Proxy = http.ProxyFromEnvironment
		} else {
			dialer.Control = internet.OnlyPublic // URLs entered by a project's admin must not reach internal networks
		}
		next = transport
	}
	return &http.Client{Timeout: requestTimeout, Transport: tracing.Transport(limitedTransport{next}, false), CheckRedirect: sameHost}
}

// sameHost only follows redirects within a host, so that tokens are not sent to other hosts.
func sameHost(request *http.Request, via []*http.Request) error {
	first := via[0].URL
	if len(via) > maxRedirects || request.URL.Host != first.Host || request.URL.Scheme != first.Scheme {
		return fmt.Errorf("%s redirects to %s", first.Host, request.URL.Host)
	}
	return nil
}

// limitedTransport limits response bodies to maxResponse.
type limitedTransport struct{ next http.RoundTripper }

func (b limitedTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(request)
	if err == nil {
		response.Body = http.MaxBytesReader(nil, response.Body, maxResponse)
	}
	return response, err
}
