package auth

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"plaza/server/auth/password"
	"plaza/server/auth/seal"
	"plaza/server/claims"
)

// Limits of a code's length. Source: upstream falls back to 6 outside of these.
const (
	minCodeLength = 6
	maxCodeLength = 10
)

// Check finds settings that cannot work.
func (c Config) Check() error {
	var wrong []error
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if c.JWT.Expiry < 1 {
		fail("GOTRUE_JWT_EXP is %d: use a number of seconds above 0", c.JWT.Expiry)
	}
	if c.Password.MinLength > password.MaxLength {
		fail("GOTRUE_PASSWORD_MIN_LENGTH is %d: bcrypt reads %d bytes at most", c.Password.MinLength, password.MaxLength)
	}
	for name, length := range map[string]int{"MAILER": c.Mailer.OTPLength, "SMS": c.SMS.OTPLength} {
		if length < minCodeLength || length > maxCodeLength {
			fail("GOTRUE_%s_OTP_LENGTH is %d: use %d to %d", name, length, minCodeLength, maxCodeLength)
		}
	}
	if c.Mailer.Autoconfirm && c.Mailer.AllowUnverified {
		fail("GOTRUE_MAILER_AUTOCONFIRM and GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS are both true: use one")
	}
	if c.SMTP.Host != "" && c.SMTP.AdminEmail == "" {
		fail("GOTRUE_SMTP_ADMIN_EMAIL is empty: mails need a sender's address")
	}
	for _, pattern := range c.URIAllowList {
		if _, err := compileGlob(pattern); err != nil {
			fail("GOTRUE_URI_ALLOW_LIST: %w", err)
		}
	}
	if captcha := c.Security.Captcha; captcha.Enabled {
		if _, ok := captchaServices[captcha.Provider]; !ok {
			fail("GOTRUE_SECURITY_CAPTCHA_PROVIDER is %q: use hcaptcha or turnstile", captcha.Provider)
		}
		if captcha.Secret.Reveal() == "" {
			fail("GOTRUE_SECURITY_CAPTCHA_SECRET is empty")
		}
	}
	if err := c.SMS.check(); err != nil {
		wrong = append(wrong, err)
	}
	if _, err := c.Security.Encryption.box(nil); err != nil {
		wrong = append(wrong, err)
	}
	if keys := c.JWT.Keys.Reveal(); keys != "" {
		if _, err := claims.ParseSigningKeys([]byte(keys)); err != nil {
			fail("GOTRUE_JWT_KEYS: %w", err)
		}
	}
	if _, err := newHooks(c.Hook, time.Now); err != nil {
		wrong = append(wrong, err)
	}
	c.MFA.check(fail)
	c.OAuthServer.check(fail)
	return errors.Join(wrong...)
}

// Configured returns the settings without a provider that nothing is said of:
// upstream's compose file names twilio and leaves its account empty.
func (c SMS) Configured() SMS {
	if c.Provider == "twilio" && c.Twilio.AccountSID == "" && c.Twilio.AuthToken.Reveal() == "" && c.Twilio.MessageServiceSID == "" {
		c.Provider = ""
	}
	return c
}

func (c SMS) check() error {
	switch {
	case c.Provider != "" && c.Provider != "twilio":
		return fmt.Errorf("GOTRUE_SMS_PROVIDER is %q: use twilio, or the hook GOTRUE_HOOK_SEND_SMS for another", c.Provider)
	case c.Provider == "twilio" && (c.Twilio.AccountSID == "" || c.Twilio.AuthToken.Reveal() == "" || c.Twilio.MessageServiceSID == ""):
		return errors.New("GOTRUE_SMS_TWILIO_ACCOUNT_SID, _AUTH_TOKEN and _MESSAGE_SERVICE_SID are needed for twilio")
	}
	_, err := smsTemplate(c.Template)
	if err != nil {
		return fmt.Errorf("GOTRUE_SMS_TEMPLATE: %w", err)
	}
	return nil
}

// derivedKey is the name of the key that follows from the signing secret.
const derivedKey = "default"

// box makes the box of the configured keys, with the one that follows from
// secret, which also seals where none is configured.
func (e Encryption) box(secret []byte) (*seal.Box, error) {
	current := derivedKey
	keys := map[string][]byte{derivedKey: seal.Derive(secret)}
	read := func(variable, id, text string) error {
		key, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
		if err != nil || len(key) != seal.KeySize || id == "" || strings.Contains(id, ".") {
			return fmt.Errorf("GOTRUE_SECURITY_DB_ENCRYPTION_%s: a key needs an id without a dot and %d bytes in base64url", variable, seal.KeySize)
		}
		keys[id] = key
		return nil
	}
	for id, text := range e.OldKeys {
		if err := read("DECRYPTION_KEYS", id, text); err != nil {
			return nil, err
		}
	}
	if text := e.Key.Reveal(); text != "" {
		if err := read("ENCRYPTION_KEY", e.KeyID, text); err != nil {
			return nil, err
		}
		current = e.KeyID
	}
	return seal.New(current, keys)
}

// Rate is a number of events, in an hour unless it says otherwise: "30" or
// "100/24h". Source: supabase/auth.
type Rate struct {
	Events float64
	Over   time.Duration
}

// UnmarshalText reads a rate.
func (r *Rate) UnmarshalText(text []byte) error {
	events, over, given := strings.Cut(string(text), "/")
	r.Over = time.Hour
	var err error
	if r.Events, err = strconv.ParseFloat(strings.TrimSpace(events), 64); err != nil || r.Events < 0 {
		return fmt.Errorf("%q is no rate: use a number such as 30, or 100/24h", text)
	}
	if given {
		if r.Over, err = time.ParseDuration(strings.TrimSpace(over)); err != nil || r.Over <= 0 {
			return fmt.Errorf("%q is no rate: use a number such as 30, or 100/24h", text)
		}
	}
	return nil
}

// Off names the limits, by the ends of their variables, that are 0 and so do not hold.
func (r RateLimit) Off() []string {
	var off []string
	for _, limit := range []struct {
		name   string
		events float64
	}{
		{"EMAIL_SENT", r.EmailSent.Events}, {"SMS_SENT", r.SMSSent.Events}, {"VERIFY", r.Verify}, {"TOKEN_REFRESH", r.TokenRefresh}, {"SSO", r.SSO},
		{"ANONYMOUS_USERS", r.AnonymousUsers}, {"OTP", r.OTP}, {"PASSKEY", r.Passkey}, {"OAUTH_DYNAMIC_CLIENT_REGISTER", r.Register},
		{"PASSWORD_FAILURES", r.PasswordFailures},
	} {
		if limit.events <= 0 {
			off = append(off, limit.name)
		}
	}
	return off
}
