package httpx

import (
	"net/http"
	"net/netip"
	"strings"
)

// ClientAddress returns the address a request came from. Forwarding headers are
// read only where the connection comes from a trusted proxy; the last hop that is
// no trusted proxy is the client. Hops are those of X-Forwarded-For, or of
// Forwarded (RFC 7239) where there is none; each is an address with or without a
// port. The address is invalid where the connection has none.
func ClientAddress(r *http.Request, trusted []netip.Prefix) netip.Addr {
	address, ok := parseHop(r.RemoteAddr)
	if !ok {
		return netip.Addr{}
	}
	if !contains(trusted, address) {
		return address
	}
	hops := forwardedHops(r.Header)
	for i := len(hops) - 1; i >= 0 && contains(trusted, address); i-- {
		hop, ok := parseHop(hops[i])
		if !ok {
			break
		}
		address = hop
	}
	return address
}

// IsForwarded reports whether a request says of itself that a proxy passed it on.
func IsForwarded(r *http.Request) bool { return len(forwardedHops(r.Header)) > 0 }

// forwardedHops returns who a request passed through, the client first.
func forwardedHops(header http.Header) []string {
	if values := header.Values("X-Forwarded-For"); len(values) > 0 {
		return strings.Split(strings.Join(values, ","), ",")
	}
	var hops []string
	for _, value := range header.Values("Forwarded") {
		for element := range strings.SplitSeq(value, ",") {
			hops = append(hops, forwardedFor(element))
		}
	}
	return hops
}

// forwardedFor returns the value of the parameter "for" of an element of Forwarded,
// or "" without one.
func forwardedFor(element string) string {
	for pair := range strings.SplitSeq(element, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if strings.EqualFold(name, "for") {
			return strings.Trim(value, `"`)
		}
	}
	return ""
}

// parseHop reads "192.0.2.1", "192.0.2.1:4711", "2001:db8::1", "[2001:db8::1]" and
// "[2001:db8::1]:4711".
func parseHop(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
		text = strings.TrimSuffix(inner, "]")
	}
	if address, err := netip.ParseAddr(text); err == nil {
		return address.Unmap(), true
	}
	if both, err := netip.ParseAddrPort(text); err == nil {
		return both.Addr().Unmap(), true
	}
	return netip.Addr{}, false
}

// contains reports whether an address is in one of the prefixes. A zone, which
// names the network card of a link-local address, does not matter.
func contains(prefixes []netip.Prefix, address netip.Addr) bool {
	address = address.WithZone("")
	for _, prefix := range prefixes {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}
