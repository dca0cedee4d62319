package claims

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"time"
)

// keyLifetime is how long the anon and service_role keys are valid, in years.
// Source: Supabase issues its API keys for ten years.
const keyLifetime = 10

// Keys are a project's API keys: the two classic keys, which are tokens, and the two newer opaque
// keys for the same roles.
type Keys struct {
	Anon        string `json:"anon"`         // JWT with role anon; public
	Service     string `json:"service_role"` // JWT with role service_role; secret
	Publishable string `json:"publishable"`  // sb_publishable_…; public
	Secret      string `json:"secret"`       // sb_secret_…; secret
}

// NewKeys returns new keys for a project, signed by v and issued now.
func NewKeys(v *Verifier, now time.Time) (Keys, error) {
	anon, err := v.roleKey(Anon, now)
	if err != nil {
		return Keys{}, err
	}
	service, err := v.roleKey(ServiceRole, now)
	if err != nil {
		return Keys{}, err
	}
	return Keys{
		Anon: anon, Service: service,
		Publishable: "sb_publishable_" + randomText(22), Secret: "sb_secret_" + randomText(32),
	}, nil
}

func (v *Verifier) roleKey(role string, now time.Time) (string, error) {
	key, err := v.mintShared(map[string]any{
		"iss": "plaza", "role": role, "iat": now.Unix(), "exp": now.AddDate(keyLifetime, 0, 0).Unix(),
	})
	if err != nil {
		return "", fmt.Errorf("create %s key: %w", role, err)
	}
	return key, nil
}

// Caller returns the caller of an opaque key. ok is false for any other text.
func (k Keys) Caller(key string) (who Caller, ok bool) {
	switch {
	case equal(key, k.Publishable):
		return ForRole(Anon), true
	case equal(key, k.Secret):
		return ForRole(ServiceRole), true
	}
	return Caller{}, false
}

func equal(a, b string) bool {
	return b != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

// NewSecret returns a random signing secret of 32 bytes, as text.
func NewSecret() string { return randomText(43) }

func randomText(length int) string {
	random := make([]byte, length)
	rand.Read(random) // never fails: crypto/rand crashes the process instead
	return base64.RawURLEncoding.EncodeToString(random)[:length]
}
