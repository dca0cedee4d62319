package storage_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/pg"
	"plaza/storage"
	"plaza/tests/testkit"
)

const secret = "a-secret-of-tests-with-32-characters"

// User IDs in the tests.
const (
	ana = "0a000000-0000-4000-8000-000000000001"
	ben = "0b000000-0000-4000-8000-000000000002"
)

// fixture creates a public bucket, a private bucket in which each user owns a folder,
// and a bucket that nobody can access.
const fixture = `
	insert into storage.buckets (id, name, public) values ('open', 'open', true), ('own', 'own', false), ('shut', 'shut', false);
	create policy own_select on storage.objects for select to authenticated
		using (bucket_id = 'own' and (storage.foldername(name))[1] = (select auth.uid())::text);
	create policy own_insert on storage.objects for insert to authenticated
		with check (bucket_id in ('own', 'open') and (storage.foldername(name))[1] = (select auth.uid())::text);
	create policy own_update on storage.objects for update to authenticated
		using (bucket_id = 'own' and (storage.foldername(name))[1] = (select auth.uid())::text);
	create policy own_delete on storage.objects for delete to authenticated
		using (bucket_id = 'own' and (storage.foldername(name))[1] = (select auth.uid())::text)`

// kit is a storage server with its own database and folder.
type kit struct {
	t      testing.TB
	db     *pgxpool.Pool // connects as superuser
	auth   *claims.Authenticator
	server *storage.Server
	folder string
	web    *httptest.Server

	closeRoot func() // closes the server started by atRoot
}

func start(t testing.TB, settings ...string) *kit {
	t.Helper()
	return startWith(t, func(*storage.Deps) {}, settings...)
}

// startWith is like start, but change can modify the Deps.
func startWith(t testing.TB, change func(*storage.Deps), settings ...string) *kit {
	t.Helper()
	address := testkit.PlatformURL(t)
	k := &kit{t: t, db: testkit.Open(t, address), folder: t.TempDir()}
	k.exec(fixture)
	log := slog.New(slog.DiscardHandler)
	serverDB, err := pg.Open(t.Context(), pg.Config{
		CallerURL: address, ServiceURL: address, MaxCallers: 8, MaxService: 4, AcquireTimeout: 10 * time.Second,
		SearchPath: []string{"public", "extensions"}, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serverDB.Close)
	verifier := claims.NewVerifier([]byte(secret), time.Now)
	keys, err := claims.NewKeys(verifier, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	k.auth = &claims.Authenticator{Verifier: verifier, Keys: keys}
	config, err := env.ParseAsWithOptions[storage.Config](env.Options{Environment: env.ToMap(append([]string{"STORAGE_FILE_BACKEND_PATH=" + k.folder}, settings...))})
	if err != nil {
		t.Fatal(err)
	}
	deps := storage.Deps{DB: serverDB, Auth: k.auth, Secret: []byte(secret), Version: "test", Log: log, Now: time.Now}
	change(&deps)
	k.server, err = storage.New(t.Context(), config, deps)
	if err != nil {
		t.Fatal(err)
	}
	running, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); k.server.Run(running) }()
	k.web = httptest.NewServer(httpx.Observe(log, time.Now, k.server.Routes("/storage/v1")))
	t.Cleanup(func() {
		k.web.Close()
		stop()
		<-ended
		if err := k.server.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

func (k *kit) exec(sql string, args ...any) {
	k.t.Helper()
	if _, err := k.db.Exec(k.t.Context(), sql, args...); err != nil {
		k.t.Fatal(err)
	}
}

// token returns an access token for a user.
func (k *kit) token(user string) string {
	k.t.Helper()
	made, err := k.auth.Verifier.Mint(map[string]any{"role": claims.Authenticated, "sub": user, "exp": time.Now().Add(time.Hour).Unix()})
	if err != nil {
		k.t.Fatal(err)
	}
	return made
}

// call describes a request.
type call struct {
	method, path string
	as           string // token; empty: none
	header       map[string]string
	body         string
}

type answer struct {
	*http.Response
	body string
}

func (k *kit) do(c call) answer {
	k.t.Helper()
	request, err := http.NewRequestWithContext(k.t.Context(), c.method, k.web.URL+"/storage/v1"+c.path, strings.NewReader(c.body))
	if err != nil {
		k.t.Fatal(err)
	}
	if c.as != "" {
		request.Header.Set("Authorization", "Bearer "+c.as)
	}
	if strings.HasPrefix(c.body, "{") {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, value := range c.header {
		request.Header.Set(name, value)
	}
	response, err := k.web.Client().Do(request)
	if err != nil {
		k.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		k.t.Fatal(err)
	}
	return answer{response, string(body)}
}

// want checks the status and, for an error, its code.
func (a answer) want(t testing.TB, status int, code string) answer {
	t.Helper()
	var failure struct {
		Code string `json:"code"`
	}
	_ = json.NewDecoder(bytes.NewReader([]byte(a.body))).Decode(&failure)
	if a.StatusCode != status || failure.Code != code {
		t.Fatalf("%s %s: %d %q, want %d %q\n%s", a.Request.Method, a.Request.URL, a.StatusCode, failure.Code, status, code, a.body)
	}
	return a
}

func (a answer) json(t testing.TB, to any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), to); err != nil {
		t.Fatalf("%v\n%s", err, a.body)
	}
}
