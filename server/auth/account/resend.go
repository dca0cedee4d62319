package account

import (
	"context"

	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// Recovery is the body of POST /recover.
type Recovery struct {
	Email string `json:"email"`
	pkce.Challenge
}

// Recover mails a sign-in link for setting a new password. An unknown address gets the
// same response in the same time, also for a repeated request.
//
// Errors: 400 validation_failed; those of limit.Limiter.SpendContact.
func (s *Accounts) Recover(ctx context.Context, params Recovery, r Request) error {
	if params.Email == "" {
		return autherr.BadRequest(autherr.CodeValidation, "Password recovery requires an email")
	}
	email, err := users.ParseEmail(params.Email)
	if err != nil {
		return err
	}
	_, err = s.sendToContact(ctx, users.Contact{Kind: users.ByEmail, Value: email}, params.Challenge, recoveryKey(email), r,
		func(ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.PhoneMessage, bool, error) {
			return nil, true, s.messages.RequestRecovery(ctx, tx, mailer.Recovery, session.MethodRecovery, user, req)
		})
	return err
}

// Resend is the body of POST /resend.
type Resend struct {
	Type  string `json:"type"`
	Email string `json:"email"`
	Phone string `json:"phone"`
	pkce.Challenge
}

// Resend sends the confirmation of a sign-up or of a change of address or number again. It
// returns the id of the message if it was sent to a phone.
//
// Errors: 400 validation_failed, phone_provider_disabled; 422 sms_send_failed;
// those of limit.Limiter.SpendContact.
func (s *Accounts) Resend(ctx context.Context, params Resend, r Request) (string, error) {
	resend, ok := resendTypes[params.Type]
	switch {
	case !ok:
		return "", autherr.BadRequest(autherr.CodeValidation, "Missing one of these types: signup, email_change, sms, phone_change")
	case params.Email != "" && params.Phone != "":
		return "", autherr.BadRequest(autherr.CodeValidation, "Only an email address or phone number should be provided.")
	case resend.contactKind == users.ByEmail && params.Email == "":
		return "", autherr.BadRequest(autherr.CodeValidation, "Type provided requires an email address")
	case resend.contactKind == users.ByPhone && params.Phone == "":
		return "", autherr.BadRequest(autherr.CodeValidation, "Type provided requires a phone number")
	case resend.contactKind == users.ByPhone && !s.config.Ways.Phone:
		return "", autherr.BadRequest(autherr.CodePhoneDisabled, "Phone logins are disabled")
	}
	c := users.Contact{Kind: resend.contactKind}
	var err error
	if resend.contactKind == users.ByEmail {
		c.Value, err = users.ParseEmail(params.Email)
	} else {
		c.Value, err = users.ParsePhone(params.Phone)
	}
	if err != nil {
		return "", err
	}
	return s.sendToContact(ctx, c, params.Challenge, resend.requestKey(c.Value), r,
		func(ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.PhoneMessage, bool, error) {
			return resend.send(s.messages, ctx, tx, user, req)
		})
}

// resendType is a type of POST /resend.
type resendType struct {
	contactKind string
	requestKey  func(address string) string
	send        func(m *message.Sender, ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.PhoneMessage, bool, error)
}

var resendTypes = map[string]resendType{
	"signup":       {users.ByEmail, confirmationKey, resendEmailConfirmation},
	"email_change": {users.ByEmail, changeKey, resendEmailChange},
	"sms":          {users.ByPhone, confirmationKey, resendPhoneConfirmation},
	"phone_change": {users.ByPhone, changeKey, resendPhoneChange},
}

// confirmationKey, recoveryKey and changeKey return keys that identify a kind of request for
// an address.
func confirmationKey(address string) string { return "confirmation:" + address }
func recoveryKey(email string) string       { return "recovery:" + email }
func changeKey(address string) string       { return "change:" + address }

func resendEmailConfirmation(m *message.Sender, ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.PhoneMessage, bool, error) {
	if user.Confirmed(users.ByEmail) {
		return nil, false, nil
	}
	return nil, true, m.RequestConfirmation(ctx, tx, user, req)
}

func resendEmailChange(m *message.Sender, ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.PhoneMessage, bool, error) {
	if user.NewEmail == "" {
		return nil, false, nil
	}
	return nil, true, m.RequestChange(ctx, tx, user, user.NewEmail, req)
}

func resendPhoneConfirmation(m *message.Sender, ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.PhoneMessage, bool, error) {
	if user.Confirmed(users.ByPhone) {
		return nil, false, nil
	}
	text, err := m.RequestPhoneConfirmation(ctx, tx, user, req)
	return text, true, err
}

func resendPhoneChange(m *message.Sender, ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (*message.PhoneMessage, bool, error) {
	if user.NewPhone == "" {
		return nil, false, nil
	}
	text, err := m.RequestPhoneChange(ctx, tx, user, user.NewPhone, req)
	return text, true, err
}

// sendFunc sends a mail or message to an account. sent is false if there was nothing to send.
type sendFunc func(ctx context.Context, tx *store.Tx, user *users.User, req message.Request) (text *message.PhoneMessage, sent bool, err error)

// sendToContact calls send for the account of a contact, if there is one. It returns the id of
// the message if it was sent to a phone. key identifies the request, so that repeats
// are limited in the same way whether or not anything is sent.
func (s *Accounts) sendToContact(ctx context.Context, c users.Contact, challenge pkce.Challenge, key string, r Request, send sendFunc) (id string, err error) {
	if err := challenge.Check(); err != nil {
		return "", err
	}
	if err := s.limits.SpendContact(ctx, c); err != nil {
		return "", err
	}
	req := s.mail(r, challenge)
	err = s.withMinDuration(ctx, func() error {
		var text *message.PhoneMessage
		err := s.db.InTx(ctx, func(tx *store.Tx) error {
			var sent bool
			text = nil
			user, err := users.FindLocked(ctx, tx, c, r.Audience)
			if err == nil && user != nil {
				text, sent, err = send(ctx, tx, user, req)
			}
			if err == nil && !sent {
				err = s.messages.CheckUnsentInterval(ctx, tx, c, key, req.Now)
			}
			return err
		})
		if err != nil {
			return err
		}
		id, err = s.messages.SendPhoneMessage(ctx, text)
		return err
	})
	return id, err
}
