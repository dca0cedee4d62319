package extensions_test

import (
	"context"
	"strings"
	"testing"

	"plaza/server/extensions"
	"plaza/tests/testkit"
)

const withCron = "create extension pg_cron;"

// Source of the cases: pg_cron's own tests, and its grammar.
func TestSchedules(t *testing.T) {
	t.Parallel()
	d := open(t, withCron)
	for schedule, want := range map[string]string{
		"5 seconds":            "(5,,,,,,,,,)",
		" 30 sEcOnDs ":         "(30,,,,,,,,,)",
		"@reboot":              "(,t,,,,,,,,)",
		"0 10 * * *":           "(,,1,1024,4294967294,8190,255,t,t,f)",
		"*/20 1-5/2 1,15 * *":  "(,,1099512676353,42,32770,8190,255,f,t,f)",
		"0 0 $ jan-Mar sun":    "(,,1,1,0,14,1,f,f,t)",
		"0 0 * * 7":            "(,,1,1,4294967294,8190,129,t,f,f)",
		"0 0 */2 * 5":          "(,,1,1,2863311530,8190,32,t,f,f)",
		"@hourly":              "(,,1,16777215,4294967294,8190,255,t,t,f)",
		"@yearly":              "(,,1,1,2,2,255,f,t,f)",
		"  59 23 31 12 6 rest": "(,,576460752303423488,8388608,2147483648,4096,64,f,f,f)",
		"* * * *":              "null", "5 secondc": "null", "50 seconds c": "null", "*/0 10 * * *": "null", "-1 * * * *": "null", "*/60 10 * * *": "null",
		"* * * 13 *": "null", "* * * 0 *": "null", "*/5000000000 10 * * *": "null", "0 seconds": "null", "60 seconds": "null", "10000000000 seconds": "null",
		"@restar": "null", "1/20 * * * *": "null", "60 * * * *": "null", "* * 0 * *": "null", "* * * * 8": "null", "1, * * * *": "null", "": "null", "* * $ $ *": "null",
	} {
		if got := d.value("select cron._parse($1)", schedule); got != want {
			t.Errorf("%q: %s, want %s", schedule, got, want)
		}
	}
	if got := d.value("select cron._parse(repeat('1', 1000) || ' * * * *')"); got != "null" {
		t.Errorf("a long schedule: %s", got)
	}
}

func TestJobsBelongToRoles(t *testing.T) {
	t.Parallel()
	d := open(t, withCron+`
		grant usage on schema cron to authenticated, service_role;
		grant execute on all functions in schema cron to authenticated, service_role;
		select cron.schedule('his', '0 0 * * *', 'select 1');`)
	for _, c := range []struct{ role, statement, want string }{
		{"authenticated", "select cron.schedule('mine', '0 0 * * *', 'select 1')", ""},
		{"authenticated", "select cron.schedule('mine', '5 0 * * *', 'select 2')", ""},
		{"authenticated", "select cron.schedule('bad', '0 0 * *', 'select 2')", "invalid schedule: 0 0 * *"},
		{"authenticated", "select cron.schedule(null, '0 0 * *', 'select 2')", "job_name can not be NULL"},
		{"authenticated", "select cron.schedule_in_database('x', '0 0 * * *', 'select 1', current_database(), 'supabase_admin')", "must be superuser to create a job for another role"},
		{"authenticated", "select cron.schedule_in_database('x', '0 0 * * *', 'select 1', 'nowhere')", `database "nowhere" does not exist`},
		{"authenticated", "select cron.unschedule('his')", "could not find valid entry for job 'his'"},
		{"authenticated", "select cron.unschedule(1)", "could not find valid entry for job 1"},
		{"authenticated", "select cron.alter_job(1, active => false)", "Job 1 does not exist or you don't own it"},
		{"authenticated", "select cron.alter_job(1)", "no updates specified"},
		// service_role passes policies.
		{"service_role", "insert into cron.job (schedule, command, username) values ('0 0 * * *', 'select 1', 'supabase_admin')", "must be superuser to create a job for another role"},
		{"service_role", "update cron.job set command = 'select 2'", "permission denied for table job"},
		{"service_role", "delete from cron.job", "permission denied for table job"},
		{"supabase_admin", "select cron.schedule_in_database('x', '0 0 * * *', 'select 1', current_database(), 'anon')", `role "anon" can not log in`},
		{"supabase_admin", "select cron.alter_job(1, username => 'nobody-here')", `role "nobody-here" does not exist`},
		{"supabase_admin", "select cron.unschedule(1)", ""},
	} {
		_, err := d.db.Exec(t.Context(), "begin; set local role "+c.role+"; "+c.statement+"; commit")
		switch {
		case err == nil && c.want != "", err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s as %s: %v, want %q", c.statement, c.role, err, c.want)
		}
		d.db.Reset()
	}
	if got := d.value("select string_agg(concat_ws(' ', jobname, schedule, command, username), ',') from cron.job"); got != "mine 5 0 * * * select 2 authenticated" {
		t.Errorf("jobs: %s", got)
	}
}

func TestJobsRun(t *testing.T) {
	t.Parallel()
	d := open(t, withCron+`
		create table ran (what text, who text);
		create role cron_test_owner; grant insert, select on ran to cron_test_owner; grant usage on schema cron to cron_test_owner;
		create table hidden (a int); insert into hidden values (1);`)
	t.Cleanup(func() {
		if _, err := testkit.Open(t, d.url).Exec(context.Background(), "drop owned by cron_test_owner; drop role cron_test_owner"); err != nil {
			t.Error(err)
		}
	})
	d.serve(nil, development)
	for name, c := range map[string]struct{ command, want string }{
		"rows":        {"select 1 union all select 2", "succeeded 2 rows"},
		"one row":     {"select 1", "succeeded 1 row"},
		"two":         {"insert into ran values ('a', current_user); delete from ran where false", "succeeded DELETE 0"},
		"vacuum":      {"vacuum ran", "succeeded VACUUM"},
		"error":       {"select 1/0", "failed ERROR:  division by zero\n"},
		"copy":        {"copy ran from stdin", "failed ERROR:  COPY from stdin failed: COPY not supported\nCONTEXT:  COPY ran, line 1\n"},
		"nothing":     {"", "succeeded 0 rows"},
		"transaction": {"begin; create table made (); commit", "succeeded COMMIT"},
	} {
		d.exec("select cron.schedule($1, '1 second', $2)", name, c.command)
		d.eventually("select max(status || ' ' || return_message) from cron.job_run_details d join cron.job j using (jobid) where jobname = '"+name+"' and end_time is not null and job_pid is not null", c.want)
		d.exec("select cron.unschedule($1)", name)
	}
	// A job of a role that cannot sign in itself, and that tries to become another one.
	d.exec("set role cron_test_owner; select cron.schedule('his', '1 second', 'insert into ran values (''b'', current_user); reset role; reset session authorization; select * from hidden'); reset role")
	d.eventually("select max(status || ' ' || return_message) from cron.job_run_details where username = 'cron_test_owner' and status = 'failed'", "failed ERROR:  permission denied for table hidden\n")
	d.eventually("select count(*) from ran where what = 'b'", "0") // one transaction
	d.exec("delete from cron.job")
	d.exec("select cron.schedule('elsewhere', '1 second', 'select 1'); update cron.job set database = 'postgres' where jobname = 'elsewhere'")
	d.eventually("select max(return_message) from cron.job_run_details where database = 'postgres'", "1 row")
}

// One of two servers runs the jobs, and the other takes over. Runs that the first has not finished are marked as failed.
func TestOneServerOfSeveralRunsJobs(t *testing.T) {
	t.Parallel()
	d := open(t, withCron+`
		create table ran (a int);
		select cron.schedule('hold', '1 second', 'insert into ran values (1); select pg_sleep(3600)');
		insert into cron.job_run_details (runid, status) values (-1, 'running');`)
	first := d.serve(nil, development)
	d.eventually("select count(*) from cron.job_run_details where status = 'running' and runid > 0", "1")
	d.eventually("select return_message from cron.job_run_details where runid = -1", "server restarted")
	d.serve(nil, development)
	d.eventually("select count(*) from pg_stat_activity where datname = current_database() and application_name = 'plaza plaza_extensions'", "2")
	d.exec("select cron.schedule('tick', '1 second', 'select 1')")
	d.eventually("select count(*) > 2 from cron.job_run_details join cron.job using (jobid) where jobname = 'tick'", "true")
	d.exec("select cron.unschedule('tick')")
	if got := d.value("select count(*) from pg_stat_activity where datname = current_database() and application_name = 'pg_cron' and query like '%3600%'"); got != "1" {
		t.Errorf("%s runs at once, want 1: a job does not overlap with itself", got)
	}
	first()
	d.eventually("select status || ' ' || return_message from cron.job_run_details where runid = (select min(runid) from cron.job_run_details where command like '%3600%')",
		"failed ERROR:  canceling statement due to user request\n")
	d.eventually("select count(*) from ran", "0") // the statements of a run are one transaction
	d.eventually("select count(*) from pg_stat_activity where datname = current_database() and application_name = 'pg_cron'", "1")
	d.exec("select cron.unschedule('hold')")
	d.eventually("select return_message from cron.job_run_details where command like '%3600%' order by runid desc limit 1", "job canceled")
}

func TestConcurrentJobsAreLimited(t *testing.T) {
	t.Parallel()
	d := open(t, withCron+"select cron.schedule('j' || n, '@reboot', 'select pg_sleep(3600)') from generate_series(1, 5) n;")
	d.exec("insert into cron.job_run_details (runid, start_time) values (-1, now() - interval '8 days')")
	d.serve(func(c *extensions.Config) { c.Cron.MaxRunning = 2 }, development)
	d.eventually("select count(*) from cron.job_run_details where status = 'running'", "2")
	if got := d.value("select count(*) from cron.job_run_details"); got != "2" {
		t.Errorf("%s runs are recorded, want 2: the others wait, and old ones are removed", got)
	}
}

// A project may create the extension while the server runs.
func TestJobsOfALaterMigration(t *testing.T) {
	t.Parallel()
	d := open(t, "")
	d.serve(nil, development)
	d.eventually("select count(*) from pg_stat_activity where datname = current_database() and application_name = 'plaza plaza_extensions'", "1")
	d.migrate("20250102000000_b.sql", withCron+"select cron.schedule('a', '1 second', 'select 1')")
	d.eventually("select min(status) from cron.job_run_details", "succeeded")
}
