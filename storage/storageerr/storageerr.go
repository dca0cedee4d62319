// Package storageerr holds the errors that clients of the storage service see: their
// codes, and the translation of what the database and the blob store report.
package storageerr

import (
	"context"
	"errors"
	"net/http"
	"strings"

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

	CodeQuota = "QuotaExceeded"       // a quota of storage.quotas refused the upload
	CodeFull  = "InsufficientStorage" // the server's disk is full

	CodeUnavailable = "ServiceUnavailable" // the object storage cannot be reached; the code is Amazon S3's

	// Of multipart uploads. Source: Amazon S3.
	CodeNoSuchUpload = "NoSuchUpload"
	CodeInvalidPart  = "InvalidPart"
)

// Errors whose text does not depend on the request.
var (
	ErrNoSuchBucket      = apierr.New(http.StatusNotFound, CodeNoSuchBucket, "Bucket not found")
	ErrNoSuchKey         = apierr.New(http.StatusNotFound, CodeNoSuchKey, "Object not found")
	ErrAccessDenied      = apierr.New(http.StatusForbidden, CodeAccessDenied, "Access denied")
	ErrKeyExists         = apierr.New(http.StatusConflict, CodeKeyExists, "The resource already exists")
	ErrBucketExists      = apierr.New(http.StatusConflict, CodeBucketExists, "The resource already exists")
	ErrNotEmpty          = apierr.New(http.StatusConflict, CodeNotEmpty, "The bucket you tried to delete is not empty")
	ErrTooManyObjects    = apierr.New(http.StatusConflict, CodeInvalidRequest, "Unable to empty the bucket because it contains too many objects")
	ErrInvalidBucketName = apierr.New(http.StatusBadRequest, CodeInvalidBucketName, "Bucket name invalid")
	ErrTooLarge          = apierr.New(http.StatusRequestEntityTooLarge, CodeTooLarge, "The object exceeded the maximum allowed size")
	ErrNoContent         = apierr.New(http.StatusBadRequest, CodeInvalidRequest, "No content provided")
	ErrFileSizeLimit     = apierr.New(http.StatusBadRequest, CodeInvalidRequest, "Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B")
	ErrBadSignature      = apierr.New(http.StatusBadRequest, CodeInvalidSignature, "Invalid signature")
	ErrBadLifetime       = apierr.New(http.StatusBadRequest, CodeInvalidParameter, "Invalid Parameter expiresIn")
	ErrBadCursor         = apierr.New(http.StatusBadRequest, CodeInvalidParameter, "Invalid Parameter continuation token")
	ErrIncomplete        = apierr.New(http.StatusBadRequest, CodeInvalidRequest, "The request body ended before it was complete")
	ErrExpired           = apierr.New(http.StatusInternalServerError, CodeInternal, "The upload took too long and was aborted")
	ErrQuota             = apierr.New(http.StatusRequestEntityTooLarge, CodeQuota, "The storage quota was exceeded")
	ErrFull              = apierr.New(http.StatusInsufficientStorage, CodeFull, "There is not enough free space to store the object")
	ErrMalformedImage    = apierr.New(http.StatusUnsupportedMediaType, CodeInvalidMimeType, "The file is not a complete image")
	ErrStripMove         = apierr.New(http.StatusBadRequest, CodeInvalidRequest,
		"This bucket removes the metadata of images, so objects cannot be moved into it. Copy the object instead.")
)

// Errors of multipart uploads.
var (
	ErrNoSuchUpload = apierr.New(http.StatusNotFound, CodeNoSuchUpload, "Upload not found")
	ErrInvalidPart  = apierr.New(http.StatusBadRequest, CodeInvalidPart,
		"One or more of the specified parts could not be found. The part might not have been uploaded, or the specified entity tag might not have matched the part's entity tag.")
	ErrPartOrder  = apierr.New(http.StatusBadRequest, "InvalidPartOrder", "The list of parts was not in ascending order. Parts must be ordered by part number.")
	ErrPartSmall  = apierr.New(http.StatusBadRequest, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size")
	ErrPartNumber = apierr.New(http.StatusBadRequest, CodeInvalidParameter, "Invalid Parameter partNumber: it must be between 1 and 10000")
)

// Errors of resumable uploads. Source: the texts are those of upstream's library,
// tus-node-server.
var (
	ErrNoSuchResumable   = apierr.New(http.StatusNotFound, CodeNoSuchUpload, "The file for this url was not found\n")
	ErrOffset            = apierr.New(http.StatusConflict, CodeInvalidRequest, "Upload-Offset conflict\n")
	ErrResumableExpired  = apierr.New(http.StatusGone, CodeNoSuchUpload, "The file for this url no longer exists\n")
	ErrResumableTooLarge = apierr.New(http.StatusRequestEntityTooLarge, CodeTooLarge, "Maximum size exceeded\n")
	ErrMoreThanLength    = apierr.New(http.StatusRequestEntityTooLarge, CodeTooLarge, "upload's size exceeded\n")
	ErrResumableFinished = apierr.New(http.StatusBadRequest, CodeInvalidRequest, "Cannot terminate an already completed upload")
	ErrTakenOver         = apierr.New(http.StatusLocked, CodeLocked, "Request aborted due to lock acquired")
)

// InvalidKey is the error for a text that cannot be an object's key.
func InvalidKey(key string) error {
	return apierr.New(http.StatusBadRequest, CodeInvalidKey, "Invalid key: %s", key)
}

// InvalidMimeType is the error for a type that a bucket does not allow.
func InvalidMimeType(mime string) error {
	return apierr.New(http.StatusUnsupportedMediaType, CodeInvalidMimeType, "mime type %s is not supported", mime)
}

// IsInvalidMimeType reports whether an object was refused for its type.
func IsInvalidMimeType(err error) bool {
	known := apierr.As(err)
	return known != nil && known.Code == CodeInvalidMimeType
}

// quotaState is the SQLSTATE that storage.check_quotas raises.
const quotaState = "PT413"

// fromQuota translates the refusal of a quota, or of a policy that refuses with the
// same SQLSTATE.
func fromQuota(refusal *pg.PgError) error {
	if refusal.ConstraintName != "storage_quota" {
		return apierr.New(http.StatusForbidden, CodeAccessDenied, "%s", refusal.Message).WithCause(refusal)
	}
	return apierr.New(ErrQuota.Status, ErrQuota.Code, "%s", refusal.Message).WithCause(refusal)
}

// IsQuota reports whether a quota refused a change of the database.
func IsQuota(err error) bool {
	refusal := pg.AsPgError(err)
	return refusal != nil && refusal.Code == quotaState && refusal.ConstraintName == "storage_quota"
}

// FromDatabase translates an error of package pg into one that clients know. Other
// errors are returned as they are.
// Source: supabase/storage's mapping of SQLSTATE.
func FromDatabase(err error) error {
	if errors.Is(err, pg.ErrInsufficientScope) {
		return apierr.New(http.StatusForbidden, CodeAccessDenied, "%s", pg.ErrInsufficientScope.Message)
	}
	refusal := pg.AsPgError(err)
	if refusal == nil {
		return fromUnavailable(err)
	}
	status, code, message := http.StatusInternalServerError, CodeDatabase, "database error, code: "+refusal.Code
	switch refusal.Code {
	case quotaState:
		return fromQuota(refusal)
	case "53100": // disk_full
		return ErrFull.WithCause(err)
	case "42501":
		status, code, message = http.StatusForbidden, CodeAccessDenied, refusal.Message
		if strings.Contains(message, "row-level security") {
			message = "new row violates row-level security policy"
		}
	case "23505":
		status, code, message = http.StatusConflict, CodeResourceExists, "The resource already exists"
	case "23503":
		status, code, message = http.StatusNotFound, CodeInvalidRequest, "The related resource does not exist"
		if strings.Contains(refusal.Detail, "is still referenced from table") {
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
		status, code, message = http.StatusBadRequest, CodeInvalidParameter, refusal.Message
	case "42703", "42P01":
		status, code, message = http.StatusServiceUnavailable, CodeSchema, "The database schema is out of sync. Please run migrations or contact support."
		if refusal.InternalQuery != "" {
			message = "There is a database schema mismatch in a trigger or RLS policy: " + refusal.Where
		}
	case "53300":
		status, code, message = http.StatusTooManyRequests, CodeSlowDown, "Too many connections issued to the database"
	default:
		// As in the data API, a policy's function may say why it refuses: errcode 'PT403'.
		if after, ok := strings.CutPrefix(refusal.Code, "PT4"); ok && len(after) == 2 {
			status, code, message = http.StatusForbidden, CodeAccessDenied, refusal.Message
		}
	}
	return apierr.New(status, code, "%s", message).WithCause(err)
}

// Upstream answers both with its own status 544, which proxies and clients do not retry.
var (
	errTimeout = apierr.New(http.StatusServiceUnavailable, CodeDatabaseTimeout, "The connection to the database timed out")
	errSlow    = apierr.New(http.StatusGatewayTimeout, CodeDatabaseTimeout, "The database took too long to answer")
)

// fromUnavailable translates pg's connection errors.
func fromUnavailable(err error) error {
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

// errUnavailable is the answer to blob.ErrUnavailable. Upstream answers 500.
var errUnavailable = apierr.New(http.StatusServiceUnavailable, CodeUnavailable, "The object storage cannot be reached. Please try again later.")

// FromBlobs translates an error of a blob store. Other errors are returned as they are.
func FromBlobs(err error) error {
	switch {
	case errors.Is(err, blob.ErrFull), errors.Is(err, freespace.ErrLow):
		return ErrFull.WithCause(err)
	case errors.Is(err, blob.ErrUnavailable):
		return errUnavailable.WithCause(err)
	case errors.Is(err, blob.ErrNotFound):
		return ErrNoSuchKey.WithCause(err)
	}
	return err
}
