package auth

import (
	"cmp"
	"context"
	"strings"
	"text/template"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/settings"
	"plaza/server/auth/sms"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// testCode is the fixed code of a number, if it has one now.
func (s *messages) testCode(phone string, now time.Time) (string, bool) {
	config := s.config.SMS
	if !config.TestOTPValidUntil.IsZero() && !now.Before(config.TestOTPValidUntil) {
		return "", false
	}
	for number, code := range config.TestOTP {
		if strings.ReplaceAll(strings.TrimPrefix(number, "+"), " ", "") == phone {
			return code, true
		}
	}
	return "", false
}

// Channels, and whether a request may name one.
func checkChannel(channel string) error {
	if channel != "" && channel != sms.Text && channel != sms.WhatsApp {
		return autherr.BadRequest(autherr.CodeValidation, "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.")
	}
	return nil
}

// text is a message that waits for its token to be committed.
type text struct {
	user         *users.User
	phone, code  string
	kind, unsent string // of the token, and the statement that forgets it was sent
	req          mailRequest
}

// requestCode makes a one-time token of a kind for a phone, and the message that
// carries it. note writes it into the user's row.
func (s *messages) requestCode(ctx context.Context, tx *store.Tx, user *users.User, phone string, last *time.Time, t text, note func(batch *pgx.Batch, stored string)) (*text, error) {
	if err := s.tooSoonSMS(last, t.req.now); err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	fresh := s.issueToken(batch, user.ID, t.kind, phone, false, t.req.now)
	note(batch, fresh.stored)
	t.user, t.phone, t.code = user, phone, fresh.code
	return &t, tx.ExecBatch(ctx, batch)
}

// requestPhoneConfirmation makes the code by which a phone signs in, or a new
// account is confirmed.
func (s *messages) requestPhoneConfirmation(ctx context.Context, tx *store.Tx, user *users.User, req mailRequest) (*text, error) {
	return s.requestCode(ctx, tx, user, user.Phone, user.ConfirmationSentAt,
		text{kind: tokenConfirmation, unsent: unsentConfirmation, req: req},
		func(batch *pgx.Batch, stored string) { batch.Queue(noteConfirmation, user.ID, stored, req.now) })
}

// requestPhoneChange makes the code by which a new number is confirmed.
func (s *messages) requestPhoneChange(ctx context.Context, tx *store.Tx, user *users.User, phone string, req mailRequest) (*text, error) {
	return s.requestCode(ctx, tx, user, phone, user.PhoneChangeSentAt,
		text{kind: tokenPhoneChange, unsent: unsentPhoneChange, req: req},
		func(batch *pgx.Batch, stored string) { batch.Queue(notePhoneChange, user.ID, phone, stored, req.now) })
}

// testMessage is the name of a message that was not sent, as its number has a
// fixed code. Source: supabase/auth.
const testMessage = "test-otp"

// undoTimeout bounds the forgetting of a message that did not go out.
const undoTimeout = 5 * time.Second

// sendText sends a message, once its token is committed. A message that does not
// go out may be asked for again at once.
//
// Errors: 422 sms_send_failed; what the project's hook answers.
func (s *messages) sendText(ctx context.Context, t *text) (id string, err error) {
	if t == nil {
		return "", nil
	}
	if id, err = s.sendCode(ctx, t.user, t.phone, t.code, t.req.channel, s.smsText, t.req.who); err == nil {
		return id, nil
	}
	// Also where the request has timed out meanwhile.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTimeout)
	defer cancel()
	undo := s.store.InTx(ctx, func(tx *store.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(t.unsent, t.user.ID)
		batch.Queue(clearToken, t.user.ID, t.kind)
		return tx.ExecBatch(ctx, batch)
	})
	if undo != nil {
		s.log.ErrorContext(ctx, "a code that was not sent is still noted", "error", undo)
	}
	return "", err
}

// sendCode sends a code to a phone through the project's hook or the provider.
func (s *messages) sendCode(ctx context.Context, user *users.User, phone, code, channel string, words *template.Template, who users.Visitor) (string, error) {
	if _, fixed := s.testCode(phone, s.now()); fixed {
		return testMessage, nil
	}
	if s.hooks.Has(settings.HookSendSMS) {
		return "", s.hooks.Call(ctx, nil, settings.HookSendSMS, who, map[string]any{"user": user, "sms": map[string]string{"otp": code, "phone": phone}}, nil)
	}
	if s.sms == nil {
		return "", autherr.Internal("Unable to get SMS provider")
	}
	var written strings.Builder
	if err := words.Execute(&written, settings.SMSVariables{Code: code}); err != nil {
		return "", autherr.Internal("error generating sms template").WithCause(err)
	}
	id, err := s.sms.Send(ctx, sms.Message{To: phone, Text: written.String(), Channel: cmp.Or(channel, sms.Text), Code: code})
	if err != nil {
		s.log.ErrorContext(ctx, "text message not sent", "error", err)
		return "", autherr.Unprocessable(autherr.CodeSMSFailed, "Error sending confirmation OTP to provider").WithCause(err)
	}
	return id, nil
}

// requestNonce makes the code by which somebody shows that it is still them.
func (s *messages) requestNonce(ctx context.Context, tx *store.Tx, user *users.User, c users.Contact, req mailRequest) (*text, error) {
	batch := &pgx.Batch{}
	s.trail.Add(batch, req.who, user, audit.ReauthRequested, nil)
	if c.Kind == users.ByPhone {
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return nil, err
		}
		return s.requestCode(ctx, tx, user, c.Value, user.ReauthenticationSentAt,
			text{kind: tokenReauth, unsent: unsentReauth, req: req},
			func(batch *pgx.Batch, stored string) { batch.Queue(noteReauth, user.ID, stored, req.now) })
	}
	if err := s.tooSoon(user.ReauthenticationSentAt, req.now); err != nil {
		return nil, err
	}
	fresh := s.issueToken(batch, user.ID, tokenReauth, c.Value, false, req.now)
	batch.Queue(noteReauth, user.ID, fresh.stored, req.now)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	fresh.link = "" // it is typed, never followed
	return nil, s.queueMail(ctx, tx, s.mail(mailer.Reauthentication, "reauthentication", c.Value, user, fresh, req.redirect), user, req.who)
}
