// Package autherr has the error codes of the auth server and constructors of its API errors.
package autherr

import (
	"math"
	"net/http"
	"strconv"

	"plaza/server/apierr"
)

// Error codes of the API. Source: supabase/auth.
const (
	CodeUnexpected            = "unexpected_failure"
	CodeValidation            = "validation_failed"
	CodeBadJSON               = "bad_json"
	CodeConflict              = "conflict"
	CodeBadJWT                = "bad_jwt"
	CodeNoAuthorization       = "no_authorization"
	CodeNotAdmin              = "not_admin"
	CodeAudience              = "unexpected_audience"
	CodeEmailExists           = "email_exists"
	CodePhoneExists           = "phone_exists"
	CodeUserExists            = "user_already_exists"
	CodeUserNotFound          = "user_not_found"
	CodeUserBanned            = "user_banned"
	CodeSSOManaged            = "user_sso_managed"
	CodeSessionNotFound       = "session_not_found"
	CodeSessionExpired        = "session_expired"
	CodeRefreshNotFound       = "refresh_token_not_found"
	CodeRefreshUsed           = "refresh_token_already_used"
	CodeFlowNotFound          = "flow_state_not_found"
	CodeFlowExpired           = "flow_state_expired"
	CodeFlowUsed              = "flow_state_already_used"
	CodeBadVerifier           = "bad_code_verifier"
	CodeSignupDisabled        = "signup_disabled"
	CodeOTPDisabled           = "otp_disabled"
	CodeOTPExpired            = "otp_expired"
	CodeInviteNotFound        = "invite_not_found"
	CodeEmailDisabled         = "email_provider_disabled"
	CodePhoneDisabled         = "phone_provider_disabled"
	CodeAnonymousDisabled     = "anonymous_provider_disabled"
	CodeInvalidLogin          = "invalid_credentials"
	CodeNotConfirmed          = "email_not_confirmed"
	CodePhoneNotConfirmed     = "phone_not_confirmed"
	CodeAddressRefused        = "email_address_not_authorized"
	CodeWeakPassword          = "weak_password"
	CodeSamePassword          = "same_password"
	CodeCurrentRequired       = "current_password_required"
	CodeCurrentInvalid        = "current_password_invalid"
	CodeReauthNeeded          = "reauthentication_needed"
	CodeReauthInvalid         = "reauthentication_not_valid"
	CodeInsufficientAAL       = "insufficient_aal"
	CodeCaptcha               = "captcha_failed"
	CodeSMSFailed             = "sms_send_failed"
	CodeMailRate              = "over_email_send_rate_limit"
	CodeSMSRate               = "over_sms_send_rate_limit"
	CodeRequestRate           = "over_request_rate_limit"
	CodeHookTimeout           = "hook_timeout"
	CodeHookTimeoutAfterRetry = "hook_timeout_after_retry"
	CodeHookSize              = "hook_payload_over_size_limit"
	CodeHookType              = "hook_payload_invalid_content_type"
	CodeFeatureDisabled       = "feature_disabled"
	CodeTimeout               = "request_timeout"
	CodeMetadataSize          = "metadata_too_large" // not in supabase/auth
)

// Error codes of the OAuth server. Source: supabase/auth; insufficient_scope is from
// RFC 6750.
const (
	CodeClientNotFound        = "oauth_client_not_found"
	CodeAuthorizationNotFound = "oauth_authorization_not_found"
	CodeConsentNotFound       = "oauth_consent_not_found"
	CodeRegistrationDisabled  = "oauth_dynamic_client_registration_disabled"
	CodeInsufficientScope     = "insufficient_scope"
)

// Error codes of second factors and passkeys. Source: supabase/auth; those of recovery
// codes are from auth-js.
const (
	CodeFactorName        = "mfa_factor_name_conflict"
	CodeTooManyFactors    = "too_many_enrolled_mfa_factors"
	CodeFactorNotFound    = "mfa_factor_not_found"
	CodeMFAAddress        = "mfa_ip_address_mismatch"
	CodeChallengeExpired  = "mfa_challenge_expired"
	CodeMFAFailed         = "mfa_verification_failed"
	CodeMFARejected       = "mfa_verification_rejected"
	CodeTOTPEnroll        = "mfa_totp_enroll_not_enabled"
	CodeTOTPVerify        = "mfa_totp_verify_not_enabled"
	CodePhoneEnroll       = "mfa_phone_enroll_not_enabled"
	CodePhoneVerify       = "mfa_phone_verify_not_enabled"
	CodeWebAuthnEnroll    = "mfa_webauthn_enroll_not_enabled"
	CodeWebAuthnVerify    = "mfa_webauthn_verify_not_enabled"
	CodeFactorVerified    = "mfa_verified_factor_exists"
	CodeRecoveryEnroll    = "mfa_recovery_codes_enroll_not_enabled"
	CodeRecoveryVerify    = "mfa_recovery_codes_verify_not_enabled"
	CodeRecoveryLocked    = "mfa_recovery_codes_locked"
	CodeRecoverySole      = "mfa_recovery_codes_sole_factor"
	CodePasskeyDisabled   = "passkey_disabled"
	CodeTooManyPasskeys   = "too_many_passkeys"
	CodeChallengeNotFound = "webauthn_challenge_not_found"
	CodeCeremonyExpired   = "webauthn_challenge_expired"
	CodeCeremonyFailed    = "webauthn_verification_failed"
	CodeCredentialExists  = "webauthn_credential_exists"
)

// Error codes of sign-ins through external providers. Source: supabase/auth.
const (
	CodeBadOAuthCallback = "bad_oauth_callback"
	CodeBadOAuthState    = "bad_oauth_state"
	CodeInvalidState     = "oauth_invalid_state"
	CodeClientState      = "oauth_client_state_not_found"
	CodeProviderEmail    = "provider_email_needs_verification"
	CodeProviderDisabled = "provider_disabled"
	CodeManualLinking    = "manual_linking_disabled"
	CodeIdentityExists   = "identity_already_exists"
	CodeIdentityNotFound = "identity_not_found"
	CodeSingleIdentity   = "single_identity_not_deletable"
	CodeEmailConflict    = "email_conflict_identity_not_deletable"
	CodeCustomNotFound   = "custom_provider_not_found"
	CodeCustomQuota      = "over_custom_provider_quota"
)

// BadRequest returns an error with status 400.
func BadRequest(code, format string, args ...any) *apierr.Error {
	return apierr.New(http.StatusBadRequest, code, format, args...)
}

// Unprocessable returns an error with status 422.
func Unprocessable(code, format string, args ...any) *apierr.Error {
	return apierr.New(http.StatusUnprocessableEntity, code, format, args...)
}

// Unauthorized returns an error with status 401.
func Unauthorized(code, format string, args ...any) *apierr.Error {
	return apierr.New(http.StatusUnauthorized, code, format, args...)
}

// Forbidden returns an error with status 403.
func Forbidden(code, format string, args ...any) *apierr.Error {
	return apierr.New(http.StatusForbidden, code, format, args...)
}

// NotFound returns an error with status 404.
func NotFound(code, format string, args ...any) *apierr.Error {
	return apierr.New(http.StatusNotFound, code, format, args...)
}

// Internal returns an error with status 500. The client sees its message.
func Internal(format string, args ...any) *apierr.Error {
	return apierr.New(http.StatusInternalServerError, CodeUnexpected, format, args...)
}

// FromHook returns an error that a hook of the project reported. A status outside of
// 400 to 599 becomes 500.
func FromHook(status int, message string) *apierr.Error {
	if status < http.StatusBadRequest || status > 599 {
		status = http.StatusInternalServerError
	}
	return apierr.New(status, CodeUnexpected, "%s", message)
}

// TooManyRequests returns an error with status 429 and a Retry-After header of wait
// seconds.
func TooManyRequests(code string, wait float64, format string, args ...any) *apierr.Error {
	refused := apierr.New(http.StatusTooManyRequests, code, format, args...)
	refused.Headers = map[string]string{"Retry-After": strconv.Itoa(int(math.Ceil(wait)))}
	return refused
}

// TooManyAttempts returns an error with status 429 without a Retry-After header of its own.
func TooManyAttempts(code, format string, args ...any) *apierr.Error {
	return apierr.New(http.StatusTooManyRequests, code, format, args...)
}

// IsTooManyRequests reports whether err has status 429.
func IsTooManyRequests(err error) bool {
	refused := apierr.As(err)
	return refused != nil && refused.Status == http.StatusTooManyRequests
}
