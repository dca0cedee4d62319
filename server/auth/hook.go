package auth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
)

// hookTimeout bounds a hook's function. Source: supabase/auth, 2 seconds.
const hookTimeout = "set local statement_timeout = 2000"

// hookMetadata is what every hook is told of the call.
type hookMetadata struct {
	UUID string `json:"uuid"`
	Time string `json:"time"`
	Name string `json:"name"`
	IP   string `json:"ip_address,omitempty"`
}

// passwordAttempt is the event of the password hook.
type passwordAttempt struct {
	Metadata hookMetadata `json:"metadata"`
	UserID   string       `json:"user_id"`
	Valid    bool         `json:"valid"`
}

// passwordDecision is the password hook's answer.
type passwordDecision struct {
	Decision string     `json:"decision"`
	Message  string     `json:"message"`
	Logout   bool       `json:"should_logout_user"`
	Error    *hookError `json:"error"`
}

type hookError struct {
	Status  int    `json:"http_code"`
	Message string `json:"message"`
}

// askPasswordHook lets the project's function see the attempt and refuse it.
//
// Errors: 400 invalid_credentials with the function's message where it rejects;
// what the function answers as an error.
func (s *Server) askPasswordHook(r *http.Request, userID string, valid bool) error {
	if s.hook == "" {
		return nil
	}
	event, err := json.Marshal(passwordAttempt{
		Metadata: hookMetadata{
			UUID: newID(), Time: s.now().UTC().Format("2006-01-02T15:04:05.999999Z"),
			Name: "password-verification", IP: s.visitor(r).ip(),
		},
		UserID: userID, Valid: valid,
	})
	if err != nil {
		return err
	}
	var decision passwordDecision
	err = s.work(r.Context(), func(tx pgx.Tx) error { return s.runHook(r.Context(), tx, event, userID, &decision) })
	switch {
	case err != nil:
		return hookFailure(err)
	case decision.Error != nil:
		status := decision.Error.Status
		if status < http.StatusBadRequest || status > 599 {
			status = http.StatusInternalServerError
		}
		return apierr.New(status, codeUnexpected, "%s", decision.Error.Message)
	case decision.Decision == "reject":
		if decision.Message == "" {
			decision.Message = "Further password verification attempts will be rejected."
		}
		return badRequest(codeInvalidLogin, "%s", decision.Message)
	}
	return nil
}

func (s *Server) runHook(ctx context.Context, tx pgx.Tx, event []byte, userID string, decision *passwordDecision) error {
	if _, err := tx.Exec(ctx, hookTimeout); err != nil {
		return err
	}
	// The name is from the settings and quoted; only values are parameters.
	var answer json.RawMessage
	if err := tx.QueryRow(ctx, "select "+s.hook+"($1::jsonb)", event).Scan(&answer); err != nil {
		return err
	}
	*decision = passwordDecision{}
	if err := json.Unmarshal(answer, decision); err != nil {
		return internal("Error unmarshaling JSON output.").WithCause(err)
	}
	if decision.Decision == "reject" && decision.Logout {
		_, err := tx.Exec(ctx, endAll, userID)
		return err
	}
	return nil
}

func hookFailure(err error) error {
	var raised *pgconn.PgError
	if errors.As(err, &raised) && raised.Code == "57014" { // query_canceled: the time-out
		return apierr.New(http.StatusUnprocessableEntity, "hook_timeout", "Failed to reach hook within maximum time of 2.000000 seconds").WithCause(err)
	}
	if apierr.As(err) != nil {
		return err
	}
	return internal("Error running hook").WithCause(err)
}
