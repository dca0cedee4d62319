// Package session creates, refreshes and ends sessions and issues their tokens.
package session

// Sign-in methods as named in the amr claim. A link or a typed code is recorded as otp,
// also if it confirms an address or starts a recovery. Only a PKCE flow records its
// purpose.
const (
	MethodPassword    = "password"
	MethodOTP         = "otp"
	MethodSignup      = "email/signup"
	MethodRecovery    = "recovery"
	MethodMagicLink   = "magiclink"
	MethodEmailChange = "email_change"
	MethodAnonymous   = "anonymous"
	MethodRefresh     = "token_refresh" // only sent to the project's hook
)
