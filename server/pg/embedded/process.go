package embedded

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// process is the postmaster, our child.
type process struct {
	pid      int
	stopping atomic.Bool
	log      *logForwarder
	done     chan struct{}
	err      error // read after done is closed
}

// startProcess starts postgres. It does not wait until it accepts connections.
func startProcess(cfg Config, bin binaries, id identity, port int) (*process, error) {
	cmd := id.command(context.Background(), bin.program("postgres"), arguments(cfg, bin, port)...)
	p := &process{done: make(chan struct{}), log: newLogForwarder(cfg.Log)}
	cmd.Stderr = p.log
	started := make(chan error)
	go func() {
		err := id.run(cmd, func(err error) {
			if err == nil {
				p.pid = cmd.Process.Pid
			}
			started <- err
		})
		p.log.close()
		if !p.stopping.Load() {
			p.err = p.ended(err)
		}
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	return p, nil
}

func (p *process) ended(err error) error {
	if err == nil {
		err = errors.New("it was shut down from outside")
	}
	if fatal := p.log.lastFatal(); fatal != "" {
		return fmt.Errorf("PostgreSQL ended: %s (%w)", fatal, err)
	}
	return fmt.Errorf("PostgreSQL ended: %w", err)
}

// Shutdown modes are signals to the postmaster.
const (
	fastShutdown      = syscall.SIGINT
	immediateShutdown = syscall.SIGQUIT
	// killGrace is how long an immediate shutdown may take. The postmaster
	// itself kills children that linger for 5 seconds.
	killGrace = 10 * time.Second
)

func (p *process) stop(ctx context.Context) error {
	p.stopping.Store(true)
	grace := time.NewTimer(stopGrace)
	defer grace.Stop()
	if err := p.signal(fastShutdown); err != nil {
		return err
	}
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
	case <-grace.C:
	}
	if err := p.signal(immediateShutdown); err != nil {
		return err
	}
	select {
	case <-p.done:
		return nil
	case <-time.After(killGrace):
		return fmt.Errorf("PostgreSQL (process %d) does not stop", p.pid)
	}
}

func (p *process) signal(sig syscall.Signal) error {
	select {
	case <-p.done:
		return nil // another process may have its id by now
	default:
	}
	if err := sendSignal(p.pid, sig); err != nil {
		return fmt.Errorf("send a signal to PostgreSQL (process %d): %w", p.pid, err)
	}
	return nil
}

// slowStart is when a start is called slow: PostgreSQL is then most likely
// replaying its log after a crash.
const slowStart = 2 * time.Second

// waitReady returns when the server accepts connections. PostgreSQL writes
// "ready" on the last line of its pid file, as it does for pg_ctl.
func (s *Server) waitReady(ctx context.Context, p *process) error {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	slow := time.After(slowStart)
	var replaying <-chan time.Time // nil at a usual start
	if !s.cfg.ReplayUntil.IsZero() {
		slow = nil
		ticker := time.NewTicker(promoteInterval)
		defer ticker.Stop()
		replaying = ticker.C
	}
	for !ready(s.cfg.DataDir, p.pid) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.done:
			return p.startError(s.port)
		case <-slow:
			s.cfg.Progress("PostgreSQL is recovering after it was ended abruptly")
		case <-replaying:
			if err := s.promote(p); err != nil {
				return err
			}
		case <-tick.C:
		}
	}
	if replaying != nil {
		if err := s.endReplay(); err != nil {
			return err
		}
	}
	if err := s.prepareRoles(ctx); err != nil {
		return err
	}
	// The socket cannot be used if its path is too long or has a comma, or if its
	// folder is closed to us. A connection shows that.
	conn, err := pgconn.Connect(ctx, s.socketURL())
	if err == nil {
		s.mu.Lock()
		s.socket = true
		s.mu.Unlock()
		err = conn.Close(ctx)
	}
	if err != nil {
		s.cfg.Log.DebugContext(ctx, "PostgreSQL is reached by TCP", "error", err)
	}
	return nil
}

func (p *process) startError(port int) error {
	fatal := p.log.lastFatal()
	if strings.Contains(fatal, "could not create any TCP/IP sockets") {
		return portInUse(port)
	}
	if fatal == "" {
		fatal = fmt.Sprint(p.err)
	}
	return fmt.Errorf("%w: %s", ErrStart, fatal)
}

// Lines of postmaster.pid, see PostgreSQL's src/include/utils/pidfile.h.
const (
	pidLine    = 0
	startLine  = 2 // in seconds since 1970
	statusLine = 7
)

func ready(dataDir string, pid int) bool { return status(dataDir, pid) == "ready" }

// starting reports whether the server has begun to start its processes.
func starting(dataDir string, pid int) bool { return status(dataDir, pid) != "" }

// status returns what PostgreSQL says of itself in its pid file, or "".
func status(dataDir string, pid int) string {
	content, err := os.ReadFile(filepath.Join(dataDir, "postmaster.pid"))
	if err != nil {
		return ""
	}
	lines := strings.Split(string(content), "\n")
	if len(lines) <= statusLine || lines[pidLine] != strconv.Itoa(pid) {
		return ""
	}
	return strings.TrimSpace(lines[statusLine])
}

// choosePort returns the wanted port when it is free, or a free one for 0.
func choosePort(wanted int) (int, error) {
	listener, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(wanted)))
	if isAddressInUse(err) {
		return 0, portInUse(wanted)
	}
	if err != nil {
		return 0, fmt.Errorf("listen on port %d: %w", wanted, err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	return port, listener.Close()
}

func portInUse(port int) error {
	return fmt.Errorf("%w: something listens on 127.0.0.1:%d; stop it or choose another port", ErrPortInUse, port)
}
