package oauthserver

import (
	"context"
	"fmt"
	"net/url"

	"github.com/ory/fosite"

	"plaza/server/auth/autherr"
	"plaza/server/auth/oauth"
	"plaza/server/auth/oauthserver/storage"
	"plaza/server/auth/session"
)

// Consent is the response for the consent page: a question to show, or a redirect.
type Consent struct {
	*Question
	*Decision
}

// Question is what the consent page shows.
type Question struct {
	ID          string             `json:"authorization_id"`
	RedirectURI string             `json:"redirect_uri"`
	Client      storage.ClientView `json:"client"`
	User        UserView           `json:"user"`
	Scope       string             `json:"scope"`
}

// UserView is the user as shown by the consent page.
type UserView struct {
	ID    string `json:"id"`
	Email string `json:"email,omitempty"`
}

// Decision has the URL to which the consent page redirects the browser.
type Decision struct {
	RedirectURL string `json:"redirect_url"`
}

// OpenConsent returns what the consent page of an authorization shows to a user. Only the first
// user who opens it may decide. A user who has already consented to these scopes is not asked
// again.
//
// Errors: those of storage.Storage.Decide.
func (s *Server) OpenConsent(ctx context.Context, name string, current *session.Current) (result Consent, err error) {
	err = s.storage.Decide(ctx, name, func(r *storage.Request, a *storage.Authorization, client *oauth.Client) error {
		result = Consent{Question: &Question{
			ID: a.Name, RedirectURI: a.RedirectURI, Scope: a.Scope, User: UserView{current.User.ID, current.User.Email},
			Client: storage.ClientView{ID: client.ID, Name: client.Name, URI: client.URI, LogoURI: client.LogoURI},
		}}
		switch a.UserID {
		case current.User.ID:
			return nil
		case "":
		default:
			return storage.ErrNoAuthorization
		}
		if err := r.BindUser(ctx, current.User.ID); err != nil {
			return err
		}
		given, err := r.Consent(ctx, current.User.ID)
		if err != nil || len(given) == 0 || !given.ContainsAll(oauth.ParseScope(a.Scope)) {
			return err
		}
		to, err := s.issueCode(ctx, r, current, a, client)
		result = Consent{Decision: &Decision{to}}
		return err
	})
	return result, err
}

// Actions of a user on the consent page.
const (
	Approve = "approve"
	Deny    = "deny"
)

// Decide stores a user's decision about an authorization.
//
// Errors: 400 validation_failed; those of storage.Storage.Decide.
func (s *Server) Decide(ctx context.Context, name, action string, current *session.Current) (result Decision, err error) {
	if action != Approve && action != Deny {
		return Decision{}, autherr.BadRequest(autherr.CodeValidation, "action must be 'approve' or 'deny'")
	}
	err = s.storage.Decide(ctx, name, func(r *storage.Request, a *storage.Authorization, client *oauth.Client) error {
		if a.UserID != current.User.ID {
			return storage.ErrNoAuthorization
		}
		if action == Deny {
			refused := &oauth.Error{Code: oauth.AccessDenied, Description: "User denied the request"}
			result.RedirectURL = s.redirectURL(a.RedirectURI, a.State, refused, "")
			return r.Deny(ctx)
		}
		given, err := r.Consent(ctx, current.User.ID)
		if err != nil {
			return err
		}
		if err := r.SaveConsent(ctx, current.User.ID, given.Union(oauth.ParseScope(a.Scope))); err != nil {
			return err
		}
		result.RedirectURL, err = s.issueCode(ctx, r, current, a, client)
		return err
	})
	return result, err
}

// issueCode lets fosite issue the code of an authorization and returns the client's redirect URI
// with the code.
func (s *Server) issueCode(ctx context.Context, r *storage.Request, current *session.Current, a *storage.Authorization, client *oauth.Client) (string, error) {
	address, err := url.Parse(a.RedirectURI)
	if err != nil {
		return "", fmt.Errorf("read redirect URI: %w", err)
	}
	request := &fosite.AuthorizeRequest{
		ResponseTypes: fosite.Arguments{"code"}, RedirectURI: address, State: a.State, Request: r.Requester(),
	}
	known := storage.NewSession(current.User.ID)
	known.Authenticated = current.AuthenticatedAt(s.now())
	response, err := s.provider(r, client).NewAuthorizeResponse(ctx, request, known)
	if err != nil {
		return "", fmt.Errorf("issue code: %w", err)
	}
	return s.redirectURL(a.RedirectURI, a.State, nil, response.GetCode()), nil
}
