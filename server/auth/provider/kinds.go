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
	endpoints       func(Settings) endpoints // nil: from discovery
	requiredSetting string                   // "URL" if that setting is required, else ""
	scopes          []string
	params          map[string]string // additional parameters of the authorization request
	style           oauth2.AuthStyle
	pkce            bool
	profile         func(context.Context, *Provider, Tokens) (Profile, error)

	// For OpenID Connect: the issuer of ID tokens or, for a provider with several, a function that
	// reports whether one is accepted; how claims are read.
	issuer           func(Settings) string
	issuers          func(Settings) func(string) bool
	read             func(issuer string, profile document) Profile
	acceptsAppTokens bool // POST /token accepts ID tokens from apps
}

// fixedIssuer returns a function that returns one issuer for all settings.
func fixedIssuer(issuer string) func(Settings) string { return func(Settings) string { return issuer } }

// endpointsAt returns a function that builds the endpoints from default hosts, or from the URL of a
// self-hosted installation.
func endpointsAt(host, auth, token, apiHost, api string) func(Settings) endpoints {
	return func(s Settings) endpoints {
		base := strings.TrimSuffix(s.URL, "/")
		return endpoints{cmp.Or(base, host) + auth, cmp.Or(base, host) + token, cmp.Or(base, apiHost) + api}
	}
}

// kinds are the built-in providers.
var kinds = map[string]kind{
	"apple": {
		scopes: []string{"email", "name"}, params: map[string]string{"response_mode": "form_post"}, style: oauth2.AuthStyleInParams,
		issuer: fixedIssuer(issuerApple), issuers: func(Settings) func(string) bool { return isApple }, read: readApple, profile: fromIDToken, acceptsAppTokens: true,
	},
	"azure": {
		endpoints: endpointsAt("https://login.microsoftonline.com/common", "/oauth2/v2.0/authorize", "/oauth2/v2.0/token", "", ""),
		scopes:    []string{"openid"}, pkce: true,
		issuers: func(s Settings) func(string) bool { return azureIssuers(s.URL) }, read: readAzure, profile: fromIDToken, acceptsAppTokens: true,
	},
	"bitbucket": {
		endpoints: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			site := cmp.Or(base, "https://bitbucket.org")
			return endpoints{site + "/site/oauth2/authorize", site + "/site/oauth2/access_token", cmp.Or(base, "https://api.bitbucket.org") + "/2.0"}
		},
		scopes: []string{"account", "email"}, profile: atBitbucket,
	},
	"discord": {
		endpoints: endpointsAt("https://discord.com", "/api/oauth2/authorize", "/api/oauth2/token", "https://discord.com", "/api"),
		scopes:    []string{"email", "identify"}, profile: atDiscord,
	},
	"facebook": {
		endpoints: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			graph := cmp.Or(base, "https://graph.facebook.com")
			return endpoints{cmp.Or(base, "https://www.facebook.com") + "/dialog/oauth", graph + "/oauth/access_token", graph + "/me"}
		},
		scopes: []string{"email"}, profile: atFacebook,
		issuer: fixedIssuer(issuerFacebook), read: readFacebook, acceptsAppTokens: true,
	},
	"figma": {
		endpoints: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			api := cmp.Or(base, "https://api.figma.com")
			return endpoints{cmp.Or(base, "https://www.figma.com") + "/oauth", api + "/v1/oauth/token", api + "/v1/me"}
		},
		scopes: []string{"current_user:read"}, profile: atFigma,
	},
	"github": {
		endpoints: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			site, api := cmp.Or(base, "https://github.com"), "https://api.github.com"
			if base != "" {
				api = base + "/api/v3"
			}
			return endpoints{site + "/login/oauth/authorize", site + "/login/oauth/access_token", api}
		},
		scopes: []string{"user:email"}, pkce: true, profile: atGitHub,
	},
	"gitlab": {
		endpoints: endpointsAt("https://gitlab.com", "/oauth/authorize", "/oauth/token", "https://gitlab.com", ""),
		scopes:    []string{"read_user"}, pkce: true, profile: atGitLab,
	},
	google: {
		scopes: []string{"openid", "email", "profile"}, pkce: true,
		issuer: fixedIssuer(issuerGoogle), read: readGoogle, profile: fromIDToken, acceptsAppTokens: true,
	},
	"kakao": {
		endpoints: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			site := cmp.Or(base, "https://kauth.kakao.com")
			return endpoints{site + "/oauth/authorize", site + "/oauth/token", cmp.Or(base, "https://kapi.kakao.com")}
		},
		scopes: []string{"account_email", "profile_image", "profile_nickname"}, style: oauth2.AuthStyleInParams, profile: atKakao,
		issuer: fixedIssuer(issuerKakao), read: readKakao, acceptsAppTokens: true,
	},
	"keycloak": {
		requiredSetting: "URL", scopes: []string{"openid", "profile", "email"}, pkce: true,
		issuer: func(s Settings) string { return strings.TrimSuffix(s.URL, "/") }, read: readKeycloak, profile: fromUserinfo, acceptsAppTokens: true,
	},
	"linkedin_oidc": {
		endpoints: endpointsAt("https://api.linkedin.com", "/oauth/v2/authorization", "/oauth/v2/accessToken", "", ""), style: oauth2.AuthStyleInParams,
		scopes: []string{"openid", "email", "profile"}, issuer: fixedIssuer(issuerLinkedIn), read: readLinkedIn, profile: fromIDToken,
	},
	"notion": {
		endpoints: endpointsAt("https://api.notion.com", "/v1/oauth/authorize", "/v1/oauth/token", "https://api.notion.com", "/v1/users/me"),
		style:     oauth2.AuthStyleInHeader,
		profile:   atNotion,
	},
	"slack_oidc": {
		endpoints: endpointsAt("https://slack.com", "/openid/connect/authorize", "/api/openid.connect.token", "https://slack.com", "/api"),
		scopes:    []string{"profile", "email", "openid"}, style: oauth2.AuthStyleInParams, profile: atSlack,
	},
	"spotify": {
		endpoints: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			site := cmp.Or(base, "https://accounts.spotify.com")
			return endpoints{site + "/authorize", site + "/api/token", cmp.Or(base, "https://api.spotify.com/v1")}
		},
		scopes: []string{"user-read-email"}, profile: atSpotify,
	},
	"twitch": {
		endpoints: endpointsAt("https://id.twitch.tv", "/oauth2/authorize", "/oauth2/token", "https://api.twitch.tv", "/helix/users"),
		scopes:    []string{"user:read:email"}, style: oauth2.AuthStyleInParams, profile: atTwitch,
	},
	"workos": {
		endpoints: endpointsAt("https://api.workos.com", "/sso/authorize", "/sso/token", "https://api.workos.com", ""),
		style:     oauth2.AuthStyleInParams, profile: atWorkOS,
	},
	"x": {
		endpoints: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			api := cmp.Or(base, "https://api.x.com")
			return endpoints{cmp.Or(base, "https://x.com") + "/i/oauth2/authorize", api + "/2/oauth2/token", api}
		},
		scopes: []string{"users.email", "tweet.read", "users.read", "offline.access"}, pkce: true, style: oauth2.AuthStyleInHeader, profile: atX,
	},
	"zoom": {
		endpoints: func(s Settings) endpoints {
			base := strings.TrimSuffix(s.URL, "/")
			site := cmp.Or(base, "https://zoom.us") + "/oauth"
			return endpoints{site + "/authorize", site + "/token", cmp.Or(base, "https://api.zoom.us") + "/v2"}
		},
		style: oauth2.AuthStyleInHeader, profile: atZoom,
	},
}
