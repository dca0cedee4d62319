// Package location returns a visitor's approximate location.
package location

import (
	"net/http"

	"plaza/functions"
	"plaza/server/geo"
	"plaza/server/httpx"
	"plaza/server/project"
)

// fallbackCountry is the country of a visitor whose location is unknown (S-35).
const fallbackCountry = "Andorra"

// Place is the response: a country, and a city if it is known.
type Place struct {
	City    *string `json:"city"`
	Country string  `json:"country_name"`
}

// Geolocation returns the location of the caller's IP address (FN-14). Lookups are off
// unless a source is configured, so that no visitor's address leaves the server by
// default. The response then has no city, and clients use their default.
func Geolocation(p project.Parts) functions.Func {
	return functions.Func{Name: "geolocation", Open: true, Serve: func(w http.ResponseWriter, r *http.Request) error {
		place := Place{Country: fallbackCountry}
		if found, ok := p.Places.Find(r.Context(), httpx.ClientAddress(r, p.TrustedProxies)); ok {
			place = placeOf(found)
		}
		w.Header().Set("Cache-Control", "private, max-age=3600")
		return httpx.WriteJSON(w, http.StatusOK, place)
	}}
}

func placeOf(found geo.Place) Place {
	place := Place{Country: found.Country}
	if found.City != "" {
		place.City = &found.City
	}
	return place
}
