// Package location tells a visitor's browser roughly where it is.
package location

import (
	"net/http"

	"plaza/functions"
	"plaza/server/geo"
	"plaza/server/httpx"
	"plaza/server/project"
)

// fallbackCountry is the country of a visitor who cannot be placed (S-35).
const fallbackCountry = "Andorra"

// Place is the answer: a city where one is known, and a country.
type Place struct {
	City    *string `json:"city"`
	Country string  `json:"country_name"`
}

// Geolocation answers where the caller's address lies (FN-14). Looking addresses
// up is off unless a source is configured, so that no visitor's address leaves
// the server unasked: the answer then has no city, and clients use their default.
func Geolocation(p project.Parts) functions.Func {
	return functions.Func{Name: "geolocation", Open: true, Serve: func(w http.ResponseWriter, r *http.Request) error {
		answer := Place{Country: fallbackCountry}
		if found, ok := p.Places.Find(r.Context(), httpx.ClientAddress(r, p.TrustedProxies)); ok {
			answer = placeOf(found)
		}
		w.Header().Set("Cache-Control", "private, max-age=3600")
		return httpx.WriteJSON(w, http.StatusOK, answer)
	}}
}

func placeOf(found geo.Place) Place {
	answer := Place{Country: found.Country}
	if found.City != "" {
		answer.City = &found.City
	}
	return answer
}
