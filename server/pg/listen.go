package pg

import (
	"context"
	"fmt"
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

// settle gathers the notifications of one migration into one call.
const settle = 50 * time.Millisecond

// Listen calls notify for what PostgreSQL announces on a channel, on a
// connection of its own that is made again when it breaks. Notifications that
// come close together are one call, each text once. After a broken connection
// notify is called with an empty text, since something may have been missed; with
// missed also at the start. lost is told why it broke, or could not be made. It
// returns when ctx ends.
func (db *DB) Listen(ctx context.Context, channel string, missed bool, notify func(payloads []string), lost func(error)) {
	pause := listenRetryMin
	for ; ctx.Err() == nil; missed = true {
		err := db.listenOnce(ctx, channel, notify, missed, func() { pause = listenRetryMin })
		db.listening.Store(false)
		if ctx.Err() != nil {
			return
		}
		lost(err)
		select {
		case <-ctx.Done():
		case <-time.After(pause):
			pause = min(2*pause, listenRetryMax)
		}
	}
}

func (db *DB) listenOnce(ctx context.Context, channel string, notify func(payloads []string), missed bool, connected func()) error {
	config := db.service.Config().ConnConfig
	// An address may name several servers, and only the primary listens.
	config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	// A wait that times out must leave the connection as it is, so no cancel
	// request is sent for it.
	config.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.DeadlineContextWatcherHandler{Conn: conn.Conn()}
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
		return err
	}
	connected()
	db.listening.Store(true)
	db.log.InfoContext(ctx, "listening for notifications", "server", conn.PgConn().ParameterStatus("server_version"),
		"address", fmt.Sprintf("%s:%d", config.Host, config.Port), "channel", channel)
	if missed {
		notify([]string{""})
	}
	for {
		notification, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		payloads := []string{notification.Payload}
		for {
			more, cancel := context.WithTimeout(ctx, settle)
			notification, err = conn.WaitForNotification(more)
			cancel()
			if err != nil {
				break
			}
			if !slices.Contains(payloads, notification.Payload) {
				payloads = append(payloads, notification.Payload)
			}
		}
		if ctx.Err() != nil || conn.IsClosed() {
			return err
		}
		notify(payloads)
	}
}

// Listening tells whether Listen has its connection.
func (db *DB) Listening() bool { return db.listening.Load() }
