-- pg_cron's tables and functions; nothing here runs the jobs.
create schema if not exists cron;
create table if not exists cron.job (
  jobid bigserial primary key,
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport integer not null default 5432,
  database text not null default current_database(),
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  unique (jobname, username)
);
create table if not exists cron.job_run_details (
  jobid bigint,
  runid bigserial primary key,
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);
create or replace function cron.schedule(job_name text, schedule text, command text) returns bigint
  language sql
  as $$
    insert into cron.job (jobname, schedule, command) values (job_name, schedule, command)
    on conflict (jobname, username) do update set schedule = excluded.schedule, command = excluded.command
    returning jobid
  $$;
create or replace function cron.schedule(schedule text, command text) returns bigint
  language sql
  as $$ insert into cron.job (schedule, command) values (schedule, command) returning jobid $$;
create or replace function cron.schedule_in_database(job_name text, schedule text, command text, database text, username text default null, active boolean default true) returns bigint
  language sql
  as $$
    insert into cron.job (jobname, schedule, command, database, username, active)
    values (job_name, schedule, command, database, coalesce(username, current_user), active)
    on conflict (jobname, username) do update set schedule = excluded.schedule, command = excluded.command, database = excluded.database, active = excluded.active
    returning jobid
  $$;
create or replace function cron.alter_job(job_id bigint, schedule text default null, command text default null, database text default null,
    username text default null, active boolean default null) returns void
  language sql
  as $$
    update cron.job j
    set schedule = coalesce(alter_job.schedule, j.schedule), command = coalesce(alter_job.command, j.command),
      database = coalesce(alter_job.database, j.database), username = coalesce(alter_job.username, j.username), active = coalesce(alter_job.active, j.active)
    where j.jobid = job_id
  $$;
create or replace function cron.unschedule(job_id bigint) returns boolean
  language plpgsql
  as $$
  begin
    delete from cron.job where jobid = job_id;
    if not found then
      raise exception 'could not find valid entry for job %', job_id;
    end if;
    return true;
  end
  $$;
create or replace function cron.unschedule(job_name text) returns boolean
  language plpgsql
  as $$
  begin
    delete from cron.job where jobname = job_name;
    if not found then
      raise exception 'could not find valid entry for job ''%''', job_name;
    end if;
    return true;
  end
  $$;
