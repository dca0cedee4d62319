package rest

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"plaza/server/apierr"
	"plaza/storage/core"
)

var errPrecondition = apierr.New(http.StatusPreconditionFailed, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold").
	WithCause(errPlainStatus)

// precondition tells what the request's conditions come to: 304, 412, or 0 to go
// on.
// Source: RFC 9110, section 13.2.2, gives their order.
func precondition(header http.Header, o core.Object) int {
	if match := header.Get("If-Match"); match != "" {
		if !matches(match, o.ETag, false) {
			return http.StatusPreconditionFailed
		}
	} else if since, ok := moment(header.Get("If-Unmodified-Since")); ok && o.Modified.Truncate(time.Second).After(since) {
		return http.StatusPreconditionFailed
	}
	if none := strings.Join(header.Values("If-None-Match"), ","); none != "" {
		if matches(none, o.ETag, true) {
			return http.StatusNotModified
		}
	} else if since, ok := moment(header.Get("If-Modified-Since")); ok && !o.Modified.IsZero() && !o.Modified.Truncate(time.Second).After(since) {
		return http.StatusNotModified
	}
	return 0
}

func moment(text string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, false
	}
	made, err := http.ParseTime(text)
	return made, err == nil
}

// matches reports whether a list of tags has an object's, or is "*". A weak tag
// counts only where weak ones do.
func matches(list, etag string, weak bool) bool {
	for tag := range strings.SplitSeq(list, ",") {
		tag = strings.TrimSpace(tag)
		if weak {
			tag = strings.TrimPrefix(tag, "W/")
		}
		if tag == "*" || tag != "" && tag == etag {
			return true
		}
	}
	return false
}

// part is a part of an object's bytes.
type part struct{ from, length int64 }

// rangeOf reads the Range header, unless If-Range says that the client has a part
// of other bytes.
//
// Errors: InvalidRange, also for several ranges, as upstream has it.
func rangeOf(r *http.Request, o core.Object, size int64) (part, error) {
	whole := part{0, size}
	text := r.Header.Get("Range")
	if text == "" || r.Method == http.MethodHead || !sameBytes(r.Header.Get("If-Range"), o) {
		return whole, nil
	}
	first, last, ok := strings.Cut(strings.TrimPrefix(text, "bytes="), "-")
	if !strings.HasPrefix(text, "bytes=") || !ok || first == "" && last == "" {
		return whole, errRange
	}
	from, fromErr := parseByte(first)
	to, toErr := parseByte(last)
	switch {
	case first == "": // the last so many
		if toErr != nil || to == 0 || size == 0 {
			return whole, errRange
		}
		from, to = max(size-to, 0), size-1
	case last == "":
		to, toErr = size-1, nil
	}
	if first != "" && fromErr != nil || toErr != nil || from > to || from >= size {
		return whole, errRange
	}
	to = min(to, size-1)
	return part{from, to - from + 1}, nil
}

// parseByte reads digits only: no sign.
func parseByte(text string) (int64, error) {
	number, err := strconv.ParseUint(text, 10, 63)
	return int64(number), err // 63 bits fit
}

func sameBytes(condition string, o core.Object) bool {
	if condition == "" {
		return true
	}
	if since, ok := moment(condition); ok {
		return o.Modified.Truncate(time.Second).Equal(since)
	}
	return condition == o.ETag
}
