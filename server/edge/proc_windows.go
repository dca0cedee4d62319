package edge

import (
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/windows"
)

// procAttributes puts a process in its own group, so that a Ctrl-C does not reach it. This platform has no
// signal for a parent's death: the process exits when its stdin is closed.
func procAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// killGroup kills a process and its children.
func killGroup(pid int) { _ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(pid)).Run() }
