package httpx_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
)

var adapter = httpx.Adapter{
	Render: func(w http.ResponseWriter, _ *http.Request, e *apierr.Error) {
		w.WriteHeader(e.Status)
		_, _ = fmt.Fprintf(w, "%s: %s", e.Code, e.Message)
	},
	Internal: apierr.New(http.StatusInternalServerError, "internal", "Something went wrong"),
}

// serve runs a handler with all middleware and returns the response and the log.
func serve(h httpx.Handler, r *http.Request) (*httptest.ResponseRecorder, string) {
	var log bytes.Buffer
	recorder := httptest.NewRecorder()
	httpx.Observe(slog.New(slog.NewTextHandler(&log, nil)), time.Now, adapter.Handle(h)).ServeHTTP(recorder, r)
	return recorder, log.String()
}

func get() *http.Request { return httptest.NewRequest(http.MethodGet, "/path?token=hush", nil) }

func TestErrorsAClientMaySeeAreShown(t *testing.T) {
	t.Parallel()
	cause := errors.New("the cause")
	answer, log := serve(func(http.ResponseWriter, *http.Request) error {
		return fmt.Errorf("while testing: %w", apierr.New(http.StatusTeapot, "teapot", "short").WithCause(cause))
	}, get())
	if answer.Code != http.StatusTeapot || answer.Body.String() != "teapot: short" {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
	if !strings.Contains(log, "status=418") || !strings.Contains(log, "code=teapot") || strings.Contains(log, "hush") {
		t.Errorf("log: %s", log)
	}
}

func TestOtherErrorsAreHiddenAndLogged(t *testing.T) {
	t.Parallel()
	answer, log := serve(func(http.ResponseWriter, *http.Request) error { return errors.New("password=hunter2 refused") }, get())
	if answer.Code != http.StatusInternalServerError || strings.Contains(answer.Body.String(), "hunter2") {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
	if !strings.Contains(log, "hunter2") || !strings.Contains(log, "level=ERROR") {
		t.Errorf("the cause is not logged: %s", log)
	}
}

// PostgreSQL has one SQLSTATE for statements that took too long and for those whose client has disconnected.
func TestADisconnectedClientIsNoTimeout(t *testing.T) {
	t.Parallel()
	gone, leave := context.WithCancel(context.Background())
	leave()
	for _, test := range []struct {
		ctx    context.Context
		err    error
		status int
		level  string
	}{
		{gone, apierr.New(http.StatusGatewayTimeout, "57014", "canceling statement due to user request"), 499, "INFO"},
		{gone, errors.New("read: connection reset"), 499, "INFO"},
		{gone, apierr.New(http.StatusConflict, "23505", "duplicate key"), http.StatusConflict, "INFO"},
		{gone, apierr.New(http.StatusServiceUnavailable, "PGRST001", "lost"), http.StatusServiceUnavailable, "ERROR"},
		{t.Context(), apierr.New(http.StatusGatewayTimeout, "57014", "canceling statement due to statement timeout"), http.StatusGatewayTimeout, "ERROR"},
	} {
		answer, log := serve(func(http.ResponseWriter, *http.Request) error { return test.err }, get().WithContext(test.ctx))
		if answer.Code != test.status || !strings.Contains(log, "level="+test.level) {
			t.Errorf("%v: %d, log: %s", test.err, answer.Code, log)
		}
	}
}

func TestPanicBecomesStatus500(t *testing.T) {
	t.Parallel()
	answer, log := serve(func(http.ResponseWriter, *http.Request) error { panic("boom") }, get())
	if answer.Code != http.StatusInternalServerError || !strings.Contains(log, "boom") {
		t.Errorf("%d, log: %s", answer.Code, log)
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	var seen string
	note := func(_ http.ResponseWriter, r *http.Request) error { seen = httpx.RequestID(r.Context()); return nil }
	r := get()
	r.Header.Set("X-Request-Id", "mine-1")
	if answer, _ := serve(note, r); seen != "mine-1" || answer.Header().Get("X-Request-Id") != "mine-1" {
		t.Errorf("a given id became %q", seen)
	}
	r.Header.Set("X-Request-Id", "forged\nline")
	if serve(note, r); seen == "forged\nline" || len(seen) != 16 {
		t.Errorf("an unprintable id became %q", seen)
	}
}

func TestTheLogNamesTheRole(t *testing.T) {
	t.Parallel()
	_, log := serve(func(_ http.ResponseWriter, r *http.Request) error {
		if who, ok := claims.FromContext(httpx.SetCaller(r, claims.ForRole(claims.Anon)).Context()); !ok || who.Role != claims.Anon {
			t.Errorf("caller %+v, %v", who, ok)
		}
		return nil
	}, get())
	if !strings.Contains(log, "role=anon") {
		t.Errorf("log: %s", log)
	}
}

func TestReadJSON(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		`{"a":1}`: 200, ``: 200, `  `: 200, `{"a":`: 400, `[]`: 400, `{"a":"` + strings.Repeat("x", 100) + `"}`: 413,
	} {
		answer, _ := serve(func(w http.ResponseWriter, r *http.Request) error {
			var value struct {
				A any `json:"a"`
			}
			err := httpx.ReadJSON(w, r, 50, &value)
			if errors.Is(err, httpx.ErrBadJSON) {
				return apierr.New(http.StatusBadRequest, "bad_json", "bad")
			}
			return err
		}, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)))
		if answer.Code != want {
			t.Errorf("%.20q: %d, want %d", body, answer.Code, want)
		}
	}
}

func TestCORS(t *testing.T) {
	t.Parallel()
	h := httpx.CORS([]string{"Content-Range"}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	preflight := httptest.NewRequest(http.MethodOptions, "/", nil)
	preflight.Header.Set("Origin", "https://other.example")
	preflight.Header.Set("Access-Control-Request-Method", "PATCH")
	preflight.Header.Set("Access-Control-Request-Headers", "apikey,prefer")
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, preflight)
	if recorder.Code != http.StatusOK || recorder.Header().Get("Access-Control-Allow-Headers") != "Authorization, apikey, prefer, Accept, Accept-Language, Content-Language" ||
		recorder.Header().Get("Access-Control-Allow-Origin") != "*" || recorder.Header().Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("%d %v", recorder.Code, recorder.Header())
	}
	plain := httptest.NewRequest(http.MethodGet, "/", nil)
	plain.Header.Set("Origin", "https://other.example")
	recorder = httptest.NewRecorder()
	h.ServeHTTP(recorder, plain)
	if recorder.Code != http.StatusTeapot || recorder.Header().Get("Access-Control-Expose-Headers") != "Content-Range" {
		t.Errorf("%d %v", recorder.Code, recorder.Header())
	}
}

func TestClientAddress(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("fe80::/10")}
	for name, test := range map[string]struct {
		remote, forwarded, want string
	}{
		"direct":                     {"203.0.113.5:1", "", "203.0.113.5"},
		"forged without a proxy":     {"203.0.113.5:1", "198.51.100.1", "203.0.113.5"},
		"through a proxy":            {"10.0.0.1:1", "198.51.100.1", "198.51.100.1"},
		"through two":                {"10.0.0.1:1", "198.51.100.1, 10.0.0.2", "198.51.100.1"},
		"forged in front of a proxy": {"10.0.0.1:1", "192.0.2.66, 198.51.100.1", "198.51.100.1"},
		"nonsense is ignored":        {"10.0.0.1:1", "nonsense", "10.0.0.1"},
		"mapped IPv4":                {"[::ffff:203.0.113.5]:1", "", "203.0.113.5"},
		"mapped IPv4 of a hop":       {"10.0.0.1:1", "::ffff:198.51.100.1", "198.51.100.1"},
		"with a port":                {"10.0.0.1:1", "198.51.100.1:4711", "198.51.100.1"},
		"two with ports":             {"10.0.0.1:1", "198.51.100.1:4711, 10.0.0.2:80", "198.51.100.1"},
		"IPv6":                       {"10.0.0.1:1", "2001:db8::1", "2001:db8::1"},
		"IPv6 in brackets":           {"10.0.0.1:1", "[2001:db8::1]", "2001:db8::1"},
		"IPv6 with a port":           {"10.0.0.1:1", "[2001:db8::1]:4711", "2001:db8::1"},
		"a proxy of IPv6":            {"[::1]:1", "198.51.100.1, [::1]:4711", "198.51.100.1"},
		"a proxy with a zone":        {"[fe80::1%eth0]:1", "198.51.100.1", "198.51.100.1"},
		"an empty hop":               {"10.0.0.1:1", "198.51.100.1,", "10.0.0.1"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = test.remote
		if test.forwarded != "" {
			r.Header.Set("X-Forwarded-For", test.forwarded)
		}
		if got := httpx.ClientAddress(r, proxies).String(); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestClientAddressOfForwarded(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	for name, test := range map[string]struct{ forwarded, old, want string }{
		"an address":               {"for=198.51.100.1;proto=https", "", "198.51.100.1"},
		"IPv6 with a port":         {`proto=https; For="[2001:db8::1]:4711"`, "", "2001:db8::1"},
		"the last untrusted hop":   {"for=192.0.2.66, for=198.51.100.1, for=10.0.0.2", "", "198.51.100.1"},
		"an obfuscated hop":        {"for=_hidden", "", "10.0.0.1"},
		"an element without a for": {"for=198.51.100.1, proto=https", "", "10.0.0.1"},
		"X-Forwarded-For wins":     {"for=192.0.2.66", "198.51.100.1", "198.51.100.1"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = "10.0.0.1:1"
		r.Header.Set("Forwarded", test.forwarded)
		if test.old != "" {
			r.Header.Set("X-Forwarded-For", test.old)
		}
		if got := httpx.ClientAddress(r, proxies).String(); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// An aborted response is logged, too.
func TestAbortedResponseIsLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := httpx.Observe(slog.New(slog.NewTextHandler(&log, nil)), time.Now, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("a part"))
		panic(http.ErrAbortHandler)
	}))
	defer func() {
		if cause := recover(); cause != http.ErrAbortHandler { // net/http compares it so
			t.Errorf("the connection is not broken: %v", cause)
		}
		if !strings.Contains(log.String(), "size_bytes=6") {
			t.Errorf("log: %q", log.String())
		}
	}()
	h.ServeHTTP(httptest.NewRecorder(), get())
}

// sendingWriter records that ReadFrom was called.
type sendingWriter struct {
	*httptest.ResponseRecorder
	took bool
}

func (w *sendingWriter) ReadFrom(from io.Reader) (int64, error) {
	w.took = true
	return io.Copy(w.ResponseRecorder, from)
}

// The middleware does not prevent sendfile.
func TestReadFromUsesTheUnderlyingWriter(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	below := &sendingWriter{ResponseRecorder: httptest.NewRecorder()}
	httpx.Observe(slog.New(slog.NewTextHandler(&log, nil)), time.Now, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.CopyN(w, strings.NewReader("a file"), 6)
	})).ServeHTTP(below, get())
	if !below.took || below.Body.String() != "a file" || !strings.Contains(log.String(), "status=200") || !strings.Contains(log.String(), "size_bytes=6") {
		t.Errorf("took %v, body %q, log %s", below.took, below.Body, log.String())
	}
}
