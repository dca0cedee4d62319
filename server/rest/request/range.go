package request

import (
	"math"
	"net/http"
	"regexp"
	"strconv"

	"plaza/server/apierr"
	"plaza/server/rest/query"
)

// rowRange is a range of rows; what looks otherwise asks for all of them.
// Source: PostgREST's RangeQuery.
var rowRange = regexp.MustCompile(`^([0-9]+)-([0-9]*)$`)

// AddRange reads the header form of limit and offset: Range: 0-24.
func AddRange(q *query.Query, header http.Header) error {
	text := header.Get("Range")
	if text == "" {
		return nil
	}
	bounds := rowRange.FindStringSubmatch(text)
	if bounds == nil {
		return nil
	}
	offset, err := strconv.ParseInt(bounds[1], 10, 64)
	if err != nil {
		return nil // more than PostgreSQL can count
	}
	cut := query.PathRange{Offset: &offset}
	if last, err := strconv.ParseInt(bounds[2], 10, 64); err == nil {
		if last < offset {
			return apierr.New(http.StatusRequestedRangeNotSatisfiable, "PGRST103", "Requested range not satisfiable").
				WithDetail("The lower boundary must be lower than or equal to the upper boundary in the Range header.")
		}
		if limit := last - offset + 1; limit > 0 { // else also more than that
			cut.Limit = &limit
		}
	}
	return intersect(q, cut)
}

// intersect leaves, of the rows that limit and offset name, those of a range.
//
// Errors: 416 PGRST103 where there are none.
func intersect(q *query.Query, cut query.PathRange) error {
	lower, limit := int64(0), int64(-1)
	for _, given := range q.Ranges {
		switch {
		case len(given.Path) > 0:
		case given.Limit != nil:
			limit = *given.Limit
			if limit <= 0 {
				return nil // none, or an error that is found later
			}
		case given.Offset != nil:
			lower = max(0, *given.Offset)
		}
	}
	from := max(lower, *cut.Offset)
	end := int64(math.MaxInt64) // one past the last row
	if limit > 0 {
		end = lower + min(limit, end-lower)
	}
	if cut.Limit != nil {
		end = min(end, *cut.Offset+min(*cut.Limit, math.MaxInt64-*cut.Offset))
	}
	if end <= from {
		return apierr.New(http.StatusRequestedRangeNotSatisfiable, "PGRST103", "Requested range not satisfiable").
			WithDetail("Limit should be greater than or equal to zero.")
	}
	cut.Offset = &from
	if rows := end - from; end < math.MaxInt64 {
		cut.Limit = &rows
	}
	q.Ranges = append(q.Ranges, cut)
	return nil
}
