package users

import "net/netip"

// Visitor is the client that sent a request.
type Visitor struct {
	UserAgent *string
	Address   *netip.Addr
}

// IP returns the address, empty where it is not known.
func (v Visitor) IP() string {
	if v.Address == nil {
		return ""
	}
	return v.Address.String()
}

// KnownAddress returns the address, or one that nobody has.
func (v Visitor) KnownAddress() netip.Addr {
	if v.Address == nil {
		return netip.IPv4Unspecified()
	}
	return *v.Address
}
