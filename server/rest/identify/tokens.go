package identify

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/rest/settings"
)

// Config configures the identification of callers without a gateway.
type Config struct {
	Keys      *claims.KeySet     // nil means that no token is accepted
	Audience  string             // required value of aud; empty means any
	RoleClaim settings.ClaimPath // path of the claim that holds the role
	AnonRole  string             // for requests without a token; empty means that they are rejected
	CacheSize int                // maximum number of cached tokens
}

// Tokens returns a Func that identifies callers by bearer tokens alone, as PostgREST
// does, and the cache of verified tokens. now is the clock.
//
// Errors: 500 PGRST300 without a secret; 401 PGRST301, PGRST302, PGRST303.
func Tokens(config Config, now func() time.Time) (Func, *claims.Cache) {
	t := &tokens{Config: config, now: now, cache: claims.NewCache(config.CacheSize)}
	return t.identify, t.cache
}

type tokens struct {
	Config
	now   func() time.Time
	cache *claims.Cache
}

func (t *tokens) identify(r *http.Request) (claims.Caller, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return t.anonymous(claims.Caller{JSON: "{}"})
	}
	if token = strings.TrimSpace(token); token == "" {
		return claims.Caller{}, refused(CodeToken, "Empty JWT is sent in Authorization header")
	}
	who, ok := t.cache.Get(token)
	if !ok {
		var err error
		if who, err = t.verify(token); err != nil {
			return claims.Caller{}, err
		}
		t.cache.Put(token, who)
	}
	if !who.Expires.IsZero() && t.now().After(who.Expires.Add(claims.ClockSkew)) {
		return claims.Caller{}, refused(CodeClaims, "JWT expired")
	}
	return who, nil
}

// anonymous returns the caller with the anonymous role, for requests without a role.
func (t *tokens) anonymous(who claims.Caller) (claims.Caller, error) {
	if t.AnonRole == "" {
		return claims.Caller{}, refused(codeNoAnon, "Anonymous access is disabled")
	}
	who.Role = t.AnonRole
	who.JSON = withRole(who.JSON, who.Role)
	return who, nil
}

func (t *tokens) verify(token string) (claims.Caller, error) {
	if parts := strings.Count(token, ".") + 1; parts != 3 {
		return claims.Caller{}, refused(CodeToken, fmt.Sprintf("Expected 3 parts in JWT; got %d", parts))
	}
	if t.Keys == nil {
		return claims.Caller{}, apierr.New(http.StatusInternalServerError, codeNoSecret, "Server lacks JWT secret")
	}
	payload, err := t.Keys.Verify(token)
	if err != nil {
		return claims.Caller{}, unverified(err)
	}
	var set map[string]any
	if err := json.Unmarshal(payload, &set); err != nil {
		return claims.Caller{}, refused(CodeClaims, "Parsing claims failed")
	}
	if err := t.check(set); err != nil {
		return claims.Caller{}, err
	}
	who := claims.Caller{JSON: string(payload)}
	who.Subject, _ = set["sub"].(string)
	if at, ok := set["exp"].(float64); ok {
		who.Expires = time.Unix(int64(at), 0)
	}
	if role, ok := t.RoleClaim.In(set); ok {
		who.Role = role
		who.JSON = withRole(who.JSON, role)
		return who, nil
	}
	return t.anonymous(who)
}

// check validates the claims exp, nbf, iat and aud.
func (t *tokens) check(set map[string]any) error {
	now := float64(t.now().Unix())
	skew := claims.ClockSkew.Seconds()
	for _, rule := range []struct {
		claim, message string
		bad            func(at float64) bool
	}{
		{"exp", "JWT expired", func(at float64) bool { return now > at+skew }},
		{"nbf", "JWT not yet valid", func(at float64) bool { return now < at-skew }},
		{"iat", "JWT issued at future", func(at float64) bool { return now < at-skew }},
	} {
		value, given := set[rule.claim]
		at, number := value.(float64)
		switch {
		case !given || value == nil:
		case !number:
			return refused(CodeClaims, "The JWT '"+rule.claim+"' claim must be a number")
		case rule.bad(at):
			return refused(CodeClaims, rule.message)
		}
	}
	return t.checkAudience(set["aud"])
}

func (t *tokens) checkAudience(value any) error {
	var audience []string
	switch value := value.(type) {
	case nil:
		return nil
	case string:
		audience = []string{value}
	case []any:
		for _, element := range value {
			text, ok := element.(string)
			if !ok {
				return errAudienceType()
			}
			audience = append(audience, text)
		}
		if len(audience) == 0 {
			return nil
		}
	default:
		return errAudienceType()
	}
	if t.Audience == "" {
		return nil
	}
	for _, name := range audience {
		if name == t.Audience {
			return nil
		}
	}
	return refused(CodeClaims, "JWT not in audience")
}

func errAudienceType() error {
	return refused(CodeClaims, "The JWT 'aud' claim must be a string or an array of strings")
}

// unverified returns the upstream error for a token whose signature was not verified.
func unverified(err error) error {
	switch {
	case errors.Is(err, claims.ErrUnsigned):
		return refused(CodeToken, "Wrong or unsupported encoding algorithm").
			WithDetail("JWT is unsecured but expected 'alg' was not 'none'")
	case errors.Is(err, claims.ErrNoKeyFor):
		return refused(CodeToken, "No suitable key or wrong key type").WithDetail("No suitable key was found to decode the JWT")
	case errors.Is(err, claims.ErrSignature):
		return refused(CodeToken, "No suitable key or wrong key type").WithDetail("None of the keys was able to decode the JWT")
	}
	return refused(CodeToken, "JWT cryptographic operation failed").WithCause(err)
}

func refused(code, message string) *apierr.Error {
	return apierr.New(http.StatusUnauthorized, code, "%s", message)
}

// withRole sets the claim "role", which policies read, in the JSON text of the claims.
func withRole(text, role string) string {
	var set map[string]json.RawMessage
	encoded, err := json.Marshal(role)
	if err != nil || json.Unmarshal([]byte(text), &set) != nil || string(set["role"]) == string(encoded) {
		return text
	}
	if set["role"] != nil {
		set["role"] = encoded
		if changed, err := json.Marshal(set); err == nil {
			text = string(changed)
		}
		return text
	}
	if rest := strings.TrimSpace(text[strings.IndexByte(text, '{')+1:]); rest != "}" {
		return `{"role":` + string(encoded) + "," + rest
	}
	return `{"role":` + string(encoded) + "}"
}
