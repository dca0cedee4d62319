package pg

import (
	"context"
	"errors"
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

// settle gathers the notifications of one migration into one call: those that
// come within it of one another, for settleMost at the longest.
const (
	settle     = 50 * time.Millisecond
	settleMost = 500 * time.Millisecond
)

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

// Watch calls told for each thing that PostgreSQL announces on a channel, at once
// and in order, on a connection of its own that is made again when it breaks.
// began is called when it hears from then on, lost when it no longer does, with
// why. It returns when ctx ends.
func (db *DB) Watch(ctx context.Context, channel string, began func(), told func(payload string), lost func(error)) {
	for pause := listenRetryMin; ctx.Err() == nil; {
		conn, err := db.listenConn(ctx, channel)
		if err == nil {
			pause = listenRetryMin
			began()
			for err == nil {
				var notification *pgconn.Notification
				if notification, err = conn.WaitForNotification(ctx); err == nil {
					told(notification.Payload)
				}
			}
			_ = conn.Close(context.WithoutCancel(ctx))
		}
		lost(err)
		select {
		case <-ctx.Done():
		case <-time.After(pause):
			pause = min(2*pause, listenRetryMax)
		}
	}
}

// listenConn makes a connection that hears of a channel.
func (db *DB) listenConn(ctx context.Context, channel string) (*pgx.Conn, error) {
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
		return nil, err
	}
	disableProbe(conn.PgConn())
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
		return nil, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	return conn, nil
}

func (db *DB) listenOnce(ctx context.Context, channel string, notify func(payloads []string), missed bool, connected func()) error {
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
		notify([]string{""})
	}
	for {
		notification, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		payloads := []string{notification.Payload}
		for first := time.Now(); time.Since(first) < settleMost; {
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

// Listening reports whether Listen has its connection.
func (db *DB) Listening() bool { return db.listening.Load() }
