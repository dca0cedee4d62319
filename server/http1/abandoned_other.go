//go:build !unix

package http1

// Supported reports whether the server works on this operating system. Elsewhere net/http serves.
const Supported = false

// abandoned always returns false: on these systems the check would take input from the connection.
func (c *conn) abandoned() bool { return false }
