package pg

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

// Limits of the pause between attempts to listen again.
const (
	listenRetryMin = 100 * time.Millisecond
	listenRetryMax = 10 * time.Second
)

// The notifications of one migration are collected into one call: those that follow
// each other within debounce, for maxDebounce at most.
const (
	debounce    = 50 * time.Millisecond
	maxDebounce = 500 * time.Millisecond
)

// Handler has the functions that Listen calls. Heard and Lost may be nil.
type Handler struct {
	Heard  func(payload string)    // for each notification, at once
	Notify func(payloads []string) // for those that arrive close together, each payload once
	Lost   func(reason error)      // when the connection is lost or cannot be made
}

// Listen handles the notifications of a channel. It uses a connection of its own and
// reconnects when that breaks. After reconnecting, and with missed also at the start, Notify
// is called with an empty payload, since notifications may have been missed. Listen returns
// when ctx ends.
func (db *DB) Listen(ctx context.Context, channel string, missed bool, h Handler) {
	pause := listenRetryMin
	for ; ctx.Err() == nil; missed = true {
		within, current, end := db.failover.withTerm(ctx)
		err := db.listenOnce(within, channel, h, missed, func() { pause = listenRetryMin })
		end()
		db.listening.Store(false)
		if ctx.Err() != nil {
			return
		}
		if h.Lost != nil {
			h.Lost(err)
		}
		pause = db.pauseListening(ctx, current, pause)
	}
}

// pauseListening waits until it is time to listen again, which is at once when the term of the last attempt has ended. It
// returns the next pause.
func (db *DB) pauseListening(ctx context.Context, last *term, pause time.Duration) time.Duration {
	moved := last.Done()
	if db.failover.ctx.Err() != nil { // closed
		moved = nil
	}
	select {
	case <-ctx.Done():
	case <-moved:
		return listenRetryMin
	case <-time.After(pause):
	}
	return min(2*pause, listenRetryMax)
}

// Watch calls notify with the payload of each notification of a channel, at once and in
// order. It uses a connection of its own and reconnects when that breaks. connected is
// called once that listens, to read what was missed; if it returns an error, the connection
// is closed. It must use the connection that it is given and not the pools: after an outage
// of the primary, requests wait until it returns. lost is called when Watch no longer
// listens, with the reason. Watch returns when ctx ends.
func (db *DB) Watch(ctx context.Context, channel string, connected func(context.Context, *Listener) error, notify func(payload string), lost func(error)) {
	w, unwatch := db.failover.watch()
	defer unwatch()
	for pause := listenRetryMin; ctx.Err() == nil; {
		within, current, end := db.failover.withTerm(ctx)
		conn, err := db.listenConn(within, channel)
		if err == nil {
			reading, cancel := context.WithTimeout(within, connectTimeout)
			err = connected(reading, &Listener{conn})
			cancel()
			if err == nil {
				pause = listenRetryMin
				db.failover.setCaughtUp(w, current)
			}
			for err == nil {
				var notification *pgconn.Notification
				if notification, err = conn.WaitForNotification(within); err == nil {
					notify(notification.Payload)
				}
			}
			_ = conn.Close(context.WithoutCancel(ctx))
		}
		end()
		lost(err)
		pause = db.pauseListening(ctx, current, pause)
	}
}

// Listener is a connection that listens.
type Listener struct{ conn *pgx.Conn }

// QueryRowAsService is like that of DB, on this connection.
//
// Errors: pgx.ErrNoRows.
func (l *Listener) QueryRowAsService(ctx context.Context, service Service, sql string, args []any, dest ...any) error {
	return queryRowAsService(ctx, l.conn, service, sql, args, dest, nil)
}

// waitingStatements is how many prepared statements are kept on a connection that waits, where few are used.
const waitingStatements = 16

// waitingConfig is the configuration of a connection that waits for what the server sends.
func (db *DB) waitingConfig() *pgx.ConnConfig {
	config := db.service.Config().ConnConfig
	db.failover.prefer(&config.Config)
	// A URL may name several servers, and only the primary sends all notifications and changes.
	config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	config.StatementCacheCapacity = min(config.StatementCacheCapacity, waitingStatements)
	// A wait that times out must not send a cancel request.
	config.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.DeadlineContextWatcherHandler{Conn: conn.Conn()}
	}
	return config
}

// Replication returns a connection with run-time parameters, one of which makes it a replication
// connection. The caller must close it.
func (db *DB) Replication(ctx context.Context, parameters map[string]string) (*pgconn.PgConn, error) {
	config := db.waitingConfig()
	config.ValidateConnect = requireReadWrite
	maps.Copy(config.RuntimeParams, parameters)
	conn, err := pgconn.ConnectConfig(ctx, &config.Config)
	if err == nil {
		disableProbing(conn)
	}
	return conn, err
}

// requireReadWrite does what pgconn.ValidateConnectTargetSessionAttrsReadWrite does, by the simple protocol: replication
// connections lack the extended one.
func requireReadWrite(ctx context.Context, conn *pgconn.PgConn) error {
	results, err := conn.Exec(ctx, "show transaction_read_only").ReadAll()
	if err == nil && string(results[0].Rows[0][0]) == "on" {
		err = errors.New("the server is read-only")
	}
	return err
}

// Connect returns a connection outside the pools, as the database's owner unless configure changes
// that. The caller must close it.
func (db *DB) Connect(ctx context.Context, configure func(*pgx.ConnConfig)) (*pgx.Conn, error) {
	config := db.service.Config().ConnConfig
	db.failover.prefer(&config.Config)
	config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	configure(config)
	return pgx.ConnectConfig(ctx, config)
}

// listenConn returns a connection that listens on a channel; its application_name ends with the channel. If no primary can be
// reached, an outage begins, unless ctx has ended: it also ends when a primary is found.
func (db *DB) listenConn(ctx context.Context, channel string) (*pgx.Conn, error) {
	config := db.waitingConfig()
	config.RuntimeParams["application_name"] += " " + channel
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		if db.failover.shouldWait(ctx, err) {
			db.failover.begin()
		}
		return nil, err
	}
	disableProbing(conn.PgConn())
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
		return nil, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	return conn, nil
}

func (db *DB) listenOnce(ctx context.Context, channel string, h Handler, missed bool, connected func()) error {
	conn, err := db.listenConn(ctx, channel)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	connected()
	db.listening.Store(true)
	db.log.InfoContext(ctx, "listening for notifications", "server", conn.PgConn().ParameterStatus("server_version"),
		"address", fmt.Sprintf("%s:%d", conn.Config().Host, conn.Config().Port), "channel", channel)
	if missed {
		h.Notify([]string{""})
	}
	next := func(ctx context.Context) (payload string, err error) {
		notification, err := conn.WaitForNotification(ctx)
		if err != nil {
			return "", err
		}
		if h.Heard != nil {
			h.Heard(notification.Payload)
		}
		return notification.Payload, nil
	}
	for {
		payload, err := next(ctx)
		if err != nil {
			return err
		}
		payloads := []string{payload}
		for first := time.Now(); time.Since(first) < maxDebounce; {
			more, cancel := context.WithTimeout(ctx, debounce)
			payload, err = next(more)
			cancel()
			if err != nil {
				break
			}
			if !slices.Contains(payloads, payload) {
				payloads = append(payloads, payload)
			}
		}
		if ctx.Err() != nil || conn.IsClosed() {
			return err
		}
		h.Notify(payloads)
	}
}

// Listening reports whether Listen has its connection.
func (db *DB) Listening() bool { return db.listening.Load() }
