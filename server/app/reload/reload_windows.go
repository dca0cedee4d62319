package reload

import "syscall"

// Schema and Config are signals that nobody can send on Windows. There, NOTIFY pgrst reloads.
const (
	Schema = syscall.Signal(0x1e)
	Config = syscall.Signal(0x1f)
)
