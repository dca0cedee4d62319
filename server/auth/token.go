package auth

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/pkce"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// token answers POST /token: a session for a password, a refresh token or a
// PKCE code.
func (s *Server) token(w http.ResponseWriter, r *http.Request) error {
	kind := r.URL.Query().Get("grant_type")
	if kind != "refresh_token" { // which takes from the limit in its only round trip
		if err := s.limits.Spend(r.Context(), s.limits.Token, s.limitKey(r)); err != nil {
			return err
		}
	}
	switch kind {
	case "password":
		return s.counted(kind, s.human(s.passwordGrant))(w, r)
	case "refresh_token":
		return s.counted(kind, s.refreshGrant)(w, r)
	case "pkce":
		return s.counted(kind, s.pkceGrant)(w, r)
	case "id_token":
		return s.counted(kind, s.idTokenGrant)(w, r)
	case "web3":
		return noWeb3(w, r)
	}
	return autherr.BadRequest(autherr.CodeInvalidLogin, "unsupported_grant_type")
}

// prefixLength is how much of a refresh token headers and logs may show.
const prefixLength = 5

// tellIssued tells proxies and logs what was issued.
func tellIssued(header http.Header, t *session.TokenResponse) {
	header.Set("Sb-Auth-User-Id", t.User.ID)
	header.Set("Sb-Auth-Session-Id", t.SessionID)
	header.Set("Sb-Auth-Refresh-Token-Prefix", t.RefreshToken[:prefixLength])
}

func answerTokens(w http.ResponseWriter, answer *session.TokenResponse) error {
	tellIssued(w.Header(), answer)
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, answer)
}

// passwordGrant signs in with a password. An unknown address, an account
// without a password and a wrong password get one answer, in the same time.
func (s *Server) passwordGrant(w http.ResponseWriter, r *http.Request) error {
	var params struct{ Email, Phone, Password string }
	if err := read(w, r, &params); err != nil {
		return err
	}
	c, err := s.signInContact(params.Email, params.Phone)
	if err != nil {
		return err
	}
	began := time.Now()
	user, err := s.authenticate(r, c, params.Password)
	if err != nil {
		s.wait(r, s.pace-time.Since(began)) // a hook may do more for a known account
		return err
	}
	who := s.visitor(r)
	var answer *session.TokenResponse
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		batch := &pgx.Batch{}
		s.trail.Add(batch, who, user, audit.Login, audit.Provider(c.Kind))
		if err := tx.ExecBatch(r.Context(), batch); err != nil {
			return err
		}
		answer, err = s.sessions.SignIn(r.Context(), tx, user.ID, session.Grant{Method: session.MethodPassword}, who)
		return err
	})
	if err != nil {
		return err
	}
	if answer.WeakPassword, err = s.weakness(r.Context(), params.Password); err != nil {
		return err
	}
	return answerTokens(w, answer)
}

// signInContact is who signs in. An address or number that cannot be one is
// nobody's, which is told no sooner than a wrong password.
func (s *Server) signInContact(email, phone string) (users.Contact, error) {
	switch {
	case email != "" && phone != "":
		return users.Contact{}, autherr.BadRequest(autherr.CodeValidation, "Only an email address or phone number should be provided on login.")
	case phone != "" && !s.config.Ways.Phone:
		return users.Contact{}, autherr.Unprocessable(autherr.CodePhoneDisabled, "Phone logins are disabled")
	case phone != "":
		number, _ := users.ParsePhone(phone)
		return users.Contact{Kind: users.ByPhone, Value: number}, nil
	case email == "":
		return users.Contact{}, autherr.BadRequest(autherr.CodeValidation, "missing email or phone")
	case !s.config.Ways.Email:
		return users.Contact{}, autherr.Unprocessable(autherr.CodeEmailDisabled, "Email logins are disabled")
	}
	address, _ := users.ParseEmail(email)
	return users.Contact{Kind: users.ByEmail, Value: address}, nil
}

// authenticate gives the account that a contact and a password open.
func (s *Server) authenticate(r *http.Request, c users.Contact, candidate string) (*users.User, error) {
	ctx := r.Context()
	var user *users.User
	var err error
	if c.Value != "" {
		if user, err = users.Find(ctx, s.store, c, s.audience(r)); err != nil {
			return nil, err
		}
	}
	if user == nil {
		user = &users.User{}
	}
	right, err := s.limits.Guess(ctx, c, user.ID, s.visitor(r))
	if err != nil {
		return nil, err
	}
	valid, err := s.hasher.Matches(ctx, user.PasswordHash, candidate)
	if err == nil && valid {
		err = right()
	}
	if err != nil {
		return nil, err
	}
	if err := s.askPasswordHook(ctx, attempt{user, c, valid}, s.mailRequest(r, pkce.Challenge{})); err != nil {
		return nil, err
	}
	switch {
	case !valid || user.PasswordHash == "":
		return nil, errLogin
	case user.Banned(s.now()): // of which only the holder learns
		return nil, autherr.BadRequest(autherr.CodeUserBanned, "User is banned")
	case c.Kind == users.ByPhone && !user.Confirmed(users.ByPhone):
		return nil, autherr.BadRequest(autherr.CodePhoneNotConfirmed, "Phone not confirmed")
	case c.Kind == users.ByEmail && !user.Confirmed(users.ByEmail) && !s.config.Mailer.AllowUnverified:
		return nil, autherr.BadRequest(autherr.CodeNotConfirmed, "Email not confirmed")
	}
	return user, nil
}

// pkceGrant exchanges the code of a redirect. A code works once; a wrong
// verifier does not use it up.
func (s *Server) pkceGrant(w http.ResponseWriter, r *http.Request) error {
	var params struct {
		Code     string `json:"auth_code"`
		Verifier string `json:"code_verifier"`
	}
	if err := read(w, r, &params); err != nil {
		return err
	}
	if params.Code == "" || params.Verifier == "" {
		return autherr.BadRequest(autherr.CodeValidation, "invalid request: both auth code and code verifier should be non-empty")
	}
	who := s.visitor(r)
	var answer *session.TokenResponse
	err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
		var err error
		answer, err = s.exchange(r.Context(), tx, params.Code, params.Verifier, who)
		return err
	})
	if err != nil {
		return err
	}
	return answerTokens(w, answer)
}

func (s *Server) exchange(ctx context.Context, tx *store.Tx, code, verifier string, who users.Visitor) (*session.TokenResponse, error) {
	flow, err := pkce.Exchange(ctx, tx, code, verifier, s.now())
	if err != nil {
		return nil, err
	}
	user, err := users.Load(ctx, tx, flow.UserID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, pkce.ErrNoFlow
	}
	if err != nil {
		return nil, err
	}
	if user.Banned(s.now()) {
		return nil, autherr.Forbidden(autherr.CodeUserBanned, "User is banned")
	}
	batch := &pgx.Batch{}
	pkce.End(batch, flow.ID)
	s.trail.Add(batch, who, user, audit.Login, map[string]any{"provider_type": flow.ProviderType})
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	answer, err := s.sessions.SignIn(ctx, tx, user.ID, session.Grant{Method: flow.Method}, who)
	if err != nil {
		return nil, err
	}
	return answer, s.addProviderTokens(answer, flow)
}
