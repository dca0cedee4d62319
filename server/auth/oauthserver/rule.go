package oauthserver

import (
	"context"
	"errors"
	"net/url"

	"github.com/ory/fosite"
	"github.com/ory/fosite/handler/pkce"

	"plaza/server/auth/oauth"
	"plaza/server/auth/oauthserver/storage"
)

// rule is an additional check among fosite's handlers of a grant type.
type rule struct {
	grantType string
	check     func(context.Context, url.Values) error
}

// CanHandleTokenEndpointRequest reports whether the request has the rule's grant type.
func (c rule) CanHandleTokenEndpointRequest(_ context.Context, request fosite.AccessRequester) bool {
	return request.GetGrantTypes().ExactOne(c.grantType)
}

// CanSkipClientAuth returns false: every client must authenticate.
func (c rule) CanSkipClientAuth(context.Context, fosite.AccessRequester) bool { return false }

// HandleTokenEndpointRequest checks the request.
func (c rule) HandleTokenEndpointRequest(ctx context.Context, request fosite.AccessRequester) error {
	return c.check(ctx, request.GetRequestForm())
}

// PopulateTokenEndpointResponse adds nothing.
func (c rule) PopulateTokenEndpointResponse(context.Context, fosite.AccessRequester, fosite.AccessResponder) error {
	return fosite.ErrUnknownRequest
}

// codeRule reads the authorization of a code and checks its redirect URI and resource. fosite would
// check the redirect URI only after it has ended the session of a used code, and it requires
// redirect_uri, which OAuth 2.1 does not.
//
// Errors: invalid_grant.
func codeRule(r *storage.Request) func(context.Context, url.Values) error {
	return func(ctx context.Context, form url.Values) error {
		if err := r.ReadCode(ctx, oauth.Hash(form.Get("code"))); err != nil {
			return err
		}
		a := r.Authorization()
		if address := form.Get("redirect_uri"); address != "" && address != a.RedirectURI {
			return invalidGrant("Invalid redirect_uri")
		}
		if resource := form.Get("resource"); resource != "" && resource != a.Resource {
			return invalidGrant("Authorization code resource does not match the resource parameter")
		}
		form.Set("redirect_uri", a.RedirectURI)
		return nil
	}
}

// consentRule checks that the user still consents to the client.
//
// Errors: invalid_grant.
func consentRule(r *storage.Request) func(context.Context, url.Values) error {
	return func(ctx context.Context, _ url.Values) error { return r.CheckConsent(ctx) }
}

// refreshRule consumes the refresh token in one statement. fosite would read and rotate it in
// several statements, which is a race.
//
// Errors: invalid_grant.
func refreshRule(r *storage.Request) func(context.Context, url.Values) error {
	return func(ctx context.Context, form url.Values) error {
		return r.ConsumeRefreshToken(ctx, form.Get("refresh_token"))
	}
}

func invalidGrant(description string) error {
	return &oauth.Error{Code: oauth.InvalidGrant, Description: description}
}

// pkceHandler is fosite's handler with the same error for all wrong verifiers.
type pkceHandler struct{ *pkce.Handler }

func newPKCEHandler(codes tokens, r *storage.Request, config *fosite.Config) pkceHandler {
	return pkceHandler{&pkce.Handler{AuthorizeCodeStrategy: codes, Storage: r, Config: config}}
}

// HandleTokenEndpointRequest checks the verifier.
//
// Errors: invalid_grant.
func (h pkceHandler) HandleTokenEndpointRequest(ctx context.Context, request fosite.AccessRequester) error {
	err := h.Handler.HandleTokenEndpointRequest(ctx, request)
	if errors.Is(err, fosite.ErrInvalidGrant) || errors.Is(err, fosite.ErrInvalidRequest) {
		return invalidGrant("PKCE verification failed")
	}
	return err
}
