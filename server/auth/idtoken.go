package auth

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"plaza/server/auth/autherr"
	"plaza/server/auth/provider"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/httpx"
)

// idTokenRequest is the body of POST /token?grant_type=id_token.
type idTokenRequest struct {
	Token        string `json:"id_token"`
	AccessToken  string `json:"access_token"`
	Nonce        string `json:"nonce"`
	Provider     string `json:"provider"`
	ClientID     string `json:"client_id"`
	Issuer       string `json:"issuer"`
	LinkIdentity bool   `json:"link_identity"`
}

// refuse is a refusal as RFC 6749 words it, which this grant answers.
func refuse(description string) error { return &oauthError{"invalid request", description} }

// idTokenGrant signs in with the ID token that an app got from a provider by
// itself, or links the identity to the signed-in user.
func (s *Server) idTokenGrant(w http.ResponseWriter, r *http.Request) error {
	var asked idTokenRequest
	if err := read(w, r, &asked); err != nil {
		return err
	}
	answer, err := s.admitIDToken(r, asked)
	var said *oauthError
	if errors.As(err, &said) {
		return httpx.WriteJSON(w, http.StatusBadRequest, map[string]string{"error": said.name, "error_description": said.description})
	}
	if err != nil {
		return err
	}
	return answerTokens(w, answer)
}

func (s *Server) admitIDToken(r *http.Request, asked idTokenRequest) (*session.TokenResponse, error) {
	switch {
	case asked.Token == "":
		return nil, refuse("id_token required")
	case asked.Provider == "" && (asked.ClientID == "" || asked.Issuer == ""):
		return nil, refuse("provider or client_id and issuer required")
	}
	linkTo, err := s.linksTo(r, asked.LinkIdentity)
	if err != nil {
		return nil, err
	}
	source, err := s.idTokenSource(r.Context(), asked)
	if err != nil {
		return nil, err
	}
	person, err := source.Verify(r.Context(), provider.Proof{Token: asked.Token, AccessToken: asked.AccessToken, Nonce: asked.Nonce})
	if err != nil {
		return nil, s.tokenRefusal(err)
	}
	if person.Email().Address == "" && !source.EmailOptional && linkTo == "" {
		return nil, autherr.Internal("Error getting user email from external provider")
	}
	came := arrival{
		person: person, provider: source.Provider, emailOptional: source.EmailOptional, audience: s.audience(r), linkTo: linkTo,
		redirect: s.redirects.target(r, ""), who: s.visitor(r), now: s.now().Truncate(time.Microsecond),
	}
	var answer *session.TokenResponse
	err = s.admitted(r.Context(), came, func(tx *store.Tx, userID string) error {
		answer, err = s.sessions.SignIn(r.Context(), tx, userID, session.Grant{Method: methodOAuth}, came.who)
		return err
	})
	return answer, err
}

// linksTo gives the signed-in user whom a token's identity is to be linked to.
func (s *Server) linksTo(r *http.Request, wanted bool) (string, error) {
	switch {
	case !wanted:
		return "", nil
	case !s.config.Security.ManualLinking:
		return "", errNoManualLinking
	case r.Header.Get("Authorization") == "":
		return "", refuse("Linking requires a valid user access token in Authorization")
	}
	in, err := s.caller(r)
	if err != nil {
		return "", err
	}
	return in.User.ID, nil
}

func (s *Server) idTokenSource(ctx context.Context, asked idTokenRequest) (*provider.Source, error) {
	if strings.HasPrefix(asked.Provider, provider.CustomPrefix) {
		custom, err := s.enabledCustom(ctx, asked.Provider)
		switch {
		case errors.Is(err, provider.ErrUnknown):
			return nil, autherr.BadRequest(autherr.CodeValidation, "Custom provider %q not found", provider.Shorten(asked.Provider))
		case errors.Is(err, provider.ErrDisabled):
			return nil, autherr.BadRequest(autherr.CodeProviderDisabled, "Custom provider %q is disabled", provider.Shorten(asked.Provider))
		case err != nil:
			return nil, err
		case custom.Type != customOIDC:
			return nil, autherr.BadRequest(autherr.CodeValidation, "Provider %q is not an OIDC provider", provider.Shorten(asked.Provider))
		}
		return s.providers.CustomSource(custom.settings("")), nil
	}
	source, err := s.providers.Source(asked.Provider, asked.Issuer, asked.ClientID)
	switch {
	case errors.Is(err, provider.ErrDisabled):
		return nil, autherr.BadRequest(autherr.CodeProviderDisabled, "Provider (issuer %q) is not enabled", provider.Shorten(asked.Provider+asked.Issuer))
	case err != nil:
		return nil, autherr.BadRequest(autherr.CodeValidation, "Custom OIDC provider %q not allowed", provider.Shorten(asked.Provider))
	}
	return source, nil
}

// tokenRefusal is what a client sees of a token that is not taken.
func (s *Server) tokenRefusal(err error) error {
	for _, known := range []error{provider.ErrNoSubject, provider.ErrNoncePair} {
		if errors.Is(err, known) {
			return refuse(known.Error())
		}
	}
	switch {
	case errors.Is(err, provider.ErrNonceWrong):
		return &oauthError{"invalid nonce", provider.ErrNonceWrong.Error()}
	case errors.Is(err, provider.ErrAudience):
		return refuse(err.Error())
	case errors.Is(err, provider.ErrBadToken):
		return refuse(provider.ErrBadToken.Error())
	}
	return autherr.Internal("The provider cannot be reached").WithCause(err)
}
