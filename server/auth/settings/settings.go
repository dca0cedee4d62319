// Package settings has the auth server's settings, with GoTrue's names.
package settings

import (
	"errors"
	"fmt"
	"time"

	"plaza/server/auth/password"
	"plaza/server/auth/provider"
	"plaza/server/claims"
	"plaza/server/secret"
)

// CaptchaServices are the verification URLs of captcha services. Source: their documentation.
var CaptchaServices = map[string]string{
	"hcaptcha":  "https://hcaptcha.com/siteverify",
	"turnstile": "https://challenges.cloudflare.com/turnstile/v0/siteverify",
}

// Config has GoTrue's settings with their names (without the prefix GOTRUE_) and defaults, unless a
// comment says otherwise.
type Config struct {
	DisableSignup bool      `env:"DISABLE_SIGNUP" envDefault:"false"`
	URIAllowList  []string  `env:"URI_ALLOW_LIST"` // additional redirect targets, as globs
	Ways          Ways      `envPrefix:"EXTERNAL_"`
	JWT           JWT       `envPrefix:"JWT_"`
	Password      Password  `envPrefix:"PASSWORD_"`
	Mailer        Mailer    `envPrefix:"MAILER_"`
	SMTP          SMTP      `envPrefix:"SMTP_"`
	SMS           SMS       `envPrefix:"SMS_"`
	Security      Security  `envPrefix:"SECURITY_"`
	Sessions      Sessions  `envPrefix:"SESSIONS_"`
	RateLimit     RateLimit `envPrefix:"RATE_LIMIT_"`
	MFA           MFA       `envPrefix:"MFA_"`
	WebAuthn      WebAuthn  `envPrefix:"WEBAUTHN_"`
	Passkey       Passkey   `envPrefix:"PASSKEY_"`
	AuditLog      AuditLog  `envPrefix:"AUDIT_LOG_"`
	Hook          Hooks     `envPrefix:"HOOK_"`

	External     provider.Config `envPrefix:"EXTERNAL_"`     // external providers
	OAuthServer  OAuthServer     `envPrefix:"OAUTH_SERVER_"` // this server as a provider
	CustomOAuth  CustomOAuth     `envPrefix:"CUSTOM_OAUTH_"`
	Experimental Experimental    `envPrefix:"EXPERIMENTAL_"`
}

// Ways has the sign-in methods without an external provider.
type Ways struct {
	Anonymous           bool     `env:"ANONYMOUS_USERS_ENABLED" envDefault:"false"`
	Email               bool     `env:"EMAIL_ENABLED" envDefault:"true"`
	MagicLink           bool     `env:"EMAIL_MAGIC_LINK_ENABLED" envDefault:"true"`
	AuthorizedAddresses []string `env:"EMAIL_AUTHORIZED_ADDRESSES"` // the only addresses to which mails are sent; empty: any
	Phone               bool     `env:"PHONE_ENABLED" envDefault:"false"`
}

// JWT has the settings of access tokens.
type JWT struct {
	Expiry     int      `env:"EXP" envDefault:"3600"` // seconds
	Aud        string   `env:"AUD" envDefault:"authenticated"`
	Issuer     string   `env:"ISSUER"` // iss claim; empty: the URL of the auth API
	Role       string   `env:"DEFAULT_GROUP_NAME" envDefault:"authenticated"`
	AdminRoles []string `env:"ADMIN_ROLES" envDefault:"service_role,supabase_admin"`
	// Keys is a list of private JSON Web Keys. If it is empty, the keys in the database are used, which
	// the command "plaza keys" creates.
	Keys secret.Text `env:"KEYS"`
}

// Password has the requirements for passwords.
type Password struct {
	MinLength          int                    `env:"MIN_LENGTH" envDefault:"6"`
	RequiredCharacters password.CharacterSets `env:"REQUIRED_CHARACTERS"` // sets separated by ":"; one character of each is required
	Leaked             Leaked                 `envPrefix:"HIBP_"`
}

// Leaked has the settings of the lookup of passwords known from breaches. File, which upstream does
// not have, looks them up locally.
type Leaked struct {
	Enabled    bool   `env:"ENABLED" envDefault:"false"`
	FailClosed bool   `env:"FAIL_CLOSED" envDefault:"false"` // refuse passwords if the service fails
	UserAgent  string `env:"USER_AGENT" envDefault:"plaza"`
	URL        string `env:"URL" envDefault:"https://api.pwnedpasswords.com"`
	File       string `env:"FILE"` // a sorted list of SHA-1 hashes, as downloaded from the service
}

// Security has the settings of sessions and of changes to accounts.
type Security struct {
	RefreshTokenRotation bool `env:"REFRESH_TOKEN_ROTATION_ENABLED" envDefault:"true"`
	// ReuseInterval is in seconds. Upstream's default is 0; that of its hosted service is 10.
	ReuseInterval           int        `env:"REFRESH_TOKEN_REUSE_INTERVAL" envDefault:"10"`
	RequireCurrentPassword  bool       `env:"UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD" envDefault:"false"`
	RequireReauthentication bool       `env:"UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION" envDefault:"false"` // a nonce for a session older than a day
	ManualLinking           bool       `env:"MANUAL_LINKING_ENABLED" envDefault:"false"`
	Captcha                 Captcha    `envPrefix:"CAPTCHA_"`
	Encryption              Encryption `envPrefix:"DB_ENCRYPTION_"`

	// Whether users may delete their own account, and export its data. Upstream has neither.
	UserDeletion bool `env:"USER_DELETION_ENABLED" envDefault:"false"`
	UserExport   bool `env:"USER_EXPORT_ENABLED" envDefault:"false"`
}

// Captcha has the settings of the captcha service.
type Captcha struct {
	Enabled  bool          `env:"ENABLED" envDefault:"false"`
	Provider string        `env:"PROVIDER" envDefault:"hcaptcha"` // or turnstile
	Secret   secret.Text   `env:"SECRET"`
	Timeout  time.Duration `env:"TIMEOUT" envDefault:"10s"`
	URL      string        `env:"URL"` // replaces the service's URL; not in upstream
}

// Sessions has the limits of sessions. Zero means no limit.
type Sessions struct {
	Timebox           time.Duration `env:"TIMEBOX"`            // from sign-in
	InactivityTimeout time.Duration `env:"INACTIVITY_TIMEOUT"` // from the last refresh
	AllowLowAAL       time.Duration `env:"ALLOW_LOW_AAL"`      // for a user with a second factor who has not used it
	SinglePerUser     bool          `env:"SINGLE_PER_USER" envDefault:"false"`
	Tags              []string      `env:"TAGS"` // kinds of clients; with SinglePerUser each may have a session
}

// AuditLog has the settings of the audit trail.
type AuditLog struct {
	DisablePostgres bool          `env:"DISABLE_POSTGRES" envDefault:"false"` // write no auth.audit_log_entries
	Retention       time.Duration `env:"RETENTION" envDefault:"17520h"`       // entries are dropped by whole months after it; 0 keeps them
}

// Limits of a code's length. Source: upstream uses 6 for other lengths.
const (
	minCodeLength = 6
	maxCodeLength = 10
)

// Check validates the settings.
func (c Config) Check() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
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
	if c.AuditLog.Retention < 0 {
		fail("GOTRUE_AUDIT_LOG_RETENTION is %s: use a duration, or 0 to keep the entries", c.AuditLog.Retention)
	}
	if c.SMTP.Host != "" && c.SMTP.AdminEmail == "" {
		fail("GOTRUE_SMTP_ADMIN_EMAIL is empty: mails need a sender's address")
	}
	for _, pattern := range c.URIAllowList {
		if _, err := CompileGlob(pattern); err != nil {
			fail("GOTRUE_URI_ALLOW_LIST: %w", err)
		}
	}
	if captcha := c.Security.Captcha; captcha.Enabled {
		if _, ok := CaptchaServices[captcha.Provider]; !ok {
			fail("GOTRUE_SECURITY_CAPTCHA_PROVIDER is %q: use hcaptcha or turnstile", captcha.Provider)
		}
		if captcha.Secret.Reveal() == "" {
			fail("GOTRUE_SECURITY_CAPTCHA_SECRET is empty")
		}
	}
	if err := c.SMS.check(); err != nil {
		errs = append(errs, err)
	}
	if _, err := c.Security.Encryption.Box(nil); err != nil {
		errs = append(errs, err)
	}
	if keys := c.JWT.Keys.Reveal(); keys != "" {
		if _, err := claims.ParseSigningKeys([]byte(keys)); err != nil {
			fail("GOTRUE_JWT_KEYS: %w", err)
		}
	}
	if _, err := ReadHooks(c.Hook, time.Now); err != nil {
		errs = append(errs, err)
	}
	c.MFA.check(fail)
	c.OAuthServer.check(fail)
	return errors.Join(errs...)
}
