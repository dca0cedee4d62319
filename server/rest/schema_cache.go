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

	"plaza/server/pg"
	"plaza/server/rest/identify"
	"plaza/server/rest/schema"
	"plaza/server/rest/settings"
	"plaza/server/tally"
)

// Source gives the settings as they are now: those of the database over those
// of file and environment.
type Source func(ctx context.Context) (settings.Config, identify.Func, error)

// schemaCache keeps settings and schema up to date.
type schemaCache struct {
	db    *pg.DB
	log   *slog.Logger
	state atomic.Pointer[state]

	mu           sync.Mutex // one reading at a time
	source       Source     // nil: settings never change
	wanted       chan struct{}
	schemaWanted atomic.Bool // reading the schema was asked for …
	configWanted atomic.Bool // … or the settings

	pending   atomic.Bool // the last reading failed
	loads     atomic.Uint64
	failures  atomic.Uint64
	queryTime atomic.Int64 // of the last reading, in nanoseconds
	loaded    tally.Moment // the last one that went well
}

// newSchemaCache reads the schema.
func newSchemaCache(ctx context.Context, config settings.Config, db *pg.DB, identify identify.Func, log *slog.Logger) (*schemaCache, error) {
	first, err := newState(config, identify, nil)
	if err != nil {
		return nil, err
	}
	c := &schemaCache{db: db, log: log, wanted: make(chan struct{}, 1)}
	c.state.Store(first)
	return c, c.Reload(ctx)
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
func (c *schemaCache) Follow(source Source) { c.source = source }

// AskForSchema has Watch read schema and settings anew.
func (c *schemaCache) AskForSchema() {
	c.schemaWanted.Store(true)
	c.wake()
}

// AskForConfig has Watch read the settings anew.
func (c *schemaCache) AskForConfig() {
	c.configWanted.Store(true)
	c.wake()
}

func (c *schemaCache) wake() {
	select {
	case c.wanted <- struct{}{}:
	default: // one wake-up is enough
	}
}

// Reload reads the schema anew, and the settings where the database may set
// them. Requests go on with the old picture until the new one is complete, and
// for good where reading it fails.
func (c *schemaCache) Reload(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.state.Load()
	config, identify := now.config, now.identify
	if c.source != nil && config.InDatabase {
		changed, who, err := c.source(ctx)
		if err != nil {
			c.log.ErrorContext(ctx, "settings are invalid", "error", err)
		} else {
			config, identify = changed, who
		}
	}
	return c.load(ctx, config, identify)
}

// ReloadConfig reads the settings anew, and the schema where others are exposed
// from now on.
func (c *schemaCache) ReloadConfig(ctx context.Context) error {
	if c.source == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	config, identify, err := c.source(ctx)
	if err != nil {
		c.log.ErrorContext(ctx, "settings are invalid", "error", err)
		return err
	}
	now := c.state.Load()
	if slices.Equal(config.Schemas, now.config.Schemas) {
		err = c.use(ctx, config, identify, now.snapshot)
	} else {
		err = c.load(ctx, config, identify)
	}
	if err == nil {
		c.log.InfoContext(ctx, "settings reloaded")
	}
	return err
}

// use takes settings and schema for all requests to come.
func (c *schemaCache) use(ctx context.Context, config settings.Config, identify identify.Func, snapshot *schema.Snapshot) error {
	next, err := newState(config, identify, snapshot)
	if err != nil {
		return err
	}
	if err := c.db.Reload(ctx); err != nil {
		return fmt.Errorf("reload role settings: %w", err)
	}
	c.state.Store(next)
	return nil
}

func (c *schemaCache) load(ctx context.Context, config settings.Config, identify identify.Func) error {
	began := time.Now()
	c.db.Owner().Reset() // what was set for the role that signs in holds from here
	snapshot, err := schema.Read(ctx, c.db.Owner(), config.Schemas, config.SchemaSleep)
	took := time.Since(began)
	if err == nil {
		err = c.use(ctx, config, identify, snapshot)
	}
	if err != nil {
		c.failures.Add(1)
		c.pending.Store(true)
		return fmt.Errorf("reload schema: %w", err)
	}
	c.loads.Add(1)
	c.loaded.Set(time.Now())
	c.pending.Store(false)
	c.queryTime.Store(int64(took))
	tables, relationships, functions := snapshot.Count()
	c.log.InfoContext(ctx, "schema cache queried", "duration_ms", milliseconds(took))
	c.log.InfoContext(ctx, "schema cache holds", "tables", tables, "relationships", relationships, "functions", functions)
	c.log.InfoContext(ctx, "schema cache loaded", "duration_ms", milliseconds(time.Since(began)-took))
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()/100) / 10 }

// Watch reads settings and schema anew when PostgreSQL asks for it (NOTIFY
// pgrst, 'reload schema' or 'reload config', or neither for both) or AskFor… is
// called; a schema that cannot be read it tries again. It ends with ctx.
//
// Errors: ErrLost.
func (c *schemaCache) Watch(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	listening := listening{cache: c, lost: stop}
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
		case <-c.wanted:
			pause = retryMin
		case <-retry:
			c.schemaWanted.Store(true)
			pause = min(2*pause, retryMax)
		}
		err := c.serveReloads(ctx)
		listening.follow(ctx)
		if err != nil && ctx.Err() == nil {
			c.schemaFailed(ctx, err, pause)
			retry = time.After(pause)
		} else if !c.pending.Load() {
			retry = nil
		}
	}
}

func (c *schemaCache) serveReloads(ctx context.Context) error {
	// A reading of the schema takes in the settings the database may set, not
	// those of a file.
	if c.configWanted.Swap(false) {
		_ = c.ReloadConfig(ctx) // has told; the old ones stay in use
	}
	if c.schemaWanted.Swap(false) {
		return c.Reload(ctx)
	}
	return nil
}

func (c *schemaCache) schemaFailed(ctx context.Context, err error, pause time.Duration) {
	config := c.state.Load().config
	c.log.ErrorContext(ctx, "schema cache could not be loaded, the old one stays in use", "schemas", strings.Join(config.Schemas, ","),
		"extra_search_path", strings.Join(config.ExtraSearchPath, ","), "error", err)
	c.log.ErrorContext(ctx, "reconnecting", "retry_in_seconds", pause.Seconds())
}

// notified takes what PostgreSQL said on the channel.
func (c *schemaCache) notified(payloads []string) {
	channel := slog.String("channel", c.state.Load().config.Channel)
	for _, payload := range payloads {
		switch payload {
		case "", "reload schema":
			c.log.Info("told to reload the schema", channel)
			c.AskForSchema()
		case "reload config":
			c.log.Info("told to reload the settings", channel)
			c.AskForConfig()
		}
	}
}

// Ready reports whether requests can be answered: the schema is known, and the
// database is there.
func (c *schemaCache) Ready(ctx context.Context) bool {
	if c.pending.Load() {
		return false
	}
	if c.state.Load().config.ChannelEnabled {
		return c.db.Listening()
	}
	return c.db.Ping(ctx) == nil
}

// Snapshot is the schema as requests see it now.
func (c *schemaCache) Snapshot() *schema.Snapshot { return c.state.Load().snapshot }
