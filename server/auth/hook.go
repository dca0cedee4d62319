package auth

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// hasHook tells whether somebody is to be asked.
func (s *Server) hasHook(name settings.HookName) bool {
	_, ok := s.hooks[name]
	return ok
}

// ask puts a question to a hook and reads its answer. A function runs in tx, or
// in a transaction of its own where tx is nil; a service is asked in any case
// while tx stays open, as upstream does.
//
// Errors: what the hook answers as an error; hook_timeout and its like.
func (s *Server) ask(ctx context.Context, tx *store.Tx, name settings.HookName, who users.Visitor, question map[string]any, answer any) error {
	metadata := map[string]string{"uuid": store.NewID(), "time": s.now().UTC().Format(time.RFC3339Nano), "name": string(name)}
	if ip := who.IP(); ip != "" {
		metadata["ip_address"] = ip
	}
	question["metadata"] = metadata
	event, err := json.Marshal(question)
	if err != nil {
		return err
	}
	var raw []byte
	whom := s.hooks[name]
	switch {
	case whom.Service != nil:
		raw, err = whom.Service.Ask(ctx, event)
	case tx != nil:
		raw, err = callHook(ctx, tx, whom.Function, event)
	default:
		err = s.store.InTx(ctx, func(own *store.Tx) error {
			raw, err = callHook(ctx, own, whom.Function, event)
			return err
		})
	}
	if err != nil {
		return hookFailure(err)
	}
	return readHook(raw, answer)
}

// hookTimeout bounds a hook's function. Source: supabase/auth, 2 seconds.
const hookTimeout = "set local statement_timeout = 2000"

// callHook runs a function. Its name is from the settings and quoted; the event
// is a parameter.
func callHook(ctx context.Context, tx *store.Tx, function string, event []byte) ([]byte, error) {
	if _, err := tx.Exec(ctx, hookTimeout); err != nil {
		return nil, err
	}
	var answer json.RawMessage
	if err := tx.QueryRow(ctx, "select "+function+"($1::jsonb)", event).Scan(&answer); err != nil {
		return nil, err
	}
	_, err := tx.Exec(ctx, "set local statement_timeout to default")
	return answer, err
}

// readHook reads an answer, which may be an error the hook wants shown.
func readHook(raw []byte, answer any) error {
	if len(raw) == 0 {
		return nil
	}
	var refused struct {
		Error *struct {
			Status  int    `json:"http_code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(raw, &refused) == nil && refused.Error != nil && refused.Error.Message != "" {
		status := refused.Error.Status
		if status < http.StatusBadRequest || status > 599 {
			status = http.StatusInternalServerError
		}
		return apierr.New(status, autherr.CodeUnexpected, "%s", refused.Error.Message)
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		return autherr.Internal("Error unmarshaling JSON output.").WithCause(err)
	}
	return nil
}

func hookFailure(err error) error {
	var raised *pgconn.PgError
	if errors.As(err, &raised) && raised.Code == "57014" { // query_canceled: the time-out
		return autherr.Unprocessable(autherr.CodeHookTimeout, "Failed to reach hook within maximum time of 2.000000 seconds").WithCause(err)
	}
	if apierr.As(err) != nil {
		return err
	}
	return autherr.Internal("Error running hook").WithCause(err)
}

// decision is the answer of a hook that sees attempts.
type decision struct {
	Decision string `json:"decision"`
	Message  string `json:"message"`
	Logout   bool   `json:"should_logout_user"`

	// MailUser is ours: the account's holder gets a mail whose link signs in.
	MailUser bool `json:"mail_user"`
}

func (d decision) rejects() bool { return d.Decision == "reject" }

// askPasswordHook lets the project see an attempt with a password and refuse it.
//
// Errors: 400 invalid_credentials with the hook's message where it rejects.
func (s *Server) askPasswordHook(ctx context.Context, a attempt, req mailRequest) error {
	event, ok := s.question(a)
	if !ok {
		return nil
	}
	userID := a.user.ID
	var answer decision
	if err := s.ask(ctx, nil, settings.HookPassword, req.who, event, &answer); err != nil {
		return err
	}
	if answer.MailUser && userID != "" {
		s.mailUnlock(ctx, userID, req)
	}
	if !answer.rejects() {
		return nil
	}
	if answer.Logout && userID != "" {
		batch := &pgx.Batch{}
		batch.Queue(endAll, userID)
		if err := s.store.InTx(ctx, func(tx *store.Tx) error {
			s.ends(tx, userID)
			return tx.ExecBatch(ctx, batch)
		}); err != nil {
			return err
		}
	}
	return autherr.BadRequest(autherr.CodeInvalidLogin, "%s", cmp.Or(answer.Message, "Further password verification attempts will be rejected."))
}

// askMFAHook lets the project see an attempt with a second factor and refuse it.
//
// Errors: 403 mfa_verification_rejected with the hook's message.
func (s *Server) askMFAHook(ctx context.Context, tx *store.Tx, userID, factorID, factorType string, valid bool, who users.Visitor) error {
	if !s.hasHook(settings.HookMFA) {
		return nil
	}
	var answer decision
	question := map[string]any{"user_id": userID, "factor_id": factorID, "factor_type": factorType, "valid": valid}
	if err := s.ask(ctx, tx, settings.HookMFA, who, question, &answer); err != nil {
		return err
	}
	if answer.rejects() {
		return autherr.Forbidden("mfa_verification_rejected", "%s", cmp.Or(answer.Message, "Further MFA verification attempts will be rejected."))
	}
	return nil
}

// askBeforeCreation lets the project refuse an account before it is made.
func (s *Server) askBeforeCreation(ctx context.Context, tx *store.Tx, user *users.User, who users.Visitor) error {
	if !s.hasHook(settings.HookBefore) {
		return nil
	}
	return s.ask(ctx, tx, settings.HookBefore, who, map[string]any{"user": user}, nil)
}

// tellCreation tells the project of an account that was made.
func (s *Server) tellCreation(ctx context.Context, tx *store.Tx, user *users.User, who users.Visitor) error {
	if !s.hasHook(settings.HookAfter) {
		return nil
	}
	return s.ask(ctx, tx, settings.HookAfter, who, map[string]any{"user": user}, nil)
}

// keptClaims are those that a project's hook may change but not remove. Source:
// supabase/auth's schema of an access token.
var keptClaims = []string{"aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous"}

// customize lets the project change the claims of an access token.
func (s *Server) customize(ctx context.Context, tx *store.Tx, userID, method string, set map[string]any, who users.Visitor) (map[string]any, error) {
	if !s.hasHook(settings.HookToken) {
		return set, nil
	}
	var answer struct {
		Claims map[string]any `json:"claims"`
	}
	question := map[string]any{"user_id": userID, "claims": set, "authentication_method": method}
	if err := s.ask(ctx, tx, settings.HookToken, who, question, &answer); err != nil {
		return nil, err
	}
	if answer.Claims == nil {
		return nil, autherr.Internal("output claims field is missing")
	}
	for _, name := range keptClaims {
		if _, ok := answer.Claims[name]; !ok {
			return nil, autherr.Internal("output claims do not conform to the expected schema: \n- (root): %s is required", name)
		}
	}
	return answer.Claims, nil
}
