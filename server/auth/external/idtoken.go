package external

import (
	"context"
	"errors"
	"strings"
	"time"

	"plaza/server/auth/account"
	"plaza/server/auth/autherr"
	"plaza/server/auth/provider"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
)

// IDToken is the body of POST /token?grant_type=id_token.
type IDToken struct {
	Token        string `json:"id_token"`
	AccessToken  string `json:"access_token"`
	Nonce        string `json:"nonce"`
	Provider     string `json:"provider"`
	ClientID     string `json:"client_id"`
	Issuer       string `json:"issuer"`
	LinkIdentity bool   `json:"link_identity"`
}

// newOAuthError returns an error in the format of RFC 6749, which this grant uses.
func newOAuthError(description string) error { return &OAuthError{"invalid request", description} }

// Check checks that the required fields are present.
//
// Errors: *OAuthError.
func (params IDToken) Check() error {
	switch {
	case params.Token == "":
		return newOAuthError("id_token required")
	case params.Provider == "" && (params.ClientID == "" || params.Issuer == ""):
		return newOAuthError("provider or client_id and issuer required")
	}
	return nil
}

// SignIn signs in with an ID token that the app obtained from a provider itself. linkTo is the
// id of the signed-in user to link the identity to. An empty linkTo means a sign-in.
//
// Errors: *OAuthError for a token that is not accepted.
func (s *Identities) SignIn(ctx context.Context, params IDToken, linkTo string, r account.Request) (tokens *session.TokenResponse, err error) {
	source, err := s.idTokenSource(ctx, params)
	if err != nil {
		return nil, err
	}
	profile, err := source.Verify(ctx, provider.Proof{Token: params.Token, AccessToken: params.AccessToken, Nonce: params.Nonce})
	if err != nil {
		return nil, translateTokenError(err)
	}
	if profile.Email().Address == "" && !source.EmailOptional && linkTo == "" {
		return nil, autherr.Internal("Error getting user email from external provider")
	}
	login := externalLogin{
		profile: profile, provider: source.Provider, emailOptional: source.EmailOptional, linkTo: linkTo, req: r, now: s.now().Truncate(time.Microsecond),
	}
	err = s.withAccount(ctx, login, func(tx *store.Tx, userID string) error {
		tokens, err = s.sessions.SignIn(ctx, tx, userID, session.Grant{Method: methodOAuth}, r.Info)
		return err
	})
	return tokens, err
}

func (s *Identities) idTokenSource(ctx context.Context, params IDToken) (*provider.Source, error) {
	if strings.HasPrefix(params.Provider, provider.CustomPrefix) {
		custom, err := s.custom.enabled(ctx, params.Provider)
		switch {
		case errors.Is(err, provider.ErrUnknown):
			return nil, autherr.BadRequest(autherr.CodeValidation, "Custom provider %q not found", provider.Shorten(params.Provider))
		case errors.Is(err, provider.ErrDisabled):
			return nil, autherr.BadRequest(autherr.CodeProviderDisabled, "Custom provider %q is disabled", provider.Shorten(params.Provider))
		case err != nil:
			return nil, err
		case custom.Type != customOIDC:
			return nil, autherr.BadRequest(autherr.CodeValidation, "Provider %q is not an OIDC provider", provider.Shorten(params.Provider))
		}
		return s.providers.CustomSource(custom.settings("")), nil
	}
	source, err := s.providers.Source(params.Provider, params.Issuer, params.ClientID)
	switch {
	case errors.Is(err, provider.ErrDisabled):
		return nil, autherr.BadRequest(autherr.CodeProviderDisabled, "Provider (issuer %q) is not enabled", provider.Shorten(params.Provider+params.Issuer))
	case err != nil:
		return nil, autherr.BadRequest(autherr.CodeValidation, "Custom OIDC provider %q not allowed", provider.Shorten(params.Provider))
	}
	return source, nil
}

// translateTokenError translates the error of a token that was not accepted.
func translateTokenError(err error) error {
	for _, known := range []error{provider.ErrNoSubject, provider.ErrNoncePair} {
		if errors.Is(err, known) {
			return newOAuthError(known.Error())
		}
	}
	switch {
	case errors.Is(err, provider.ErrNonceWrong):
		return &OAuthError{"invalid nonce", provider.ErrNonceWrong.Error()}
	case errors.Is(err, provider.ErrAudience):
		return newOAuthError(err.Error())
	case errors.Is(err, provider.ErrBadToken):
		return newOAuthError(provider.ErrBadToken.Error())
	}
	return autherr.Internal("The provider cannot be reached").WithCause(err)
}
