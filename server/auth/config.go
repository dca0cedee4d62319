package auth

import (
	"time"

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
	SMTP          SMTP     `envPrefix:"SMTP_"`
}

// JWT says how access tokens are made.
type JWT struct {
	Expiry int    `env:"EXP" envDefault:"3600"` // seconds
	Aud    string `env:"AUD" envDefault:"authenticated"`
}

// Password says which passwords are accepted.
type Password struct {
	MinLength          int      `env:"MIN_LENGTH" envDefault:"6"`
	RequiredCharacters []string `env:"REQUIRED_CHARACTERS" envSeparator:":"` // each a set of which one character is needed
}

// Mailer says how addresses are confirmed.
type Mailer struct {
	Autoconfirm bool          `env:"AUTOCONFIRM" envDefault:"false"`
	OTPExpiry   int           `env:"OTP_EXP" envDefault:"86400"` // seconds a link or code is valid
	OTPLength   int           `env:"OTP_LENGTH" envDefault:"6"`
	MinInterval time.Duration `env:"MIN_INTERVAL" envDefault:"60s"` // between two mails to one user
}

// Security says how sessions are kept.
type Security struct {
	RefreshTokenRotation bool `env:"REFRESH_TOKEN_ROTATION_ENABLED" envDefault:"true"`
	// ReuseInterval is in seconds; upstream's default is 0 and its hosted one 10.
	ReuseInterval int `env:"REFRESH_TOKEN_REUSE_INTERVAL" envDefault:"10"`
}

// SMTP is the mail relay; without a host mails go to the dev inbox.
type SMTP struct {
	Host       string      `env:"HOST"`
	Port       int         `env:"PORT" envDefault:"587"`
	User       string      `env:"USER"`
	Pass       secret.Text `env:"PASS"`
	AdminEmail string      `env:"ADMIN_EMAIL"` // the sender's address
	SenderName string      `env:"SENDER_NAME"`
}
