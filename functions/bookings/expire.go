// Package bookings does what bookings need without anybody asking.
package bookings

import (
	"context"
	"log/slog"
	"time"

	"plaza/functions/job"
	"plaza/server/pg"
)

const (
	// expireEvery is how late a customer may hear that nobody answered.
	expireEvery = time.Minute
	// mostAtOnce bounds one pass; what is left is due at the next one.
	mostAtOnce = 500
)

// expireOne ends one overdue request, in a transaction of its own.
const expireOne = `select private.expire_booking()`

// Expiry ends requests that no business answered before they began (BOOK-18).
type Expiry struct {
	DB  *pg.DB
	Log *slog.Logger
}

// Expire ends the requests that are overdue now, and returns how many it ended.
// Servers may do it at once: a request is ended by one of them.
func (e Expiry) Expire(ctx context.Context) (int, error) {
	for ended := range mostAtOnce {
		var found bool
		if err := e.DB.QueryRowAsService(ctx, pg.ServiceRole, expireOne, nil, &found); err != nil || !found {
			return ended, err
		}
	}
	return mostAtOnce, nil
}

// Run expires requests every minute, until ctx ends.
func (e Expiry) Run(ctx context.Context) {
	job.Every(expireEvery, e.Log, "ending overdue booking requests", func(ctx context.Context) error {
		_, err := e.Expire(ctx)
		return err
	})(ctx)
}
