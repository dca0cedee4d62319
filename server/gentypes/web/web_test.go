package web

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plaza/server/claims"
	"plaza/server/gentypes"
)

func authenticator(t *testing.T) *claims.Authenticator {
	t.Helper()
	verifier := claims.NewVerifier([]byte("a-secret-of-tests-with-32-characters"), time.Now)
	keys, err := claims.NewKeys(verifier, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return &claims.Authenticator{Verifier: verifier, Keys: keys}
}

func get(t *testing.T, auth *claims.Authenticator, target string, header http.Header, generate Generate) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	request.Header = header
	answer := httptest.NewRecorder()
	Handler(auth, generate, slog.New(slog.DiscardHandler)).ServeHTTP(answer, request)
	return answer
}

func TestOnlyTheServiceRoleReadsTypes(t *testing.T) {
	t.Parallel()
	auth := authenticator(t)
	for _, test := range []struct {
		name   string
		header http.Header
		status int
	}{
		{"no key", http.Header{}, http.StatusUnauthorized},
		{"a wrong key", http.Header{"Apikey": {"nonsense"}}, http.StatusUnauthorized},
		{"anon", http.Header{"Apikey": {auth.Keys.Anon}}, http.StatusForbidden},
		{"publishable", http.Header{"Apikey": {auth.Keys.Publishable}}, http.StatusForbidden},
		{"anon with a bearer token", http.Header{"Apikey": {auth.Keys.Anon}, "Authorization": {"Bearer " + auth.Keys.Service}}, http.StatusForbidden},
		{"anon's bearer token", http.Header{"Authorization": {"Bearer " + auth.Keys.Anon}}, http.StatusForbidden},
		{"service", http.Header{"Apikey": {auth.Keys.Service}}, http.StatusOK},
		{"secret", http.Header{"Apikey": {auth.Keys.Secret}}, http.StatusOK},
		{"service's bearer token", http.Header{"Authorization": {"Bearer " + auth.Keys.Service}}, http.StatusOK},
	} {
		called := false
		answer := get(t, auth, "/", test.header, func(context.Context, io.Writer, gentypes.Options) error {
			called = true
			return nil
		})
		if answer.Code != test.status || called != (test.status == http.StatusOK) {
			t.Errorf("%s: %d, called %t; want %d", test.name, answer.Code, called, test.status)
		}
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	auth := authenticator(t)
	for query, want := range map[string]gentypes.Options{
		"": {WithoutOneToOne: true},
		"?included_schemas=public,%20auth&excluded_schemas=a&detect_one_to_one_relationships=true&postgrest_version=13.0": {
			Schemas: []string{"public", "auth"}, Excluded: []string{"a"}, PostgrestVersion: "13.0",
		},
		"?included_schemas=&exact=true": {WithoutOneToOne: true, Exact: true},
	} {
		answer := get(t, auth, "/"+query, http.Header{"Apikey": {auth.Keys.Service}}, func(_ context.Context, out io.Writer, got gentypes.Options) error {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", query, diff)
			}
			_, err := io.WriteString(out, "types")
			return err
		})
		if answer.Body.String() != "types" {
			t.Errorf("%s: %s", query, answer.Body)
		}
	}
}

func TestErrorsAreNotShown(t *testing.T) {
	t.Parallel()
	auth := authenticator(t)
	answer := get(t, auth, "/", http.Header{"Apikey": {auth.Keys.Service}}, func(_ context.Context, out io.Writer, _ gentypes.Options) error {
		_, _ = io.WriteString(out, "half of the types")
		return errors.New("secret")
	})
	if body := answer.Body.String(); answer.Code != http.StatusInternalServerError || strings.Contains(body, "secret") || strings.Contains(body, "half") {
		t.Errorf("%d %s", answer.Code, body)
	}
}
