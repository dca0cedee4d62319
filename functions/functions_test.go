package functions_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"plaza/functions"
	"plaza/functions/location"
	"plaza/server/apierr"
	"plaza/server/claims"
)

func authenticator(t *testing.T) *claims.Authenticator {
	t.Helper()
	v := claims.NewVerifier([]byte("a-secret-of-tests-with-32-characters"), time.Now)
	keys, err := claims.NewKeys(v, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return &claims.Authenticator{Verifier: v, Keys: keys}
}

func call(t *testing.T, h http.Handler, method, path string, header map[string]string, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, "/functions/v1"+path, strings.NewReader(body))
	for name, value := range header {
		r.Header.Set(name, value)
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, r)
	return recorder
}

func TestCallsByName(t *testing.T) {
	t.Parallel()
	auth := authenticator(t)
	h := functions.Handler("/functions/v1", auth,
		functions.Func{Name: "who", Serve: func(w http.ResponseWriter, r *http.Request) error {
			who, _ := claims.FromContext(r.Context())
			_, err := w.Write([]byte(who.Role))
			return err
		}},
		functions.Func{Name: "fails", Open: true, Serve: func(http.ResponseWriter, *http.Request) error {
			return apierr.New(http.StatusConflict, "taken", "Somebody was faster")
		}},
	)
	anon := map[string]string{"apikey": auth.Keys.Anon}
	for _, test := range []struct {
		name, path string
		header     map[string]string
		status     int
		body       string
	}{
		{"by key", "/who", anon, 200, "anon"},
		{"by token", "/who", map[string]string{"Authorization": "Bearer " + auth.Keys.Service}, 200, "service_role"},
		{"without either", "/who", nil, 401, `{"code":"missing_authorization","message":"Missing authorization header"}`},
		{"with a broken token", "/who", map[string]string{"Authorization": "Bearer a.b.c"}, 401, `{"code":"invalid_jwt","message":"Invalid JWT"}`},
		{"a known failure", "/fails", nil, 409, `{"code":"taken","message":"Somebody was faster"}`},
		{"an unknown name", "/nope", anon, 404, `{"code":"function_not_found","message":"Requested function was not found"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			answer := call(t, h, http.MethodPost, test.path, test.header, "")
			if answer.Code != test.status || answer.Body.String() != test.body {
				t.Errorf("%d %s, want %d %s", answer.Code, answer.Body, test.status, test.body)
			}
		})
	}
}

// FN-14, LOC-06, S-35: city and country_name; off by default, so the client
// falls back to Andorra (LOC-07) and no address leaves the server.
func TestGeolocationIsOffByDefault(t *testing.T) {
	t.Parallel()
	h := functions.Handler("/functions/v1", authenticator(t), location.Geolocation())
	answer := call(t, h, http.MethodGet, "/geolocation", nil, "")
	var place map[string]any
	if err := json.Unmarshal(answer.Body.Bytes(), &place); err != nil {
		t.Fatal(err)
	}
	city, named := place["city"]
	if answer.Code != http.StatusOK || !named || city != nil || place["country_name"] != "Andorra" {
		t.Errorf("%d %v", answer.Code, place)
	}
}
