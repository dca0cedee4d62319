package batch

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"plaza/server/apierr"
)

// FuzzReferences checks that a referenced value from an earlier response becomes a single
// value in a body or path, and cannot change anything else.
func FuzzReferences(f *testing.F) {
	for _, seed := range []struct{ path, body, value string }{
		{"/films?id=eq.{/0/body/v}", `{"a":{"$result":"/0/body/v"}}`, `x&y=z`}, {"/rpc/f?a=%7B%2Ffirst%2Fbody%2Fv%7D", `[{"$result":"/first/body/v"},1e400]`, `../../`},
		{"/a?b={/0/headers/x}", `{"$result":"/0/headers/location"}`, "\x00\xff"}, {"/{/0/body/v}?{/0/body/v}={/0/body/v}", `{"$result":1,"b":{"$result":"/9/body"}}`, `#?{/0/body/v}`},
		{"/a?b={/0/body/~0~1}", `{"$result":"/0/body"}`, `",)`}, {"/a?b={/-1/body}", `{"$result":"/0"}`, ""}, {"/a?b={/0/nothing/v}", `{"a":"$result"}`, "1"},
	} {
		f.Add(seed.path, seed.body, seed.value)
	}
	f.Fuzz(func(t *testing.T, path, body, value string) {
		answered := func(value string) *Batch {
			text, _ := json.Marshal(map[string]any{"v": value, "~/": []any{value, 1, nil, true}})
			return &Batch{
				numbers: map[string]int{"first": 0}, resolved: make(map[string][]byte),
				responses: []response{{Status: http.StatusOK, Headers: map[string]string{"location": value}, Body: text}},
			}
		}
		value = strings.ToValidUTF8(value, "?")
		plain, err := answered("x").fillPath(path)
		filled, filledErr := answered(value).fillPath(path)
		if (err == nil) != (filledErr == nil) {
			t.Fatalf("%q with %q: %v, %v", path, value, err, filledErr)
		}
		if err != nil {
			if answer := apierr.As(err); answer == nil || answer.Code != "PLZ005" {
				t.Errorf("%q: %v", path, err)
			}
		} else if a, b := shapeOfPath(plain), shapeOfPath(filled); a != b {
			t.Errorf("%q with %q is %q, with x %q", path, value, filled, plain)
		}
		if !json.Valid([]byte(body)) {
			return
		}
		got, err := answered(value).fillBody([]byte(body))
		if err != nil {
			if apierr.As(err) == nil {
				t.Errorf("%q: an error no client may see: %v", body, err)
			}
			return
		}
		if !json.Valid(got) {
			t.Errorf("%q with %q: %s", body, value, got)
		}
		if !strings.Contains(body, referenceKey) && !bytes.Equal(got, []byte(body)) {
			t.Errorf("%q without references became %s", body, got)
		}
	})
}

// shapeOfPath counts the characters that separate the parts of a URL.
func shapeOfPath(path string) [4]int {
	return [4]int{strings.Count(path, "/"), strings.Count(path, "?"), strings.Count(path, "&") + strings.Count(path, ";"), strings.Count(path, "=") + strings.Count(path, "#")}
}

// FuzzTransaction checks that a list of requests is parsed or rejected with a code.
func FuzzTransaction(f *testing.F) {
	for _, body := range []string{
		`[{"path":"/films"}]`, `[{"id":"a","method":"POST","path":"/films?select=id","headers":{"Prefer":"return=representation"},"body":{"a":1}},{"path":"/b?id=eq.{/a/body/0/id}"}]`,
		`[]`, `{}`, `[{"path":"films"}]`, `[{"path":"/x","more":1}]`, `[{"path":"/a/../b"}]`, `[{"method":"G ET","path":"/%"}]`, `[{"path":"//evil/x","headers":{"X\n":"y"}}]`, `null`, `[null]`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest(http.MethodPost, "/rest/v1/", nil)
		r.Header.Set("Authorization", "Bearer of the whole")
		refused := func(err error) bool {
			if answer := apierr.As(err); err != nil && (answer == nil || answer.Status != http.StatusBadRequest) {
				t.Errorf("%q: %v", body, err)
			}
			return err != nil
		}
		parts, err := Decode([]byte(body))
		if refused(err) {
			return
		}
		all := New()
		for _, part := range parts {
			inner, err := all.Request(t.Context(), r, "/rest/v1", part)
			if refused(err) {
				continue
			}
			if !strings.HasPrefix(inner.URL.Path, "/rest/v1/") || inner.URL.Host != "" {
				t.Errorf("%q leads to %s", body, inner.URL)
			}
		}
	})
}
