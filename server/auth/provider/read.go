package provider

import (
	"slices"
	"strings"
)

// The functions of this file read the claims of ID tokens and OpenID profiles, one per provider.
// Source of which addresses count as verified: supabase/auth.

func readGoogle(issuer string, profile document) Profile {
	values := nameClaims(profile.text("name"), profile.text("picture"))
	if domain := profile.text("hd"); domain != "" {
		values["custom_claims"] = claims{"hd": domain}
	}
	return newProfile(issuer, profile.text("sub"), values,
		Email{profile.text("email"), profile.boolean("email_verified") || profile.boolean("verified_email"), true})
}

// nameClaims returns a name and a picture under all claim names that upstream uses for them.
func nameClaims(name, picture string) claims {
	return claims{"name": name, "full_name": name, "picture": picture, "avatar_url": picture}
}

func readApple(issuer string, profile document) Profile {
	custom := claims{}
	if _, ok := profile["is_private_email"]; ok {
		custom["is_private_email"] = profile.boolean("is_private_email")
	}
	for _, name := range []string{"auth_time", "transfer_sub"} {
		if value, ok := profile[name]; ok {
			custom[name] = value
		}
	}
	return newProfile(issuer, profile.text("sub"), claims{"custom_claims": nilIfEmpty(custom)}, Email{profile.text("email"), true, true})
}

// withAppleName sets the name from the form field of Apple's callback. It ignores all other data
// there, because it comes from the browser.
func (p Profile) withAppleName(posted string) Profile {
	profile, err := parseDocument([]byte(posted))
	if err != nil {
		return p
	}
	if name := strings.TrimSpace(profile.object("name").text("firstName") + " " + profile.object("name").text("lastName")); name != "" {
		p.claims["name"], p.claims["full_name"] = name, name
	}
	return p
}

func nilIfEmpty(values claims) any {
	if len(values) == 0 {
		return nil
	}
	return values
}

// protocolClaims are claims about the token, not the user.
var protocolClaims = []string{
	"aud", "iss", "iat", "nbf", "exp", "c_hash", "at_hash", "s_hash", "aio", "nonce", "rh", "uti", "jti", "ver", "sub", "azp", "sid",
	"auth_time", "typ", "acr",
}

// readAzure reads the claims of Microsoft. Without xms_edov the address counts as verified,
// because Microsoft then only sends addresses in verified domains of the tenant.
func readAzure(issuer string, profile document) Profile {
	verified := true
	if _, configured := profile["xms_edov"]; configured {
		verified = profile.boolean("xms_edov")
	}
	values := claims{"full_name": profile.text("name"), "preferred_username": profile.text("preferred_username")}
	values["custom_claims"] = otherClaims(profile, "name", "preferred_username")
	return newProfile(issuer, profile.text("sub"), values, Email{profile.text("email"), verified, true})
}

// otherClaims returns the claims that are not mapped to a field of their own.
func otherClaims(profile document, except ...string) any {
	kept := claims{}
	for name, value := range profile {
		if !slices.Contains(protocolClaims, name) && !slices.Contains(except, name) {
			kept[name] = value
		}
	}
	return nilIfEmpty(kept)
}

func readFacebook(issuer string, profile document) Profile {
	return newProfile(issuer, profile.text("sub"), claims{"name": profile.text("name"), "picture": profile.text("picture")},
		Email{profile.text("email"), true, true})
}

func readLinkedIn(issuer string, profile document) Profile {
	return newProfile(issuer, profile.text("sub"), claims{
		"name": strings.TrimSpace(profile.text("given_name") + " " + profile.text("family_name")), "given_name": profile.text("given_name"),
		"family_name": profile.text("family_name"), "locale": profile.text("locale"), "picture": profile.text("picture"),
	}, Email{profile.text("email"), profile.boolean("email_verified"), true})
}

func readKakao(issuer string, profile document) Profile {
	return newProfile(issuer, profile.text("sub"), claims{
		"name": profile.text("nickname"), "preferred_username": profile.text("nickname"), "picture": profile.text("picture"),
	}, Email{profile.text("email"), true, true})
}

func readKeycloak(issuer string, profile document) Profile {
	values := claims{"name": profile.text("name"), "full_name": profile.text("name")}
	values["custom_claims"] = otherClaims(profile, "name", "email", "email_verified")
	return newProfile(issuer, profile.text("sub"), values, Email{profile.text("email"), profile.boolean("email_verified"), true})
}

// standardClaims are the string claims of an OpenID Connect profile.
// Source: OpenID Connect Core 1.0, section 5.1.
var standardClaims = []string{
	"name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture", "website",
	"gender", "birthdate", "zoneinfo", "locale", "updated_at", "phone", "full_name", "avatar_url", "slug", "user_name",
}

func readStandard(issuer string, profile document) Profile {
	values := claims{}
	for _, name := range standardClaims {
		values[name] = profile.text(name)
	}
	return newProfile(issuer, profile.text("sub"), values, Email{profile.text("email"), profile.boolean("email_verified"), true})
}
