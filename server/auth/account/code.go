package account

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// CodeRequest is the body of POST /otp and /magiclink, which request a link or code to
// sign in with.
type CodeRequest struct {
	SignUp
	CreateUser *bool `json:"create_user"`
}

func (c CodeRequest) creates() bool { return c.CreateUser == nil || *c.CreateUser }

// SendCode mails a link with a code, or sends a message with a code, and returns
// the message's id. It creates an account if there is none, unless create_user is false.
//
// Errors: 400 validation_failed, bad_json, phone_provider_disabled; 422 email_provider_disabled,
// otp_disabled, signup_disabled, metadata_too_large, sms_send_failed;
// those of limit.Limiter.SpendContact.
func (s *Accounts) SendCode(ctx context.Context, params CodeRequest, r Request) (string, error) {
	switch {
	case params.Email != "" && params.Phone != "":
		return "", autherr.BadRequest(autherr.CodeValidation, "Only an email address or phone number should be provided")
	case params.Email != "" && params.Channel != "":
		return "", autherr.BadRequest(autherr.CodeValidation, "Channel should only be specified with Phone OTP")
	case params.Phone != "" && !s.config.Ways.Phone:
		return "", autherr.BadRequest(autherr.CodePhoneDisabled, "Unsupported phone provider")
	case params.Email == "" && params.Phone == "":
		return "", autherr.BadRequest(autherr.CodeValidation, "One of email or phone must be set")
	}
	return s.sendCode(ctx, params, r)
}

// SendMagicLink is the older form of SendCode, for addresses only.
func (s *Accounts) SendMagicLink(ctx context.Context, params CodeRequest, r Request) (string, error) {
	if params.Email == "" {
		return "", autherr.Unprocessable(autherr.CodeValidation, "Password recovery requires an email")
	}
	params.CreateUser, params.Phone = nil, ""
	return s.sendCode(ctx, params, r)
}

func (s *Accounts) sendCode(ctx context.Context, params CodeRequest, r Request) (id string, err error) {
	if params.Email != "" && (!s.config.Ways.Email || !s.config.Ways.MagicLink) {
		return "", autherr.Unprocessable(autherr.CodeEmailDisabled, "Email logins are disabled")
	}
	reg, err := s.checkSignUp(params.SignUp, r)
	if err != nil {
		return "", err
	}
	err = s.withMinDuration(ctx, func() error {
		existing, err := users.Find(ctx, s.db, reg.contact, reg.audience)
		switch {
		case err != nil:
			return err
		case existing == nil && !params.creates():
			return autherr.Unprocessable(autherr.CodeOTPDisabled, "Signups not allowed for otp")
		case existing == nil && s.config.DisableSignup:
			return ErrSignupDisabled
		}
		if existing == nil || !existing.Confirmed(reg.contact.Kind) {
			id, err = s.registerWithoutPassword(ctx, reg)
		} else {
			id, err = s.sendCodeTo(ctx, existing.ID, reg, true)
		}
		return err
	})
	return id, err
}

// registerWithoutPassword creates an account without a usable password. If its contact needs
// confirmation, the confirmation also signs the user in. Otherwise the link or code is
// sent after the account was created.
func (s *Accounts) registerWithoutPassword(ctx context.Context, reg registration) (string, error) {
	reg.hash = s.Hasher.UnmatchableHash() // hashing a password takes long, which would reveal that the address is new
	if !s.autoconfirms(reg.contact.Kind) {
		done, err := s.register(ctx, reg)
		return done.message, err
	}
	var id string
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		user, err := users.FindLocked(ctx, tx, reg.contact, reg.audience)
		if err == nil && user == nil {
			user, err = s.insert(ctx, tx, reg)
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
		return "", wrapSaveError(err, "Database error saving new user")
	}
	return s.sendCodeTo(ctx, id, reg, false)
}

// runDummyInserts runs as many statements as the creation of an account takes, so that the
// response time does not reveal whether the account existed.
func runDummyInserts(ctx context.Context, tx *store.Tx, id string, kind string) error {
	batch := &pgx.Batch{}
	batch.Queue(dummyInsert, id, kind)
	batch.Queue(dummyInsert, id, kind)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	_, err := users.Load(ctx, tx, id)
	return err
}

// sendCodeTo sends an account a link or code to sign in with. known means that the account
// existed before this request.
func (s *Accounts) sendCodeTo(ctx context.Context, id string, reg registration, known bool) (string, error) {
	if err := s.limits.SpendContact(ctx, reg.contact); err != nil {
		return "", err
	}
	var text *message.PhoneMessage
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		user, err := users.Lock(ctx, tx, id)
		if err == nil && known {
			err = runDummyInserts(ctx, tx, id, reg.contact.Kind)
		}
		if err != nil {
			return err
		}
		if reg.contact.Kind == users.ByEmail {
			return s.messages.RequestRecovery(ctx, tx, mailer.MagicLink, session.MethodMagicLink, user, reg.mail())
		}
		batch := &pgx.Batch{}
		s.trail.Add(batch, reg.who, user, audit.RecoveryRequested, map[string]any{"channel": reg.channel})
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return err
		}
		text, err = s.messages.RequestPhoneConfirmation(ctx, tx, user, reg.mail())
		return err
	})
	if err != nil {
		return "", err
	}
	return s.messages.SendPhoneMessage(ctx, text)
}
