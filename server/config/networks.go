package config

import (
	"fmt"
	"net/netip"
	"strings"
)

// Networks is a list of networks or addresses, separated by commas: 10.0.0.0/8,::1.
type Networks []netip.Prefix

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *Networks) UnmarshalText(text []byte) error {
	*n = nil
	for part := range strings.SplitSeq(string(text), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		network, err := netip.ParsePrefix(part)
		if err != nil {
			address, failed := netip.ParseAddr(part)
			if failed != nil {
				return fmt.Errorf("%q is neither an address nor a network: use one such as 127.0.0.1 or 10.0.0.0/8", part)
			}
			address = address.Unmap().WithZone("")
			network = netip.PrefixFrom(address, address.BitLen())
		}
		*n = append(*n, network)
	}
	return nil
}
