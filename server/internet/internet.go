// Package internet distinguishes public addresses from those of private and special networks, so
// that URLs entered by a client or an admin cannot reach this server's internal network.
package internet

import (
	"errors"
	"net/netip"
	"syscall"
)

// ErrPrivate refuses an address that is not on the public internet.
var ErrPrivate = errors.New("the address is not on the public internet")

// OnlyPublic is a Control function for net.Dialer. It is called after names are resolved, so it
// cannot be bypassed with DNS.
//
// Errors: ErrPrivate.
func OnlyPublic(_, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !IsPublic(target.Addr()) {
		return ErrPrivate
	}
	return nil
}

// special are ranges that are not public although netip does not classify them as private.
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

// IsPublic reports whether an address is on the public internet.
func IsPublic(address netip.Addr) bool {
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
