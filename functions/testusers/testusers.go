// Package testusers lets admins sign in as a test user, in development only.
//
// The database decides who may and as whom: admin_log_in_as in sql/functions/test_users.sql.
package testusers

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"plaza/functions"
	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/server/project"
)

// maxBody is the largest request read, in bytes: an id in a JSON object.
const maxBody = 1 << 10

// addressOf returns the email address of a test user and records in the audit log that the
// caller signs in as that user.
const addressOf = `select public.admin_log_in_as($1)`

var (
	errSignedOut   = apierr.New(http.StatusUnauthorized, "not_authenticated", "Not authenticated")
	errBadJSON     = apierr.New(http.StatusBadRequest, "bad_json", "Could not read the request's body as JSON")
	errNotTestUser = apierr.New(http.StatusNotFound, "not_a_test_user", "This is no test user")
)

// LogIn is log-in-as-test-user (ADMIN-TEST-08, S-55): {user} returns {token_hash}, with
// which verifyOtp of the type magiclink signs in as that test user, once.
//
// Errors: not_authenticated, not_admin, test_tools_off, not_a_test_user.
func LogIn(p project.Parts) functions.Func {
	return functions.Func{Name: "log-in-as-test-user", Serve: func(w http.ResponseWriter, r *http.Request) error {
		if functions.ClientsOf(r.Context()).Caller().Subject == "" {
			return errSignedOut
		}
		var q struct {
			User string `json:"user"`
		}
		if err := httpx.ReadJSON(w, r, maxBody, &q); errors.Is(err, httpx.ErrBadJSON) {
			return errBadJSON.WithCause(err)
		} else if err != nil {
			return err
		}
		user, err := uuid.Parse(q.User)
		if err != nil {
			return errNotTestUser
		}
		var address string
		err = functions.ClientsOf(r.Context()).Query(r.Context(), addressOf, [][]byte{[]byte(user.String())}, func(row [][]byte) error {
			address = string(row[0])
			return nil
		})
		if err != nil {
			return functions.TranslateError("look for the test user", err)
		}
		token, err := p.SignInToken(r.Context(), address)
		if err != nil {
			return fmt.Errorf("issue a token: %w", err)
		}
		w.Header().Set("Cache-Control", "no-store")
		return httpx.WriteJSON(w, http.StatusOK, map[string]string{"token_hash": token})
	}}
}
