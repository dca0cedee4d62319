package storage

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/ory/fosite"
	"github.com/ory/fosite/handler/oauth2"
	"github.com/ory/fosite/handler/openid"
	fositepkce "github.com/ory/fosite/handler/pkce"

	"plaza/server/auth/oauth"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
)

// Request is the storage of one request. fosite's handlers read the same rows several times;
// Request reads each row once and keeps the state of the request.
type Request struct {
	storage *Storage
	from    Origin
	tx      *store.Tx // nil outside of a transaction

	authorization *Authorization
	user          *users.User            // of the authorization; nil until CheckConsent
	issued        *session.TokenResponse // the tokens; nil until they are issued
	refreshed     *session.TokenParams   // session of the refresh token; nil until it is consumed
	owner         string                 // id of the user of the token that was read
	ended         bool                   // a session was ended
	internalErr   error                  // the first internal error, because fosite hides some
}

var (
	_ fosite.Storage                     = (*Request)(nil)
	_ oauth2.CoreStorage                 = (*Request)(nil)
	_ oauth2.TokenRevocationStorage      = (*Request)(nil)
	_ openid.OpenIDConnectRequestStorage = (*Request)(nil)
	_ fositepkce.PKCERequestStorage      = (*Request)(nil)
)

// InternalError returns the first internal error.
func (r *Request) InternalError() error { return r.internalErr }

// Ended reports whether the request ended a session.
func (r *Request) Ended() bool { return r.ended }

// Issued returns the tokens that were issued.
func (r *Request) Issued() *session.TokenResponse { return r.issued }

// Authorization returns the authorization of the request's code.
func (r *Request) Authorization() *Authorization { return r.authorization }

// recordError records an internal error and returns it.
func (r *Request) recordError(err error) error {
	if err != nil && r.internalErr == nil {
		r.internalErr = err
	}
	return err
}

// newOAuthError returns an OAuth error for the client.
func newOAuthError(code, description string) error {
	return &oauth.Error{Code: code, Description: description}
}

// GetClient returns the authenticated client.
//
// Errors: fosite.ErrNotFound.
func (r *Request) GetClient(_ context.Context, id string) (fosite.Client, error) {
	if r.from.Client == nil || r.from.Client.ID != id {
		return nil, fosite.ErrNotFound
	}
	return Client{r.from.Client}, nil
}

// ClientAssertionJWTValid refuses clients that authenticate with a signed token. This
// method is not supported.
func (r *Request) ClientAssertionJWTValid(context.Context, string) error { return fosite.ErrJTIKnown }

// SetClientAssertionJWT refuses clients that authenticate with a signed token.
func (r *Request) SetClientAssertionJWT(context.Context, string, time.Time) error {
	return fosite.ErrJTIKnown
}

// methods maps PKCE methods to fosite's spelling.
var methods = map[string]string{token.S256: "S256", token.Plain: "plain"}

// Requester returns the authorization as a fosite request.
func (r *Request) Requester() fosite.Request {
	a := r.authorization
	request := *fosite.NewRequest()
	request.ID, request.Client, request.Session = a.ID, Client{r.from.Client}, NewSession(a.UserID)
	request.RequestedScope = fosite.Arguments(oauth.ParseScope(a.Scope))
	request.GrantedScope = request.RequestedScope
	request.Form = url.Values{
		"client_id": {r.from.Client.ID}, "redirect_uri": {a.RedirectURI}, "response_type": {"code"}, "scope": {a.Scope},
		"code_challenge": {a.Challenge}, "code_challenge_method": {methods[a.Method]},
	}
	return request
}

// CreateAuthorizeCodeSession stores a code's hash with its authorization.
func (r *Request) CreateAuthorizeCodeSession(ctx context.Context, hash string, request fosite.Requester) error {
	now := r.storage.now()
	authenticated := now
	if in, ok := request.GetSession().(*Session); ok && !in.Authenticated.IsZero() {
		authenticated = in.Authenticated
	}
	_, err := r.tx.Exec(ctx, approveAuthorization, r.authorization.ID, now, hash, now.Add(pkce.Lifetime), authenticated)
	return r.recordError(err)
}

// ReadCode reads and locks the authorization of a code, so that concurrent requests cannot exchange
// it until the end of the transaction.
//
// Errors: invalid_grant for an unknown code or one of another client.
func (r *Request) ReadCode(ctx context.Context, hash string) error {
	a := &Authorization{}
	err := r.tx.QueryRow(ctx, authorizationByCode, hash, r.from.Client.ID).Scan(a.fields()...)
	if errors.Is(err, pgx.ErrNoRows) {
		return newOAuthError(oauth.InvalidGrant, "Invalid authorization code")
	}
	r.authorization = a
	return r.recordError(err)
}

// GetAuthorizeCodeSession returns the request of the code that ReadCode has read.
//
// Errors: fosite.ErrNotFound; fosite.ErrInvalidatedAuthorizeCode, together with the request, for
// a code that was already exchanged.
func (r *Request) GetAuthorizeCodeSession(context.Context, string, fosite.Session) (fosite.Requester, error) {
	if r.authorization == nil {
		return nil, fosite.ErrNotFound
	}
	request := r.Requester()
	if r.authorization.SessionID != "" && r.issued == nil {
		request.ID = r.authorization.SessionID
		r.owner = r.authorization.UserID
		return &request, fosite.ErrInvalidatedAuthorizeCode
	}
	return &request, nil
}

// InvalidateAuthorizeCodeSession stores the session for which the code was exchanged.
func (r *Request) InvalidateAuthorizeCodeSession(ctx context.Context, _ string) error {
	r.authorization.SessionID = r.issued.SessionID
	_, err := r.tx.Exec(ctx, noteExchange, r.authorization.ID, r.issued.SessionID)
	return r.recordError(err)
}

// GetPKCERequestSession returns the challenge of the code that ReadCode has read.
//
// Errors: fosite.ErrNotFound.
func (r *Request) GetPKCERequestSession(context.Context, string, fosite.Session) (fosite.Requester, error) {
	if r.authorization == nil {
		return nil, fosite.ErrNotFound
	}
	request := r.Requester()
	return &request, nil
}

// CreatePKCERequestSession does nothing: the challenge is in the authorization.
func (r *Request) CreatePKCERequestSession(context.Context, string, fosite.Requester) error {
	return nil
}

// DeletePKCERequestSession does nothing: a wrong verifier does not consume the code.
func (r *Request) DeletePKCERequestSession(context.Context, string) error { return nil }

// GetOpenIDConnectSession returns the request if its scope includes openid.
//
// Errors: openid.ErrNoSessionFound.
func (r *Request) GetOpenIDConnectSession(_ context.Context, _ string, request fosite.Requester) (fosite.Requester, error) {
	if r.authorization == nil || !strings.Contains(" "+r.authorization.Scope+" ", " "+oauth.OpenID+" ") {
		return nil, openid.ErrNoSessionFound
	}
	return request, nil
}

// CreateOpenIDConnectSession does nothing: nonce and scope are in the authorization.
func (r *Request) CreateOpenIDConnectSession(context.Context, string, fosite.Requester) error {
	return nil
}

// DeleteOpenIDConnectSession does nothing: nonce and scope are in the authorization.
func (r *Request) DeleteOpenIDConnectSession(context.Context, string) error { return nil }
