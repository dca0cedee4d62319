package realtime

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"plaza/server/claims"
)

// tokenError is the reason why a token is refused. Its texts are upstream's.
type tokenError struct{ code, text string }

func (e *tokenError) Error() string { return e.text }

var (
	errMalformedToken = &tokenError{"MalformedJWT", "The token provided is not a valid JWT"}
	errClaims         = &tokenError{"InvalidJWTToken", "Fields `role` and `exp` are required in JWT"}
	errSignature      = &tokenError{"JwtSignatureError", "Failed to validate JWT signature"}
	errSigner         = &tokenError{"JwtSignerError", "Failed to generate JWT signer, check your JWT secret or JWKS"}
	errEnded          = &tokenError{"InvalidJWTToken", "The session of the token has ended"}
)

func expiredError(at, now time.Time) *tokenError {
	return &tokenError{"InvalidJWTToken", fmt.Sprintf("Token has expired %d seconds ago", int(now.Sub(at).Seconds()))}
}

// verify returns the caller of a token or an API key.
func (s *Server) verify(token string) (claims.Caller, *tokenError) {
	token = strings.Join(strings.Fields(token), "")
	if who, ok := s.auth.Keys.Caller(token); ok {
		return who, nil
	}
	who, err := s.auth.Verifier.VerifyAnyHMAC(token)
	switch {
	case err == nil:
		return who, s.checkClaims(who)
	case errors.Is(err, claims.ErrExpired):
		return who, expiredError(expiryOf(token), s.now())
	case errors.Is(err, claims.ErrNoKeyFor):
		return who, errSigner
	case errors.Is(err, claims.ErrSignature):
		return who, errSignature
	case errors.Is(err, claims.ErrSessionEnded), errors.Is(err, claims.ErrUserBanned):
		return who, errEnded
	}
	return who, errMalformedToken
}

// checkClaims checks what other services do not: that there are a role and an expiry, and that the
// expiry has not passed, without leeway.
func (s *Server) checkClaims(who claims.Caller) *tokenError {
	var set struct {
		Role *string `json:"role"`
	}
	if err := json.Unmarshal([]byte(who.JSON), &set); err != nil || set.Role == nil || *set.Role == "" || who.Expires.IsZero() {
		return errClaims
	}
	if now := s.now(); !now.Before(who.Expires) {
		return expiredError(who.Expires, now)
	}
	return nil
}

// expiryOf returns the expiry of a token whose signature was verified.
func expiryOf(token string) time.Time {
	var set struct {
		Expires float64 `json:"exp"`
	}
	_, rest, _ := strings.Cut(token, ".")
	payload, _, _ := strings.Cut(rest, ".")
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil || json.Unmarshal(text, &set) != nil {
		return time.Time{}
	}
	return time.Unix(int64(set.Expires), 0)
}

// isAPIKey reports whether a token is an opaque API key.
func isAPIKey(token string) bool { return strings.HasPrefix(token, "sb_") }
