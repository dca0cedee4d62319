package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"plaza/server/apierr"
)

const (
	secret  = "v1,whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"
	another = "v1,whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4"
)

var now = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

// callHook calls a service that is served by handler.
func callHook(t *testing.T, handler http.HandlerFunc) (string, error) {
	t.Helper()
	service := httptest.NewServer(handler)
	t.Cleanup(service.Close)
	h, err := New(service.URL, secret+"|"+another, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	h.pause = 0
	result, err := h.Call(t.Context(), []byte(`{"a":1}`))
	return string(result), err
}

func jsonResponse(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestRequestIsSigned(t *testing.T) {
	t.Parallel()
	result, err := callHook(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		signed := r.Header.Get("Webhook-Id") + "." + r.Header.Get("Webhook-Timestamp") + "." + string(body)
		for i, given := range strings.Fields(r.Header.Get("Webhook-Signature")) {
			key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix([]string{secret, another}[i], "v1,whsec_"))
			mac := hmac.New(sha256.New, key)
			mac.Write([]byte(signed))
			if given != "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)) {
				t.Errorf("signature %d is %s", i, given)
			}
		}
		if r.Method != http.MethodPost || string(body) != `{"a":1}` || r.Header.Get("Webhook-Timestamp") != "1773489600" {
			t.Errorf("%s %s %v", r.Method, body, r.Header)
		}
		jsonResponse(http.StatusOK, `{"b":2}`)(w, r)
	})
	if err != nil || result != `{"b":2}` {
		t.Errorf("%s, %v", result, err)
	}
}

func TestResponses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		answer  string
		status  int
		code    string
	}{
		"nothing":            {jsonResponse(http.StatusNoContent, ""), "", 0, ""},
		"accepted":           {jsonResponse(http.StatusAccepted, "{}"), "{}", 0, ""},
		"no content type":    {func(w http.ResponseWriter, _ *http.Request) { w.Header()["Content-Type"] = nil; w.WriteHeader(200) }, "", 400, codeType},
		"text":               {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }, "", 400, codeType},
		"too large":          {jsonResponse(http.StatusOK, `"`+strings.Repeat("x", maxResponse)+`"`), "", 422, codeSize},
		"as large as may be": {jsonResponse(http.StatusOK, `"`+strings.Repeat("x", maxResponse-2)+`"`), `"` + strings.Repeat("x", maxResponse-2) + `"`, 0, ""},
		"bad request":        {jsonResponse(http.StatusBadRequest, "{}"), "", 500, codeOther},
		"not allowed":        {jsonResponse(http.StatusUnauthorized, "{}"), "", 500, codeOther},
		"broken":             {jsonResponse(http.StatusTeapot, "{}"), "", 500, codeOther},
		"busy":               {jsonResponse(http.StatusServiceUnavailable, "{}"), "", 500, codeOther},
		"redirects": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/else" {
				t.Error("a redirect was followed")
			}
			http.Redirect(w, r, "/else", http.StatusTemporaryRedirect)
		}, "", 500, codeOther},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := callHook(t, tt.handler)
			visible := apierr.As(err)
			switch {
			case tt.status == 0 && (err != nil || result != tt.answer):
				t.Errorf("%.40s, %v", result, err)
			case tt.status != 0 && (visible == nil || visible.Status != tt.status || visible.Code != tt.code):
				t.Errorf("%v, want %d %s", err, tt.status, tt.code)
			}
		})
	}
}

func TestBusyServiceIsRetried(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ failures, attempts int }{"twice busy": {2, 3}, "always busy": {9, 3}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var params atomic.Int32
			_, err := callHook(t, func(w http.ResponseWriter, r *http.Request) {
				if int(params.Add(1)) <= tt.failures {
					w.Header().Set("Retry-After", "true")
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
				jsonResponse(http.StatusOK, "{}")(w, r)
			})
			if int(params.Load()) != tt.attempts || (err == nil) != (tt.failures < maxAttempts) {
				t.Errorf("%d requests: %v", params.Load(), err)
			}
		})
	}
}

func TestUnreachableService(t *testing.T) {
	t.Parallel()
	h, err := New("http://127.0.0.1:1/", secret, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	h.pause = 0
	if _, err := h.Call(t.Context(), nil); apierr.As(err) == nil || apierr.As(err).Code != codeRetries {
		t.Errorf("%v", err)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		address, secrets string
		ok               bool
	}{
		"https": {"https://example.com/hook", secret, true}, "this machine": {"http://localhost:3000/hook", secret, true},
		"plain": {"http://example.com/hook", secret, false}, "another scheme": {"ftp://example.com", secret, false},
		"no secret": {"https://example.com", "", false}, "short": {"https://example.com", "v1,whsec_YWJj", false},
		"another form": {"https://example.com", "v1a,whpk_abc", false}, "no base64": {"https://example.com", "v1,whsec_!!!!", false},
	} {
		if _, err := New(tt.address, tt.secrets, time.Now); (err == nil) != tt.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
