package pg

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/pg/pipeline"
)

// ErrBusy is the error for a request that got no connection in time.
// Source: PostgREST answers 504 PGRST003 when its pool is exhausted.
var ErrBusy = apierr.New(http.StatusGatewayTimeout, "PGRST003", "Timed out acquiring connection from connection pool.")

// errParameters is the answer to pipeline.ErrTooLarge.
var errParameters = apierr.New(http.StatusRequestEntityTooLarge, "PLZ010", "The body is too large after conversion.").
	WithDetail("A statement's parameters may have 1 GB.")

// unavailable translates errors of the connection.
// Source: PostgREST's PGRST000 (could not connect) and PGRST001 (connection lost).
func unavailable(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || apierr.As(err) != nil {
		return err
	}
	if errors.Is(err, errUnresponsive) {
		return unresponsiveError(err)
	}
	if errors.Is(err, pipeline.ErrTooLarge) {
		return errParameters
	}
	if ConnectError(err) != nil {
		return apierr.New(http.StatusServiceUnavailable, codeRefused, "Database connection error. Retrying the connection.").WithCause(err)
	}
	if IsPgError(err) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return apierr.New(http.StatusServiceUnavailable, codeLost, "Database client error. Retrying the connection.").WithCause(err)
}

// ErrInsufficientScope is the error for a write of an OAuth client without the scope for it.
var ErrInsufficientScope = apierr.New(http.StatusForbidden, "insufficient_scope", "The OAuth client's token lacks the scope %q", claims.WriteScope)

// refuseWrite translates the error of a write by a caller who may only read. Other
// callers get PostgreSQL's error.
func refuseWrite(who claims.Caller, err error) error {
	if err == nil || !who.ReadOnly {
		return err
	}
	if refused := AsPgError(err); refused != nil && (refused.Code == readOnly || refused.Code == readWriteTooLate) {
		return ErrInsufficientScope
	}
	return err
}

// readWriteTooLate is PostgreSQL's error where SQL tries to make a read-only transaction
// writable: active_sql_transaction.
const readWriteTooLate = "25001"

const (
	codeRefused      = "PGRST000"
	codeLost         = "PGRST001"
	codeUnresponsive = "PLZ013" // ours: the server does not answer
)

// isLost reports whether the connection broke or its server is shutting down.
func isLost(err error) bool {
	if answer := apierr.As(err); answer != nil {
		return answer.Code == codeLost || answer.Code == codeRefused
	}
	refusal := AsPgError(err)
	return refusal != nil && isShutdown(refusal.Code)
}

// isShutdown reports whether a code is admin_shutdown, crash_shutdown or cannot_connect_now.
func isShutdown(code string) bool { return code == "57P01" || code == "57P02" || code == "57P03" }

// isBroken reports whether an error comes from the connection, not from a statement.
func isBroken(err error) bool {
	var network net.Error
	return ConnectError(err) != nil || errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, errUnresponsive) || errors.Is(err, net.ErrClosed) || pgconn.SafeToRetry(err)
}

// IsUnavailable reports whether the database could not be reached, or ended the connection.
func IsUnavailable(err error) bool { return err != nil && (isBroken(err) || isLost(err)) }

// serviceError translates the errors that services cannot handle themselves: a database
// that cannot be reached, is overloaded, full or too slow, and conflicts between transactions.
// It keeps the cause, so that a service still finds the SQLSTATE.
func serviceError(ctx context.Context, err error) error {
	if err == nil || apierr.As(err) != nil || ctx.Err() != nil {
		return err
	}
	refusal := AsPgError(err)
	switch {
	case refusal == nil:
		if isBroken(err) {
			return unavailable(err)
		}
	case isShutdown(refusal.Code):
		return apierr.New(http.StatusServiceUnavailable, codeLost, "Database client error. Retrying the connection.").WithCause(err)
	case strings.HasPrefix(refusal.Code, "53"): // a full disk, no memory, too many connections
		return apierr.New(http.StatusServiceUnavailable, refusal.Code, "The database lacks resources. Please try again later.").WithCause(err)
	case refusal.Code == "57014", isConflict(err):
		return apierr.New(statusOf(refusal, false), refusal.Code, "%s", refusal.Message).WithCause(err)
	}
	return err
}

// ConnectError returns the error of a failed attempt to connect in err's chain, or nil.
func ConnectError(err error) error {
	var failed *pgconn.ConnectError
	if errors.As(err, &failed) {
		return failed
	}
	return nil
}

// PgError is an error that PostgreSQL itself reports, with its SQLSTATE.
type PgError = pgconn.PgError

// AsPgError returns PostgreSQL's error in err's chain, or nil.
func AsPgError(err error) *PgError {
	if err == nil {
		return nil // the usual case; the variable below is allocated
	}
	var refusal *pgconn.PgError
	if errors.As(err, &refusal) {
		return refusal
	}
	return nil
}

// IsPgError reports whether PostgreSQL itself answered with an error.
func IsPgError(err error) bool { return AsPgError(err) != nil }

// APIError translates PostgreSQL's error into the one that a client of the data API gets.
// anonymous means that the caller had no user's token: a missing privilege is then 401
// instead of 403. Other errors are returned as they are.
//
// Source: PostgREST's table of HTTP status codes by SQLSTATE.
func APIError(err error, anonymous bool) error {
	pgErr := AsPgError(err)
	if pgErr == nil || apierr.As(err) != nil {
		return err
	}
	if pgErr.Code == "PGRST" {
		return raisedResponse(pgErr)
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
		return http.StatusUnauthorized // the token's role does not exist
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
		if status, err := strconv.Atoi(after); err == nil && isFinalStatus(status) {
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

// isFinalStatus reports whether a response can end with a status; 1xx are interim.
func isFinalStatus(status int) bool { return status >= 200 && status <= 599 }

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
	"57014": http.StatusGatewayTimeout,      // query_canceled: upstream 500
	"40001": http.StatusConflict,            // serialization_failure: upstream 500
	"40P01": http.StatusConflict,            // deadlock_detected: upstream 500
	"54000": http.StatusBadRequest,          // program_limit_exceeded: upstream 500
	"54001": http.StatusBadRequest,          // statement_too_complex: upstream 500
	"54011": http.StatusBadRequest,          // too_many_columns: upstream 500
	"54023": http.StatusBadRequest,          // too_many_arguments: upstream 500
	"55000": http.StatusBadRequest,          // object_not_in_prerequisite_state, such as a view into which no rows can be inserted: upstream 500
	"55006": http.StatusConflict,            // object_in_use: upstream 500
	"55P03": http.StatusConflict,            // lock_not_available: upstream 500
	"42P17": http.StatusInternalServerError, // invalid_object_definition: such as policies that refer to each other
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

// raisedResponse translates an error raised with SQLSTATE PGRST: its message is a JSON
// object with the response's body, its detail one with the status and headers.
func raisedResponse(e *pgconn.PgError) error {
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
	if err := json.Unmarshal([]byte(e.Detail), &meta); err != nil || !isFinalStatus(meta.Status) || meta.Headers == nil {
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

// ViolatesUnique reports whether a row violated a unique index of a schema; an empty
// schema means any.
func ViolatesUnique(err error, schema string) bool {
	failed := AsPgError(err)
	return failed != nil && failed.Code == "23505" && (schema == "" || failed.SchemaName == schema)
}
