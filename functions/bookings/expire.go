// Package bookings runs the background work of bookings.
package bookings

import (
	"plaza/functions/job"
	"plaza/server/pg"
)

// Expiry returns the worker that ends booking requests whose time came before the business
// responded (BOOK-18).
func Expiry(db *pg.DB) job.Worker {
	return job.Worker{DB: db, Name: "booking_expiry", Next: `select private.expire_booking()`}
}
