package provider_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/server/auth/provider"
	"plaza/tests/testkit/outside"
)

type object = map[string]any

type host struct {
	name, token string
	paths       map[string]any
}

type wireProfile struct {
	provider string
	hosts    []host
	extra    object
	subject  string
	email    provider.Email
	facts    object
}

// wireProfiles are the responses of each provider's API, with the user that they describe and
// whether the address counts as verified.
var wireProfiles = []wireProfile{
	{"bitbucket", []host{{"bitbucket.org", "/site/oauth2/access_token", nil}, {"api.bitbucket.org", "/", map[string]any{
		"/2.0/user":        object{"uuid": "{b-1}", "display_name": "Ana", "avatar": object{"href": "https://a.test/1"}},
		"/2.0/user/emails": object{"values": []any{object{"email": "b@x.test"}, object{"email": "a@x.test", "is_primary": true, "is_confirmed": true}}},
	}}}, nil, "{b-1}", provider.Email{Address: "a@x.test", Verified: true, Primary: true}, object{"name": "Ana", "avatar_url": "https://a.test/1"}},
	{"discord", []host{{"discord.com", "/api/oauth2/token", map[string]any{
		"/api/users/@me": object{"id": "80351110224678912", "username": "nelly", "discriminator": "1337", "avatar": "a_82", "verified": true, "email": "n@x.test", "global_name": "Nelly"},
	}}}, nil, "80351110224678912", provider.Email{Address: "n@x.test", Verified: true, Primary: true},
		object{"name": "nelly#1337", "picture": "https://cdn.discordapp.com/avatars/80351110224678912/a_82.gif", "custom_claims": object{"global_name": "Nelly"}}},
	{"facebook", []host{{"graph.facebook.com", "/oauth/access_token", map[string]any{
		"/me": object{"id": "7", "email": "f@x.test", "first_name": "Fina", "last_name": "Book", "name": "Fina B", "picture": object{"data": object{"url": "https://p.test/7"}}},
	}}}, nil, "7", provider.Email{Address: "f@x.test", Verified: true, Primary: true}, object{"full_name": "Fina Book", "nickname": "Fina B"}},
	{"figma", []host{{"api.figma.com", "/v1/oauth/token", map[string]any{"/v1/me": object{"id": "3", "email": "g@x.test", "handle": "Fig"}}}},
		nil, "3", provider.Email{Address: "g@x.test", Verified: true, Primary: true}, object{"name": "Fig"}},
	{"github", []host{{"github.com", "/login/oauth/access_token", nil}, {"api.github.com", "/", map[string]any{
		"/user": object{"id": 9007199254740993, "login": "octo", "name": "Octo Cat", "avatar_url": "https://a.test/o", "email": "public@x.test"},
		"/user/emails": []any{object{"email": "old@x.test", "verified": true, "primary": false},
			object{"email": "Octo@x.test", "verified": true, "primary": true}},
	}}}, nil, "9007199254740993", provider.Email{Address: "Octo@x.test", Verified: true, Primary: true},
		object{"user_name": "octo", "email": "octo@x.test", "email_verified": true, "provider_id": "9007199254740993", "iss": "https://api.github.com"}},
	{"gitlab", []host{{"gitlab.com", "/oauth/token", map[string]any{
		"/api/v4/user": object{"id": 12, "email": "l@x.test", "name": "Lab", "confirmed_at": "2020-01-01"},
	}}}, nil, "12", provider.Email{Address: "l@x.test", Verified: true, Primary: true}, object{"name": "Lab"}},
	{"kakao", []host{{"kauth.kakao.com", "/oauth/token", nil}, {"kapi.kakao.com", "/", map[string]any{
		"/v2/user/me": object{"id": 5, "kakao_account": object{"email": "k@x.test", "is_email_valid": true, "is_email_verified": false, "profile": object{"nickname": "K"}}},
	}}}, nil, "5", provider.Email{Address: "k@x.test", Primary: true}, object{"name": "K"}},
	{"notion", []host{{"api.notion.com", "/v1/oauth/token", map[string]any{
		"/v1/users/me": object{"bot": object{"owner": object{"user": object{"id": "n-1", "name": "No", "person": object{"email": "no@x.test"}}}}},
	}}}, nil, "n-1", provider.Email{Address: "no@x.test", Verified: true, Primary: true}, object{"name": "No"}},
	{"slack_oidc", []host{{"slack.com", "/api/openid.connect.token", map[string]any{
		"/api/openid.connect.userInfo": object{"https://slack.com/user_id": "U1", "https://slack.com/team_id": "T1", "email": "s@x.test", "email_verified": true, "name": "Sl"},
	}}}, nil, "U1", provider.Email{Address: "s@x.test", Verified: true, Primary: true}, object{"custom_claims": object{"https://slack.com/team_id": "T1"}}},
	{"spotify", []host{{"accounts.spotify.com", "/api/token", nil}, {"api.spotify.com", "/", map[string]any{
		"/v1/me": object{"id": "sp", "email": "sp@x.test", "display_name": "Sp", "images": []any{
			object{"url": "https://i.test/s", "width": 64, "height": 64}, object{"url": "https://i.test/l", "width": 300, "height": 300}}},
	}}}, nil, "sp", provider.Email{Address: "sp@x.test", Primary: true}, object{"picture": "https://i.test/l", "email_verified": false}},
	{"twitch", []host{{"id.twitch.tv", "/oauth2/token", nil}, {"api.twitch.tv", "/", map[string]any{
		"/helix/users": object{"data": []any{object{"id": "44", "login": "tw", "display_name": "Tw", "email": "t@x.test"}}},
	}}}, nil, "44", provider.Email{Address: "t@x.test", Verified: true, Primary: true}, object{"nickname": "Tw"}},
	{"workos", []host{{"api.workos.com", "/sso/token", nil}}, object{"profile": object{"id": "prof_1", "email": "w@x.test", "first_name": "Wo", "last_name": "Rk", "connection_id": "c1"}},
		"prof_1", provider.Email{Address: "w@x.test", Verified: true, Primary: true}, object{"full_name": "Wo Rk"}},
	{"x", []host{{"api.x.com", "/2/oauth2/token", map[string]any{
		"/2/users/me": object{"data": object{"id": "1", "name": "Ex", "username": "ex", "confirmed_email": "x@x.test"}},
	}}}, nil, "1", provider.Email{Address: "x@x.test", Verified: true, Primary: true}, object{"profile": "https://x.com/ex"}},
	{"zoom", []host{{"zoom.us", "/oauth/token", nil}, {"api.zoom.us", "/", map[string]any{
		"/v2/users/me": object{"id": "z", "first_name": "Zo", "last_name": "Om", "email": "z@x.test", "login_type": "100", "verified": 0},
	}}}, nil, "z", provider.Email{Address: "z@x.test", Primary: true}, object{"name": "Zo Om"}},
}

func TestProviderProfiles(t *testing.T) {
	t.Parallel()
	all := provider.Config{
		Bitbucket: enabled(), Discord: enabled(), Facebook: enabled(), Figma: enabled(), GitHub: enabled(), GitLab: enabled(), Kakao: enabled(),
		Notion: enabled(), SlackOIDC: enabled(), Spotify: enabled(), Twitch: enabled(), WorkOS: enabled(), X: enabled(), Zoom: enabled(),
	}
	for _, tt := range wireProfiles {
		t.Run(tt.provider, func(t *testing.T) {
			t.Parallel()
			b := newTestNetwork(t, all, nil)
			issuer := outside.NewIssuer(t, "https://unused.test", now)
			for _, host := range tt.hosts {
				b.network.Host(host.name, jsonHost(issuer, host.token, host.paths))
			}
			who, err := b.signIn(b.open(tt.provider), issuer, outside.Grant{Extra: tt.extra})
			if err != nil {
				t.Fatal(err)
			}
			if who.Subject != tt.subject {
				t.Errorf("subject %q, want %q", who.Subject, tt.subject)
			}
			if diff := cmp.Diff(tt.email, who.Email()); diff != "" {
				t.Errorf("email (-want +got):\n%s", diff)
			}
			fields := data(t, who)
			for name, value := range tt.facts {
				if diff := cmp.Diff(value, fields[name]); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

func TestProfilesWithoutSubject(t *testing.T) {
	t.Parallel()
	long := make([]byte, 300)
	for i := range long {
		long[i] = 'a'
	}
	for name, id := range map[string]any{"absent": nil, "empty": "", "blank": "  ", "an object": object{}, "with a NUL": "a\x00b", "too long": string(long)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestNetwork(t, provider.Config{Figma: enabled()}, nil)
			issuer := outside.NewIssuer(t, "https://unused.test", now)
			b.network.Host("api.figma.com", jsonHost(issuer, "/v1/oauth/token", map[string]any{"/v1/me": object{"id": id, "email": "a@x.test"}}))
			if who, err := b.signIn(b.open("figma"), issuer, outside.Grant{}); err == nil {
				t.Errorf("somebody of the name %q signs in", who.Subject)
			}
		})
	}
}

func TestSelfHostedProviders(t *testing.T) {
	t.Parallel()
	own := enabled()
	own.URL = "https://git.example.com/"
	b := newTestNetwork(t, provider.Config{GitHub: own}, nil)
	issuer := outside.NewIssuer(t, "https://unused.test", now)
	b.network.Host("git.example.com", jsonHost(issuer, "/login/oauth/access_token", map[string]any{
		"/api/v3/user": object{"id": 1}, "/api/v3/user/emails": []any{object{"email": "o@x.test", "verified": true, "primary": true}},
	}))
	who, err := b.signIn(b.open("github"), issuer, outside.Grant{})
	if err != nil || who.Email().Address != "o@x.test" {
		t.Errorf("%v, %v", who, err)
	}
}
