package auth

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"plaza/server/auth/password"
	"plaza/server/secret"
)

// Config carries GoTrue's settings by their names (without the prefix GOTRUE_)
// and defaults, unless a comment says otherwise.
type Config struct {
	DisableSignup bool     `env:"DISABLE_SIGNUP" envDefault:"false"`
	URIAllowList  []string `env:"URI_ALLOW_LIST"` // further redirect targets, as globs
	JWT           JWT      `envPrefix:"JWT_"`
	Password      Password `envPrefix:"PASSWORD_"`
	Mailer        Mailer   `envPrefix:"MAILER_"`
	Security      Security `envPrefix:"SECURITY_"`
	Sessions      Sessions `envPrefix:"SESSIONS_"`
	AuditLog      AuditLog `envPrefix:"AUDIT_LOG_"`
	Hook          Hooks    `envPrefix:"HOOK_"`
	SMTP          SMTP     `envPrefix:"SMTP_"`
}

// JWT says how access tokens are made.
type JWT struct {
	Expiry int    `env:"EXP" envDefault:"3600"` // seconds
	Aud    string `env:"AUD" envDefault:"authenticated"`
	Issuer string `env:"ISSUER"` // iss claim; empty: the address of the auth API
}

// Password says which passwords are accepted.
type Password struct {
	MinLength          int                    `env:"MIN_LENGTH" envDefault:"6"`
	RequiredCharacters password.CharacterSets `env:"REQUIRED_CHARACTERS"` // sets separated by ":", of each one character is needed
}

// Mailer says how addresses are confirmed.
type Mailer struct {
	Autoconfirm       bool `env:"AUTOCONFIRM" envDefault:"false"`
	SecureEmailChange bool `env:"SECURE_EMAIL_CHANGE_ENABLED" envDefault:"true"` // the old address confirms a change, too
	OTPExpiry         int  `env:"OTP_EXP" envDefault:"86400"`                    // seconds a link or code is valid
	OTPLength         int  `env:"OTP_LENGTH" envDefault:"6"`                     // digits of a code, 6 to 10
}

// Security says how sessions and passwords are kept.
type Security struct {
	RefreshTokenRotation bool `env:"REFRESH_TOKEN_ROTATION_ENABLED" envDefault:"true"`
	// ReuseInterval is in seconds; upstream's default is 0 and its hosted one 10.
	ReuseInterval          int  `env:"REFRESH_TOKEN_REUSE_INTERVAL" envDefault:"10"`
	RequireCurrentPassword bool `env:"UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD" envDefault:"false"`
}

// Sessions limits how long a session can be refreshed; zero means no limit.
type Sessions struct {
	Timebox           time.Duration `env:"TIMEBOX"`            // from sign-in
	InactivityTimeout time.Duration `env:"INACTIVITY_TIMEOUT"` // from the last refresh
}

// AuditLog says where the audit trail goes.
type AuditLog struct {
	DisablePostgres bool `env:"DISABLE_POSTGRES" envDefault:"false"` // write no auth.audit_log_entries
}

// Hooks are functions of the project that the auth server asks.
type Hooks struct {
	PasswordVerification Hook `envPrefix:"PASSWORD_VERIFICATION_ATTEMPT_"`
}

// Hook is one such function: pg-functions://postgres/schema/function.
type Hook struct {
	Enabled bool   `env:"ENABLED" envDefault:"false"`
	URI     string `env:"URI"`
}

// SMTP is the mail relay; without a host mails go to the dev inbox.
type SMTP struct {
	Host         string        `env:"HOST"`
	Port         int           `env:"PORT" envDefault:"587"`
	User         string        `env:"USER"`
	Pass         secret.Text   `env:"PASS"`
	AdminEmail   string        `env:"ADMIN_EMAIL"` // the sender's address
	SenderName   string        `env:"SENDER_NAME"`
	MaxFrequency time.Duration `env:"MAX_FREQUENCY" envDefault:"60s"` // between two mails to one user
}

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
	if c.Mailer.OTPLength < minCodeLength || c.Mailer.OTPLength > maxCodeLength {
		fail("GOTRUE_MAILER_OTP_LENGTH is %d: use %d to %d", c.Mailer.OTPLength, minCodeLength, maxCodeLength)
	}
	if c.SMTP.Host != "" && c.SMTP.AdminEmail == "" {
		fail("GOTRUE_SMTP_ADMIN_EMAIL is empty: mails need a sender's address")
	}
	for _, pattern := range c.URIAllowList {
		if _, err := compileGlob(pattern); err != nil {
			fail("GOTRUE_URI_ALLOW_LIST: %w", err)
		}
	}
	if c.Hook.PasswordVerification.Enabled {
		if _, err := c.Hook.PasswordVerification.function(); err != nil {
			fail("GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_URI: %w", err)
		}
	}
	return errors.Join(wrong...)
}

var hookName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_$]{0,62}$`)

// function gives the quoted SQL name of the hook's function.
func (h Hook) function() (string, error) {
	address, err := url.Parse(h.URI)
	if err != nil {
		return "", fmt.Errorf("%q is no address: %w", h.URI, err)
	}
	parts := strings.Split(strings.Trim(address.Path, "/"), "/")
	if address.Scheme != "pg-functions" || len(parts) != 2 || !hookName.MatchString(parts[0]) || !hookName.MatchString(parts[1]) {
		return "", fmt.Errorf("%q: use pg-functions://postgres/schema/function", h.URI)
	}
	return `"` + parts[0] + `"."` + parts[1] + `"`, nil
}
