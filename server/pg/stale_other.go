//go:build !unix

package pg

import "net"

// hasInput cannot be found out here.
func hasInput(net.Conn) bool { return false }
