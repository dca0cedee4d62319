package auth

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/oauth"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// methodOAuthCode is how the amr claim names the sessions of OAuth clients.
const methodOAuthCode = "oauth_provider/authorization_code"

// oauthAnswer is what a client gets. Unlike the token response of this server's
// own clients it does not carry the user.
type oauthAnswer struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int64  `json:"expires_in"`
	RefreshToken string `json:"refresh_token,omitempty"`
	Scope        string `json:"scope"`
	IDToken      string `json:"id_token,omitempty"`
}

// oauthToken answers POST /oauth/token. Its errors have OAuth's shape.
func (s *Server) oauthToken(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Pragma", "no-cache")
	answer, err := s.oauthGrant(w, r)
	var refused *oauth.Error
	switch {
	case errors.As(err, &refused):
		return refuseClient(w, r, refused)
	case err != nil:
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, answer)
}

// refuseClient answers 400, or 401 to a client that showed its secret in the
// Authorization header. Source: RFC 6749, section 5.2.
func refuseClient(w http.ResponseWriter, r *http.Request, refused *oauth.Error) error {
	status := http.StatusBadRequest
	if _, _, basic := r.BasicAuth(); basic && refused.Code == oauth.InvalidClient {
		w.Header().Set("WWW-Authenticate", `Basic realm="oauth"`)
		status = http.StatusUnauthorized
	}
	return httpx.WriteJSON(w, status, refused)
}

func (s *Server) oauthGrant(w http.ResponseWriter, r *http.Request) (*oauthAnswer, error) {
	params, err := tokenParams(w, r)
	if err != nil {
		return nil, err
	}
	var login *oauth.Login
	if id, secret, ok := r.BasicAuth(); ok {
		login = &oauth.Login{ID: id, Secret: secret}
	}
	asked, err := oauth.ReadToken(params, login)
	if err != nil {
		return nil, err
	}
	client, err := s.findClient(r.Context(), asked.Client.ID)
	if err != nil {
		return nil, err
	}
	if err := client.Authenticate(asked.Client); err != nil {
		return nil, err
	}
	switch {
	case !slices.Contains(oauth.GrantTypes, asked.GrantType):
		return nil, &oauth.Error{Code: oauth.UnsupportedGrantType, Description: "use grant type authorization_code or refresh_token"}
	case !slices.Contains(client.GrantTypes, asked.GrantType):
		return nil, &oauth.Error{Code: oauth.UnauthorizedClient, Description: "Client is not allowed to use grant type: " + asked.GrantType}
	case asked.GrantType == oauth.RefreshToken:
		return s.oauthRefresh(w, r, client, asked)
	}
	return s.oauthExchange(w, r, client, asked)
}

// tokenParams reads a form or, as upstream does too, a JSON object. Nothing is
// taken from the address, where logs keep it.
func tokenParams(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if strings.Contains(r.Header.Get("Content-Type"), "application/json") {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		return oauth.ParseJSON(body)
	}
	err := r.ParseForm()
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, err
	}
	if err != nil {
		return nil, &oauth.Error{Code: oauth.InvalidRequest, Description: "Failed to parse form data"}
	}
	return r.PostForm, nil
}

func invalidGrant(description string) *oauth.Error {
	return &oauth.Error{Code: oauth.InvalidGrant, Description: description}
}

// oauthExchange gives a session for a code. What does not fit leaves the code as
// it is; one that fits works once. Where it comes again, somebody else may have
// it, and the session that it gave ends. Source: OAuth 2.1, section 4.1.3.
func (s *Server) oauthExchange(w http.ResponseWriter, r *http.Request, client *oauth.Client, asked *oauth.TokenRequest) (*oauthAnswer, error) {
	if asked.Code == "" {
		return nil, &oauth.Error{Code: oauth.InvalidRequest, Description: "code is required for authorization_code grant"}
	}
	var made *session.TokenResponse
	var a *authorization
	err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
		var err error
		made = nil
		if a, err = s.spendCode(r.Context(), tx, client, asked); err != nil || a.session != "" {
			return err
		}
		made, err = s.oauthSignIn(r.Context(), tx, client, a, s.visitor(r))
		return err
	})
	if err != nil {
		return nil, err
	}
	if made == nil {
		return nil, invalidGrant("Authorization code was used before")
	}
	tellIssued(w.Header(), made)
	answer := &oauthAnswer{
		AccessToken: made.AccessToken, TokenType: made.TokenType, ExpiresIn: made.ExpiresIn, RefreshToken: made.RefreshToken, Scope: a.scope,
	}
	if !slices.Contains(client.GrantTypes, oauth.RefreshToken) {
		answer.RefreshToken = ""
	}
	answer.IDToken, err = s.idToken(made, client, a)
	return answer, err
}

// spendCode gives the authorization of a code, which nobody else can spend until
// the end of tx. One that was spent has a session, which ends here.
func (s *Server) spendCode(ctx context.Context, tx *store.Tx, client *oauth.Client, asked *oauth.TokenRequest) (*authorization, error) {
	a := &authorization{}
	err := tx.QueryRow(ctx, authorizationByCode, oauth.Hash(asked.Code), client.ID).Scan(a.fields()...)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, invalidGrant("Invalid authorization code")
	case err != nil:
		return nil, err
	case asked.RedirectURI != "" && asked.RedirectURI != a.redirect:
		return nil, invalidGrant("Invalid redirect_uri")
	case asked.Resource != "" && asked.Resource != a.resource:
		return nil, invalidGrant("Authorization code resource does not match the resource parameter")
	case !token.Verifies(a.challenge, a.method, asked.Verifier):
		return nil, invalidGrant("PKCE verification failed")
	case a.session != "":
		s.sessions.NoteEnded(tx, a.userID)
		_, err := tx.Exec(ctx, endExchanged, a.session)
		return a, err
	case !s.now().Before(a.expires):
		return nil, invalidGrant("Authorization code has expired")
	}
	return a, nil
}

// oauthSignIn makes the session of a client, as long as its user wants it.
func (s *Server) oauthSignIn(ctx context.Context, tx *store.Tx, client *oauth.Client, a *authorization, who users.Visitor) (*session.TokenResponse, error) {
	var scopes string
	err := tx.QueryRow(ctx, consentLocked, a.userID, client.ID, a.approved).Scan(&scopes)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, invalidGrant("The user no longer consents")
	}
	if err != nil {
		return nil, err
	}
	user, err := users.Load(ctx, tx, a.userID)
	switch {
	case err != nil:
		return nil, err
	case user.Banned(s.now()):
		return nil, invalidGrant("User is banned")
	}
	batch := &pgx.Batch{}
	s.trail.Add(batch, who, user, audit.Login, map[string]any{"provider_type": "oauth_provider_authorization_code", "client_id": client.ID})
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	made, err := s.sessions.SignIn(ctx, tx, user.ID, session.Grant{Method: methodOAuthCode, Client: client.ID, Scopes: a.scope}, who)
	if err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, noteExchange, a.id, made.SessionID)
	return made, err
}

// oauthRefresh gives new tokens for a refresh token of this client's. They have
// the scope of the session, whatever is asked for.
func (s *Server) oauthRefresh(w http.ResponseWriter, r *http.Request, client *oauth.Client, asked *oauth.TokenRequest) (*oauthAnswer, error) {
	if asked.RefreshToken == "" {
		return nil, &oauth.Error{Code: oauth.InvalidRequest, Description: "refresh_token is required for refresh_token grant"}
	}
	to := session.Bearer{User: &users.User{}, Grant: session.Grant{Method: session.MethodRefresh, Client: client.ID}}
	found, err := s.sessions.Refresh(r.Context(), asked.RefreshToken, &to, s.visitor(r), s.limitKey(r))
	if err != nil {
		return nil, err
	}
	if refusal, ok := session.Refusals[found.Outcome]; ok {
		return nil, invalidGrant(refusal.Message)
	}
	made, err := s.sessions.Issue(r.Context(), nil, to, s.visitor(r))
	if err != nil {
		return nil, err
	}
	tellIssued(w.Header(), made)
	return &oauthAnswer{
		AccessToken: made.AccessToken, TokenType: made.TokenType, ExpiresIn: made.ExpiresIn, RefreshToken: made.RefreshToken, Scope: to.Scopes,
	}, nil
}
