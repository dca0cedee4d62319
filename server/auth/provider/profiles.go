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

func atBitbucket(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	user, err := p.fetch(ctx, p.at.api+"/user", tokens, nil)
	if err != nil {
		return Person{}, err
	}
	listed, err := p.fetch(ctx, p.at.api+"/user/emails", tokens, nil)
	if err != nil {
		return Person{}, err
	}
	var emails []Email
	for _, email := range listed.list("values") {
		emails = append(emails, Email{email.text("email"), email.yes("is_confirmed"), email.yes("is_primary")})
	}
	return newPerson(p.at.api, user.text("uuid"), named(user.text("display_name"), user.at("avatar").text("href")), emails...), nil
}

func atDiscord(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	user, err := p.fetch(ctx, p.at.api+"/users/@me", tokens, nil)
	if err != nil {
		return Person{}, err
	}
	facts := named(user.text("username")+"#"+user.text("discriminator"), discordPicture(user))
	facts["full_name"] = user.text("username")
	facts["custom_claims"] = claims{"global_name": user.text("global_name")}
	return newPerson(p.at.api, user.text("id"), facts, Email{user.text("email"), user.yes("verified"), true}), nil
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

func atFacebook(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	mac := hmac.New(sha256.New, []byte(p.oauth.ClientSecret))
	mac.Write([]byte(tokens.Access))
	query := url.Values{"fields": {"email,first_name,last_name,name,picture"}, "appsecret_proof": {hex.EncodeToString(mac.Sum(nil))}}
	user, err := p.fetch(ctx, p.at.api+"?"+query.Encode(), tokens, nil)
	if err != nil {
		return Person{}, err
	}
	facts := named(strings.TrimSpace(user.text("first_name")+" "+user.text("last_name")), user.at("picture", "data").text("url"))
	facts["nickname"], facts["slug"] = user.text("name"), user.text("name")
	return newPerson(p.at.api, user.text("id"), facts, Email{user.text("email"), true, true}), nil
}

func atFigma(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	user, err := p.fetch(ctx, p.at.api, tokens, nil)
	if err != nil {
		return Person{}, err
	}
	return newPerson(p.at.api, user.text("id"), named(user.text("handle"), user.text("img_url")), Email{user.text("email"), true, true}), nil
}

func atGitHub(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	user, err := p.fetch(ctx, p.at.api+"/user", tokens, nil)
	if err != nil {
		return Person{}, err
	}
	listed, err := p.fetch(ctx, p.at.api+"/user/emails", tokens, nil)
	if err != nil {
		return Person{}, err
	}
	var emails []Email
	for _, email := range listed.list("items") {
		emails = append(emails, Email{email.text("email"), email.yes("verified"), email.yes("primary")})
	}
	return newPerson(p.at.api, user.text("id"), claims{
		"name": user.text("name"), "full_name": user.text("name"), "avatar_url": user.text("avatar_url"),
		"preferred_username": user.text("login"), "user_name": user.text("login"),
	}, emails...), nil
}

func atGitLab(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	user, err := p.fetch(ctx, p.at.api+"/api/v4/user", tokens, nil)
	if err != nil {
		return Person{}, err
	}
	// The API does not return whether other addresses are confirmed, so they are not used.
	return newPerson(p.at.api, user.text("id"), named(user.text("name"), user.text("avatar_url")),
		Email{user.text("email"), user.text("confirmed_at") != "", true}), nil
}

func atKakao(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	user, err := p.fetch(ctx, p.at.api+"/v2/user/me", tokens, nil)
	if err != nil {
		return Person{}, err
	}
	account := user.at("kakao_account")
	name, picture := account.at("profile").text("nickname"), account.at("profile").text("profile_image_url")
	return newPerson(p.at.api, user.text("id"), claims{
		"name": name, "full_name": name, "preferred_username": name, "user_name": name, "avatar_url": picture,
	}, Email{account.text("email"), account.yes("is_email_verified") && account.yes("is_email_valid"), true}), nil
}

// notionVersion is the API version that defines the profile's format.
const notionVersion = "2021-08-16"

func atNotion(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	answer, err := p.fetch(ctx, p.at.api, tokens, http.Header{"Notion-Version": {notionVersion}})
	if err != nil {
		return Person{}, err
	}
	user := answer.at("bot", "owner", "user")
	return newPerson(strings.TrimSuffix(p.at.api, "/v1/users/me"), user.text("id"), named(user.text("name"), user.text("avatar_url")),
		Email{user.at("person").text("email"), true, true}), nil
}

func atSlack(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	user, err := p.fetch(ctx, p.at.api+"/openid.connect.userInfo", tokens, nil)
	if err != nil {
		return Person{}, err
	}
	const team = "https://slack.com/team_id"
	facts := named(user.text("name"), user.text("picture"))
	facts["custom_claims"] = claims{team: user.text(team)}
	return newPerson(p.at.api, user.text("https://slack.com/user_id"), facts, Email{user.text("email"), user.yes("email_verified"), true}), nil
}

// atSpotify reads a profile at Spotify, which does not verify addresses.
func atSpotify(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	user, err := p.fetch(ctx, p.at.api+"/me", tokens, nil)
	if err != nil {
		return Person{}, err
	}
	picture, most := "", int64(-1)
	for _, image := range user.list("images") {
		width, _ := json.Number(image.text("width")).Int64()
		height, _ := json.Number(image.text("height")).Int64()
		if width*height > most {
			picture, most = image.text("url"), width*height
		}
	}
	return newPerson(p.at.api, user.text("id"), named(user.text("display_name"), picture), Email{user.text("email"), false, true}), nil
}

func atTwitch(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	answer, err := p.fetch(ctx, p.at.api, tokens, http.Header{"Client-Id": {p.oauth.ClientID}})
	if err != nil {
		return Person{}, err
	}
	users := answer.list("data")
	if len(users) == 0 {
		return Person{}, errors.New("no user in the response")
	}
	user := users[0]
	facts := named(user.text("login"), user.text("profile_image_url"))
	facts["nickname"], facts["slug"] = user.text("display_name"), user.text("display_name")
	facts["custom_claims"] = claims{
		"broadcaster_type": user.text("broadcaster_type"), "description": user.text("description"), "type": user.text("type"),
		"offline_image_url": user.text("offline_image_url"),
	}
	return newPerson(p.at.api, user.text("id"), facts, Email{user.text("email"), true, true}), nil
}

// atWorkOS reads the profile that WorkOS sends with the tokens.
func atWorkOS(_ context.Context, p *Provider, tokens Tokens) (Person, error) {
	profile, _ := tokens.token.Extra("profile").(map[string]any)
	user := document(profile)
	name := strings.TrimSpace(user.text("first_name") + " " + user.text("last_name"))
	return newPerson(p.at.api, user.text("id"), claims{
		"name": name, "full_name": name,
		"custom_claims": claims{"connection_id": user.text("connection_id"), "organization_id": user.text("organization_id")},
	}, Email{user.text("email"), true, true}), nil
}

func atX(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	answer, err := p.fetch(ctx, p.at.api+"/2/users/me?user.fields=id,name,username,confirmed_email,profile_image_url,url,created_at", tokens, nil)
	if err != nil {
		return Person{}, err
	}
	user := answer.at("data")
	facts := named(user.text("name"), user.text("profile_image_url"))
	facts["preferred_username"], facts["user_name"], facts["website"] = user.text("username"), user.text("username"), user.text("url")
	facts["profile"] = "https://x.com/" + user.text("username")
	facts["custom_claims"] = claims{"created_at": user.text("created_at")}
	return newPerson(p.at.api, user.text("id"), facts, Email{user.text("confirmed_email"), true, true}), nil
}

// zoomByEmail is the login type of users who signed up with an email address.
const zoomByEmail = "100"

// atZoom reads a profile at Zoom. An address that comes from another provider counts as verified.
// An address with which the user signed up must have been confirmed.
func atZoom(ctx context.Context, p *Provider, tokens Tokens) (Person, error) {
	user, err := p.fetch(ctx, p.at.api+"/users/me", tokens, nil)
	if err != nil {
		return Person{}, err
	}
	return newPerson(p.at.api, user.text("id"), named(strings.TrimSpace(user.text("first_name")+" "+user.text("last_name")), user.text("pic_url")),
		Email{user.text("email"), user.text("login_type") != zoomByEmail || user.yes("verified"), true}), nil
}
