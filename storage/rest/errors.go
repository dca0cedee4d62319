package rest

import (
	"errors"
	"net/http"
	"strconv"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/storage/storageerr"
)

var (
	errInternal = apierr.New(http.StatusInternalServerError, storageerr.CodeInternal, "Internal Server Error")

	errNoToken   = invalid("headers must have required property 'authorization'")
	errWrongRole = apierr.New(http.StatusForbidden, storageerr.CodeAccessDenied, "Access denied: Invalid role").WithCause(errPlainStatus)
	errRange     = apierr.New(http.StatusRequestedRangeNotSatisfiable, "InvalidRange", "invalid range provided")
	errMediaType = apierr.New(http.StatusUnsupportedMediaType, storageerr.CodeInvalidMimeType, "Invalid Content-Type header")
)

// errPlainStatus is the cause of errors whose status is also the HTTP status of the
// response.
var errPlainStatus = errors.New("the true status")

// invalid returns the error for a request that violates the API's schema.
// Source: supabase/storage responds with the message of its schema validator.
func invalid(message string) *apierr.Error {
	return apierr.New(http.StatusBadRequest, storageerr.CodeInvalidRequest, "%s", message).WithHint("Error")
}

// notFound returns the error for an unknown path.
func notFound(r *http.Request) error {
	return apierr.New(http.StatusNotFound, storageerr.CodeInvalidRequest, "Route %s:%s not found", r.Method, r.URL.RequestURI()).
		WithHint("Not Found").WithCause(errPlainStatus)
}

// Adapter renders errors in the API's format.
var Adapter = httpx.Adapter{Render: renderError, Internal: errInternal}

// names maps error codes to the names that older clients use.
// Source: supabase/storage's table of errors.
var names = map[string]string{
	storageerr.CodeNoSuchBucket: "Bucket not found", storageerr.CodeNoSuchKey: "not_found", storageerr.CodeAccessDenied: "Unauthorized",
	storageerr.CodeKeyExists: "Duplicate", storageerr.CodeBucketExists: "Duplicate", storageerr.CodeResourceExists: "Duplicate",
	storageerr.CodeInvalidMimeType: "invalid_mime_type", storageerr.CodeTooLarge: "Payload too large", storageerr.CodeInvalidBucketName: "Invalid Input",
	storageerr.CodeSlowDown: "too_many_connections", "InvalidRange": "invalid_range", "client_closed_request": "Request aborted",
}

// renderError writes an error in upstream's format: the error's status is a string in
// the body, and the HTTP status is 400 for most client errors.
func renderError(w http.ResponseWriter, r *http.Request, e *apierr.Error) {
	name, ok := names[e.Code]
	if e.Hint != "" {
		name = e.Hint
	} else if !ok {
		name = e.Code
	}
	status := http.StatusBadRequest
	switch e.Status {
	case http.StatusInternalServerError, http.StatusRequestedRangeNotSatisfiable, http.StatusTooManyRequests, 499:
		status = e.Status
	case http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if e.Code == storageerr.CodeDatabaseTimeout || e.Code == storageerr.CodeUnavailable { // the request can be retried unchanged
			status = e.Status
		}
	}
	if errors.Is(e.Err, errPlainStatus) || e.Code == storageerr.CodeFull {
		status = e.Status
	}
	if e.Status == http.StatusNotFound || e.Status == http.StatusForbidden {
		w.Header().Set("Cache-Control", "no-store")
	}
	if r.Method == http.MethodHead {
		w.WriteHeader(status)
		return
	}
	_ = httpx.WriteJSON(w, status, map[string]string{
		"statusCode": strconv.Itoa(e.Status), "error": name, "message": e.Message, "code": e.Code,
	}) // strings can always be encoded
}
