package process

import (
	"net/http"
	"testing"

	"plaza/tests/testkit/freeport"
)

// TestInvalidSettingsOfTheDatabaseChangeNothing: the schemas in use also remain the search path.
func TestInvalidSettingsOfTheDatabaseChangeNothing(t *testing.T) {
	t.Parallel()
	url, db := database(t)
	admin := freeport.Pick()
	s := start(t, project(t), "DATABASE_URL="+url, "PGRST_ADMIN_SERVER_PORT="+admin)
	(&server{url: "http://127.0.0.1:" + admin, ended: s.ended, output: s.output}).waitFor(t, "/ready", http.StatusOK)
	change := func(sql string) {
		t.Helper()
		if _, err := db.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	answers := func(function string) bool {
		status, _ := s.call(t, http.MethodGet, "/rest/v1/rpc/"+function, s.keys.Service, "")
		return status == http.StatusOK
	}
	change(`create schema api; grant usage on schema api to service_role;
		create table api.things (); grant select on api.things to service_role;
		create function api.things_there() returns bigint language plpgsql stable as $$ begin return (select count(*) from things); end $$;
		alter role authenticator set pgrst.db_schemas = 'api'; notify pgrst, 'reload config'`)
	for !answers("things_there") {
	}
	change(`alter role authenticator set pgrst.db_tx_end = 'nonsense';
		create function api.later() returns int language sql stable as 'select 1'; notify pgrst, 'reload schema'`)
	for !answers("later") {
	}
	if status, body := s.call(t, http.MethodGet, "/rest/v1/rpc/things_there", s.keys.Service, ""); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
}
