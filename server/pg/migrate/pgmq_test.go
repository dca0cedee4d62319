package migrate_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func TestPgmq(t *testing.T) {
	t.Parallel()
	conn := standIn(t, "create extension pgmq;\nselect pgmq.create('Jobs'); select pgmq.create('Jobs'); select pgmq.create_unlogged('fast');")
	for _, step := range []struct {
		query string
		want  []string
	}{
		{"select queue_name || is_unlogged || is_partitioned from pgmq.list_queues() order by is_unlogged", []string{"Jobsfalsefalse", "fasttruefalse"}},
		{`select pgmq.send('Jobs', '{"n": 1}')`, []string{"1"}},
		{`select pgmq.send('Jobs', '{"n": 2}', 60)`, []string{"2"}},
		{`select pgmq.send('Jobs', '{"n": 3}', '{"h": 1}'::jsonb, now() - interval '1 second')`, []string{"3"}},
		{`select pgmq.send_batch('Jobs', array['{"n": 4}', '{"n": 5}']::jsonb[], array['{"h": 4}', null]::jsonb[], 0)`, []string{"4", "5"}},
		{"select msg_id || ' ' || read_ct || ' ' || message || ' ' || coalesce(headers, 'null') from pgmq.read('Jobs', 30, 2)", []string{`1 1 {"n": 1} null`, `3 1 {"n": 3} {"h": 1}`}},
		{`select msg_id from pgmq.read('Jobs', 30, 9, '{"n": 5}')`, []string{"5"}},
		{"select msg_id || ' ' || headers from pgmq.pop('Jobs')", []string{`4 {"h": 4}`}},
		{"select msg_id from pgmq.pop('Jobs')", nil},
		{"select vt <= clock_timestamp() from pgmq.set_vt('Jobs', 1, 0)", []string{"t"}},
		{"select read_ct from pgmq.read_with_poll('Jobs', 30, 9, 0)", []string{"2"}},
		{"select pgmq.delete('Jobs', 1)", []string{"t"}},
		{"select pgmq.delete('Jobs', 1)", []string{"f"}},
		{"select pgmq.archive('Jobs', array[3, 5, 77])", []string{"3", "5"}},
		{"select msg_id || ' ' || message from pgmq.a_jobs order by 1", []string{`3 {"n": 3}`, `5 {"n": 5}`}},
		{"select queue_length || ' ' || queue_visible_length || ' ' || total_messages from pgmq.metrics('Jobs')", []string{"1 0 5"}},
		{"select queue_name || queue_length from pgmq.metrics_all() order by queue_length desc", []string{"Jobs1", "fast0"}},
		{"select pgmq.purge_queue('Jobs')", []string{"1"}},
		{"select pgmq.drop_queue('fast')", []string{"t"}},
		{"select pgmq.drop_queue('fast')", []string{"f"}},
		{"select to_regclass('pgmq.q_fast') is null and to_regclass('pgmq.a_fast') is null", []string{"t"}},
	} {
		if diff := cmp.Diff(step.want, lines(t, conn, step.query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.query, diff)
		}
	}
	for statement, code := range map[string]string{
		"select pgmq.create_partitioned('p')":                                      "0A000",
		"select pgmq.create(repeat('x', 48))":                                      "P0001",
		"select pgmq.create('a;b')":                                                "P0001",
		"select pgmq.send_batch('Jobs', '{}')":                                     "P0001",
		"select pgmq.send('none', '{}')":                                           "42P01",
		"set role anon; select pgmq_public.send('Jobs', '{}')":                     "42501",
		"set role anon; select pgmq.read('Jobs', 1, 1)":                            "42501",
		"set role service_role; select pgmq_public.send('Jobs', '{}'); select 1/0": "22012",
	} {
		_, err := conn.Exec(t.Context(), "reset role; "+statement, pgx.QueryExecModeSimpleProtocol)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != code {
			t.Errorf("%s: %v, want %s", statement, err, code)
		}
	}
}

// Two readers at once never have the same message, and a reader that rolls back returns its messages.
func TestPgmqReadersShareNoMessage(t *testing.T) {
	t.Parallel()
	one := standIn(t, "create extension pgmq; select pgmq.create('q'); select pgmq.send_batch('q', array['1', '2', '3']::jsonb[]);")
	two, err := pgx.ConnectConfig(t.Context(), one.Config())
	must(t, err)
	t.Cleanup(func() { _ = two.Close(context.WithoutCancel(t.Context())) })
	lines(t, one, "begin")
	lines(t, two, "set lock_timeout = '10s'")
	for _, step := range []struct {
		conn  *pgx.Conn
		query string
		want  []string
	}{
		{one, "select msg_id from pgmq.read('q', 30, 2)", []string{"1", "2"}},
		{two, "select msg_id from pgmq.pop('q')", []string{"3"}},
		{two, "select msg_id from pgmq.read('q', 30, 9)", nil},
		{one, "rollback", nil},
		{two, "select msg_id from pgmq.read('q', 30, 9)", []string{"1", "2"}},
		{one, "select msg_id from pgmq.read('q', 30, 9)", nil},
	} {
		if diff := cmp.Diff(step.want, lines(t, step.conn, step.query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.query, diff)
		}
	}
}

// A queue's listeners are notified of messages, but not of each.
func TestPgmqNotifies(t *testing.T) {
	t.Parallel()
	conn := standIn(t, "create extension pgmq; select pgmq.create('q'); select pgmq.enable_notify_insert('q', 3600000);")
	for range 2 {
		lines(t, conn, `listen "pgmq.q_q.INSERT"; select pgmq.send('q', '1')`)
	}
	lines(t, conn, "listen done; notify done")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, want := range []string{"pgmq.q_q.INSERT", "done"} {
		got, err := conn.WaitForNotification(ctx)
		must(t, err)
		if got.Channel != want {
			t.Errorf("a notification on %s, want %s", got.Channel, want)
		}
	}
}
