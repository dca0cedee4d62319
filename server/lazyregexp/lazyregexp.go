// Package lazyregexp delays the compilation of regular expressions until they are used, so that a process has none in memory
// that it does not need: a server those of commands, a command those of the server.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles pattern when it is called for the first time. It panics if the pattern is invalid.
func New(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
