package cron

// maxJobs is the maximum number of jobs that are scheduled.
const maxJobs = 10000

const (
	// isStandIn reports whether pg_cron's stand-in is in the database.
	isStandIn = `select to_regprocedure('cron._parse(text)') is not null`

	// failInterrupted marks the unfinished runs of an earlier scheduler as failed.
	// Source: pg_cron's message.
	failInterrupted = `update cron.job_run_details set status = 'failed', return_message = 'server restarted', end_time = now()
		where status in ('starting', 'running')`

	selectJobs = `select j.jobid, j.command, j.database, j.username, coalesce(s.seconds, 0), coalesce(s.at_start, false), coalesce(s.minutes, 0),
			coalesce(s.hours, 0), coalesce(s.days, 0), coalesce(s.months, 0), coalesce(s.weekdays, 0), coalesce(s.any_day, false),
			coalesce(s.any_weekday, false), coalesce(s.last_day, false)
		from cron.job j cross join cron._parse(j.schedule) s
		where j.active and not s is null order by j.jobid limit $1`

	// selectLastStarts returns the last start of each job that was started since $1.
	selectLastStarts = `select jobid, max(start_time) from cron.job_run_details where start_time >= $1 group by jobid`

	insertRun = `insert into cron.job_run_details (jobid, database, username, command, status)
		values ($1, $2, $3, $4, 'starting') returning runid`
	startRun  = `update cron.job_run_details set status = 'running', job_pid = $2, start_time = now() where runid = $1`
	finishRun = `update cron.job_run_details set status = $2, return_message = $3, start_time = coalesce(start_time, now()), end_time = now()
		where runid = $1`

	// removeRuns removes up to $2 runs that began longer than $1 ago.
	removeRuns = `delete from cron.job_run_details where ctid = any (array(
			select ctid from cron.job_run_details where start_time < now() - $1::interval order by start_time limit $2))`

	selectRole = `select oid from pg_catalog.pg_roles where rolname = $1`
)
