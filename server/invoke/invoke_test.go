package invoke_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/invoke"
)

// gate is a running gate with some functions.
type gate struct {
	url  string
	keys claims.Keys

	verifier *claims.Verifier

	mu  sync.Mutex
	log bytes.Buffer
}

func (g *gate) Write(line []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.log.Write(line)
}

// lines returns the log as objects.
func (g *gate) lines(t *testing.T) (found []map[string]any) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	for line := range strings.Lines(g.log.String()) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatal(err)
		}
		found = append(found, object)
	}
	return found
}

func start(t *testing.T, functions map[string]invoke.Function) *gate {
	t.Helper()
	v := claims.NewVerifier([]byte("a-secret-of-tests-with-32-characters"), time.Now)
	keys, err := claims.NewKeys(v, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{keys: keys, verifier: v}
	log := slog.New(slog.NewJSONHandler(g, nil))
	find := func(name string) (invoke.Function, bool) { f, ok := functions[name]; return f, ok }
	routes := invoke.New(&claims.Authenticator{Verifier: v, Keys: keys}, log, time.Now, find).Routes("/functions/v1")
	web := httptest.NewServer(httpx.Observe(slog.New(slog.DiscardHandler), time.Now, routes))
	t.Cleanup(web.Close)
	g.url = web.URL + "/functions/v1"
	return g
}

func (g *gate) do(t *testing.T, method, path string, header map[string]string, body io.Reader) (*http.Response, string, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, g.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return response, string(text), err
}

func respondWith(text string) httpx.Handler {
	return func(w http.ResponseWriter, _ *http.Request) error { _, err := io.WriteString(w, text); return err }
}

// app returns the headers of an OAuth client with a token of a scope.
func (g *gate) app(t *testing.T, scope string) map[string]string {
	t.Helper()
	token, err := g.verifier.Mint(map[string]any{
		"role": "authenticated", "sub": "s", "client_id": "c", "session_id": "d", "scope": scope, "exp": time.Now().Add(time.Hour).Unix(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"Authorization": "Bearer " + token}
}

func TestWhoMayCall(t *testing.T) {
	t.Parallel()
	who := func(w http.ResponseWriter, r *http.Request) error {
		caller, _ := claims.FromContext(r.Context())
		_, err := io.WriteString(w, r.Method+" "+caller.Role+" "+r.PathValue("rest"))
		return err
	}
	g := start(t, map[string]invoke.Function{
		"required": {Serve: who}, "optional": {Serve: who, Access: invoke.Optional}, "unchecked": {Serve: who, Access: invoke.Unchecked},
		"own": {Serve: who, HandlesCORS: true},
	})
	const missing = `{"code":"missing_authorization","message":"Missing authorization header"}`
	const invalid = `{"code":"invalid_jwt","message":"Invalid JWT"}`
	broken := map[string]string{"Authorization": "Bearer a.b.c"}
	for _, tt := range []struct {
		name, method, path string
		header             map[string]string
		status             int
		body               string
		relay              string
	}{
		{"a token", "POST", "/required", map[string]string{"Authorization": "Bearer " + g.keys.Service}, 200, "POST service_role ", ""},
		{"a key", "PATCH", "/required", map[string]string{"apikey": g.keys.Anon}, 200, "PATCH anon ", ""},
		{"below the name", "DELETE", "/optional/a/b?x=1", nil, 200, "DELETE anon a/b", ""},
		{"neither", "GET", "/required", nil, 401, missing, "true"},
		{"a broken token", "PUT", "/required", broken, 401, invalid, "true"},
		{"a broken token where none is needed", "POST", "/optional", broken, 401, invalid, "true"},
		{"a broken token where nobody looks", "POST", "/unchecked", broken, 200, "POST anon ", ""},
		{"an OAuth client that may only read", "POST", "/required", g.app(t, "email"), 403, `{"code":"insufficient_scope","message":"The OAuth client's token lacks the scope \"write\""}`, "true"},
		{"an OAuth client that may write", "POST", "/required", g.app(t, "email write"), 200, "POST authenticated ", ""},
		{"a region", "POST", "/optional?forceFunctionRegion=us-east-1", map[string]string{"x-region": "us-east-1"}, 200, "POST anon ", ""},
		{"a preflight of a function with its own CORS", "OPTIONS", "/own", map[string]string{"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}, 200, "OPTIONS anon ", ""},
		{"an unknown name", "POST", "/nope", nil, 404, `{"code":"function_not_found","message":"Requested function was not found"}`, "true"},
		{"no name", "POST", "/", nil, 404, `{"code":"function_not_found","message":"Requested function was not found"}`, "true"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			response, body, err := g.do(t, tt.method, tt.path, tt.header, nil)
			if err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != tt.status || body != tt.body || response.Header.Get(invoke.RelayHeader) != tt.relay {
				t.Errorf("%d %s relay %q, want %d %s %q", response.StatusCode, body, response.Header.Get(invoke.RelayHeader), tt.status, tt.body, tt.relay)
			}
			if response.StatusCode >= 400 && response.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Error("a page of another origin cannot read the error")
			}
		})
	}
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	g := start(t, map[string]invoke.Function{"hello": {Serve: respondWith("hello")}})
	response, _, err := g.do(t, "OPTIONS", "/hello", map[string]string{
		"Origin": "https://a.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,x-client-info,apikey",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK || !strings.Contains(response.Header.Get("Access-Control-Allow-Headers"), "x-client-info") {
		t.Errorf("%d %v", response.StatusCode, response.Header)
	}
}

// If a function fails, panics, hangs, or exceeds a size limit, the client gets an error and the server
// continues.
func TestMisbehavingFunctions(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	g := start(t, map[string]invoke.Function{
		"fails": {Serve: func(http.ResponseWriter, *http.Request) error { return errors.New("password=hunter2") }},
		"known": {Serve: func(http.ResponseWriter, *http.Request) error {
			return apierr.New(http.StatusConflict, "taken", "Somebody was faster")
		}},
		"panics": {Serve: func(http.ResponseWriter, *http.Request) error { panic("boom") }},
		"hangs": {Limits: invoke.Limits{HeaderTimeout: time.Millisecond}, Serve: func(w http.ResponseWriter, r *http.Request) error {
			<-r.Context().Done()
			_, err := io.WriteString(w, "too late")
			ended <- err
			return err
		}},
		"reads": {Limits: invoke.Limits{MaxRequestBytes: 10}, Serve: func(_ http.ResponseWriter, r *http.Request) error {
			_, err := io.Copy(io.Discard, r.Body)
			return err
		}},
	})
	const failed = `{"code":"function_failed","message":"The function failed. The details are in the server's log."}`
	for _, tt := range []struct {
		path, body string
		chunked    bool
		status     int
		answer     string
		code, log  string
	}{
		{"/fails", "", false, 500, failed, "", "hunter2"},
		{"/known", "", false, 409, `{"code":"taken","message":"Somebody was faster"}`, "taken", ""},
		{"/panics", "", false, 500, failed, "", "boom"},
		{"/hangs", "", false, 504, `{"code":"function_timeout","message":"The function did not answer within 1ms"}`, "function_timeout", ""},
		{"/reads", "eleven byte", false, 413, `{"code":"request_entity_too_large","message":"Request body is larger than the 10 bytes allowed"}`, "request_entity_too_large", ""},
		{"/reads", "eleven byte", true, 413, `{"code":"request_entity_too_large","message":"Request body is larger than the 10 bytes allowed"}`, "", ""},
		{"/reads", "ten bytes.", true, 200, "", "", ""},
	} {
		var body io.Reader = strings.NewReader(tt.body)
		if tt.chunked {
			body = io.MultiReader(body) // of unknown length
		}
		response, answer, err := g.do(t, "POST", tt.path, map[string]string{"apikey": g.keys.Anon}, body)
		if err != nil {
			t.Fatalf("%s: %v", tt.path, err)
		}
		if response.StatusCode != tt.status || answer != tt.answer {
			t.Errorf("%s: %d %s, want %d %s", tt.path, response.StatusCode, answer, tt.status, tt.answer)
		}
		lines := g.lines(t)
		line := lines[len(lines)-1]
		code, _ := line["code"].(string)
		cause, _ := line["cause"].(string)
		if line["function"] != tt.path[1:] || line["status"] != float64(tt.status) || line["role"] != "anon" || code != tt.code || !strings.Contains(cause, tt.log) {
			t.Errorf("%s: logged %v", tt.path, line)
		}
	}
	if err := <-ended; !errors.Is(err, http.ErrHandlerTimeout) {
		t.Errorf("the function that hung wrote with %v", err)
	}
}

// A response that fails after it has begun is aborted, so that clients notice that it is incomplete.
func TestAbortedResponses(t *testing.T) {
	t.Parallel()
	over := make(chan error, 1)
	begin := func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, "a part")
		_ = http.NewResponseController(w).Flush()
	}
	g := start(t, map[string]invoke.Function{
		"endless": {Limits: invoke.Limits{TotalTimeout: 50 * time.Millisecond}, Serve: func(w http.ResponseWriter, r *http.Request) error {
			begin(w)
			<-r.Context().Done()
			over <- context.Cause(r.Context())
			return nil
		}},
		"flood": {Limits: invoke.Limits{MaxResponseBytes: 100_000}, Serve: func(w http.ResponseWriter, _ *http.Request) error {
			begin(w)
			for {
				if _, err := w.Write(make([]byte, 1000)); err != nil {
					return nil // without reporting an error
				}
			}
		}},
		"fails": {Serve: func(w http.ResponseWriter, _ *http.Request) error { begin(w); return errors.New("half-way") }},
	})
	for _, name := range []string{"endless", "flood", "fails"} {
		response, text, err := g.do(t, "POST", "/"+name, map[string]string{"apikey": g.keys.Anon}, nil)
		if response == nil || err == nil || !strings.HasPrefix(text, "a part") || len(text) > 100_000 {
			t.Errorf("%s: %v, %d bytes", name, err, len(text))
		}
		lines := g.lines(t)
		if line := lines[len(lines)-1]; line["broken_off"] != true || line["level"] != "ERROR" {
			t.Errorf("%s: logged %v", name, line)
		}
	}
	if cause := apierr.As(<-over); cause == nil || cause.Code != "function_timeout" {
		t.Errorf("the context ended with %v", cause)
	}
}

// Flushed data is sent before the function ends.
func TestStreams(t *testing.T) {
	t.Parallel()
	read := make(chan struct{})
	g := start(t, map[string]invoke.Function{"events": {Access: invoke.Optional, Serve: func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: 1\n\n")
		if err := http.NewResponseController(w).Flush(); err != nil {
			return err
		}
		<-read
		_, err := io.WriteString(w, "data: 2\n\n")
		return err
	}}})
	response, err := http.Post(g.url+"/events", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	first := make([]byte, 9)
	if _, err := io.ReadFull(response.Body, first); err != nil || string(first) != "data: 1\n\n" {
		t.Fatalf("%q %v", first, err)
	}
	close(read)
	rest, err := io.ReadAll(response.Body)
	if err != nil || string(rest) != "data: 2\n\n" || response.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("%q %v %v", rest, err, response.Header)
	}
}

// Hanging calls of one function do not affect other functions.
func TestConcurrencyLimit(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	g := start(t, map[string]invoke.Function{
		"slow": {Access: invoke.Optional, Limits: invoke.Limits{MaxConcurrent: 1}, Serve: func(http.ResponseWriter, *http.Request) error {
			entered <- struct{}{}
			<-release
			return nil
		}},
		"other": {Access: invoke.Optional, Serve: respondWith("here")},
	})
	first := make(chan int, 1)
	go func() {
		response, _, err := g.do(t, "POST", "/slow", nil, nil)
		if err != nil {
			first <- 0
			return
		}
		first <- response.StatusCode
	}()
	<-entered
	response, body, err := g.do(t, "POST", "/slow", nil, nil)
	if err != nil || response.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "function_busy") || response.Header.Get("Retry-After") == "" {
		t.Errorf("the second call: %v %v %s", err, response, body)
	}
	if _, body, _ := g.do(t, "POST", "/other", nil, nil); body != "here" {
		t.Errorf("another function: %s", body)
	}
	close(release)
	if status := <-first; status != http.StatusOK {
		t.Errorf("the first call: %d", status)
	}
}

// If the client disconnects, the function's context ends.
func TestClientDisconnects(t *testing.T) {
	t.Parallel()
	entered, over := make(chan struct{}), make(chan struct{})
	g := start(t, map[string]invoke.Function{"waits": {Access: invoke.Optional, Serve: func(_ http.ResponseWriter, r *http.Request) error {
		close(entered)
		<-r.Context().Done()
		close(over)
		return nil
	}}})
	ctx, leave := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, g.url+"/waits", nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() { <-entered; leave() }()
	if response, err := http.DefaultClient.Do(request); err == nil {
		_ = response.Body.Close()
		t.Error("the call was answered")
	}
	<-over
}
