//go:build linux

package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// Program is what a node can run.
type Program struct {
	Name string // of its log
	User string // empty: root
	Args []string
	Env  []string
}

// Process is a running program.
type Process struct {
	command *exec.Cmd
	log     string
	done    chan struct{}
}

// command returns the command of a program, which has an IPC namespace of its own.
func (n *Node) command(p Program) *exec.Cmd {
	args := []string{"netns", "exec", n.namespace, "unshare", "--ipc"}
	if p.User != "" {
		args = append(args, "setpriv", "--reuid="+p.User, "--regid="+p.User, "--init-groups")
	}
	command := exec.Command("ip", append(args, p.Args...)...)
	command.Dir = n.Folder
	command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + n.Folder, "TMPDIR=" + n.Folder}, p.Env...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // not affected by Ctrl-C
	return command
}

// Run runs a program on the node until it ends.
func (n *Node) Run(p Program) error {
	if output, err := n.command(p).CombinedOutput(); err != nil {
		return fmt.Errorf("%s on %s: %w: %s", p.Name, n.Name, err, output)
	}
	return nil
}

// Start starts a program on the node. Its shared memory ends with it.
func (n *Node) Start(p Program) (*Process, error) {
	path := filepath.Join(n.Folder, p.Name+".log")
	log, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	command := n.command(p)
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		return nil, err
	}
	process := &Process{command: command, log: path, done: make(chan struct{})}
	n.running = append(n.running, process)
	go func() {
		_ = command.Wait()
		close(process.done)
	}()
	return process, nil
}

// Signal sends a signal.
func (p *Process) Signal(signal syscall.Signal) error { return p.command.Process.Signal(signal) }

// Wait waits until the process has ended.
func (p *Process) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s does not end: %w", p.log, ctx.Err())
	}
}

// Stop sends SIGTERM and waits until the process has ended.
func (p *Process) Stop(ctx context.Context, within time.Duration) error {
	if err := p.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return p.Wait(ctx)
}

// Ended returns the end of the log if the process has ended.
func (p *Process) Ended() (log string, ended bool) {
	select {
	case <-p.done:
		text, _ := os.ReadFile(p.log)
		return string(text[max(0, len(text)-2000):]), true
	default:
		return "", false
	}
}

// SignalAll sends a signal to all processes of the node.
func (n *Node) SignalAll(ctx context.Context, signal syscall.Signal) error {
	pids, err := processes(ctx, n.namespace)
	if err != nil {
		return err
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	return nil
}

// KillAll ends all processes of the node, as a power loss does.
func (n *Node) KillAll(ctx context.Context) error { return killAll(ctx, n.namespace) }
