package process

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/tests/testkit"
	"plaza/tests/testkit/freeport"
)

// startMarketplace starts the built-in project on a database.
func startMarketplace(t *testing.T, dir, database string) *server {
	t.Helper()
	port := freeport.Pick()
	s := run(t, port, []string{"serve"}, []string{"PLAZA_PORT=" + port, "PLAZA_DATA_DIR=" + dir, "DATABASE_URL=" + database, "GOTRUE_MAILER_AUTOCONFIRM=true"})
	s.dir = dir
	if !s.waitReady(t) {
		t.Fatalf("the server ended\n%s", s.output)
	}
	s.readKeys(t)
	return s
}

// importer is an admin who imports businesses through the API.
type importer struct {
	*server
	token string
}

func (i importer) rpc(t *testing.T, name string, params map[string]any) string {
	t.Helper()
	body, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	status, answer := i.callAs(t, http.MethodPost, "/rest/v1/rpc/"+name, i.keys.Anon, i.token, string(body))
	if status >= http.StatusMultipleChoices {
		t.Fatalf("%s: %d %s", name, status, answer)
	}
	return answer
}

// newImporter signs an admin up.
func newImporter(t *testing.T, s *server, db *pgxpool.Pool) importer {
	t.Helper()
	answer := s.mustCall(t, http.StatusOK, http.MethodPost, "/auth/v1/signup", s.keys.Anon, `{"email":"import@example.com","password":"Long-enough-1"}`)
	if _, err := db.Exec(t.Context(), `update private.profiles set role = 'admin' where id = $1`, field(t, answer, "user", "id")); err != nil {
		t.Fatal(err)
	}
	return importer{s, field(t, answer, "access_token")}
}

// stage prepares an import of as many businesses of Barcelona as one batch has, and of some of Madrid, which come after
// them.
func (i importer) stage(t *testing.T, first, second int) (id string) {
	t.Helper()
	if err := json.Unmarshal([]byte(i.rpc(t, "admin_begin_import", map[string]any{"p_file_name": "shops.csv"})), &id); err != nil {
		t.Fatal(err)
	}
	var rows [][]any
	send := func() {
		i.rpc(t, "admin_stage_import", map[string]any{"p_import": id, "p_columns": []string{"name", "type", "location"}, "p_rows": rows})
		rows = nil
	}
	for n := range first + second {
		city := "Barcelona"
		if n >= first {
			city = "Madrid"
		}
		rows = append(rows, []any{n + 2, "Bar number " + strconv.Itoa(n), "Bar", city})
		if len(rows) == 1000 {
			send()
		}
	}
	send()
	i.rpc(t, "admin_check_import", map[string]any{"p_import": id})
	return id
}

// Issue 19: an import is complete or absent. A server that is killed during an import leaves none of its rows, and the next
// one imports all of them, once.
func TestKilledImportIsRepeated(t *testing.T) {
	t.Parallel()
	const batch, more = 2500, 10
	database := ownCluster(t).URL()
	dir := filepath.Join(folder(t), "data")
	s := startMarketplace(t, dir, database)
	db := testkit.Open(t, database)
	read := func(query string) (answer string) {
		t.Helper()
		if err := db.QueryRow(t.Context(), query).Scan(&answer); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return answer
	}
	const (
		state    = `select concat_ws(' ', state, 'attempts', attempts, 'imported', imported, error) from private.business_imports`
		imported = `select count(*)::text from public.businesses where source = 'CSV-upload'`
		progress = `select (last_value % 1000000)::text from private.import_progress`
		waiting  = `select count(*)::text from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.query like '%run_next_import%'`
	)
	admin := newImporter(t, s, db)
	id := admin.stage(t, batch, more)

	// The second batch waits for a row that counts the businesses of its city.
	blocker, err := db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lockCount(t, db, blocker)
	admin.rpc(t, "admin_run_import", map[string]any{"p_import": id, "p_skip_duplicates": false})
	for read(progress) != strconv.Itoa(batch) || read(waiting) == "0" {
		if t.Context().Err() != nil {
			t.Fatal("the import did not come to its second batch")
		}
	}
	if err := s.stop(t, syscall.SIGKILL); err == nil {
		t.Fatal("a killed process has no error")
	}
	if got := read(state) + ", " + read(imported); got != "queued attempts 0 imported 0, 0" {
		t.Errorf("after the kill: %s", got)
	}
	if err := blocker.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}

	startMarketplace(t, dir, database)
	for read(state) == "queued attempts 0 imported 0" {
		if t.Context().Err() != nil {
			t.Fatal("the import was not repeated")
		}
	}
	all := strconv.Itoa(batch + more)
	if got, want := read(state)+", "+read(imported), "done attempts 0 imported "+all+", "+all; got != want {
		t.Errorf("after the restart: %s, want %s", got, want)
	}
	if got := read(`select count(*)::text from public.audit_logs where new_data ->> 'file' = 'shops.csv'`); got != "1" {
		t.Errorf("the audit log has %s entries", got)
	}
}

// lockCount locks the row that counts the businesses of the last staged row's city and category.
func lockCount(t *testing.T, db *pgxpool.Pool, blocker pgx.Tx) {
	t.Helper()
	const last = `(select business ->> 'city_slug' as city, business ->> 'category_code' as category from private.import_rows order by line desc limit 1) as last`
	if _, err := db.Exec(t.Context(), `insert into public.directory_counts (city_slug, category_code, businesses)
		select city, category, 0 from `+last+` on conflict do nothing`); err != nil {
		t.Fatal(err)
	}
	tag, err := blocker.Exec(t.Context(), `select from public.directory_counts c, `+last+`
		where (c.city_slug, c.category_code) = (last.city, last.category) for update of c`)
	if err != nil || tag.RowsAffected() != 1 {
		t.Fatalf("%v rows, %v", tag.RowsAffected(), err)
	}
}
