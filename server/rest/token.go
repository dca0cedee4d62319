package rest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"plaza/server/apierr"
	"plaza/server/claims"
)

// TokenConfig says how callers are identified where there is no gateway.
type TokenConfig struct {
	Secret       []byte // of HS256, HS384 and HS512; empty: no token is accepted
	Audience     string // what aud must name; empty: anything
	RoleClaimKey string // where the role stands, as ".role" or ".realm.roles[0]"
	AnonRole     string // for requests without a token; empty: they are refused
}

// Tokens identifies callers by bearer tokens alone, as PostgREST does. now is
// the clock.
//
// Errors: 500 PGRST300 without a secret; 401 PGRST301, PGRST302, PGRST303.
func Tokens(config TokenConfig, now func() time.Time) (Identify, error) {
	path, err := parseClaimPath(config.RoleClaimKey)
	if err != nil {
		return nil, err
	}
	t := &tokens{config: config, role: path, now: now, cache: claims.NewCache(), parser: jwt.NewParser(
		jwt.WithoutClaimsValidation(), jwt.WithValidMethods([]string{"HS256", "HS384", "HS512"}))}
	return t.identify, nil
}

type tokens struct {
	config TokenConfig
	role   claimPath
	now    func() time.Time
	cache  *claims.Cache
	parser *jwt.Parser
}

func (t *tokens) identify(r *http.Request) (claims.Caller, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return t.anonymous(claims.Caller{JSON: "{}"})
	}
	if token = strings.TrimSpace(token); token == "" {
		return claims.Caller{}, refused(codeToken, "Empty JWT is sent in Authorization header")
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
		return claims.Caller{}, refused(codeClaims, "JWT expired")
	}
	return who, nil
}

// anonymous gives the role of requests without one of their own.
func (t *tokens) anonymous(who claims.Caller) (claims.Caller, error) {
	if t.config.AnonRole == "" {
		return claims.Caller{}, refused(codeNoAnon, "Anonymous access is disabled")
	}
	who.Role = t.config.AnonRole
	who.JSON = withRole(who.JSON, who.Role)
	return who, nil
}

func (t *tokens) verify(token string) (claims.Caller, error) {
	if parts := strings.Count(token, ".") + 1; parts != 3 {
		return claims.Caller{}, refused(codeToken, fmt.Sprintf("Expected 3 parts in JWT; got %d", parts))
	}
	if len(t.config.Secret) == 0 {
		return claims.Caller{}, apierr.New(http.StatusInternalServerError, codeNoSecret, "Server lacks JWT secret")
	}
	_, err := t.parser.Parse(token, func(*jwt.Token) (any, error) { return t.config.Secret, nil })
	switch {
	case err == nil:
	case errors.Is(err, jwt.ErrTokenUnverifiable), errors.Is(err, jwt.ErrTokenSignatureInvalid):
		return claims.Caller{}, refused(codeToken, "JWT cryptographic operation failed")
	default:
		return claims.Caller{}, refused(codeToken, "Error decoding JWT")
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	if err != nil {
		return claims.Caller{}, refused(codeToken, "Error decoding JWT")
	}
	var set map[string]any
	if err := json.Unmarshal(payload, &set); err != nil {
		return claims.Caller{}, refused(codeClaims, "Parsing claims failed")
	}
	if err := t.check(set); err != nil {
		return claims.Caller{}, err
	}
	who := claims.Caller{JSON: string(payload)}
	who.Subject, _ = set["sub"].(string)
	if at, ok := set["exp"].(float64); ok {
		who.Expires = time.Unix(int64(at), 0)
	}
	if role, ok := t.role.in(set); ok {
		who.Role = role
		who.JSON = withRole(who.JSON, role)
		return who, nil
	}
	return t.anonymous(who)
}

// check looks at the claims that say when and where a token is good.
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
			return refused(codeClaims, "The JWT '"+rule.claim+"' claim must be a number")
		case rule.bad(at):
			return refused(codeClaims, rule.message)
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
	if t.config.Audience == "" {
		return nil
	}
	for _, name := range audience {
		if name == t.config.Audience {
			return nil
		}
	}
	return refused(codeClaims, "JWT not in audience")
}

func errAudienceType() error {
	return refused(codeClaims, "The JWT 'aud' claim must be a string or an array of strings")
}

func refused(code, message string) error {
	return apierr.New(http.StatusUnauthorized, code, "%s", message)
}

// withRole puts the role into claims that have none, as policies read it.
func withRole(text, role string) string {
	var set map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &set); err != nil || set["role"] != nil {
		return text
	}
	encoded, err := json.Marshal(role)
	if err != nil {
		return text
	}
	if rest := strings.TrimSpace(text[strings.IndexByte(text, '{')+1:]); rest != "}" {
		return `{"role":` + string(encoded) + "," + rest
	}
	return `{"role":` + string(encoded) + "}"
}
