package csrf_test

import (
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"plaza/functions"
	"plaza/functions/csrf"
	"plaza/server/claims"
	"plaza/server/project"
)

// kit serves both functions with a fake clock.
type kit struct {
	auth *claims.Authenticator
	now  time.Time
	web  http.Handler
}

func newKit(t *testing.T) *kit {
	t.Helper()
	v := claims.NewVerifier([]byte("a-secret-of-tests-with-32-characters"), time.Now)
	keys, err := claims.NewKeys(v, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	k := &kit{auth: &claims.Authenticator{Verifier: v, Keys: keys}, now: time.Now()}
	clock := func() time.Time { return k.now }
	key := []byte("a key of tests, for one purpose")
	k.web = functions.Handler("/functions/v1", project.Parts{Auth: k.auth, Log: slog.New(slog.DiscardHandler), Now: time.Now},
		csrf.Generate(key, clock), csrf.Validate(key, clock))
	return k
}

// user returns the access token of a user's session.
func (k *kit) user(t *testing.T, subject, session string) string {
	t.Helper()
	token, err := k.auth.Verifier.Mint(map[string]any{
		"role": "authenticated", "sub": subject, "session_id": session, "exp": time.Now().Add(time.Hour).Unix(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func (k *kit) call(t *testing.T, name, bearer string, body any) (int, map[string]any) {
	t.Helper()
	data, err := json.Marshal(body)
	if text, raw := body.(string); raw {
		data, err = []byte(text), nil
	}
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/functions/v1/"+name, strings.NewReader(string(data)))
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	recorder := httptest.NewRecorder()
	k.web.ServeHTTP(recorder, r)
	var answer map[string]any
	if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s: %v", recorder.Body, err)
	}
	return recorder.Code, answer
}

func (k *kit) token(t *testing.T, bearer, session string) string {
	t.Helper()
	status, answer := k.call(t, "generate-csrf-token", bearer, map[string]string{"sessionId": session})
	token, _ := answer["token"].(string)
	if status != http.StatusOK || token == "" {
		t.Fatalf("%d %v", status, answer)
	}
	return token
}

// FN-04, FN-05, FN-06, FN-07, CONST-05, S-25: a token is valid for the caller and the session that
// it was created for, for 30 minutes, and only if the server created it.
func TestTokens(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	const ana, ben = "00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000b1"
	mine := k.user(t, ana, "first")
	token := k.token(t, mine, "s1")
	if k.token(t, mine, "s1") == token {
		t.Error("two tokens are equal")
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		t.Fatal(err)
	}
	issued := k.now
	flipped := func(at int) string {
		changed := append([]byte(nil), raw...)
		changed[at] ^= 1
		return base64.RawURLEncoding.EncodeToString(changed)
	}
	for _, tt := range []struct {
		name, bearer, session, token string
		after                        time.Duration
		valid                        bool
	}{
		{"the token", mine, "s1", token, 0, true},
		{"again", mine, "s1", token, 0, true},
		{"with a refreshed access token", k.user(t, ana, "first"), "s1", token, 0, true},
		{"just before it expires", mine, "s1", token, 30*time.Minute - time.Second, true},
		{"after 30 minutes", mine, "s1", token, 30 * time.Minute, false},
		{"with another session id", mine, "s2", token, 0, false},
		{"in another sign-in", k.user(t, ana, "second"), "s1", token, 0, false},
		{"from another user", k.user(t, ben, "first"), "s1", token, 0, false},
		{"from anon", k.auth.Keys.Anon, "s1", token, 0, false},
		{"without a session", mine, "", token, 0, false},
		{"without a token", mine, "s1", "", 0, false},
		{"one that a client made (FN-06)", mine, "s1", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", 0, false},
		{"one of the right length that a client made", mine, "s1", strings.Repeat("A", len(token)), 0, false},
		{"another expiry time", mine, "s1", flipped(7), 0, false},
		{"another nonce", mine, "s1", flipped(10), 0, false},
		{"another signature", mine, "s1", flipped(len(raw) - 1), 0, false},
		{"an extra character", mine, "s1", token + "A", 0, false},
		{"with a line break", mine, "s1", token[:len(token)-1] + "\n", 0, false},
	} {
		k.now = issued.Add(tt.after)
		status, answer := k.call(t, "validate-csrf-token", tt.bearer, map[string]string{"token": tt.token, "sessionId": tt.session})
		if status != http.StatusOK || answer["valid"] != tt.valid || len(answer) != 1 {
			t.Errorf("%s: %d %v, want %t", tt.name, status, answer, tt.valid)
		}
	}
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, tt := range []struct {
		name, function, bearer string
		body                   any
		status                 int
		code                   string
	}{
		{"no session", "generate-csrf-token", k.auth.Keys.Anon, map[string]string{}, 400, "session_required"},
		{"a session id that is too long", "generate-csrf-token", k.auth.Keys.Anon, map[string]string{"sessionId": strings.Repeat("s", 1025)}, 400, "session_required"},
		{"invalid JSON", "generate-csrf-token", k.auth.Keys.Anon, "sessionId", 400, "bad_json"},
		{"not an object", "validate-csrf-token", k.auth.Keys.Anon, `["a"]`, 400, "bad_json"},
		{"too long", "validate-csrf-token", k.auth.Keys.Anon, map[string]string{"token": strings.Repeat("t", 5000)}, 413, "request_entity_too_large"},
		{"no caller", "generate-csrf-token", "", map[string]string{"sessionId": "s1"}, 401, "missing_authorization"},
	} {
		if status, answer := k.call(t, tt.function, tt.bearer, tt.body); status != tt.status || answer["code"] != tt.code {
			t.Errorf("%s: %d %v, want %d %s", tt.name, status, answer, tt.status, tt.code)
		}
	}
}
