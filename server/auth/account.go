package auth

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/auth/mailer"
	"plaza/server/httpx"
)

// getUser answers GET /user.
func (s *Server) getUser(w http.ResponseWriter, r *http.Request) error {
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	if asked := r.Header.Get("X-JWT-AUD"); asked != "" && asked != in.user.Aud {
		return badRequest(codeValidation, "Token audience doesn't match request audience")
	}
	return httpx.WriteJSON(w, http.StatusOK, in.user)
}

// changes are the fields of PUT /user.
type changes struct {
	Email           string                     `json:"email"`
	Phone           string                     `json:"phone"`
	Password        *string                    `json:"password"`
	CurrentPassword string                     `json:"current_password"`
	Data            map[string]json.RawMessage `json:"data"`
	AppMetadata     map[string]json.RawMessage `json:"app_metadata"`
	challenge

	hash string // of the new password
}

func (c *changes) setsPassword() bool { return c.Password != nil && *c.Password != "" }

var errEmailExists = unprocessable(codeEmailExists, "A user with this email address has already been registered")

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
	if asked.Email == in.user.Email {
		asked.Email = ""
	}
	if asked.Email != "" {
		taken, err := s.findUser(r.Context(), asked.Email, in.user.Aud)
		if err != nil {
			return err
		}
		if taken != nil {
			return errEmailExists
		}
	}
	if asked.setsPassword() {
		if err := s.checkNewPassword(r.Context(), &asked, in); err != nil {
			return err
		}
	}
	user, mails, err := s.applyChanges(r, in, &asked)
	if err != nil {
		return err
	}
	if err := s.post(r.Context(), mails...); err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, user)
}

// checkChanges refuses what needs no look at the database.
func (s *Server) checkChanges(asked *changes, in *signedIn) error {
	if asked.Email != "" {
		email, err := parseEmail(asked.Email)
		if err != nil {
			return err
		}
		asked.Email = email
	}
	if asked.Password != nil {
		if err := s.passwordError(*asked.Password); err != nil {
			return err
		}
	}
	if err := asked.challenge.check(); err != nil {
		return err
	}
	newEmail := asked.Email != "" && asked.Email != in.user.Email
	switch {
	case asked.AppMetadata != nil:
		return forbidden(codeNotAdmin, "Updating app_metadata requires admin privileges")
	case asked.Phone != "" && asked.Phone != in.user.Phone:
		return badRequest(codePhoneDisabled, "Unsupported phone provider")
	case in.user.secondFactor() && assurance(in.methods) != "aal2" && (asked.setsPassword() || newEmail):
		return apierr.New(http.StatusUnauthorized, codeInsufficientAAL, "AAL2 session is required to update email or password when MFA is enabled.")
	case in.user.IsAnonymous && asked.setsPassword() && asked.Email == "":
		return unprocessable(codeValidation, "Updating password of an anonymous user without an email or phone is not allowed")
	case in.user.isSSO && (asked.setsPassword() || newEmail):
		return unprocessable(codeSSOManaged, "Updating email, phone, password of a SSO account only possible via SSO")
	}
	return nil
}

// checkNewPassword refuses the old password as the new one, and a wrong current
// password. A current password that is given is checked also where it is not
// required. Who came by a mailed link need not know it.
func (s *Server) checkNewPassword(ctx context.Context, asked *changes, in *signedIn) error {
	if in.user.passwordHash != "" {
		switch {
		case asked.CurrentPassword != "":
			right, err := s.hasher.Matches(ctx, in.user.passwordHash, asked.CurrentPassword)
			if err != nil {
				return err
			}
			if !right {
				return badRequest(codeCurrentInvalid, "Current password required when setting new password.")
			}
		case s.config.Security.RequireCurrentPassword && !in.recovering(s.now()):
			return badRequest(codeCurrentRequired, "Current password required when setting new password.")
		}
		same, err := s.hasher.Matches(ctx, in.user.passwordHash, *asked.Password)
		if err != nil {
			return err
		}
		if same {
			return unprocessable(codeSamePassword, "New password should be different from the old password.")
		}
	}
	var err error
	asked.hash, err = s.hasher.Hash(ctx, *asked.Password)
	return err
}

func (s *Server) applyChanges(r *http.Request, in *signedIn, asked *changes) (*User, []mailer.Mail, error) {
	ctx, req := r.Context(), s.mailRequest(r, asked.challenge)
	var user *User
	var mails []mailer.Mail
	err := s.work(ctx, func(tx pgx.Tx) error {
		mails = nil
		current, err := loadUser(ctx, tx, userLocked, in.user.ID)
		if err != nil {
			return err
		}
		batch := &pgx.Batch{}
		if asked.setsPassword() {
			s.changePassword(batch, in, asked.hash, req)
		}
		if asked.Data != nil {
			if err := mergeInto(batch, in.user.ID, asked.Data, req.now); err != nil {
				return err
			}
		}
		s.audit(batch, req.who, current, actionModified, nil)
		if err := execAll(ctx, tx, batch); err != nil {
			return err
		}
		if asked.Email != "" {
			if asked.setsPassword() {
				current.EmailChangeSentAt = nil // the new password ended what was begun before
			}
			if mails, err = s.requestChange(ctx, tx, current, asked.Email, req); err != nil {
				return err
			}
		}
		user, err = loadUser(ctx, tx, userByID, in.user.ID)
		return err
	})
	return user, mails, err
}

// changePassword ends all other sessions of the user, too.
func (s *Server) changePassword(batch *pgx.Batch, in *signedIn, hash string, req mailRequest) {
	batch.Queue(setPassword, in.user.ID, hash, req.now)
	batch.Queue(clearAllTokens, in.user.ID)
	if in.session == "" {
		batch.Queue(endAll, in.user.ID)
	} else {
		batch.Queue(endOthers, in.user.ID, in.session)
	}
	s.audit(batch, req.who, in.user, actionUpdatedPassword, nil)
}

// mergeInto changes the user's own data key by key; null removes a key.
func mergeInto(batch *pgx.Batch, userID string, data map[string]json.RawMessage, now time.Time) error {
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
	batch.Queue(mergeData, userID, encoded, removed, now)
	return nil
}

// logout answers POST /logout: it ends the user's sessions, all (global), this
// one (local) or all but this one (others).
func (s *Server) logout(w http.ResponseWriter, r *http.Request) error {
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	s.audit(batch, s.visitor(r), in.user, actionLogout, nil)
	switch scope := r.URL.Query().Get("scope"); {
	case scope != "" && scope != "global" && scope != "local" && scope != "others":
		return badRequest(codeValidation, "Unsupported logout scope %q", scope)
	case scope == "local" && in.session != "":
		batch.Queue(endOne, in.user.ID, in.session)
	case scope == "others" && in.session != "":
		batch.Queue(endOthers, in.user.ID, in.session)
	default:
		batch.Queue(endAll, in.user.ID)
	}
	if err := s.work(r.Context(), func(tx pgx.Tx) error { return execAll(r.Context(), tx, batch) }); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
