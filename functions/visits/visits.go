// Package visits counts visitors' actions on a listing, for its owner.
package visits

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"plaza/functions/beacon"
	"plaza/server/jobs"
	"plaza/server/pg"
	"plaza/server/project"
)

const (
	maxBody   = 16 << 10 // largest beacon, in bytes
	maxEvents = 100      // in one beacon; further ones are ignored
	// rollUpEvery is the longest delay until an owner sees an event in the metrics.
	rollUpEvery = 5 * time.Minute
)

// kinds are the kinds of events, as private.business_events names them.
var kinds = []string{
	"page_view", "search_view", "photo_view", "call", "directions", "website",
	"booking", "message", "promoted_view", "promoted_click",
}

const (
	record = `select private.record_events($1, $2, $3, $4)`
	rollUp = `select private.roll_up_metrics()`
)

// payload is what a page sends: {"events": [{"business": id, "kind": "call", "promoted": true}]}.
type payload struct {
	Events []event `json:"events"`
}

type event struct {
	Business string `json:"business"`
	Kind     string `json:"kind"`
	Promoted bool   `json:"promoted"` // the visitor came through a promoted listing
}

// Record handles POST /api/visits, a beacon. A visitor is identified by IP address and user
// agent; the database keeps a hash of both for a day. Clients whose user agent is not a
// browser's are not counted, and pages send no beacon for robots.
func Record(p project.Parts) http.Handler {
	return beacon.Handler(p, maxBody, func(r *http.Request, from netip.Addr, page payload) {
		events := validEvents(page.Events)
		agent := r.UserAgent()
		if len(events.businesses) == 0 || !strings.HasPrefix(agent, "Mozilla/") {
			return
		}
		err := p.DB.AsService(r.Context(), pg.ServiceRole, func(tx pgx.Tx) error {
			_, err := tx.Exec(r.Context(), record, from.String()+" "+agent, events.businesses, events.kinds, events.promoted)
			return err
		})
		if err != nil {
			p.Log.WarnContext(r.Context(), "visits were not counted", "error", err)
		}
	})
}

// columns are events as the parameters of record: an array per column.
type columns struct {
	businesses []pgtype.UUID
	kinds      []string
	promoted   []bool
}

// validEvents returns the events that have a valid business id and kind.
func validEvents(events []event) columns {
	var c columns
	for _, e := range events[:min(len(events), maxEvents)] {
		var id pgtype.UUID
		if id.Scan(e.Business) != nil || !slices.Contains(kinds, e.Kind) {
			continue
		}
		c.businesses = append(c.businesses, id)
		c.kinds = append(c.kinds, e.Kind)
		c.promoted = append(c.promoted, e.Promoted)
	}
	return c
}

// RollUp returns the job that aggregates visits, bookings, messages and reviews into
// business_metrics and advertiser_metrics.
func RollUp(p project.Parts) jobs.Job {
	return jobs.Job{Name: "metrics_roll_up", Every: rollUpEvery, Run: func(ctx context.Context) error {
		var done bool
		return p.DB.QueryRowAsService(ctx, pg.ServiceRole, rollUp, nil, &done)
	}}
}
