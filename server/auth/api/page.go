package api

import (
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"plaza/server/auth/autherr"
)

// page is the requested page of a list. Numbers start at 1.
type page struct{ number, size int64 }

// Sizes of a page. The default is upstream's. A larger size than the maximum is reduced to
// it, which upstream does not do.
const (
	defaultPageSize = 50
	maxPageSize     = 1000
)

func readPage(query url.Values) (page, error) {
	requested := page{1, defaultPageSize}
	for name, into := range map[string]*int64{"page": &requested.number, "per_page": &requested.size} {
		text := query.Get(name)
		if text == "" {
			continue
		}
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil || number < 0 {
			return page{}, autherr.BadRequest(autherr.CodeValidation, "Bad Pagination Parameters: %q is no number", text)
		}
		*into = number
	}
	requested.number, requested.size = max(requested.number, 1), min(max(requested.size, 1), maxPageSize)
	requested.number = min(requested.number, math.MaxInt64/requested.size)
	return requested, nil
}

func (p page) offset() int64 { return (p.number - 1) * p.size }

// setHeaders sets the Link and X-Total-Count headers. Source: supabase/auth.
func (p page) setHeaders(header http.Header, address *url.URL, total int64) {
	last := (total + p.size - 1) / p.size
	at := func(number int64, relation string) string {
		query := address.Query()
		query.Set("page", strconv.FormatInt(number, 10))
		return "<" + address.Path + "?" + query.Encode() + `>; rel="` + relation + `"`
	}
	var links []string
	if last > p.number {
		links = append(links, at(p.number+1, "next"))
	}
	header.Set("Link", strings.Join(append(links, at(last, "last")), ", "))
	header.Set("X-Total-Count", strconv.FormatInt(total, 10))
}
