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

// errPlainStatus is the cause of an error whose true status is the answer's.
var errPlainStatus = errors.New("the true status")

// invalid is a request that the API's description does not allow.
// Source: supabase/storage answers what its schema validator says.
func invalid(message string) *apierr.Error {
	return apierr.New(http.StatusBadRequest, storageerr.CodeInvalidRequest, "%s", message).WithHint("Error")
}

// notFound is a path that is none of the API's.
func notFound(r *http.Request) error {
	return apierr.New(http.StatusNotFound, storageerr.CodeInvalidRequest, "Route %s:%s not found", r.Method, r.URL.RequestURI()).
		WithHint("Not Found").WithCause(errPlainStatus)
}

// Adapter answers errors in the API's shape.
var Adapter = httpx.Adapter{Render: renderError, Internal: errInternal}

// names are what clients that do not know codes tell errors by.
// Source: supabase/storage's table of errors.
var names = map[string]string{
	storageerr.CodeNoSuchBucket: "Bucket not found", storageerr.CodeNoSuchKey: "not_found", storageerr.CodeAccessDenied: "Unauthorized",
	storageerr.CodeKeyExists: "Duplicate", storageerr.CodeBucketExists: "Duplicate", storageerr.CodeResourceExists: "Duplicate",
	storageerr.CodeInvalidMimeType: "invalid_mime_type", storageerr.CodeTooLarge: "Payload too large", storageerr.CodeInvalidBucketName: "Invalid Input",
	storageerr.CodeSlowDown: "too_many_connections", "InvalidRange": "invalid_range", "client_closed_request": "Request aborted",
}

// renderError writes an error in upstream's shape: the true status is a text in
// it, and the answer's is 400 for almost all that the client did wrong.
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
		if e.Code == storageerr.CodeDatabaseTimeout { // the request may be made again as it is
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
	}) // four texts always encode
}
