package auth_test

import (
	"net/http"
	"strings"
	"testing"

	"plaza/server/auth"
	"plaza/tests/testkit/outside"
)

const corp = "https://id.corp.test"

// adminProviders calls the admin API of custom providers as the service role.
func (a *providerServer) adminProviders(method, path string, fields map[string]any) answer {
	a.t.Helper()
	c := call{method: method, path: "/admin/custom-providers" + path, as: a.auth.Keys.Service}
	if fields != nil {
		c.body = body(fields)
	}
	return a.do(c)
}

func corpProvider(more ...any) map[string]any {
	fields := map[string]any{
		"provider_type": "oidc", "identifier": "custom:corp", "name": "Corp", "client_id": "our-client", "client_secret": "hush-hush", "issuer": corp,
	}
	for i := 0; i < len(more); i += 2 {
		fields[more[i].(string)] = more[i+1]
		if more[i+1] == nil {
			delete(fields, more[i].(string))
		}
	}
	return fields
}

func TestCustomProviders(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	issuer := outside.NewIssuer(t, corp, a.clock.Now)
	a.world.Host("id.corp.test", issuer)
	made := a.adminProviders(http.MethodPost, "", corpProvider("scopes", []string{"email"}, "authorization_params", map[string]any{"prompt": "login"}))
	made.want(t, http.StatusCreated, "")
	var shown map[string]any
	made.parse(t, &shown)
	equal(t, "scopes", any([]any{"openid", "email"}), shown["scopes"])
	if shown["discovery_document"].(map[string]any)["token_endpoint"] != corp+"/token" || shown["pkce_enabled"] != true {
		t.Errorf("shown %v", shown)
	}
	for name, got := range map[string]answer{
		"made": made, "one": a.adminProviders(http.MethodGet, "/custom:corp", nil), "all": a.adminProviders(http.MethodGet, "?type=oidc", nil),
		"changed": a.adminProviders(http.MethodPut, "/custom:corp", map[string]any{"name": "Corporation", "client_secret": "hush-hush-2"}),
	} {
		if strings.Contains(got.body, "hush") || got.status > 299 {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if n := a.count("select count(*) from auth.custom_oauth_providers where client_secret like '%hush%'"); n != 0 {
		t.Error("the secret lies open in the database")
	}
	if n := a.count("select count(*) from auth.audit_log_entries where payload::text like '%hush%'"); n != 0 {
		t.Error("the secret is in the audit trail")
	}
	a.adminProviders(http.MethodPost, "", corpProvider()).want(t, http.StatusBadRequest, "conflict")
	there := a.beginFlow("custom:corp")
	if there.Query().Get("prompt") != "login" || there.Query().Get("code_challenge") == "" {
		t.Errorf("sent to %s", there.String())
	}
	user := a.tokensOf(a.callBack(there, issuer, grantFor(person("c-1", "ana@corp.test", true))).flowResult(t)).User
	equal(t, "providers", any([]any{"custom:corp"}), providersOf(user))

	a.adminProviders(http.MethodPut, "/custom:corp", map[string]any{"enabled": false}).want(t, http.StatusOK, "")
	a.browse("/authorize?provider=custom:corp").want(t, http.StatusBadRequest, "")
	a.idTokenGrant(map[string]any{"provider": "custom:corp", "id_token": issuer.Sign(person("c-1", "ana@corp.test", true))}).want(t, http.StatusBadRequest, "provider_disabled")
	a.adminProviders(http.MethodDelete, "/custom:corp", nil).want(t, http.StatusNoContent, "")
	a.adminProviders(http.MethodDelete, "/custom:corp", nil).want(t, http.StatusNotFound, "custom_provider_not_found")
}

func TestCustomOAuthProvidersSignIn(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	issuer := outside.NewIssuer(t, corp, a.clock.Now)
	a.world.Host("id.corp.test", issuer)
	a.adminProviders(http.MethodPost, "", corpProvider("provider_type", "oauth2", "issuer", nil, "authorization_url", corp+"/go", "token_url", corp+"/token",
		"userinfo_url", corp+"/userinfo", "attribute_mapping", map[string]any{"sub": "id"}, "custom_claims_allowlist", []string{"team"})).want(t, http.StatusCreated, "")
	profile := map[string]any{"id": 42, "email": "ana@corp.test", "email_verified": true, "team": "red", "role": "admin"}
	user := a.tokensOf(a.callBack(a.beginFlow("custom:corp"), issuer, outside.Grant{Userinfo: profile}).flowResult(t)).User
	data := user["user_metadata"].(map[string]any)
	if data["sub"] != "42" || data["custom_claims"].(map[string]any)["team"] != "red" || data["role"] != nil || user["role"] != "authenticated" {
		t.Errorf("user %v", user)
	}
	a.idTokenGrant(map[string]any{"provider": "custom:corp", "id_token": issuer.Sign(person("42", "ana@corp.test", true))}).want(t, http.StatusBadRequest, "validation_failed")
}

func TestInvalidCustomProvidersAreRefused(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, func(config *auth.Config) { config.CustomOAuth.MaxProviders = 1 })
	a.world.Host("id.corp.test", outside.NewIssuer(t, corp, a.clock.Now))
	a.world.Host("lies.test", outside.JSON(map[string]any{"issuer": corp, "authorization_endpoint": "https://a.test", "token_endpoint": "https://a.test", "jwks_uri": "https://a.test"}))
	for name, fields := range map[string]map[string]any{
		"no type":                        corpProvider("provider_type", "saml"),
		"no identifier":                  corpProvider("identifier", nil),
		"an identifier without a prefix": corpProvider("identifier", "corp"),
		"a hostile identifier":           corpProvider("identifier", "custom:A'\x00"),
		"a built-in one's name":          corpProvider("identifier", "google"),
		"too long an identifier":         corpProvider("identifier", "custom:"+strings.Repeat("a", 44)),
		"no name":                        corpProvider("name", nil),
		"too long a name":                corpProvider("name", strings.Repeat("é", 101)),
		"a name with a NUL":              corpProvider("name", "a\x00"),
		"no client":                      corpProvider("client_id", nil),
		"no secret":                      corpProvider("client_secret", nil),
		"no issuer":                      corpProvider("issuer", nil),
		"an issuer without TLS":          corpProvider("issuer", "http://id.corp.test"),
		"an unreachable issuer":          corpProvider("issuer", "https://down.test"),
		"an issuer of another's name":    corpProvider("issuer", "https://lies.test"),
		"a discovery of another's":       corpProvider("issuer", "https://mine.test", "discovery_url", "https://lies.test/x"),
		"OAuth without addresses":        corpProvider("provider_type", "oauth2"),
		"the redirect URI":               corpProvider("authorization_params", map[string]any{"redirect_uri": "https://evil.test"}),
		"a parameter that is no text":    corpProvider("authorization_params", map[string]any{"a": 1}),
		"the role":                       corpProvider("attribute_mapping", map[string]any{"role": "role"}),
		"mapping of email_verified":      corpProvider("attribute_mapping", map[string]any{"email_verified": true}),
		"an empty claim":                 corpProvider("custom_claims_allowlist", []string{""}),
	} {
		t.Run(name, func(t *testing.T) {
			a.adminProviders(http.MethodPost, "", fields).want(t, http.StatusBadRequest, "validation_failed")
		})
	}
	a.adminProviders(http.MethodPost, "", corpProvider()).want(t, http.StatusCreated, "")
	a.adminProviders(http.MethodPost, "", corpProvider("identifier", "custom:more")).want(t, http.StatusBadRequest, "over_custom_provider_quota")
	a.adminProviders(http.MethodPut, "/custom:corp", map[string]any{"issuer": "https://lies.test"}).want(t, http.StatusBadRequest, "validation_failed")
	a.adminProviders(http.MethodPut, "/custom:none", map[string]any{}).want(t, http.StatusNotFound, "custom_provider_not_found")
	a.adminProviders(http.MethodGet, "/corp", nil).want(t, http.StatusBadRequest, "validation_failed")
	a.adminProviders(http.MethodGet, "?type=saml", nil).want(t, http.StatusBadRequest, "validation_failed")
	a.adminProviders(http.MethodPost, "", map[string]any{"name": strings.Repeat("a", 2<<20)}).want(t, http.StatusRequestEntityTooLarge, "")
}

func TestOnlyAdminsManageCustomProviders(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	member := a.member("ana@x.test")
	for _, path := range []string{"", "/custom:corp"} {
		a.do(call{method: http.MethodGet, path: "/admin/custom-providers" + path, as: member.Access}).want(t, http.StatusForbidden, "not_admin")
	}
	a.do(call{path: "/admin/custom-providers", as: member.Access, body: body(corpProvider())}).want(t, http.StatusForbidden, "not_admin")
	a.do(call{method: http.MethodDelete, path: "/admin/custom-providers/custom:corp", as: a.auth.Keys.Anon}).want(t, http.StatusForbidden, "not_admin")
}
