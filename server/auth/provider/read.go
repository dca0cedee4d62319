package provider

import (
	"slices"
	"strings"
)

// The functions of this file read the claims of ID tokens and OpenID profiles, one per provider.
// Source of which addresses count as verified: supabase/auth.

func readGoogle(issuer string, told document) Person {
	facts := nameClaims(told.text("name"), told.text("picture"))
	if domain := told.text("hd"); domain != "" {
		facts["custom_claims"] = claims{"hd": domain}
	}
	return newPerson(issuer, told.text("sub"), facts,
		Email{told.text("email"), told.boolean("email_verified") || told.boolean("verified_email"), true})
}

// nameClaims returns a name and a picture under all claim names that upstream uses for them.
func nameClaims(name, picture string) claims {
	return claims{"name": name, "full_name": name, "picture": picture, "avatar_url": picture}
}

func readApple(issuer string, told document) Person {
	custom := claims{}
	if _, ok := told["is_private_email"]; ok {
		custom["is_private_email"] = told.boolean("is_private_email")
	}
	for _, name := range []string{"auth_time", "transfer_sub"} {
		if fact, ok := told[name]; ok {
			custom[name] = fact
		}
	}
	return newPerson(issuer, told.text("sub"), claims{"custom_claims": nilIfEmpty(custom)}, Email{told.text("email"), true, true})
}

// withAppleName sets the name from the form field of Apple's callback. It ignores all other data
// there, because it comes from the browser.
func (p Person) withAppleName(posted string) Person {
	told, err := parseDocument([]byte(posted))
	if err != nil {
		return p
	}
	if name := strings.TrimSpace(told.object("name").text("firstName") + " " + told.object("name").text("lastName")); name != "" {
		p.claims["name"], p.claims["full_name"] = name, name
	}
	return p
}

func nilIfEmpty(facts claims) any {
	if len(facts) == 0 {
		return nil
	}
	return facts
}

// protocolClaims are claims about the token, not the user.
var protocolClaims = []string{
	"aud", "iss", "iat", "nbf", "exp", "c_hash", "at_hash", "s_hash", "aio", "nonce", "rh", "uti", "jti", "ver", "sub", "azp", "sid",
	"auth_time", "typ", "acr",
}

// readAzure reads the claims of Microsoft. Without xms_edov the address counts as verified,
// because Microsoft then only sends addresses in verified domains of the tenant.
func readAzure(issuer string, told document) Person {
	verified := true
	if _, configured := told["xms_edov"]; configured {
		verified = told.boolean("xms_edov")
	}
	facts := claims{"full_name": told.text("name"), "preferred_username": told.text("preferred_username")}
	facts["custom_claims"] = otherClaims(told, "name", "preferred_username")
	return newPerson(issuer, told.text("sub"), facts, Email{told.text("email"), verified, true})
}

// otherClaims returns the claims that are not mapped to a field of their own.
func otherClaims(told document, except ...string) any {
	kept := claims{}
	for name, fact := range told {
		if !slices.Contains(protocolClaims, name) && !slices.Contains(except, name) {
			kept[name] = fact
		}
	}
	return nilIfEmpty(kept)
}

func readFacebook(issuer string, told document) Person {
	return newPerson(issuer, told.text("sub"), claims{"name": told.text("name"), "picture": told.text("picture")},
		Email{told.text("email"), true, true})
}

func readLinkedIn(issuer string, told document) Person {
	return newPerson(issuer, told.text("sub"), claims{
		"name": strings.TrimSpace(told.text("given_name") + " " + told.text("family_name")), "given_name": told.text("given_name"),
		"family_name": told.text("family_name"), "locale": told.text("locale"), "picture": told.text("picture"),
	}, Email{told.text("email"), told.boolean("email_verified"), true})
}

func readKakao(issuer string, told document) Person {
	return newPerson(issuer, told.text("sub"), claims{
		"name": told.text("nickname"), "preferred_username": told.text("nickname"), "picture": told.text("picture"),
	}, Email{told.text("email"), true, true})
}

func readKeycloak(issuer string, told document) Person {
	facts := claims{"name": told.text("name"), "full_name": told.text("name")}
	facts["custom_claims"] = otherClaims(told, "name", "email", "email_verified")
	return newPerson(issuer, told.text("sub"), facts, Email{told.text("email"), told.boolean("email_verified"), true})
}

// standardClaims are the string claims of an OpenID Connect profile.
// Source: OpenID Connect Core 1.0, section 5.1.
var standardClaims = []string{
	"name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture", "website",
	"gender", "birthdate", "zoneinfo", "locale", "updated_at", "phone", "full_name", "avatar_url", "slug", "user_name",
}

func readStandard(issuer string, told document) Person {
	facts := claims{}
	for _, name := range standardClaims {
		facts[name] = told.text(name)
	}
	return newPerson(issuer, told.text("sub"), facts, Email{told.text("email"), told.boolean("email_verified"), true})
}
