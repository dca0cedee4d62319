package api

import (
	"errors"
	"net/http"

	"plaza/server/auth/external"
	"plaza/server/httpx"
)

// idTokenGrant signs in with an ID token that the app obtained from a provider itself,
// or links the identity to the signed-in user.
func (s *accountHandlers) idTokenGrant(w http.ResponseWriter, r *http.Request) error {
	var params external.IDToken
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	err := params.Check()
	var linkTo string
	if err == nil {
		linkTo, err = s.linkTo(r, params.LinkIdentity)
	}
	if err == nil {
		tokens, failed := s.Identities.SignIn(r.Context(), params, linkTo, s.request(r))
		if failed == nil {
			return writeTokens(w, tokens)
		}
		err = failed
	}
	var oauthErr *external.OAuthError
	if errors.As(err, &oauthErr) {
		return httpx.WriteJSON(w, http.StatusBadRequest, map[string]string{"error": oauthErr.Name, "error_description": oauthErr.Description})
	}
	return err
}

// linkTo returns the id of the signed-in user to link a token's identity to. It is empty
// if linking was not requested.
func (s *accountHandlers) linkTo(r *http.Request, wanted bool) (string, error) {
	switch {
	case !wanted:
		return "", nil
	case !s.Config.Security.ManualLinking:
		return "", errNoManualLinking
	case r.Header.Get("Authorization") == "":
		return "", &external.OAuthError{Name: "invalid request", Description: "Linking requires a valid user access token in Authorization"}
	}
	current, err := s.caller(r)
	if err != nil {
		return "", err
	}
	return current.User.ID, nil
}
