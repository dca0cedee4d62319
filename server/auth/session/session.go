package session

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/ended"
	"plaza/server/auth/hook"
	"plaza/server/auth/limit"
	"plaza/server/auth/password"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
	"plaza/server/claims"
)

// Sessions creates, refreshes and ends sessions.
type Sessions struct {
	config      settings.Config
	db          *store.Store
	now         func() time.Time
	hooks       *hook.Caller
	trail       *audit.Trail
	limits      *limit.Limiter
	verifier    *claims.Verifier
	ended       *ended.Follower
	log         *slog.Logger
	maxLifetime atomic.Int64 // longest lifetime of an access token recorded in the database, in nanoseconds
}

// Options are the dependencies of Sessions.
type Options struct {
	Config   settings.Config
	DB       *store.Store
	Now      func() time.Time
	Hooks    *hook.Caller
	Trail    *audit.Trail
	Limits   *limit.Limiter
	Verifier *claims.Verifier
	Ended    *ended.Follower
	Log      *slog.Logger
}

// New returns the Sessions of a server.
func New(o Options) *Sessions {
	return &Sessions{config: o.Config, db: o.DB, now: o.Now, hooks: o.Hooks, trail: o.Trail, limits: o.Limits, verifier: o.Verifier, ended: o.Ended, log: o.Log}
}

// Grant is how a session was authorized.
type Grant struct {
	Method string
	Client string // id of the session's OAuth client; empty: none
	Scopes string // granted to the client, separated by spaces
}

// UsedMethod is one entry of the amr claim.
type UsedMethod struct {
	Method    string `json:"method"`
	Timestamp int64  `json:"timestamp"`
}

// TokenParams is the session that tokens are issued for.
type TokenParams struct {
	Grant
	User             *users.User
	Session, Refresh string       // id of the session, and its refresh token
	StartedAt        time.Time    // start of the session
	Methods          []UsedMethod // newest first
}

// TokenResponse is the response to a sign-in or refresh.
type TokenResponse struct {
	AccessToken  string             `json:"access_token"`
	TokenType    string             `json:"token_type"`
	ExpiresIn    int64              `json:"expires_in"`
	ExpiresAt    int64              `json:"expires_at"`
	RefreshToken string             `json:"refresh_token"`
	User         *users.User        `json:"user"`
	WeakPassword *password.Weakness `json:"weak_password,omitempty"`

	// Tokens of the external provider, if the session began there.
	ProviderToken        string `json:"provider_token,omitempty"`
	ProviderRefreshToken string `json:"provider_refresh_token,omitempty"`

	SessionID string `json:"-"`
}

// Fragment returns the response as the fragment of a redirect URL, merged with more.
func (t *TokenResponse) Fragment(more url.Values) string {
	values := url.Values{
		"access_token": {t.AccessToken}, "token_type": {t.TokenType}, "expires_in": {strconv.FormatInt(t.ExpiresIn, 10)},
		"expires_at": {strconv.FormatInt(t.ExpiresAt, 10)}, "refresh_token": {t.RefreshToken}, "sb": {""},
	}
	maps.Copy(values, more)
	return values.Encode()
}

// SignIn creates a session for the user and issues its tokens. The user in the response
// includes the changes made in tx.
func (s *Sessions) SignIn(ctx context.Context, tx *store.Tx, userID string, grant Grant, info users.RequestInfo) (*TokenResponse, error) {
	session, refresh, now := store.NewID(), token.Refresh(), s.now()
	batch := &pgx.Batch{}
	batch.Queue(noteSignIn, userID, now)
	batch.Queue(insertSession, session, userID, now, info.UserAgent, info.Address, grant.Client, grant.Scopes)
	batch.Queue(insertRefresh, refresh, userID, now, session)
	batch.Queue(insertMethod, session, now, grant.Method)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, fmt.Errorf("create session: %w", err)
	}
	user, err := users.Load(ctx, tx, userID)
	if err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}
	return s.Issue(ctx, tx, TokenParams{
		User: user, Session: session, Refresh: refresh, StartedAt: now, Grant: grant, Methods: []UsedMethod{{grant.Method, now.Unix()}},
	}, info)
}

// Issue signs the access token of a session. params.Method is sent to the project's hook as
// the method of this token.
//
// Errors: 422 metadata_too_large if the token would be too large; those of the project's hook.
func (s *Sessions) Issue(ctx context.Context, tx *store.Tx, params TokenParams, info users.RequestInfo) (*TokenResponse, error) {
	issued, user, level := s.now(), params.User, Level(params.Methods)
	expires := issued.Add(time.Duration(s.config.JWT.Expiry) * time.Second)
	if low := s.config.Sessions.AllowLowAAL; low > 0 && level == "aal1" && user.HasVerifiedFactor() {
		expires = earlier(expires, params.StartedAt.Add(low))
	}
	set := map[string]any{
		"iss": s.config.JWT.Issuer, "sub": user.ID, "aud": user.Aud, "exp": expires.Unix(), "iat": issued.Unix(),
		"email": user.Email, "phone": user.Phone, "app_metadata": user.AppMetadata, "user_metadata": user.UserMetadata,
		"role": user.Role, "aal": level, "amr": params.Methods, "session_id": params.Session, "is_anonymous": user.IsAnonymous,
	}
	if params.Client != "" {
		set["client_id"], set["scope"] = params.Client, params.Scopes
	}
	set, err := s.hooks.CustomizeClaims(ctx, tx, user.ID, params.Method, set, info)
	if err != nil {
		return nil, err
	}
	if err := s.extendRetentionForClaims(ctx, set); err != nil {
		return nil, err
	}
	access, err := s.verifier.Mint(set)
	if err != nil {
		return nil, err
	}
	if len(access) > maxToken {
		return nil, errTokenSize
	}
	return &TokenResponse{
		AccessToken: access, TokenType: "bearer", ExpiresIn: expires.Unix() - issued.Unix(), ExpiresAt: expires.Unix(),
		RefreshToken: params.Refresh, User: user, SessionID: params.Session,
	}, nil
}

// Level returns the authenticator assurance level that the methods of a session reach.
func Level(methods []UsedMethod) string {
	for _, used := range methods {
		if slices.Contains(AAL2Methods, used.Method) { // mfa/recovery_code is among them
			return "aal2"
		}
	}
	return "aal1"
}

// AAL2Methods are the methods that bring a session to aal2.
var AAL2Methods = []string{"totp", "mfa/phone", "mfa/webauthn", "mfa/recovery_code"}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// parseMethods parses the sign-in methods of a session as the SQL statements return them.
func parseMethods(raw json.RawMessage) ([]UsedMethod, error) {
	methods := []UsedMethod{}
	if err := json.Unmarshal(raw, &methods); err != nil {
		return nil, fmt.Errorf("read sign-in methods: %w", err)
	}
	return methods, nil
}

// maxToken bounds an access token, in bytes. The server accepts 64 KB of request headers. A
// token with both kinds of metadata at their limit takes 44 KB in base64; the rest is for
// claims that a project's hook adds.
const maxToken = 56 << 10

var errTokenSize = autherr.Unprocessable(autherr.CodeMetadataSize, "The access token would be larger than %d bytes, which no request can carry", maxToken)
