package auth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/auth"
	"plaza/server/auth/mailer"
	"plaza/server/auth/sms"
	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/tests/testkit"
	"plaza/tests/testkit/outside"
)

const (
	secret = "a-secret-of-tests-with-32-characters"
	site   = "https://plaza.test"
	strong = "Correct-Horse-1"
)

// startTime is the time at which tests begin.
var startTime = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

// server is an auth server on a database of its own.
type server struct {
	t     testing.TB
	db    *pgxpool.Pool // the superuser's
	clock *testkit.Clock
	auth  *claims.Authenticator
	web   *httptest.Server
	built *auth.Server
	world *outside.Network // serves simulated providers

	mu    sync.Mutex
	mails []mailer.Message
	texts []sms.Message

	refuseTexts bool
	refuseMails error
	tries       int           // attempts to send a mail
	quiet       bool          // queued mails are left to the server
	arrived     chan struct{} // signals each mail
}

// start starts a server on a platform database. change may be nil.
func start(t testing.TB, change func(*auth.Config)) *server {
	t.Helper()
	return startOn(t, testkit.PlatformURL(t), change)
}

func startOn(t testing.TB, address string, change func(*auth.Config)) *server {
	t.Helper()
	return startWith(t, address, change, func(*auth.Deps) {})
}

func startWith(t testing.TB, address string, change func(*auth.Config), depend func(*auth.Deps)) *server {
	t.Helper()
	s := &server{t: t, db: testkit.Open(t, address), clock: testkit.NewClock(startTime), arrived: make(chan struct{}, 1), world: outside.NewNetwork()}
	log := slog.New(slog.DiscardHandler)
	serverDB, err := pg.Open(t.Context(), pg.Config{
		CallerURL: address, ServiceURL: address, MaxCallers: 2, MaxService: 6, AcquireTimeout: 5 * time.Second,
		SearchPath: []string{"public", "extensions"}, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serverDB.Close)
	verifier := claims.NewVerifier([]byte(secret), s.clock.Now)
	keys, err := claims.NewKeys(verifier, s.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	s.auth = &claims.Authenticator{Verifier: verifier, Keys: keys}
	config := defaults(t)
	config.URIAllowList = []string{"https://*.plaza.test/**", "app.plaza://**"}
	if change != nil {
		change(&config)
	}
	deps := auth.Deps{
		DB: serverDB, Auth: s.auth, Mail: mailer.SenderFunc(s.capture), SMS: sms.SenderFunc(s.captureText), Secret: []byte(secret), SiteURL: site, ExternalURL: "https://api.plaza.test/auth/v1",
		ProviderTransport: s.world, Version: "test", Log: log, Now: s.clock.Now,
	}
	depend(&deps)
	built, err := auth.New(config, deps)
	if err != nil {
		t.Fatal(err)
	}
	built.SpeedUp()
	s.built = built
	s.web = httptest.NewServer(built.Routes("/auth/v1"))
	t.Cleanup(s.web.Close)
	return s
}

// defaults returns the default settings of a server.
func defaults(t testing.TB) auth.Config {
	t.Helper()
	config, err := env.ParseAsWithOptions[auth.Config](env.Options{Environment: map[string]string{}})
	if err != nil {
		t.Fatal(err)
	}
	return config
}

func (s *server) capture(_ context.Context, m mailer.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries++
	if s.refuseMails != nil {
		return s.refuseMails
	}
	s.mails = append(s.mails, m)
	select {
	case s.arrived <- struct{}{}:
	default:
	}
	return nil
}

func (s *server) captureText(_ context.Context, m sms.Message) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuseTexts {
		return "", errors.New("the provider is down")
	}
	s.texts = append(s.texts, m)
	return fmt.Sprintf("SM%d", len(s.texts)), nil
}

// answer is the response to a request.
type answer struct {
	status int
	header http.Header
	body   string
}

// call is a request. It has the anon key unless a header overrides it.
type call struct {
	method, path, body, as string
	header                 map[string]string
}

func (s *server) do(c call) answer {
	s.t.Helper()
	if c.method == "" {
		c.method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(context.Background(), c.method, s.web.URL+"/auth/v1"+c.path, strings.NewReader(c.body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("apikey", s.auth.Keys.Anon)
	request.Header.Set("X-Supabase-Api-Version", "2024-01-01")
	request.Header.Set("User-Agent", "test")
	if c.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.as != "" {
		request.Header.Set("Authorization", "Bearer "+c.as)
	}
	for name, value := range c.header {
		request.Header.Set(name, value)
		if value == "" {
			request.Header.Del(name)
		}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if s.quiet {
		return answer{response.StatusCode, response.Header, string(body)}
	}
	s.sendMails() // so that mails come in the order of the requests
	return answer{response.StatusCode, response.Header, string(body)}
}

func (s *server) post(path, body string) answer {
	s.t.Helper()
	return s.do(call{path: path, body: body})
}

// ok sends a POST request and checks for status 200.
func (s *server) ok(path, body string) answer {
	s.t.Helper()
	got := s.post(path, body)
	got.want(s.t, http.StatusOK, "")
	return got
}

// want checks the status and, unless empty, the error code.
func (a answer) want(t testing.TB, status int, code string) {
	t.Helper()
	if a.status != status {
		t.Fatalf("status %d, want %d\n%s", a.status, status, a.body)
	}
	if code == "" {
		return
	}
	var shape struct{ Code string }
	if err := json.Unmarshal([]byte(a.body), &shape); err != nil || shape.Code != code {
		t.Fatalf("code %q, want %q\n%s", shape.Code, code, a.body)
	}
	if got := a.header.Get("X-Sb-Error-Code"); got != code {
		t.Errorf("header x-sb-error-code %q, want %q", got, code)
	}
}

func (a answer) parse(t testing.TB, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), into); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, a.body)
	}
}

// tokens are the parts of a token response that tests use.
type tokens struct {
	Access  string         `json:"access_token"`
	Refresh string         `json:"refresh_token"`
	Type    string         `json:"token_type"`
	In      int64          `json:"expires_in"`
	At      int64          `json:"expires_at"`
	User    map[string]any `json:"user"`
}

func (a answer) tokens(t testing.TB) tokens {
	t.Helper()
	a.want(t, http.StatusOK, "")
	var got tokens
	a.parse(t, &got)
	if got.Access == "" || got.Refresh == "" {
		t.Fatalf("no tokens in the answer: %s", a.body)
	}
	return got
}

// member creates a confirmed account and signs the user in.
func (s *server) member(email string) tokens {
	s.t.Helper()
	s.ok("/signup", body(map[string]any{"email": email, "password": strong}))
	return s.ok("/verify", body(map[string]any{"type": "signup", "email": email, "token": s.linkTo(email).code})).tokens(s.t)
}

func (s *server) signIn(email, password string) answer {
	s.t.Helper()
	return s.post("/token?grant_type=password", body(map[string]any{"email": email, "password": password}))
}

func (s *server) refresh(token string) answer {
	s.t.Helper()
	return s.post("/token?grant_type=refresh_token", body(map[string]any{"refresh_token": token}))
}

func body(fields map[string]any) string {
	encoded, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// claimsOf returns the claims of an access token.
func (s *server) claimsOf(access string) map[string]any {
	s.t.Helper()
	who, err := s.auth.Verifier.Verify(access)
	if err != nil {
		s.t.Fatal(err)
	}
	var set map[string]any
	if err := json.Unmarshal([]byte(who.JSON), &set); err != nil {
		s.t.Fatal(err)
	}
	return set
}

// count runs a query that returns a number.
func (s *server) count(sql string, args ...any) int {
	s.t.Helper()
	var n int
	if err := s.db.QueryRow(s.t.Context(), sql, args...).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// text runs a query that returns a text.
func (s *server) text(sql string, args ...any) string {
	s.t.Helper()
	var text string
	if err := s.db.QueryRow(s.t.Context(), sql, args...).Scan(&text); err != nil {
		s.t.Fatal(err)
	}
	return text
}

// sealed reports whether a stored text is encrypted, and hides a secret.
func sealed(text, secret string) bool {
	return strings.HasPrefix(text, "s1.") && !strings.Contains(text, secret)
}

func (s *server) exec(sql string, args ...any) {
	s.t.Helper()
	if _, err := s.db.Exec(s.t.Context(), sql, args...); err != nil {
		s.t.Fatal(err)
	}
}

func equal[T any](t testing.TB, what string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
