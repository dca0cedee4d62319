package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/ory/fosite"

	"plaza/server/apierr"
	"plaza/server/auth/audit"
	"plaza/server/auth/oauth"
	"plaza/server/auth/session"
	"plaza/server/auth/users"
)

// methodCode is the sign-in method of clients' sessions in the amr claim.
const methodCode = "oauth_provider/authorization_code"

// CheckConsent refuses a code whose user no longer consents to the client, or is banned. It
// locks the consent and the client until the end of the transaction.
//
// Errors: invalid_grant.
func (r *Request) CheckConsent(ctx context.Context) error {
	a := r.authorization
	var scopes string
	err := r.tx.QueryRow(ctx, consentLocked, a.UserID, r.from.Client.ID, a.Approved).Scan(&scopes)
	if errors.Is(err, pgx.ErrNoRows) {
		return newOAuthError(oauth.InvalidGrant, "The user no longer consents")
	}
	if err != nil {
		return r.recordError(err)
	}
	user, err := users.Load(ctx, r.tx, a.UserID)
	switch {
	case err != nil:
		return r.recordError(err)
	case user.Banned(r.storage.now()):
		return newOAuthError(oauth.InvalidGrant, "User is banned")
	}
	r.user = user
	return nil
}

// Issue creates the client's session, or issues the next tokens of the session whose refresh token
// was consumed. Further calls in the same request return the same tokens.
func (r *Request) Issue(ctx context.Context) (made *session.TokenResponse, err error) {
	switch {
	case r.issued != nil:
		return r.issued, nil
	case r.refreshed != nil:
		made, err = r.storage.sessions.Issue(ctx, nil, *r.refreshed, r.from.Info)
	default:
		made, err = r.signIn(ctx)
	}
	r.issued = made
	return made, r.recordError(err)
}

func (r *Request) signIn(ctx context.Context) (*session.TokenResponse, error) {
	client, batch := r.from.Client.ID, &pgx.Batch{}
	r.storage.trail.Add(batch, r.from.Info, r.user, audit.Login, map[string]any{
		"provider_type": "oauth_provider_authorization_code", "client_id": client,
	})
	if err := r.tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	grant := session.Grant{Method: methodCode, Client: client, Scopes: r.authorization.Scope}
	return r.storage.sessions.SignIn(ctx, r.tx, r.user.ID, grant, r.from.Info)
}

// ConsumeRefreshToken consumes a refresh token of the client in one statement. auth.refresh_session
// applies the rules of rotation, reuse and session limits.
//
// Errors: invalid_grant.
func (r *Request) ConsumeRefreshToken(ctx context.Context, token string) error {
	params := session.TokenParams{User: &users.User{}, Grant: session.Grant{Method: session.MethodRefresh, Client: r.from.Client.ID}}
	found, err := r.storage.sessions.Refresh(ctx, token, &params, r.from.Info, r.from.LimitKey)
	if err != nil {
		return r.recordError(err)
	}
	if refusal, ok := session.Refusals[found.Outcome]; ok {
		return newOAuthError(oauth.InvalidGrant, refusal.Message)
	}
	r.refreshed = &params
	return nil
}

// request returns a client's session as a fosite request.
func (r *Request) request(id, userID, clientID, scope string) *fosite.Request {
	req := fosite.NewRequest()
	req.ID, req.Session = id, NewSession(userID)
	req.Client = Client{&oauth.Client{ID: clientID}}
	if r.from.Client != nil && r.from.Client.ID == clientID {
		req.Client = Client{r.from.Client}
	}
	req.RequestedScope = fosite.Arguments(oauth.ParseScope(scope))
	req.GrantedScope = req.RequestedScope
	return req
}

// GetRefreshTokenSession returns the session of the refresh token that this request has consumed, or
// else of an unused refresh token.
//
// Errors: fosite.ErrNotFound, also for tokens of other clients.
func (r *Request) GetRefreshTokenSession(ctx context.Context, token string, _ fosite.Session) (fosite.Requester, error) {
	if r.refreshed != nil {
		return r.request(r.refreshed.Session, r.refreshed.User.ID, r.refreshed.Client, r.refreshed.Scopes), nil
	}
	var id, user string
	err := r.queryRow(ctx, clientRefreshToken, []any{token, r.from.Client.ID}, &id, &user)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fosite.ErrNotFound
	}
	if err != nil {
		return nil, r.recordError(err)
	}
	r.owner = user
	return r.request(id, user, r.from.Client.ID, ""), nil
}

// translateNotFound translates an API error to fosite.ErrNotFound, and records any other error as internal.
func (r *Request) translateNotFound(err error) error {
	if apierr.As(err) != nil {
		return fmt.Errorf("%w: %w", fosite.ErrNotFound, err)
	}
	return r.recordError(err)
}

func (r *Request) queryRow(ctx context.Context, sql string, args []any, dest ...any) error {
	if r.tx != nil {
		return r.tx.QueryRow(ctx, sql, args...).Scan(dest...)
	}
	return r.storage.db.QueryRow(ctx, sql, args, dest...)
}

// GetAccessTokenSession returns the session of an access token. Token and session are checked on
// every call, so that a sign-out or a ban takes effect at once.
//
// Errors: those of session.Sessions.FindUser, as fosite.ErrNotFound.
func (r *Request) GetAccessTokenSession(ctx context.Context, token string, _ fosite.Session) (fosite.Requester, error) {
	who, err := r.storage.verify(token)
	ended, refused := session.TranslateVerifyError(err)
	if refused != nil {
		return nil, r.translateNotFound(refused)
	}
	current, err := r.storage.sessions.FindUser(ctx, who, ended)
	if err != nil {
		return nil, r.translateNotFound(err)
	}
	r.owner = current.User.ID
	request := r.request(current.ID, current.User.ID, current.Grant.Client, current.Grant.Scopes)
	known := request.Session.(*Session)
	known.Current, known.Expires = current, who.Expires
	return request, nil
}

// CreateAccessTokenSession does nothing: the session was stored when it was created.
func (r *Request) CreateAccessTokenSession(context.Context, string, fosite.Requester) error {
	return nil
}

// DeleteAccessTokenSession does nothing: access tokens have no rows of their own.
func (r *Request) DeleteAccessTokenSession(context.Context, string) error { return nil }

// CreateRefreshTokenSession does nothing: the token was stored with its session.
func (r *Request) CreateRefreshTokenSession(context.Context, string, string, fosite.Requester) error {
	return nil
}

// DeleteRefreshTokenSession does nothing: used tokens are kept to detect their reuse.
func (r *Request) DeleteRefreshTokenSession(context.Context, string) error { return nil }

// RotateRefreshToken does nothing: ConsumeRefreshToken has done it.
func (r *Request) RotateRefreshToken(context.Context, string, string) error { return nil }

// RevokeAccessToken ends a session and thereby invalidates all its tokens.
func (r *Request) RevokeAccessToken(ctx context.Context, sessionID string) error {
	if r.ended {
		return nil
	}
	r.ended = true
	batch := &pgx.Batch{}
	r.storage.sessions.EndOne(r.tx, batch, r.owner, sessionID)
	return r.recordError(r.tx.ExecBatch(ctx, batch))
}

// RevokeRefreshToken does the same as RevokeAccessToken.
func (r *Request) RevokeRefreshToken(ctx context.Context, sessionID string) error {
	return r.RevokeAccessToken(ctx, sessionID)
}

// AuditRevocation adds the revocation to the audit trail.
func (r *Request) AuditRevocation(ctx context.Context) error {
	user, err := users.Load(ctx, r.tx, r.owner)
	if err != nil {
		return r.recordError(err)
	}
	batch := &pgx.Batch{}
	r.storage.trail.Add(batch, r.from.Info, user, audit.TokenRevoked, map[string]any{
		"oauth_client_id": r.from.Client.ID, "action": "revoke_oauth_token",
	})
	return r.recordError(r.tx.ExecBatch(ctx, batch))
}
