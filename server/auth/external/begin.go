package external

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/oauth2"

	"plaza/server/auth/autherr"
	"plaza/server/auth/pkce"
	"plaza/server/auth/provider"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
	"plaza/server/pg"
)

// methodOAuth is the sign-in method of external providers in the amr claim.
const methodOAuth = "oauth"

// flowRetention is how long an unfinished flow is kept. A flow takes at most twice
// pkce.Lifetime.
const flowRetention = time.Hour

// maxExtraParams bounds the query parameters passed on to a provider, in bytes.
const maxExtraParams = 8 << 10

var errExtraParams = autherr.BadRequest(autherr.CodeValidation, "Too many query parameters for the provider")

// Begin stores the state of a flow and returns the provider's URL to redirect the browser to.
// query is the query of the request to this server; redirect is the final target of the
// flow. The identity will be linked to linkTo; nil means a sign-in.
//
// Errors: 400 validation_failed; 404 user_not_found for an unknown invitation.
func (s *Identities) Begin(ctx context.Context, query url.Values, redirect string, linkTo *users.User) (string, error) {
	p, err := s.provider(ctx, query.Get("provider"), query.Get("scopes"))
	if err != nil {
		return "", err
	}
	challenge := pkce.Challenge{Challenge: query.Get("code_challenge"), Method: query.Get("code_challenge_method")}
	if err := challenge.Check(); err != nil {
		return "", err
	}
	invitation := query.Get("invite_token")
	if err := s.checkInvitation(ctx, invitation); err != nil {
		return "", err
	}
	extra := extraParams(query)
	if len(extra.Encode()) > maxExtraParams {
		return "", errExtraParams
	}
	state, now, verifier := store.NewID(), s.now(), ""
	var clientState, target *string
	batch := &pgx.Batch{}
	for _, sql := range []string{clearFlows, clearClientStates} {
		batch.Queue(sql, now.Add(-flowRetention))
	}
	if p.PKCE() {
		id := store.NewID()
		verifier, clientState = oauth2.GenerateVerifier(), &id
		batch.Queue(insertClientState, id, p.Name, verifier, now)
	}
	if linkTo != nil {
		target = &linkTo.ID
	}
	batch.Queue(insertOAuthFlow, state, pg.OrNull(challenge.Method), pg.OrNull(challenge.Challenge), p.Name, now, pg.OrNull(invitation),
		redirect, clientState, target, p.EmailOptional)
	if err := s.db.InTx(ctx, func(tx *store.Tx) error { return tx.ExecBatch(ctx, batch) }); err != nil {
		return "", err
	}
	return p.AuthURL(state, verifier, extra), nil
}

// serverParams are the parameters of /authorize that are meant for this server.
var serverParams = []string{"provider", "scopes", "redirect_to", "invite_token", "skip_http_redirect", "apikey"}

// extraParams returns the query parameters to pass on to the provider. A nonce is passed on,
// because the client checks it in the ID token.
func extraParams(query url.Values) url.Values {
	extra := url.Values{}
	for name := range query {
		lower := strings.ToLower(name)
		if slices.Contains(serverParams, lower) || lower != "nonce" && slices.Contains(provider.ReservedParams, lower) {
			continue
		}
		extra.Set(name, query.Get(name))
	}
	if workosProvider := extra.Get("workos_provider"); workosProvider != "" { // WorkOS expects "provider", which is one of serverParams
		extra.Set("provider", workosProvider)
		extra.Del("workos_provider")
	}
	return extra
}

// checkInvitation refuses the secret of an unknown invitation. An empty secret is allowed.
func (s *Identities) checkInvitation(ctx context.Context, secret string) error {
	if secret == "" {
		return nil
	}
	var known bool
	if err := s.db.QueryRow(ctx, invitedBy, []any{token.LinkHash(secret)}, &known); err != nil {
		return err
	}
	if !known {
		return errNoInvitation
	}
	return nil
}

// provider returns the provider with a name, ready to use.
//
// Errors: 400 validation_failed for a provider that is unknown, disabled or incomplete.
func (s *Identities) provider(ctx context.Context, name, scopes string) (*provider.Provider, error) {
	name = strings.ToLower(name)
	var p *provider.Provider
	var err error
	if strings.HasPrefix(name, provider.CustomPrefix) {
		p, err = s.custom.open(ctx, name, scopes)
	} else {
		p, err = s.providers.Open(ctx, name, scopes)
	}
	for _, known := range []error{provider.ErrUnknown, provider.ErrDisabled, provider.ErrIncomplete} {
		if errors.Is(err, known) {
			return nil, autherr.BadRequest(autherr.CodeValidation, "Unsupported provider: %v", err)
		}
	}
	if err != nil {
		return nil, autherr.Internal("The provider cannot be reached").WithCause(err)
	}
	return p, nil
}
