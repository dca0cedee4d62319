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

// precondition evaluates the request's conditions. It returns 304, 412, or 0 if the
// request proceeds.
// Source: RFC 9110, section 13.2.2, defines their order.
func precondition(header http.Header, o core.Object) int {
	if match := header.Get("If-Match"); match != "" {
		if !matches(match, o.ETag, false) {
			return http.StatusPreconditionFailed
		}
	} else if since, ok := parseTime(header.Get("If-Unmodified-Since")); ok && o.Modified.Truncate(time.Second).After(since) {
		return http.StatusPreconditionFailed
	}
	if none := strings.Join(header.Values("If-None-Match"), ","); none != "" {
		if matches(none, o.ETag, true) {
			return http.StatusNotModified
		}
	} else if since, ok := parseTime(header.Get("If-Modified-Since")); ok && !o.Modified.IsZero() && !o.Modified.Truncate(time.Second).After(since) {
		return http.StatusNotModified
	}
	return 0
}

func parseTime(text string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, false
	}
	parsed, err := http.ParseTime(text)
	return parsed, err == nil
}

// matches reports whether a list of entity tags is "*" or contains the object's tag.
// Weak tags match only if weak is set.
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

// part is a range of an object's bytes.
type part struct{ from, length int64 }

// rangeOf returns the range of the Range header. It ignores the header if If-Range does
// not match the object.
//
// Errors: InvalidRange, also for several ranges, as in upstream.
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
	case first == "": // the last to bytes
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

// parseByte parses an unsigned number.
func parseByte(text string) (int64, error) {
	number, err := strconv.ParseUint(text, 10, 63)
	return int64(number), err // 63 bits fit
}

func sameBytes(condition string, o core.Object) bool {
	if condition == "" {
		return true
	}
	if since, ok := parseTime(condition); ok {
		return o.Modified.Truncate(time.Second).Equal(since)
	}
	return condition == o.ETag
}
