package account

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// Changes are the body of PUT /user.
type Changes struct {
	Email           string                     `json:"email"`
	Phone           string                     `json:"phone"`
	Channel         string                     `json:"channel"`
	Password        *string                    `json:"password"`
	CurrentPassword string                     `json:"current_password"`
	Nonce           string                     `json:"nonce"`
	Data            map[string]json.RawMessage `json:"data"`
	AppMetadata     map[string]json.RawMessage `json:"app_metadata"`
	pkce.Challenge

	hash string // of the new password
}

func (c *Changes) setsPassword() bool { return c.Password != nil && *c.Password != "" }

var errInsufficientAAL = autherr.Unauthorized(autherr.CodeInsufficientAAL, "AAL2 session is required to update email or password when MFA is enabled.")

// Change changes the account of the signed-in user. A new address or number must be
// confirmed first.
//
// Errors: 400 validation_failed, phone_provider_disabled, current_password_required,
// current_password_invalid, reauthentication_needed; 401 insufficient_aal; 403 not_admin;
// 422 validation_failed, email_exists, phone_exists, weak_password, same_password,
// reauthentication_not_valid, user_sso_managed, metadata_too_large, sms_send_failed;
// those of limit.Limiter.SpendContact.
func (s *Self) Change(ctx context.Context, current *session.Current, params Changes, r Request) (*users.User, error) {
	if err := s.checkChanges(&params, current); err != nil {
		return nil, err
	}
	if err := s.checkContacts(ctx, params, current); err != nil {
		return nil, err
	}
	if params.Password != nil {
		if err := s.checkPassword(ctx, *params.Password); err != nil {
			return nil, err
		}
	}
	if params.setsPassword() {
		if err := s.checkNewPassword(ctx, &params, current); err != nil {
			return nil, err
		}
	}
	user, text, err := s.applyChanges(ctx, current, &params, r)
	if err != nil {
		return nil, err
	}
	_, err = s.messages.SendPhoneMessage(ctx, text)
	return user, err
}

// checkChanges makes the checks that need no database. It clears an address or number
// that equals the user's current one.
func (s *Self) checkChanges(params *Changes, current *session.Current) error {
	if err := parseContacts(&params.Email, &params.Phone); err != nil {
		return err
	}
	if err := message.CheckChannel(params.Channel); err != nil {
		return err
	}
	if err := params.Check(); err != nil {
		return err
	}
	if params.Email == current.User.Email {
		params.Email = ""
	}
	if params.Phone == current.User.Phone {
		params.Phone = ""
	}
	personal := params.setsPassword() || params.Email != "" || params.Phone != ""
	switch {
	case params.AppMetadata != nil && !slices.Contains(s.config.JWT.AdminRoles, current.User.Role):
		return autherr.Forbidden(autherr.CodeNotAdmin, "Updating app_metadata requires admin privileges")
	case params.Phone != "" && !s.config.Ways.Phone:
		return autherr.BadRequest(autherr.CodePhoneDisabled, "Unsupported phone provider")
	case current.User.HasVerifiedFactor() && session.Level(current.Methods) != "aal2" && personal:
		return errInsufficientAAL
	case current.User.IsAnonymous && params.setsPassword() && params.Email == "" && params.Phone == "":
		return autherr.Unprocessable(autherr.CodeValidation, "Updating password of an anonymous user without an email or phone is not allowed")
	case current.User.IsSSO && (personal || params.Nonce != ""):
		return autherr.Unprocessable(autherr.CodeSSOManaged, "Updating email, phone, password of a SSO account only possible via SSO")
	}
	return nil
}

// checkContacts refuses an address or number of another account, and counts the
// confirmation against the rate limits.
func (s *Self) checkContacts(ctx context.Context, params Changes, current *session.Current) error {
	for _, c := range contactsOf(params.Email, params.Phone) {
		if err := s.checkAvailable(ctx, []users.Contact{c}, current.User.Aud, ""); err != nil {
			return err
		}
		if err := s.limits.SpendContact(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// reauthAge is the age up to which a session may set a password without a nonce if
// reauthentication is required. Source: supabase/auth.
const reauthAge = 24 * time.Hour

// checkNewPassword checks the nonce if one is required, refuses a new password equal to the
// old one and a wrong current password, and sets params.hash. A current password in the request
// is checked even if it is not required. It is not required if current.IsRecovery.
func (s *Self) checkNewPassword(ctx context.Context, params *Changes, current *session.Current) error {
	old := current.StartedAt == nil || s.now().After(current.StartedAt.Add(reauthAge))
	if s.config.Security.RequireReauthentication && old {
		if err := s.consumeNonce(ctx, current.User, params.Nonce); err != nil {
			return err
		}
	}
	if current.User.PasswordHash != "" {
		switch {
		case params.CurrentPassword != "":
			matches, err := s.Hasher.Matches(ctx, current.User.PasswordHash, params.CurrentPassword)
			if err != nil {
				return err
			}
			if !matches {
				return autherr.BadRequest(autherr.CodeCurrentInvalid, "Current password required when setting new password.")
			}
		case s.config.Security.RequireCurrentPassword && !current.IsRecovery(s.now()):
			return autherr.BadRequest(autherr.CodeCurrentRequired, "Current password required when setting new password.")
		}
		same, err := s.Hasher.Matches(ctx, current.User.PasswordHash, *params.Password)
		if err != nil {
			return err
		}
		if same {
			return autherr.Unprocessable(autherr.CodeSamePassword, "New password should be different from the old password.")
		}
	}
	var err error
	params.hash, err = s.Hasher.Hash(ctx, *params.Password)
	return err
}

func (s *Self) applyChanges(ctx context.Context, current *session.Current, params *Changes, r Request) (*users.User, *message.PhoneMessage, error) {
	req := s.mail(r, params.Challenge)
	req.Channel = params.Channel
	var user *users.User
	var text *message.PhoneMessage
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		text = nil
		locked, err := users.Lock(ctx, tx, current.User.ID)
		if err != nil {
			return err
		}
		if err := s.applySimple(ctx, tx, current, params, locked, req); err != nil {
			return err
		}
		if params.Email != "" {
			if err := s.applyEmail(ctx, tx, locked, params.Email, req); err != nil {
				return err
			}
		}
		if params.Phone != "" {
			if text, err = s.applyPhone(ctx, tx, locked, params.Phone, req); err != nil {
				return err
			}
		}
		user, err = users.Load(ctx, tx, current.User.ID)
		if err == nil && (params.Data != nil || params.AppMetadata != nil) {
			err = user.CheckMetadata()
		}
		return err
	})
	switch {
	case store.ViolatesUnique(err) && params.Phone != "":
		err = errPhoneExists.WithCause(err)
	case store.ViolatesUnique(err) && params.Email != "":
		err = errEmailExists.WithCause(err)
	}
	return user, text, err
}

// applySimple makes the changes that need no confirmation.
func (s *Self) applySimple(ctx context.Context, tx *store.Tx, current *session.Current, params *Changes, locked *users.User, req message.Request) error {
	batch := &pgx.Batch{}
	if params.setsPassword() {
		s.changePassword(tx, batch, current, params.hash, req)
		// Pending changes of address or number end with the old password.
		locked.EmailChangeSentAt, locked.PhoneChangeSentAt = nil, nil
	}
	if err := mergeMetadata(batch, current.User.ID, params.Data, params.AppMetadata, req.Now); err != nil {
		return err
	}
	s.trail.Add(batch, req.Info, locked, audit.Modified, nil)
	if err := tx.ExecBatch(ctx, batch); err != nil || !params.setsPassword() {
		return err
	}
	return s.messages.Notify(ctx, tx, s.config.Mailer.Notices.PasswordChanged, mailer.PasswordChanged, locked, "", mailer.Data{}, req.Info)
}

// applyEmail begins a change of address. If addresses need no confirmation, the address of an
// anonymous user is set at once: there is no previous address whose owner could lose the account.
func (s *Self) applyEmail(ctx context.Context, tx *store.Tx, user *users.User, address string, req message.Request) error {
	if !user.IsAnonymous || !s.config.Mailer.Autoconfirm {
		return s.messages.RequestChange(ctx, tx, user, address, req)
	}
	batch := &pgx.Batch{}
	batch.Queue(beginChange, user.ID, address, req.Now)
	user.NewEmail = address
	s.changeEmail(batch, user, req.Info)
	RefreshProviders(batch, user.ID)
	return tx.ExecBatch(ctx, batch)
}

// applyPhone begins a change of number, or makes it at once if numbers need no confirmation.
func (s *Self) applyPhone(ctx context.Context, tx *store.Tx, user *users.User, phone string, req message.Request) (*message.PhoneMessage, error) {
	if !s.config.SMS.Autoconfirm {
		return s.messages.RequestPhoneChange(ctx, tx, user, phone, req)
	}
	batch := &pgx.Batch{}
	s.changePhone(batch, user, phone, req.Now)
	RefreshProviders(batch, user.ID)
	return nil, tx.ExecBatch(ctx, batch)
}

// changePassword queues the change of the password and the end of all other sessions of
// the user.
func (s *Self) changePassword(tx *store.Tx, batch *pgx.Batch, current *session.Current, hash string, req message.Request) {
	batch.Queue(setPassword, current.User.ID, hash, req.Now)
	batch.Queue(message.ClearAllTokens, current.User.ID)
	s.sessions.EndOthers(tx, batch, current)
	s.trail.Add(batch, req.Info, current.User, audit.UpdatedPassword, nil)
}

// mergeMetadata queues changes of an account's metadata, key by key. null removes a key; a
// nil map changes nothing. PostgreSQL merges the keys, so that concurrent changes do not
// overwrite each other.
func mergeMetadata(batch *pgx.Batch, userID string, data, app map[string]json.RawMessage, now time.Time) error {
	for _, part := range []struct {
		statement string
		data      map[string]json.RawMessage
	}{{mergeAppData, app}, {mergeData, data}} {
		if part.data == nil {
			continue
		}
		set, removed := map[string]json.RawMessage{}, []string{}
		for key, value := range part.data {
			if string(value) == "null" {
				removed = append(removed, key)
			} else {
				set[key] = value
			}
		}
		encoded, err := json.Marshal(set)
		if err != nil {
			return err
		}
		batch.Queue(part.statement, userID, encoded, removed, now)
	}
	return nil
}
