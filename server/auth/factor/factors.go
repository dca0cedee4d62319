// Package factor manages second factors, recovery codes and passkeys.
package factor

import (
	"log/slog"
	"text/template"
	"time"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/hook"
	"plaza/server/auth/limit"
	"plaza/server/auth/message"
	"plaza/server/auth/mfa"
	"plaza/server/auth/seal"
	"plaza/server/auth/session"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
)

// Factors manages the second factors of a project's users.
type Factors struct {
	config     settings.Config
	db         *store.Store
	now        func() time.Time
	box        *seal.Box
	hooks      *hook.Caller
	trail      *audit.Trail
	limits     *limit.Limiter
	sessions   *session.Sessions
	messages   *message.Sender
	ceremonies *mfa.Ceremonies    // of security keys; nil: disabled
	text       *template.Template // of the message with a code
	siteURL    string
	log        *slog.Logger
}

// Options are the dependencies of Factors and Passkeys.
type Options struct {
	Config   settings.Config
	DB       *store.Store
	Now      func() time.Time
	Box      *seal.Box
	Hooks    *hook.Caller
	Trail    *audit.Trail
	Limits   *limit.Limiter
	Sessions *session.Sessions
	Messages *message.Sender
	SiteURL  string
	Log      *slog.Logger
}

// New returns the Factors and the Passkeys of a server. Errors: an invalid setting.
func New(o Options) (*Factors, *Passkeys, error) {
	ofFactors, ofPasskeys, err := newCeremonies(o.Config, o.SiteURL)
	if err != nil {
		return nil, nil, err
	}
	text, err := settings.ParseSMSTemplate(o.Config.MFA.Phone.Template)
	factors := &Factors{
		config: o.Config, db: o.DB, now: o.Now, box: o.Box, hooks: o.Hooks, trail: o.Trail, limits: o.Limits, sessions: o.Sessions,
		messages: o.Messages, ceremonies: ofFactors, text: text, siteURL: o.SiteURL, log: o.Log,
	}
	passkeys := &Passkeys{
		db: o.DB, now: o.Now, trail: o.Trail, sessions: o.Sessions, ceremonies: ofPasskeys, maxPerUser: o.Config.Passkey.Max,
		lifetime: o.Config.WebAuthn.ChallengeExpiry,
	}
	return factors, passkeys, err
}

// CheckMayManage checks that the user may manage factors.
//
// Errors: 403 no_authorization for an anonymous user, session_not_found for a token
// without a session.
func CheckMayManage(current *session.Current) error {
	switch {
	case current.User.IsAnonymous:
		return autherr.Forbidden(autherr.CodeNoAuthorization, "Anonymous user not allowed to perform these actions")
	case current.ID == "":
		return autherr.Forbidden(autherr.CodeSessionNotFound, "A valid session is required to manage factors")
	}
	return nil
}

// CheckMayManagePasskeys checks that a user with a second factor has used it.
//
// Errors: 403 insufficient_aal.
func CheckMayManagePasskeys(current *session.Current) error {
	if current.User.HasVerifiedFactor() && !current.IsAAL2() {
		return autherr.Forbidden(autherr.CodeInsufficientAAL, "AAL2 session is required to manage passkeys when MFA is enabled")
	}
	return nil
}

// CheckMayAddPasskey checks that the user may add a passkey.
//
// Errors: 403 insufficient_aal, no_authorization; 422 validation_failed for an SSO user.
func CheckMayAddPasskey(current *session.Current) error {
	if err := CheckMayManagePasskeys(current); err != nil {
		return err
	}
	switch {
	case current.User.IsAnonymous:
		return autherr.Forbidden(autherr.CodeNoAuthorization, "Anonymous user not allowed to perform these actions")
	case current.User.IsSSO:
		return autherr.Unprocessable(autherr.CodeValidation, "SSO users cannot register passkeys")
	}
	return nil
}
