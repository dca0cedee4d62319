// Package ended keeps a server's set of ended sessions and banned users in sync with the
// table auth.refused_tokens. Their access tokens are refused at once, also if another
// server or plain SQL ended the session.
package ended

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/pg"
)

// channel is the notification channel that triggers use. The payload is the changed rows, or
// empty if there are too many.
const channel = "plaza_refused"

// reloadInterval is how often the whole table is read regardless of notifications. It bounds how
// long a change can be missed while a dead connection looks alive.
const reloadInterval = 30 * time.Second

const (
	allRows         = `select coalesce(string_agg(auth.refused_token_text(r), ' '), '') from auth.refused_tokens r where r.kept_until > now()`
	rowsOf          = `select coalesce(string_agg(auth.refused_token_text(r), ' '), '') from auth.refused_tokens r where r.user_id = $1`
	extendRetention = `with changed as (update auth.token_lifetime set seconds = $1 where seconds < $1 returning 1) select count(*) from changed`
)

// Follower keeps a set in sync with the database.
type Follower struct {
	db  *pg.DB
	set *claims.RefusedTokens
	log *slog.Logger
	now func() time.Time
}

// New returns a Follower that fills a verifier's set from db.
func New(db *pg.DB, set *claims.RefusedTokens, log *slog.Logger, now func() time.Time) *Follower {
	return &Follower{db, set, log, now}
}

// Load reads the whole table.
func (f *Follower) Load(ctx context.Context) error {
	return f.read(ctx, f.db, allRows)
}

// RefreshUser reads the ended sessions of one user, so that they are refused from the next request
// to this server on, before the notification arrives. A nil Follower does nothing.
func (f *Follower) RefreshUser(ctx context.Context, userID string) error {
	if f == nil {
		return nil
	}
	return f.read(ctx, f.db, rowsOf, userID)
}

// querier is a pool or a connection.
type querier interface {
	QueryRowAsService(ctx context.Context, service pg.Service, sql string, args []any, dest ...any) error
}

func (f *Follower) read(ctx context.Context, db querier, sql string, args ...any) error {
	var rows string
	if err := db.QueryRowAsService(ctx, pg.AuthAdmin, sql, args, &rows); err != nil {
		return fmt.Errorf("read ended sessions: %w", err)
	}
	f.add(ctx, rows)
	return nil
}

func (f *Follower) add(ctx context.Context, rows string) {
	if unread := f.set.Add(rows); unread > 0 {
		f.log.ErrorContext(ctx, "rows of ended sessions have an unknown format", "rows", unread)
	}
}

// Recheck returns the error for a caller whose token is refused by now, or nil. It is for requests whose token was verified
// a while ago.
//
// Errors: 401 session_not_found, user_banned.
func (f *Follower) Recheck(who claims.Caller) error {
	err := f.set.Check(&who, f.now)
	switch {
	case errors.Is(err, claims.ErrSessionEnded):
		return apierr.New(http.StatusUnauthorized, "session_not_found", "Session of the token has ended").WithCause(err)
	case errors.Is(err, claims.ErrUserBanned):
		return apierr.New(http.StatusUnauthorized, "user_banned", "User is banned").WithCause(err)
	}
	return nil
}

// ExtendRetention records the maximum lifetime of an access token in the database, which keeps
// ended sessions for that long.
func (f *Follower) ExtendRetention(ctx context.Context, lifetime time.Duration) error {
	if f == nil {
		return nil
	}
	var changed int
	if err := f.db.QueryRowAsService(ctx, pg.AuthAdmin, extendRetention, []any{int(lifetime.Seconds())}, &changed); err != nil {
		return fmt.Errorf("record token lifetime: %w", err)
	}
	return nil
}

// Run follows the database until ctx ends.
func (f *Follower) Run(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.reloadPeriodically(ctx)
	}()
	// Changes made while the table is read are notified afterwards.
	f.db.Watch(ctx, channel, func(ctx context.Context, conn *pg.Listener) error {
		return f.read(ctx, conn, allRows)
	}, func(rows string) {
		if rows == "" {
			f.reload(ctx)
		}
		f.add(ctx, rows)
	}, func(err error) {
		if ctx.Err() == nil {
			f.log.WarnContext(ctx, "cannot listen for ended sessions", "error", err)
		}
	})
	<-done
}

func (f *Follower) reloadPeriodically(ctx context.Context) {
	ticker := time.NewTicker(reloadInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			f.reload(ctx)
			f.set.Prune(f.now())
		}
	}
}

func (f *Follower) reload(ctx context.Context) {
	if err := f.Load(ctx); err != nil && ctx.Err() == nil {
		f.log.ErrorContext(ctx, "reading ended sessions failed", "error", err)
	}
}
