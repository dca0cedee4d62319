package message

import (
	"cmp"
	"context"
	"strings"
	"text/template"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/settings"
	"plaza/server/auth/sms"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// TestCode returns the fixed test code of a number, if it currently has one.
func (s *Sender) TestCode(phone string, now time.Time) (string, bool) {
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

// requestCode issues a one-time token of a kind for a phone and returns the message with it. note
// queues the update of the user's row.
func (s *Sender) requestCode(ctx context.Context, tx *store.Tx, user *users.User, phone string, last *time.Time, t PhoneMessage, note func(batch *pgx.Batch, stored string)) (*PhoneMessage, error) {
	if err := s.checkSMSInterval(last, t.req.Now); err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	fresh := s.IssueToken(batch, user.ID, t.kind, phone, false, t.req.Now)
	note(batch, fresh.Stored)
	t.user, t.phone, t.code = user, phone, fresh.Code
	return &t, tx.ExecBatch(ctx, batch)
}

// RequestPhoneConfirmation issues the code that signs in with a phone or confirms a new
// account.
//
// Errors: 429 over_sms_send_rate_limit if the last such message was sent too recently.
func (s *Sender) RequestPhoneConfirmation(ctx context.Context, tx *store.Tx, user *users.User, req Request) (*PhoneMessage, error) {
	return s.requestCode(ctx, tx, user, user.Phone, user.ConfirmationSentAt,
		PhoneMessage{kind: TokenConfirmation, unsent: unsentConfirmation, req: req},
		func(batch *pgx.Batch, stored string) { batch.Queue(NoteConfirmation, user.ID, stored, req.Now) })
}

// RequestPhoneChange issues the code that confirms a new number.
//
// Errors: those of RequestPhoneConfirmation.
func (s *Sender) RequestPhoneChange(ctx context.Context, tx *store.Tx, user *users.User, phone string, req Request) (*PhoneMessage, error) {
	return s.requestCode(ctx, tx, user, phone, user.PhoneChangeSentAt,
		PhoneMessage{kind: TokenPhoneChange, unsent: unsentPhoneChange, req: req},
		func(batch *pgx.Batch, stored string) { batch.Queue(notePhoneChange, user.ID, phone, stored, req.Now) })
}

// SendPhoneMessage sends a message after its token has been committed. If it cannot be sent, it may be
// requested again at once. It does nothing if t is nil.
//
// Errors: those of SendCode.
func (s *Sender) SendPhoneMessage(ctx context.Context, t *PhoneMessage) (id string, err error) {
	if t == nil {
		return "", nil
	}
	if id, err = s.SendCode(ctx, t.user, t.phone, t.code, t.req.Channel, s.smsText, t.req.Info); err == nil {
		return id, nil
	}
	// The request may have timed out; the undo must run anyway.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTimeout)
	defer cancel()
	undo := s.store.InTx(ctx, func(tx *store.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(t.unsent, t.user.ID)
		batch.Queue(ClearToken, t.user.ID, t.kind)
		return tx.ExecBatch(ctx, batch)
	})
	if undo != nil {
		s.log.ErrorContext(ctx, "cannot delete the token of an unsent code", "error", undo)
	}
	return "", err
}

// SendCode sends a code to a phone through the project's hook or the provider. It returns the
// provider's id of the message, which is empty if the hook was called.
//
// Errors: 422 sms_send_failed; 500 without a provider; errors of the project's hook.
func (s *Sender) SendCode(ctx context.Context, user *users.User, phone, code, channel string, tmpl *template.Template, info users.RequestInfo) (string, error) {
	if _, fixed := s.TestCode(phone, s.now()); fixed {
		return testMessage, nil
	}
	if s.hooks.Has(settings.HookSendSMS) {
		return "", s.hooks.Call(ctx, nil, settings.HookSendSMS, info, map[string]any{"user": user, "sms": map[string]string{"otp": code, "phone": phone}}, nil)
	}
	if s.sms == nil {
		return "", autherr.Internal("Unable to get SMS provider")
	}
	var written strings.Builder
	if err := tmpl.Execute(&written, settings.SMSVariables{Code: code}); err != nil {
		return "", autherr.Internal("error generating sms template").WithCause(err)
	}
	id, err := s.sms.Send(ctx, sms.Message{To: phone, Text: written.String(), Channel: cmp.Or(channel, sms.Text), Code: code})
	if err != nil {
		s.log.ErrorContext(ctx, "text message not sent", "error", err)
		return "", autherr.Unprocessable(autherr.CodeSMSFailed, "Error sending confirmation OTP to provider").WithCause(err)
	}
	return id, nil
}

// CheckChannel refuses unknown channels. An empty channel means the default.
func CheckChannel(channel string) error {
	if channel != "" && channel != sms.Text && channel != sms.WhatsApp {
		return autherr.BadRequest(autherr.CodeValidation, "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.")
	}
	return nil
}

// PhoneMessage is a message to a phone, to be sent after its token has been committed.
type PhoneMessage struct {
	user         *users.User
	phone, code  string
	kind, unsent string // kind of the token; statement to run if the message cannot be sent
	req          Request
}

// testMessage is the id of a message that is not sent, because its number has a fixed test
// code. Source: supabase/auth.
const testMessage = "test-otp"

// undoTimeout is the timeout for undoing a message that could not be sent.
const undoTimeout = 5 * time.Second

// These statements clear the time of a message that could not be sent, so that it can be
// requested again at once.
const unsentConfirmation = `update auth.users set confirmation_token = '', confirmation_sent_at = null where id = $1`

const unsentPhoneChange = `update auth.users set phone_change_token = '', phone_change_sent_at = null where id = $1`

const unsentReauth = `update auth.users set reauthentication_token = '', reauthentication_sent_at = null where id = $1`

const notePhoneChange = `update auth.users set phone_change = $2, phone_change_token = $3, phone_change_sent_at = $4, updated_at = $4 where id = $1`
