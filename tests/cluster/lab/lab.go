//go:build linux

// Package lab runs programs on nodes that have a network of their own: each is a network namespace, and a
// bridge in another namespace connects them. Nothing of it is in the machine's own network. Links can
// be cut, slowed and healed.
package lab

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	folderPrefix = "plaza-cluster-"
	bridge       = "br0"

	// network is one of those that RFC 2544 reserves for tests.
	network = "198.18.77."
)

// Lab is a set of nodes.
type Lab struct {
	Folder string // of all files
	Nodes  map[string]*Node

	hub   string // the namespace with the bridge
	state state
	lock  *os.File
}

// Node is a machine of the lab.
type Node struct {
	Name, IP string
	Folder   string // of its files; every user may write there

	lab       *Lab
	namespace string
	port      string // its interface at the bridge
	running   []*Process
}

// New removes what an earlier lab has left and creates nodes with these names.
func New(ctx context.Context, names ...string) (*Lab, error) {
	held, err := lock()
	if err != nil {
		return nil, err
	}
	if err := clean(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("remove what is left of an earlier cluster: %w", err), held.Close())
	}
	folder, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return nil, errors.Join(err, held.Close())
	}
	prefix := "plaza-" + strings.TrimPrefix(filepath.Base(folder), folderPrefix) + "-"
	l := &Lab{Folder: folder, Nodes: make(map[string]*Node), hub: prefix + "hub", lock: held}
	l.state = state{Folder: folder, Namespaces: []string{l.hub}}
	for i, name := range names {
		l.Nodes[name] = &Node{Name: name, IP: fmt.Sprint(network, i+1), Folder: filepath.Join(folder, name), lab: l, namespace: prefix + name, port: name}
		l.state.Namespaces = append(l.state.Namespaces, prefix+name)
	}
	err = l.state.write()
	if err == nil {
		err = os.Chmod(folder, 0o755)
	}
	if err == nil {
		err = l.connect(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close(context.WithoutCancel(ctx)))
	}
	return l, nil
}

func (l *Lab) connect(ctx context.Context) error {
	if err := ip(ctx, "netns", "add", l.hub); err != nil {
		return err
	}
	if err := ip(ctx, "-n", l.hub, "link", "add", bridge, "type", "bridge"); err != nil {
		return err
	}
	if err := ip(ctx, "-n", l.hub, "link", "set", bridge, "up"); err != nil {
		return err
	}
	if err := l.nft(ctx, "table bridge cuts {\n set links {\n type ifname . ifname;\n }\n"+
		" chain forward {\n type filter hook forward priority 0;\n iifname . oifname @links drop;\n }\n}\n"); err != nil {
		return err
	}
	for _, node := range l.Nodes {
		if err := node.connect(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (n *Node) connect(ctx context.Context) error {
	if err := os.Mkdir(n.Folder, 0o777); err != nil {
		return err
	}
	if err := os.Chmod(n.Folder, 0o777); err != nil { // whatever the umask
		return err
	}
	hub := n.lab.hub
	for _, args := range [][]string{
		{"netns", "add", n.namespace},
		{"-n", hub, "link", "add", n.port, "type", "veth", "peer", "name", "eth0", "netns", n.namespace},
		{"-n", hub, "link", "set", n.port, "master", bridge, "up"},
		{"-n", n.namespace, "addr", "add", n.IP + "/24", "dev", "eth0"},
		{"-n", n.namespace, "link", "set", "eth0", "up"},
		{"-n", n.namespace, "link", "set", "lo", "up"},
	} {
		if err := ip(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// Namespace returns the name of the node's network namespace.
func (n *Node) Namespace() string { return n.namespace }

// Close ends everything and removes all files.
func (l *Lab) Close(ctx context.Context) error {
	err := l.state.remove(ctx)
	for _, node := range l.Nodes {
		for _, process := range node.running {
			<-process.done
		}
	}
	return errors.Join(err, l.lock.Close())
}

// Cut drops all packets between two nodes, in both directions. Neither notices it other than by
// missing answers.
func (l *Lab) Cut(ctx context.Context, a, b *Node) error {
	return l.nft(ctx, fmt.Sprintf("add element bridge cuts links { %q . %q, %q . %q }\n", a.port, b.port, b.port, a.port))
}

// Isolate cuts a node from all others.
func (l *Lab) Isolate(ctx context.Context, a *Node) error {
	for _, b := range l.Nodes {
		if a != b {
			if err := l.Cut(ctx, a, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// Slow delays what a node receives and limits its rate. A kernel without netem only limits the rate.
func (l *Lab) Slow(ctx context.Context, n *Node, delay time.Duration, rate string) error {
	set := []string{"netns", "exec", l.hub, "tc", "qdisc", "replace", "dev", n.port, "root"}
	if err := ip(ctx, append(set, "netem", "delay", fmt.Sprint(delay.Milliseconds(), "ms"), "rate", rate)...); err == nil {
		return nil
	}
	return ip(ctx, append(set, "tbf", "rate", rate, "burst", "16kb", "latency", "2s")...)
}

// Heal ends all cuts.
func (l *Lab) Heal(ctx context.Context) error {
	return l.nft(ctx, "flush set bridge cuts links\n")
}

// Speed ends what Slow began.
func (l *Lab) Speed(ctx context.Context, n *Node) error {
	return ip(ctx, "netns", "exec", l.hub, "tc", "qdisc", "del", "dev", n.port, "root")
}

// DialContext connects from a node.
func (n *Node) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	type result struct {
		conn net.Conn
		err  error
	}
	dialled := make(chan result, 1)
	go func() {
		runtime.LockOSThread() // and never unlock: the thread ends with this goroutine
		var r result
		if r.err = enter(n.namespace); r.err == nil {
			r.conn, r.err = new(net.Dialer).DialContext(ctx, network, address)
		}
		dialled <- r
	}()
	r := <-dialled
	return r.conn, r.err
}

// enter moves the current thread into a network namespace.
func enter(namespace string) error {
	file, err := os.Open(filepath.Join("/run/netns", namespace))
	if err != nil {
		return err
	}
	return errors.Join(unix.Setns(int(file.Fd()), unix.CLONE_NEWNET), file.Close())
}

func ip(ctx context.Context, args ...string) error {
	if output, err := exec.CommandContext(ctx, "ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, output)
	}
	return nil
}

func (l *Lab) nft(ctx context.Context, rules string) error {
	command := exec.CommandContext(ctx, "ip", "netns", "exec", l.hub, "nft", "-f", "-")
	command.Stdin = strings.NewReader(rules)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("nft %s: %w: %s", rules, err, output)
	}
	return nil
}
