package external

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/account"
	"plaza/server/auth/autherr"
	"plaza/server/auth/pkce"
	"plaza/server/auth/provider"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

var (
	errBadCallback = autherr.BadRequest(autherr.CodeBadOAuthCallback, "OAuth state parameter missing")
	errBadState    = autherr.BadRequest(autherr.CodeBadOAuthState, "OAuth state parameter is invalid")
	errNoState     = autherr.BadRequest(autherr.CodeBadOAuthState, "OAuth state not found or expired")
	errOldState    = autherr.BadRequest(autherr.CodeBadOAuthState, "OAuth state has expired")
	errUsedState   = autherr.BadRequest(autherr.CodeFlowUsed, "State has already been used")
	errNoCode      = autherr.BadRequest(autherr.CodeBadOAuthCallback, "OAuth callback with missing authorization code missing")
)

// CallbackResult is the result of a flow: the target to redirect to, with a code that the app
// exchanges, or with tokens for the fragment of the URL.
type CallbackResult struct {
	Provider string // empty if no flow was found
	Target   string
	Code     string
	Tokens   *session.TokenResponse
}

// Callback finishes the flow of a browser that a provider has redirected back. form has the
// provider's parameters. On an error, the result's Target is where the error is redirected to.
//
// Errors: *OAuthError with the provider's error.
func (s *Identities) Callback(ctx context.Context, form url.Values, r account.Request) (CallbackResult, error) {
	f, err := s.claimFlow(ctx, form.Get("state"))
	if err != nil {
		return CallbackResult{}, err
	}
	result := CallbackResult{Provider: f.provider, Target: f.target}
	return result, s.finishFlow(ctx, f, form, r, &result)
}

// flow is a sign-in at a provider that has returned to the callback.
type flow struct {
	id, provider, invitation, target, clientState, linkTo string
	pkce, emailOptional                                   bool
}

// claimFlow marks a state as used and returns its flow. A state is valid for one callback.
func (s *Identities) claimFlow(ctx context.Context, state string) (flow, error) {
	switch {
	case state == "":
		return flow{}, errBadCallback
	case !store.IsUUID(state):
		return flow{}, errBadState
	}
	f := flow{id: state}
	var used bool
	var began time.Time
	err := s.db.QueryRow(ctx, claimFlow, []any{state, s.now()},
		&used, &began, &f.provider, &f.pkce, &f.invitation, &f.target, &f.clientState, &f.linkTo, &f.emailOptional)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return flow{}, errNoState
	case err != nil:
		return flow{}, err
	case s.now().After(began.Add(pkce.Lifetime)):
		return flow{}, errOldState
	case used:
		return flow{}, errUsedState
	}
	return f, nil
}

// finishFlow finishes a flow and stores its code or tokens in result.
func (s *Identities) finishFlow(ctx context.Context, f flow, form url.Values, r account.Request, result *CallbackResult) error {
	if name := form.Get("error"); name != "" {
		return &OAuthError{provider.Shorten(name), provider.Shorten(form.Get("error_description"))}
	}
	if form.Get("code") == "" {
		return errNoCode
	}
	profile, tokens, err := s.fetchProfile(ctx, f, form)
	if err != nil {
		return err
	}
	if profile.Email().Address == "" && !f.emailOptional {
		return autherr.Internal("Error getting user email from external provider")
	}
	r.Redirect = f.target
	login := externalLogin{
		profile: profile, provider: f.provider, emailOptional: f.emailOptional, linkTo: f.linkTo, invitation: f.invitation, req: r,
		now: s.now().Truncate(time.Microsecond),
	}
	return s.withAccount(ctx, login, func(tx *store.Tx, userID string) error {
		return s.issueSession(ctx, tx, f, userID, tokens, r.Info, result)
	})
}

// fetchProfile exchanges the code and fetches the user's profile.
func (s *Identities) fetchProfile(ctx context.Context, f flow, form url.Values) (provider.Profile, provider.Tokens, error) {
	p, err := s.provider(ctx, f.provider, "")
	if err != nil {
		return provider.Profile{}, provider.Tokens{}, err
	}
	verifier := ""
	if f.clientState != "" {
		var providerName string
		err := s.db.QueryRow(ctx, consumeClientState, []any{f.clientState}, &verifier, &providerName)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && providerName != f.provider {
			return provider.Profile{}, provider.Tokens{}, autherr.Unprocessable(autherr.CodeClientState, "OAuth state not found")
		}
		if err != nil {
			return provider.Profile{}, provider.Tokens{}, err
		}
	}
	if p.PKCE() && verifier == "" {
		return provider.Profile{}, provider.Tokens{}, autherr.BadRequest(autherr.CodeInvalidState, "OAuth PKCE code verifier missing")
	}
	tokens, err := p.Exchange(ctx, form.Get("code"), verifier)
	if err != nil {
		return provider.Profile{}, provider.Tokens{}, autherr.Internal("Unable to exchange external code").WithCause(err)
	}
	profile, err := p.Profile(ctx, tokens, form.Get("user"))
	if err != nil {
		return provider.Profile{}, provider.Tokens{}, autherr.Internal("Error getting user profile from external provider").WithCause(err)
	}
	return profile, tokens, nil
}

// issueSession issues a code that the app exchanges for a session, or the tokens of a session.
func (s *Identities) issueSession(ctx context.Context, tx *store.Tx, f flow, userID string, tokens provider.Tokens, info users.RequestInfo, result *CallbackResult) error {
	if f.pkce {
		return tx.QueryRow(ctx, finishFlow, f.id, userID, pkce.SealToken(s.box, f.id, tokens.Access), pkce.SealToken(s.box, f.id, tokens.Refresh), s.now()).
			Scan(&result.Code)
	}
	batch := &pgx.Batch{}
	pkce.Delete(batch, f.id)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	made, err := s.sessions.SignIn(ctx, tx, userID, session.Grant{Method: methodOAuth}, info)
	if err != nil {
		return err
	}
	made.ProviderToken, made.ProviderRefreshToken = tokens.Access, tokens.Refresh
	result.Tokens = made
	return nil
}
