package provider

import (
	"context"
	"errors"
)

// errNoIDToken means that an OpenID provider returned no ID token, which identifies the user.
var errNoIDToken = errors.New("the provider gave no ID token")

// fromIDToken reads the person from the ID token that came with the access token.
func fromIDToken(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	if tokens.id == "" {
		return Person{}, errNoIDToken
	}
	_, found, err := p.source.open(ctx, tokens.id, tokens.Access)
	return found, err
}

// fromUserinfo reads the person from the provider's userinfo endpoint. If there is also an ID
// token, it must have the same subject.
// Source: OpenID Connect Core 1.0, section 5.3.2.
func fromUserinfo(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	profile, err := p.fetch(ctx, p.endpoints.api, tokens, nil)
	if err != nil {
		return Person{}, err
	}
	found := p.source.read(p.source.issuer, profile)
	if tokens.id != "" {
		token, _, err := p.source.open(ctx, tokens.id, tokens.Access)
		if err != nil {
			return Person{}, err
		}
		if token.Subject != found.Subject {
			return Person{}, errors.New("userinfo is of another person than the ID token")
		}
	}
	return found, nil
}
