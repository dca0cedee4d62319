package provider

import (
	"context"
	"errors"
)

// errNoIDToken means that an OpenID provider returned no ID token, which identifies the user.
var errNoIDToken = errors.New("the provider returned no ID token")

// fromIDToken returns the user's profile from the ID token that came with the access token.
func fromIDToken(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	if tokens.id == "" {
		return Profile{}, errNoIDToken
	}
	_, found, err := p.source.verify(ctx, tokens.id, tokens.Access)
	return found, err
}

// fromUserinfo returns the user's profile from the provider's userinfo endpoint. If there is also an ID
// token, it must have the same subject.
// Source: OpenID Connect Core 1.0, section 5.3.2.
func fromUserinfo(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	profile, err := p.fetch(ctx, p.endpoints.api, tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	found := p.source.read(p.source.issuer, profile)
	if tokens.id != "" {
		token, _, err := p.source.verify(ctx, tokens.id, tokens.Access)
		if err != nil {
			return Profile{}, err
		}
		if token.Subject != found.Subject {
			return Profile{}, errors.New("the subject of userinfo is not that of the ID token")
		}
	}
	return found, nil
}
