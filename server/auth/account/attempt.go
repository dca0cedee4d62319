package account

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/hook"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/session"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// attempt is an attempt to sign in with a password, as reported to the project's hook.
type attempt struct {
	user    *users.User // without an id if no account has the contact
	contact users.Contact
	valid   bool
}

// accountHash returns a keyed hash that identifies a contact in hook events without
// revealing it.
func (s *SignIns) accountHash(c users.Contact) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte("password-verification:" + c.Kind + ":" + c.Value))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// passwordEvent returns the event for the password hook. ok reports whether the hook must
// be called. Upstream calls it only for accounts that have a password.
func (s *SignIns) passwordEvent(a attempt) (event map[string]any, ok bool) {
	if !s.hooks.Has(settings.HookPassword) || a.contact.Value == "" {
		return nil, false
	}
	known := a.user.ID != "" && a.user.PasswordHash != ""
	if !s.config.Hook.UnknownAccounts {
		return map[string]any{"user_id": a.user.ID, "valid": a.valid}, known
	}
	event = map[string]any{"user_id": nil, "valid": a.valid, "account": s.accountHash(a.contact)}
	if known {
		event["user_id"] = a.user.ID
	}
	return event, true
}

// sendUnlockMail mails the user a sign-in link, for a hook that has locked the account and
// wants to leave its user another way to sign in. Errors are only logged, so that the
// response does not depend on the mail.
func (s *SignIns) sendUnlockMail(ctx context.Context, userID string, req message.Request) {
	verifies := session.MethodMagicLink
	if !s.config.Ways.MagicLink {
		verifies = session.MethodRecovery
	}
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		user, err := users.Lock(ctx, tx, userID)
		if err != nil || !user.Confirmed(users.ByEmail) {
			return err
		}
		if err := s.limits.SpendMailIn(ctx, tx); err != nil {
			return err
		}
		return s.messages.RequestRecovery(ctx, tx, mailer.AccountLocked, verifies, user, req)
	})
	if autherr.IsTooManyRequests(err) {
		return // a link was sent recently, or the project's mail limit is reached
	}
	if err != nil {
		s.log.ErrorContext(ctx, "mail about a locked account failed", "error", err)
	}
}

// callPasswordHook calls the project's hook with a password attempt. The hook may reject it.
//
// Errors: 400 invalid_credentials with the hook's message if it rejects the attempt.
func (s *SignIns) callPasswordHook(ctx context.Context, a attempt, req message.Request) error {
	event, ok := s.passwordEvent(a)
	if !ok {
		return nil
	}
	userID := a.user.ID
	var result hook.Decision
	if err := s.hooks.Call(ctx, nil, settings.HookPassword, req.Info, event, &result); err != nil {
		return err
	}
	if result.MailUser && userID != "" {
		s.sendUnlockMail(ctx, userID, req)
	}
	if !result.Rejects() {
		return nil
	}
	if result.Logout && userID != "" {
		if err := s.db.InTx(ctx, func(tx *store.Tx) error {
			batch := &pgx.Batch{}
			s.sessions.EndAll(tx, batch, userID)
			return tx.ExecBatch(ctx, batch)
		}); err != nil {
			return err
		}
	}
	return autherr.BadRequest(autherr.CodeInvalidLogin, "%s", cmp.Or(result.Message, "Further password verification attempts will be rejected."))
}
