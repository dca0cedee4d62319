package oauthserver

import (
	"context"

	"github.com/ory/fosite"
	"github.com/ory/fosite/handler/oauth2"

	"plaza/server/auth/oauth"
	"plaza/server/auth/oauthserver/storage"
)

// tokens generates and checks codes and tokens for fosite's handlers. fosite's "signature", by
// which the storage finds a token, is the hash of a code, or the token itself.
type tokens struct {
	s *Server
	r *storage.Request
}

var _ oauth2.CoreStrategy = tokens{}

// AuthorizeCodeSignature returns the stored hash of a code.
func (t tokens) AuthorizeCodeSignature(_ context.Context, code string) string {
	return oauth.Hash(code)
}

// GenerateAuthorizeCode returns a new code and its hash.
func (t tokens) GenerateAuthorizeCode(context.Context, fosite.Requester) (code, hash string, err error) {
	code = oauth.NewSecret()
	return code, oauth.Hash(code), nil
}

// ValidateAuthorizeCode checks that a code has not expired, by the server's clock.
//
// Errors: invalid_grant.
func (t tokens) ValidateAuthorizeCode(context.Context, fosite.Requester, string) error {
	if !t.s.now().Before(t.r.Authorization().Expires) {
		return invalidGrant("Authorization code has expired")
	}
	return nil
}

// AccessTokenSignature returns the token.
func (t tokens) AccessTokenSignature(_ context.Context, token string) string { return token }

// GenerateAccessToken returns the access token of the client's session.
func (t tokens) GenerateAccessToken(ctx context.Context, _ fosite.Requester) (token, signature string, err error) {
	made, err := t.r.Issue(ctx)
	if err != nil {
		return "", "", err
	}
	return made.AccessToken, made.AccessToken, nil
}

// ValidateAccessToken does nothing: the storage has verified the token and its session.
func (t tokens) ValidateAccessToken(context.Context, fosite.Requester, string) error { return nil }

// RefreshTokenSignature returns the token.
func (t tokens) RefreshTokenSignature(_ context.Context, token string) string { return token }

// GenerateRefreshToken returns the refresh token of the client's session.
func (t tokens) GenerateRefreshToken(ctx context.Context, _ fosite.Requester) (token, signature string, err error) {
	made, err := t.r.Issue(ctx)
	if err != nil {
		return "", "", err
	}
	return made.RefreshToken, made.RefreshToken, nil
}

// ValidateRefreshToken does nothing: the storage only finds valid tokens.
func (t tokens) ValidateRefreshToken(context.Context, fosite.Requester, string) error { return nil }
