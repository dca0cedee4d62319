-- Background jobs: which server runs each, and how its last run ended. Package server/jobs
-- has the rules. All times are this database's.
create table plaza.job_servers (
  id uuid primary key,
  name text not null,
  beats bigint not null default 0,
  seen_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50); -- a heartbeat finds room in the page, and changes no index
comment on table plaza.job_servers is 'Running servers. Each counts its heartbeats; one whose count stands still has ended, and another server deletes its row.';

create table plaza.jobs (
  name text primary key,
  server uuid references plaza.job_servers (id) on delete set null,
  since timestamptz,
  last_started timestamptz,
  last_ended timestamptz,
  last_success timestamptz,
  last_error text,
  runs bigint not null default 0,
  failures bigint not null default 0
);
create index jobs_server on plaza.jobs (server);
comment on table plaza.jobs is 'Background jobs. Only the server in the column server runs a job at its intervals; null means none does.';

revoke all on plaza.job_servers, plaza.jobs from public;
do $$
begin
  -- Servers sign in as postgres, which does not own what a superuser creates.
  if exists (select from pg_catalog.pg_roles where rolname = 'postgres') then
    grant usage on schema plaza to postgres;
    grant select, insert, update, delete on plaza.job_servers, plaza.jobs to postgres;
  end if;
end
$$;
