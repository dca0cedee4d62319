package functions_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/functions"
	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/invoke"
	"plaza/server/pg"
	"plaza/server/project"
	"plaza/tests/testkit/restkit"
)

func parts(t *testing.T, db *pg.DB) project.Parts {
	t.Helper()
	v := claims.NewVerifier([]byte("a-secret-of-tests-with-32-characters"), time.Now)
	keys, err := claims.NewKeys(v, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return project.Parts{DB: db, Auth: &claims.Authenticator{Verifier: v, Keys: keys}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
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
	p := parts(t, nil)
	p.Functions = func(name string) (invoke.Function, bool) {
		return invoke.Function{Access: invoke.Unchecked, Serve: func(w http.ResponseWriter, _ *http.Request) error {
			_, err := io.WriteString(w, "elsewhere")
			return err
		}}, name == "foreign" || name == "who"
	}
	h := functions.Handler("/functions/v1", p,
		functions.Func{Name: "who", Serve: func(w http.ResponseWriter, r *http.Request) error {
			_, err := io.WriteString(w, functions.ClientsOf(r.Context()).Caller().Role)
			return err
		}},
		functions.Func{Name: "fails", Open: true, Serve: func(http.ResponseWriter, *http.Request) error {
			return apierr.New(http.StatusConflict, "taken", "Somebody was faster")
		}},
	)
	anon := map[string]string{"apikey": p.Auth.Keys.Anon}
	for _, test := range []struct {
		name, path string
		header     map[string]string
		status     int
		body       string
	}{
		{"by key", "/who", anon, 200, "anon"},
		{"by token", "/who/below", map[string]string{"Authorization": "Bearer " + p.Auth.Keys.Service}, 200, "service_role"},
		{"without either", "/who", nil, 401, `{"code":"missing_authorization","message":"Missing authorization header"}`},
		{"an API error", "/fails", nil, 409, `{"code":"taken","message":"Somebody was faster"}`},
		{"a function of the server", "/foreign", nil, 200, "elsewhere"},
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

// A function accesses the database as its caller, with row-level security, or as the
// service, without it.
func TestClients(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, `
		create table public.secrets (id int primary key);
		insert into public.secrets values (1), (2);
		alter table public.secrets enable row level security;
		grant select on public.secrets to anon, service_role`, nil)
	p := parts(t, api.ServerDB)
	h := functions.Handler("/functions/v1", p, functions.Func{Name: "counts", Open: true, Serve: func(w http.ResponseWriter, r *http.Request) error {
		const count = `select count(*)::text from public.secrets`
		clients, seen := functions.ClientsOf(r.Context()), map[string]string{}
		if err := clients.Query(r.Context(), count, nil, func(row [][]byte) error { seen["caller"] = string(row[0]); return nil }); err != nil {
			return err
		}
		if err := clients.AsService(r.Context(), func(tx pgx.Tx) error {
			var n string
			err := tx.QueryRow(r.Context(), count).Scan(&n)
			seen["service"] = n
			return err
		}); err != nil {
			return err
		}
		return json.NewEncoder(w).Encode(seen)
	}})
	answer := call(t, h, http.MethodPost, "/counts", nil, "")
	if got := strings.TrimSpace(answer.Body.String()); got != `{"caller":"0","service":"2"}` {
		t.Errorf("%d %s", answer.Code, got)
	}
}
