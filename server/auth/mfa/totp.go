// Package mfa creates and verifies TOTP secrets, recovery codes and WebAuthn credentials. It
// has no state and does not depend on accounts or sessions.
package mfa

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"plaza/server/auth/token"
)

// Codes of authenticator apps have six digits, change every 30 seconds and use SHA-1, which
// all such apps support. The previous and the next code are accepted, too, because clocks
// differ.
const (
	period = 30 // seconds
	skew   = 1  // periods
)

// TOTP has the data for setting up an authenticator app.
type TOTP struct {
	Secret string // 32 characters of base32
	URI    string // otpauth://totp/…
	QRCode string // an SVG of the URI
}

// NewTOTP returns a new secret. The app shows issuer and account beside a code.
func NewTOTP(issuer, account string) (TOTP, error) {
	// A colon separates the two in the URI's path.
	key, err := totp.Generate(totp.GenerateOpts{
		Issuer: strings.ReplaceAll(issuer, ":", " "), AccountName: account, Period: period, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1,
	})
	if err != nil {
		return TOTP{}, fmt.Errorf("generate TOTP secret: %w", err)
	}
	made := TOTP{Secret: key.Secret(), URI: key.URL()}
	made.QRCode, err = qrCode(made.URI)
	return made, err
}

// IssuerOf returns the default issuer, the host of the site.
func IssuerOf(site string) string {
	if parsed, err := url.Parse(site); err == nil && parsed.Host != "" {
		return parsed.Host
	}
	return site
}

// MatchTOTP reports whether a code is valid for a secret at a time, and returns its time step.
// Steps up to spent are refused, so that no code works twice.
func MatchTOTP(secret, code string, at time.Time, spent int64) (step int64, ok bool, err error) {
	code = strings.TrimSpace(code)
	now := at.Unix() / period
	for candidate := now - skew; candidate <= now+skew; candidate++ {
		want, err := hotp.GenerateCodeCustom(secret, uint64(candidate), hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}) // the conversion is safe: steps since 1970 are positive
		if err != nil {
			return 0, false, fmt.Errorf("generate TOTP code: %w", err)
		}
		if token.Equal(want, code) && candidate > spent {
			step, ok = candidate, true
		}
	}
	return step, ok, nil
}
