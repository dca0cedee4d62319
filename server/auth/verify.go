package auth

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// proof is a link's secret or a typed code, and what it is said to be for.
type proof struct {
	purpose string // the request's type
	secret  string // of a link
	address string // a typed code was sent to
	code    string
}

// purposes are the types of /verify and the tokens each may spend.
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

// phonePurposes are those of codes that were sent to a phone.
var phonePurposes = map[string]bool{"sms": true, "phone_change": true}

var errPurpose = autherr.BadRequest(autherr.CodeValidation, "Invalid email verification type")

// verified is what came of a proof. half says that the first of the two
// addresses of a change has confirmed.
type verified struct {
	tokens *session.TokenResponse
	code   string // of a PKCE flow
	half   bool
}

const halfMessage = "Confirmation link accepted. Please proceed to confirm link sent to the other email"

// verify answers POST /verify: from a client as JSON, or from the button of our
// own page as a form.
func (s *Server) verify(w http.ResponseWriter, r *http.Request) error {
	if isForm(r) {
		return s.verifyForm(w, r)
	}
	var params struct {
		Type       string `json:"type"`
		Token      string `json:"token"`
		TokenHash  string `json:"token_hash"`
		Email      string `json:"email"`
		Phone      string `json:"phone"`
		RedirectTo string `json:"redirect_to"`
	}
	if err := read(w, r, &params); err != nil {
		return err
	}
	given := proof{purpose: params.Type, secret: params.TokenHash, code: params.Token}
	switch {
	case params.Type == "":
		return autherr.BadRequest(autherr.CodeValidation, "Verify requires a verification type")
	case (params.Token == "") == (params.TokenHash == ""):
		return autherr.BadRequest(autherr.CodeValidation, "Verify requires either a token or a token hash")
	case params.TokenHash != "" && (params.Email != "" || params.Phone != "" || params.RedirectTo != ""):
		return autherr.BadRequest(autherr.CodeValidation, "Only the token_hash and type should be provided")
	case params.Token != "" && (params.Email == "") == (params.Phone == ""):
		return autherr.BadRequest(autherr.CodeValidation, "Only an email address or phone number should be provided on verify")
	case params.Token != "":
		var err error
		if given.address, err = typedFor(params.Type, params.Email, params.Phone); err != nil {
			return err
		}
	case phonePurposes[params.Type]:
		return errPurpose // no link is sent to a phone
	}
	done, err := s.redeemAtPace(r, given)
	switch {
	case err != nil:
		return err
	case done.half:
		return httpx.WriteJSON(w, http.StatusOK, map[string]string{"msg": halfMessage, "code": "200"})
	}
	return answerTokens(w, done.tokens)
}

// redeemAtPace spends a proof. A typed code takes its time whether there is an
// account with a code that waits or not.
func (s *Server) redeemAtPace(r *http.Request, given proof) (done verified, err error) {
	if given.secret != "" {
		return s.redeem(r, given, false)
	}
	err = s.paced(r, func() error {
		done, err = s.redeem(r, given, false)
		return err
	})
	return done, err
}

// typedFor is the address that a code was typed for.
func typedFor(purpose, email, phone string) (string, error) {
	if phone != "" {
		number, err := users.ParsePhone(phone)
		if err == nil && !phonePurposes[purpose] {
			err = errPurpose
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

// redeem spends a proof. redirected says that the answer is a redirect, which
// carries a code instead of tokens where the flow began with a challenge.
func (s *Server) redeem(r *http.Request, given proof, redirected bool) (verified, error) {
	kinds, ok := purposes[given.purpose]
	if !ok {
		return verified{}, errPurpose
	}
	who := s.visitor(r)
	var done verified
	var missed bool
	err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
		done, missed = verified{}, false
		found, ok, err := s.find(r, tx, given, kinds)
		if err != nil || !ok {
			missed = err == nil
			return err
		}
		done, err = s.accept(r.Context(), tx, found, given.purpose, who, redirected && strings.HasPrefix(given.secret, token.PKCEPrefix))
		return err
	})
	switch {
	case missed:
		return verified{}, message.ErrCodeSpent
	case store.ViolatesUnique(err) && given.purpose == session.MethodEmailChange:
		return verified{}, errEmailExists.WithCause(err)
	case store.ViolatesUnique(err) && given.purpose == "phone_change":
		return verified{}, errPhoneExists.WithCause(err)
	}
	return done, err
}

// find gives the token of a proof. A miss of a typed code is no error here, as
// its count must be kept.
func (s *Server) find(r *http.Request, tx *store.Tx, given proof, kinds []string) (message.Token, bool, error) {
	if given.secret != "" {
		found, err := s.messages.FindLink(r.Context(), tx, given.secret, kinds)
		return found, err == nil, err
	}
	return s.messages.FindCode(r.Context(), tx, given.address, given.code, s.audience(r), kinds)
}

// accept does what a token was sent for, and signs its user in.
func (s *Server) accept(ctx context.Context, tx *store.Tx, found message.Token, purpose string, who users.Visitor, exchanged bool) (verified, error) {
	user, err := users.Lock(ctx, tx, found.UserID)
	if err != nil {
		return verified{}, err
	}
	if user.Banned(s.now()) {
		return verified{}, autherr.Forbidden(autherr.CodeUserBanned, "User is banned")
	}
	if purpose == "email" { // either a confirmation or a link to sign in with
		purpose = "signup"
		if found.Kind == message.TokenRecovery {
			purpose = session.MethodMagicLink
		}
	}
	batch := &pgx.Batch{}
	message.DropToken(batch, user.ID, found.Kind)
	half, err := s.fulfil(batch, user, found, purpose, who)
	if err != nil {
		return verified{}, err
	}
	batch.Queue(refreshProviders, user.ID)
	if err := tx.ExecBatch(ctx, batch); err != nil || half {
		return verified{half: half}, err
	}
	if err := s.tellOfChange(ctx, tx, found, user, who); err != nil {
		return verified{}, err
	}
	if !exchanged {
		tokens, err := s.sessions.SignIn(ctx, tx, user.ID, session.Grant{Method: session.MethodOTP}, who)
		return verified{tokens: tokens}, err
	}
	code, err := pkce.IssueCode(ctx, tx, user.ID, flowMethods[purpose], s.now())
	return verified{code: code}, err
}

// fulfil queues what a token was sent for. half says that the other address of
// a change has to confirm, too.
func (s *Server) fulfil(batch *pgx.Batch, user *users.User, found message.Token, purpose string, who users.Visitor) (half bool, err error) {
	switch {
	case found.Kind == message.TokenConfirmation && users.KindOf(found.Address) == users.ByPhone && user.Confirmed(users.ByPhone):
		s.trail.Add(batch, who, user, audit.Login, audit.Provider(users.ByPhone))
	case found.Kind == message.TokenConfirmation && users.KindOf(found.Address) == users.ByPhone:
		s.confirm(batch, user, users.ByPhone, who)
	case found.Kind == message.TokenConfirmation:
		if purpose == "invite" {
			s.trail.Add(batch, who, user, audit.InviteAccepted, nil)
		}
		s.confirm(batch, user, users.ByEmail, who)
		switch {
		case purpose == "invite": // a stranger may have signed up with the address before
			batch.Queue(replacePassword, user.ID, s.hasher.Nobody())
		case user.InvitedAt != nil:
			batch.Queue(setUnknownPassword, user.ID, s.hasher.Nobody())
		}
	case found.Kind == message.TokenRecovery && !user.Confirmed(users.ByEmail):
		s.confirm(batch, user, users.ByEmail, who)
	case found.Kind == message.TokenRecovery:
		s.trail.Add(batch, who, user, audit.Login, nil)
	case found.Kind == message.TokenPhoneChange:
		s.trail.Add(batch, who, user, audit.Modified, nil)
		batch.Queue(changePhoneIdentity, user.ID, found.Address, s.now())
		batch.Queue(finishPhoneChange, user.ID, found.Address, s.now())
		batch.Queue(message.ClearAllTokens, user.ID) // one may be on its way to the old number
	case user.NewEmail == "":
		return false, message.ErrLinkSpent
	case s.config.Mailer.SecureEmailChange && !s.config.Mailer.Autoconfirm && user.ChangeStatus == 0 && user.Email != "":
		batch.Queue(halfChange, user.ID, s.now())
		return true, nil
	default:
		s.changeEmail(batch, user, who)
	}
	return false, nil
}

// changeEmail makes the address that a user waits for theirs.
func (s *Server) changeEmail(batch *pgx.Batch, user *users.User, who users.Visitor) {
	s.trail.Add(batch, who, user, audit.Modified, nil)
	batch.Queue(changeIdentity, user.ID, user.NewEmail, s.now())
	batch.Queue(finishChange, user.ID, s.now())
	batch.Queue(message.ClearAllTokens, user.ID)
}

// tellOfChange tells the holder, at the address they had, that an address or a
// number was changed.
func (s *Server) tellOfChange(ctx context.Context, tx *store.Tx, found message.Token, before *users.User, who users.Visitor) error {
	notices := s.config.Mailer.Notices
	switch found.Kind {
	case message.TokenChangeNew, message.TokenChangeOld:
		after := *before
		after.Email = before.NewEmail
		return s.messages.Notify(ctx, tx, notices.EmailChanged && before.Email != "", mailer.EmailChanged, &after, before.Email, mailer.Data{OldEmail: before.Email}, who)
	case message.TokenPhoneChange:
		return s.messages.Notify(ctx, tx, notices.PhoneChanged, mailer.PhoneChanged, before, "", mailer.Data{OldPhone: before.Phone, Phone: found.Address}, who)
	}
	return nil
}

// confirm notes that a contact of the account is its user's.
func (s *Server) confirm(batch *pgx.Batch, user *users.User, kind string, who users.Visitor) {
	s.trail.Add(batch, who, user, audit.SignedUp, audit.Provider(kind))
	if kind == users.ByPhone {
		batch.Queue(confirmPhone, user.ID, s.now())
		batch.Queue(confirmPhoneIdentity, user.ID, s.now())
	} else {
		batch.Queue(confirmUser, user.ID, s.now())
		batch.Queue(confirmIdentity, user.ID, s.now())
	}
	batch.Queue(message.ClearAllTokens, user.ID)
}

// flowMethods are the methods that flows of a purpose were begun with.
var flowMethods = map[string]string{
	"signup": session.MethodSignup, "invite": "invite", "recovery": session.MethodRecovery, "magiclink": session.MethodMagicLink, "email_change": session.MethodEmailChange,
}

// verifyForm answers the button of our page: it spends the link and goes where
// the link leads.
func (s *Server) verifyForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if err := r.ParseForm(); err != nil {
		return autherr.BadRequest(autherr.CodeValidation, "Could not read the form").WithCause(err)
	}
	given := proof{purpose: r.PostForm.Get("type"), secret: r.PostForm.Get("token")}
	target := s.redirects.target(r, r.PostForm.Get("redirect_to"))
	if given.secret == "" {
		return autherr.BadRequest(autherr.CodeValidation, "Verify requires a token or a token hash")
	}
	if from := r.Header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" {
		// Another page's form must not sign its visitor in: they press our button.
		return s.showVerifyPage(w, given, target)
	}
	pkce := strings.HasPrefix(given.secret, token.PKCEPrefix)
	done, err := s.redeem(r, given, true)
	visible := apierr.As(err)
	switch {
	case err != nil && visible == nil:
		return err
	case err != nil:
		target = errorTarget(target, visible, pkce)
	case done.half:
		target = messageTarget(target, halfMessage, pkce)
	case pkce:
		target = withQuery(target, url.Values{"code": {done.code}})
	default:
		tellIssued(w.Header(), done.tokens)
		target = withFragment(target, done.tokens.Fragment(url.Values{"type": {given.purpose}}))
	}
	redirect(w, target)
	return nil
}

// redirect goes on to a target that may hold tokens.
func redirect(w http.ResponseWriter, target string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Location", target)
	w.WriteHeader(http.StatusSeeOther)
}

func isForm(r *http.Request) bool {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(kind), "application/x-www-form-urlencoded")
}

// oauthErrors are OAuth's names for an HTTP status, as redirects carry them.
var oauthErrors = map[int]string{
	http.StatusBadRequest: "invalid_request", http.StatusUnauthorized: "unauthorized_client", http.StatusForbidden: "access_denied",
	http.StatusInternalServerError: "server_error", http.StatusServiceUnavailable: "temporarily_unavailable",
}

// errorTarget tells the page that a link leads to why it did not work: in the
// fragment, and for PKCE in the query too.
func errorTarget(target string, e *apierr.Error, pkce bool) string {
	values := url.Values{"error_code": {e.Code}, "error_description": {e.Message}}
	if name, ok := oauthErrors[e.Status]; ok {
		values.Set("error", name)
	}
	return withOutcome(target, values, pkce)
}

func messageTarget(target, message string, pkce bool) string {
	return withOutcome(target, url.Values{"message": {message}}, pkce)
}

func withOutcome(target string, values url.Values, pkce bool) string {
	if pkce {
		target = withQuery(target, values)
	}
	values.Set("sb", "") // lets a client tell our redirects from others
	return withFragment(target, values.Encode())
}

func withQuery(target string, values url.Values) string {
	parsed, err := url.Parse(target)
	if err != nil {
		return target // not reached: only parsed targets are allowed
	}
	query := parsed.Query()
	for name, value := range values {
		query[name] = value
	}
	parsed.RawQuery = query.Encode()
	return parsed.String()
}

func withFragment(target, fragment string) string {
	bare, _, _ := strings.Cut(target, "#")
	return bare + "#" + fragment
}
