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
	var asked external.IDToken
	if err := readBody(w, r, &asked); err != nil {
		return err
	}
	err := asked.Check()
	var linkTo string
	if err == nil {
		linkTo, err = s.linkTo(r, asked.LinkIdentity)
	}
	if err == nil {
		tokens, failed := s.Identities.SignIn(r.Context(), asked, linkTo, s.request(r))
		if failed == nil {
			return writeTokens(w, tokens)
		}
		err = failed
	}
	var said *external.OAuthError
	if errors.As(err, &said) {
		return httpx.WriteJSON(w, http.StatusBadRequest, map[string]string{"error": said.Name, "error_description": said.Description})
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
	in, err := s.caller(r)
	if err != nil {
		return "", err
	}
	return in.User.ID, nil
}
