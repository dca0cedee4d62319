package provider

import (
	"context"
	"errors"
)

// errNoIDToken: an OpenID provider that gives none cannot say who somebody is.
var errNoIDToken = errors.New("the provider gave no ID token")

// fromIDToken trusts the ID token that came with the access token.
func fromIDToken(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	if tokens.id == "" {
		return Person{}, errNoIDToken
	}
	_, found, err := p.source.open(ctx, tokens.id, tokens.Access)
	return found, err
}

// fromUserinfo asks the provider's userinfo address; an ID token, where one came
// too, must be of the same person.
// Source: OpenID Connect Core 1.0, section 5.3.2.
func fromUserinfo(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	told, err := p.fetch(ctx, p.at.api, tokens, nil)
	if err != nil {
		return Person{}, err
	}
	found := p.source.read(p.source.issuer, told)
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
