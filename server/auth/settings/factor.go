package settings

import "time"

// MFA has the settings of second factors.
type MFA struct {
	ChallengeExpiry float64             `env:"CHALLENGE_EXPIRY_DURATION" envDefault:"300"`      // seconds to answer a challenge
	FactorExpiry    time.Duration       `env:"FACTOR_EXPIRY_DURATION" envDefault:"300s"`        // until an unverified factor may be removed
	RateLimit       float64             `env:"RATE_LIMIT_CHALLENGE_AND_VERIFY" envDefault:"15"` // challenges, and attempts, per minute and address
	MaxEnrolled     int                 `env:"MAX_ENROLLED_FACTORS" envDefault:"10"`            // per user
	MaxVerified     int                 `env:"MAX_VERIFIED_FACTORS" envDefault:"10"`            // per user
	TOTP            FactorType          `envPrefix:"TOTP_"`                                     // authenticator apps
	Phone           PhoneFactor         `envPrefix:"PHONE_"`                                    // codes by SMS
	WebAuthn        OptionalFactor      `envPrefix:"WEB_AUTHN_"`                                // security keys
	RecoveryCodes   RecoveryCodesFactor `envPrefix:"RECOVERY_CODES_"`                           // not in upstream
}

// FactorType has the settings of a type of factors.
type FactorType struct {
	Enroll bool `env:"ENROLL_ENABLED" envDefault:"true"`
	Verify bool `env:"VERIFY_ENABLED" envDefault:"true"`
}

// OptionalFactor has the settings of a type of factors that is disabled by default.
type OptionalFactor struct {
	Enroll bool `env:"ENROLL_ENABLED" envDefault:"false"`
	Verify bool `env:"VERIFY_ENABLED" envDefault:"false"`
}

// PhoneFactor has the settings of factors that get a code by SMS.
type PhoneFactor struct {
	Enroll       bool          `env:"ENROLL_ENABLED" envDefault:"false"`
	Verify       bool          `env:"VERIFY_ENABLED" envDefault:"false"`
	OTPLength    int           `env:"OTP_LENGTH" envDefault:"6"`      // digits of a code, 6 to 10
	MaxFrequency time.Duration `env:"MAX_FREQUENCY" envDefault:"60s"` // between two messages to one factor
	Template     string        `env:"TEMPLATE"`                       // of the message; {{ .Code }} is the code
}

// RecoveryCodesFactor has the settings of recovery codes.
type RecoveryCodesFactor FactorType

func (c MFA) check(fail func(format string, args ...any)) {
	if c.ChallengeExpiry <= 0 && (c.TOTP.Verify || c.Phone.Verify || c.WebAuthn.Verify) {
		fail("GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION is %v: use a number of seconds above 0", c.ChallengeExpiry)
	}
	if length := c.Phone.OTPLength; c.Phone.Verify && (length < minCodeLength || length > maxCodeLength) {
		fail("GOTRUE_MFA_PHONE_OTP_LENGTH is %d: use %d to %d", length, minCodeLength, maxCodeLength)
	}
	if _, err := ParseSMSTemplate(c.Phone.Template); err != nil {
		fail("GOTRUE_MFA_PHONE_TEMPLATE: %w", err)
	}
}

// ChallengeLifetime returns how long a challenge can be answered.
func (c MFA) ChallengeLifetime() time.Duration {
	return time.Duration(c.ChallengeExpiry * float64(time.Second))
}

// WebAuthn has the relying party of security keys and passkeys. Empty fields are derived from the
// site's URL.
type WebAuthn struct {
	RPID            string        `env:"RP_ID"`           // the domain
	RPDisplayName   string        `env:"RP_DISPLAY_NAME"` // shown to users
	RPOrigins       []string      `env:"RP_ORIGINS"`      // of the pages that may use WebAuthn
	ChallengeExpiry time.Duration `env:"CHALLENGE_EXPIRY_DURATION" envDefault:"5m"`
}

// Passkey has the settings of passkeys.
type Passkey struct {
	Enabled bool `env:"ENABLED" envDefault:"false"`
	Max     int  `env:"MAX_PASSKEYS_PER_USER" envDefault:"10"`
}
