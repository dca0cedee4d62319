package location_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"plaza/functions"
	"plaza/functions/location"
	"plaza/server/claims"
	"plaza/server/geo"
	"plaza/server/project"
)

// FN-14, LOC-06, S-35: the city and country_name of the visitor's address. If lookups are
// off or the address is unknown, the response is Andorra without a city (LOC-07).
func TestGeolocation(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := map[string]string{"/81.45.1.2": `{"city": "Seville", "country_name": "Spain"}`, "/81.45.1.3": `{"country_name": "Spain"}`}[r.URL.Path]
		if answer == "" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(service.Close)
	log := slog.New(slog.DiscardHandler)
	places, err := geo.New(geo.Config{URL: service.URL + "/{ip}"}, log)
	if err != nil {
		t.Fatal(err)
	}
	off, err := geo.New(geo.Config{}, log)
	if err != nil {
		t.Fatal(err)
	}
	const fallback = `{"city":null,"country_name":"Andorra"}`
	for _, tt := range []struct {
		name              string
		places            *geo.Finder
		remote, forwarded string
		want              string
	}{
		{"off", off, "81.45.1.2:1", "", fallback},
		{"no finder", nil, "81.45.1.2:1", "", fallback},
		{"a city", places, "81.45.1.2:1", "", `{"city":"Seville","country_name":"Spain"}`},
		{"a country", places, "81.45.1.3:1", "", `{"city":null,"country_name":"Spain"}`},
		{"an unknown address", places, "81.45.1.4:1", "", fallback},
		{"a private address", places, "10.1.1.1:1", "", fallback},
		{"behind a proxy", places, "127.0.0.1:1", "81.45.1.2", `{"city":"Seville","country_name":"Spain"}`},
		{"a forged header", places, "81.45.1.3:1", "81.45.1.2", `{"city":null,"country_name":"Spain"}`},
	} {
		parts := project.Parts{Places: tt.places, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Log: log, Now: time.Now}
		r := httptest.NewRequest(http.MethodGet, "/functions/v1/geolocation", nil)
		r.RemoteAddr = tt.remote
		if tt.forwarded != "" {
			r.Header.Set("X-Forwarded-For", tt.forwarded)
		}
		recorder := httptest.NewRecorder()
		parts.Auth = &claims.Authenticator{Verifier: claims.NewVerifier([]byte("a-secret-of-tests-with-32-characters"), time.Now)}
		functions.Handler("/functions/v1", parts, location.Geolocation(parts)).ServeHTTP(recorder, r)
		if recorder.Code != http.StatusOK || recorder.Body.String() != tt.want {
			t.Errorf("%s: %d %s, want %s", tt.name, recorder.Code, recorder.Body, tt.want)
		}
	}
}
