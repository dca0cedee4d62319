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

// methodOAuth is how the amr claim names a sign-in at a provider.
const methodOAuth = "oauth"

// keptFlows is how long a flow is kept that nobody came back from. Two of
// pkce.Lifetime are the longest that one takes.
const keptFlows = time.Hour

// maxPassedOn bounds the parameters that a client has a provider see, in bytes.
const maxPassedOn = 8 << 10

var errPassedOn = autherr.BadRequest(autherr.CodeValidation, "Too many query parameters for the provider")

// Begin remembers what a browser is sent to a provider for, and returns the address
// that it is sent to. query is that of the request to this server; redirect is where
// the flow ends. linkTo is the user whom the identity is to be linked to; nil signs in.
//
// Errors: 400 validation_failed; 404 user_not_found for an invitation that there is not.
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
	extra := passedOn(query)
	if len(extra.Encode()) > maxPassedOn {
		return "", errPassedOn
	}
	state, now, verifier := store.NewID(), s.now(), ""
	var clientState, target *string
	batch := &pgx.Batch{}
	for _, sql := range []string{clearFlows, clearClientStates} {
		batch.Queue(sql, now.Add(-keptFlows))
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

// ourParams are parameters of /authorize that are for this server.
var ourParams = []string{"provider", "scopes", "redirect_to", "invite_token", "skip_http_redirect", "apikey"}

// passedOn are the parameters that a client has the provider see. A nonce is
// the client's own: it checks it in the ID token.
func passedOn(query url.Values) url.Values {
	extra := url.Values{}
	for name := range query {
		lower := strings.ToLower(name)
		if slices.Contains(ourParams, lower) || lower != "nonce" && slices.Contains(provider.ReservedParams, lower) {
			continue
		}
		extra.Set(name, query.Get(name))
	}
	if asked := extra.Get("workos_provider"); asked != "" { // WorkOS calls it provider, which is ours
		extra.Set("provider", asked)
		extra.Del("workos_provider")
	}
	return extra
}

// checkInvitation refuses the secret of an invitation that there is not.
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

// provider returns the provider of a name, ready to use.
//
// Errors: 400 validation_failed for one that there is not or that is not set up.
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
