package account

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/message"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// Reauthenticate sends the signed-in user a nonce that allows setting a password. It
// returns the id of the message if it was sent to a phone.
//
// Errors: 400 validation_failed; 422 email_not_confirmed, phone_not_confirmed, sms_send_failed;
// those of limit.Limiter.SpendContact.
func (s *Self) Reauthenticate(ctx context.Context, current *session.Current, r Request) (string, error) {
	c := users.Contact{Kind: users.ByEmail, Value: current.User.Email}
	switch {
	case current.User.Email == "" && current.User.Phone == "":
		return "", autherr.BadRequest(autherr.CodeValidation, "Reauthentication requires the user to have an email or a phone number")
	case current.User.Email != "" && !current.User.Confirmed(users.ByEmail):
		return "", autherr.Unprocessable(autherr.CodeNotConfirmed, "Please verify your email first.")
	case current.User.Email == "" && !current.User.Confirmed(users.ByPhone):
		return "", autherr.Unprocessable(autherr.CodePhoneNotConfirmed, "Please verify your phone first.")
	case current.User.Email == "":
		c = users.Contact{Kind: users.ByPhone, Value: current.User.Phone}
	}
	if err := s.limits.SpendContact(ctx, c); err != nil {
		return "", err
	}
	var text *message.PhoneMessage
	req := s.mail(r, pkce.Challenge{})
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		user, err := users.Lock(ctx, tx, current.User.ID)
		if err == nil {
			text, err = s.messages.RequestNonce(ctx, tx, user, c, req)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return s.messages.SendPhoneMessage(ctx, text)
}

var errNonce = autherr.Unprocessable(autherr.CodeReauthInvalid, "Nonce has expired or is invalid")

// consumeNonce consumes a user's nonce. Too many wrong guesses invalidate it.
//
// Errors: 400 reauthentication_needed; 422 reauthentication_not_valid.
func (s *Self) consumeNonce(ctx context.Context, user *users.User, nonce string) error {
	if nonce == "" {
		return autherr.BadRequest(autherr.CodeReauthNeeded, "Password update requires reauthentication")
	}
	address := user.Email
	if address == "" {
		address = user.Phone
	}
	var ok bool
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		var found message.Token
		var err error
		found, ok, err = s.messages.FindCode(ctx, tx, address, nonce, user.Aud, []string{message.TokenReauth})
		if err != nil || !ok {
			return err
		}
		batch := &pgx.Batch{}
		message.DropToken(batch, found.UserID, found.Kind)
		return tx.ExecBatch(ctx, batch)
	})
	if err == nil && !ok {
		err = errNonce
	}
	return err
}
