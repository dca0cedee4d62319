package pipeline

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/tests/testkit"
)

// group is the statements of one transaction, with the expected results.
type group struct {
	statements []string
	refuses    bool // scan returns an error at the first row
	main       int  // index of the main statement
	rows       int  // rows that are passed to scan, of all statements
	columns    []Column
	err        string // SQLSTATE, or "refused"
}

const pipelineTables = `
	create table places (id int primary key deferrable initially deferred);
	insert into places values (1)`

var groups = []group{
	{statements: []string{"select 1 as one", "select n, n::text as text from generate_series(1, 3) n"}, main: 1, rows: 4, columns: []Column{{"n", 23}, {"text", 25}}},
	{statements: []string{"select 7::bigint as many where false"}, columns: []Column{{"many", 20}}},
	{statements: []string{"insert into places values (2)"}, columns: nil},
	{statements: []string{"insert into places values (1)", "select 2"}, main: 1, rows: 1, columns: []Column{{"?column?", 23}}, err: "23505"}, // at the commit
	{statements: []string{"insert into places values (3)", "select 1 / 0", "select 3"}, main: 2, err: "22012"},
	{statements: []string{"insert into places values (4)", "select nothing", "select 3"}, main: 1, err: "42703"},
	{statements: []string{"select n from generate_series(1, 1000) n", "insert into places values (5) returning id"}, refuses: true, rows: 1, columns: []Column{{"n", 23}}, err: "refused"},
	{statements: []string{"select 1", "select 8 as eight"}, refuses: true, main: 1, rows: 1, err: "refused"}, // before the main one
}

var (
	errRefused = errors.New("no more rows")
	errLost    = errors.New("the connection is lost")
)

// start begins a pipeline that reports connection errors as errLost.
func start(ctx context.Context, raw *pgconn.PgConn, unprepared bool) (*Pipeline, error) {
	return Start(ctx, raw, Config{Unprepared: unprepared, Translate: func(err error) error {
		var refused *pgconn.PgError
		if err == nil || errors.Is(err, context.Canceled) || errors.As(err, &refused) {
			return err
		}
		return errLost
	}})
}

// The result of a group does not depend on the groups before it, in any order.
func TestEachGroupOfAPipelineIsATransaction(t *testing.T) {
	t.Parallel()
	for _, unprepared := range []bool{false, true} {
		raw := connect(t)
		for first := range groups {
			// The second run uses the statements that the first one prepared.
			for range 2 {
				mustExec(t, raw, "truncate places; insert into places values (1)")
				runGroups(t, raw, unprepared, slices.Concat(groups[first:], groups[:first]))
				rows := mustExec(t, raw, "select string_agg(id::text, ' ' order by id) from places")
				if got := string(rows[0].Rows[0][0]); got != "1 2 5" {
					t.Errorf("unprepared %t, from %d: the places are %s", unprepared, first, got)
				}
			}
		}
	}
}

// runGroups runs groups in one pipeline and checks their results.
func runGroups(t *testing.T, raw *pgconn.PgConn, unprepared bool, groups []group) {
	t.Helper()
	run, err := start(t.Context(), raw, unprepared)
	if err != nil {
		t.Fatal(err)
	}
	sent, rows := make([][]Sent, len(groups)), make([]int, len(groups))
	for i, group := range groups {
		run.Begin()
		for n, sql := range group.statements {
			one := run.Send("anybody", sql, nil)
			one.Main = n == group.main
			one.Scan = func([][]byte) error {
				rows[i]++
				if group.refuses {
					return errRefused
				}
				return nil
			}
			sent[i] = append(sent[i], one)
		}
	}
	if err := run.Flush(); err != nil {
		t.Fatal(err)
	}
	for i, group := range groups {
		var columns []Column
		main := &Run{Statement: Statement{Describe: func(of []Column, _ bool) { columns = slices.Clone(of) }}}
		if err := run.Read(sent[i], main); outcome(err) != group.err {
			t.Errorf("%v: error %v, want %q", group.statements, err, group.err)
		}
		if rows[i] != group.rows || !reflect.DeepEqual(columns, group.columns) {
			t.Errorf("%v: %d rows of %v, want %d of %v", group.statements, rows[i], columns, group.rows, group.columns)
		}
	}
}

func outcome(err error) string {
	var refused *pgconn.PgError
	switch {
	case err == nil:
		return ""
	case errors.Is(err, errRefused):
		return "refused"
	case errors.As(err, &refused):
		return refused.Code
	}
	return err.Error()
}

func TestCancelledStartSendsNothing(t *testing.T) {
	t.Parallel()
	raw := connect(t)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := start(ended, raw, false); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	mustExec(t, raw, "select 1")
}

func TestBrokenConnectionEndsAllGroups(t *testing.T) {
	t.Parallel()
	raw := connect(t)
	run, err := start(t.Context(), raw, false)
	if err != nil {
		t.Fatal(err)
	}
	var sent [][]Sent
	for _, sql := range []string{"select 1", "select pg_terminate_backend(pg_backend_pid())", "select 2", "select 3"} {
		run.Begin()
		sent = append(sent, []Sent{run.Send("anybody", sql, nil)})
	}
	if err := run.Flush(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "57P01", errLost.Error(), errLost.Error()} { // admin_shutdown
		if got := outcome(run.Read(sent[i], &Run{})); got != want {
			t.Errorf("group %d: error %q, want %q", i, got, want)
		}
	}
	if !raw.IsClosed() {
		t.Error("the connection is not closed")
	}
}

func TestDroppedStatementsAreClosedOnce(t *testing.T) {
	t.Parallel()
	raw := connect(t)
	for range 3 {
		runGroups(t, raw, false, groups[:2])
		CacheOf(raw).Expire()
	}
	runGroups(t, raw, false, groups[1:2])
	if left := CacheOf(raw).dropped; len(left) > 0 {
		t.Errorf("%v are not closed yet", left)
	}
	rows := mustExec(t, raw, "select count(*) from pg_prepared_statements")
	if got := string(rows[0].Rows[0][0]); got != "1" {
		t.Errorf("%s statements are prepared", got)
	}
}

// connect returns a connection to a database with the tables of these tests.
func connect(t *testing.T) *pgconn.PgConn {
	t.Helper()
	raw, err := pgconn.Connect(t.Context(), testkit.EmptyURL(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = raw.Close(context.Background()) })
	mustExec(t, raw, pipelineTables)
	return raw
}

// mustExec runs statements on a connection that must be idle.
func mustExec(t *testing.T, raw *pgconn.PgConn, sql string) []*pgconn.Result {
	t.Helper()
	if raw.TxStatus() != 'I' {
		t.Errorf("the connection is left in state %c", raw.TxStatus())
	}
	results, err := raw.Exec(t.Context(), sql).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return results
}
