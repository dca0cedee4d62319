// Package bookings runs the background work of bookings.
package bookings

import (
	"log/slog"

	"plaza/functions/job"
	"plaza/server/pg"
)

// Expiry returns the job that ends booking requests whose time came before the business
// responded (BOOK-18).
func Expiry(db *pg.DB, log *slog.Logger) job.Worker {
	return job.Worker{DB: db, Log: log, What: "ending overdue booking requests", Next: `select private.expire_booking()`}
}
