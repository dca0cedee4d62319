package rest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
	"plaza/tests/testkit"
)

// hostile is a schema whose names would end a quoted string early if quoting were wrong.
const hostile = `
	create table "a""b" ("i""d" int primary key, "it's" text, "back\slash\" jsonb, "--" text[], "/*" tsvector, "; drop table x" numeric, "$1" date default now());
	create table "select" (id int primary key, "a""b" int references "a""b", "E'" text, "'" json, "$$" int4range, unique ("E'"));
	create table "join" ("a""b" int references "a""b", "select" int references "select", primary key ("a""b", "select"));
	create view "v""iew'" as select * from "select";
	create function "ca""ll"("x""'" int, "--" text default '') returns setof "a""b" language sql stable as 'select * from public."a""b"';
	create function "col""umn"("a""b") returns text language sql stable as 'select ''x''';
	create function many(variadic "v'" text[]) returns int language sql stable as 'select 1';
	create function writes("b""ody" json) returns "select" language sql volatile as 'select * from public."select"';`

// hostileTables and hostileCalls list the tables and functions that fuzz inputs use.
var (
	hostileTables = []string{`a"b`, "select", "join", `v"iew'`}
	hostileCalls  = []string{`ca"ll`, "many", "writes"}
)

// FuzzStatement checks that, for any request, the generated statement contains only the
// server's own words outside of quotes, and that PostgreSQL parses it as a single
// statement.
func FuzzStatement(f *testing.F) {
	db := testkit.Open(f, testkit.PlatformURL(f))
	snapshot := hostileSchema(f, db)
	for _, seed := range []struct {
		choice, which byte
		raw, key      string
	}{
		{0, 0, `select=*&"i\"d"=eq.1&"it's"=neq.'`, ""},
		{0, 1, `select=id,x:"E'",y:"'"->a->>"b'",aa:"a\"b"!"select_a\"b_fkey"!inner("it's",ca:"back\\slash\\"->"\\'"->>-1)&or=(id.eq.1,not.and("E'".like.*x*,"'"->>k.is.null))&limit=1`, ""},
		{0, 4, `select="it's",select!"select_a\"b_fkey"(*)&select.order="E'".desc.nullslast&select.limit=1`, ""},
		{0, 2, `select=...select("E'"),"a\"b"(x:"--")&order="a\"b"("it's")&offset=1`, ""},
		{0, 4, `select=id,c:"'"->>"\\'"&"E'"=in.(1,"2'",3)&"$$"=ov.[1,2)`, ""},
		{0, 0, `select="; drop table x"::text,"--"::varchar(3)[],"$1".max()::text&"/*"=wfts(english).a'b&"it's"=plfts.x`, ""},
		{0, 0, `select=count(),"col\"umn"&"it's"=eq(any).{a,b}&"it's"=not.match(all).{'}&"--"=cs.{a}`, ""},
		{0, 8, `select="i\"d",select!"select_a\"b_fkey"(count()),join()&join=not.is.null`, ""},
		{1, 0, `columns="it's","back\\slash\\"&on_conflict="i\"d"`, ""}, {1, 1, `on_conflict="E'"`, "E'"}, {1, 3, "", "E'"}, {1, 4, "select=*", "it's"}, {1, 6, "", ""},
		{2, 0, `"i\"d"=eq.1&select="it's"`, "it's"}, {2, 1, "id=eq.1", "E'"}, {2, 4, "", "back\\slash\\"}, {3, 0, `"it's"=is.null`, ""}, {3, 1, `or=("E'".eq.",)",id.gt.1)`, ""},
		{4, 0, `x"'=1&--=2&select="it's"&"it's"=like.*`, ""}, {4, 1, `v'=a&v'=b`, ""}, {4, 2, `b"ody=1`, ""},
	} {
		f.Add(seed.choice+5*seed.which, encode(seed.raw), seed.key, `{"it's":1}`)
	}
	f.Fuzz(func(t *testing.T, kind byte, raw, key, payload string) {
		statement, ok := statementFor(snapshot, kind, raw, key, payload)
		if !ok {
			return
		}
		casts, err := checkWords(statement)
		if err != nil {
			t.Fatalf("%d ?%s %q: %v\n%s", kind, raw, key, err, statement.SQL)
		}
		err = prepare(db, statement.SQL)
		var refusal *pgconn.PgError
		if errors.As(err, &refusal) && refusal.Code == "42601" && !casts {
			t.Errorf("%d ?%s %q: %v\n%s", kind, raw, key, err, statement.SQL)
		}
	})
}

func hostileSchema(f *testing.F, db *pgxpool.Pool) *schema.Snapshot {
	f.Helper()
	conn, err := db.Acquire(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(f.Context(), hostile); err != nil {
		f.Fatal(err)
	}
	if _, err := conn.Exec(f.Context(), "set search_path = ''"); err != nil {
		f.Fatal(err)
	}
	snapshot, err := schema.Load(f.Context(), conn, []string{"public"})
	if err != nil {
		f.Fatal(err)
	}
	return snapshot
}

func prepare(db *pgxpool.Pool, sql string) error {
	ctx := context.Background()
	conn, err := db.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = conn.Conn().PgConn().Prepare(ctx, "", sql, nil)
	return err
}

// statementFor plans a request as the server does. ok is false if the request is rejected.
func statementFor(snapshot *schema.Snapshot, kind byte, raw, key, payload string) (statement sqlgen.Statement, ok bool) {
	choice, which := int(kind%5), int(kind/5)
	q, err := query.Parse(raw, query.Options{Function: choice == 4})
	if err != nil {
		return statement, false
	}
	table := schema.Name{Schema: "public", Name: hostileTables[which%len(hostileTables)]}
	limits := plan.Limits{Aggregates: true}
	bodies := []sqlgen.Body{sqlgen.Rows, sqlgen.JSONList, sqlgen.CSV, sqlgen.RowsJSON, sqlgen.NoBody}
	options := sqlgen.Options{Body: bodies[which%len(bodies)], Count: which%2 == 1, Strip: which%3 == 1}
	switch choice {
	case 0:
		read, err := plan.ForTable(snapshot, table, q, limits)
		if err != nil {
			return statement, false
		}
		return sqlgen.Read(read, options), true
	case 4:
		return callFor(snapshot, schema.Name{Schema: "public", Name: hostileCalls[which%len(hostileCalls)]}, q, limits)
	}
	change := plan.Change{
		Kind: []plan.Kind{plan.Insert, plan.Update, plan.Delete}[choice-1], Keys: []string{key}, Defaults: which%2 == 1, Return: which%3 != 1, KeyOnly: which%3 == 1,
		Resolution: []plan.Resolution{"", plan.MergeDuplicates, plan.IgnoreDuplicates}[which%3],
	}
	if key == "" {
		change.Keys = nil
	}
	mutation, err := plan.ForMutation(snapshot, table, q, change, limits)
	if err != nil {
		return statement, false
	}
	options.Body = []sqlgen.Body{sqlgen.JSONList, sqlgen.CSV, sqlgen.NoBody}[which%3]
	return sqlgen.Mutation(mutation, sqlgen.Payload{JSON: []byte(payload), List: which%2 == 0}, options), true
}

func callFor(snapshot *schema.Snapshot, name schema.Name, q *query.Query, limits plan.Limits) (statement sqlgen.Statement, ok bool) {
	var given []string
	for _, param := range q.Params {
		if !slices.Contains(given, param.Name) {
			given = append(given, param.Name)
		}
	}
	call, err := plan.ForCall(snapshot, name, given, "", q, limits)
	if err != nil {
		return statement, false
	}
	values := make([]sqlgen.Value, len(call.Given))
	for i := range values {
		values[i] = sqlgen.Value{Text: []byte("x"), Null: i == 1, JSON: i == 2}
	}
	body := sqlgen.Rows
	if call.Read == nil {
		body = sqlgen.Scalar
	}
	return sqlgen.Call(call, values, sqlgen.Options{Body: body}), true
}

// ownWords lists the words that a statement may contain outside of quotes, apart from the
// type of a cast.
var ownWords = words(`select exists from as where and or not with materialized insert into default values update set delete returning on conflict do nothing excluded
	null true false unknown is distinct any all in like ilike order by asc desc nulls first last limit offset group left inner cross join lateral
	coalesce nullif cast case when then else end count sum avg min max variadic
	pg_catalog current_setting set_config json_agg row_to_json json_build_object jsonb_build_object jsonb_agg json_object_keys json_array_elements jsonb_array_elements json_strip_nulls
	json_to_record json_to_recordset jsonb_to_record jsonb_to_recordset to_jsonb array_agg string_agg substring length name
	to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery regconfig unnest
	pgrst_source pgrst_rows pgrst_page pgrst_total pgrst_counted pgrst_call pgrst_scalar pgrst_body pgrst_element pgrst_key pgrst_text pgrst_value pgrst_record
	text int integer bigint numeric date json jsonb tsvector int4range E now public`)

func words(text string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}

// checkWords scans a statement as PostgreSQL does, and reports whether it casts to a type
// that the client has named.
//
// Source: PostgreSQL's manual, "Lexical Structure".
func checkWords(statement sqlgen.Statement) (casts bool, err error) {
	sql, last := statement.SQL, ""
	var open []string // the word before each open bracket
	used := 0
	for at := 0; at < len(sql); {
		switch char := sql[at]; {
		case char == '"' || char == '\'':
			end, closed := quotedEnd(sql, at, char == '\'' && last == "E")
			if !closed {
				return casts, fmt.Errorf("the quotation at %d does not end", at)
			}
			at, last = end, ""
			continue
		case char == '(':
			open = append(open, last)
		case char == ')':
			if len(open) == 0 {
				return casts, errors.New("a bracket is closed that is not open")
			}
			open = open[:len(open)-1]
		case char == '$':
			end := wordEnd(sql, at+1)
			number, err := strconv.Atoi(sql[at+1 : end])
			if err != nil || number < 1 || number > len(statement.Args) {
				return casts, fmt.Errorf("%q is no parameter", sql[at:end])
			}
			used = max(used, number)
			at, last = end, ""
			continue
		case isWordByte(char):
			end := wordEnd(sql, at)
			word := sql[at:end]
			inCast := len(open) > 0 && open[len(open)-1] == "cast"
			casts = casts || inCast
			if _, err := strconv.ParseUint(word, 10, 64); err != nil && !ownWords[word] && !inCast {
				return casts, fmt.Errorf("%q is no word of the server's", word)
			}
			at, last = end, word
			continue
		case strings.HasPrefix(sql[at:], "--"), strings.HasPrefix(sql[at:], "/*"):
			return casts, fmt.Errorf("a comment begins at %d", at)
		case strings.IndexByte(" ,.:=<>-+@&|~*[]{}#!?/", char) < 0:
			return casts, fmt.Errorf("%q stands at %d", char, at)
		}
		at, last = at+1, ""
	}
	if len(open) > 0 || used != len(statement.Args) {
		return casts, fmt.Errorf("%d brackets are open, %d of %d parameters are used", len(open), used, len(statement.Args))
	}
	return casts, nil
}

// quotedEnd returns the index after the quoted string that begins at an index.
func quotedEnd(sql string, at int, escapes bool) (end int, closed bool) {
	quote := sql[at]
	for at++; at < len(sql); at++ {
		switch {
		case escapes && sql[at] == '\\':
			at++
		case sql[at] == quote && at+1 < len(sql) && sql[at+1] == quote:
			at++
		case sql[at] == quote:
			return at + 1, true
		}
	}
	return at, false
}

func isWordByte(char byte) bool {
	return char == '_' || char >= '0' && char <= '9' || char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z' || char >= 0x80
}

func wordEnd(sql string, at int) int {
	for at < len(sql) && (isWordByte(sql[at]) || sql[at] == '$') {
		at++
	}
	return at
}
