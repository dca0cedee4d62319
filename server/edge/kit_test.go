package edge_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"plaza/server/claims"
	"plaza/server/edge"
	"plaza/server/httpx"
	"plaza/server/invoke"
)

// denoDir is where `make` installs the program.
const denoDir = "../../.tools/deno/node_modules/@deno"

// kit is a runtime with its gate, a temporary folder and a test clock.
type kit struct {
	url, root string
	data      string // the server's data folder
	keys      claims.Keys
	runtime   *edge.Runtime

	mu  sync.Mutex
	now time.Time
	log bytes.Buffer
}

func (k *kit) clock() time.Time { k.mu.Lock(); defer k.mu.Unlock(); return k.now }

func (k *kit) advance(d time.Duration) { k.mu.Lock(); defer k.mu.Unlock(); k.now = k.now.Add(d) }

func (k *kit) Write(line []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.log.Write(line)
}

func (k *kit) logText() string { k.mu.Lock(); defer k.mu.Unlock(); return k.log.String() }

// defaults returns the settings of tests. Programs are found where `make` installs them.
func defaults(t *testing.T) edge.Config {
	t.Helper()
	found, err := filepath.Glob(denoDir + "/*/deno")
	if err != nil || len(found) == 0 {
		t.Fatalf("no deno in %s: run `make .tools/deno/node_modules/deno/package.json`", denoDir)
	}
	program, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return edge.Config{
		VerifyJWT: true, Deno: program, Timeout: 30 * time.Second, WallClock: 40 * time.Second, Memory: 256, MaxBody: 1 << 20, Idle: time.Hour,
		Temporary: 64, Processes: 20,
	}
}

// start starts a runtime with files, by their names below functions/.
func start(t *testing.T, cfg edge.Config, files map[string]string, change func(*edge.Folder, *edge.Deps)) *kit {
	t.Helper()
	v := claims.NewVerifier([]byte("a-secret-of-tests-with-32-characters"), time.Now)
	keys, err := claims.NewKeys(v, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	k := &kit{root: filepath.Join(t.TempDir(), "a project", "supabase"), keys: keys, now: time.Now()}
	for name, text := range files {
		k.write(t, name, text)
	}
	log := slog.New(slog.NewTextHandler(k, nil))
	folder := edge.Folder{Root: k.root}
	deps := edge.Deps{
		Env:     func() map[string]string { return map[string]string{"SUPABASE_URL": "http://project.test"} },
		DataDir: filepath.Join(t.TempDir(), "data"), Prefix: "/functions/v1", Development: true, Log: log, Now: k.clock,
	}
	if change != nil {
		change(&folder, &deps)
	}
	k.data = deps.DataDir
	if k.runtime, err = edge.New(cfg, folder, deps); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.runtime.Close)
	auth := &claims.Authenticator{Verifier: v, Keys: keys}
	gate := invoke.New(auth, log, time.Now, k.runtime.Find).Routes("/functions/v1")
	web := httptest.NewServer(httpx.Observe(slog.New(slog.DiscardHandler), time.Now, gate))
	t.Cleanup(web.Close)
	k.url = web.URL + "/functions/v1"
	return k
}

func (k *kit) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(k.root, "functions", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// call sends a request with the anon key as its token. header adds headers; an empty value removes one.
func (k *kit) call(t *testing.T, method, path, body string, header map[string]string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, k.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+k.keys.Anon)
	for name, value := range header {
		if value == "" {
			request.Header.Del(name)
			continue
		}
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return response, string(text)
}

// expect calls a function and checks the status and a part of the response.
func (k *kit) expect(t *testing.T, path string, status int, part string) {
	t.Helper()
	response, body := k.call(t, http.MethodPost, path, "", nil)
	if response.StatusCode != status || !strings.Contains(body, part) {
		t.Errorf("%s: %d %s, want %d %s\n%s", path, response.StatusCode, body, status, part, k.logText())
	}
}

// serve starts a server and returns its address.
func serve(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	web := httptest.NewServer(handle)
	t.Cleanup(web.Close)
	return web.URL
}
