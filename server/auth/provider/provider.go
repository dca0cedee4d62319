// Package provider is the client side of OAuth 2.0 and OpenID Connect for sign-ins at Google,
// GitHub, Microsoft, other built-in providers and custom providers. It returns a user's profile at
// the provider; it does not know the accounts of this server.
package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Errors of opening a provider.
var (
	ErrUnknown    = errors.New("provider could not be found")
	ErrDisabled   = errors.New("provider is not enabled")
	ErrIncomplete = errors.New("missing OAuth client ID or secret")
)

// Tokens are the tokens that a provider returns for a code.
type Tokens struct {
	Access, Refresh string

	id    string // ID token, of OpenID Connect
	token *oauth2.Token
}

// Provider is an external provider, ready to use.
type Provider struct {
	Name          string
	EmailOptional bool // users without an email address may sign in

	kind      kind
	settings  Settings
	oauth     oauth2.Config
	endpoints endpoints
	source    *Source // verifies its ID tokens; nil for plain OAuth
	custom    *Custom
	client    *http.Client
}

// PKCE reports whether the provider uses PKCE.
func (p *Provider) PKCE() bool { return p.kind.pkce }

// AuthURL returns the URL of the provider's sign-in page. The provider passes state to the
// callback. verifier is empty without PKCE. extra are the client's parameters for the provider;
// parameters that this package sets take precedence.
func (p *Provider) AuthURL(state, verifier string, extra url.Values) string {
	var options []oauth2.AuthCodeOption
	for name := range extra {
		options = append(options, oauth2.SetAuthURLParam(name, extra.Get(name)))
	}
	for name, value := range p.kind.params {
		options = append(options, oauth2.SetAuthURLParam(name, value))
	}
	if p.custom != nil {
		for name, value := range p.custom.AuthorizationParams {
			options = append(options, oauth2.SetAuthURLParam(name, value))
		}
	}
	if verifier != "" {
		options = append(options, oauth2.S256ChallengeOption(verifier))
	}
	return p.oauth.AuthCodeURL(state, options...)
}

// Exchange exchanges the code from the callback for tokens.
func (p *Provider) Exchange(ctx context.Context, code, verifier string) (Tokens, error) {
	var options []oauth2.AuthCodeOption
	if verifier != "" {
		options = append(options, oauth2.VerifierOption(verifier))
	}
	token, err := p.oauth.Exchange(oidc.ClientContext(ctx, p.client), code, options...)
	if err != nil {
		return Tokens{}, fmt.Errorf("exchange a code with %s: %w", p.Name, exchangeError(err))
	}
	id, _ := token.Extra("id_token").(string)
	return Tokens{Access: token.AccessToken, Refresh: token.RefreshToken, id: id, token: token}, nil
}

// exchangeError reduces an error to its status, code and description. It drops the body, which is
// untrusted.
func exchangeError(err error) error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) || refused.Response == nil {
		return err
	}
	return fmt.Errorf("%s: %s %s", refused.Response.Status, Shorten(refused.ErrorCode), Shorten(refused.ErrorDescription))
}

// Profile returns the profile of the user who signed in. posted is the form field "user" of the
// callback: Apple sends the name there, only at the first sign-in.
func (p *Provider) Profile(ctx context.Context, tokens Tokens, posted string) (Profile, error) {
	found, err := p.kind.profile(ctx, p, tokens)
	if err != nil {
		return Profile{}, fmt.Errorf("read the profile at %s: %w", p.Name, err)
	}
	if p.Name == "apple" {
		found = found.withAppleName(posted)
	}
	return found, found.check()
}

// maxShortened bounds the part of an external text that is shown or logged, in characters.
const maxShortened = 200

// Shorten truncates an external text and removes control characters.
func Shorten(text string) string {
	text = strings.Map(func(char rune) rune {
		if char < ' ' || char == 0x7f {
			return -1
		}
		return char
	}, strings.ToValidUTF8(text, ""))
	if runes := []rune(text); len(runes) > maxShortened {
		return string(runes[:maxShortened]) + "…"
	}
	return text
}
