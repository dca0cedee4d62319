package process

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/claims"
	"plaza/tests/testkit"
	"plaza/tests/testkit/freeport"
)

const storageSecret = "super-secret-jwt-token-with-at-least-32-characters-long"

// callAsService sends a request with full rights.
func (s *server) callAsService(t *testing.T, method, path string, body io.Reader) (int, string) {
	t.Helper()
	token, err := claims.NewVerifier([]byte(storageSecret), time.Now).Mint(map[string]any{"role": "service_role", "exp": time.Now().Add(time.Hour).Unix()})
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(answer)
}

// upstreamStorage returns the URL of a database and a folder as an older supabase/storage leaves them,
// with an object, for its own role.
func upstreamStorage(t *testing.T) (address, folder string) {
	t.Helper()
	const version = "8f14e45f-ceea-467f-9c3d-1a2b3c4d5e6f"
	yours := ownCluster(t)
	db := testkit.Open(t, yours.URL())
	for _, text := range []string{
		`create role anon nologin noinherit; create role authenticated nologin noinherit; create role service_role nologin noinherit bypassrls;
		create role supabase_storage_admin login noinherit createrole password 'theirs'; grant anon, authenticated, service_role to supabase_storage_admin;
		create schema storage authorization supabase_storage_admin; set role supabase_storage_admin;
		create table storage.buckets (id text primary key, name text not null unique, owner uuid, created_at timestamptz default now(), updated_at timestamptz default now(), public boolean default false);
		create table storage.objects (id uuid primary key default gen_random_uuid(), bucket_id text references storage.buckets (id), name text, owner uuid,
			created_at timestamptz default now(), updated_at timestamptz default now(), last_accessed_at timestamptz default now(), metadata jsonb,
			path_tokens text[] generated always as (string_to_array(name, '/')) stored, version text);
		create unique index bucketid_objname on storage.objects (bucket_id, name);
		insert into storage.buckets (id, name, public) values ('theirs', 'theirs', true);
		insert into storage.objects (bucket_id, name, version, metadata) values ('theirs', 'a/old.txt', '` + version + `', '{"size": 3, "mimetype": "text/plain"}');
		reset role`,
	} {
		if _, err := db.Exec(t.Context(), text, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatal(err)
		}
	}
	folder = t.TempDir()
	object := filepath.Join(folder, "stub", "tenant", "theirs", "a", "old.txt")
	if err := os.MkdirAll(object, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(object, version), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	parsed, err := url.Parse(yours.URL())
	if err != nil {
		t.Fatal(err)
	}
	parsed.User = url.UserPassword("supabase_storage_admin", "theirs")
	return parsed.String(), folder
}

// keySet returns a JSON Web Key Set, and a token with full rights signed with its key.
func keySet(t *testing.T) (set, token string) {
	t.Helper()
	key, err := claims.NewSigningKey("ES256", time.Now().Add(-time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	ring, err := claims.NewRing([]claims.SigningKey{key})
	if err != nil {
		t.Fatal(err)
	}
	v := claims.NewVerifier([]byte(storageSecret), time.Now)
	v.SetRing(ring)
	if token, err = v.MintWithKeyPair(map[string]any{"role": "service_role", "exp": time.Now().Add(time.Hour).Unix()}); err != nil {
		t.Fatal(err)
	}
	return string(ring.JWKS()), token
}

func TestStandaloneStorageReplacesUpstream(t *testing.T) {
	t.Parallel()
	port := freeport.Pick()
	set, signed := keySet(t)
	address, folder := upstreamStorage(t)
	s := run(t, port, []string{"storage"}, []string{
		"DATABASE_URL=" + address, "PGRST_JWT_SECRET=" + storageSecret, "STORAGE_BACKEND=file", "FILE_STORAGE_BACKEND_PATH=" + folder, "GLOBAL_S3_BUCKET=stub",
		"TENANT_ID=tenant", "FILE_SIZE_LIMIT=1000", "HOST=127.0.0.1", "PORT=" + port, "JWT_JWKS=" + set,
	})
	s.waitFor(t, "/status", http.StatusOK)
	if status := s.sendTraced(t, strings.Repeat("a", 32), http.MethodGet, "/object/authenticated/theirs/a/old.txt", signed, ""); status != http.StatusOK {
		t.Errorf("by a token of JWT_JWKS: %d", status)
	}
	for _, step := range []struct {
		what, method, path, body string
		status                   int
		want                     string
	}{
		{"their object", http.MethodGet, "/object/public/theirs/a/old.txt", "", 200, "old"},
		{"moving it", http.MethodPost, "/object/move", `{"bucketId":"theirs","sourceKey":"a/old.txt","destinationKey":"a/moved.txt"}`, 200, "Successfully moved"},
		{"it at its new place", http.MethodGet, "/object/public/theirs/a/moved.txt", "", 200, "old"},
		{"a new bucket", http.MethodPost, "/bucket", `{"name":"ours"}`, 200, `"ours"`},
		{"a list", http.MethodPost, "/object/list/theirs", `{"prefix":"A"}`, 200, "moved.txt"},
		{"what is too large", http.MethodPost, "/object/theirs/large", strings.Repeat("x", 1001), 400, "EntityTooLarge"},
	} {
		status, body := s.callAsService(t, step.method, step.path, strings.NewReader(step.body))
		if status != step.status || !strings.Contains(body, step.want) {
			t.Errorf("%s: %d %s", step.what, status, body)
		}
	}
	if err := s.stop(t, syscall.SIGTERM); err != nil {
		t.Errorf("ended with %v\n%s", err, s.output)
	}
}

// zeros is a large body that needs no memory.
type zeros struct{}

func (zeros) Read(to []byte) (int, error) {
	clear(to)
	return len(to), nil
}

// The bytes are streamed: 512 MB need less than 40 MB.
func TestLargeUploadIsStreamed(t *testing.T) {
	t.Parallel()
	const size, most = 512 << 20, 40 // bytes; MB
	port := freeport.Pick()
	address, folder := upstreamStorage(t)
	s := run(t, port, []string{"storage"}, []string{
		"DATABASE_URL=" + address, "PGRST_JWT_SECRET=" + storageSecret, "FILE_STORAGE_BACKEND_PATH=" + folder, "GLOBAL_S3_BUCKET=stub", "TENANT_ID=tenant",
		"FILE_SIZE_LIMIT=1000000000", "HOST=127.0.0.1", "PORT=" + port,
	})
	s.waitFor(t, "/status", http.StatusOK)
	if status, body := s.callAsService(t, http.MethodPost, "/object/theirs/small", strings.NewReader("x")); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	before := s.peak(t)
	if status, body := s.callAsService(t, http.MethodPost, "/object/theirs/large", io.LimitReader(zeros{}, size)); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	response, err := http.Get(s.url + "/object/public/theirs/large")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if read, err := io.Copy(io.Discard, response.Body); read != size || err != nil {
		t.Errorf("%d bytes came back: %v", read, err)
	}
	if grown := s.peak(t) - before; grown > most {
		t.Errorf("the upload took %d MB more", grown)
	}
}
