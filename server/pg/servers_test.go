package pg

import (
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestLastPrimaryIsTriedFirst(t *testing.T) {
	t.Parallel()
	config, err := pgconn.ParseConfig("postgres://a,b,c:5433/db?sslmode=prefer")
	if err != nil {
		t.Fatal(err)
	}
	if got := len(serversOf(config)); got != 3 {
		t.Errorf("%d servers", got)
	}
	f := &failover{}
	for _, test := range []struct {
		last string
		want []string
	}{
		{"", []string{"a", "a", "b", "b", "c", "c"}},
		{"b:5432", []string{"b", "b", "a", "a", "c", "c"}},
		{"c:5433", []string{"c", "c", "a", "a", "b", "b"}},
		{"d:5432", []string{"a", "a", "b", "b", "c", "c"}},
	} {
		if f.address.Store(nil); test.last != "" {
			f.address.Store(&test.last)
		}
		ordered := config.Copy()
		f.prefer(ordered)
		var got []string
		for i, way := range waysOf(ordered) {
			got = append(got, way.Host)
			if secure := i%2 == 0; secure != (way.TLSConfig != nil) {
				t.Errorf("after %q: the way %d has TLS: %t", test.last, i, !secure)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("after %q: %v, want %v", test.last, got, test.want)
		}
	}
}
