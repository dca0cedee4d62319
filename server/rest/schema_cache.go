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
	"plaza/server/wake"
)

// Source returns the current settings. Settings in the database override those of
// file and environment.
type Source func(ctx context.Context) (settings.Config, identify.Func, error)

// schemaCache holds the current settings and schema and reloads them on request.
type schemaCache struct {
	db    *pg.DB
	log   *slog.Logger
	state atomic.Pointer[state]

	mu           sync.Mutex // allows one reload at a time
	source       Source     // nil means that the settings never change
	wanted       wake.Signal
	schemaWanted atomic.Bool // a reload of the schema was requested
	configWanted atomic.Bool // a reload of the settings was requested

	pending   atomic.Bool // the last reload failed
	loads     atomic.Uint64
	failures  atomic.Uint64
	queryTime atomic.Int64 // duration of the last successful schema queries, in nanoseconds
	loaded    tally.Moment // time of the last successful reload
}

// newSchemaCache returns a cache with the current schema.
func newSchemaCache(ctx context.Context, config settings.Config, db *pg.DB, identify identify.Func, log *slog.Logger) (*schemaCache, error) {
	first, err := newState(config, identify, nil)
	if err != nil {
		return nil, err
	}
	c := &schemaCache{db: db, log: log, wanted: wake.NewSignal()}
	c.state.Store(first)
	return c, c.Reload(ctx)
}

// Limits of the delay between attempts to load the schema. It doubles after each failure.
// Source: PostgREST.
const (
	retryMin = time.Second
	retryMax = 32 * time.Second
)

// ErrLost is returned by Watch if the connection is lost while automatic recovery is disabled.
var ErrLost = errors.New("the connection to the database is lost, and automatic recovery is disabled")

// SetSource sets the source from which reloads take the settings.
func (c *schemaCache) SetSource(source Source) { c.source = source }

// RequestSchema makes Watch reload the schema and the settings.
func (c *schemaCache) RequestSchema() {
	c.db.AnnounceReload()
	c.schemaWanted.Store(true)
	c.wanted.Wake()
}

// RequestConfig makes Watch reload the settings.
func (c *schemaCache) RequestConfig() {
	c.configWanted.Store(true)
	c.wanted.Wake()
}

// Reload reloads the schema, and the settings if the database may set them. Requests
// use the old state until the new one is complete. If loading fails, the old state
// remains in use.
func (c *schemaCache) Reload(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	current := c.state.Load()
	config, identify := current.config, current.identify
	if c.source != nil && config.InDatabase {
		if changed, who, err := c.settings(ctx); err == nil {
			config, identify = changed, who
		}
	}
	return c.load(ctx, config, identify)
}

// errSettings is the error for settings that a source refuses.
var errSettings = errors.New("settings are invalid")

// settings returns the current settings of the source. It logs its errors, except when ctx has ended.
func (c *schemaCache) settings(ctx context.Context) (settings.Config, identify.Func, error) {
	config, identify, err := c.source(ctx)
	if err != nil && ctx.Err() == nil {
		c.log.ErrorContext(ctx, "settings are invalid", "error", err)
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", errSettings, err)
	}
	return config, identify, err
}

// ReloadConfig reloads the settings. It also reloads the schema if the list of
// exposed schemas has changed.
func (c *schemaCache) ReloadConfig(ctx context.Context) error {
	if c.source == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	config, identify, err := c.settings(ctx)
	if err != nil {
		return err
	}
	current := c.state.Load()
	if slices.Equal(config.Schemas, current.config.Schemas) {
		err = c.use(ctx, config, identify, current.snapshot)
	} else {
		err = c.load(ctx, config, identify)
	}
	if err == nil {
		c.log.InfoContext(ctx, "settings reloaded")
	}
	return err
}

// use makes settings and schema the current state for all later requests.
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
	c.db.Owner().Reset() // new connections pick up changed settings of the login role
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

// Watch reloads settings and schema on a notification from PostgreSQL (NOTIFY pgrst,
// 'reload schema' or 'reload config'; an empty payload reloads both) and after
// RequestSchema or RequestConfig. It retries a failed load of the schema. It returns
// when ctx ends.
//
// Errors: ErrLost.
func (c *schemaCache) Watch(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	listener := listener{cache: c, lost: stop}
	defer listener.close()
	listener.update(ctx)
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
		listener.update(ctx)
		if err != nil && ctx.Err() == nil {
			c.schemaFailed(ctx, err, pause)
			retry = time.After(pause)
		} else if !c.pending.Load() {
			retry = nil
		}
	}
}

func (c *schemaCache) serveReloads(ctx context.Context) error {
	// Reload covers the settings that the database may set, but not those of a file.
	if c.configWanted.Swap(false) {
		err := c.ReloadConfig(ctx)
		if err != nil && !errors.Is(err, errSettings) { // that is logged, and the old settings stay in use
			c.configWanted.Store(true)
			return err
		}
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

// announce keeps reads from the replicas at once if a notification asks for a reload of the schema.
func (c *schemaCache) announce(payload string) {
	if asksForSchema(payload) {
		c.db.AnnounceReload()
	}
}

// handleNotifications requests the reloads that PostgreSQL's notifications ask for.
func (c *schemaCache) handleNotifications(payloads []string) {
	channel := slog.String("channel", c.state.Load().config.Channel)
	for _, payload := range payloads {
		switch {
		case asksForSchema(payload):
			c.log.Info("schema reload requested", channel)
			c.RequestSchema()
		case payload == "reload config":
			c.log.Info("settings reload requested", channel)
			c.RequestConfig()
		}
	}
}

// asksForSchema reports whether a notification asks for a reload of the schema.
func asksForSchema(payload string) bool { return payload == "" || payload == "reload schema" }

// Ready reports whether requests can be served: the schema is loaded and the
// database is reachable.
func (c *schemaCache) Ready(ctx context.Context) bool {
	if c.pending.Load() {
		return false
	}
	if c.state.Load().config.ChannelEnabled {
		return c.db.Listening()
	}
	return c.db.Ping(ctx) == nil
}

// Snapshot returns the current schema snapshot.
func (c *schemaCache) Snapshot() *schema.Snapshot { return c.state.Load().snapshot }
