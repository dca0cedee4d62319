package query

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzShape replaces a shape's markers by its values and checks that the result is the
// original query.
func FuzzShape(f *testing.F) {
	for _, raw := range []string{
		"id=eq.5", "id=not.eq.5&name=gt.a%20b&select=id,name", "a=is.null&b=not.is.true", "id=eq.", "id=eq%2E5", "limit=5&offset=x&order=id.desc",
		"films.year=gte.1980&select=name,films(*)&films.order=year", "id=in.(1,2)", "or=(a.eq.1,b.eq.2)", "id=eq(any).{1,2}", "data->>a=eq.%00", "apikey=eq.x&id=lt.3",
		"&&id=lte.1&", "=eq.1", "id", "id=eq.%001%00&id=neq.%000%00", "select=a,b&id=eq.a.b.c", "\"a.b\"=eq.1", "id=not.not.eq.1", "id=+eq.1", "limit=eq.1",
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if strings.Contains(raw, "%00") || strings.Contains(raw, "\x00") {
			return // would be taken for markers below; the server compares whole arguments
		}
		shape, values, ok := Shape(raw)
		if !ok {
			return
		}
		want, wantErr := Parse(raw, Options{})
		got, err := Parse(shape, Options{})
		if wantErr != nil || err != nil {
			if wantErr == nil || err == nil {
				t.Fatalf("%q: error %v, of its shape %q %v", raw, wantErr, shape, err)
			}
			return
		}
		for i, value := range values {
			found := false
			for j := range got.Filters {
				if filter, ok := got.Filters[j].Condition.(Filter); ok && filter.Value == Marker(i) {
					filter.Value, found = value, true
					got.Filters[j].Condition = filter
				}
			}
			if !found {
				t.Fatalf("%q: value %d is lost in %q", raw, i, shape)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: with the shape %q (-want +got):\n%s", raw, shape, diff)
		}
	})
}

func TestShape(t *testing.T) {
	for _, test := range []struct {
		raw, shape string
		values     []string
	}{
		{"id=eq.5&name=not.gte.a%20b&select=id", "id=eq.%000%00&name=not.gte.%001%00&select=id", []string{"5", "a b"}},
		{"a=is.null&limit=3&order=a.desc", "a=is.null&limit=3&order=a.desc", nil},
		{"apikey=eq.a&id=neq.1", "apikey=eq.%000%00&id=neq.%001%00", []string{"a", "1"}},
	} {
		shape, values, ok := Shape(test.raw)
		if !ok || shape != test.shape || !cmp.Equal(values, test.values) {
			t.Errorf("%s: %s %q %t", test.raw, shape, values, ok)
		}
	}
	for _, raw := range []string{"id=in.(1)", "or=(a.eq.1)", "not.and=(a.eq.1)", "name=like.a*", "id=eq(any).{1}", "id=5", "id=eq."} {
		if shape, _, ok := Shape(raw); ok {
			t.Errorf("%s has the shape %s", raw, shape)
		}
	}
}
