package auth

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// getUser answers GET /user.
func (s *Server) getUser(w http.ResponseWriter, r *http.Request) error {
	in, err := s.anyCaller(r)
	if err != nil {
		return err
	}
	if asked := r.Header.Get("X-JWT-AUD"); asked != "" && asked != in.User.Aud {
		return autherr.BadRequest(autherr.CodeValidation, "Token audience doesn't match request audience")
	}
	return httpx.WriteJSON(w, http.StatusOK, in.User)
}

// changes are the fields of PUT /user.
type changes struct {
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

func (c *changes) setsPassword() bool { return c.Password != nil && *c.Password != "" }

var (
	errEmailExists = autherr.Unprocessable(autherr.CodeEmailExists, "A user with this email address has already been registered")
	errPhoneExists = autherr.Unprocessable(autherr.CodePhoneExists, "A user with this phone number has already been registered")
)

var errInsufficientAAL = apierr.New(http.StatusUnauthorized, autherr.CodeInsufficientAAL, "AAL2 session is required to update email or password when MFA is enabled.")

// updateUser answers PUT /user.
func (s *Server) updateUser(w http.ResponseWriter, r *http.Request) error {
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	var asked changes
	if err := read(w, r, &asked); err != nil {
		return err
	}
	if err := s.checkChanges(&asked, in); err != nil {
		return err
	}
	if err := s.checkContacts(r.Context(), &asked, in); err != nil {
		return err
	}
	if asked.Password != nil {
		if err := s.passwordError(r.Context(), *asked.Password); err != nil {
			return err
		}
	}
	if asked.setsPassword() {
		if err := s.checkNewPassword(r.Context(), &asked, in); err != nil {
			return err
		}
	}
	user, message, err := s.applyChanges(r, in, &asked)
	if err != nil {
		return err
	}
	if _, err := s.messages.SendText(r.Context(), message); err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, user)
}

// checkChanges refuses what needs no look at the database. An address or number
// that the user has already is no change.
func (s *Server) checkChanges(asked *changes, in *session.Current) error {
	if err := asked.clean(); err != nil {
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

// clean brings address and number into the form in which they are stored.
func (c *changes) clean() error {
	var err error
	if c.Email != "" {
		if c.Email, err = users.ParseEmail(c.Email); err != nil {
			return err
		}
	}
	if c.Phone != "" {
		if c.Phone, err = users.ParsePhone(c.Phone); err != nil {
			return err
		}
	}
	if err := message.CheckChannel(c.Channel); err != nil {
		return err
	}
	return c.Check()
}

// checkContacts refuses an address or number of somebody else, and takes what
// their confirmation costs.
func (s *Server) checkContacts(ctx context.Context, asked *changes, in *session.Current) error {
	for _, c := range []users.Contact{{Kind: users.ByEmail, Value: asked.Email}, {Kind: users.ByPhone, Value: asked.Phone}} {
		if c.Value == "" {
			continue
		}
		taken, err := users.Find(ctx, s.store, c, in.User.Aud)
		switch {
		case err != nil:
			return err
		case taken != nil && c.Kind == users.ByEmail:
			return errEmailExists
		case taken != nil:
			return errPhoneExists
		}
		if err := s.limits.SpendContact(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// reauthAge is how old a session may be that sets a password without a nonce,
// where one is required. Source: supabase/auth.
const reauthAge = 24 * time.Hour

// checkNewPassword refuses the old password as the new one, and a wrong current
// password. A current password that is given is checked also
// where it is not required. Who came by a mailed link need not know it.
func (s *Server) checkNewPassword(ctx context.Context, asked *changes, in *session.Current) error {
	old := in.Began == nil || s.now().After(in.Began.Add(reauthAge))
	if s.config.Security.RequireReauthentication && old {
		if err := s.spendNonce(ctx, in.User, asked.Nonce); err != nil {
			return err
		}
	}
	if in.User.PasswordHash != "" {
		switch {
		case asked.CurrentPassword != "":
			right, err := s.hasher.Matches(ctx, in.User.PasswordHash, asked.CurrentPassword)
			if err != nil {
				return err
			}
			if !right {
				return autherr.BadRequest(autherr.CodeCurrentInvalid, "Current password required when setting new password.")
			}
		case s.config.Security.RequireCurrentPassword && !in.Recovering(s.now()):
			return autherr.BadRequest(autherr.CodeCurrentRequired, "Current password required when setting new password.")
		}
		same, err := s.hasher.Matches(ctx, in.User.PasswordHash, *asked.Password)
		if err != nil {
			return err
		}
		if same {
			return autherr.Unprocessable(autherr.CodeSamePassword, "New password should be different from the old password.")
		}
	}
	var err error
	asked.hash, err = s.hasher.Hash(ctx, *asked.Password)
	return err
}

func (s *Server) applyChanges(r *http.Request, in *session.Current, asked *changes) (*users.User, *message.Text, error) {
	ctx, req := r.Context(), s.mailRequest(r, asked.Challenge)
	req.Channel = asked.Channel
	var user *users.User
	var message *message.Text
	err := s.store.InTx(ctx, func(tx *store.Tx) error {
		message = nil
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
			if message, err = s.applyPhone(ctx, tx, current, asked.Phone, req); err != nil {
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
	return user, message, err
}

// applySimple makes the changes that nobody has to confirm.
func (s *Server) applySimple(ctx context.Context, tx *store.Tx, in *session.Current, asked *changes, current *users.User, req message.Request) error {
	batch := &pgx.Batch{}
	if asked.setsPassword() {
		s.sessions.NoteEnded(tx, in.User.ID)
		s.changePassword(batch, in, asked.hash, req)
		// What was begun under the old password has ended with it.
		current.EmailChangeSentAt, current.PhoneChangeSentAt = nil, nil
	}
	if asked.Data != nil {
		if err := mergeInto(batch, mergeData, in.User.ID, asked.Data, req.Now); err != nil {
			return err
		}
	}
	if asked.AppMetadata != nil {
		if err := mergeInto(batch, mergeAppData, in.User.ID, asked.AppMetadata, req.Now); err != nil {
			return err
		}
	}
	s.trail.Add(batch, req.Who, current, audit.Modified, nil)
	if err := tx.ExecBatch(ctx, batch); err != nil || !asked.setsPassword() {
		return err
	}
	return s.messages.Notify(ctx, tx, s.config.Mailer.Notices.PasswordChanged, mailer.PasswordChanged, current, "", mailer.Data{}, req.Who)
}

// applyEmail begins a change of address. An anonymous user has none that could
// be taken over: where addresses need no confirmation, theirs is set at once.
func (s *Server) applyEmail(ctx context.Context, tx *store.Tx, user *users.User, address string, req message.Request) error {
	if !user.IsAnonymous || !s.config.Mailer.Autoconfirm {
		return s.messages.RequestChange(ctx, tx, user, address, req)
	}
	batch := &pgx.Batch{}
	batch.Queue(beginChange, user.ID, address, req.Now)
	user.NewEmail = address
	s.changeEmail(batch, user, req.Who)
	batch.Queue(refreshProviders, user.ID)
	return tx.ExecBatch(ctx, batch)
}

// applyPhone begins a change of number, or makes it where none is confirmed.
func (s *Server) applyPhone(ctx context.Context, tx *store.Tx, user *users.User, phone string, req message.Request) (*message.Text, error) {
	if !s.config.SMS.Autoconfirm {
		return s.messages.RequestPhoneChange(ctx, tx, user, phone, req)
	}
	batch := &pgx.Batch{}
	batch.Queue(changePhoneIdentity, user.ID, phone, req.Now)
	batch.Queue(finishPhoneChange, user.ID, phone, req.Now)
	batch.Queue(message.ClearAllTokens, user.ID)
	batch.Queue(refreshProviders, user.ID)
	return nil, tx.ExecBatch(ctx, batch)
}

// changePassword ends all other sessions of the user, too.
func (s *Server) changePassword(batch *pgx.Batch, in *session.Current, hash string, req message.Request) {
	batch.Queue(setPassword, in.User.ID, hash, req.Now)
	batch.Queue(message.ClearAllTokens, in.User.ID)
	if in.ID == "" {
		batch.Queue(session.EndAll, in.User.ID)
	} else {
		batch.Queue(session.EndOthers, in.User.ID, in.ID)
	}
	s.trail.Add(batch, req.Who, in.User, audit.UpdatedPassword, nil)
}

// mergeInto changes an account's data key by key; null removes a key. PostgreSQL
// merges, so that changes at the same time lose nothing of each other.
func mergeInto(batch *pgx.Batch, statement, userID string, data map[string]json.RawMessage, now time.Time) error {
	set, removed := map[string]json.RawMessage{}, []string{}
	for key, value := range data {
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
	batch.Queue(statement, userID, encoded, removed, now)
	return nil
}
