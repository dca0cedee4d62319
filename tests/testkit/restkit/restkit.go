// Package restkit serves the data API on a test's own database, for tests that consist of a request
// and its response.
package restkit

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/rest"
	"plaza/server/rest/identify"
	"plaza/server/rest/settings"
	"plaza/tests/testkit"
)

// secret signs the tokens of tests.
const secret = "a-secret-of-tests-with-32-characters"

// authenticatorPassword lets the data API sign in to the test's server.
const authenticatorPassword = "test"

// API is a data API on its own database.
type API struct {
	DB       *pgxpool.Pool // the superuser's pool, for setup and checks
	ServerDB *pg.DB        // the pools of the tested server
	Server   *rest.Server
	Auth     *claims.Authenticator
	Settings settings.Config // with which the server was started
	web      *httptest.Server
}

// New serves a platform database after running fixture on it. change may be nil.
func New(t testing.TB, fixture string, change func(*settings.Config)) *API {
	t.Helper()
	return serve(t, testkit.PlatformURL(t), fixture, change, nil)
}

// Marketplace serves a database with the marketplace's schema.
func Marketplace(t testing.TB, fixture string) *API {
	t.Helper()
	return serve(t, testkit.URL(t), fixture, nil, nil)
}

// Replicated serves a database that has replicas, after running fixture on it.
// change may be nil.
func Replicated(t testing.TB, primary string, replicas []string, fixture string, change func(*pg.Config)) *API {
	t.Helper()
	return serve(t, primary, fixture, nil, func(c *pg.Config) {
		for _, address := range replicas {
			c.ReplicaURLs = append(c.ReplicaURLs, as(t, address, "authenticator", authenticatorPassword))
		}
		c.MaxReplicaLag = time.Hour
		if change != nil {
			change(c)
		}
	})
}

func serve(t testing.TB, address, fixture string, change func(*settings.Config), connect func(*pg.Config)) *API {
	t.Helper()
	ctx := t.Context()
	api := &API{DB: testkit.Open(t, address)}
	if _, err := api.DB.Exec(ctx, fixture); err != nil {
		t.Fatalf("fixture: %v", err)
	}
	config := settings.Config{
		Schemas: []string{"public"}, ExtraSearchPath: []string{"public", "extensions"}, TxEnd: "commit", AnonRole: "anon", LegacyNames: true,
		Hoisted: []string{"statement_timeout", "default_transaction_isolation"},
		Pool:    8, AcquireTimeout: settings.Seconds(10 * time.Second), MaxBody: 1 << 20,
	}
	if change != nil {
		change(&config)
	}
	api.Settings = config
	log := slog.New(slog.DiscardHandler)
	dbConfig := pg.Config{
		CallerURL: CallerURL(t, api.DB, address), ServiceURL: address,
		MaxCallers: config.Pool, MaxService: 4, AcquireTimeout: time.Duration(config.AcquireTimeout),
		SearchPath: append([]string{config.Schemas[0]}, config.ExtraSearchPath...), Log: log,
	}
	if connect != nil {
		connect(&dbConfig)
	}
	var err error
	if api.ServerDB, err = pg.Open(ctx, dbConfig); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(api.ServerDB.Close)
	verifier := claims.NewVerifier([]byte(secret), time.Now)
	keys, err := claims.NewKeys(verifier, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	api.Auth = &claims.Authenticator{Verifier: verifier, Keys: keys}
	if api.Server, err = rest.New(ctx, config, api.ServerDB, identify.Gateway(api.Auth, true), log); err != nil {
		t.Fatal(err)
	}
	api.web = httptest.NewServer(api.Server.Routes("/rest/v1"))
	t.Cleanup(api.web.Close)
	return api
}

// CallerURL returns the address of a database for the role authenticator, and makes it possible to
// sign in with that role.
func CallerURL(t testing.TB, db *pgxpool.Pool, address string) string {
	t.Helper()
	setPassword(t, db)
	return as(t, address, "authenticator", authenticatorPassword)
}

// setPassword takes a lock, since databases that are set up concurrently on one server share the
// role.
func setPassword(t testing.TB, db *pgxpool.Pool) {
	t.Helper()
	err := pgx.BeginFunc(t.Context(), db, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `
			do $$ begin
				lock table pg_catalog.pg_authid in share row exclusive mode;
				alter role authenticator with password '`+authenticatorPassword+`';
			end $$`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func as(t testing.TB, address, user, password string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	parsed.User = url.UserPassword(user, password)
	return parsed.String()
}

// Token returns an access token of a user.
func (a *API) Token(t testing.TB, subject string) string {
	t.Helper()
	return a.TokenOf(t, map[string]any{"role": claims.Authenticated, "sub": subject, "exp": time.Now().Add(time.Hour).Unix()})
}

// TokenOf signs any claims.
func (a *API) TokenOf(t testing.TB, set map[string]any) string {
	t.Helper()
	token, err := a.Auth.Verifier.Mint(set)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// Case is a request and the expected response.
type Case struct {
	Name   string
	Method string // GET if empty
	Path   string // below /rest/v1
	As     string // bearer token; empty sends only the anon key
	Header map[string]string
	Body   string

	Status     int
	Want       string            // JSON, compared by value; empty ignores the body
	Text       string            // a body that is not JSON, compared literally
	WantHeader map[string]string // headers that must have exactly this value
}

// Run sends the request and compares.
func (a *API) Run(t *testing.T, c Case) {
	t.Helper()
	response, body := a.Do(t, c)
	if response.StatusCode != c.Status {
		t.Fatalf("%s %s: status %d, want %d\n%s", c.Method, c.Path, response.StatusCode, c.Status, body)
	}
	if c.Want != "" {
		if diff := cmp.Diff(parse(t, c.Want), parse(t, body)); diff != "" {
			t.Errorf("%s %s: body (-want +got):\n%s", c.Method, c.Path, diff)
		}
	}
	if c.Text != "" && body != c.Text {
		t.Errorf("%s %s: body %q, want %q", c.Method, c.Path, body, c.Text)
	}
	for name, want := range c.WantHeader {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s %s: header %s = %q, want %q", c.Method, c.Path, name, got, want)
		}
	}
}

// Do sends the request and returns the response and its body.
func (a *API) Do(t testing.TB, c Case) (*http.Response, string) {
	t.Helper()
	response := a.Send(t, c)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// Send sends the request and returns the response; the caller reads and closes its body.
func (a *API) Send(t testing.TB, c Case) *http.Response {
	t.Helper()
	if c.Method == "" {
		c.Method = http.MethodGet
	}
	request, err := http.NewRequestWithContext(context.Background(), c.Method, a.web.URL+"/rest/v1"+c.Path, strings.NewReader(c.Body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("apikey", a.Auth.Keys.Anon)
	if c.Body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.As != "" {
		request.Header.Set("Authorization", "Bearer "+c.As)
	}
	for name, value := range c.Header {
		if value == "" {
			request.Header.Del(name)
		} else {
			request.Header.Set(name, value)
		}
	}
	response, err := a.web.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

func parse(t testing.TB, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, text)
	}
	return value
}

// URL returns the data API's URL.
func (a *API) URL() string { return a.web.URL + "/rest/v1" }

// Exec runs SQL as the superuser.
func (a *API) Exec(t testing.TB, sql string) {
	t.Helper()
	if _, err := a.DB.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

// WaitFor polls a boolean query until it returns true.
func (a *API) WaitFor(t testing.TB, question string) {
	t.Helper()
	for yes := false; !yes; {
		if err := a.DB.QueryRow(t.Context(), question).Scan(&yes); err != nil {
			t.Fatal(err)
		}
	}
}
