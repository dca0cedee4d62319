package settings

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"plaza/server/auth/webhook"
	"plaza/server/lazyregexp"
	"plaza/server/secret"
)

// Hooks has the settings of the project's auth hooks.
type Hooks struct {
	PasswordVerification Hook `envPrefix:"PASSWORD_VERIFICATION_ATTEMPT_"`
	UnknownAccounts      bool `env:"PASSWORD_VERIFICATION_ATTEMPT_UNKNOWN_ACCOUNTS" envDefault:"false"` // also call the hook for contacts without an account; not in upstream
	MFAVerification      Hook `envPrefix:"MFA_VERIFICATION_ATTEMPT_"`
	CustomAccessToken    Hook `envPrefix:"CUSTOM_ACCESS_TOKEN_"`
	SendEmail            Hook `envPrefix:"SEND_EMAIL_"`
	SendSMS              Hook `envPrefix:"SEND_SMS_"`
	BeforeUserCreated    Hook `envPrefix:"BEFORE_USER_CREATED_"`
	AfterUserCreated     Hook `envPrefix:"AFTER_USER_CREATED_"`
}

// Hook has the settings of one hook: pg-functions://postgres/schema/function in the database, or
// an https URL.
type Hook struct {
	Enabled bool        `env:"ENABLED" envDefault:"false"`
	URI     string      `env:"URI"`
	Secrets secret.Text `env:"SECRETS"` // v1,whsec_…, several separated by |; required for a URL
}

// HookName is the name of a hook in its events.
type HookName string

// The hooks. Source: supabase/auth.
const (
	HookPassword  HookName = "password-verification"
	HookMFA       HookName = "mfa-verification"
	HookToken     HookName = "customize-access-token"
	HookSendEmail HookName = "send-email"
	HookSendSMS   HookName = "send-sms"
	HookBefore    HookName = "before-user-created"
	HookAfter     HookName = "after-user-created"
)

// all returns the settings and environment variables of all hooks by name.
func (c Hooks) all() map[HookName]namedHook {
	return map[HookName]namedHook{
		HookPassword: {"PASSWORD_VERIFICATION_ATTEMPT", c.PasswordVerification}, HookMFA: {"MFA_VERIFICATION_ATTEMPT", c.MFAVerification},
		HookToken: {"CUSTOM_ACCESS_TOKEN", c.CustomAccessToken}, HookSendEmail: {"SEND_EMAIL", c.SendEmail},
		HookSendSMS: {"SEND_SMS", c.SendSMS}, HookBefore: {"BEFORE_USER_CREATED", c.BeforeUserCreated}, HookAfter: {"AFTER_USER_CREATED", c.AfterUserCreated},
	}
}

type namedHook struct {
	variable string
	Hook
}

// HookTarget is what a hook calls: a database function or a service.
type HookTarget struct {
	Function string // quoted name
	Service  *webhook.Hook
}

// ReadHooks parses the settings of all enabled hooks.
func ReadHooks(config Hooks, now func() time.Time) (map[HookName]HookTarget, error) {
	found := make(map[HookName]HookTarget)
	var errs []error
	for name, setting := range config.all() {
		if !setting.Enabled {
			continue
		}
		target, err := setting.read(now)
		if err != nil {
			errs = append(errs, fmt.Errorf("GOTRUE_HOOK_%s_URI: %w", setting.variable, err))
		}
		found[name] = target
	}
	return found, errors.Join(errs...)
}

var hookFunction = lazyregexp.New(`^[a-zA-Z_][a-zA-Z0-9_$]{0,62}$`)

func (h Hook) read(now func() time.Time) (HookTarget, error) {
	address, err := url.Parse(h.URI)
	if err != nil {
		return HookTarget{}, fmt.Errorf("%q is not a URL: %w", h.URI, err)
	}
	if address.Scheme == "http" || address.Scheme == "https" {
		service, err := webhook.New(h.URI, h.Secrets.Reveal(), now)
		return HookTarget{Service: service}, err
	}
	parts := strings.Split(strings.Trim(address.Path, "/"), "/")
	if address.Scheme != "pg-functions" || len(parts) != 2 || !hookFunction().MatchString(parts[0]) || !hookFunction().MatchString(parts[1]) {
		return HookTarget{}, fmt.Errorf("%q: use pg-functions://postgres/schema/function or an https URL", h.URI)
	}
	return HookTarget{Function: `"` + parts[0] + `"."` + parts[1] + `"`}, nil
}
