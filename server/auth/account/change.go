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
func (s *Self) Change(ctx context.Context, in *session.Current, asked Changes, r Request) (*users.User, error) {
	if err := s.checkChanges(&asked, in); err != nil {
		return nil, err
	}
	if err := s.checkContacts(ctx, asked, in); err != nil {
		return nil, err
	}
	if asked.Password != nil {
		if err := s.checkPassword(ctx, *asked.Password); err != nil {
			return nil, err
		}
	}
	if asked.setsPassword() {
		if err := s.checkNewPassword(ctx, &asked, in); err != nil {
			return nil, err
		}
	}
	user, text, err := s.applyChanges(ctx, in, &asked, r)
	if err != nil {
		return nil, err
	}
	_, err = s.messages.SendPhoneMessage(ctx, text)
	return user, err
}

// checkChanges makes the checks that need no database. It clears an address or number
// that equals the user's current one.
func (s *Self) checkChanges(asked *Changes, in *session.Current) error {
	if err := parseContacts(&asked.Email, &asked.Phone); err != nil {
		return err
	}
	if err := message.CheckChannel(asked.Channel); err != nil {
		return err
	}
	if err := asked.Check(); err != nil {
		return err
	}
	if asked.Email == in.User.Email {
		asked.Email = ""
	}
	if asked.Phone == in.User.Phone {
		asked.Phone = ""
	}
	personal := asked.setsPassword() || asked.Email != "" || asked.Phone != ""
	switch {
	case asked.AppMetadata != nil && !slices.Contains(s.config.JWT.AdminRoles, in.User.Role):
		return autherr.Forbidden(autherr.CodeNotAdmin, "Updating app_metadata requires admin privileges")
	case asked.Phone != "" && !s.config.Ways.Phone:
		return autherr.BadRequest(autherr.CodePhoneDisabled, "Unsupported phone provider")
	case in.User.HasVerifiedFactor() && session.Level(in.Methods) != "aal2" && personal:
		return errInsufficientAAL
	case in.User.IsAnonymous && asked.setsPassword() && asked.Email == "" && asked.Phone == "":
		return autherr.Unprocessable(autherr.CodeValidation, "Updating password of an anonymous user without an email or phone is not allowed")
	case in.User.IsSSO && (personal || asked.Nonce != ""):
		return autherr.Unprocessable(autherr.CodeSSOManaged, "Updating email, phone, password of a SSO account only possible via SSO")
	}
	return nil
}

// checkContacts refuses an address or number of another account, and takes the
// confirmation from the rate limits.
func (s *Self) checkContacts(ctx context.Context, asked Changes, in *session.Current) error {
	for _, c := range contactsOf(asked.Email, asked.Phone) {
		if err := s.checkAvailable(ctx, []users.Contact{c}, in.User.Aud, ""); err != nil {
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

// checkNewPassword refuses a new password equal to the old one, and a wrong current
// password. A current password in the request is checked even if it is not required. It is
// not required in a session that began with a mailed link.
func (s *Self) checkNewPassword(ctx context.Context, asked *Changes, in *session.Current) error {
	old := in.StartedAt == nil || s.now().After(in.StartedAt.Add(reauthAge))
	if s.config.Security.RequireReauthentication && old {
		if err := s.consumeNonce(ctx, in.User, asked.Nonce); err != nil {
			return err
		}
	}
	if in.User.PasswordHash != "" {
		switch {
		case asked.CurrentPassword != "":
			matches, err := s.Hasher.Matches(ctx, in.User.PasswordHash, asked.CurrentPassword)
			if err != nil {
				return err
			}
			if !matches {
				return autherr.BadRequest(autherr.CodeCurrentInvalid, "Current password required when setting new password.")
			}
		case s.config.Security.RequireCurrentPassword && !in.IsRecovery(s.now()):
			return autherr.BadRequest(autherr.CodeCurrentRequired, "Current password required when setting new password.")
		}
		same, err := s.Hasher.Matches(ctx, in.User.PasswordHash, *asked.Password)
		if err != nil {
			return err
		}
		if same {
			return autherr.Unprocessable(autherr.CodeSamePassword, "New password should be different from the old password.")
		}
	}
	var err error
	asked.hash, err = s.Hasher.Hash(ctx, *asked.Password)
	return err
}

func (s *Self) applyChanges(ctx context.Context, in *session.Current, asked *Changes, r Request) (*users.User, *message.PhoneMessage, error) {
	req := s.mail(r, asked.Challenge)
	req.Channel = asked.Channel
	var user *users.User
	var text *message.PhoneMessage
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		text = nil
		current, err := users.Lock(ctx, tx, in.User.ID)
		if err != nil {
			return err
		}
		if err := s.applySimple(ctx, tx, in, asked, current, req); err != nil {
			return err
		}
		if asked.Email != "" {
			if err := s.applyEmail(ctx, tx, current, asked.Email, req); err != nil {
				return err
			}
		}
		if asked.Phone != "" {
			if text, err = s.applyPhone(ctx, tx, current, asked.Phone, req); err != nil {
				return err
			}
		}
		user, err = users.Load(ctx, tx, in.User.ID)
		if err == nil && (asked.Data != nil || asked.AppMetadata != nil) {
			err = user.CheckMetadata()
		}
		return err
	})
	switch {
	case store.ViolatesUnique(err) && asked.Phone != "":
		err = errPhoneExists.WithCause(err)
	case store.ViolatesUnique(err) && asked.Email != "":
		err = errEmailExists.WithCause(err)
	}
	return user, text, err
}

// applySimple makes the changes that need no confirmation.
func (s *Self) applySimple(ctx context.Context, tx *store.Tx, in *session.Current, asked *Changes, current *users.User, req message.Request) error {
	batch := &pgx.Batch{}
	if asked.setsPassword() {
		s.changePassword(tx, batch, in, asked.hash, req)
		// Pending changes of address or number end with the old password.
		current.EmailChangeSentAt, current.PhoneChangeSentAt = nil, nil
	}
	if err := mergeMetadata(batch, in.User.ID, asked.Data, asked.AppMetadata, req.Now); err != nil {
		return err
	}
	s.trail.Add(batch, req.Info, current, audit.Modified, nil)
	if err := tx.ExecBatch(ctx, batch); err != nil || !asked.setsPassword() {
		return err
	}
	return s.messages.Notify(ctx, tx, s.config.Mailer.Notices.PasswordChanged, mailer.PasswordChanged, current, "", mailer.Data{}, req.Info)
}

// applyEmail begins a change of address. If addresses need no confirmation, the address
// of an anonymous user is set at once, because they have no account that could be taken over.
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
func (s *Self) changePassword(tx *store.Tx, batch *pgx.Batch, in *session.Current, hash string, req message.Request) {
	batch.Queue(setPassword, in.User.ID, hash, req.Now)
	batch.Queue(message.ClearAllTokens, in.User.ID)
	s.sessions.EndOthers(tx, batch, in)
	s.trail.Add(batch, req.Info, in.User, audit.UpdatedPassword, nil)
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
