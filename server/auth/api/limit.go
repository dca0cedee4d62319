package api

import (
	"net/http"
	"net/netip"

	"plaza/server/auth/limit"
	"plaza/server/httpx"
)

// rateLimit applies a rate limit by client address to a handler.
func (s *base) rateLimit(b limit.Bucket, h httpx.Handler) httpx.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.Limits.Spend(r.Context(), b, s.limitKey(r)); err != nil {
			return err
		}
		return h(w, r)
	}
}

// ipv6PrefixBits is the length of the IPv6 prefix that counts as one client. A household
// usually has a whole /64.
const ipv6PrefixBits = 64

func (s *base) limitKey(r *http.Request) string {
	return LimitKey(r, s.TrustedProxies, s.LimitLocalAddresses)
}

// LimitKey returns the key of a client for rate limits by address. An empty key means no
// limit: a loopback or private address without a proxy, unless everybody is set.
func LimitKey(r *http.Request, proxies []netip.Prefix, everybody bool) string {
	address := httpx.ClientAddress(r, proxies)
	exempt := !everybody && len(proxies) == 0 && !httpx.IsForwarded(r)
	switch {
	case exempt && (address.IsLoopback() || address.IsPrivate()):
		return ""
	case !address.IsValid():
		return "unknown"
	case address.Is4():
		return address.String()
	}
	network, err := address.WithZone("").Prefix(ipv6PrefixBits)
	if err != nil {
		return address.String()
	}
	return network.Masked().String()
}
