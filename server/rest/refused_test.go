package rest_test

import (
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

// TestNoPartOfARequestIsIgnored contains requests of which a part was once silently ignored. The
// order matters: the last cases check that rejected requests changed nothing.
func TestNoPartOfARequestIsIgnored(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture, nil)
	notEmbedded := `{"code":"PGRST108","message":"'directors' is not an embedded resource in this request","details":null,"hint":"Verify that 'directors' is included in the 'select' query parameter."}`
	strict := map[string]string{"Prefer": "handling=strict"}
	for _, c := range []restkit.Case{
		{Name: "delete by a filter on what is not embedded", Method: "DELETE", Path: "/films?directors.name=eq.Nobody", Status: 400, Want: notEmbedded},
		{Name: "the same with the rows", Method: "DELETE", Path: "/films?directors.name=eq.Nobody", Header: representation, Status: 400, Want: notEmbedded},
		{Name: "update by a filter on what is not embedded", Method: "PATCH", Path: "/films?directors.name=eq.Nobody", Body: `{"year":1}`, Status: 400, Want: notEmbedded},
		{Name: "insert with a filter on what is not embedded", Method: "POST", Path: "/actors?nope.name=eq.1", Body: `{"id":90,"name":"x"}`, Status: 400},
		{Name: "PUT with a filter on what is not embedded", Method: "PUT", Path: "/actors?id=eq.90&nope.name=eq.1", Body: `{"id":90,"name":"x"}`, Status: 400},
		{Name: "logic on what is not embedded", Method: "DELETE", Path: "/films?nope.or=(id.eq.1,id.eq.2)", Status: 400},
		{Name: "order of what is not embedded", Method: "DELETE", Path: "/films?nope.order=id", Status: 400},
		{Name: "an unknown embed", Method: "DELETE", Path: "/films?select=nope(id)", Status: 400},
		{Name: "an unknown selected column", Method: "DELETE", Path: "/films?id=eq.99&select=nope", Status: 400,
			Want: `{"code":"42703","message":"column films.nope does not exist","details":null,"hint":null}`},
		{Name: "one of an embed", Method: "PATCH", Path: "/films?id=eq.99&select=directors(nope)", Body: `{"year":1}`, Status: 400},
		{Name: "a computed column is there", Method: "PATCH", Path: "/films?id=eq.99&select=initials,directors(name)", Body: `{"year":1}`, Status: 204},
		{Name: "an order by an unknown column", Method: "PATCH", Path: "/films?id=eq.99&order=nope", Body: `{"year":1}`, Status: 400},
		{Name: "a negative limit", Method: "DELETE", Path: "/roles?limit=-1", Status: 416},
		{Name: "a limit that rows exceed", Method: "DELETE", Path: "/roles?limit=1", Status: 400,
			Want: `{"code":"PLZ008","message":"The request would change more rows than its limit","details":"The filters match 2 rows, and the limit is 1","hint":"A limit does not choose the rows of an update or delete: use filters."}`},
		{Name: "a limit of 0", Method: "PATCH", Path: "/roles?limit=0", Body: `{"part":"x"}`, Status: 400},
		{Name: "an offset", Method: "PATCH", Path: "/roles?offset=1", Body: `{"part":"x"}`, Status: 400},
		{Name: "a limit that the rows do not exceed", Method: "PATCH", Path: "/roles?film_id=eq.1&limit=1&offset=0&select=part", Header: representation, Body: `{"part":"Ana"}`, Status: 200, Want: `[{"part":"Ana"}]`},
		{Name: "the limit of an insert cuts the answer", Method: "POST", Path: "/actors?select=id&order=id&limit=1", Header: representation,
			Body: `[{"id":91,"name":"x"},{"id":92,"name":"y"}]`, Status: 201, Want: `[{"id":91}]`},
		{Name: "a limit that is no number", Path: "/films?limit=many", Status: 400,
			Want: `{"code":"PGRST100","message":"\"failed to parse limit (many)\"","details":"It has to be a whole number","hint":null}`},
		{Name: "an offset that is no number", Path: "/films?offset=", Status: 400},
		{Name: "select twice", Path: "/films?select=id&select=title", Status: 400,
			Want: `{"code":"PGRST100","message":"The parameter 'select' is given twice","details":"Its values are 'id' and 'title'","hint":null}`},
		{Name: "limits that differ", Path: "/films?limit=1&limit=2", Status: 400},
		{Name: "unknown columns= of a read", Path: "/films?columns=nope", Status: 400},
		{Name: "an unknown on_conflict of an update", Method: "PATCH", Path: "/films?id=eq.99&on_conflict=nope", Body: `{"year":1}`, Status: 400},
		{Name: "an unknown on_conflict without a resolution", Method: "POST", Path: "/actors?on_conflict=nope", Body: `{"id":93,"name":"x"}`, Status: 400},
		{Name: "a filter of an insert is reported as having no effect", Method: "POST", Path: "/actors?name=eq.x", Body: `{"id":94,"name":"y"}`, Status: 201,
			WantHeader: map[string]string{"Warning": `299 Plaza "Filters have no effect on an insert"`}},
		{Name: "a filter of an insert is refused with handling=strict", Method: "POST", Path: "/actors?name=eq.x", Header: strict, Body: `{"id":95,"name":"y"}`, Status: 400,
			Want: `{"code":"PLZ009","message":"Filters have no effect on an insert","details":null,"hint":"Remove them, or update rows in place of inserting them."}`},
		{Name: "a filter of an insert on an unknown column", Method: "POST", Path: "/actors?or=(id.eq.1,not.and(nope.eq.1,id.gt.2))", Body: `{"id":96,"name":"y"}`, Status: 400},
		{Name: "a filter on a plain value", Path: "/rpc/add?a=1&nope=eq.1", Status: 400},
		{Name: "an embed of a plain value", Path: "/rpc/add?a=1&select=nope(id)", Status: 400},
		{Name: "a column of a plain value", Path: "/rpc/add?a=1&select=nope", Status: 400},
		{Name: "a column of a set of plain values", Path: "/rpc/titles?select=nope", Status: 400},
		{Name: "a filter on nothing", Method: "POST", Path: "/rpc/nothing?nope.name=eq.1", Status: 400},
		{Name: "a plain value is cut", Path: "/rpc/add?a=1&limit=1", Status: 200, Want: `11`},
		{Name: "a plain value that a filter lets through", Path: "/rpc/add?a=1&pgrst_scalar=eq.11", Status: 200, Want: `11`},
		{Name: "two embeds of one key", Path: "/letters?select=people!letters_sender_fkey(name),people!letters_recipient_fkey(name)", Status: 400,
			Want: `{"code":"42712","message":"table name \"letters_people_1\" specified more than once","details":null,"hint":null}`},
		{Name: "all films are there", Path: "/films?select=id&year=not.eq.1&order=id", Status: 200, Want: `[{"id":1},{"id":2},{"id":3},{"id":4}]`},
		{Name: "all roles are there", Path: "/roles?select=part&order=part", Status: 200, Want: `[{"part":"Ana"},{"part":"Diana"}]`},
		{Name: "no refused actor is there", Path: "/actors?select=id&id=gte.90&order=id", Status: 200, Want: `[{"id":91},{"id":92},{"id":94}]`},
	} {
		if !t.Run(c.Name, func(t *testing.T) { api.Run(t, c) }) {
			return
		}
	}
}

// TestUncallableFunctionsAreRefused: a function with an unnamed argument cannot be called,
// unless a request's body can be that argument. Otherwise a computed column would return
// rows that policies hide.
func TestUncallableFunctionsAreRefused(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, fixture+`
		create table staff (id int primary key, name text, pay int);
		alter table staff enable row level security;
		insert into staff values (1, 'Ana', 10), (2, 'Ben', 20);
		create policy first on staff for select using (id = 1);
		create function salary(staff) returns int language sql stable security definer set search_path = '' as 'select pay from public.staff s where s.id = $1.id';
		create function mentors(staff) returns setof staff language sql stable as 'select * from public.staff';
		create function half(int, b int default 1) returns int language sql immutable as 'select $1 / 2';
		create function take_text(text) returns text language sql immutable as 'select $1';
		create function pick(b text, a int) returns int language sql immutable as 'select 1';
		create function pick(a int, b int default 0) returns int language sql immutable as 'select 2';
		create function pick(a int) returns int language sql immutable as 'select 3';
	`, func(c *settings.Config) { c.PlanEnabled = true })
	for _, c := range []restkit.Case{
		{Name: "by a row in its text form", Method: "POST", Path: "/rpc/salary", Body: `{"":"(2,x)"}`, Status: 404},
		{Name: "by a row as JSON", Method: "POST", Path: "/rpc/salary", Body: `{"id":2}`, Status: 404},
		{Name: "by a query", Path: "/rpc/salary?=(2,x)", Status: 404},
		{Name: "one of two arguments without a name", Method: "POST", Path: "/rpc/half", Body: `{"":"4","b":1}`, Status: 404},
		{Name: "a computed column still is one", Path: "/staff?select=name,salary,mentors(name)", Status: 200, Want: `[{"name":"Ana","salary":10,"mentors":[{"name":"Ana"}]}]`},
		{Name: "a body that is the argument", Method: "POST", Path: "/rpc/take_json", Body: `{"":"(2,x)"}`, Status: 200, Want: `{"":"(2,x)"}`},
		{Name: "a text that is the argument, chosen by an empty key", Method: "POST", Path: "/rpc/take_text", Body: `{"":"x"}`, Status: 200, Want: `"{\"\":\"x\"}"`},
		{Name: "candidates by the number of arguments, then their names", Method: "POST", Path: "/rpc/pick", Body: `{"a":1}`, Status: 300,
			Want: `{"code":"PGRST203","message":"Could not choose the best candidate function between: public.pick(a => integer), public.pick(a => integer, b => integer)",
				"details":null,"hint":"Try renaming the parameters or the function itself in the database so function overloading can be resolved"}`},
		{Name: "candidates of the same number", Method: "POST", Path: "/rpc/pick", Body: `{"a":1,"b":2}`, Status: 300,
			Want: `{"code":"PGRST203","message":"Could not choose the best candidate function between: public.pick(a => integer, b => integer), public.pick(b => text, a => integer)",
				"details":null,"hint":"Try renaming the parameters or the function itself in the database so function overloading can be resolved"}`},
	} {
		t.Run(c.Name, func(t *testing.T) { api.Run(t, c) })
	}
}
