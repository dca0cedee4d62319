// Package visits counts what visitors do with a listing, for its owner.
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
	"plaza/functions/job"
	"plaza/server/pg"
	"plaza/server/project"
)

const (
	// maxBody is the largest beacon read, in bytes; mostEvents is how many fit into one.
	maxBody    = 16 << 10
	mostEvents = 100
	// rollUpEvery is how late an owner sees a figure.
	rollUpEvery = 5 * time.Minute
)

// kinds are what can be counted, as private.business_events names them.
var kinds = []string{
	"page_view", "search_view", "photo_view", "call", "directions", "website",
	"booking", "message", "promoted_view", "promoted_click",
}

const (
	record = `select private.record_events($1, $2, $3, $4)`
	rollUp = `select private.roll_up_metrics()`
)

// told is what a page sends: {"events": [{"business": id, "kind": "call", "promoted": true}]}.
type told struct {
	Events []event `json:"events"`
}

type event struct {
	Business string `json:"business"`
	Kind     string `json:"kind"`
	Promoted bool   `json:"promoted"` // the visitor came by a promoted place
}

// Record answers POST /api/visits, a beacon. A visitor is an address and a
// browser, of which the database keeps a hash for a day. What does not say that
// it is a browser is not counted; a page does not send for robots.
func Record(p project.Parts) http.Handler {
	return beacon.Handler(p, maxBody, func(r *http.Request, from netip.Addr, page told) {
		events := known(page.Events)
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

// columns are events as the database takes them.
type columns struct {
	businesses []pgtype.UUID
	kinds      []string
	promoted   []bool
}

func known(events []event) columns {
	var c columns
	for _, e := range events[:min(len(events), mostEvents)] {
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

// RollUp is the job that turns visits and what was booked, written and reviewed
// into business_metrics and advertiser_metrics. Several servers may run it.
func RollUp(p project.Parts) func(context.Context) {
	return job.Every(rollUpEvery, p.Log, "rolling up the figures of businesses", func(ctx context.Context) error {
		var done bool
		return p.DB.QueryRowAsService(ctx, pg.ServiceRole, rollUp, nil, &done)
	})
}
