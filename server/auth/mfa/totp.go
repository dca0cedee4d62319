// Package mfa makes and checks second factors and passkeys. It knows nothing of
// accounts or sessions, and keeps nothing.
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

// Codes of authenticator apps: six digits, a new one every 30 seconds, by SHA-1,
// which is what all such apps can do. The code before and the one after are
// accepted, too, as clocks differ.
const (
	period = 30
	skew   = 1
)

// TOTP is what an authenticator app is set up with.
type TOTP struct {
	Secret string // 32 characters of base32
	URI    string // otpauth://totp/…
	QRCode string // an SVG of the URI
}

// NewTOTP makes a secret. issuer and account are what the app shows beside a code.
func NewTOTP(issuer, account string) (TOTP, error) {
	// A colon parts the two in the URI's path.
	key, err := totp.Generate(totp.GenerateOpts{
		Issuer: strings.ReplaceAll(issuer, ":", " "), AccountName: account, Period: period, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1,
	})
	if err != nil {
		return TOTP{}, fmt.Errorf("make secret: %w", err)
	}
	made := TOTP{Secret: key.Secret(), URI: key.URL()}
	made.QRCode, err = qrCode(made.URI)
	return made, err
}

// IssuerOf is the issuer where none is named: the host of the site.
func IssuerOf(site string) string {
	if parsed, err := url.Parse(site); err == nil && parsed.Host != "" {
		return parsed.Host
	}
	return site
}

// MatchTOTP reports whether a code is the secret's at a time, and of which time
// step it is. A step up to spent is refused, so that no code works twice.
func MatchTOTP(secret, code string, at time.Time, spent int64) (step int64, ok bool, err error) {
	code = strings.TrimSpace(code)
	now := at.Unix() / period
	for candidate := now - skew; candidate <= now+skew; candidate++ {
		want, err := hotp.GenerateCodeCustom(secret, uint64(candidate), hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}) // a step of our time is positive
		if err != nil {
			return 0, false, fmt.Errorf("make code: %w", err)
		}
		if token.Same(want, code) && candidate > spent {
			step, ok = candidate, true
		}
	}
	return step, ok, nil
}
