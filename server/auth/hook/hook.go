// Package hook calls the project's auth hooks: SQL functions or HTTP services.
package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// Caller calls the configured hooks.
type Caller struct {
	targets map[settings.HookName]settings.HookTarget
	db      *store.Store
	now     func() time.Time
}

// New returns a Caller. Errors: an invalid setting.
func New(config settings.Hooks, db *store.Store, now func() time.Time) (*Caller, error) {
	targets, err := settings.ReadHooks(config, now)
	return &Caller{targets, db, now}, err
}

// Has reports whether a hook is configured.
func (c *Caller) Has(name settings.HookName) bool {
	_, ok := c.targets[name]
	return ok
}

// Call calls a hook with an input and decodes its output. A function runs in tx, or in a
// transaction of its own if tx is nil. A service is called while tx stays open, as upstream
// does.
//
// Errors: the error that the hook returned, with its status; 422 hook_timeout; those of
// webhook.Hook.Call; 500 if a function fails or the output cannot be decoded.
func (c *Caller) Call(ctx context.Context, tx *store.Tx, name settings.HookName, info users.RequestInfo, input map[string]any, output any) error {
	metadata := map[string]string{"uuid": store.NewID(), "time": c.now().UTC().Format(time.RFC3339Nano), "name": string(name)}
	if ip := info.IP(); ip != "" {
		metadata["ip_address"] = ip
	}
	input["metadata"] = metadata
	event, err := json.Marshal(input)
	if err != nil {
		return err
	}
	var raw []byte
	target := c.targets[name]
	switch {
	case target.Service != nil:
		raw, err = target.Service.Call(ctx, event)
	case tx != nil:
		raw, err = callFunction(ctx, tx, target.Function, event)
	default:
		err = c.db.InTx(ctx, func(own *store.Tx) error {
			raw, err = callFunction(ctx, own, target.Function, event)
			return err
		})
	}
	if err != nil {
		return translateError(err)
	}
	return decodeOutput(raw, output)
}

// timeout bounds a hook's function. Source: supabase/auth, 2 seconds.
const timeout = "set local statement_timeout = 2000"

// callFunction calls an SQL function. Its name is from the settings and already quoted; the
// event is a parameter.
func callFunction(ctx context.Context, tx *store.Tx, function string, event []byte) ([]byte, error) {
	if _, err := tx.Exec(ctx, timeout); err != nil {
		return nil, err
	}
	var result json.RawMessage
	if err := tx.QueryRow(ctx, "select "+function+"($1::jsonb)", event).Scan(&result); err != nil {
		return nil, err
	}
	_, err := tx.Exec(ctx, "set local statement_timeout to default")
	return result, err
}

// decodeOutput decodes the output of a hook. The output may be an error that the client sees.
func decodeOutput(raw []byte, output any) error {
	if len(raw) == 0 {
		return nil
	}
	var refused struct {
		Error *struct {
			Status  int    `json:"http_code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(raw, &refused) == nil && refused.Error != nil && refused.Error.Message != "" {
		return autherr.FromHook(refused.Error.Status, refused.Error.Message)
	}
	if output == nil {
		return nil
	}
	if err := json.Unmarshal(raw, output); err != nil {
		return autherr.Internal("Error unmarshaling JSON output.").WithCause(err)
	}
	return nil
}

func translateError(err error) error {
	var raised *pgconn.PgError
	if errors.As(err, &raised) && raised.Code == "57014" { // query_canceled: the timeout
		return autherr.Unprocessable(autherr.CodeHookTimeout, "Failed to reach hook within maximum time of 2.000000 seconds").WithCause(err)
	}
	if apierr.As(err) != nil {
		return err
	}
	return autherr.Internal("Error running hook").WithCause(err)
}

// Decision is the output of a hook that checks attempts.
type Decision struct {
	Decision string `json:"decision"`
	Message  string `json:"message"`
	Logout   bool   `json:"should_logout_user"`

	// MailUser requests a mail with a sign-in link to the user. Upstream has no such field.
	MailUser bool `json:"mail_user"`
}

// Rejects reports whether the attempt is refused.
func (d Decision) Rejects() bool { return d.Decision == "reject" }

// MFA calls the project's hook with an attempt at a second factor. The hook may reject it.
//
// Errors: 403 mfa_verification_rejected with the hook's message.
func (c *Caller) MFA(ctx context.Context, tx *store.Tx, userID, factorID, factorType string, valid bool, info users.RequestInfo) error {
	if !c.Has(settings.HookMFA) {
		return nil
	}
	var result Decision
	input := map[string]any{"user_id": userID, "factor_id": factorID, "factor_type": factorType, "valid": valid}
	if err := c.Call(ctx, tx, settings.HookMFA, info, input, &result); err != nil {
		return err
	}
	if result.Rejects() {
		return autherr.Forbidden("mfa_verification_rejected", "%s", cmp.Or(result.Message, "Further MFA verification attempts will be rejected."))
	}
	return nil
}

// BeforeUserCreated calls the project's hook before an account is created. The hook may
// refuse the account.
//
// Errors: those of Call.
func (c *Caller) BeforeUserCreated(ctx context.Context, tx *store.Tx, user *users.User, info users.RequestInfo) error {
	if !c.Has(settings.HookBefore) {
		return nil
	}
	return c.Call(ctx, tx, settings.HookBefore, info, map[string]any{"user": user}, nil)
}

// AfterUserCreated calls the project's hook after an account was created.
//
// Errors: those of Call.
func (c *Caller) AfterUserCreated(ctx context.Context, tx *store.Tx, user *users.User, info users.RequestInfo) error {
	if !c.Has(settings.HookAfter) {
		return nil
	}
	return c.Call(ctx, tx, settings.HookAfter, info, map[string]any{"user": user}, nil)
}

// requiredClaims are the claims that a project's hook may change but not remove. Source:
// supabase/auth's schema of an access token.
var requiredClaims = []string{"aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous"}

// CustomizeClaims calls the project's hook, which may change the claims of an access token.
//
// Errors: those of Call; 500 if the hook removed a required claim.
func (c *Caller) CustomizeClaims(ctx context.Context, tx *store.Tx, userID, method string, set map[string]any, info users.RequestInfo) (map[string]any, error) {
	if !c.Has(settings.HookToken) {
		return set, nil
	}
	var result struct {
		Claims map[string]any `json:"claims"`
	}
	input := map[string]any{"user_id": userID, "claims": set, "authentication_method": method}
	if err := c.Call(ctx, tx, settings.HookToken, info, input, &result); err != nil {
		return nil, err
	}
	if result.Claims == nil {
		return nil, autherr.Internal("output claims field is missing")
	}
	for _, name := range requiredClaims {
		if _, ok := result.Claims[name]; !ok {
			return nil, autherr.Internal("output claims do not conform to the expected schema: \n- (root): %s is required", name)
		}
	}
	return result.Claims, nil
}
