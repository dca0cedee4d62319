package pg

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
)

// ErrBusy says that no connection came free in time.
// Source: PostgREST answers 504 PGRST003 when its pool is exhausted.
var ErrBusy = apierr.New(http.StatusGatewayTimeout, "PGRST003", "Timed out acquiring connection from connection pool.")

// unavailable is a database that cannot be reached.
// Source: PostgREST's PGRST000 (could not connect) and PGRST001 (connection lost).
func unavailable(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	var refused *pgconn.ConnectError
	if !errors.As(err, &refused) && (isPostgresError(err) || errors.Is(err, context.DeadlineExceeded)) {
		return err
	}
	if refused != nil {
		return apierr.New(http.StatusServiceUnavailable, codeRefused, "Database connection error. Retrying the connection.").WithCause(err)
	}
	return apierr.New(http.StatusServiceUnavailable, codeLost, "Database client error. Retrying the connection.").WithCause(err)
}

const (
	codeRefused = "PGRST000"
	codeLost    = "PGRST001"
)

// isLost tells whether the connection broke, or its server is going down.
func isLost(err error) bool {
	if answer := apierr.As(err); answer != nil {
		return answer.Code == codeLost || answer.Code == codeRefused
	}
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && goesDown(pgErr.Code)
}

// goesDown knows admin_shutdown, crash_shutdown and cannot_connect_now.
func goesDown(code string) bool { return code == "57P01" || code == "57P02" || code == "57P03" }

func isPostgresError(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr)
}

func isStalePlan(err error) bool {
	if err == nil {
		return false // the usual case, before pgErr takes memory
	}
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "0A000" && strings.Contains(pgErr.Routine, "RevalidateCachedQuery")
}

// APIError turns what PostgreSQL said into the answer a client of the data API
// gets. anonymous says that the caller had no token of a user: a refused
// privilege is then 401 instead of 403. Errors that are not PostgreSQL's are
// returned as they are.
//
// Source: PostgREST's table of HTTP status codes by SQLSTATE.
func APIError(err error, anonymous bool) error {
	var pgErr *pgconn.PgError
	if apierr.As(err) != nil || !errors.As(err, &pgErr) {
		return err
	}
	if pgErr.Code == "PGRST" {
		return raisedAnswer(pgErr)
	}
	answer := &apierr.Error{
		Status: statusOf(pgErr, anonymous), Code: pgErr.Code, Message: pgErr.Message,
		Hint: pgErr.Hint, Err: err,
	}
	if pgErr.Detail != "" {
		return answer.WithDetail("%s", pgErr.Detail)
	}
	return answer
}

func statusOf(e *pgconn.PgError, anonymous bool) int {
	switch {
	case e.Code == "22023" && strings.HasPrefix(e.Message, "role ") && strings.HasSuffix(e.Message, " does not exist"):
		return http.StatusUnauthorized // a token whose role there is not
	case e.Code == "42501" && anonymous:
		return http.StatusUnauthorized
	case e.Code == "42501":
		return http.StatusForbidden
	case e.Code == "21000" && !strings.HasSuffix(e.Message, "requires a WHERE clause"):
		return http.StatusInternalServerError
	}
	if status, ok := statusByCode[e.Code]; ok {
		return status
	}
	// raise exception using errcode = 'PT402' answers with status 402.
	if after, ok := strings.CutPrefix(e.Code, "PT"); ok {
		if status, err := strconv.Atoi(after); err == nil && answers(status) {
			return status
		}
		return http.StatusInternalServerError
	}
	if len(e.Code) == 5 {
		if status, ok := statusByClass[e.Code[:2]]; ok {
			return status
		}
	}
	return http.StatusBadRequest
}

// answers tells whether an answer can have a status; one below 200 is not the
// last of its answer.
func answers(status int) bool { return status >= 200 && status <= 599 }

var statusByCode = map[string]int{
	"23503": http.StatusConflict,            // foreign_key_violation
	"23505": http.StatusConflict,            // unique_violation
	"25006": http.StatusMethodNotAllowed,    // read_only_sql_transaction
	"22023": http.StatusBadRequest,          // invalid_parameter_value
	"42883": http.StatusNotFound,            // undefined_function
	"42P01": http.StatusNotFound,            // undefined_table
	"57P01": http.StatusServiceUnavailable,  // admin_shutdown
	"57P02": http.StatusServiceUnavailable,  // crash_shutdown
	"57P03": http.StatusServiceUnavailable,  // cannot_connect_now
	"42P17": http.StatusInternalServerError, // invalid_object_definition: policies in a circle
	"53400": http.StatusInternalServerError, // configuration_limit_exceeded
	"P0001": http.StatusBadRequest,          // raise_exception
}

var statusByClass = map[string]int{
	"08": http.StatusServiceUnavailable,
	"09": http.StatusInternalServerError,
	"0L": http.StatusForbidden,
	"0P": http.StatusForbidden,
	"25": http.StatusInternalServerError,
	"28": http.StatusForbidden,
	"2D": http.StatusInternalServerError,
	"38": http.StatusInternalServerError,
	"39": http.StatusInternalServerError,
	"3B": http.StatusInternalServerError,
	"40": http.StatusInternalServerError,
	"53": http.StatusServiceUnavailable,
	"54": http.StatusInternalServerError,
	"55": http.StatusInternalServerError,
	"57": http.StatusInternalServerError,
	"58": http.StatusInternalServerError,
	"F0": http.StatusInternalServerError,
	"HV": http.StatusInternalServerError,
	"P0": http.StatusInternalServerError,
	"XX": http.StatusInternalServerError,
}

// raisedAnswer reads an error raised with SQLSTATE PGRST: the message is a JSON
// object of the answer's body, the detail one of its status and headers.
func raisedAnswer(e *pgconn.PgError) error {
	var body struct {
		Code    *string `json:"code"`
		Message *string `json:"message"`
		Details *string `json:"details"`
		Hint    *string `json:"hint"`
	}
	var meta struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
	}
	unreadable := apierr.New(http.StatusInternalServerError, "PGRST121", "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error").WithCause(e)
	if err := json.Unmarshal([]byte(e.Message), &body); err != nil || body.Code == nil || body.Message == nil {
		return unreadable.WithDetail("Invalid JSON value for MESSAGE: '%s'", e.Message).
			WithHint("MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.")
	}
	hint := "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."
	if e.Detail == "" {
		return unreadable.WithDetail("DETAIL is missing in the RAISE statement").WithHint("%s", hint)
	}
	if err := json.Unmarshal([]byte(e.Detail), &meta); err != nil || !answers(meta.Status) || meta.Headers == nil {
		return unreadable.WithDetail("Invalid JSON value for DETAIL: '%s'", e.Detail).WithHint("%s", hint)
	}
	answer := &apierr.Error{Status: meta.Status, Code: *body.Code, Message: *body.Message, Headers: meta.Headers, Err: e}
	if body.Hint != nil {
		answer.Hint = *body.Hint
	}
	if body.Details != nil {
		return answer.WithDetail("%s", *body.Details)
	}
	return answer
}
