package oauthserver

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"plaza/server/auth/autherr"
	"plaza/server/auth/oauth"
	"plaza/server/auth/oauthserver/storage"
)

// Authorize stores a client's authorization request and returns the URL to redirect the browser
// to: the site's consent page, or the client's redirect URI if the request is refused.
//
// Errors, if the client or its redirect URI is not valid: 400 validation_failed,
// oauth_client_not_found.
func (s *Server) Authorize(ctx context.Context, params url.Values) (location string, err error) {
	request, err := oauth.ReadAuthorize(params)
	var refused *oauth.Error
	if errors.As(err, &refused) {
		return "", autherr.BadRequest(autherr.CodeValidation, "%s", refused.Description)
	}
	client, err := s.storage.FindClient(ctx, request.ClientID)
	switch {
	case err != nil:
		return "", err
	case client == nil:
		return "", autherr.BadRequest(autherr.CodeClientNotFound, "invalid client_id")
	case !client.HasRedirectURI(request.RedirectURI):
		return "", autherr.BadRequest(autherr.CodeValidation, "invalid redirect_uri")
	}
	err = request.Complete(params, s.config.DefaultScope)
	if err == nil && s.page == "" {
		err = &oauth.Error{Code: oauth.ServerError, Description: "oauth authorization path not configured"}
	}
	if err == nil {
		err = s.checkAuthorize(ctx, client, request)
	}
	if errors.As(err, &refused) {
		return s.redirectURL(request.RedirectURI, request.State, refused, ""), nil
	}
	if err != nil {
		return "", err
	}
	name := oauth.NewSecret()
	if err := s.storage.AddAuthorization(ctx, name, request, s.config.AuthorizationTTL); err != nil {
		return "", err
	}
	return oauth.RedirectURL(s.page, url.Values{"authorization_id": {name}}), nil
}

// noState replaces a missing state, because fosite requires one.
const noState = "none"

// checkAuthorize lets fosite check a request that package oauth has accepted.
func (s *Server) checkAuthorize(ctx context.Context, client *oauth.Client, request *oauth.AuthorizeRequest) error {
	r := s.storage.Request(storage.Origin{Client: client})
	state := request.State
	if state == "" {
		state = noState
	}
	_, err := s.provider(r, client).NewAuthorizeRequest(ctx, formRequest(ctx, http.MethodGet, url.Values{
		"client_id": {request.ClientID}, "redirect_uri": {request.RedirectURI}, "response_type": {"code"},
		"scope": {request.Scope.String()}, "state": {state}, "nonce": {request.Nonce},
	}))
	return translate(r, err)
}

// redirectURL returns the client's redirect URI with the code or an error. iss identifies this
// server (RFC 9207).
func (s *Server) redirectURL(address, state string, refused *oauth.Error, code string) string {
	params := url.Values{"iss": {s.issuer}}
	if refused != nil {
		params.Set("error", refused.Code)
		params.Set("error_description", refused.Description)
	} else {
		params.Set("code", code)
	}
	if state != "" {
		params.Set("state", state)
	}
	return oauth.RedirectURL(address, params)
}
