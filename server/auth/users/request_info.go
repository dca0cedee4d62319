package users

import "net/netip"

// RequestInfo has the user agent and the address of the client that sent a request.
type RequestInfo struct {
	UserAgent *string
	Address   *netip.Addr
}

// IP returns the address, or "" if it is unknown.
func (info RequestInfo) IP() string {
	if info.Address == nil {
		return ""
	}
	return info.Address.String()
}

// AddressOrZero returns the address, or 0.0.0.0 if it is unknown.
func (info RequestInfo) AddressOrZero() netip.Addr {
	if info.Address == nil {
		return netip.IPv4Unspecified()
	}
	return *info.Address
}
