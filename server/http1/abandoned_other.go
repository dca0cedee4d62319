//go:build !unix

package http1

// Supported reports whether the server works on this operating system. Elsewhere net/http serves.
const Supported = false

// abandoned reports false, because a connection cannot be looked at without reading from it here.
func (c *conn) abandoned() bool { return false }
