package auth

import (
	"context"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/oauth"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/httpx"
)

var (
	errNoAuthorization = autherr.NotFound(autherr.CodeAuthorizationNotFound, "authorization not found")
	errNotPending      = autherr.BadRequest(autherr.CodeValidation, "authorization request cannot be processed")
	errOrigin          = autherr.BadRequest(autherr.CodeValidation, "unauthorized request origin")
)

// clientShown is a client as the person who is asked sees it.
type clientShown struct {
	ID      string `json:"id"`
	Name    string `json:"name,omitempty"`
	URI     string `json:"uri,omitempty"`
	LogoURI string `json:"logo_uri,omitempty"`
}

// authorizationShown is what the consent page shows.
type authorizationShown struct {
	ID          string      `json:"authorization_id"`
	RedirectURI string      `json:"redirect_uri"`
	Client      clientShown `json:"client"`
	User        userShown   `json:"user"`
	Scope       string      `json:"scope"`
}

type userShown struct {
	ID    string `json:"id"`
	Email string `json:"email,omitempty"`
}

// consented is where the consent page sends the browser to.
type consented struct {
	RedirectURL string `json:"redirect_url"`
}

// fromOurPage refuses pages of other origins: consent is asked for on the
// site's own. Who sends no Origin is no browser.
func (s *Server) fromOurPage(r *http.Request) error {
	origin := r.Header.Get("Origin")
	if origin == "" || s.redirects.allows(origin) || s.redirects.allows(origin+"/") {
		return nil
	}
	return errOrigin
}

// showAuthorization answers GET /oauth/authorizations/{id}, for the consent
// page. The first who opens it is who may decide. Where they have consented to
// as much before, it answers where to go at once.
func (s *Server) showAuthorization(w http.ResponseWriter, r *http.Request) error {
	if err := s.fromOurPage(r); err != nil {
		return err
	}
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	var answer any
	err = s.decide(r.Context(), r.PathValue("id"), func(tx *store.Tx, a *authorization, client *oauth.Client) error {
		answer = authorizationShown{
			ID: a.name, RedirectURI: a.redirect, Scope: a.scope, User: userShown{in.User.ID, in.User.Email},
			Client: clientShown{client.ID, client.Name, client.URI, client.LogoURI},
		}
		switch a.userID {
		case in.User.ID:
			return nil
		case "":
		default:
			return errNoAuthorization
		}
		if _, err := tx.Exec(r.Context(), bindAuthorization, a.id, in.User.ID); err != nil {
			return err
		}
		given, err := consentTo(r.Context(), tx, in.User.ID, client.ID)
		if err != nil || len(given) == 0 || !given.Covers(oauth.ParseScope(a.scope)) {
			return err
		}
		to, err := s.approve(r.Context(), tx, in, a)
		answer = consented{to}
		return err
	})
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, answer)
}

// consent answers POST /oauth/authorizations/{id}/consent.
func (s *Server) consent(w http.ResponseWriter, r *http.Request) error {
	if err := s.fromOurPage(r); err != nil {
		return err
	}
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	var asked struct{ Action string }
	if err := read(w, r, &asked); err != nil {
		return err
	}
	if asked.Action != "approve" && asked.Action != "deny" {
		return autherr.BadRequest(autherr.CodeValidation, "action must be 'approve' or 'deny'")
	}
	var answer consented
	err = s.decide(r.Context(), r.PathValue("id"), func(tx *store.Tx, a *authorization, client *oauth.Client) error {
		if a.userID != in.User.ID {
			return errNoAuthorization
		}
		if asked.Action == "deny" {
			answer.RedirectURL = s.oauthRedirect(a.redirect, a.state, &oauth.Error{Code: oauth.AccessDenied, Description: "User denied the request"}, "")
			_, err := tx.Exec(r.Context(), denyAuthorization, a.id)
			return err
		}
		given, err := consentTo(r.Context(), tx, in.User.ID, client.ID)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(r.Context(), saveConsent, in.User.ID, client.ID, given.With(oauth.ParseScope(a.scope)).String(), s.now()); err != nil {
			return err
		}
		answer.RedirectURL, err = s.approve(r.Context(), tx, in, a)
		return err
	})
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, answer)
}

// decide runs fn with an authorization that waits for a decision, and keeps
// other decisions on it away.
//
// Errors: 404 oauth_authorization_not_found for one that there is not, that
// expired, or whose client no longer has its address; 400 validation_failed for
// one that is decided.
func (s *Server) decide(ctx context.Context, id string, fn func(*store.Tx, *authorization, *oauth.Client) error) error {
	expired := false
	err := s.store.InTx(ctx, func(tx *store.Tx) error {
		a := &authorization{}
		client, err := readClient(tx.QueryRow(ctx, authorizationByID, id), a.fields()...)
		if errors.Is(err, pgx.ErrNoRows) {
			return errNoAuthorization
		}
		if err != nil {
			return err
		}
		switch expired = !s.now().Before(a.expires); {
		case a.status != statusPending:
			return errNotPending
		case expired:
			_, err := tx.Exec(ctx, expireAuthorization, a.id)
			return err
		case !client.Redirects(a.redirect):
			return errNoAuthorization
		}
		return fn(tx, a, client)
	})
	if err == nil && expired {
		return errNoAuthorization
	}
	return err
}

// consentTo gives what a user lets a client have; nothing without a consent.
func consentTo(ctx context.Context, tx *store.Tx, userID, clientID string) (oauth.Scope, error) {
	var scopes string
	err := tx.QueryRow(ctx, consentOf, userID, clientID).Scan(&scopes)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return oauth.ParseScope(scopes), err
}

// approve makes the code of an authorization and gives where it goes.
func (s *Server) approve(ctx context.Context, tx *store.Tx, in *session.Current, a *authorization) (string, error) {
	code, now := oauth.Random(), s.now()
	_, err := tx.Exec(ctx, approveAuthorization, a.id, now, oauth.Hash(code), now.Add(pkce.Lifetime), in.Authenticated(now))
	return s.oauthRedirect(a.redirect, a.state, nil, code), err
}
