package oauthserver

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"maps"
	"time"

	"github.com/ory/fosite"

	"plaza/server/auth/oauth"
	"plaza/server/auth/oauthserver/storage"
	"plaza/server/auth/users"
	"plaza/server/claims"
)

// idTokenLifetime is how long an ID token is valid. Source: supabase/auth.
const idTokenLifetime = time.Hour

// idTokens generates ID tokens for fosite's handler.
type idTokens struct {
	s *Server
	r *storage.Request
}

// GenerateIDToken returns an ID token, or "" if the project has no signing key. The verifier of
// access tokens recognizes an ID token by its at_hash and refuses it.
func (t idTokens) GenerateIDToken(_ context.Context, lifetime time.Duration, request fosite.Requester) (string, error) {
	now, made, a := t.s.now(), t.r.Issued(), t.r.Authorization()
	key, ok := t.s.signer.Ring().CurrentSigner(now)
	if !ok {
		return "", nil
	}
	client := request.GetClient().GetID()
	set := map[string]any{
		"iss": t.s.issuer, "sub": made.User.ID, "aud": client, "client_id": client,
		"iat": now.Unix(), "exp": now.Add(lifetime).Unix(), "at_hash": halfHash(key.Algorithm, made.AccessToken),
	}
	if a.Authenticated != nil {
		set["auth_time"] = a.Authenticated.Unix()
	}
	if a.Nonce != "" {
		set["nonce"] = a.Nonce
	}
	maps.Copy(set, userClaims(made.User, oauth.ParseScope(a.Scope)))
	token, err := t.s.signer.MintWithKeyPair(set)
	if errors.Is(err, claims.ErrNoSigningKey) { // the key has expired since the check above
		return "", nil
	}
	return token, err
}

// halfHash returns the left half of the hash of text, as at_hash requires. The hash function
// follows from the signing algorithm. Source: OpenID Connect Core, section 3.1.3.6; for EdDSA
// with Ed25519, SHA-512.
func halfHash(algorithm, text string) string {
	if algorithm == "EdDSA" {
		sum := sha512.Sum512([]byte(text))
		return base64.RawURLEncoding.EncodeToString(sum[:sha512.Size/2])
	}
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:sha256.Size/2])
}

// userClaims returns the OpenID claims of a user that a scope allows.
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
