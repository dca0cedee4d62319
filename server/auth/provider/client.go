package provider

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// Limits of a conversation with a provider.
const (
	conversationTimeout = 8 * time.Second
	maxAnswer           = 1 << 20 // bytes
	maxRedirects        = 3
)

// errPrivate: what an admin of the project enters must not lead this server into
// its own network.
var errPrivate = errors.New("the address is not on the public internet")

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
			dialer.Control = onlyPublic // seen after names are resolved, so that no name can lead elsewhere
		}
		next = transport
	}
	return &http.Client{Timeout: conversationTimeout, Transport: bounded{next}, CheckRedirect: sameHost}
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

func onlyPublic(_, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !isPublic(target.Addr()) {
		return errPrivate
	}
	return nil
}

// special are ranges that look public and are not.
// Source: IANA's registries of special-purpose addresses.
var special = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "240.0.0.0/4", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
	"3fff::/20", "5f00::/16", "fec0::/10",
)

func prefixes(texts ...string) []netip.Prefix {
	var parsed []netip.Prefix
	for _, text := range texts {
		parsed = append(parsed, netip.MustParsePrefix(text))
	}
	return parsed
}

func isPublic(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	if !address.IsGlobalUnicast() || address.IsPrivate() || address.IsLoopback() || address.IsLinkLocalUnicast() {
		return false
	}
	for _, prefix := range special {
		if prefix.Contains(address) {
			return false
		}
	}
	return true
}
