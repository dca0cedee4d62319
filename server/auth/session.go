package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/password"
	"plaza/server/auth/token"
)

// Methods of signing in, as the amr claim names them. A link or a typed code is
// recorded as otp, also where it confirms an address or opens a recovery; only a
// PKCE flow remembers what it was for.
const (
	methodPassword    = "password"
	methodOTP         = "otp"
	methodSignup      = "email/signup"
	methodRecovery    = "recovery"
	methodMagicLink   = "magiclink"
	methodEmailChange = "email_change"
)

// authMethod is one entry of the amr claim.
type authMethod struct {
	Method    string `json:"method"`
	Timestamp int64  `json:"timestamp"`
}

// TokenResponse is what a sign-in or refresh answers.
type TokenResponse struct {
	AccessToken  string             `json:"access_token"`
	TokenType    string             `json:"token_type"`
	ExpiresIn    int64              `json:"expires_in"`
	ExpiresAt    int64              `json:"expires_at"`
	RefreshToken string             `json:"refresh_token"`
	User         *User              `json:"user"`
	WeakPassword *password.Weakness `json:"weak_password,omitempty"`

	sessionID string
}

// fragment is the answer as the fragment of a redirect.
func (t *TokenResponse) fragment(kind string) string {
	values := url.Values{
		"access_token": {t.AccessToken}, "token_type": {t.TokenType}, "expires_in": {strconv.FormatInt(t.ExpiresIn, 10)},
		"expires_at": {strconv.FormatInt(t.ExpiresAt, 10)}, "refresh_token": {t.RefreshToken}, "type": {kind}, "sb": {""},
	}
	return values.Encode()
}

// prefixLength is how much of a refresh token headers and logs may show.
const prefixLength = 5

// headers tell proxies and logs what was issued.
func (t *TokenResponse) headers(header http.Header) {
	header.Set("Sb-Auth-User-Id", t.User.ID)
	header.Set("Sb-Auth-Session-Id", t.sessionID)
	header.Set("Sb-Auth-Refresh-Token-Prefix", t.RefreshToken[:prefixLength])
}

// signIn makes a session for the user and the tokens for it. The user is as it
// stands at the end of tx.
func (s *Server) signIn(ctx context.Context, tx pgx.Tx, userID, method string, who visitor) (*TokenResponse, error) {
	session, refresh, now := newID(), token.Refresh(), s.now()
	batch := &pgx.Batch{}
	batch.Queue(noteSignIn, userID, now)
	batch.Queue(insertSession, session, userID, now, who.userAgent, who.address)
	batch.Queue(insertRefresh, refresh, userID, now, session)
	batch.Queue(insertMethod, session, now, method)
	if err := execAll(ctx, tx, batch); err != nil {
		return nil, fmt.Errorf("make session: %w", err)
	}
	user, err := loadUser(ctx, tx, userByID, userID)
	if err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}
	return s.respond(user, session, refresh, []authMethod{{method, now.Unix()}})
}

// respond mints the access token of a session.
func (s *Server) respond(user *User, session, refresh string, methods []authMethod) (*TokenResponse, error) {
	issued := s.now()
	expires := issued.Add(time.Duration(s.config.JWT.Expiry) * time.Second)
	access, err := s.deps.Auth.Verifier.Mint(map[string]any{
		"iss": s.config.JWT.Issuer, "sub": user.ID, "aud": user.Aud, "exp": expires.Unix(), "iat": issued.Unix(),
		"email": user.Email, "phone": user.Phone, "app_metadata": user.AppMetadata, "user_metadata": user.UserMetadata,
		"role": user.Role, "aal": assurance(methods), "amr": methods, "session_id": session, "is_anonymous": user.IsAnonymous,
	})
	if err != nil {
		return nil, err
	}
	return &TokenResponse{
		AccessToken: access, TokenType: "bearer", ExpiresIn: expires.Unix() - issued.Unix(), ExpiresAt: expires.Unix(),
		RefreshToken: refresh, User: user, sessionID: session,
	}, nil
}

// assurance is the level that the methods of a session reach.
func assurance(methods []authMethod) string {
	for _, used := range methods {
		switch used.Method {
		case "totp", "mfa/phone", "mfa/webauthn":
			return "aal2"
		}
	}
	return "aal1"
}

func parseMethods(raw json.RawMessage) ([]authMethod, error) {
	methods := []authMethod{}
	if err := json.Unmarshal(raw, &methods); err != nil {
		return nil, fmt.Errorf("read sign-in methods: %w", err)
	}
	return methods, nil
}
