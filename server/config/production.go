package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// LocalJWTSecret is the signing secret of upstream's local stack. Anyone can create a
// service_role token with it.
const LocalJWTSecret = "super-secret-jwt-token-with-at-least-32-characters-long"

// knownSecrets lists published signing secrets: that of the local stack, and that of
// the self-hosting example.
var knownSecrets = []string{LocalJWTSecret, "your-" + LocalJWTSecret}

// knownS3Secret is the S3 secret of upstream's local stack.
const knownS3Secret = "850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907"

// IsKnownSecret reports whether a signing secret is publicly known.
func IsKnownSecret(secret string) bool { return slices.Contains(knownSecrets, secret) }

// CheckProduction returns an error for each setting that is not allowed in production.
func (c Config) CheckProduction() []error {
	var found []error
	if IsKnownSecret(c.JWTSecret.Reveal()) {
		found = append(found, errors.New("JWT_SECRET is a well-known one of local stacks: set a random one"))
	}
	if c.Storage.Protocol.SecretKey.Reveal() == knownS3Secret {
		found = append(found, errors.New("S3_PROTOCOL_ACCESS_KEY_SECRET is the well-known one of local stacks: set a random one, or none"))
	}
	if strings.HasPrefix(c.SiteURL, "http://") {
		found = append(found, fmt.Errorf("SITE_URL is %q: production needs https", c.SiteURL))
	}
	if c.Auth.SMTP.Host == "" {
		found = append(found, errors.New("GOTRUE_SMTP_HOST is empty: production needs a mail relay instead of the dev inbox"))
	}
	if c.Auth.Ways.Phone && c.Auth.SMS.Provider == "" && !c.Auth.Hook.SendSMS.Enabled {
		found = append(found, errors.New("GOTRUE_SMS_PROVIDER is empty: sign-in by phone needs a provider or the hook GOTRUE_HOOK_SEND_SMS; or set GOTRUE_EXTERNAL_PHONE_ENABLED=false"))
	}
	return append(found, c.unlimited()...)
}

// unlimited returns an error for each setting that makes rate limits by client address
// ineffective. There is always a proxy that terminates TLS; if it is not configured,
// all clients share its limits.
func (c Config) unlimited() []error {
	var found []error
	if len(c.TrustedProxies) == 0 {
		found = append(found, errors.New("PLAZA_TRUSTED_PROXIES is empty: name the addresses of the proxy that ends TLS, such as 127.0.0.1, since rate limits are by the client's address"))
	}
	for _, proxy := range c.TrustedProxies {
		if proxy.Bits() == 0 {
			found = append(found, fmt.Errorf("PLAZA_TRUSTED_PROXIES has %s, which is everybody: any client could choose its address and pass the limits", proxy))
		}
	}
	for _, name := range c.Auth.RateLimit.Off() {
		found = append(found, fmt.Errorf("GOTRUE_RATE_LIMIT_%s is 0, which is no limit: production needs one", name))
	}
	return found
}
