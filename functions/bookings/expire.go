// Package bookings does what bookings need without anybody asking.
package bookings

import (
	"log/slog"

	"plaza/functions/job"
	"plaza/server/pg"
)

// Expiry ends requests that no business answered before they began (BOOK-18).
func Expiry(db *pg.DB, log *slog.Logger) job.OneByOne {
	return job.OneByOne{DB: db, Log: log, What: "ending overdue booking requests", Next: `select private.expire_booking()`}
}
