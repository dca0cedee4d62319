// Package oauthserver is this server as an OAuth 2.1 and OpenID provider. fosite's handlers
// keep the protocol; the stricter rules of package oauth come before them, and what they
// store and sign is this server's own.
package oauthserver

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/ory/fosite"
	"github.com/ory/fosite/handler/oauth2"
	"github.com/ory/fosite/handler/openid"

	"plaza/server/apierr"
	"plaza/server/auth/oauth"
	"plaza/server/auth/oauthserver/storage"
	"plaza/server/auth/settings"
	"plaza/server/claims"
)

// Server authorizes clients and issues tokens to them.
type Server struct {
	config   settings.OAuthServer
	issuer   string
	external string // where the API answers
	page     string // that asks for consent; empty: not configured
	storage  *storage.Storage
	signer   *claims.Verifier
	now      func() time.Time
}

// Options are what a Server stands on.
type Options struct {
	Config      settings.Config
	SiteURL     string // with the page that asks for consent
	ExternalURL string // where the API answers
	Storage     *storage.Storage
	Signer      *claims.Verifier // of ID tokens
	Now         func() time.Time
}

// New returns a Server.
func New(o Options) *Server {
	s := &Server{
		config: o.Config.OAuthServer, issuer: o.Config.JWT.Issuer, external: o.ExternalURL, storage: o.Storage, signer: o.Signer, now: o.Now,
	}
	if path := s.config.AuthorizationPath; path != "" {
		s.page = strings.TrimRight(o.SiteURL, "/") + "/" + strings.TrimLeft(path, "/")
	}
	return s
}

// provider returns fosite for one request of a client that is known or authenticated. Its
// handlers are made anew each time, as they work on the request's own transaction.
func (s *Server) provider(r *storage.Request, client *oauth.Client) *fosite.Fosite {
	config := &fosite.Config{
		ScopeStrategy:                  fosite.ExactScopeStrategy,
		AudienceMatchingStrategy:       fosite.ExactAudienceMatchingStrategy,
		RedirectSecureChecker:          fosite.IsRedirectURISecure,
		EnforcePKCE:                    true,
		EnablePKCEPlainChallengeMethod: true,
		OmitRedirectScopeParam:         true,
		RefreshTokenScopes:             []string{}, // every client whose grant types have it gets one
		DisableRefreshTokenValidation:  true,
		MinParameterEntropy:            1, // states are the client's; see checkAuthorize
		IDTokenIssuer:                  s.issuer,
		IDTokenLifespan:                idTokenLifetime,
		ClientAuthenticationStrategy: func(context.Context, *http.Request, url.Values) (fosite.Client, error) {
			return storage.Client{Client: client}, nil
		},
	}
	tokens := tokens{s, r}
	code := &oauth2.AuthorizeExplicitGrantHandler{
		AccessTokenStrategy: tokens, RefreshTokenStrategy: tokens, AuthorizeCodeStrategy: tokens, CoreStorage: r, TokenRevocationStorage: r, Config: config,
	}
	verifier := newPKCEHandler(tokens, r, config)
	identity := &openid.OpenIDConnectExplicitHandler{
		OpenIDConnectRequestStorage:   r,
		OpenIDConnectRequestValidator: openid.NewOpenIDConnectRequestValidator(nil, config),
		Config:                        config,
		IDTokenHandleHelper:           &openid.IDTokenHandleHelper{IDTokenStrategy: idTokens{s, r}},
	}
	refresh := &oauth2.RefreshTokenGrantHandler{
		AccessTokenStrategy: tokens, RefreshTokenStrategy: tokens, TokenRevocationStorage: r, Config: config,
	}
	config.AuthorizeEndpointHandlers = fosite.AuthorizeEndpointHandlers{code, identity, verifier}
	// The verifier is checked first: with a wrong one a code that was used before ends no
	// session.
	config.TokenEndpointHandlers = fosite.TokenEndpointHandlers{
		rule{oauth.AuthorizationCode, codeRule(r)}, verifier, code, rule{oauth.AuthorizationCode, consentRule(r)}, identity,
		rule{oauth.RefreshToken, refreshRule(r)}, refresh,
	}
	config.TokenIntrospectionHandlers = fosite.TokenIntrospectionHandlers{&oauth2.CoreValidator{CoreStrategy: tokens, CoreStorage: r, Config: config}}
	config.RevocationHandlers = fosite.RevocationHandlers{
		&oauth2.TokenRevocationHandler{TokenRevocationStorage: r, RefreshTokenStrategy: tokens, AccessTokenStrategy: tokens},
	}
	return fosite.NewOAuth2Provider(r, config)
}

// formRequest returns parameters that were checked as the request that fosite reads. It
// sees none that the rules of package oauth do not know.
func formRequest(ctx context.Context, method string, form url.Values) *http.Request {
	request := &http.Request{Method: method, URL: &url.URL{}, Header: http.Header{}, Form: form, PostForm: form}
	return request.WithContext(ctx)
}

// translate returns what is to be answered for an error of fosite's: a failure of the
// storage; the refusal of ours that it wraps; or else fosite's own, without its hints.
func translate(r *storage.Request, err error) error {
	var ours *oauth.Error
	var theirs *fosite.RFC6749Error
	switch {
	case err == nil:
		return nil
	case r.Failed() != nil:
		return r.Failed()
	case errors.As(err, &ours):
		return ours
	case apierr.As(err) != nil:
		return apierr.As(err)
	case errors.As(err, &theirs) && theirs.CodeField < http.StatusInternalServerError:
		return &oauth.Error{Code: theirs.ErrorField, Description: theirs.DescriptionField}
	}
	return err
}

// authenticate returns the client whose credentials a request has.
//
// Errors: invalid_client.
func (s *Server) authenticate(ctx context.Context, given oauth.Credentials) (*oauth.Client, error) {
	client, err := s.storage.FindClient(ctx, given.ID)
	if err != nil {
		return nil, err
	}
	if err := client.Authenticate(given); err != nil {
		return nil, err
	}
	return client, nil
}

// checkGrant refuses grant types that there are not, or that the client did not register
// for.
func checkGrant(client *oauth.Client, grantType string) error {
	switch {
	case !slices.Contains(oauth.GrantTypes, grantType):
		return &oauth.Error{Code: oauth.UnsupportedGrantType, Description: "use grant type authorization_code or refresh_token"}
	case !slices.Contains(client.GrantTypes, grantType):
		return &oauth.Error{Code: oauth.UnauthorizedClient, Description: "Client is not allowed to use grant type: " + grantType}
	}
	return nil
}
