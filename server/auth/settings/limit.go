package settings

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// RateLimit bounds requests: by address in five minutes, unless a comment says
// otherwise.
type RateLimit struct {
	EmailSent        Rate    `env:"EMAIL_SENT" envDefault:"30"` // in an hour, of the whole project
	SMSSent          Rate    `env:"SMS_SENT" envDefault:"30"`   // in an hour, of the whole project
	Verify           float64 `env:"VERIFY" envDefault:"30"`
	TokenRefresh     float64 `env:"TOKEN_REFRESH" envDefault:"150"`
	SSO              float64 `env:"SSO" envDefault:"30"`
	AnonymousUsers   float64 `env:"ANONYMOUS_USERS" envDefault:"30"` // in an hour
	OTP              float64 `env:"OTP" envDefault:"30"`
	Passkey          float64 `env:"PASSKEY" envDefault:"30"`
	Register         float64 `env:"OAUTH_DYNAMIC_CLIENT_REGISTER" envDefault:"10"`
	PasswordFailures float64 `env:"PASSWORD_FAILURES" envDefault:"30"` // ours: wrong passwords for one account
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
