package config

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var exampleLine = regexp.MustCompile(`(?m)^#?([A-Z][A-Z0-9_]+)=`)

var (
	patternNames = regexp.MustCompile(`(?m)^# .*<PROVIDER>:\n((?:# [A-Z _]+\n)+)`)
	patternLine  = regexp.MustCompile(`(?m)^#.*<PROVIDER>_.*=.*\n`)
)

// example returns .env.example with the settings of every provider. The file documents
// them once, as a pattern.
func example(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	named := patternNames.FindSubmatch(text)
	if named == nil {
		t.Fatal(".env.example names no providers")
	}
	names := strings.Fields(strings.ReplaceAll(string(named[1]), "#", ""))
	return patternLine.ReplaceAllStringFunc(string(text), func(line string) string {
		var all strings.Builder
		for _, name := range names {
			all.WriteString(strings.ReplaceAll(line, "<PROVIDER>", name))
		}
		return all.String()
	})
}

func TestExampleExplainsEveryVariable(t *testing.T) {
	t.Parallel()
	var explained []string
	for _, match := range exampleLine.FindAllStringSubmatch(example(t), -1) {
		explained = append(explained, match[1])
	}
	known := variables(reflect.TypeFor[Config](), "")
	slices.Sort(known)
	slices.Sort(explained)
	if diff := cmp.Diff(known, explained); diff != "" {
		t.Errorf("variables of the config struct and of .env.example differ (-struct +example):\n%s", diff)
	}
}

func TestExampleShowsDefaults(t *testing.T) {
	t.Parallel()
	var environ []string
	for line := range strings.Lines(example(t)) {
		if commented, ok := strings.CutPrefix(strings.TrimSpace(line), "#"); ok && exampleLine.MatchString(commented) && !strings.HasSuffix(commented, "=") {
			environ = append(environ, commented)
		}
	}
	shown, err := Load(environ)
	if err != nil {
		t.Fatal(err)
	}
	empty, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(empty, shown); diff != "" {
		t.Errorf("a value in .env.example is not the default (-default +example):\n%s", diff)
	}
}

func TestStorageAloneReadsKeySets(t *testing.T) {
	t.Parallel()
	given := []string{"DATABASE_URL=postgres://db", "PGRST_JWT_SECRET=0123456789012345678901234567890123456789", "STORAGE_FILE_BACKEND_PATH=/objects"}
	for text, good := range map[string]bool{
		"": true, `{"keys":[]}`: true, `{"kty":"oct","k":"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE"}`: true,
		"a secret of more than thirty-two characters": false, `{"keys":[{"kty":"oct","k":"cut off in the middle of it`: false,
	} {
		if _, err := LoadStorageAlone(append(given, "JWT_JWKS="+text)); (err == nil) != good {
			t.Errorf("JWT_JWKS=%s: %v", text, err)
		}
	}
}

func TestLoadReportsAllErrors(t *testing.T) {
	t.Parallel()
	_, err := Load([]string{"PLAZA_PORT=70000", "JWT_SECRET=short", "SITE_URL=nonsense", "PLAZA_ENV=staging", "PGRST_DB_TX_END=never"})
	if err == nil {
		t.Fatal("no error")
	}
	for _, name := range []string{"PLAZA_PORT", "JWT_SECRET", "SITE_URL", "PLAZA_ENV", "PGRST_DB_TX_END"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("the error does not name %s:\n%v", name, err)
		}
	}
	if strings.Contains(err.Error(), "short") {
		t.Errorf("the error shows a secret:\n%v", err)
	}
	_, err = Load([]string{"PLAZA_PORT=abc", "PGRST_DB_POOL=many", "GOTRUE_SMTP_PORT=x"})
	for _, name := range []string{"PLAZA_PORT", "PGRST_DB_POOL", "GOTRUE_SMTP_PORT"} {
		if err == nil || !strings.Contains(err.Error(), name+" cannot be read") {
			t.Errorf("the error does not name %s:\n%v", name, err)
		}
	}
}

// The site of a mobile app is a URL with the app's own scheme, which the phone opens in the app.
func TestSiteURLs(t *testing.T) {
	t.Parallel()
	for site, good := range map[string]bool{
		"https://example.com": true, "shop://signed-in": true, "com.example.shop://auth/callback": true,
		"example.com": false, "shop:signed-in": false, "javascript://example.com/%0aalert(1)": false, "Data://example.com": false,
	} {
		if _, err := Load([]string{"SITE_URL=" + site}); (err == nil) != good {
			t.Errorf("SITE_URL=%s: %v", site, err)
		}
		if _, err := LoadAuthAlone([]string{"DATABASE_URL=postgres://x", "API_EXTERNAL_URL=https://example.com", "GOTRUE_JWT_SECRET=" + LocalJWTSecret, "GOTRUE_SITE_URL=" + site}); (err == nil) != good {
			t.Errorf("GOTRUE_SITE_URL=%s: %v", site, err)
		}
	}
}

func TestProductionRefusesUnsafeDefaults(t *testing.T) {
	t.Parallel()
	_, err := Load([]string{"PLAZA_ENV=production", "JWT_SECRET=" + LocalJWTSecret, "SITE_URL=http://example.com", "GOTRUE_EXTERNAL_PHONE_ENABLED=true", "GOTRUE_RATE_LIMIT_OTP=0"})
	if err == nil {
		t.Fatal("no error")
	}
	for _, what := range []string{"well-known", "https", "GOTRUE_SMTP_HOST", "GOTRUE_SMS_PROVIDER", "PLAZA_TRUSTED_PROXIES", "GOTRUE_RATE_LIMIT_OTP"} {
		if !strings.Contains(err.Error(), what) {
			t.Errorf("the error does not say %q:\n%v", what, err)
		}
	}
	if _, err := Load([]string{"PLAZA_ENV=production", "SITE_URL=https://example.com", "GOTRUE_SMTP_HOST=mail.example.com", "GOTRUE_SMTP_ADMIN_EMAIL=a@example.com", "PLAZA_TRUSTED_PROXIES=10.0.0.0/8"}); err != nil {
		t.Errorf("a safe production configuration is refused: %v", err)
	}
}

// Upstream's compose file selects twilio and passes settings that are not set as empty
// strings.
func TestEmptyAccountSelectsNoProvider(t *testing.T) {
	t.Parallel()
	environ := []string{
		"DATABASE_URL=postgres://u@127.0.0.1/d", "API_EXTERNAL_URL=http://127.0.0.1:8000", "GOTRUE_SITE_URL=http://127.0.0.1:3000", "GOTRUE_JWT_SECRET=" + LocalJWTSecret,
		"GOTRUE_EXTERNAL_PHONE_ENABLED=true", "GOTRUE_SMS_PROVIDER=twilio", "GOTRUE_SMS_TWILIO_ACCOUNT_SID=", "GOTRUE_SMS_TWILIO_AUTH_TOKEN=", "GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID=",
	}
	alone, err := LoadAuthAlone(environ)
	if err != nil || alone.Auth.SMS.Provider != "" {
		t.Errorf("alone: %q, %v", alone.Auth.SMS.Provider, err)
	}
	whole, err := Load(environ[4:])
	if err != nil || whole.Auth.SMS.Provider != "" {
		t.Errorf("whole: %q, %v", whole.Auth.SMS.Provider, err)
	}
	if _, err := Load(append(environ[4:], "GOTRUE_SMS_TWILIO_ACCOUNT_SID=AC1")); err == nil {
		t.Error("an incomplete account is accepted")
	}
}

func TestProxiesAreNetworksOrAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"10.0.0.0/8":                    "[10.0.0.0/8]",
		"127.0.0.1, ::1 ,fd00::/8,":     "[127.0.0.1/32 ::1/128 fd00::/8]",
		"fe80::1%eth0,::ffff:192.0.2.1": "[fe80::1/128 192.0.2.1/32]",
		"":                              "[]",
		"proxy.internal":                "",
		"10.0.0.0/8 192.168.0.0/16":     "",
		"300.0.0.1":                     "",
		"10.0.0.0/33":                   "",
	} {
		c, err := Load([]string{"PLAZA_TRUSTED_PROXIES=" + text})
		switch {
		case want == "" && (err == nil || !strings.Contains(err.Error(), "PLAZA_TRUSTED_PROXIES")):
			t.Errorf("%q: %v", text, err)
		case want != "" && (err != nil || fmt.Sprint(c.TrustedProxies) != want):
			t.Errorf("%q: %v, %v", text, c.TrustedProxies, err)
		}
	}
}
