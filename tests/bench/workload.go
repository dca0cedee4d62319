package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg"
	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/request"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// workload is one request, over HTTP and as its statements.
type workload struct {
	name  string
	path  string // below /rest/v1/, with its query
	user  bool   // as authenticated instead of anon
	count bool   // Prefer: count=exact
	body  string // of a POST, as JSON
	// insert: the POST is on a table, and returns nothing
	insert bool
	json   bool // the rows have a column that PostgreSQL must write as JSON
}

const bookColumns = "books?select=id,title,price,in_print,published"

var tableWorkloads = []workload{
	{name: "one row by key, anon", path: bookColumns + "&id=eq.76"},
	{name: "one row by key, authenticated", path: bookColumns + "&id=eq.76", user: true},
	{name: "12 rows, anon", path: bookColumns + "&author_id=eq.77&order=id"},
	{name: "12 rows, authenticated", path: bookColumns + "&author_id=eq.77&order=id", user: true},
	{name: "12 rows with embed, authenticated", path: bookColumns + ",authors(name)&author_id=eq.77&order=id", user: true},
	{name: "an author with 12 books, anon", path: "authors?select=id,name,books(id,title,price)&id=eq.77"},
	{name: "an author with 12 books, authenticated", path: "authors?select=id,name,books(id,title,price)&id=eq.77", user: true},
	{name: "a function, anon", path: "rpc/add", body: `{"a":40,"b":60}`},
	{name: "a function, authenticated", path: "rpc/add", body: `{"a":40,"b":60}`, user: true},
	{name: "12 rows of a function, authenticated", path: "rpc/books_of?author=77&select=id,title,price,in_print,published&order=id", user: true},
	{name: "insert of one row, anon", path: "entries", body: entry, insert: true},
	{name: "insert of one row, authenticated", path: "entries", body: entry, insert: true, user: true},
	{name: "insert of 100 rows, authenticated", path: "entries", body: "[" + strings.Repeat(entry+",", 99) + entry + "]", insert: true, user: true},
}

const entry = `{"title":"An entry of the usual length","amount":42}`

func (w workload) method() string {
	if w.body != "" {
		return "POST"
	}
	return "GET"
}

// cardColumns and the requests are those of client/src/features/businesses.
const cardColumns = "select=id,name,type,location,phone,image_url,hours,rating,combined_rating,user_ratings_total,category_code,time_zone"

var pageWorkloads = []workload{
	{
		name: "12 business cards, authenticated", user: true,
		path: "businesses?" + cardColumns + "&city_slug=eq.madrid&order=created_at.desc&limit=12",
	},
	{
		name: "12 results of a search, authenticated", user: true, count: true,
		path: "rpc/search_businesses?find_loc=Madrid&" + cardColumns + "&order=sort_rating.desc,created_at.desc&offset=0&limit=12",
	},
	{
		name: "a business's page, authenticated", user: true, json: true,
		path: "businesses?select=id,display_id,name,type,location,address,phone,website,image_url,latitude,longitude,hours,amenities," +
			"description,tagline,company_values,languages,rating,combined_rating,user_ratings_total,rating_sources,category_code," +
			"time_zone,url_path,migrated_url,services(id,name,description,price,duration),photos:business_photos(id,photo_url,caption)" +
			"&display_id=eq.B-000145&services.order=name&photos.order=display_order&limit=1",
	},
}

// statements returns the statements that the server sends for a workload: the settings and the main
// statement, with their arguments.
func (w workload) statements(ctx context.Context, s *server) ([]pg.Statement, error) {
	become, err := w.become(s)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, s.postgres)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "set search_path = ''"); err != nil {
		return nil, err
	}
	snapshot, err := schema.Load(ctx, conn, []string{"public"})
	if err != nil {
		return nil, err
	}
	main, err := w.statement(snapshot)
	return []pg.Statement{become, {SQL: main.SQL, Args: main.Args}}, err
}

// become returns the statement that passes the caller and the request to PostgreSQL. Its cost grows
// with the length of the claims and the headers.
func (w workload) become(s *server) (pg.Statement, error) {
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(w.request(s))))
	if err != nil {
		return pg.Statement{}, err
	}
	authenticator := s.secrets.Authenticator(time.Now)
	who, known, err := authenticator.Bearer(r)
	if err == nil && !known {
		who, err = authenticator.Key(r)
	}
	if err != nil {
		return pg.Statement{}, err
	}
	all := map[string]string{"host": r.Host}
	for name := range r.Header {
		all[strings.ToLower(name)] = r.Header.Get(name)
	}
	headers, err := json.Marshal(all)
	readOnly := "on"
	if w.insert {
		readOnly = "off"
	}
	path := strings.TrimPrefix(r.URL.Path, "/rest/v1")
	return pg.Statement{SQL: s.become[who.Role], Args: texts(who.Role, who.JSON, r.Method, path, string(headers), "{}", readOnly)}, err
}

func (w workload) role() string {
	if w.user {
		return "authenticated"
	}
	return "anon"
}

func (w workload) statement(snapshot *schema.Snapshot) (sqlgen.Statement, error) {
	path, text, _ := strings.Cut(w.path, "?")
	function, isCall := strings.CutPrefix(path, "rpc/")
	parsed, err := query.Parse(text, query.Options{Function: isCall})
	if err != nil {
		return sqlgen.Statement{}, err
	}
	name := schema.Name{Schema: "public", Name: path}
	options := sqlgen.Options{Body: sqlgen.Rows, Count: w.count}
	switch {
	case w.insert:
		list := strings.HasPrefix(w.body, "[")
		change := plan.Change{Kind: plan.Insert, Keys: []string{"amount", "title"}}
		mutation, err := plan.ForMutation(snapshot, name, parsed, change, plan.Limits{})
		if err != nil {
			return sqlgen.Statement{}, err
		}
		payload := sqlgen.Payload{JSON: []byte(w.body), List: list}
		if list {
			payload.Values = request.PlainArrays(mutation.Table, change.Keys, payload.JSON)
		} else {
			payload.Values = request.PlainValues(mutation.Table, payload.JSON)
		}
		return sqlgen.Mutation(mutation, payload, sqlgen.Options{Body: sqlgen.NoBody, Silent: true}), nil
	case isCall:
		return w.call(snapshot, schema.Name{Schema: "public", Name: function}, parsed, options)
	case w.json:
		options.Body = sqlgen.RowsJSON
	}
	read, err := plan.ForTable(snapshot, name, parsed, plan.Limits{})
	if err != nil {
		return sqlgen.Statement{}, err
	}
	return sqlgen.Read(read, options), nil
}

func (w workload) call(snapshot *schema.Snapshot, name schema.Name, parsed *query.Query, options sqlgen.Options) (sqlgen.Statement, error) {
	given := make(map[string]string)
	for _, param := range parsed.Params {
		given[param.Name] = param.Value
	}
	if w.body != "" {
		var numbers map[string]json.Number
		if err := json.Unmarshal([]byte(w.body), &numbers); err != nil {
			return sqlgen.Statement{}, err
		}
		for name, number := range numbers {
			given[name] = number.String()
		}
		options.Body = sqlgen.Scalar
	}
	call, err := plan.ForCall(snapshot, name, slices.Sorted(maps.Keys(given)), "", parsed, plan.Limits{})
	if err != nil {
		return sqlgen.Statement{}, err
	}
	values := make([]sqlgen.Value, len(call.Given))
	for i, wanted := range call.Given {
		values[i].Text = []byte(given[wanted.Name])
	}
	return sqlgen.Call(call, values, options), nil
}

func texts(values ...string) [][]byte {
	list := make([][]byte, len(values))
	for i, value := range values {
		list[i] = []byte(value)
	}
	return list
}

var placeholder = regexp.MustCompile(`\$(\d+)`)

// script writes statements for pgbench: a single pipeline, with arguments as variables.
func script(statements []pg.Statement) (text string, variables []string) {
	var out strings.Builder
	out.WriteString("\\startpipeline\n")
	for n, statement := range statements {
		prefix := "s" + strconv.Itoa(n) + "_"
		// A colon starts a variable in pgbench, so casts are written out.
		sql := strings.ReplaceAll(statement.SQL, "null::bigint", "cast(null as bigint)")
		out.WriteString(placeholder.ReplaceAllString(sql, ":"+prefix+"$1") + ";\n")
		for i, value := range statement.Args {
			variables = append(variables, fmt.Sprintf("%s%d=%s", prefix, i+1, value))
		}
	}
	out.WriteString("\\endpipeline\n")
	return out.String(), variables
}

var tps = regexp.MustCompile(`tps = ([0-9.]+)`)

// pgbench returns its transactions per second.
func pgbench(ctx context.Context, s settings, server *server, w workload) (float64, error) {
	statements, err := w.statements(ctx, server)
	if err != nil {
		return 0, err
	}
	text, variables := script(statements)
	file := filepath.Join(server.folder, "bench.sql")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return 0, err
	}
	args := []string{
		"--no-vacuum", "--protocol=prepared", "--client=" + strconv.Itoa(s.clients), "--jobs=2",
		"--time=" + strconv.Itoa(int(s.round.Seconds())), "--file=" + file,
	}
	for _, variable := range variables {
		args = append(args, "--define="+variable)
	}
	command := exec.CommandContext(ctx, "pgbench", append(args, server.caller)...)
	output, err := command.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("pgbench (Debian has it in postgresql-15): %w\n%s", err, output)
	}
	found := tps.FindSubmatch(output)
	if found == nil {
		return 0, fmt.Errorf("pgbench printed no rate:\n%s", output)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}
