//go:build unix

package reload

import "syscall"

// Schema and Config reload the schema cache and the configuration.
const (
	Schema = syscall.SIGUSR1
	Config = syscall.SIGUSR2
)
