package core

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
	"plaza/server/freespace"
	"plaza/server/pg"
	"plaza/storage/blob"
)

// Codes of errors. Each has its true HTTP status; a surface may answer with
// another one.
// Source: supabase/storage's table of errors.
const (
	CodeNoSuchBucket      = "NoSuchBucket"
	CodeNoSuchKey         = "NoSuchKey"
	CodeKeyExists         = "KeyAlreadyExists"
	CodeBucketExists      = "BucketAlreadyExists"
	CodeResourceExists    = "ResourceAlreadyExists"
	CodeNotEmpty          = "ResourceNotEmpty"
	CodeReferenced        = "ResourceReferenced"
	CodeLocked            = "ResourceLocked"
	CodeAccessDenied      = "AccessDenied"
	CodeInvalidRequest    = "InvalidRequest"
	CodeInvalidParameter  = "InvalidParameter"
	CodeMissingParameter  = "MissingParameter"
	CodeInvalidKey        = "InvalidKey"
	CodeInvalidBucketName = "InvalidBucketName"
	CodeInvalidMimeType   = "InvalidMimeType"
	CodeInvalidJWT        = "InvalidJWT"
	CodeInvalidSignature  = "InvalidSignature"
	CodeExpired           = "ExpiredToken"
	CodeTooLarge          = "EntityTooLarge"
	CodeNotEnabled        = "FeatureNotEnabled"
	CodeInternal          = "InternalError"
	CodeDatabase          = "DatabaseError"
	CodeDatabaseTimeout   = "DatabaseTimeout"
	CodeReadOnly          = "DatabaseReadOnly"
	CodeDefinition        = "DatabaseInvalidObjectDefinition"
	CodeSchema            = "DatabaseSchemaMismatch"
	CodeSlowDown          = "SlowDown"
)

// Errors that carry nothing of the request.
var (
	ErrNoSuchBucket  = apierr.New(http.StatusNotFound, CodeNoSuchBucket, "Bucket not found")
	ErrNoSuchKey     = apierr.New(http.StatusNotFound, CodeNoSuchKey, "Object not found")
	ErrAccessDenied  = apierr.New(http.StatusForbidden, CodeAccessDenied, "Access denied")
	ErrKeyExists     = apierr.New(http.StatusConflict, CodeKeyExists, "The resource already exists")
	ErrBucketExists  = apierr.New(http.StatusConflict, CodeBucketExists, "The resource already exists")
	ErrNotEmpty      = apierr.New(http.StatusConflict, CodeNotEmpty, "The bucket you tried to delete is not empty")
	ErrTooLarge      = apierr.New(http.StatusRequestEntityTooLarge, CodeTooLarge, "The object exceeded the maximum allowed size")
	ErrNoContent     = apierr.New(http.StatusBadRequest, CodeInvalidRequest, "No content provided")
	ErrFileSizeLimit = apierr.New(http.StatusBadRequest, CodeInvalidRequest, "Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B")
	ErrBadSignature  = apierr.New(http.StatusBadRequest, CodeInvalidSignature, "Invalid signature")

	errIncomplete  = apierr.New(http.StatusBadRequest, CodeInvalidRequest, "The request body ended before all of it was there")
	errSwept       = apierr.New(http.StatusInternalServerError, CodeInternal, "The upload took too long and was given up")
	errTooMany     = apierr.New(http.StatusConflict, CodeInvalidRequest, "Unable to empty the bucket because it contains too many objects")
	errBadCursor   = apierr.New(http.StatusBadRequest, CodeInvalidParameter, "Invalid Parameter continuation token")
	errBadLifetime = apierr.New(http.StatusBadRequest, CodeInvalidParameter, "Invalid Parameter expiresIn")
)

func errInvalidKey(key string) error {
	return apierr.New(http.StatusBadRequest, CodeInvalidKey, "Invalid key: %s", key)
}

func errInvalidBucketName() error {
	return apierr.New(http.StatusBadRequest, CodeInvalidBucketName, "Bucket name invalid")
}

func errMimeType(mime string) error {
	return apierr.New(http.StatusUnsupportedMediaType, CodeInvalidMimeType, "mime type %s is not supported", mime)
}

// databaseError tells what PostgreSQL said the way clients know it.
// Source: supabase/storage's mapping of SQLSTATE.
func databaseError(err error) error {
	if errors.Is(err, pg.ErrClientReads) {
		return apierr.New(http.StatusForbidden, CodeAccessDenied, "%s", pg.ErrClientReads.Message)
	}
	var said *pgconn.PgError
	if !errors.As(err, &said) {
		return unreachable(err)
	}
	status, code, message := http.StatusInternalServerError, CodeDatabase, "database error, code: "+said.Code
	switch said.Code {
	case quotaState:
		return quotaError(said)
	case "53100": // disk_full
		return errFull.WithCause(err)
	case "42501":
		status, code, message = http.StatusForbidden, CodeAccessDenied, said.Message
		if strings.Contains(message, "row-level security") {
			message = "new row violates row-level security policy"
		}
	case "23505":
		status, code, message = http.StatusConflict, CodeResourceExists, "The resource already exists"
	case "23503":
		status, code, message = http.StatusNotFound, CodeInvalidRequest, "The related resource does not exist"
		if strings.Contains(said.Detail, "is still referenced from table") {
			status, code, message = http.StatusConflict, CodeReferenced, "The resource could not be updated or removed due to a foreign key constraint"
		}
	case "55P03":
		status, code, message = http.StatusLocked, CodeLocked, "The resource is locked"
	case "57014":
		return errSlow.WithCause(err)
	case "40001", "40P01":
		status, code, message = http.StatusConflict, CodeLocked, "The request lost against another one at the same time: try again"
	case "57P01", "57P02", "57P03":
		return errTimeout.WithCause(err)
	case "25006":
		status, code, message = http.StatusServiceUnavailable, CodeReadOnly, "The database is currently in read-only mode. Please try again later."
	case "42P17":
		status, code, message = http.StatusServiceUnavailable, CodeDefinition, "The database schema is invalid or incompatible."
	case "22P02":
		status, code, message = http.StatusBadRequest, CodeInvalidParameter, said.Message
	case "42703", "42P01":
		status, code, message = http.StatusServiceUnavailable, CodeSchema, "The database schema is out of sync. Please run migrations or contact support."
		if said.InternalQuery != "" {
			message = "There is a database schema mismatch in a trigger or RLS policy: " + said.Where
		}
	case "53300":
		status, code, message = http.StatusTooManyRequests, CodeSlowDown, "Too many connections issued to the database"
	default:
		// As in the data API, a policy's function may say why it refuses: errcode 'PT403'.
		if after, ok := strings.CutPrefix(said.Code, "PT4"); ok && len(after) == 2 {
			status, code, message = http.StatusForbidden, CodeAccessDenied, said.Message
		}
	}
	return apierr.New(status, code, "%s", message).WithCause(err)
}

// Upstream answers both with its own status 544, which proxies and clients do not
// know as something to try again.
var (
	errTimeout = apierr.New(http.StatusServiceUnavailable, CodeDatabaseTimeout, "The connection to the database timed out")
	errSlow    = apierr.New(http.StatusGatewayTimeout, CodeDatabaseTimeout, "The database took too long to answer")
)

// unreachable gives what package pg says of connections this surface's code.
func unreachable(err error) error {
	if known := apierr.As(err); known != nil {
		switch {
		case known.Status == http.StatusGatewayTimeout && (strings.HasPrefix(known.Code, "PGRST") || strings.HasPrefix(known.Code, "PLZ")):
			return errSlow.WithCause(err)
		case strings.HasPrefix(known.Code, "PGRST"):
			return errTimeout.WithCause(err)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errSlow.WithCause(err)
	}
	return err
}

// BlobError tells what a store said the way clients know it.
func BlobError(err error) error {
	switch {
	case errors.Is(err, blob.ErrFull), errors.Is(err, freespace.ErrLow):
		return errFull.WithCause(err)
	case errors.Is(err, blob.ErrNotFound):
		return ErrNoSuchKey.WithCause(err)
	}
	return err
}
