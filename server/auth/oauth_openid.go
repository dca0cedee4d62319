package auth

import (
	"cmp"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"

	"plaza/server/auth/keys"
	"plaza/server/auth/oauth"
	"plaza/server/auth/session"
	"plaza/server/auth/users"
	"plaza/server/claims"
	"plaza/server/httpx"
)

// idTokenLifetime is how long an ID token may be shown. Source: supabase/auth.
const idTokenLifetime = time.Hour

// idToken tells a client who signed in; "" where it did not ask for that or the
// project has no signing key. By at_hash the verifier knows it from an access
// token, which it must not be taken for.
func (s *Server) idToken(made *session.TokenResponse, client *oauth.Client, a *authorization) (string, error) {
	scope := oauth.ParseScope(a.scope)
	key, ok := s.deps.Auth.Verifier.Ring().Signs(s.now())
	if !ok || !scope.Has(oauth.OpenID) {
		return "", nil
	}
	now := s.now()
	set := map[string]any{
		"iss": s.config.JWT.Issuer, "sub": made.User.ID, "aud": client.ID, "client_id": client.ID,
		"iat": now.Unix(), "exp": now.Add(idTokenLifetime).Unix(), "at_hash": halfHash(key.Algorithm, made.AccessToken),
	}
	if a.authenticated != nil {
		set["auth_time"] = a.authenticated.Unix()
	}
	if a.nonce != "" {
		set["nonce"] = a.nonce
	}
	maps.Copy(set, userClaims(made.User, scope))
	token, err := s.deps.Auth.Verifier.MintKey(set)
	if errors.Is(err, claims.ErrNoSigningKey) { // it ended just now
		return "", nil
	}
	return token, err
}

// halfHash is the left half of the hash that goes with an algorithm. Source:
// OpenID Connect Core, section 3.1.3.6; for EdDSA with Ed25519, SHA-512.
func halfHash(algorithm, text string) string {
	if algorithm == "EdDSA" {
		sum := sha512.Sum512([]byte(text))
		return base64.RawURLEncoding.EncodeToString(sum[:sha512.Size/2])
	}
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:sha256.Size/2])
}

// userInfo answers GET and POST /oauth/userinfo: what the scope of the session
// tells of the user. A session of no OAuth client learns the subject only.
func (s *Server) userInfo(w http.ResponseWriter, r *http.Request) error {
	in, err := s.anyCaller(r)
	if err != nil {
		return err
	}
	scope := oauth.ParseScope(in.Held.Scopes)
	set := userClaims(in.User, scope)
	set["sub"] = in.User.ID
	// Upstream's names beside OpenID's.
	if scope.Has(oauth.Phone) && in.User.Phone != "" {
		set["phone"], set["phone_verified"] = set["phone_number"], set["phone_number_verified"]
	}
	if scope.Has(oauth.Profile) {
		set["user_metadata"] = json.RawMessage(in.User.UserMetadata)
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, set)
}

// MetadataPath is where RFC 8414 has clients look, with the path of the issuer
// behind it.
const MetadataPath = "/.well-known/oauth-authorization-server"

// discovery answers /.well-known/openid-configuration and
// /.well-known/oauth-authorization-server (RFC 8414), which say the same.
func (s *Server) discovery(w http.ResponseWriter, _ *http.Request) error {
	base := s.deps.ExternalURL
	said := map[string]any{
		"issuer":                                         s.config.JWT.Issuer,
		"authorization_endpoint":                         base + "/oauth/authorize",
		"token_endpoint":                                 base + "/oauth/token",
		"userinfo_endpoint":                              base + "/oauth/userinfo",
		"jwks_uri":                                       base + "/.well-known/jwks.json",
		"scopes_supported":                               oauth.Scopes,
		"response_types_supported":                       []string{"code"},
		"response_modes_supported":                       []string{"query"},
		"grant_types_supported":                          oauth.GrantTypes,
		"subject_types_supported":                        []string{"public"},
		"id_token_signing_alg_values_supported":          s.deps.Auth.Verifier.Ring().Algorithms(),
		"token_endpoint_auth_methods_supported":          oauth.AuthMethods,
		"code_challenge_methods_supported":               []string{"S256", "plain"},
		"authorization_response_iss_parameter_supported": true,
		"request_uri_parameter_supported":                false,
		"claims_supported": []string{
			"sub", "aud", "iss", "exp", "iat", "auth_time", "nonce", "at_hash", "email", "email_verified", "phone_number", "phone_number_verified",
			"name", "picture", "preferred_username", "updated_at",
		},
	}
	if config := s.config.OAuthServer; config.Enabled && config.AllowRegistration {
		said["registration_endpoint"] = base + "/oauth/clients/register"
	}
	w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(keys.MaxAge.Seconds())))
	return httpx.WriteJSON(w, http.StatusOK, said)
}

// userClaims are what a scope tells of a user, by OpenID's names.
func userClaims(u *users.User, scope oauth.Scope) map[string]any {
	set := map[string]any{}
	if scope.Has(oauth.Email) && u.Email != "" {
		set["email"], set["email_verified"] = u.Email, u.Confirmed(users.ByEmail)
	}
	if scope.Has(oauth.Phone) && u.Phone != "" {
		set["phone_number"], set["phone_number_verified"] = u.Phone, u.Confirmed(users.ByPhone)
	}
	if scope.Has(oauth.Profile) {
		for name, other := range map[string]string{"name": "full_name", "picture": "avatar_url", "preferred_username": "username"} {
			if value := cmp.Or(u.MetadataText(name), u.MetadataText(other)); value != "" {
				set[name] = value
			}
		}
		set["updated_at"] = u.UpdatedAt.Unix()
	}
	return set
}
