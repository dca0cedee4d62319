// Package oauthserver implements an OAuth 2.1 and OpenID provider. fosite's handlers implement
// the protocol. The stricter rules of package oauth run before them. Storage and signing are
// this server's own.
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
	external string // public base URL of the API
	page     string // URL of the consent page; empty: not configured
	storage  *storage.Storage
	signer   *claims.Verifier
	now      func() time.Time
}

// Options are the dependencies of a Server.
type Options struct {
	Config      settings.Config
	SiteURL     string // site with the consent page
	ExternalURL string // public base URL of the API
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

// provider returns a fosite provider for one request of a known or authenticated client. Its
// handlers are created for each request, because they use the request's transaction.
func (s *Server) provider(r *storage.Request, client *oauth.Client) *fosite.Fosite {
	config := &fosite.Config{
		ScopeStrategy:                  fosite.ExactScopeStrategy,
		AudienceMatchingStrategy:       fosite.ExactAudienceMatchingStrategy,
		RedirectSecureChecker:          fosite.IsRedirectURISecure,
		EnforcePKCE:                    true,
		EnablePKCEPlainChallengeMethod: true,
		OmitRedirectScopeParam:         true,
		RefreshTokenScopes:             []string{}, // every client with the grant type gets a refresh token
		DisableRefreshTokenValidation:  true,
		MinParameterEntropy:            1, // the client chooses the state; see checkAuthorize
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
	// The verifier is checked first, so that a used code with a wrong verifier does not end the
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

// formRequest returns an HTTP request with checked parameters for fosite. fosite only sees
// parameters that package oauth has validated.
func formRequest(ctx context.Context, method string, form url.Values) *http.Request {
	request := &http.Request{Method: method, URL: &url.URL{}, Header: http.Header{}, Form: form, PostForm: form}
	return request.WithContext(ctx)
}

// translate translates an error of fosite. It returns the storage's internal error if there is one,
// else the OAuth or API error that err wraps, else fosite's error without its hints.
func translate(r *storage.Request, err error) error {
	var ours *oauth.Error
	var theirs *fosite.RFC6749Error
	switch {
	case err == nil:
		return nil
	case r.InternalError() != nil:
		return r.InternalError()
	case errors.As(err, &ours):
		return ours
	case apierr.As(err) != nil:
		return apierr.As(err)
	case errors.As(err, &theirs) && theirs.CodeField < http.StatusInternalServerError:
		return &oauth.Error{Code: theirs.ErrorField, Description: theirs.DescriptionField}
	}
	return err
}

// authenticate returns the client of a request after checking its credentials.
//
// Errors: invalid_client.
func (s *Server) authenticate(ctx context.Context, credentials oauth.Credentials) (*oauth.Client, error) {
	client, err := s.storage.FindClient(ctx, credentials.ID)
	if err != nil {
		return nil, err
	}
	if err := client.Authenticate(credentials); err != nil {
		return nil, err
	}
	return client, nil
}

// checkGrant refuses unsupported grant types and those that the client has not registered.
func checkGrant(client *oauth.Client, grantType string) error {
	switch {
	case !slices.Contains(oauth.GrantTypes, grantType):
		return &oauth.Error{Code: oauth.UnsupportedGrantType, Description: "use grant type authorization_code or refresh_token"}
	case !slices.Contains(client.GrantTypes, grantType):
		return &oauth.Error{Code: oauth.UnauthorizedClient, Description: "Client is not allowed to use grant type: " + grantType}
	}
	return nil
}
