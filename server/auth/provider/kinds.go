package provider

import (
	"cmp"
	"context"
	"strings"

	"golang.org/x/oauth2"
)

const google = "google"

// endpoints are the URLs of one provider.
type endpoints struct{ auth, token, api string }

// kind describes one provider. Source of URLs, scopes and of which addresses count as verified:
// supabase/auth.
type kind struct {
	at     func(Settings) endpoints // nil: from discovery
	needs  string                   // a required setting
	scopes []string
	params map[string]string // additional parameters of the authorization request
	style  oauth2.AuthStyle
	pkce   bool
	person func(context.Context, *Provider, Tokens) (Person, error)

	// For OpenID Connect: accepted issuers of ID tokens.
	issuer  func(Settings) string
	issuers func(Settings) func(string) bool
	read    func(issuer string, told document) Person
	anyone  bool // POST /token accepts ID tokens from apps
}

// fixed returns a function that returns one issuer for all settings.
func fixed(issuer string) func(Settings) string { return func(Settings) string { return issuer } }

// hosted returns a function that builds the endpoints from default hosts, or from the URL of a
// self-hosted installation.
func hosted(host, auth, token, apiHost, api string) func(Settings) endpoints {
	return func(s Settings) endpoints {
		base := strings.TrimSuffix(s.URL, "/")
		return endpoints{cmp.Or(base, host) + auth, cmp.Or(base, host) + token, cmp.Or(base, apiHost) + api}
	}
}

// kinds are the built-in providers.
var kinds = map[string]kind{
	"apple": {
		scopes: []string{"email", "name"}, params: map[string]string{"response_mode": "form_post"}, style: oauth2.AuthStyleInParams,
		issuer: fixed(issuerApple), issuers: func(Settings) func(string) bool { return isApple }, read: readApple, person: fromIDToken, anyone: true,
	},
	"azure": {
		at:     hosted("https://login.microsoftonline.com/common", "/oauth2/v2.0/authorize", "/oauth2/v2.0/token", "", ""),
		scopes: []string{"openid"}, pkce: true,
		issuers: func(s Settings) func(string) bool { return azureIssuers(s.URL) }, read: readAzure, person: fromIDToken, anyone: true,
	},
	"bitbucket": {
		at: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			site := cmp.Or(base, "https://bitbucket.org")
			return endpoints{site + "/site/oauth2/authorize", site + "/site/oauth2/access_token", cmp.Or(base, "https://api.bitbucket.org") + "/2.0"}
		},
		scopes: []string{"account", "email"}, person: atBitbucket,
	},
	"discord": {
		at:     hosted("https://discord.com", "/api/oauth2/authorize", "/api/oauth2/token", "https://discord.com", "/api"),
		scopes: []string{"email", "identify"}, person: atDiscord,
	},
	"facebook": {
		at: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			graph := cmp.Or(base, "https://graph.facebook.com")
			return endpoints{cmp.Or(base, "https://www.facebook.com") + "/dialog/oauth", graph + "/oauth/access_token", graph + "/me"}
		},
		scopes: []string{"email"}, person: atFacebook,
		issuer: fixed(issuerFacebook), read: readFacebook, anyone: true,
	},
	"figma": {
		at: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			api := cmp.Or(base, "https://api.figma.com")
			return endpoints{cmp.Or(base, "https://www.figma.com") + "/oauth", api + "/v1/oauth/token", api + "/v1/me"}
		},
		scopes: []string{"current_user:read"}, person: atFigma,
	},
	"github": {
		at: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			site, api := cmp.Or(base, "https://github.com"), "https://api.github.com"
			if base != "" {
				api = base + "/api/v3"
			}
			return endpoints{site + "/login/oauth/authorize", site + "/login/oauth/access_token", api}
		},
		scopes: []string{"user:email"}, pkce: true, person: atGitHub,
	},
	"gitlab": {
		at:     hosted("https://gitlab.com", "/oauth/authorize", "/oauth/token", "https://gitlab.com", ""),
		scopes: []string{"read_user"}, pkce: true, person: atGitLab,
	},
	google: {
		scopes: []string{"openid", "email", "profile"}, pkce: true,
		issuer: fixed(issuerGoogle), read: readGoogle, person: fromIDToken, anyone: true,
	},
	"kakao": {
		at: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			site := cmp.Or(base, "https://kauth.kakao.com")
			return endpoints{site + "/oauth/authorize", site + "/oauth/token", cmp.Or(base, "https://kapi.kakao.com")}
		},
		scopes: []string{"account_email", "profile_image", "profile_nickname"}, style: oauth2.AuthStyleInParams, person: atKakao,
		issuer: fixed(issuerKakao), read: readKakao, anyone: true,
	},
	"keycloak": {
		needs: "URL", scopes: []string{"openid", "profile", "email"}, pkce: true,
		issuer: func(s Settings) string { return strings.TrimSuffix(s.URL, "/") }, read: readKeycloak, person: fromUserinfo, anyone: true,
	},
	"linkedin_oidc": {
		at: hosted("https://api.linkedin.com", "/oauth/v2/authorization", "/oauth/v2/accessToken", "", ""), style: oauth2.AuthStyleInParams,
		scopes: []string{"openid", "email", "profile"}, issuer: fixed(issuerLinkedIn), read: readLinkedIn, person: fromIDToken,
	},
	"notion": {
		at:     hosted("https://api.notion.com", "/v1/oauth/authorize", "/v1/oauth/token", "https://api.notion.com", "/v1/users/me"),
		style:  oauth2.AuthStyleInHeader,
		person: atNotion,
	},
	"slack_oidc": {
		at:     hosted("https://slack.com", "/openid/connect/authorize", "/api/openid.connect.token", "https://slack.com", "/api"),
		scopes: []string{"profile", "email", "openid"}, style: oauth2.AuthStyleInParams, person: atSlack,
	},
	"spotify": {
		at: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			site := cmp.Or(base, "https://accounts.spotify.com")
			return endpoints{site + "/authorize", site + "/api/token", cmp.Or(base, "https://api.spotify.com/v1")}
		},
		scopes: []string{"user-read-email"}, person: atSpotify,
	},
	"twitch": {
		at:     hosted("https://id.twitch.tv", "/oauth2/authorize", "/oauth2/token", "https://api.twitch.tv", "/helix/users"),
		scopes: []string{"user:read:email"}, style: oauth2.AuthStyleInParams, person: atTwitch,
	},
	"workos": {
		at:    hosted("https://api.workos.com", "/sso/authorize", "/sso/token", "https://api.workos.com", ""),
		style: oauth2.AuthStyleInParams, person: atWorkOS,
	},
	"x": {
		at: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			api := cmp.Or(base, "https://api.x.com")
			return endpoints{cmp.Or(base, "https://x.com") + "/i/oauth2/authorize", api + "/2/oauth2/token", api}
		},
		scopes: []string{"users.email", "tweet.read", "users.read", "offline.access"}, pkce: true, style: oauth2.AuthStyleInHeader, person: atX,
	},
	"zoom": {
		at: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			site := cmp.Or(base, "https://zoom.us") + "/oauth"
			return endpoints{site + "/authorize", site + "/token", cmp.Or(base, "https://api.zoom.us") + "/v2"}
		},
		style: oauth2.AuthStyleInHeader, person: atZoom,
	},
}
