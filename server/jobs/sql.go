package jobs

const (
	// forgetJobs removes jobs that no server has run for long, such as those of former versions.
	forgetJobs = `delete from plaza.jobs where server is null and coalesce(last_ended, since) < now() - interval '30 days'`

	// sendBeat counts a heartbeat of the server $1, which is added if it is not there, and returns when
	// PostgreSQL was started, the counts of the other servers, and the jobs $3 with their server and the
	// seconds since their last success. It does not wait for the disk: a lost heartbeat is one that failed.
	sendBeat = `with own as (
			insert into plaza.job_servers as s (id, name) values ($1::uuid, $2)
			on conflict (id) do update set beats = s.beats + 1, seen_at = clock_timestamp() returning 1)
		select set_config('synchronous_commit', 'off', true), pg_postmaster_start_time()::text,
			coalesce((select json_object_agg(id, beats) from plaza.job_servers where id <> $1::uuid), '{}'),
			coalesce((select json_object_agg(name, json_build_object('server', server, 'success_age', extract(epoch from clock_timestamp() - last_success)))
				from plaza.jobs where name = any($3::text[])), '{}')`

	// removeServer removes a server whose count still is $2. Its jobs are free then.
	removeServer = `delete from plaza.job_servers where id = $1::uuid and beats = $2 returning name`

	// takeJobs makes the server $1 the leader of each of the jobs $2 that is free, and returns these, with the
	// seconds since their last start, or null if they are due: after a run that has failed, or none.
	takeJobs = `insert into plaza.jobs as j (name, server, since) select unnest($2::text[]), $1::uuid, clock_timestamp()
		on conflict (name) do update set server = excluded.server, since = excluded.since where j.server is null
		returning name, case when last_error is null then extract(epoch from clock_timestamp() - last_started)::float8 end`

	// storeOutcomes adds the outcomes of runs to the jobs $1. Times are given as seconds ago; null leaves them.
	storeOutcomes = `update plaza.jobs j set runs = j.runs + o.runs, failures = j.failures + o.failures,
			last_started = coalesce(clock_timestamp() - make_interval(secs => o.started), j.last_started),
			last_ended = coalesce(clock_timestamp() - make_interval(secs => o.ended), j.last_ended),
			last_success = coalesce(clock_timestamp() - make_interval(secs => o.worked), j.last_success),
			last_error = case when o.ended is null then j.last_error else nullif(o.error, '') end
		from unnest($1::text[], $2::bigint[], $3::bigint[], $4::float8[], $5::float8[], $6::float8[], $7::text[])
			as o (name, runs, failures, started, ended, worked, error)
		where j.name = o.name`

	// leave removes a server that stops.
	leave = `delete from plaza.job_servers where id = $1::uuid`

	list = `select j.name, coalesce(s.name, ''), case when s.id is not null then j.since end, j.last_started, j.last_ended, j.last_success,
			coalesce(j.last_error, ''), j.runs, j.failures
		from plaza.jobs j left join plaza.job_servers s on s.id = j.server order by j.name`
)
