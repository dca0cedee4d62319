package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg"
	"plaza/server/rest/plan"
	"plaza/server/rest/query"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// workload is one request, as HTTP and as the statements behind it.
type workload struct {
	name  string
	query string
	table string
	user  bool // as authenticated instead of anon
}

func workloads(*server) []workload {
	const columns = "select=id,title,price,in_print,published"
	return []workload{
		{"one row by key, anon", columns + "&id=eq.76", "books", false},
		{"one row by key, authenticated", columns + "&id=eq.76", "books", true},
		{"12 rows, anon", columns + "&author_id=eq.77&order=id", "books", false},
		{"12 rows, authenticated", columns + "&author_id=eq.77&order=id", "books", true},
		{"12 rows with embed, authenticated", columns + ",authors(name)&author_id=eq.77&order=id", "books", true},
	}
}

// statements gives what the server sends for a workload: the settings and the
// select, with their arguments.
func (w workload) statements(ctx context.Context, s *server) ([]pg.Statement, error) {
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
	parsed, err := query.Parse(w.query, query.Options{})
	if err != nil {
		return nil, err
	}
	read, err := plan.ForTable(snapshot, schema.Name{Schema: "public", Name: w.table}, parsed, plan.Limits{})
	if err != nil {
		return nil, err
	}
	main := sqlgen.Read(read, sqlgen.Options{})
	claims := `{"role":"anon"}`
	role := "anon"
	if w.user {
		role, claims = "authenticated", `{"role":"authenticated","sub":"`+caller+`"}`
	}
	become := pg.Statement{SQL: pg.BecomeSQL, Args: texts(role, claims, "GET", "/rest/v1/"+w.table, "{}", "{}", "on")}
	return []pg.Statement{become, {SQL: main.SQL, Args: main.Args}}, nil
}

func texts(values ...string) [][]byte {
	list := make([][]byte, len(values))
	for i, value := range values {
		list[i] = []byte(value)
	}
	return list
}

var placeholder = regexp.MustCompile(`\$(\d+)`)

// script writes statements for pgbench: one pipeline, arguments as variables.
func script(statements []pg.Statement) (text string, variables []string) {
	var out strings.Builder
	out.WriteString("\\startpipeline\n")
	for n, statement := range statements {
		prefix := "s" + strconv.Itoa(n) + "_"
		// A colon begins a variable in pgbench, so casts are written out.
		sql := strings.ReplaceAll(statement.SQL, "null::bigint", "cast(null as bigint)")
		out.WriteString(placeholder.ReplaceAllString(sql, ":"+prefix+"$1") + ";\n")
		for i, value := range statement.Args {
			variables = append(variables, fmt.Sprintf("%s%d=%s", prefix, i+1, value))
		}
	}
	out.WriteString("\\endpipeline\n")
	return out.String(), variables
}

var rate = regexp.MustCompile(`tps = ([0-9.]+)`)

// pgbench gives transactions a second.
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
		"--no-vacuum", "--protocol=prepared", "--client=" + strconv.Itoa(s.connections), "--jobs=2",
		"--time=" + strconv.Itoa(int(s.round.Seconds())), "--file=" + file,
	}
	for _, variable := range variables {
		args = append(args, "--define="+variable)
	}
	command := exec.CommandContext(ctx, "pgbench", append(args, server.postgres)...) //nolint:gosec // built here
	output, err := command.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("pgbench (Debian has it in postgresql-15): %w\n%s", err, output)
	}
	found := rate.FindSubmatch(output)
	if found == nil {
		return 0, fmt.Errorf("pgbench said no rate:\n%s", output)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}
