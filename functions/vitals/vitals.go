// Package vitals counts how fast pages are for their visitors (https://web.dev/vitals), by
// route, without anything about a visitor.
package vitals

import (
	"net/http"
	"net/netip"

	"plaza/functions/beacon"
	"plaza/functions/pages"
	"plaza/server/ops"
	"plaza/server/project"
	"plaza/server/tally"
)

const maxBody = 1 << 10 // largest beacon, in bytes

// limits are the upper bounds of good and acceptable values; anything beyond is poor.
type limits struct{ good, acceptable float64 }

// known are the metrics by their name in a beacon. Their limits are those of the
// requirements (UI-08, UI-09, UI-10), and https://web.dev/articles/inp for INP.
var known = map[string]limits{
	"lcp": {2500, 4000}, // Largest Contentful Paint, in milliseconds
	"fid": {100, 300},   // first input delay, in milliseconds
	"inp": {200, 500},   // Interaction to Next Paint, in milliseconds
	"cls": {0.1, 0.25},  // Cumulative Layout Shift
}

// rate returns "good", "acceptable" or "poor".
func (l limits) rate(value float64) string {
	switch {
	case value <= l.good:
		return "good"
	case value <= l.acceptable:
		return "acceptable"
	default:
		return "poor"
	}
}

// page is what a page sends: {"path": "/business/x", "lcp": 1234.5, "cls": 0}.
type page struct {
	Path string   `json:"path"`
	LCP  *float64 `json:"lcp"`
	FID  *float64 `json:"fid"`
	INP  *float64 `json:"inp"`
	CLS  *float64 `json:"cls"`
}

// measured identifies a counter of page views.
type measured struct{ metric, route, rating string }

// Vitals counts page views. The zero value is ready to use.
type Vitals struct{ views tally.Of[measured] }

// Record handles POST /api/vitals, a beacon.
func (v *Vitals) Record(p project.Parts) http.Handler {
	return beacon.Handler(p, maxBody, func(_ *http.Request, _ netip.Addr, sent page) {
		route := pages.Pattern(sent.Path)
		for metric, value := range map[string]*float64{"lcp": sent.LCP, "fid": sent.FID, "inp": sent.INP, "cls": sent.CLS} {
			if value == nil || *value < 0 {
				continue
			}
			v.views.Add(measured{metric, route, known[metric].rate(*value)}, 1)
		}
	})
}

// Measure writes the counts as metrics.
func (v *Vitals) Measure(s ops.Scrape) {
	for one, count := range v.views.All() {
		s.Count("plaza_web_vitals_total", "Page views by metric (lcp, fid, inp, cls), route and rating: good, acceptable or poor.",
			float64(count), "metric", one.metric, "route", one.route, "rating", one.rating)
	}
}
