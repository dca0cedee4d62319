package sql_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
)

// everything returns all that a server applies at its start.
func everything() []migrate.Source {
	return []migrate.Source{migrate.Platform(sql.FS), migrate.Project(sql.FS)}
}

func TestSecondRunDoesNothing(t *testing.T) {
	t.Parallel()
	report, err := migrate.Up(t.Context(), testkit.URL(t), everything(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(migrate.Report{}, report); diff != "" {
		t.Errorf("a second run (-want +got):\n%s", diff)
	}
}

// Repeatable files run again on a database in use whenever one changes.
func TestRepeatableFilesCanBeRepeated(t *testing.T) {
	t.Parallel()
	url := testkit.URL(t)
	db := testkit.Open(t, url)
	testkit.User(t, db, "ana@example.com")
	var recorded int
	const forget = `with gone as (delete from plaza.repeatables returning 1) select count(*) from gone`
	if err := db.QueryRow(t.Context(), forget).Scan(&recorded); err != nil {
		t.Fatal(err)
	}
	report, err := migrate.Up(t.Context(), url, everything(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if recorded == 0 || len(report.Applied) != recorded {
		t.Errorf("%d files were recorded, %d ran again", recorded, len(report.Applied))
	}
}
