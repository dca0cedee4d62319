package invoke

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"plaza/server/apierr"
)

// errResponseTooLarge aborts a response that exceeds its limit.
var errResponseTooLarge = errors.New("function response exceeds the size limit")

func timedOut(limit time.Duration) *apierr.Error {
	return NewRelayError(http.StatusGatewayTimeout, codeTimeout, "The function did not answer within %s", limit)
}

// run calls a function within its limits. If a limit is exceeded, run cancels the function's context,
// ends its response and returns without waiting for the function. leave is called when the
// function has returned.
//
// Errors: the function's error, or one for its panic; 504 function_timeout; errResponseTooLarge; the error
// of the request's context. If the response had begun, the error is a *abortedError and the connection must
// be aborted, so that the client notices the incomplete response.
func run(w http.ResponseWriter, r *http.Request, f Function, leave func()) error {
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	rw := newResponseWriter(w, f.Limits.MaxResponseBytes)
	done := make(chan error, 1)
	go func() {
		defer leave()
		done <- callFunction(f, rw, r.WithContext(ctx))
	}()
	begin, end := time.NewTimer(f.Limits.HeaderTimeout), time.NewTimer(f.Limits.TotalTimeout)
	defer begin.Stop()
	defer end.Stop()
	var err error
	for begun := rw.started; ; {
		select {
		case err = <-done:
			return rw.finish(err)
		case <-begun:
			begun = nil
			begin.Stop()
			continue
		case <-begin.C:
			err = timedOut(f.Limits.HeaderTimeout)
		case <-end.C:
			err = timedOut(f.Limits.TotalTimeout)
		case <-rw.exceeded:
			err = errResponseTooLarge
		case <-r.Context().Done():
			err = r.Context().Err()
		}
		rw.closed.Store(true) // before the function is cancelled, because it may then write
		cancel(err)
		return rw.abort(err)
	}
}

// callFunction calls a function and converts a panic to an error. http.ErrAbortHandler becomes errAborted.
func callFunction(f Function, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		switch cause := recover(); {
		case cause == nil:
		case cause == http.ErrAbortHandler: // compared with == as in net/http
			err = errAborted
		default:
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return f.Serve(w, r)
}

// errAborted means that the function aborted its own response.
var errAborted = errors.New("function aborted its response")
