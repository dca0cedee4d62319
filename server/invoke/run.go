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

// errTooMuch cuts an answer that is longer than it may be.
var errTooMuch = errors.New("the function's answer is longer than it may be")

func timedOut(limit time.Duration) *apierr.Error {
	return Relay(http.StatusGatewayTimeout, codeTimeout, "The function did not answer within %s", limit)
}

// run lets a function answer within its limits. Where it does not keep to them
// its context ends, its answer is cut and run returns, whether or not the
// function has noticed; leave is called when it is over for real.
//
// Errors: what the function returned; 504 function_timeout; a panic. An answer
// that had begun ends with a broken connection, so that no client takes it for
// whole.
func run(w http.ResponseWriter, r *http.Request, f Function, leave func()) error {
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	a := newAnswer(w, f.Limits.Answer)
	done := make(chan error, 1)
	go func() {
		defer leave()
		done <- guarded(f, a, r.WithContext(ctx))
	}()
	begin, end := time.NewTimer(f.Limits.Begin), time.NewTimer(f.Limits.End)
	defer begin.Stop()
	defer end.Stop()
	var err error
	for begun := a.begins; ; {
		select {
		case err = <-done:
			return a.finish(err)
		case <-begun:
			begun = nil
			begin.Stop()
			continue
		case <-begin.C:
			err = timedOut(f.Limits.Begin)
		case <-end.C:
			err = timedOut(f.Limits.End)
		case <-a.flooded:
			err = errTooMuch
		case <-r.Context().Done():
			err = r.Context().Err()
		}
		a.closed.Store(true) // before the function hears of it, which may then write
		cancel(err)
		return a.cut(err)
	}
}

// guarded makes an error of a panic. One that breaks the connection off is kept
// as such.
func guarded(f Function, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		switch cause := recover(); {
		case cause == nil:
		case cause == http.ErrAbortHandler: // net/http compares it so, too
			err = errAborted
		default:
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return f.Serve(w, r)
}

// errAborted says that the function gave its own answer up.
var errAborted = errors.New("the function broke its answer off")
