// Package provider signs people in at outside providers: OAuth 2.0 and OpenID
// Connect towards Google, GitHub, Microsoft and others, and towards providers
// that the project's admin adds. It says who somebody is there; whose account
// that is here, it does not know.
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

// Reasons a provider cannot be used.
var (
	ErrUnknown    = errors.New("provider could not be found")
	ErrDisabled   = errors.New("provider is not enabled")
	ErrIncomplete = errors.New("missing OAuth client ID or secret")
)

// Tokens are what a provider gives for a code.
type Tokens struct {
	Access, Refresh string

	id    string // ID token, of OpenID Connect
	token *oauth2.Token
}

// Provider is one outside provider, ready to sign people in.
type Provider struct {
	Name          string
	EmailOptional bool // people without an email address may sign in

	kind     kind
	settings Settings
	oauth    oauth2.Config
	at       endpoints
	source   *Source // checks its ID tokens; nil for plain OAuth
	custom   *Custom
	client   *http.Client
}

// PKCE reports whether the exchange of a code needs a verifier of ours.
func (p *Provider) PKCE() bool { return p.kind.pkce }

// AuthURL is where a browser goes to sign in. state comes back with it. verifier
// is empty without PKCE. extra are parameters the client wants the provider to
// see; what this package sets itself wins.
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

// Exchange returns the tokens for the code that a browser brought back.
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

// exchangeError keeps of a refusal what says why, not the body, which may hold
// anything.
func exchangeError(err error) error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) || refused.Response == nil {
		return err
	}
	return fmt.Errorf("%s: %s %s", refused.Response.Status, Shorten(refused.ErrorCode), Shorten(refused.ErrorDescription))
}

// Person says who signed in. posted is what the provider had the browser bring
// along as "user": Apple tells a name there, at the first sign-in only.
func (p *Provider) Person(ctx context.Context, tokens Tokens, posted string) (Person, error) {
	found, err := p.kind.person(ctx, p, tokens)
	if err != nil {
		return Person{}, fmt.Errorf("read the profile at %s: %w", p.Name, err)
	}
	if p.Name == "apple" {
		found = found.calledByApple(posted)
	}
	return found, found.check()
}

// maxShown bounds what of an outside text is shown or logged, in characters.
const maxShown = 200

// Shorten bounds a text from outside and takes what is not printable from it.
func Shorten(text string) string {
	text = strings.Map(func(char rune) rune {
		if char < ' ' || char == 0x7f {
			return -1
		}
		return char
	}, strings.ToValidUTF8(text, ""))
	if runes := []rune(text); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return text
}
