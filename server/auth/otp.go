package auth

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// codeRequest is a wish to sign in by a link or code that is sent.
type codeRequest struct {
	signUpRequest
	CreateUser *bool `json:"create_user"`
}

func (c codeRequest) creates() bool { return c.CreateUser == nil || *c.CreateUser }

// otp answers POST /otp: a mail with a link and a code, or a message with a
// code. Who has no account gets one, unless create_user says no.
func (s *Server) otp(w http.ResponseWriter, r *http.Request) error {
	var params codeRequest
	if err := read(w, r, &params); err != nil {
		return err
	}
	switch {
	case params.Email != "" && params.Phone != "":
		return autherr.BadRequest(autherr.CodeValidation, "Only an email address or phone number should be provided")
	case params.Email != "" && params.Channel != "":
		return autherr.BadRequest(autherr.CodeValidation, "Channel should only be specified with Phone OTP")
	case params.Phone != "" && !s.config.Ways.Phone:
		return autherr.BadRequest(autherr.CodePhoneDisabled, "Unsupported phone provider")
	case params.Email == "" && params.Phone == "":
		return autherr.BadRequest(autherr.CodeValidation, "One of email or phone must be set")
	}
	return s.sendSignIn(w, r, params)
}

// magicLink answers POST /magiclink, the older form of /otp.
func (s *Server) magicLink(w http.ResponseWriter, r *http.Request) error {
	var params codeRequest
	if err := read(w, r, &params); err != nil {
		return err
	}
	if params.Email == "" {
		return autherr.Unprocessable(autherr.CodeValidation, "Password recovery requires an email")
	}
	params.CreateUser, params.Phone = nil, ""
	return s.sendSignIn(w, r, params)
}

func (s *Server) sendSignIn(w http.ResponseWriter, r *http.Request, params codeRequest) error {
	if params.Email != "" && (!s.config.Ways.Email || !s.config.Ways.MagicLink) {
		return autherr.Unprocessable(autherr.CodeEmailDisabled, "Email logins are disabled")
	}
	reg, err := s.registration(r, params.signUpRequest)
	if err != nil {
		return err
	}
	return s.paced(r, func() error {
		existing, err := users.Find(r.Context(), s.store, reg.contact, reg.audience)
		switch {
		case err != nil:
			return err
		case existing == nil && !params.creates():
			return autherr.Unprocessable(autherr.CodeOTPDisabled, "Signups not allowed for otp")
		case existing == nil && s.config.DisableSignup:
			return errSignupDisabled
		}
		var answer messageAnswer
		if existing == nil || !existing.Confirmed(reg.contact.Kind) {
			answer, err = s.registerByCode(r.Context(), reg)
		} else {
			answer, err = s.sendCodeTo(r.Context(), existing.ID, reg, true)
		}
		if err != nil {
			return err
		}
		return httpx.WriteJSON(w, http.StatusOK, answer)
	})
}

// registerByCode makes an account that no password opens. Its
// confirmation signs in as a link or code does; where none is needed, the link
// or code follows the account.
func (s *Server) registerByCode(ctx context.Context, reg registration) (messageAnswer, error) {
	reg.hash = s.hasher.Nobody() // to hash a password takes long, which would tell that the address is new
	if !s.autoconfirms(reg.contact.Kind) {
		done, err := s.register(ctx, reg)
		return messageAnswer{done.message}, err
	}
	var id string
	err := s.store.InTx(ctx, func(tx *store.Tx) error {
		user, err := users.FindLocked(ctx, tx, reg.contact, reg.audience)
		if err == nil && user == nil {
			user, err = s.insertAccount(ctx, tx, reg)
		}
		if err != nil {
			return err
		}
		id = user.ID
		batch := &pgx.Batch{}
		s.confirm(batch, user, reg.contact.Kind, reg.who)
		return tx.ExecBatch(ctx, batch)
	})
	if err != nil {
		return messageAnswer{}, savingFailed(err, "Database error saving new user")
	}
	return s.sendCodeTo(ctx, id, reg, false)
}

// asInsert costs about what the insertion of an account or an identity costs, and
// changes nothing.
const asInsert = `update auth.identities set updated_at = updated_at where user_id = $1 and provider = $2`

// costAsNew asks PostgreSQL as often as for an account that has to be made first, so
// that the time of the answer does not tell which of both it was.
func costAsNew(ctx context.Context, tx *store.Tx, id string, kind string) error {
	batch := &pgx.Batch{}
	batch.Queue(asInsert, id, kind)
	batch.Queue(asInsert, id, kind)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	_, err := users.Load(ctx, tx, id)
	return err
}

// sendCodeTo sends an account what it signs in by. known says that the account was
// there before.
func (s *Server) sendCodeTo(ctx context.Context, id string, reg registration, known bool) (messageAnswer, error) {
	if err := s.limits.SpendContact(ctx, reg.contact); err != nil {
		return messageAnswer{}, err
	}
	var message *message.Text
	err := s.store.InTx(ctx, func(tx *store.Tx) error {
		user, err := users.Lock(ctx, tx, id)
		if err == nil && known {
			err = costAsNew(ctx, tx, id, reg.contact.Kind)
		}
		if err != nil {
			return err
		}
		if reg.contact.Kind == users.ByEmail {
			return s.messages.RequestRecovery(ctx, tx, mailer.MagicLink, session.MethodMagicLink, user, reg.request())
		}
		batch := &pgx.Batch{}
		s.trail.Add(batch, reg.who, user, audit.RecoveryRequested, map[string]any{"channel": reg.channel})
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return err
		}
		message, err = s.messages.RequestPhoneConfirmation(ctx, tx, user, reg.request())
		return err
	})
	if err != nil {
		return messageAnswer{}, err
	}
	sent, err := s.messages.SendText(ctx, message)
	return messageAnswer{sent}, err
}

// messageAnswer is what a request for a code answers.
type messageAnswer struct {
	ID string `json:"message_id,omitempty"`
}
