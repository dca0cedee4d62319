package provider

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// The functions of this file fetch a user's profile from a provider's own API. Source of the URLs
// and of which addresses count as verified: supabase/auth.

func atBitbucket(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	user, err := p.fetch(ctx, p.endpoints.api+"/user", tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	listed, err := p.fetch(ctx, p.endpoints.api+"/user/emails", tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	var emails []Email
	for _, email := range listed.list("values") {
		emails = append(emails, Email{email.text("email"), email.boolean("is_confirmed"), email.boolean("is_primary")})
	}
	return newProfile(p.endpoints.api, user.text("uuid"), nameClaims(user.text("display_name"), user.object("avatar").text("href")), emails...), nil
}

func atDiscord(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	user, err := p.fetch(ctx, p.endpoints.api+"/users/@me", tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	values := nameClaims(user.text("username")+"#"+user.text("discriminator"), discordPicture(user))
	values["full_name"] = user.text("username")
	values["custom_claims"] = claims{"global_name": user.text("global_name")}
	return newProfile(p.endpoints.api, user.text("id"), values, Email{user.text("email"), user.boolean("verified"), true}), nil
}

// discordPicture follows https://discord.com/developers/docs/reference#image-formatting
func discordPicture(user document) string {
	const pictures = "https://cdn.discordapp.com/"
	avatar := user.text("avatar")
	switch {
	case strings.HasPrefix(avatar, "a_"):
		return pictures + "avatars/" + user.text("id") + "/" + avatar + ".gif"
	case avatar != "":
		return pictures + "avatars/" + user.text("id") + "/" + avatar + ".png"
	}
	number, err := strconv.Atoi(user.text("discriminator"))
	if err != nil {
		number = 0
	}
	return pictures + "embed/avatars/" + strconv.Itoa(number%5) + ".png"
}

func atFacebook(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	mac := hmac.New(sha256.New, []byte(p.oauth.ClientSecret))
	mac.Write([]byte(tokens.Access))
	query := url.Values{"fields": {"email,first_name,last_name,name,picture"}, "appsecret_proof": {hex.EncodeToString(mac.Sum(nil))}}
	user, err := p.fetch(ctx, p.endpoints.api+"?"+query.Encode(), tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	values := nameClaims(strings.TrimSpace(user.text("first_name")+" "+user.text("last_name")), user.object("picture", "data").text("url"))
	values["nickname"], values["slug"] = user.text("name"), user.text("name")
	return newProfile(p.endpoints.api, user.text("id"), values, Email{user.text("email"), true, true}), nil
}

func atFigma(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	user, err := p.fetch(ctx, p.endpoints.api, tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	return newProfile(p.endpoints.api, user.text("id"), nameClaims(user.text("handle"), user.text("img_url")), Email{user.text("email"), true, true}), nil
}

func atGitHub(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	user, err := p.fetch(ctx, p.endpoints.api+"/user", tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	listed, err := p.fetch(ctx, p.endpoints.api+"/user/emails", tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	var emails []Email
	for _, email := range listed.list("items") {
		emails = append(emails, Email{email.text("email"), email.boolean("verified"), email.boolean("primary")})
	}
	return newProfile(p.endpoints.api, user.text("id"), claims{
		"name": user.text("name"), "full_name": user.text("name"), "avatar_url": user.text("avatar_url"),
		"preferred_username": user.text("login"), "user_name": user.text("login"),
	}, emails...), nil
}

func atGitLab(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	user, err := p.fetch(ctx, p.endpoints.api+"/api/v4/user", tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	// The API does not return whether other addresses are confirmed, so they are not used.
	return newProfile(p.endpoints.api, user.text("id"), nameClaims(user.text("name"), user.text("avatar_url")),
		Email{user.text("email"), user.text("confirmed_at") != "", true}), nil
}

func atKakao(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	user, err := p.fetch(ctx, p.endpoints.api+"/v2/user/me", tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	account := user.object("kakao_account")
	name, picture := account.object("profile").text("nickname"), account.object("profile").text("profile_image_url")
	return newProfile(p.endpoints.api, user.text("id"), claims{
		"name": name, "full_name": name, "preferred_username": name, "user_name": name, "avatar_url": picture,
	}, Email{account.text("email"), account.boolean("is_email_verified") && account.boolean("is_email_valid"), true}), nil
}

// notionVersion is the API version that defines the profile's format.
const notionVersion = "2021-08-16"

func atNotion(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	result, err := p.fetch(ctx, p.endpoints.api, tokens, http.Header{"Notion-Version": {notionVersion}})
	if err != nil {
		return Profile{}, err
	}
	user := result.object("bot", "owner", "user")
	return newProfile(strings.TrimSuffix(p.endpoints.api, "/v1/users/me"), user.text("id"), nameClaims(user.text("name"), user.text("avatar_url")),
		Email{user.object("person").text("email"), true, true}), nil
}

func atSlack(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	user, err := p.fetch(ctx, p.endpoints.api+"/openid.connect.userInfo", tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	const team = "https://slack.com/team_id"
	values := nameClaims(user.text("name"), user.text("picture"))
	values["custom_claims"] = claims{team: user.text(team)}
	return newProfile(p.endpoints.api, user.text("https://slack.com/user_id"), values, Email{user.text("email"), user.boolean("email_verified"), true}), nil
}

// atSpotify reads a profile at Spotify, which does not verify addresses.
func atSpotify(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	user, err := p.fetch(ctx, p.endpoints.api+"/me", tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	picture, most := "", int64(-1)
	for _, image := range user.list("images") {
		width, _ := json.Number(image.text("width")).Int64()
		height, _ := json.Number(image.text("height")).Int64()
		if width*height > most {
			picture, most = image.text("url"), width*height
		}
	}
	return newProfile(p.endpoints.api, user.text("id"), nameClaims(user.text("display_name"), picture), Email{user.text("email"), false, true}), nil
}

func atTwitch(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	result, err := p.fetch(ctx, p.endpoints.api, tokens, http.Header{"Client-Id": {p.oauth.ClientID}})
	if err != nil {
		return Profile{}, err
	}
	users := result.list("data")
	if len(users) == 0 {
		return Profile{}, errors.New("no user in the response")
	}
	user := users[0]
	values := nameClaims(user.text("login"), user.text("profile_image_url"))
	values["nickname"], values["slug"] = user.text("display_name"), user.text("display_name")
	values["custom_claims"] = claims{
		"broadcaster_type": user.text("broadcaster_type"), "description": user.text("description"), "type": user.text("type"),
		"offline_image_url": user.text("offline_image_url"),
	}
	return newProfile(p.endpoints.api, user.text("id"), values, Email{user.text("email"), true, true}), nil
}

// atWorkOS reads the profile that WorkOS sends with the tokens.
func atWorkOS(_ context.Context, p *Provider, tokens Tokens) (Profile, error) {
	profile, _ := tokens.token.Extra("profile").(map[string]any)
	user := document(profile)
	name := strings.TrimSpace(user.text("first_name") + " " + user.text("last_name"))
	return newProfile(p.endpoints.api, user.text("id"), claims{
		"name": name, "full_name": name,
		"custom_claims": claims{"connection_id": user.text("connection_id"), "organization_id": user.text("organization_id")},
	}, Email{user.text("email"), true, true}), nil
}

func atX(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	result, err := p.fetch(ctx, p.endpoints.api+"/2/users/me?user.fields=id,name,username,confirmed_email,profile_image_url,url,created_at", tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	user := result.object("data")
	values := nameClaims(user.text("name"), user.text("profile_image_url"))
	values["preferred_username"], values["user_name"], values["website"] = user.text("username"), user.text("username"), user.text("url")
	values["profile"] = "https://x.com/" + user.text("username")
	values["custom_claims"] = claims{"created_at": user.text("created_at")}
	return newProfile(p.endpoints.api, user.text("id"), values, Email{user.text("confirmed_email"), true, true}), nil
}

// zoomByEmail is the login type of users who signed up with an email address.
const zoomByEmail = "100"

// atZoom reads a profile at Zoom. An address that comes from another provider counts as verified.
// An address with which the user signed up must have been confirmed.
func atZoom(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	user, err := p.fetch(ctx, p.endpoints.api+"/users/me", tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	return newProfile(p.endpoints.api, user.text("id"), nameClaims(strings.TrimSpace(user.text("first_name")+" "+user.text("last_name")), user.text("pic_url")),
		Email{user.text("email"), user.text("login_type") != zoomByEmail || user.boolean("verified"), true}), nil
}
