package api

import (
	"net/http"
	"net/netip"

	"plaza/server/auth/limit"
	"plaza/server/httpx"
)

// limit holds a handler to a limit by the client's address.
func (s *base) limit(b limit.Bucket, h httpx.Handler) httpx.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.Limits.Spend(r.Context(), b, s.limitKey(r)); err != nil {
			return err
		}
		return h(w, r)
	}
}

// networkBits is how much of an IPv6 address names a household: its holder may
// use any address of it.
const networkBits = 64

func (s *base) limitKey(r *http.Request) string {
	return LimitKey(r, s.TrustedProxies, s.LimitEverybody)
}

// LimitKey names the client for the limits by address. "" means no limit: that is a
// developer on this machine or its networks, where nothing says that there is a
// proxy and production is not asked for.
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
	network, err := address.WithZone("").Prefix(networkBits)
	if err != nil {
		return address.String()
	}
	return network.Masked().String()
}
