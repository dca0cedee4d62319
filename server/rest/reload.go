package rest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/rest/identify"
	"plaza/server/rest/schema"
	"plaza/server/rest/settings"
	"plaza/server/tally"
)

// Source gives the settings as they are now: those of the database over those
// of file and environment.
type Source func(ctx context.Context) (settings.Config, identify.Func, error)

// reloads is what keeps settings and schema up to date.
type reloads struct {
	mu     sync.Mutex // one at a time
	source Source     // nil: settings never change
	wanted chan struct{}
	schema atomic.Bool // reading the schema was asked for …
	config atomic.Bool // … or the settings

	pending   atomic.Bool // the last reading failed
	loads     atomic.Uint64
	failures  atomic.Uint64
	queryTime atomic.Int64 // of the last reading, in nanoseconds
	loaded    tally.Moment // the last one that went well
}

// Limits of the pause between attempts to read the schema.
// Source: PostgREST doubles from one second to 32.
const (
	retryMin = time.Second
	retryMax = 32 * time.Second
)

// ErrLost ends Watch where the database may not be waited for.
var ErrLost = errors.New("the connection to the database is lost, and automatic recovery is disabled")

// Follow makes reloads take settings from a source, too.
func (s *Server) Follow(source Source) { s.reloads.source = source }

// AskForSchema has Watch read schema and settings anew.
func (s *Server) AskForSchema() {
	s.reloads.schema.Store(true)
	s.reloads.wake()
}

// AskForConfig has Watch read the settings anew.
func (s *Server) AskForConfig() {
	s.reloads.config.Store(true)
	s.reloads.wake()
}

func (r *reloads) wake() {
	select {
	case r.wanted <- struct{}{}:
	default: // one wake-up is enough
	}
}

// Reload reads the schema anew, and the settings where the database may set
// them. Requests go on with the old picture until the new one is complete, and
// for good where reading it fails.
func (s *Server) Reload(ctx context.Context) error {
	s.reloads.mu.Lock()
	defer s.reloads.mu.Unlock()
	now := s.state.Load()
	config, identify := now.config, now.identify
	if s.reloads.source != nil && config.InDatabase {
		changed, who, err := s.reloads.source(ctx)
		if err != nil {
			s.log.ErrorContext(ctx, "settings are invalid", "error", err)
		} else {
			config, identify = changed, who
		}
	}
	return s.load(ctx, config, identify)
}

// ReloadConfig reads the settings anew, and the schema where others are exposed
// from now on.
func (s *Server) ReloadConfig(ctx context.Context) error {
	if s.reloads.source == nil {
		return nil
	}
	s.reloads.mu.Lock()
	defer s.reloads.mu.Unlock()
	config, identify, err := s.reloads.source(ctx)
	if err != nil {
		s.log.ErrorContext(ctx, "settings are invalid", "error", err)
		return err
	}
	now := s.state.Load()
	if slices.Equal(config.Schemas, now.config.Schemas) {
		err = s.use(ctx, config, identify, now.snapshot)
	} else {
		err = s.load(ctx, config, identify)
	}
	if err == nil {
		s.log.InfoContext(ctx, "settings reloaded")
	}
	return err
}

// use takes settings and schema for all requests to come.
func (s *Server) use(ctx context.Context, config settings.Config, identify identify.Func, snapshot *schema.Snapshot) error {
	next, err := newState(config, identify, snapshot)
	if err != nil {
		return err
	}
	if err := s.db.Reload(ctx); err != nil {
		return fmt.Errorf("reload role settings: %w", err)
	}
	s.state.Store(next)
	return nil
}

func (s *Server) load(ctx context.Context, config settings.Config, identify identify.Func) error {
	began := time.Now()
	snapshot, err := s.readSchema(ctx, config)
	took := time.Since(began)
	if err == nil {
		err = s.use(ctx, config, identify, snapshot)
	}
	if err != nil {
		s.reloads.failures.Add(1)
		s.reloads.pending.Store(true)
		return fmt.Errorf("reload schema: %w", err)
	}
	s.reloads.loads.Add(1)
	s.reloads.loaded.Set(time.Now())
	s.reloads.pending.Store(false)
	s.reloads.queryTime.Store(int64(took))
	tables, relationships, functions := snapshot.Count()
	s.log.InfoContext(ctx, "schema cache queried", "duration_ms", milliseconds(took))
	s.log.InfoContext(ctx, "schema cache holds", "tables", tables, "relationships", relationships, "functions", functions)
	s.log.InfoContext(ctx, "schema cache loaded", "duration_ms", milliseconds(time.Since(began)-took))
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()/100) / 10 }

func (s *Server) readSchema(ctx context.Context, config settings.Config) (*schema.Snapshot, error) {
	s.db.Owner().Reset() // what was set for the role that signs in holds from here
	tx, err := s.db.Owner().BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	// Without a search path types are printed with their schema, which holds
	// whatever path a request has.
	if _, err := tx.Exec(ctx, "set local search_path = ''"); err != nil {
		return nil, err
	}
	if config.SchemaSleep > 0 {
		if _, err := tx.Exec(ctx, "select pg_catalog.pg_sleep($1)", config.SchemaSleep.Seconds()); err != nil {
			return nil, err
		}
	}
	return schema.Load(ctx, tx, config.Schemas)
}

// Watch reads settings and schema anew when PostgreSQL asks for it (NOTIFY
// pgrst, 'reload schema' or 'reload config', or neither for both) or AskFor… is
// called; a schema that cannot be read it tries again. It ends with ctx.
//
// Errors: ErrLost.
func (s *Server) Watch(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	listening := listening{server: s, lost: stop}
	defer listening.end()
	listening.follow(ctx)
	var retry <-chan time.Time
	pause := retryMin
	for {
		select {
		case <-ctx.Done():
			if cause := context.Cause(ctx); errors.Is(cause, ErrLost) {
				return cause
			}
			return nil
		case <-s.reloads.wanted:
			pause = retryMin
		case <-retry:
			s.reloads.schema.Store(true)
			pause = min(2*pause, retryMax)
		}
		err := s.serveReloads(ctx)
		listening.follow(ctx)
		if err != nil && ctx.Err() == nil {
			s.schemaFailed(ctx, err, pause)
			retry = time.After(pause)
		} else if !s.reloads.pending.Load() {
			retry = nil
		}
	}
}

func (s *Server) serveReloads(ctx context.Context) error {
	// A reading of the schema takes in the settings the database may set, not
	// those of a file.
	if s.reloads.config.Swap(false) {
		_ = s.ReloadConfig(ctx) // has told; the old ones stay in use
	}
	if s.reloads.schema.Swap(false) {
		return s.Reload(ctx)
	}
	return nil
}

func (s *Server) schemaFailed(ctx context.Context, err error, pause time.Duration) {
	config := s.state.Load().config
	s.log.ErrorContext(ctx, "schema cache could not be loaded, the old one stays in use", "schemas", strings.Join(config.Schemas, ","),
		"extra_search_path", strings.Join(config.ExtraSearchPath, ","), "error", err)
	s.log.ErrorContext(ctx, "reconnecting", "retry_in_seconds", pause.Seconds())
}

// notified takes what PostgreSQL said on the channel.
func (s *Server) notified(payloads []string) {
	channel := slog.String("channel", s.state.Load().config.Channel)
	for _, payload := range payloads {
		switch payload {
		case "", "reload schema":
			s.log.Info("told to reload the schema", channel)
			s.AskForSchema()
		case "reload config":
			s.log.Info("told to reload the settings", channel)
			s.AskForConfig()
		}
	}
}

// Ready reports whether requests can be answered: the schema is known, and the
// database is there.
func (s *Server) Ready(ctx context.Context) bool {
	if s.reloads.pending.Load() {
		return false
	}
	if s.state.Load().config.ChannelEnabled {
		return s.db.Listening()
	}
	return s.db.Ping(ctx) == nil
}

// Stats counts readings of the schema.
type Stats struct {
	Loads, Failures uint64
	QueryTime       time.Duration // of the last that was complete …
	Loaded          time.Time     // … and when it was
	Streams         int           // large answers on their way …
	MaxStreams      int           // … and how many there may be
}

// Stats tells how reading the schema went so far.
func (s *Server) Stats() Stats {
	return Stats{
		s.reloads.loads.Load(), s.reloads.failures.Load(), time.Duration(s.reloads.queryTime.Load()), s.reloads.loaded.Get(),
		len(s.streams), cap(s.streams),
	}
}

// Snapshot is the schema as requests see it now.
func (s *Server) Snapshot() *schema.Snapshot { return s.state.Load().snapshot }
