package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"plaza/tests/testkit/restkit"
)

const clientFixture = `
	create table public.notes (id int primary key, body text);
	insert into public.notes values (1, 'one');
	grant all on public.notes to authenticated;
	create function public.add_note(id int) returns void language sql as 'insert into public.notes values (add_note.id)';
	create function public.add_as_owner(id int) returns void language sql security definer as 'insert into public.notes values (add_as_owner.id)';
	create function public.count_notes() returns bigint language sql volatile as 'select count(*) from public.notes';
	create function public.free_oneself() returns void language plpgsql as $$ begin
		perform set_config('transaction_read_only', 'off', true); insert into public.notes values (9); end $$;
	create function public.my_scopes() returns text[] language sql stable as 'select auth.scopes()'`

// An OAuth client's token can read what its user can read. Writing requires a scope,
// whatever the user's privileges are.
func TestOAuthClientsWriteOnlyWithTheScopeForIt(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, clientFixture, nil)
	token := func(client, session, scope string) string {
		set := map[string]any{"role": "authenticated", "sub": "0a000000-0000-4000-8000-000000000001"}
		for name, value := range map[string]string{"client_id": client, "session_id": session, "scope": scope} {
			if value != "" {
				set[name] = value
			}
		}
		return api.TokenOf(t, set)
	}
	const client, session = "0c000000-0000-4000-8000-000000000001", "0d000000-0000-4000-8000-000000000001"
	send := func(bearer, method, path, body string) (int, string) {
		t.Helper()
		response, text := api.Do(t, restkit.Case{Method: method, Path: path, Body: body, As: bearer})
		return response.StatusCode, text
	}
	reader := token(client, session, "openid email")
	reads := [][3]string{{"GET", "/notes", ""}, {"POST", "/rpc/count_notes", "{}"}, {"GET", "/rpc/my_scopes", ""}}
	writes := [][3]string{
		{"POST", "/notes", `{"id":2}`}, {"PATCH", "/notes?id=eq.1", `{"body":"x"}`}, {"DELETE", "/notes?id=eq.1", ""}, {"PUT", "/notes?id=eq.1", `{"id":1,"body":"y"}`},
		{"POST", "/rpc/add_note", `{"id":3}`}, {"POST", "/rpc/add_as_owner", `{"id":4}`}, {"POST", "/rpc/free_oneself", `{}`},
	}
	for _, r := range reads {
		if status, text := send(reader, r[0], r[1], r[2]); status != http.StatusOK {
			t.Errorf("%s %s: %d %s", r[0], r[1], status, text)
		}
	}
	for _, w := range writes {
		status, text := send(reader, w[0], w[1], w[2])
		if w[1] != "/rpc/free_oneself" && (status != http.StatusForbidden || !strings.Contains(text, `"code":"insufficient_scope"`)) || status < 400 {
			t.Errorf("%s %s: %d %s", w[0], w[1], status, text)
		}
	}
	if _, text := send(reader, "GET", "/notes?select=id,body", ""); text != `[{"id":1,"body":"one"}]` {
		t.Errorf("afterwards: %s", text)
	}
	if _, text := send(reader, "GET", "/rpc/my_scopes", ""); text != `["openid","email"]` {
		t.Errorf("scopes: %s", text)
	}
	for name, writer := range map[string]string{
		"with the scope": token(client, session, "email write"), "a session of the user's own": token("", session, ""), "somebody else's kind of token": token(client, "", ""),
	} {
		if status, text := send(writer, "PATCH", "/notes?id=eq.1", `{"body":"z"}`); status != http.StatusNoContent {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
}
