// Package session has the ways by which sessions begin.
package session

// Methods of signing in, as the amr claim names them. A link or a typed code is
// recorded as otp, also where it confirms an address or opens a recovery; only a
// PKCE flow remembers what it was for.
const (
	MethodPassword    = "password"
	MethodOTP         = "otp"
	MethodSignup      = "email/signup"
	MethodRecovery    = "recovery"
	MethodMagicLink   = "magiclink"
	MethodEmailChange = "email_change"
	MethodAnonymous   = "anonymous"
	MethodRefresh     = "token_refresh" // only in what the project's hook is told
)
