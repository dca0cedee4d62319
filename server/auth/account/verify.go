package account

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
)

// Verification is the body of POST /verify.
type Verification struct {
	Type       string `json:"type"`
	Token      string `json:"token"`
	TokenHash  string `json:"token_hash"`
	Email      string `json:"email"`
	Phone      string `json:"phone"`
	RedirectTo string `json:"redirect_to"`
}

// Verified is the result of a link or code. Partial means that the first of the two
// addresses of an email change has been confirmed.
type Verified struct {
	Tokens  *session.TokenResponse
	Code    string // of a PKCE flow
	Partial bool
}

// proof is the secret of a link or a typed code, with the purpose that the request names.
type proof struct {
	purpose string // the request's type
	secret  string // of a link
	address string // to which a typed code was sent
	code    string
}

// purposes maps the types of /verify to the kinds of tokens that each accepts.
var purposes = map[string][]string{
	"signup":       {message.TokenConfirmation},
	"invite":       {message.TokenConfirmation},
	"recovery":     {message.TokenRecovery},
	"magiclink":    {message.TokenRecovery},
	"email":        {message.TokenConfirmation, message.TokenRecovery},
	"email_change": {message.TokenChangeNew, message.TokenChangeOld},
	"sms":          {message.TokenConfirmation},
	"phone_change": {message.TokenPhoneChange},
}

// phonePurposes are the purposes of codes sent to a phone.
var phonePurposes = map[string]bool{"sms": true, "phone_change": true}

// ErrPurpose refuses an unknown type of verification.
var ErrPurpose = autherr.BadRequest(autherr.CodeValidation, "Invalid email verification type")

// Verify consumes a typed code or the secret of a link, and signs its user in. For a typed
// code, the response time does not reveal whether an account with a pending code exists.
//
// Errors: 400 validation_failed; 403 otp_expired, user_banned; 422 validation_failed for an invalid
// email address, email_exists, phone_exists.
func (s *Accounts) Verify(ctx context.Context, params Verification, r Request) (done Verified, err error) {
	input := proof{purpose: params.Type, secret: params.TokenHash, code: params.Token}
	switch {
	case params.Type == "":
		return Verified{}, autherr.BadRequest(autherr.CodeValidation, "Verify requires a verification type")
	case (params.Token == "") == (params.TokenHash == ""):
		return Verified{}, autherr.BadRequest(autherr.CodeValidation, "Verify requires either a token or a token hash")
	case params.TokenHash != "" && (params.Email != "" || params.Phone != "" || params.RedirectTo != ""):
		return Verified{}, autherr.BadRequest(autherr.CodeValidation, "Only the token_hash and type should be provided")
	case params.Token != "" && (params.Email == "") == (params.Phone == ""):
		return Verified{}, autherr.BadRequest(autherr.CodeValidation, "Only an email address or phone number should be provided on verify")
	case params.TokenHash != "" && phonePurposes[params.Type]:
		return Verified{}, ErrPurpose // no link is sent to a phone
	case params.TokenHash != "":
		return s.redeem(ctx, input, r, false)
	}
	if input.address, err = parseAddress(params.Type, params.Email, params.Phone); err != nil {
		return Verified{}, err
	}
	err = s.withMinDuration(ctx, func() error {
		done, err = s.redeem(ctx, input, r, false)
		return err
	})
	return done, err
}

// FollowLink consumes the secret of a link that ends in a redirect. If the flow began with
// a PKCE challenge, it returns a code instead of tokens.
//
// Errors: 400 validation_failed, flow_state_not_found; 403 otp_expired, user_banned; 422
// email_exists, phone_exists.
func (s *Accounts) FollowLink(ctx context.Context, purpose, secret string, r Request) (Verified, error) {
	return s.redeem(ctx, proof{purpose: purpose, secret: secret}, r, strings.HasPrefix(secret, token.PKCEPrefix))
}

// parseAddress returns the email address or phone number to which a typed code was sent.
func parseAddress(purpose, email, phone string) (string, error) {
	if phone != "" {
		number, err := users.ParsePhone(phone)
		if err == nil && !phonePurposes[purpose] {
			err = ErrPurpose
		}
		return number, err
	}
	address, err := users.ParseEmail(email)
	switch {
	case err != nil:
		return "", autherr.Unprocessable(autherr.CodeValidation, "Invalid email format").WithCause(err)
	case phonePurposes[purpose]:
		return "", autherr.BadRequest(autherr.CodeValidation, "Only an email address or phone number should be provided on verify")
	}
	return address, nil
}

// redeem consumes a proof. exchanged means that a PKCE code is issued instead of tokens.
func (s *Accounts) redeem(ctx context.Context, input proof, r Request, exchanged bool) (Verified, error) {
	kinds, ok := purposes[input.purpose]
	if !ok {
		return Verified{}, ErrPurpose
	}
	var done Verified
	var missed bool
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		done, missed = Verified{}, false
		found, ok, err := s.findToken(ctx, tx, input, kinds, r.Audience)
		if err != nil || !ok {
			missed = err == nil
			return err
		}
		done, err = s.accept(ctx, tx, found, input.purpose, r.Info, exchanged)
		return err
	})
	switch {
	case missed:
		return Verified{}, message.ErrInvalidCode
	case store.ViolatesUnique(err) && input.purpose == session.MethodEmailChange:
		return Verified{}, errEmailExists.WithCause(err)
	case store.ViolatesUnique(err) && input.purpose == "phone_change":
		return Verified{}, errPhoneExists.WithCause(err)
	}
	return done, err
}

// findToken returns the token of a proof. A wrong typed code is not an error here, because
// an error would roll back the count of wrong guesses.
func (s *Accounts) findToken(ctx context.Context, tx *store.Tx, input proof, kinds []string, audience string) (message.Token, bool, error) {
	if input.secret != "" {
		found, err := s.messages.FindLink(ctx, tx, input.secret, kinds)
		return found, err == nil, err
	}
	return s.messages.FindCode(ctx, tx, input.address, input.code, audience, kinds)
}

// accept performs the action that a token was sent for, and signs its user in.
func (s *Accounts) accept(ctx context.Context, tx *store.Tx, found message.Token, purpose string, info users.RequestInfo, exchanged bool) (Verified, error) {
	user, err := users.Lock(ctx, tx, found.UserID)
	if err != nil {
		return Verified{}, err
	}
	if user.Banned(s.now()) {
		return Verified{}, autherr.Forbidden(autherr.CodeUserBanned, "User is banned")
	}
	if purpose == "email" { // either a confirmation or a link to sign in with
		purpose = "signup"
		if found.Kind == message.TokenRecovery {
			purpose = session.MethodMagicLink
		}
	}
	batch := &pgx.Batch{}
	message.DropToken(batch, user.ID, found.Kind)
	partial, err := s.queueAction(batch, user, found, purpose, info)
	if err != nil {
		return Verified{}, err
	}
	RefreshProviders(batch, user.ID)
	if err := tx.ExecBatch(ctx, batch); err != nil || partial {
		return Verified{Partial: partial}, err
	}
	if err := s.notifyOfChange(ctx, tx, found, user, info); err != nil {
		return Verified{}, err
	}
	if !exchanged {
		tokens, err := s.sessions.SignIn(ctx, tx, user.ID, session.Grant{Method: session.MethodOTP}, info)
		return Verified{Tokens: tokens}, err
	}
	code, err := pkce.IssueCode(ctx, tx, user.ID, flowMethods[purpose], s.now())
	return Verified{Code: code}, err
}

// queueAction queues the action that a token was sent for. partial reports whether the
// other address of an email change must still be confirmed.
func (s *Accounts) queueAction(batch *pgx.Batch, user *users.User, found message.Token, purpose string, info users.RequestInfo) (partial bool, err error) {
	switch {
	case found.Kind == message.TokenConfirmation && users.KindOf(found.Address) == users.ByPhone && user.Confirmed(users.ByPhone):
		s.trail.Add(batch, info, user, audit.Login, audit.Provider(users.ByPhone))
	case found.Kind == message.TokenConfirmation && users.KindOf(found.Address) == users.ByPhone:
		s.confirm(batch, user, users.ByPhone, info)
	case found.Kind == message.TokenConfirmation:
		if purpose == "invite" {
			s.trail.Add(batch, info, user, audit.InviteAccepted, nil)
		}
		s.confirm(batch, user, users.ByEmail, info)
		switch {
		case purpose == "invite": // someone else may have signed up with the address before
			batch.Queue(replacePassword, user.ID, s.Hasher.UnmatchableHash())
		case user.InvitedAt != nil:
			batch.Queue(setUnknownPassword, user.ID, s.Hasher.UnmatchableHash())
		}
	case found.Kind == message.TokenRecovery && !user.Confirmed(users.ByEmail):
		s.confirm(batch, user, users.ByEmail, info)
	case found.Kind == message.TokenRecovery:
		s.trail.Add(batch, info, user, audit.Login, nil)
	case found.Kind == message.TokenPhoneChange:
		s.trail.Add(batch, info, user, audit.Modified, nil)
		s.changePhone(batch, user, found.Address, s.now())
	case user.NewEmail == "":
		return false, message.ErrInvalidLink
	case s.config.Mailer.SecureEmailChange && !s.config.Mailer.Autoconfirm && user.ChangeStatus == 0 && user.Email != "":
		batch.Queue(confirmFirstAddress, user.ID, s.now())
		return true, nil
	default:
		s.changeEmail(batch, user, info)
	}
	return false, nil
}

// notifyOfChange mails a notice of a changed address to the previous address, or of a changed
// number to the user's address.
func (s *Accounts) notifyOfChange(ctx context.Context, tx *store.Tx, found message.Token, before *users.User, info users.RequestInfo) error {
	notices := s.config.Mailer.Notices
	switch found.Kind {
	case message.TokenChangeNew, message.TokenChangeOld:
		after := *before
		after.Email = before.NewEmail
		return s.messages.Notify(ctx, tx, notices.EmailChanged && before.Email != "", mailer.EmailChanged, &after, before.Email, mailer.Data{OldEmail: before.Email}, info)
	case message.TokenPhoneChange:
		return s.messages.Notify(ctx, tx, notices.PhoneChanged, mailer.PhoneChanged, before, "", mailer.Data{OldPhone: before.Phone, Phone: found.Address}, info)
	}
	return nil
}

// flowMethods maps a purpose to the method with which its PKCE flow began.
var flowMethods = map[string]string{
	"signup": session.MethodSignup, "invite": "invite", "recovery": session.MethodRecovery, "magiclink": session.MethodMagicLink, "email_change": session.MethodEmailChange,
}
