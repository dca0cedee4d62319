package geo_test

import (
	"bytes"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"

	"plaza/server/geo"
)

// database is a small file in MaxMind's format.
func database(t *testing.T) string {
	t.Helper()
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "GeoLite2-City", IncludeReservedNetworks: true})
	if err != nil {
		t.Fatal(err)
	}
	named := func(english, spanish string) mmdbtype.Map {
		return mmdbtype.Map{"names": mmdbtype.Map{"en": mmdbtype.String(english), "es": mmdbtype.String(spanish)}}
	}
	for network, record := range map[string]mmdbtype.Map{
		"81.45.0.0/16":   {"city": named("Seville", "Sevilla"), "country": named("Spain", "España")},
		"85.94.160.0/19": {"country": named("Andorra", "Andorra")},
		"2a0c:5a80::/29": {"city": named("Madrid", "Madrid"), "country": named("Spain", "España")},
		"10.0.0.0/8":     {"country": named("Nowhere", "Nowhere")},
	} {
		_, parsed, err := net.ParseCIDR(network)
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Insert(parsed, record); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "city.mmdb")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.WriteTo(out); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func find(t *testing.T, f *geo.Finder, address string) (geo.Place, bool) {
	t.Helper()
	return f.Find(t.Context(), netip.MustParseAddr(address))
}

// FN-14, S-35: addresses are looked up in a file, except private ones.
func TestFile(t *testing.T) {
	t.Parallel()
	f, err := geo.New(geo.Config{File: database(t)}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]geo.Place{
		"81.45.1.2": {City: "Seville", Country: "Spain"}, "::ffff:81.45.1.2": {City: "Seville", Country: "Spain"},
		"85.94.160.1": {Country: "Andorra"}, "2a0c:5a80::1": {City: "Madrid", Country: "Spain"},
		"9.9.9.9": {}, "10.1.2.3": {}, "127.0.0.1": {},
	} {
		if got, ok := find(t, f, address); got != want || ok != (want.Country != "") {
			t.Errorf("%s: %+v %t, want %+v", address, got, ok, want)
		}
	}
	broken := filepath.Join(t.TempDir(), "broken.mmdb")
	if err := os.WriteFile(broken, []byte("not MaxMind's"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{broken, "/nowhere.mmdb"} {
		if _, err := geo.New(geo.Config{File: path}, nil); err == nil || !strings.Contains(err.Error(), "GEOLOCATION_FILE") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// FN-14, S-35: a service is queried once per address, only with the address, and never for a private
// one. If it fails or redirects, there is no result.
func TestService(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	t.Cleanup(other.Close)
	var requests atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		result := map[string]string{
			"/81.45.1.2/json":   `{"city": "Seville", "country_name": "Spain", "country": "ES"}`,
			"/85.94.160.1/json": `{"country": "Andorra"}`,
			"/1.0.0.1/json":     `{"country_name": ["no text"]}`, "/1.0.0.2/json": `nonsense`, "/1.0.0.3/json": `{"city": "` + strings.Repeat("x", 100_000) + `"}`,
			"/1.0.0.4/json": `{"country_name": "` + strings.Repeat("x", 300) + `"}`,
		}[r.URL.Path]
		switch {
		case r.URL.Path == "/1.0.0.5/json":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case result == "":
			http.NotFound(w, r)
		default:
			_, _ = w.Write([]byte(result))
		}
	}))
	t.Cleanup(web.Close)
	var log bytes.Buffer
	f, err := geo.New(geo.Config{URL: web.URL + "/{ip}/json"}, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for address, want := range map[string]geo.Place{
			"81.45.1.2": {City: "Seville", Country: "Spain"}, "85.94.160.1": {Country: "Andorra"}, "1.0.0.1": {}, "1.0.0.2": {}, "1.0.0.3": {}, "1.0.0.4": {},
			"1.0.0.5": {}, "1.0.0.6": {}, "10.1.2.3": {}, "169.254.169.254": {}, "::1": {},
		} {
			if got, _ := find(t, f, address); got != want {
				t.Errorf("%s: %+v, want %+v", address, got, want)
			}
		}
	}
	if requests.Load() != 8 {
		t.Errorf("%d requests for 8 addresses", requests.Load())
	}
	web.Close()
	if _, ok := find(t, f, "1.0.0.7"); ok || strings.Contains(log.String(), "1.0.0.") {
		t.Errorf("a service that is gone: %t, or the log names visitors: %s", ok, log.String())
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, good := range []geo.Config{{}, {File: "a.mmdb"}, {URL: "https://geo.example/{ip}/json"}, {URL: "http://geo:8080/?q={ip}"}} {
		if err := good.Check(); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
	for _, bad := range []geo.Config{{File: "a", URL: "https://geo.example/{ip}"}, {URL: "https://geo.example/"}, {URL: "https://{ip}/"}, {URL: "geo.example/{ip}"}} {
		if bad.Check() == nil {
			t.Errorf("%+v is not refused", bad)
		}
	}
}
