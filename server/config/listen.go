package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strconv"
	"strings"
)

// Listen opens the API's listener: a Unix socket, or host and port.
func (c *Standalone) Listen() (net.Listener, error) {
	if c.Socket != "" {
		return listenUnix(c.Socket, "server-unix-socket-mode", c.SocketMode)
	}
	if c.ReusePort {
		return listenTCP(c.Host, c.Port, &net.ListenConfig{Control: sharePort})
	}
	return ListenOn(c.Host, c.Port)
}

// HasAdmin reports whether an admin server is configured.
func (c *Standalone) HasAdmin() bool { return c.AdminSocket != "" || c.Rest.AdminPort != 0 }

// ListenAdmin opens the listener of the admin server.
func (c *Standalone) ListenAdmin() (net.Listener, error) {
	if c.AdminSocket != "" {
		return listenUnix(c.AdminSocket, "admin-server-unix-socket-mode", c.AdminSocketMode)
	}
	return ListenOn(c.Rest.AdminHost, c.Rest.AdminPort)
}

// socketMode parses the file mode of a Unix socket. name is the name of the setting.
func socketMode(name, text string) (fs.FileMode, error) {
	mode, err := strconv.ParseUint(text, 8, 32)
	if err != nil || mode < 0o600 || mode > 0o777 {
		return 0, fmt.Errorf("Invalid %s: needs to be between 600 and 777 (PGRST_%s is %q)", name, strings.ToUpper(strings.ReplaceAll(name, "-", "_")), text)
	}
	return fs.FileMode(mode), nil
}

func listenUnix(path, setting, text string) (net.Listener, error) {
	mode, err := socketMode(setting, text)
	if err != nil {
		return nil, err
	}
	// Remove the socket of an earlier process.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	return listener, os.Chmod(path, mode)
}

// wildcards maps special host names to addresses. Source: PostgREST's server-host.
var wildcards = map[string]struct{ network, host string }{
	"*": {"tcp", ""}, "*4": {"tcp", ""}, "*6": {"tcp", ""}, "!4": {"tcp4", "0.0.0.0"}, "!6": {"tcp6", "::"},
}

// IsWildcard reports whether a host is one of PostgREST's names for all addresses.
func IsWildcard(host string) bool {
	_, ok := wildcards[host]
	return ok
}

// ListenOn listens on a port. host may be one of PostgREST's names for all addresses: "*", "*4", "*6", "!4", "!6".
func ListenOn(host string, port int) (net.Listener, error) {
	return listenTCP(host, port, new(net.ListenConfig))
}

func listenTCP(host string, port int, config *net.ListenConfig) (net.Listener, error) {
	address, ok := wildcards[host]
	if !ok {
		address.network, address.host = "tcp", host
	}
	return config.Listen(context.Background(), address.network, net.JoinHostPort(address.host, strconv.Itoa(port)))
}
