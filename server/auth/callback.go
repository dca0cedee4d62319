package auth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/pkce"
	"plaza/server/auth/provider"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// oauthError is a refusal in the words of OAuth, without a code of ours.
type oauthError struct{ name, description string }

func (e *oauthError) Error() string { return e.name + ": " + e.description }

var (
	errBadCallback = autherr.BadRequest(autherr.CodeBadOAuthCallback, "OAuth state parameter missing")
	errBadState    = autherr.BadRequest(autherr.CodeBadOAuthState, "OAuth state parameter is invalid")
	errNoState     = autherr.BadRequest(autherr.CodeBadOAuthState, "OAuth state not found or expired")
	errOldState    = autherr.BadRequest(autherr.CodeBadOAuthState, "OAuth state has expired")
	errUsedState   = autherr.BadRequest(autherr.CodeFlowUsed, "State has already been used")
	errNoCode      = autherr.BadRequest(autherr.CodeBadOAuthCallback, "OAuth callback with missing authorization code missing")
)

// callback answers /callback, where a provider sends the browser back to: by
// GET, or as Apple does with a form. Whatever goes wrong is told to the page
// that the flow began on.
func (s *Server) callback(w http.ResponseWriter, r *http.Request) error {
	form := r.URL.Query()
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if err := r.ParseForm(); err != nil {
			return autherr.BadRequest(autherr.CodeValidation, "Could not read the form").WithCause(err)
		}
		form = r.Form
	}
	flow, err := s.claimFlow(r.Context(), form.Get("state"))
	if err != nil {
		s.counts.signIns.Add(SignIn{"provider", outcome(err)}, 1)
		redirect(w, withQuery(s.deps.SiteURL, s.failure(r.Context(), "", err)))
		return nil
	}
	target, err := s.comeBack(r, flow, form)
	s.counts.signIns.Add(SignIn{"provider", outcome(err)}, 1)
	if err != nil {
		target = withOutcome(flow.target, s.failure(r.Context(), flow.provider, err), true)
	}
	goOn(w, target)
	return nil
}

// failure is an error as the parameters of a redirect, and in the log.
func (s *Server) failure(ctx context.Context, from string, err error) url.Values {
	var said *oauthError
	if errors.As(err, &said) {
		return url.Values{"error": {said.name}, "error_description": {said.description}}
	}
	visible := apierr.As(err)
	if visible == nil {
		visible = adapter.Internal
	}
	if visible.Status >= http.StatusInternalServerError {
		s.deps.Log.ErrorContext(ctx, "sign-in at a provider failed", "provider", from, "error", err)
	}
	name := "server_error"
	switch known, ok := oauthErrors[visible.Status]; {
	case visible.Code == autherr.CodeSignupDisabled, visible.Code == autherr.CodeUserBanned, visible.Code == autherr.CodeProviderEmail:
		name = "access_denied"
	case ok:
		name = known
	}
	return url.Values{"error": {name}, "error_code": {visible.Code}, "error_description": {visible.Message}}
}

// flow is a sign-in that went to a provider and is back.
type flow struct {
	id, provider, invitation, target, clientState, linkTo string
	pkce, emailOptional                                   bool
}

// claimFlow takes a state for the one callback that it is good for.
func (s *Server) claimFlow(ctx context.Context, state string) (flow, error) {
	switch {
	case state == "":
		return flow{}, errBadCallback
	case !store.IsUUID(state):
		return flow{}, errBadState
	}
	f := flow{id: state}
	var used bool
	var began time.Time
	err := s.store.QueryRow(ctx, claimFlow, []any{state, s.now()},
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

// comeBack ends a flow and gives where the browser goes on to.
func (s *Server) comeBack(r *http.Request, f flow, form url.Values) (string, error) {
	if name := form.Get("error"); name != "" {
		return "", &oauthError{provider.Shorten(name), provider.Shorten(form.Get("error_description"))}
	}
	if form.Get("code") == "" {
		return "", errNoCode
	}
	person, tokens, err := s.askProvider(r.Context(), f, form)
	if err != nil {
		return "", err
	}
	if person.Email().Address == "" && !f.emailOptional {
		return "", autherr.Internal("Error getting user email from external provider")
	}
	came := arrival{
		person: person, provider: f.provider, emailOptional: f.emailOptional, audience: s.audience(r), redirect: f.target,
		linkTo: f.linkTo, invitation: f.invitation, who: s.visitor(r), now: s.now().Truncate(time.Microsecond),
	}
	var target string
	err = s.admitted(r.Context(), came, func(tx *store.Tx, userID string) error {
		target, err = s.finish(r.Context(), tx, f, userID, tokens, came.who)
		return err
	})
	return target, err
}

// askProvider exchanges the code and asks who that is.
func (s *Server) askProvider(ctx context.Context, f flow, form url.Values) (provider.Person, provider.Tokens, error) {
	p, err := s.provider(ctx, f.provider, "")
	if err != nil {
		return provider.Person{}, provider.Tokens{}, err
	}
	verifier := ""
	if f.clientState != "" {
		var of string
		err := s.store.QueryRow(ctx, spendClientState, []any{f.clientState}, &verifier, &of)
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

// finish gives the app its session: as a code that it exchanges, or in the
// fragment of the address.
func (s *Server) finish(ctx context.Context, tx *store.Tx, f flow, userID string, tokens provider.Tokens, who users.Visitor) (string, error) {
	if f.pkce {
		var code string
		err := tx.QueryRow(ctx, finishFlow, f.id, userID, pkce.SealToken(s.box, f.id, tokens.Access), pkce.SealToken(s.box, f.id, tokens.Refresh), s.now()).Scan(&code)
		return withQuery(f.target, url.Values{"code": {code}}), err
	}
	batch := &pgx.Batch{}
	pkce.End(batch, f.id)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return "", err
	}
	session, err := s.sessions.SignIn(ctx, tx, userID, session.Grant{Method: methodOAuth}, who)
	if err != nil {
		return "", err
	}
	more := url.Values{"provider_token": {tokens.Access}}
	if tokens.Refresh != "" {
		more.Set("provider_refresh_token", tokens.Refresh)
	}
	return withFragment(f.target, session.Fragment(more)), nil
}
