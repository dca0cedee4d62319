package auth

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
	"plaza/server/auth/password"
	"plaza/server/httpx"
)

// Codes of the errors a client may see. Source: supabase/auth.
const (
	codeUnexpected            = "unexpected_failure"
	codeValidation            = "validation_failed"
	codeBadJSON               = "bad_json"
	codeConflict              = "conflict"
	codeBadJWT                = "bad_jwt"
	codeNoAuthorization       = "no_authorization"
	codeNotAdmin              = "not_admin"
	codeAudience              = "unexpected_audience"
	codeEmailExists           = "email_exists"
	codePhoneExists           = "phone_exists"
	codeUserExists            = "user_already_exists"
	codeUserNotFound          = "user_not_found"
	codeUserBanned            = "user_banned"
	codeSSOManaged            = "user_sso_managed"
	codeSessionNotFound       = "session_not_found"
	codeSessionExpired        = "session_expired"
	codeRefreshNotFound       = "refresh_token_not_found"
	codeRefreshUsed           = "refresh_token_already_used"
	codeFlowNotFound          = "flow_state_not_found"
	codeFlowExpired           = "flow_state_expired"
	codeFlowUsed              = "flow_state_already_used"
	codeBadVerifier           = "bad_code_verifier"
	codeSignupDisabled        = "signup_disabled"
	codeOTPDisabled           = "otp_disabled"
	codeOTPExpired            = "otp_expired"
	codeInviteNotFound        = "invite_not_found"
	codeEmailDisabled         = "email_provider_disabled"
	codePhoneDisabled         = "phone_provider_disabled"
	codeAnonymousDisabled     = "anonymous_provider_disabled"
	codeInvalidLogin          = "invalid_credentials"
	codeNotConfirmed          = "email_not_confirmed"
	codePhoneNotConfirmed     = "phone_not_confirmed"
	codeAddressRefused        = "email_address_not_authorized"
	codeWeakPassword          = "weak_password"
	codeSamePassword          = "same_password"
	codeCurrentRequired       = "current_password_required"
	codeCurrentInvalid        = "current_password_invalid"
	codeReauthNeeded          = "reauthentication_needed"
	codeReauthInvalid         = "reauthentication_not_valid"
	codeInsufficientAAL       = "insufficient_aal"
	codeCaptcha               = "captcha_failed"
	codeSMSFailed             = "sms_send_failed"
	codeMailRate              = "over_email_send_rate_limit"
	codeSMSRate               = "over_sms_send_rate_limit"
	codeRequestRate           = "over_request_rate_limit"
	codeHookTimeout           = "hook_timeout"
	codeHookTimeoutAfterRetry = "hook_timeout_after_retry"
	codeHookSize              = "hook_payload_over_size_limit"
	codeHookType              = "hook_payload_invalid_content_type"
	codeFeatureDisabled       = "feature_disabled"
	codeTimeout               = "request_timeout"
)

// Codes of this server as a provider. Source: supabase/auth; insufficient_scope
// is ours, by RFC 6750.
const (
	codeClientNotFound        = "oauth_client_not_found"
	codeAuthorizationNotFound = "oauth_authorization_not_found"
	codeConsentNotFound       = "oauth_consent_not_found"
	codeRegistrationDisabled  = "oauth_dynamic_client_registration_disabled"
	codeInsufficientScope     = "insufficient_scope"
)

// Codes of second factors and passkeys. Source: supabase/auth; those of recovery
// codes are auth-js's.
const (
	codeFactorName        = "mfa_factor_name_conflict"
	codeTooManyFactors    = "too_many_enrolled_mfa_factors"
	codeFactorNotFound    = "mfa_factor_not_found"
	codeMFAAddress        = "mfa_ip_address_mismatch"
	codeChallengeExpired  = "mfa_challenge_expired"
	codeMFAFailed         = "mfa_verification_failed"
	codeMFARejected       = "mfa_verification_rejected"
	codeTOTPEnroll        = "mfa_totp_enroll_not_enabled"
	codeTOTPVerify        = "mfa_totp_verify_not_enabled"
	codePhoneEnroll       = "mfa_phone_enroll_not_enabled"
	codePhoneVerify       = "mfa_phone_verify_not_enabled"
	codeWebAuthnEnroll    = "mfa_webauthn_enroll_not_enabled"
	codeWebAuthnVerify    = "mfa_webauthn_verify_not_enabled"
	codeFactorVerified    = "mfa_verified_factor_exists"
	codeRecoveryEnroll    = "mfa_recovery_codes_enroll_not_enabled"
	codeRecoveryVerify    = "mfa_recovery_codes_verify_not_enabled"
	codeRecoveryLocked    = "mfa_recovery_codes_locked"
	codeRecoverySole      = "mfa_recovery_codes_sole_factor"
	codePasskeyDisabled   = "passkey_disabled"
	codeTooManyPasskeys   = "too_many_passkeys"
	codeChallengeNotFound = "webauthn_challenge_not_found"
	codeCeremonyExpired   = "webauthn_challenge_expired"
	codeCeremonyFailed    = "webauthn_verification_failed"
	codeCredentialExists  = "webauthn_credential_exists"
)

var adapter = httpx.Adapter{
	Render: renderError,
	Internal: apierr.New(http.StatusInternalServerError, codeUnexpected,
		"Unexpected failure, please check server logs for more information"),
}

// requestTimeout bounds a whole request. Source: supabase/auth's default.
const requestTimeout = 10 * time.Second

// handle adapts a handler, bounds its time and gives its failures their codes.
func handle(h httpx.Handler) http.Handler {
	return adapter.Handle(func(w http.ResponseWriter, r *http.Request) error {
		ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
		defer cancel()
		err := h(w, r.WithContext(ctx))
		switch {
		case err == nil || apierr.As(err) != nil:
			return err
		case errors.Is(err, httpx.ErrBadJSON):
			return apierr.New(http.StatusBadRequest, codeBadJSON, "Could not parse request body as JSON").WithCause(err)
		case unstorable(err):
			return badRequest(codeValidation, "A text is too long or has characters that cannot be stored").WithCause(err)
		case errors.Is(err, password.ErrBusy):
			return apierr.New(http.StatusTooManyRequests, codeRequestRate, "Too many sign-ins at once, please try again in a moment").WithCause(err)
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return apierr.New(http.StatusGatewayTimeout, codeTimeout, "Processing this request timed out, please retry after a moment.").WithCause(err)
		}
		return err
	})
}

// unstorable tells whether a request's text is one that PostgreSQL does not
// take: too long, with a NUL, or JSON with half a character.
func unstorable(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == "22001" || refused.Code == "22021" || refused.Code == "22P05" || refused.Code == "22P02")
}

const (
	versionHeader = "X-Supabase-Api-Version"
	codeHeader    = "X-Sb-Error-Code"
)

// newShape is the first API version with errors as {code, message}.
var newShape = time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)

func wantsNewShape(r *http.Request) bool {
	asked, err := time.Parse(time.DateOnly, r.Header.Get(versionHeader))
	return err == nil && !asked.Before(newShape)
}

// newError is the shape of API version 2024-01-01.
type newError struct {
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Weak    json.RawMessage `json:"weak_password,omitempty"`
}

// oldError is the shape without a version.
type oldError struct {
	Status  int             `json:"code"`
	Code    string          `json:"error_code"`
	Message string          `json:"msg"`
	ID      string          `json:"error_id,omitempty"`
	Weak    json.RawMessage `json:"weak_password,omitempty"`
}

// triggerError is what the old shape shows of an error raised by the project's
// own trigger.
type triggerError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

func renderError(w http.ResponseWriter, r *http.Request, e *apierr.Error) {
	code := e.Code
	if strings.HasPrefix(code, "PGRST") { // the database door speaks the data API's language
		code = codeUnexpected
	}
	var weak json.RawMessage
	if code == codeWeakPassword {
		weak = e.Details
	}
	w.Header().Set(codeHeader, code)
	if e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable || e.Status == http.StatusGatewayTimeout {
		w.Header().Set("Retry-After", cmp.Or(e.Headers["Retry-After"], "1"))
	}
	if e.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	status, body := e.Status, any(nil)
	var raised *pgconn.PgError
	switch {
	case wantsNewShape(r):
		w.Header().Set(versionHeader, newShape.Format(time.DateOnly))
		body = newError{Code: code, Message: e.Message, Weak: weak}
	case errors.As(e.Err, &raised) && statusRaised(raised) != 0:
		status = statusRaised(raised)
		body = triggerError{Code: raised.Code, Message: raised.Message, Hint: raised.Hint, Detail: raised.Detail}
	default:
		old := oldError{Status: e.Status, Code: code, Message: e.Message, Weak: weak}
		if e.Status >= http.StatusInternalServerError {
			old.ID = httpx.RequestID(r.Context())
		}
		body = old
	}
	if err := httpx.WriteJSON(w, status, body); err != nil {
		http.Error(w, "", http.StatusInternalServerError)
	}
}

// statusRaised returns the HTTP status of an error that SQL of the project raised on
// purpose, 0 for any other. A constraint that PostgreSQL itself found violated is such
// another: its name and the key in its detail are nobody's business.
func statusRaised(raised *pgconn.PgError) int {
	switch raised.Code {
	case "P0001":
		return http.StatusInternalServerError
	case "23000", "23001", "23502", "23503", "23505", "23514", "23P01":
		if raised.ConstraintName == "" && raised.TableName == "" && raised.DataTypeName == "" {
			return http.StatusInternalServerError
		}
		return 0
	}
	if digits, ok := strings.CutPrefix(raised.Code, "PT"); ok {
		if status, err := strconv.Atoi(digits); err == nil && status >= 100 && status <= 599 {
			return status
		}
	}
	return 0
}

func badRequest(code, format string, args ...any) *apierr.Error {
	return apierr.New(http.StatusBadRequest, code, format, args...)
}

func unprocessable(code, format string, args ...any) *apierr.Error {
	return apierr.New(http.StatusUnprocessableEntity, code, format, args...)
}

func forbidden(code, format string, args ...any) *apierr.Error {
	return apierr.New(http.StatusForbidden, code, format, args...)
}

func notFound(code, format string, args ...any) *apierr.Error {
	return apierr.New(http.StatusNotFound, code, format, args...)
}

func internal(format string, args ...any) *apierr.Error {
	return apierr.New(http.StatusInternalServerError, codeUnexpected, format, args...)
}

var errLogin = badRequest(codeInvalidLogin, "Invalid login credentials")
