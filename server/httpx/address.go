package httpx

import (
	"net/http"
	"net/netip"
	"strings"
)

// ClientAddress returns the address of the client that sent a request. Forwarding headers are only
// used if the connection comes from a trusted proxy. The last hop that is not a trusted proxy is the
// client. Hops come from X-Forwarded-For or, without it, from Forwarded (RFC 7239). Each is an
// address with or without a port. The result is invalid if the connection has no address.
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

// IsForwarded reports whether a request has forwarding headers.
func IsForwarded(r *http.Request) bool { return len(forwardedHops(r.Header)) > 0 }

// forwardedHops returns the hops of a request, the client first.
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

// forwardedFor returns the parameter "for" of an element of Forwarded, or "".
func forwardedFor(element string) string {
	for pair := range strings.SplitSeq(element, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if strings.EqualFold(name, "for") {
			return strings.Trim(value, `"`)
		}
	}
	return ""
}

// parseHop parses "192.0.2.1", "192.0.2.1:4711", "2001:db8::1", "[2001:db8::1]" and
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

// contains reports whether an address is in one of the prefixes. It ignores the zone, which is the
// network interface of a link-local address.
func contains(prefixes []netip.Prefix, address netip.Addr) bool {
	address = address.WithZone("")
	for _, prefix := range prefixes {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}
