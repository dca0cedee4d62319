package oauthserver

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/ory/fosite"

	"plaza/server/auth/oauth"
	"plaza/server/auth/oauthserver/storage"
	"plaza/server/auth/session"
)

// TokenResponse is the response of the token endpoint. Unlike session.TokenResponse, it does not
// contain the user.
type TokenResponse struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int64  `json:"expires_in"`
	RefreshToken string `json:"refresh_token,omitempty"`
	Scope        string `json:"scope"`
	IDToken      string `json:"id_token,omitempty"`

	Issued *session.TokenResponse `json:"-"`
}

// Token exchanges a code or a refresh token of a client for tokens. login is nil without an
// Authorization header.
//
// An invalid request does not consume a code. A code works once. If it is used again, it may
// have been stolen, so the session issued for it ends (OAuth 2.1, section 4.1.3). A refresh
// token yields tokens with the session's scope, whatever scope is requested.
//
// Errors: *oauth.Error; those of the project's hook.
func (s *Server) Token(ctx context.Context, params url.Values, login *oauth.Login, from storage.Origin) (result *TokenResponse, err error) {
	request, err := oauth.ReadToken(params, login)
	if err != nil {
		return nil, err
	}
	if from.Client, err = s.authenticate(ctx, request.Client); err != nil {
		return nil, err
	}
	if err := checkGrant(from.Client, request.GrantType); err != nil {
		return nil, err
	}
	if request.GrantType == oauth.RefreshToken {
		if request.RefreshToken == "" {
			return nil, &oauth.Error{Code: oauth.InvalidRequest, Description: "refresh_token is required for refresh_token grant"}
		}
		return s.grant(ctx, s.storage.Request(from), from.Client, request)
	}
	if request.Code == "" {
		return nil, &oauth.Error{Code: oauth.InvalidRequest, Description: "code is required for authorization_code grant"}
	}
	err = s.storage.InTx(ctx, from, func(r *storage.Request) error {
		var err error
		result, err = s.grant(ctx, r, from.Client, request)
		return err
	})
	return result, err
}

// grant lets fosite's handlers check a token request and issue the tokens.
func (s *Server) grant(ctx context.Context, r *storage.Request, client *oauth.Client, req *oauth.TokenRequest) (*TokenResponse, error) {
	provider := s.provider(r, client)
	request, err := provider.NewAccessRequest(ctx, formRequest(ctx, http.MethodPost, url.Values{
		"grant_type": {req.GrantType}, "code": {req.Code}, "refresh_token": {req.RefreshToken}, "redirect_uri": {req.RedirectURI},
		"code_verifier": {req.Verifier}, "resource": {req.Resource}, "client_id": {client.ID},
	}), storage.NewSession(""))
	if err != nil {
		if r.Ended() && r.InternalError() == nil {
			return nil, invalidGrant("Authorization code was used before")
		}
		return nil, translate(r, err)
	}
	response, err := provider.NewAccessResponse(ctx, request)
	if err != nil {
		return nil, translate(r, err)
	}
	made := r.Issued()
	result := &TokenResponse{
		AccessToken: response.GetAccessToken(), TokenType: response.GetTokenType(), Scope: strings.Join(request.GetGrantedScopes(), " "),
		ExpiresIn: made.ExpiresIn, // fosite would use the system clock
		Issued:    made,
	}
	result.RefreshToken, _ = response.GetExtra("refresh_token").(string)
	result.IDToken, _ = response.GetExtra("id_token").(string)
	return result, nil
}

// Revoke ends the session of a client's token (RFC 7009). An unknown token or one of another
// client is ignored. login is nil without an Authorization header.
//
// Errors: *oauth.Error.
func (s *Server) Revoke(ctx context.Context, params url.Values, login *oauth.Login, from storage.Origin) error {
	query, err := oauth.ReadTokenQuery(params, login)
	if err != nil {
		return err
	}
	if from.Client, err = s.authenticate(ctx, query.Client); err != nil {
		return err
	}
	return s.storage.InTx(ctx, from, func(r *storage.Request) error {
		request := formRequest(ctx, http.MethodPost, url.Values{"token": {query.Token}, "token_type_hint": {query.Hint}, "client_id": {from.Client.ID}})
		err := s.provider(r, from.Client).NewRevocationRequest(ctx, request)
		switch {
		case r.InternalError() != nil:
			return r.InternalError()
		case r.Ended():
			return r.AuditRevocation(ctx)
		case errors.Is(err, fosite.ErrUnauthorizedClient): // the token of another client
			return nil
		}
		return translate(r, err)
	})
}

// Introspection is the response to an introspection request (RFC 7662).
type Introspection struct {
	Active    bool   `json:"active"`
	Scope     string `json:"scope,omitempty"`
	ClientID  string `json:"client_id,omitempty"`
	TokenType string `json:"token_type,omitempty"`
	Expires   int64  `json:"exp,omitempty"`
	Subject   string `json:"sub,omitempty"`
	Issuer    string `json:"iss,omitempty"`
}

// Introspect reports whether an access token of the client is valid. Refresh tokens are reported as
// inactive, because only auth.refresh_session knows whether one works, by consuming it. login
// is nil without an Authorization header.
//
// It calls fosite's validator, not its endpoint. The endpoint only accepts Basic authentication or
// a bearer token, and shows each client the tokens of all other clients.
//
// Errors: *oauth.Error.
func (s *Server) Introspect(ctx context.Context, params url.Values, login *oauth.Login) (*Introspection, error) {
	query, err := oauth.ReadTokenQuery(params, login)
	if err != nil {
		return nil, err
	}
	client, err := s.authenticate(ctx, query.Client)
	if err != nil {
		return nil, err
	}
	r := s.storage.Request(storage.Origin{Client: client})
	_, found, err := s.provider(r, client).IntrospectToken(ctx, query.Token, fosite.AccessToken, storage.NewSession(""))
	switch {
	case r.InternalError() != nil:
		return nil, r.InternalError()
	case err != nil || found.GetClient().GetID() != client.ID:
		return &Introspection{}, nil
	}
	result := &Introspection{
		Active: true, Scope: strings.Join(found.GetGrantedScopes(), " "), ClientID: client.ID, TokenType: fosite.BearerAccessToken,
		Subject: found.GetSession().GetSubject(), Issuer: s.issuer,
	}
	if known, ok := found.GetSession().(*storage.Session); ok && !known.Expires.IsZero() {
		result.Expires = known.Expires.Unix()
	}
	return result, nil
}
