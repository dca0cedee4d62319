package auth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/oauth"
	"plaza/server/auth/store"
	"plaza/server/httpx"
	"plaza/server/pg"
)

// errNoOAuth is upstream's answer where the project is no provider.
var errNoOAuth = autherr.NotFound(autherr.CodeFeatureDisabled, "OAuth server is disabled")

// provides serves a path of the OAuth server only where there is one.
func (s *Server) provides(h httpx.Handler) httpx.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !s.config.OAuthServer.Enabled {
			return errNoOAuth
		}
		return h(w, r)
	}
}

// clientFields are where clientColumns go, in their order.
func clientFields(c *oauth.Client) []any {
	return []any{
		&c.ID, &c.RegistrationType, &c.Type, &c.AuthMethod, &c.RedirectURIs, &c.GrantTypes, &c.Name, &c.URI, &c.LogoURI,
		&c.CreatedAt, &c.UpdatedAt, &c.SecretHash,
	}
}

func readClient(row pgx.Row, before ...any) (*oauth.Client, error) {
	c := &oauth.Client{ResponseTypes: []string{"code"}}
	if err := row.Scan(append(before, clientFields(c)...)...); err != nil {
		return nil, err
	}
	c.CreatedAt, c.UpdatedAt = c.CreatedAt.UTC(), c.UpdatedAt.UTC()
	return c, nil
}

// findClient gives a client; nil where there is none of that id.
func (s *Server) findClient(ctx context.Context, id string) (*oauth.Client, error) {
	if !store.IsUUID(id) {
		return nil, nil
	}
	c := &oauth.Client{ResponseTypes: []string{"code"}}
	err := s.store.QueryRow(ctx, clientByID, []any{id}, clientFields(c)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	c.CreatedAt, c.UpdatedAt = c.CreatedAt.UTC(), c.UpdatedAt.UTC()
	return c, err
}

// oauthAuthorize answers GET /oauth/authorize: an app sends a person here, who
// goes on to the site's page that asks for consent.
//
// Errors, before the app and its address are known to belong together: 400
// validation_failed, oauth_client_not_found. Any other goes to that address.
func (s *Server) oauthAuthorize(w http.ResponseWriter, r *http.Request) error {
	params := r.URL.Query()
	asked, err := oauth.ReadAuthorize(params)
	var refused *oauth.Error
	if errors.As(err, &refused) {
		return autherr.BadRequest(autherr.CodeValidation, "%s", refused.Description)
	}
	client, err := s.findClient(r.Context(), asked.ClientID)
	switch {
	case err != nil:
		return err
	case client == nil:
		return autherr.BadRequest(autherr.CodeClientNotFound, "invalid client_id")
	case !client.Redirects(asked.RedirectURI):
		return autherr.BadRequest(autherr.CodeValidation, "invalid redirect_uri")
	}
	err = asked.Complete(params, s.config.OAuthServer.DefaultScope)
	if err == nil && s.config.OAuthServer.AuthorizationPath == "" {
		err = &oauth.Error{Code: oauth.ServerError, Description: "oauth authorization path not configured"}
	}
	if errors.As(err, &refused) {
		goOn(w, s.oauthRedirect(asked.RedirectURI, asked.State, refused, ""))
		return nil
	}
	id, err := s.beginAuthorization(r.Context(), asked)
	if err != nil {
		return err
	}
	page := strings.TrimRight(s.deps.SiteURL, "/") + "/" + strings.TrimLeft(s.config.OAuthServer.AuthorizationPath, "/")
	goOn(w, oauth.Redirect(page, url.Values{"authorization_id": {id}}))
	return nil
}

// beginAuthorization remembers what an app asked for, under a name that only the
// browser it sent gets.
func (s *Server) beginAuthorization(ctx context.Context, a *oauth.AuthorizeRequest) (string, error) {
	id, now := oauth.Random(), s.now()
	batch := &pgx.Batch{}
	batch.Queue(insertAuthorization, id, a.ClientID, a.RedirectURI, a.Scope.String(), pg.OrNull(a.State), pg.OrNull(a.Nonce), pg.OrNull(a.Resource),
		a.Challenge, a.Method, now, now.Add(s.config.OAuthServer.AuthorizationTTL))
	return id, s.store.InTx(ctx, func(tx *store.Tx) error { return tx.ExecBatch(ctx, batch) })
}

// oauthRedirect is where the app is told what came of it: the code, or why there
// is none. iss tells it whose answer this is (RFC 9207).
func (s *Server) oauthRedirect(address, state string, refused *oauth.Error, code string) string {
	params := url.Values{"iss": {s.config.JWT.Issuer}}
	if refused != nil {
		params.Set("error", refused.Code)
		params.Set("error_description", refused.Description)
	} else {
		params.Set("code", code)
	}
	if state != "" {
		params.Set("state", state)
	}
	return oauth.Redirect(address, params)
}

// authorization is what an app asked for, and how far that got.
type authorization struct {
	id, name        string // of the row; of the consent page's address
	status          string
	userID          string // empty: nobody opened the consent page
	redirect, scope string
	state, nonce    string
	resource        string
	challenge       string
	method          string
	expires         time.Time
	approved        *time.Time
	authenticated   *time.Time // the person
	session         string     // made for its code
}

// fields are where authorizationColumns go, in their order.
func (a *authorization) fields() []any {
	return []any{
		&a.id, &a.name, &a.status, &a.userID, &a.redirect, &a.scope, &a.state, &a.nonce, &a.resource, &a.challenge, &a.method,
		&a.expires, &a.approved, &a.authenticated, &a.session,
	}
}

const (
	statusPending  = "pending"
	statusApproved = "approved"
)
