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

// Return is where the browser of a flow goes on to, and what it brings along: a code
// that the app exchanges, or tokens for the fragment of the address.
type Return struct {
	Provider string // empty where no flow was found
	Target   string
	Code     string
	Tokens   *session.TokenResponse
}

// Callback ends the flow with which a provider has sent the browser back. form is what
// the provider says. The Return of an error tells where the error is to be told.
//
// Errors: *Refusal with what the provider says.
func (s *Identities) Callback(ctx context.Context, form url.Values, r account.Request) (Return, error) {
	f, err := s.claimFlow(ctx, form.Get("state"))
	if err != nil {
		return Return{}, err
	}
	back := Return{Provider: f.provider, Target: f.target}
	return back, s.finishFlow(ctx, f, form, r, &back)
}

// flow is a sign-in that went to a provider and is back.
type flow struct {
	id, provider, invitation, target, clientState, linkTo string
	pkce, emailOptional                                   bool
}

// claimFlow takes a state for the one callback that it is good for.
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

// finishFlow ends a flow and puts what the app gets into back.
func (s *Identities) finishFlow(ctx context.Context, f flow, form url.Values, r account.Request, back *Return) error {
	if name := form.Get("error"); name != "" {
		return &Refusal{provider.Shorten(name), provider.Shorten(form.Get("error_description"))}
	}
	if form.Get("code") == "" {
		return errNoCode
	}
	person, tokens, err := s.askProvider(ctx, f, form)
	if err != nil {
		return err
	}
	if person.Email().Address == "" && !f.emailOptional {
		return autherr.Internal("Error getting user email from external provider")
	}
	r.Redirect = f.target
	came := arrival{
		person: person, provider: f.provider, emailOptional: f.emailOptional, linkTo: f.linkTo, invitation: f.invitation, req: r,
		now: s.now().Truncate(time.Microsecond),
	}
	return s.withAccount(ctx, came, func(tx *store.Tx, userID string) error {
		return s.issue(ctx, tx, f, userID, tokens, r.Who, back)
	})
}

// askProvider exchanges the code and asks who that is.
func (s *Identities) askProvider(ctx context.Context, f flow, form url.Values) (provider.Person, provider.Tokens, error) {
	p, err := s.provider(ctx, f.provider, "")
	if err != nil {
		return provider.Person{}, provider.Tokens{}, err
	}
	verifier := ""
	if f.clientState != "" {
		var of string
		err := s.db.QueryRow(ctx, spendClientState, []any{f.clientState}, &verifier, &of)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && of != f.provider {
			return provider.Person{}, provider.Tokens{}, autherr.Unprocessable(autherr.CodeClientState, "OAuth state not found")
		}
		if err != nil {
			return provider.Person{}, provider.Tokens{}, err
		}
	}
	if p.PKCE() && verifier == "" {
		return provider.Person{}, provider.Tokens{}, autherr.BadRequest(autherr.CodeInvalidState, "OAuth PKCE code verifier missing")
	}
	tokens, err := p.Exchange(ctx, form.Get("code"), verifier)
	if err != nil {
		return provider.Person{}, provider.Tokens{}, autherr.Internal("Unable to exchange external code").WithCause(err)
	}
	person, err := p.Person(ctx, tokens, form.Get("user"))
	if err != nil {
		return provider.Person{}, provider.Tokens{}, autherr.Internal("Error getting user profile from external provider").WithCause(err)
	}
	return person, tokens, nil
}

// issue gives the app its session: as a code that it exchanges, or as tokens.
func (s *Identities) issue(ctx context.Context, tx *store.Tx, f flow, userID string, tokens provider.Tokens, who users.Visitor, back *Return) error {
	if f.pkce {
		return tx.QueryRow(ctx, finishFlow, f.id, userID, pkce.SealToken(s.box, f.id, tokens.Access), pkce.SealToken(s.box, f.id, tokens.Refresh), s.now()).
			Scan(&back.Code)
	}
	batch := &pgx.Batch{}
	pkce.End(batch, f.id)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	made, err := s.sessions.SignIn(ctx, tx, userID, session.Grant{Method: methodOAuth}, who)
	if err != nil {
		return err
	}
	made.ProviderToken, made.ProviderRefreshToken = tokens.Access, tokens.Refresh
	back.Tokens = made
	return nil
}
