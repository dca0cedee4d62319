-- pg_cron: jobs, their schedules and runs. package cron runs them and knows this
-- stand-in by cron._parse.
-- Source: tables, functions, grammar and messages of pg_cron 1.6.
create schema if not exists cron;
alter sequence if exists cron.job_jobid_seq rename to jobid_seq;
alter sequence if exists cron.job_run_details_runid_seq rename to runid_seq;
create sequence if not exists cron.jobid_seq;
create sequence if not exists cron.runid_seq;
create table if not exists cron.job (
  jobid bigint primary key default nextval('cron.jobid_seq'),
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport integer not null,
  database text not null default current_database(),
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  constraint jobname_username_uniq unique (jobname, username)
);
alter table cron.job alter column nodeport set default coalesce(inet_server_port(), current_setting('port')::integer);
create table if not exists cron.job_run_details (
  jobid bigint,
  runid bigint primary key default nextval('cron.runid_seq'),
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);
create index if not exists job_run_details_start_time_idx on cron.job_run_details (start_time);

-- Everybody who may use the schema has jobs of their own, and sees no others.
alter table cron.job enable row level security;
alter table cron.job_run_details enable row level security;
drop policy if exists cron_job_policy on cron.job;
create policy cron_job_policy on cron.job using (username = current_user);
drop policy if exists cron_job_run_details_policy on cron.job_run_details;
create policy cron_job_run_details_policy on cron.job_run_details using (username = current_user);
grant select, insert, update, delete on cron.job to public;
grant select, delete on cron.job_run_details to public;
grant usage on sequence cron.jobid_seq to public;
grant select on sequence cron.jobid_seq, cron.runid_seq to public;

-- A schedule: every so many seconds, at the start of the server, or in the
-- minutes whose parts are bits of the numbers.
do $$
begin
  if to_regtype('cron._schedule') is null then
    create type cron._schedule as (seconds integer, at_start boolean, minutes bigint, hours bigint, days bigint, months bigint, weekdays bigint,
      any_day boolean, any_weekday boolean, last_day boolean);
  end if;
end
$$;
create or replace function cron._parse_number(word text, low integer, names text[]) returns integer
  language sql immutable strict
  set search_path = ''
  as $$ select coalesce(array_position(names, lower(word)) + low - 1, case when word ~ '^[0-9]{1,9}$' then word::integer end) $$;
create or replace function cron._parse_field(field text, low integer, high integer, names text[] default '{}') returns bigint
  language plpgsql immutable strict
  set search_path = ''
  as $$
  declare
    item text;
    parts text[];
    first integer;
    last integer;
    step integer;
    bits bigint := 0;
  begin
    foreach item in array string_to_array(field, ',') loop
      parts := regexp_match(item, '^(?:(\*)|([0-9A-Za-z]+)(?:-([0-9A-Za-z]+))?)(?:/([0-9]{1,9}))?$');
      first := case when parts[1] = '*' then low else cron._parse_number(parts[2], low, names) end;
      last := case when parts[1] = '*' then high when parts[3] is null then first else cron._parse_number(parts[3], low, names) end;
      step := coalesce(parts[4]::integer, 1);
      if parts is null or first is null or last is null or least(first, last) < low or greatest(first, last) > high or step not between 1 and high
        or (parts[4] is not null and parts[1] is null and parts[3] is null) then
        return null;
      end if;
      for n in first..last by step loop
        bits := bits | (1::bigint << n);
      end loop;
    end loop;
    return bits;
  end
  $$;
create or replace function cron._parse(schedule text) returns cron._schedule
  language plpgsql immutable
  set search_path = ''
  as $$
  declare
    parsed cron._schedule;
    seconds integer := (regexp_match(lower(schedule), '^\s*([0-9]{1,9})\s*seconds?\s*$'))[1];
    words text[] := regexp_split_to_array(ltrim(schedule, E' \t\n'), '[ \t\n]+');
  begin
    if seconds is not null then
      parsed.seconds := seconds;
      return case when seconds between 1 and 59 then parsed end;
    elsif length(schedule) >= 1000 then
      return null;
    elsif words[1] in ('@reboot', '@restart') then
      parsed.at_start := true;
      return parsed;
    elsif words[1] like '@%' then
      words := case words[1]
        when '@yearly' then '{0,0,1,1,*}' when '@annually' then '{0,0,1,1,*}' when '@monthly' then '{0,0,1,*,*}' when '@weekly' then '{0,0,*,*,0}'
        when '@daily' then '{0,0,*,*,*}' when '@midnight' then '{0,0,*,*,*}' when '@hourly' then '{0,*,*,*,*}' end;
    end if;
    parsed.minutes := cron._parse_field(words[1], 0, 59);
    parsed.hours := cron._parse_field(words[2], 0, 23);
    parsed.last_day := words[3] = '$';
    parsed.days := case when parsed.last_day then 0 else cron._parse_field(words[3], 1, 31) end;
    parsed.months := cron._parse_field(words[4], 1, 12, '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}');
    parsed.weekdays := cron._parse_field(words[5], 0, 7, '{sun,mon,tue,wed,thu,fri,sat}');
    parsed.weekdays := parsed.weekdays | (parsed.weekdays >> 7); -- 7 is Sunday, too
    parsed.any_day := words[3] like '*%';
    parsed.any_weekday := words[5] like '*%';
    if parsed.minutes is null or parsed.hours is null or parsed.days is null or parsed.months is null or parsed.weekdays is null then
      return null;
    end if;
    return parsed;
  end
  $$;

-- What holds for every way to change a job, also for roles that pass policies.
create or replace function cron._check_job() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  declare
    is_super boolean := (select r.rolsuper from pg_catalog.pg_roles r where r.rolname = current_user);
  begin
    if tg_op <> 'INSERT' and not is_super and old.username <> current_user then
      raise exception using errcode = '42501', message = 'permission denied for table job';
    elsif tg_op = 'DELETE' then
      return old;
    elsif tg_op = 'UPDATE' and not is_super and new.username <> current_user then
      raise exception using errcode = '42501', message = 'must be superuser to alter username';
    elsif not is_super and new.username <> current_user then
      raise exception using errcode = '42501', message = 'must be superuser to create a job for another role';
    elsif cron._parse(new.schedule) is null then
      raise exception using errcode = '22023', message = 'invalid schedule: ' || new.schedule,
        hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
    elsif not exists (select from pg_catalog.pg_roles r where r.rolname = new.username) then
      raise exception using errcode = '42704', message = format('role "%s" does not exist', new.username);
    elsif not has_database_privilege(new.username, new.database, 'connect') then
      raise exception using errcode = '42501', message = format('User %s does not have CONNECT privilege on %s', new.username, new.database);
    end if;
    return new;
  end
  $$;
create or replace trigger check_job before insert or update or delete on cron.job for each row execute function cron._check_job();
create or replace function cron.job_cache_invalidate() returns trigger
  language plpgsql
  set search_path = ''
  as $$ begin perform pg_notify('plaza_extensions', 'cron'); return null; end $$;
create or replace trigger cron_job_cache_invalidate after insert or update or delete or truncate on cron.job
  for each statement execute function cron.job_cache_invalidate();
alter table cron.job enable always trigger cron_job_cache_invalidate; -- dumps are loaded with triggers off

create or replace function cron._check_login(username text) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if not (select r.rolcanlogin from pg_catalog.pg_roles r where r.rolname = username) then
      raise exception using message = format('role "%s" can not log in', username), detail = 'Jobs may only be run by roles that have the LOGIN attribute.';
    end if;
  end
  $$;
create or replace function cron.schedule_in_database(job_name text, schedule text, command text, database text, username text default null, active boolean default true) returns bigint
  language plpgsql
  set search_path = ''
  as $$
  declare
    made bigint;
  begin
    if job_name is null or schedule is null or command is null then
      raise exception using message = case when job_name is null then 'job_name' when schedule is null then 'schedule' else 'command' end || ' can not be NULL';
    end if;
    perform cron._check_login(username);
    insert into cron.job as j (jobname, schedule, command, database, username, active)
    values (job_name, schedule, command, database, coalesce(username, current_user), coalesce(active, true))
    on conflict on constraint jobname_username_uniq do update set schedule = excluded.schedule, command = excluded.command, database = excluded.database
    returning j.jobid into made;
    return made;
  end
  $$;
create or replace function cron.schedule(job_name text, schedule text, command text) returns bigint
  language plpgsql
  set search_path = ''
  as $$
  declare
    made bigint;
  begin
    if job_name is null or schedule is null or command is null then
      raise exception using message = case when job_name is null then 'job_name' when schedule is null then 'schedule' else 'command' end || ' can not be NULL';
    end if;
    insert into cron.job as j (jobname, schedule, command) values (job_name, schedule, command)
    on conflict on constraint jobname_username_uniq do update set schedule = excluded.schedule, command = excluded.command, database = excluded.database
    returning j.jobid into made;
    return made;
  end
  $$;
create or replace function cron.schedule(schedule text, command text) returns bigint
  language sql strict
  set search_path = ''
  as $$ insert into cron.job (schedule, command) values (schedule, command) returning jobid $$;
create or replace function cron.alter_job(job_id bigint, schedule text default null, command text default null, database text default null,
    username text default null, active boolean default null) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if job_id is null then
      raise exception 'job_id can not be NULL';
    elsif num_nonnulls(schedule, command, database, username, active) = 0 then
      raise exception using message = 'no updates specified', hint = 'You must specify at least one job attribute to change when calling alter_job';
    end if;
    perform cron._check_login(username);
    update cron.job j
    set schedule = coalesce(alter_job.schedule, j.schedule), command = coalesce(alter_job.command, j.command),
      database = coalesce(alter_job.database, j.database), username = coalesce(alter_job.username, j.username), active = coalesce(alter_job.active, j.active)
    where j.jobid = job_id;
    if not found then
      raise exception 'Job % does not exist or you don''t own it', job_id;
    end if;
  end
  $$;
create or replace function cron.unschedule(job_id bigint) returns boolean
  language plpgsql strict
  set search_path = ''
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
  language plpgsql strict
  set search_path = ''
  as $$
  begin
    delete from cron.job where jobname = job_name and username = current_user;
    if not found then
      raise exception 'could not find valid entry for job ''%''', job_name;
    end if;
    return true;
  end
  $$;
revoke execute on function cron.schedule_in_database(text, text, text, text, text, boolean), cron.alter_job(bigint, text, text, text, text, boolean) from public;
notify plaza_extensions, 'cron';
