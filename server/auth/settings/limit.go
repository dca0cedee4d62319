package settings

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// RateLimit has the rate limits. They count per client address and five minutes unless a comment
// says otherwise.
type RateLimit struct {
	EmailSent        Rate    `env:"EMAIL_SENT" envDefault:"30"` // per hour, for the whole project
	SMSSent          Rate    `env:"SMS_SENT" envDefault:"30"`   // per hour, for the whole project
	Verify           float64 `env:"VERIFY" envDefault:"30"`
	TokenRefresh     float64 `env:"TOKEN_REFRESH" envDefault:"150"`
	SSO              float64 `env:"SSO" envDefault:"30"`
	AnonymousUsers   float64 `env:"ANONYMOUS_USERS" envDefault:"30"` // per hour
	OTP              float64 `env:"OTP" envDefault:"30"`
	Passkey          float64 `env:"PASSKEY" envDefault:"30"`
	Register         float64 `env:"OAUTH_DYNAMIC_CLIENT_REGISTER" envDefault:"10"`
	PasswordFailures float64 `env:"PASSWORD_FAILURES" envDefault:"30"` // wrong passwords for one account; not in upstream
}

// Rate is a number of events per interval, which is an hour by default: "30" or "100/24h". Source:
// supabase/auth.
type Rate struct {
	Events float64
	Over   time.Duration
}

// UnmarshalText parses a rate.
func (r *Rate) UnmarshalText(text []byte) error {
	events, over, hasInterval := strings.Cut(string(text), "/")
	r.Over = time.Hour
	var err error
	if r.Events, err = strconv.ParseFloat(strings.TrimSpace(events), 64); err != nil || r.Events < 0 {
		return fmt.Errorf("%q is not a rate: use a number such as 30, or 100/24h", text)
	}
	if hasInterval {
		if r.Over, err = time.ParseDuration(strings.TrimSpace(over)); err != nil || r.Over <= 0 {
			return fmt.Errorf("%q is not a rate: use a number such as 30, or 100/24h", text)
		}
	}
	return nil
}

// Off returns the disabled limits, those that are 0, by the suffixes of their variables.
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
