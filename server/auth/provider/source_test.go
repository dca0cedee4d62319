package provider_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"testing"

	"plaza/server/auth/provider"
	"plaza/tests/testkit/outside"
)

const (
	google = "https://accounts.google.com"
	tenant = "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0"
	other  = "https://login.microsoftonline.com/99999999-2222-3333-4444-555555555555/v2.0"
)

func azureAt(url string) provider.Config {
	settings := enabled()
	settings.URL = url
	return provider.Config{Azure: settings}
}

type tokenCase struct {
	name     string
	config   provider.Config
	provider string
	issuer   string // that signs the token
	claims   outside.Claims
	proof    provider.Proof
	wrong    error
	verified bool
}

// tokenCases are ID tokens with the errors of their verification.
func tokenCases() []tokenCase {
	person := func(more outside.Claims) outside.Claims {
		claims := outside.Claims{"sub": "s-1", "aud": "our-client", "email": "ana@x.test", "email_verified": true}
		for name, value := range more {
			claims[name] = value
		}
		return claims
	}
	tenantAddress := "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555"
	keycloak := enabled()
	keycloak.URL = "https://id.example.com/realms/a/"
	apple := provider.Config{Apple: enabled(), IOSBundleID: "com.example.app"}
	return []tokenCase{
		{"google", provider.Config{Google: enabled()}, "google", google, person(nil), provider.Proof{}, nil, true},
		{"google, not verified", provider.Config{Google: enabled()}, "google", google, person(outside.Claims{"email_verified": false}), provider.Proof{}, nil, false},
		{"google, verified as text", provider.Config{Google: enabled()}, "google", google, person(outside.Claims{"email_verified": "true"}), provider.Proof{}, nil, true},
		{"google, made for our phone app", provider.Config{Google: enabled()}, "google", google, person(outside.Claims{"aud": []string{"x", "our-phone-app"}}), provider.Proof{}, nil, true},
		{"made for another app", provider.Config{Google: enabled()}, "google", google, person(outside.Claims{"aud": "another-client"}), provider.Proof{}, provider.ErrAudience, false},
		{"made for nobody", provider.Config{Google: enabled()}, "google", google, person(outside.Claims{"aud": ""}), provider.Proof{}, provider.ErrAudience, false},
		{"another's token that names the issuer", provider.Config{Google: enabled()}, "google", "https://evil.test", person(outside.Claims{"iss": google}), provider.Proof{}, provider.ErrBadToken, false},
		{"another issuer", provider.Config{Google: enabled()}, "google", "https://evil.test", person(nil), provider.Proof{}, provider.ErrBadToken, false},
		{"nobody's", provider.Config{Google: enabled()}, "google", google, person(outside.Claims{"sub": ""}), provider.Proof{}, provider.ErrNoSubject, false},
		{"expired", provider.Config{Google: enabled()}, "google", google, person(outside.Claims{"exp": noon.Unix() - 1}), provider.Proof{}, provider.ErrBadToken, false},
		{"of the access token", provider.Config{Google: enabled()}, "google", google, person(outside.Claims{"at_hash": outside.AccessHash("a-token")}), provider.Proof{AccessToken: "a-token"}, nil, true},
		{"of another access token", provider.Config{Google: enabled()}, "google", google, person(outside.Claims{"at_hash": outside.AccessHash("a-token")}), provider.Proof{AccessToken: "b-token"}, provider.ErrBadToken, false},
		{"apple", apple, "apple", "https://appleid.apple.com", person(outside.Claims{"email_verified": nil}), provider.Proof{}, nil, true},
		{"apple's new address", apple, "apple", "https://account.apple.com", person(nil), provider.Proof{}, nil, true},
		{"apple, for the bundle", apple, "apple", "https://appleid.apple.com", person(outside.Claims{"aud": "com.example.app"}), provider.Proof{}, nil, true},
		{"not apple", apple, "apple", "https://apple.example.com", person(nil), provider.Proof{}, provider.ErrBadToken, false},
		{"azure of any tenant", azureAt(""), "azure", tenant, person(nil), provider.Proof{}, nil, true},
		{"azure, domain not proved", azureAt(""), "azure", tenant, person(outside.Claims{"xms_edov": false}), provider.Proof{}, nil, false},
		{"azure, domain proved, as text", azureAt(""), "azure", tenant, person(outside.Claims{"xms_edov": "1"}), provider.Proof{}, nil, true},
		{"azure, its tenant", azureAt(tenantAddress), "azure", tenant, person(nil), provider.Proof{}, nil, true},
		{"azure, another tenant", azureAt(tenantAddress), "azure", other, person(nil), provider.Proof{}, provider.ErrBadToken, false},
		{"azure, a name that only looks alike", azureAt(""), "azure", "https://login.microsoftonline.com.evil.test/a/v2.0", person(nil), provider.Proof{}, provider.ErrBadToken, false},
		{"facebook's limited login", provider.Config{Facebook: enabled()}, "facebook", "https://www.facebook.com", person(outside.Claims{"nonce": "any"}), provider.Proof{}, nil, true},
		{"keycloak", provider.Config{Keycloak: keycloak}, "keycloak", "https://id.example.com/realms/a", person(nil), provider.Proof{}, nil, true},
		{"keycloak, another realm", provider.Config{Keycloak: keycloak}, "keycloak", "https://other.example.com/realms/a", person(nil), provider.Proof{}, provider.ErrBadToken, false},
	}
}

func TestIDTokensOfApps(t *testing.T) {
	t.Parallel()
	for _, tt := range tokenCases() {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newTestNetwork(t, tt.config, nil)
			for _, name := range []string{google, "https://appleid.apple.com", "https://id.example.com/realms/a"} {
				b.issuer(name) // the real issuer, which serves its keys
			}
			token := b.issuer(tt.issuer).Sign(tt.claims)
			if tt.claims["iss"] == google {
				b.issuer(google)
			}
			source, err := b.Source(tt.provider, "", "")
			if err != nil {
				t.Fatal(err)
			}
			tt.proof.Token = token
			who, err := source.Verify(t.Context(), tt.proof)
			if !errors.Is(err, tt.wrong) {
				t.Fatalf("error %v, want %v", err, tt.wrong)
			}
			if err == nil && (who.Subject != "s-1" || who.Email().Verified != tt.verified) {
				t.Errorf("%q with %+v", who.Subject, who.Email())
			}
		})
	}
}

func TestNonces(t *testing.T) {
	t.Parallel()
	const raw = "once"
	hash := sha256.Sum256([]byte(raw))
	sum := hex.EncodeToString(hash[:])
	tests := []struct {
		name, given string
		claim       any
		skip        bool
		wrong       error
	}{
		{"neither", "", nil, false, nil},
		{"the right one", raw, sum, false, nil},
		{"another", "twice", sum, false, provider.ErrNonceWrong},
		{"the hash from the token instead of the nonce", sum, sum, false, provider.ErrNonceWrong},
		{"only in the token", "", sum, false, provider.ErrNoncePair},
		{"only in the request", raw, nil, false, provider.ErrNoncePair},
		{"not hashed", raw, raw, false, provider.ErrNonceWrong},
		{"unchecked where the operator says so", "", sum, true, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			settings := enabled()
			settings.SkipNonceCheck = tt.skip
			b := newTestNetwork(t, provider.Config{Google: settings}, nil)
			claims := outside.Claims{"sub": "s", "aud": "our-client"}
			if tt.claim != nil {
				claims["nonce"] = tt.claim
			}
			source, err := b.Source("google", "", "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := source.Verify(t.Context(), provider.Proof{Token: b.issuer(google).Sign(claims), Nonce: tt.given}); !errors.Is(err, tt.wrong) {
				t.Errorf("error %v, want %v", err, tt.wrong)
			}
		})
	}
}

func TestSourcesByIssuer(t *testing.T) {
	t.Parallel()
	config := provider.Config{Google: enabled(), Azure: enabled(), AllowedIssuers: []string{"https://own.test"}}
	b := newTestNetwork(t, config, nil)
	for name, tt := range map[string]struct {
		provider, issuer, want string
		wrong                  error
	}{
		"google by its issuer":             {"", google, "google", nil},
		"azure by a tenant's":              {"", tenant, "azure", nil},
		"an allowed one":                   {"", "https://own.test", "https://own.test", nil},
		"any other":                        {"", "https://evil.test", "", provider.ErrUnknown},
		"a provider with another's issuer": {"google", tenant, "", provider.ErrUnknown},
		"a provider that is off":           {"apple", "", "", provider.ErrDisabled},
		"one without ID tokens":            {"github", "", "", provider.ErrUnknown},
	} {
		source, err := b.Source(tt.provider, tt.issuer, "client")
		if !errors.Is(err, tt.wrong) {
			t.Errorf("%s: error %v, want %v", name, err, tt.wrong)
		}
		if err == nil && source.Provider != tt.want {
			t.Errorf("%s: provider %q", name, source.Provider)
		}
	}
}
