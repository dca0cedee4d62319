package process

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"plaza/tests/testkit/freeport"
)

// wire forwards connections to a database, and can be cut or made silent.
type wire struct {
	target string

	mu     sync.Mutex
	state  string // "", "silent" or "down"
	resume chan struct{}
	conns  map[net.Conn]bool
}

// newWire listens in front of the database of a URL, and returns the URL through it.
func newWire(t *testing.T, address string) (*wire, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener := newListener(t)
	w := &wire{target: u.Host, resume: make(chan struct{}), conns: make(map[net.Conn]bool)}
	u.Host = listener.Addr().String()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go w.pass(conn)
		}
	}()
	t.Cleanup(func() { w.setState("down") })
	return w, u.String()
}

// setState changes the state. A cut connection stays cut; a silent one resumes.
func (w *wire) setState(state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state = state
	close(w.resume)
	w.resume = make(chan struct{})
	if state == "down" {
		for conn := range w.conns {
			_ = conn.Close()
		}
		clear(w.conns)
	}
}

// wait blocks while the wire is silent, and reports whether bytes may pass afterwards.
func (w *wire) wait() bool {
	for {
		w.mu.Lock()
		state, resume := w.state, w.resume
		w.mu.Unlock()
		if state != "silent" {
			return state == ""
		}
		<-resume
	}
}

func (w *wire) pass(client net.Conn) {
	w.mu.Lock()
	w.conns[client] = true
	w.mu.Unlock()
	defer func() { _ = client.Close() }()
	if !w.wait() {
		return
	}
	server, err := net.Dial("tcp", w.target)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	copyAll := func(to, from net.Conn) {
		buffer := make([]byte, 32<<10)
		for {
			n, err := from.Read(buffer)
			if err != nil || !w.wait() {
				break
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				break
			}
		}
		_ = to.Close()
		_ = from.Close()
	}
	go copyAll(client, server)
	copyAll(server, client)
}

// surfaces are requests that need the database, one of each API.
var surfaces = map[string]struct {
	method, path, body string
	header             http.Header
}{
	"rest, a read":  {method: http.MethodGet, path: "/rest/v1/businesses?select=id&limit=1"},
	"rest, a write": {method: http.MethodPost, path: "/rest/v1/favorites", body: `{"business_id":"00000000-0000-4000-8000-000000000001"}`},
	"auth":          {method: http.MethodPost, path: "/auth/v1/token?grant_type=password", body: `{"email":"a@b.cat","password":"Some-pass-1"}`},
	"auth, a code":  {method: http.MethodPost, path: "/auth/v1/recover", body: `{"email":"a@b.cat"}`},
	"storage":       {method: http.MethodGet, path: "/storage/v1/bucket"},
	"storage, list": {method: http.MethodPost, path: "/storage/v1/object/list/business-photos", body: `{"prefix":""}`},
	"storage, read": {method: http.MethodGet, path: "/storage/v1/object/authenticated/business-photos/a.png"},
	"tus": {method: http.MethodPost, path: "/storage/v1/upload/resumable", header: http.Header{
		"Tus-Resumable": {"1.0.0"}, "Upload-Length": {"10"}, "Upload-Metadata": {"bucketName YnVzaW5lc3MtcGhvdG9z,objectName YQ==,contentType aW1hZ2UvcG5n"},
	}},
}

func TestEveryAPISurvivesADatabaseOutage(t *testing.T) {
	t.Parallel()
	w, address := newWire(t, ownCluster(t).URL())
	port := freeport.Pick()
	dir := filepath.Join(folder(t), "data")
	environ := []string{"DATABASE_URL=" + address, "PLAZA_PORT=" + port, "PLAZA_DATA_DIR=" + dir, "DATABASE_ANSWER_TIMEOUT=2s", "DATABASE_FAILOVER_TIMEOUT=3s"}
	s := run(t, port, []string{"serve"}, environ)
	if !s.waitReady(t) {
		t.Fatalf("the server does not start:\n%s", s.output)
	}
	output, err := plaza(t, environ, "keys", "show")
	if err != nil {
		t.Fatal(output)
	}
	anon := strings.Fields(output)[1]
	requestAll := func(within time.Duration, check func(name string, status int, header http.Header, body string)) {
		var requests sync.WaitGroup
		for name, ask := range surfaces {
			requests.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), within)
				defer cancel()
				request, err := http.NewRequestWithContext(ctx, ask.method, s.url+ask.path, strings.NewReader(ask.body))
				if err != nil {
					t.Error(err)
					return
				}
				if ask.header != nil {
					request.Header = ask.header.Clone()
				}
				request.Header.Set("Content-Type", "application/json")
				request.Header.Set("apikey", anon)
				request.Header.Set("Authorization", "Bearer "+anon)
				response, err := http.DefaultClient.Do(request)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				defer func() { _ = response.Body.Close() }()
				text, _ := io.ReadAll(response.Body)
				check(name, response.StatusCode, response.Header, string(text))
			})
		}
		requests.Wait()
	}
	waitHealthy := func() {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; {
			var mu sync.Mutex
			var bad []string
			requestAll(30*time.Second, func(name string, status int, _ http.Header, body string) {
				if status >= 500 {
					mu.Lock()
					defer mu.Unlock()
					bad = append(bad, name+": "+body)
				}
			})
			if len(bad) == 0 {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("the server does not recover: %q", bad)
			}
		}
	}
	expectUnavailable := func(name string, status int, header http.Header, body string) {
		if status != http.StatusServiceUnavailable && status != http.StatusGatewayTimeout || header.Get("Retry-After") == "" {
			t.Errorf("%s: %d, Retry-After %q: %s", name, status, header.Get("Retry-After"), body)
		}
	}
	waitHealthy()
	w.setState("silent")
	requestAll(15*time.Second, expectUnavailable)
	w.setState("")
	waitHealthy()
	w.setState("down")
	requestAll(15*time.Second, expectUnavailable)
	w.setState("")
	waitHealthy()
}

// TestEmbeddedPostgreSQLIsRestarted: until PostgreSQL is restarted, requests get 503.
func TestEmbeddedPostgreSQLIsRestarted(t *testing.T) {
	t.Parallel()
	root := project(t)
	s := start(t, root)
	for range 2 {
		dir := filepath.Join(s.dir, "postgres")
		killed := killPostmaster(t, dir)
		for end := time.Now().Add(time.Minute); ; {
			status, body := s.call(t, http.MethodGet, "/rest/v1/notes?limit=1", s.keys.Anon, "")
			if now := postmaster(dir); status == http.StatusOK && now != killed && now != 0 {
				break // before, a remaining process of the killed server responded
			}
			if status != http.StatusOK && status != http.StatusServiceUnavailable {
				t.Errorf("%d %s", status, body)
			}
			if time.Now().After(end) {
				t.Fatalf("the server does not recover: %d %s", status, body)
			}
		}
	}
}
