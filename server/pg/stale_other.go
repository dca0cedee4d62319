//go:build !unix

package pg

import "net"

// hasInput returns false: there is no way to look without reading on this system.
func hasInput(net.Conn) bool { return false }
