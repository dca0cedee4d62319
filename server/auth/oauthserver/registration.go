package oauthserver

import (
	"context"
	"errors"

	"plaza/server/auth/autherr"
	"plaza/server/auth/oauth"
)

// Registration types of clients.
const (
	Manual  = "manual"  // an admin registered it
	Dynamic = "dynamic" // it registered itself (RFC 7591)
)

var errRegistration = autherr.Forbidden(autherr.CodeRegistrationDisabled, "Dynamic client registration is not enabled")

// AllowRegistration refuses clients that register themselves unless the project allows it.
//
// Errors: 403 oauth_dynamic_client_registration_disabled.
func (s *Server) AllowRegistration() error {
	if !s.config.AllowRegistration {
		return errRegistration
	}
	return nil
}

// AddClient stores a new client. Its secret is returned only here.
//
// Errors: 400 validation_failed.
func (s *Server) AddClient(ctx context.Context, params oauth.Registration, registration string) (*oauth.Client, error) {
	c, err := oauth.NewClient(params)
	if err != nil {
		return nil, autherr.BadRequest(autherr.CodeValidation, "%s", err).WithCause(err)
	}
	c.RegistrationType = registration
	if c.Type == oauth.Confidential {
		c.SetNewSecret()
	}
	return c, s.storage.AddClient(ctx, c)
}

// ChangeClient changes a client.
//
// Errors: 400 validation_failed; 404 oauth_client_not_found.
func (s *Server) ChangeClient(ctx context.Context, id string, params oauth.Registration) (*oauth.Client, error) {
	if params.Empty() {
		return nil, autherr.BadRequest(autherr.CodeValidation, "No fields provided for update")
	}
	return s.storage.ChangeClient(ctx, id, func(c *oauth.Client) error { return c.Change(params) })
}

// RegenerateSecret sets a new secret for a client, which is returned only here. The old secret becomes
// invalid at once.
//
// Errors: 400 validation_failed; 404 oauth_client_not_found.
func (s *Server) RegenerateSecret(ctx context.Context, id string) (*oauth.Client, error) {
	return s.storage.ChangeClient(ctx, id, func(c *oauth.Client) error {
		if c.Type == oauth.Public {
			return errors.New("cannot regenerate secret for public client")
		}
		c.SetNewSecret()
		return nil
	})
}
