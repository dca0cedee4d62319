package rest

import (
	"errors"
	"net/http"
	"strconv"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/storage/core"
)

var (
	errInternal = apierr.New(http.StatusInternalServerError, core.CodeInternal, "Internal Server Error")

	errNoToken   = invalid("headers must have required property 'authorization'")
	errWrongRole = apierr.New(http.StatusForbidden, core.CodeAccessDenied, "Access denied: Invalid role").WithCause(errPlainStatus)
	errRange     = apierr.New(http.StatusRequestedRangeNotSatisfiable, "InvalidRange", "invalid range provided")
	errMediaType = apierr.New(http.StatusUnsupportedMediaType, core.CodeInvalidMimeType, "Invalid Content-Type header")
)

// errPlainStatus is the cause of an error whose true status is the answer's.
var errPlainStatus = errors.New("the true status")

// invalid is a request that the API's description does not allow.
// Source: supabase/storage answers what its schema validator says.
func invalid(message string) *apierr.Error {
	return apierr.New(http.StatusBadRequest, core.CodeInvalidRequest, "%s", message).WithHint("Error")
}

// notFound is a path that is none of the API's.
func notFound(r *http.Request) error {
	return apierr.New(http.StatusNotFound, core.CodeInvalidRequest, "Route %s:%s not found", r.Method, r.URL.RequestURI()).
		WithHint("Not Found").WithCause(errPlainStatus)
}

// Adapter answers errors in the API's shape.
var Adapter = httpx.Adapter{Render: renderError, Internal: errInternal}

// names are what clients that do not know codes tell errors by.
// Source: supabase/storage's table of errors.
var names = map[string]string{
	core.CodeNoSuchBucket: "Bucket not found", core.CodeNoSuchKey: "not_found", core.CodeAccessDenied: "Unauthorized",
	core.CodeKeyExists: "Duplicate", core.CodeBucketExists: "Duplicate", core.CodeResourceExists: "Duplicate",
	core.CodeInvalidMimeType: "invalid_mime_type", core.CodeTooLarge: "Payload too large", core.CodeInvalidBucketName: "Invalid Input",
	core.CodeSlowDown: "too_many_connections", "InvalidRange": "invalid_range", "client_closed_request": "Request aborted",
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
		if e.Code == core.CodeDatabaseTimeout { // the request may be made again as it is
			status = e.Status
		}
	}
	if errors.Is(e.Err, errPlainStatus) || e.Code == core.CodeFull {
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
