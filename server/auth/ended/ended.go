// Package ended keeps a server's set of ended sessions and banned users the same
// as the database's table auth.refused_tokens, so that their access tokens are
// refused at once, also those that another server or plain SQL ended.
package ended

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"plaza/server/claims"
	"plaza/server/pg"
)

// channel is where triggers tell of changes. The payload is the changed rows, or
// empty for too many of them.
const channel = "plaza_refused"

// rereadEvery is how often the whole table is read all the same. It bounds how
// long a change can be missed while a dead connection looks alive.
const rereadEvery = 30 * time.Second

const (
	allRows  = `select coalesce(string_agg(auth.refused_token_text(r), ' '), '') from auth.refused_tokens r where r.kept_until > now()`
	rowsOf   = `select coalesce(string_agg(auth.refused_token_text(r), ' '), '') from auth.refused_tokens r where r.user_id = $1`
	lengthen = `with changed as (update auth.token_lifetime set seconds = $1 where seconds < $1 returning 1) select count(*) from changed`
)

// Follower fills a set from the database.
type Follower struct {
	db  *pg.DB
	set *claims.Refused
	log *slog.Logger
	now func() time.Time
}

// New returns a Follower of a database for a verifier's set.
func New(db *pg.DB, set *claims.Refused, log *slog.Logger, now func() time.Time) *Follower {
	return &Follower{db, set, log, now}
}

// Load reads the whole table.
func (f *Follower) Load(ctx context.Context) error {
	return f.read(ctx, allRows)
}

// Catch reads what was ended for a user, so that it holds for the next request to
// this server, whenever the notification comes. A nil Follower does nothing.
func (f *Follower) Catch(ctx context.Context, userID string) error {
	if f == nil {
		return nil
	}
	return f.read(ctx, rowsOf, userID)
}

func (f *Follower) read(ctx context.Context, sql string, args ...any) error {
	var rows string
	if err := f.db.QueryRowAsService(ctx, pg.AuthAdmin, sql, args, &rows); err != nil {
		return fmt.Errorf("read ended sessions: %w", err)
	}
	f.add(ctx, rows)
	return nil
}

func (f *Follower) add(ctx context.Context, rows string) {
	if unread := f.set.Add(rows); unread > 0 {
		f.log.ErrorContext(ctx, "ended sessions were announced in an unknown form", "rows", unread)
	}
}

// Lengthen tells the database how long an access token lives at most, so that it
// keeps ended sessions for as long.
func (f *Follower) Lengthen(ctx context.Context, lifetime time.Duration) error {
	if f == nil {
		return nil
	}
	var changed int
	if err := f.db.QueryRowAsService(ctx, pg.AuthAdmin, lengthen, []any{int(lifetime.Seconds())}, &changed); err != nil {
		return fmt.Errorf("note the lifetime of tokens: %w", err)
	}
	return nil
}

// Run follows the database until ctx ends.
func (f *Follower) Run(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.reread(ctx)
	}()
	// What changes while the table is read is heard of afterwards.
	f.db.Watch(ctx, channel, func() { f.reload(ctx) }, func(rows string) {
		if rows == "" {
			f.reload(ctx)
		}
		f.add(ctx, rows)
	}, func(err error) {
		if ctx.Err() == nil {
			f.log.WarnContext(ctx, "ended sessions are not heard of", "error", err)
		}
	})
	<-done
}

func (f *Follower) reread(ctx context.Context) {
	ticker := time.NewTicker(rereadEvery)
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
		f.log.ErrorContext(ctx, "ended sessions could not be read", "error", err)
	}
}
