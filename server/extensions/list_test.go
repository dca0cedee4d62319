package extensions_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/server/extensions"
)

func TestList(t *testing.T) {
	t.Parallel()
	d := open(t, withCron+"create extension citext; create extension pg_freespacemap;")
	conn, err := pgx.Connect(t.Context(), d.url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	list, err := extensions.List(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := extensions.Print(&text, list); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"citext":  "created 1.",
		"hstore":  "available 1.",
		"pg_cron": "stand-in plaza runs its jobs while it serves, 8 at once; Debian's package is postgresql-<version>-cron",
		"vector":  "stand-in its types, functions and operators are there, reimplemented by Plaza; a search compares all rows, in about 2 s for 10,000 of 384 dimensions; Debian's package",
		"pgmq":    "stand-in its functions are there, reimplemented by Plaza; no partitioned queues",
		"hypopg":  "left out Debian's package is postgresql-<version>-hypopg",
		"postgis": "missing Debian's package is postgresql-<version>-postgis-3",
	} {
		found := false
		for line := range strings.Lines(text.String()) {
			fields := strings.Fields(line)
			if len(fields) > 1 && fields[0] == name {
				found = strings.HasPrefix(strings.Join(fields[1:], " "), want)
			}
		}
		if !found {
			t.Errorf("no line %q for %s in:\n%s", want, name, &text)
		}
	}
}
