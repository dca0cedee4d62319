package request

import (
	"math"
	"net/http"
	"strconv"

	"plaza/server/apierr"
	"plaza/server/lazyregexp"
	"plaza/server/rest/query"
)

// rowRange matches a range of rows. Other values of the header are ignored.
// Source: PostgREST's RangeQuery.
var rowRange = lazyregexp.New(`^([0-9]+)-([0-9]*)$`)

// AddRange applies the Range header, such as "Range: 0-24", to limit and offset.
//
// Errors: 416 PGRST103.
func AddRange(q *query.Query, header http.Header) error {
	text := header.Get("Range")
	if text == "" {
		return nil
	}
	bounds := rowRange().FindStringSubmatch(text)
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
		if limit := last - offset + 1; limit > 0 { // not positive after an overflow
			cut.Limit = &limit
		}
	}
	return intersect(q, cut)
}

// intersect restricts the rows of limit and offset to the range cut.
//
// Errors: 416 PGRST103 if no rows remain.
func intersect(q *query.Query, cut query.PathRange) error {
	lower, limit := int64(0), int64(-1)
	for _, given := range q.Ranges {
		switch {
		case len(given.Path) > 0:
		case given.Limit != nil:
			limit = *given.Limit
			if limit <= 0 {
				return nil // no rows, or an error that is detected later
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
