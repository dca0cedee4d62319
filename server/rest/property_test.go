package rest_test

import (
	"cmp"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

// The property: a completely valid request succeeds, and a request with any invalid part
// is rejected, whatever its method and its Prefer header. Requests are composed of parts
// that are valid for a small schema; half of them get one invalid part.

// propertyRequests is the number of requests in a run. PLAZA_PROPERTY_REQUESTS overrides it.
const propertyRequests = 4000

const propertySchema = `
	create table authors (id int primary key, name text, born date, meta jsonb);
	create table books (id int primary key, author_id int references authors on delete cascade, title text, price numeric, tags text[], meta jsonb);
	create table reviews (id int primary key, book_id int references books on delete cascade, stars int, note text);
	alter table authors enable row level security;
	alter table books enable row level security;
	alter table reviews enable row level security;
	create policy everybody on authors using (true) with check (true);
	create policy everybody on books using (true) with check (true);
	create policy everybody on reviews using (true) with check (true);
	insert into authors select n, 'Author ' || n, date '1950-01-01' + n, jsonb_build_object('n', n) from generate_series(1, 6) n;
	insert into books select n, 1 + n % 6, 'Book ' || n, n * 1.5, array['a', 'b'], '{"k": {"l": 1}}' from generate_series(1, 12) n;
	insert into reviews select n, 1 + n % 12, n % 5, 'Note ' || n from generate_series(1, 24) n;
	create function initials(authors) returns text language sql stable as $$ select left($1.name, 1) $$;
	create function books_of(author int, cheap boolean default false) returns setof books language sql stable as $$ select * from public.books where author_id = author $$;
	create function add(a int, b int default 1) returns int language sql stable as $$ select a + b $$;
	create function titles() returns setof text language sql stable as $$ select title from public.books $$;
	create function touch(author int) returns void language sql as $$ update public.authors set name = name where id = author $$;`

type propertyTable struct {
	name    string
	columns []string
	values  map[string]string // by column, a value for filters and writes
	embeds  map[string]string // key in select → table
	row     string            // JSON for an insert
}

var propertyTables = map[string]*propertyTable{
	"authors": {"authors", []string{"id", "name", "born", "meta"}, map[string]string{"id": "3", "name": "Author 2", "born": "1950-01-03", "meta": `{"n":1}`},
		map[string]string{"books": "books"}, `{"id":%d,"name":"new","born":null}`},
	"books": {"books", []string{"id", "author_id", "title", "price"}, map[string]string{"id": "3", "author_id": "2", "title": "Book 2", "price": "4.5"},
		map[string]string{"authors": "authors", "reviews": "reviews"}, `{"id":%d,"author_id":1,"title":"new"}`},
	"reviews": {"reviews", []string{"id", "book_id", "stars", "note"}, map[string]string{"id": "3", "book_id": "2", "stars": "4", "note": "Note 2"},
		map[string]string{"books": "books"}, `{"id":%d,"book_id":1,"stars":3}`},
}

// node is a table of the request: the root or an embed with its path.
type node struct {
	path  string // "books.reviews.", empty for the root
	table *propertyTable
}

// propertyRequest builds a request.
type propertyRequest struct {
	random *mathrand.Rand
	method string
	path   string
	params []string
	own    []string // the parameters that choose the rows of the root
	header map[string]string
	body   string
	nodes  []node
	wrong  string // the invalid part that was added; empty: none
}

func (p *propertyRequest) oneOf(texts ...string) string { return texts[p.random.IntN(len(texts))] }

func (p *propertyRequest) chance(percent int) bool { return p.random.IntN(100) < percent }

func (p *propertyRequest) add(key, value string) { p.params = append(p.params, key+"="+value) }

func newPropertyRequest(random *mathrand.Rand, number int) *propertyRequest {
	p := &propertyRequest{random: random, header: map[string]string{}}
	names := []string{"authors", "books", "reviews"}
	table := propertyTables[names[random.IntN(len(names))]]
	p.method, p.path = p.oneOf("GET", "GET", "HEAD", "POST", "PATCH", "DELETE", "PUT"), "/"+table.name
	p.nodes = []node{{"", table}}
	if p.method == "GET" && p.chance(25) {
		p.call()
	}
	if p.chance(70) {
		p.add("select", p.selection(p.nodes[0], 0))
	}
	for _, at := range p.nodes {
		if p.method != "PUT" && !(p.method == "POST" && at.path == "") || at.path != "" {
			p.conditions(at)
		}
	}
	p.payload(table, number)
	if p.chance(50) {
		p.prefer()
	}
	return p
}

// call requests a function's rows instead of a table's.
func (p *propertyRequest) call() {
	p.path, p.nodes = "/rpc/books_of", []node{{"", propertyTables["books"]}}
	p.add("author", "1")
	if p.chance(30) {
		p.add("cheap", "true")
	}
}

func (p *propertyRequest) selection(at node, depth int) string {
	items := []string{}
	for _, column := range at.table.columns {
		if p.chance(50) {
			items = append(items, p.oneOf("", "", "x_"+column+":")+column+p.oneOf("", "", "::text"))
		}
	}
	if at.table.name == "authors" {
		items = append(items, p.oneOf("initials", "meta->n", "meta->>n", "id"))
	}
	if len(items) == 0 || p.chance(20) {
		items = []string{"*"}
	}
	for key, table := range at.table.embeds {
		if depth == 2 || p.chance(50) {
			continue
		}
		name := p.oneOf(key, key, "my_"+key)
		inner := node{at.path + name + ".", propertyTables[table]}
		written := key
		if name != key {
			written = name + ":" + key
		}
		p.nodes = append(p.nodes, inner)
		items = append(items, written+p.oneOf("", "!inner", "!left")+"("+p.selection(inner, depth+1)+")")
	}
	return strings.Join(items, ",")
}

// conditions adds filters, logic, an order and a limit for one level.
func (p *propertyRequest) conditions(at node) {
	before := len(p.params)
	for range p.random.IntN(3) {
		column := at.table.columns[p.random.IntN(len(at.table.columns))]
		p.add(at.path+column, p.comparison(at.table, column))
	}
	if p.chance(20) {
		column := at.table.columns[0]
		p.add(at.path+p.oneOf("or", "and", "not.or"), fmt.Sprintf("(%s.%s,not.and(%s.gt.1,%s.is.null))", column, p.comparison(at.table, column), column, column))
	}
	if at.path == "" {
		p.own = slices.Clone(p.params[before:])
	}
	if p.chance(25) {
		p.add(at.path+"order", p.oneOf("id", "id.desc.nullslast", at.table.columns[1]+".asc"))
	}
	writes := p.method == "PATCH" || p.method == "DELETE"
	if p.chance(20) {
		p.add(at.path+"limit", p.oneOf("50", "100"))
	}
	if p.chance(10) && !(writes && at.path == "") {
		p.add(at.path+"offset", p.oneOf("0", "1"))
	}
}

func (p *propertyRequest) comparison(table *propertyTable, column string) string {
	value := table.values[column]
	return p.oneOf("eq."+value, "neq."+value, "not.eq."+value, "gt."+value, "is.null", "not.is.null", `in.("`+strings.ReplaceAll(value, `"`, `\"`)+`")`)
}

func (p *propertyRequest) payload(table *propertyTable, number int) {
	row := fmt.Sprintf(table.row, 1000+number)
	switch p.method {
	case "POST":
		p.body = p.oneOf(row, "["+row+"]", "[]")
		if p.chance(20) {
			p.add("columns", p.oneOf("id", "id,"+table.columns[1]))
		}
		if p.chance(20) {
			p.add("on_conflict", "id")
		}
	case "PATCH":
		p.body = p.oneOf(`{"`+table.columns[2]+`":null}`, `{}`)
	case "PUT":
		p.body = row
		p.add("id", "eq."+strconv.Itoa(1000+number))
	}
}

func (p *propertyRequest) prefer() {
	list := []string{p.oneOf("return=minimal", "return=representation"), p.oneOf("count=exact", "missing=default", "handling=lenient", "resolution=merge-duplicates", "nobody=knows")}
	p.header["Prefer"] = strings.Join(list, ", ")
}

// spoil adds one invalid part.
func (p *propertyRequest) spoil() {
	at := p.nodes[p.random.IntN(len(p.nodes))]
	spoilers := []func(){
		func() { p.add(at.path+"nope.id", "eq.1") },
		func() { p.add(at.path+"nope.order", "id") },
		func() { p.add(at.path+"nope.limit", "1") },
		func() { p.add(at.path+"nope."+p.oneOf("or", "and", "not.or"), "(id.eq.1,id.eq.2)") },
		func() { p.add(at.path+"nope", p.oneOf("eq.1", "is.null", "not.gt.5", "in.(1,2)")) },
		func() {
			p.add(at.path+"or", p.oneOf("(nope.eq.1)", "(id.eq.1,nope.is.null)", "(id.eq.1,and(nope.eq.1,id.eq.2))", "id.eq.1", "(id.nope.1)"))
		},
		func() { p.add(at.path+"id", p.oneOf("nope.1", "eq", "1", "eq(any.{1}", "is.nope", "in.1")) },
		func() { p.add(at.path+"limit", p.oneOf("x", "", "1.5", "-1")) },
		func() { p.add(at.path+"offset", p.oneOf("x", "1e9")) },
		func() { p.add(at.path+"order", p.oneOf("id.nope", "nope(id)", "id.desc.asc", "nope")) },
		func() { p.add("columns", "nope") },
		func() { p.add("on_conflict", "nope") },
		func() { p.header["Accept"] = "application/nope" },
		func() { p.header["Accept-Profile"], p.header["Content-Profile"] = "nope", "nope" },
		func() { p.header["Prefer"] = "handling=strict, nobody=knows" },
		func() { p.path += "s" },
		func() {
			p.params = slices.DeleteFunc(p.params, func(text string) bool { return strings.HasPrefix(text, "select=") })
			p.add("select", p.oneOf("nope", "id,nope", "nope(id)", "id,nope:nope", "id,...nope(id)", "id::no-pe", "id,(", "id,meta->>n.max()", "id,nope->a"))
			p.nodes = p.nodes[:1]
		},
	}
	before := fmt.Sprint(p.params, p.header, p.path)
	spoilers[p.random.IntN(len(spoilers))]()
	p.wrong = fmt.Sprintf("%s -> %s", before, fmt.Sprint(p.params, p.header, p.path))
}

func (p *propertyRequest) send(t *testing.T, handler http.Handler, anon string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest(p.method, "/rest/v1"+p.path+"?"+encode(strings.Join(p.params, "&")), strings.NewReader(p.body))
	request.Header.Set("apikey", anon)
	for name, value := range p.header {
		request.Header.Set(name, value)
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func TestInvalidRequestsAreRefused(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, propertySchema, func(c *settings.Config) { c.TxEnd = "rollback" })
	handler := api.Server.Routes("/rest/v1")
	requests, _ := strconv.Atoi(os.Getenv("PLAZA_PROPERTY_REQUESTS"))
	seed := uint64(time.Now().UnixNano())
	random := mathrand.New(mathrand.NewPCG(seed, 1))
	for number := range cmp.Or(requests, propertyRequests) {
		p := newPropertyRequest(random, number)
		if p.chance(50) {
			p.spoil()
		}
		answer := p.send(t, handler, api.Auth.Keys.Anon)
		pastTheEnd := answer.Code == http.StatusRequestedRangeNotSatisfiable && p.wrong == "" // the offset is after the last row
		if refused := answer.Code >= 400 && answer.Code < 500 && !pastTheEnd; refused != (p.wrong != "") || answer.Code >= 500 {
			t.Fatalf("seed %d, request %d: %s %s?%s %v %s\nwrong: %s\n%d %s",
				seed, number, p.method, p.path, strings.Join(p.params, "&"), p.header, p.body, p.wrong, answer.Code, answer.Body)
		}
		if p.wrong == "" && p.method == "DELETE" {
			p.checkDeleted(t, handler, api.Auth.Keys.Anon, answer)
		}
	}
}

// checkDeleted compares the deleted rows with those that a read with the same filters finds.
func (p *propertyRequest) checkDeleted(t *testing.T, handler http.Handler, anon string, answer *httptest.ResponseRecorder) {
	t.Helper()
	_, deleted, counted := strings.Cut(answer.Header().Get("Content-Range"), "/")
	if !counted || deleted == "*" {
		return
	}
	read := &propertyRequest{method: "HEAD", path: p.path, params: p.own, header: map[string]string{"Prefer": "count=exact"}}
	if _, found, _ := strings.Cut(read.send(t, handler, anon).Header().Get("Content-Range"), "/"); found != deleted {
		t.Errorf("DELETE %s?%s deletes %s rows, of %s that its filters find", p.path, strings.Join(p.params, "&"), deleted, found)
	}
}
