package auth

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

// sessions begins, refreshes and ends sessions.
type sessions struct {
	config   settings.Config
	store    *store.Store
	now      func() time.Time
	hooks    *hook.Caller
	limits   *limit.Limiter
	verifier *claims.Verifier
	ended    *ended.Follower
	log      *slog.Logger
	longest  atomic.Int64 // lifetime of an access token that the database knows of
}

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
	User         *users.User        `json:"user"`
	WeakPassword *password.Weakness `json:"weak_password,omitempty"`

	// Of an outside provider, where the session began there.
	ProviderToken        string `json:"provider_token,omitempty"`
	ProviderRefreshToken string `json:"provider_refresh_token,omitempty"`

	SessionID string `json:"-"`
}

// fragment is the answer as the fragment of a redirect, with more beside it.
func (t *TokenResponse) fragment(more url.Values) string {
	values := url.Values{
		"access_token": {t.AccessToken}, "token_type": {t.TokenType}, "expires_in": {strconv.FormatInt(t.ExpiresIn, 10)},
		"expires_at": {strconv.FormatInt(t.ExpiresAt, 10)}, "refresh_token": {t.RefreshToken}, "sb": {""},
	}
	maps.Copy(values, more)
	return values.Encode()
}

// grant is how somebody got in, as their session remembers it.
type grant struct {
	method string
	client string // id of the OAuth client the session is for, if any
	scopes string // that the client was granted, separated by spaces
}

// signIn makes a session for the user and the tokens for it. The user is as it
// stands at the end of tx.
func (s *sessions) signIn(ctx context.Context, tx *store.Tx, userID string, how grant, who users.Visitor) (*TokenResponse, error) {
	session, refresh, now := store.NewID(), token.Refresh(), s.now()
	batch := &pgx.Batch{}
	batch.Queue(noteSignIn, userID, now)
	batch.Queue(insertSession, session, userID, now, who.UserAgent, who.Address, how.client, how.scopes)
	batch.Queue(insertRefresh, refresh, userID, now, session)
	batch.Queue(insertMethod, session, now, how.method)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, fmt.Errorf("make session: %w", err)
	}
	user, err := users.Load(ctx, tx, userID)
	if err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}
	return s.respond(ctx, tx, bearer{
		user: user, session: session, refresh: refresh, began: now, grant: how, methods: []authMethod{{how.method, now.Unix()}},
	}, who)
}

// bearer is who gets tokens, and what they are to say.
type bearer struct {
	grant
	user             *users.User
	session, refresh string
	began            time.Time    // the session
	methods          []authMethod // newest first
}

// respond mints the access token of a session. grant's method is how this very
// token came about, as the project's hook is told.
func (s *sessions) respond(ctx context.Context, tx *store.Tx, to bearer, who users.Visitor) (*TokenResponse, error) {
	issued, user, level := s.now(), to.user, assurance(to.methods)
	expires := issued.Add(time.Duration(s.config.JWT.Expiry) * time.Second)
	if low := s.config.Sessions.AllowLowAAL; low > 0 && level == "aal1" && user.HasVerifiedFactor() {
		expires = earlier(expires, to.began.Add(low))
	}
	set := map[string]any{
		"iss": s.config.JWT.Issuer, "sub": user.ID, "aud": user.Aud, "exp": expires.Unix(), "iat": issued.Unix(),
		"email": user.Email, "phone": user.Phone, "app_metadata": user.AppMetadata, "user_metadata": user.UserMetadata,
		"role": user.Role, "aal": level, "amr": to.methods, "session_id": to.session, "is_anonymous": user.IsAnonymous,
	}
	if to.client != "" {
		set["client_id"], set["scope"] = to.client, to.scopes
	}
	set, err := s.hooks.CustomizeClaims(ctx, tx, user.ID, to.method, set, who)
	if err != nil {
		return nil, err
	}
	if err := s.lengthenFor(ctx, set); err != nil {
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
		RefreshToken: to.refresh, User: user, SessionID: to.session,
	}, nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// assurance is the level that the methods of a session reach.
func assurance(methods []authMethod) string {
	for _, used := range methods {
		if slices.Contains(strongMethods, used.Method) { // mfa/recovery_code is among them
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

// maxToken bounds an access token, in bytes. The server takes 64 KB of request headers: a
// token with both kinds of metadata at their bound has 44 KB in base64, the rest is for
// what a project's hook adds.
const maxToken = 56 << 10

var errTokenSize = autherr.Unprocessable(autherr.CodeMetadataSize, "The access token would be larger than %d bytes, which no request can carry", maxToken)
