package rest_test

import (
	"testing"

	"plaza/tests/testkit/restkit"
)

const settingsFixture = `
	create table plain (id int primary key, name text);
	create table keyless (name text);
	create view joined as select plain.id from plain join keyless using (name);
	create view shown as select * from plain;
	alter table plain enable row level security; alter table keyless enable row level security;
	create function looks() returns text language sql stable as $$ select current_setting('transaction_isolation') $$;
	create function writes() returns void language sql as 'select';
	create function careful() returns text language sql stable set default_transaction_isolation = 'serializable' as
		$$ select current_setting('transaction_isolation') $$;
	create function hurried() returns text language sql stable set statement_timeout = '7s' set work_mem = '9MB' as
		$$ select current_setting('statement_timeout') $$;
	create function slow() returns void language plpgsql set statement_timeout = '20ms' as $$ begin perform pg_sleep(30); end $$;
	create function path() returns text language sql stable as $$ select current_setting('request.path') $$;
	create function headers() returns int language plpgsql as $$ begin
		perform set_config('response.headers', '[{"content-range":"mine"},{"Set-Cookie":"a=1"},{"Set-Cookie":"b=2"},{"Content-Type":"text/mine"}]', true);
		return 1; end $$;
	do $$ begin
		lock table pg_catalog.pg_authid in share row exclusive mode; -- roles are the whole server's, advisory locks a database's
		if not exists (select from pg_roles where rolname = 'repeater') then create role repeater; end if;
		alter role repeater set default_transaction_isolation = 'repeatable read';
	end $$;
	grant repeater to authenticator;
	grant usage on schema public to repeater;`

func TestSettingsOfATransaction(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, settingsFixture, nil)
	repeater := api.TokenOf(t, map[string]any{"role": "repeater"})
	for _, c := range []restkit.Case{
		{Name: "the usual isolation", Path: "/rpc/looks", Status: 200, Text: `"read committed"`},
		{Name: "a role's isolation", Path: "/rpc/looks", As: repeater, Status: 200, Text: `"repeatable read"`},
		{Name: "a function's isolation", Path: "/rpc/careful", Status: 200, Text: `"serializable"`},
		{Name: "a function's isolation takes precedence over the role's", Path: "/rpc/careful", As: repeater, Status: 200, Text: `"serializable"`},
		{Name: "a failure under another isolation", Path: "/plain?id=eq.x", As: repeater, Status: 400},
		{Name: "and the next request", Path: "/rpc/looks", As: repeater, Status: 200, Text: `"repeatable read"`},
		{Name: "a function's own time-out", Method: "POST", Path: "/rpc/slow", Status: 504,
			Want: `{"code":"57014","message":"canceling statement due to statement timeout","details":null,"hint":null}`},
		{Name: "the path, without the API's own", Path: "/rpc/path", Status: 200, Text: `"/rpc/path"`},
		{Name: "headers in place of ours", Method: "POST", Path: "/rpc/headers", Status: 200, Text: "1",
			WantHeader: map[string]string{"Content-Range": "mine", "Content-Type": "text/mine", "Set-Cookie": "a=1"}},
	} {
		t.Run(c.Name, func(t *testing.T) { api.Run(t, c) })
	}
}

func TestOptionsListTheAllowedMethods(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, settingsFixture, nil)
	for path, want := range map[string]string{
		"/plain":      "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE",
		"/shown":      "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE",
		"/keyless":    "OPTIONS,GET,HEAD,POST,PATCH,DELETE",
		"/joined":     "OPTIONS,GET,HEAD",
		"/rpc/looks":  "OPTIONS,GET,HEAD,POST",
		"/rpc/writes": "OPTIONS,POST",
	} {
		api.Run(t, restkit.Case{Method: "OPTIONS", Path: path, Status: 200, WantHeader: map[string]string{"Allow": want}})
	}
	api.Run(t, restkit.Case{Method: "OPTIONS", Path: "/nothing", Status: 404})
	api.Run(t, restkit.Case{Method: "OPTIONS", Path: "/rpc/nothing", Status: 404})
}
