package request

import (
	"net/http"
	"reflect"
	"testing"

	"plaza/server/apierr"
	"plaza/server/rest/query"
)

// FuzzPreferences checks that Preference-Applied lists the parsed preferences.
func FuzzPreferences(f *testing.F) {
	for _, text := range []string{
		"return=representation, count=exact", "resolution=merge-duplicates,missing=default", "handling=strict, max-affected=10, tx=rollback",
		"timezone=America/New_York, isolation=repeatable-read", "handling=strict, nonsense=1", "return=minimal,return=representation", ",,=,handling=lenient",
		"timezone=../etc/passwd", "max-affected=-1, handling=strict", "timezone=Local",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		understood, err := ReadPreferences(http.Header{"Prefer": {text}}, true)
		if err != nil {
			if apierr.As(err) == nil {
				t.Errorf("%q: an error no client may see: %v", text, err)
			}
			return
		}
		applied := understood.Applied(understood.Tx)
		again, err := ReadPreferences(http.Header{"Prefer": {applied}}, true)
		if err != nil || !reflect.DeepEqual(understood, again) {
			t.Errorf("%q is %+v; %q is %+v, %v", text, understood, applied, again, err)
		}
	})
}

// FuzzRange checks that a parsed range is valid for PostgreSQL.
func FuzzRange(f *testing.F) {
	for _, text := range []string{"0-9", "5-", "items=3-4", "9-3", "-5", "a-b", "0--1", " 1 - 2 ", "0-9223372036854775807", "1-9223372036854775808"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var q query.Query
		if err := AddRange(&q, http.Header{"Range": {text}}); err != nil {
			if answer := apierr.As(err); answer == nil || answer.Status != http.StatusRequestedRangeNotSatisfiable {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		for _, cut := range q.Ranges {
			if *cut.Offset < 0 || cut.Limit != nil && *cut.Limit < 1 {
				t.Errorf("%q: offset %d, limit %v", text, *cut.Offset, cut.Limit)
			}
		}
	})
}
