-- Tables that grow with time are partitioned by it: what is old is dropped with its partition, not deleted row by row.
-- The caller of these functions owns the table.

-- The end of a partition's range; null: it has none, or is the default partition.
create function plaza.partition_end(part oid) returns timestamptz
  language sql stable
  set search_path = ''
  set timezone = 'UTC'
  as $$
    select substring(pg_catalog.pg_get_expr(c.relpartbound, c.oid) from $re$TO \('([^']+)'\)$re$)::timestamptz
    from pg_catalog.pg_class c where c.oid = part
  $$;

-- Makes a table's partitions from the step before this one to some steps ahead, each an hour, a day or a month of UTC. Where
-- one exists that ends later, the step is covered. New partitions are in the schema into_schema, or that of the table,
-- and unlogged if the default partition is. Rows of the default partition are moved into those that are made for them.
-- Writers are held up for a moment; where one would have to be waited for, it fails with 55P03 before the
-- time after which PostgreSQL looks for deadlocks and ends somebody else's transaction.
create function plaza.make_partitions(parent regclass, step text, ahead integer, into_schema name default null) returns void
  language plpgsql
  set search_path = ''
  set timezone = 'UTC'
  set lock_timeout = '0.5s'
  as $$
  declare
    names constant jsonb := '{"hour": "YYYY_MM_DD_HH24", "day": "YYYY_MM_DD", "month": "YYYY_MM"}';
    own record;
    starts timestamp;
    ends timestamp;
    part text;
  begin
    if not names ? step then
      raise exception using errcode = '22023', message = format('A partition cannot be of a %s', step), hint = 'Use hour, day or month.';
    end if;
    if not pg_try_advisory_xact_lock(hashtextextended('plaza.make_partitions', parent::oid::bigint)) then
      return; -- another server makes them
    end if;
    select coalesce(into_schema, n.nspname) as schema, c.relname as name, c.relrowsecurity as has_policies, a.attname as key,
      rest.oid::regclass as rest, case rest.relpersistence when 'u' then 'unlogged' else '' end as kind
    into strict own
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_partitioned_table p on p.partrelid = c.oid
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
    left join pg_catalog.pg_class rest on rest.oid = p.partdefid
    where c.oid = parent;
    for n in -1 .. ahead loop
      starts := date_trunc(step, localtimestamp) + n * ('1 ' || step)::interval;
      ends := starts + ('1 ' || step)::interval;
      part := format('%I.%I', own.schema, own.name || '_' || to_char(starts, names ->> step));
      continue when to_regclass(part) is not null or exists (
        select from pg_catalog.pg_inherits i where i.inhparent = parent and plaza.partition_end(i.inhrelid) > starts);
      execute format('create %s table %s (like %s including defaults including constraints)', own.kind, part, parent);
      if own.has_policies then
        execute format('alter table %s enable row level security', part);
      end if;
      if own.rest is not null then
        execute format('with moved as (delete from %1$s where %2$I >= %3$L and %2$I < %4$L returning *) insert into %5$s select * from moved',
          own.rest, own.key, starts, ends, part);
      end if;
      execute format('alter table %s attach partition %s for values from (%L) to (%L)', parent, part, starts, ends);
    end loop;
  end
  $$;

-- Drops a table's partitions that end before a time, and deletes the older rows of the default partition. Returns the number
-- of dropped partitions. One that stays in use is left for the next call.
create function plaza.drop_partitions(parent regclass, oldest timestamptz) returns integer
  language plpgsql
  set search_path = ''
  set timezone = 'UTC'
  set lock_timeout = '0.5s'
  as $$
  declare
    part regclass;
    key name;
    rest regclass;
    dropped integer := 0;
  begin
    for part in
      select i.inhrelid from pg_catalog.pg_inherits i where i.inhparent = parent and plaza.partition_end(i.inhrelid) <= oldest
    loop
      begin
        execute format('drop table %s', part);
        dropped := dropped + 1;
      exception when lock_not_available then
        null;
      end;
    end loop;
    select a.attname, nullif(p.partdefid, 0) into strict key, rest
    from pg_catalog.pg_partitioned_table p
    join pg_catalog.pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where p.partrelid = parent;
    if rest is not null then
      execute format('delete from %s where %I < %L', rest, key, oldest);
    end if;
    return dropped;
  end
  $$;

do $$
declare
  known text;
begin
  for known in select rolname from pg_catalog.pg_roles where rolname in ('postgres', 'supabase_auth_admin', 'supabase_realtime_admin') loop
    execute format('grant usage on schema plaza to %I', known);
  end loop;
end
$$;

create or replace function realtime.renew_message_partitions() returns void
  language sql security definer
  set search_path = ''
  as $$
    select plaza.make_partitions('realtime.messages', 'day', 3);
    select plaza.drop_partitions('realtime.messages', (timezone('utc', now())::date - 3)::timestamp at time zone 'utc');
  $$;

-- The audit trail of accounts, by month. Entries so far are the first partition.
set role supabase_auth_admin;
alter table auth.audit_log_entries rename to audit_log_entries_before;
update auth.audit_log_entries_before set created_at = now() where created_at is null;
alter table auth.audit_log_entries_before
  drop constraint audit_log_entries_pkey,
  alter column created_at set default now(),
  add constraint audit_log_entries_before_pkey primary key (id, created_at);
alter index auth.audit_logs_instance_id_idx rename to audit_log_entries_before_instance_id_idx;
create table auth.audit_log_entries (
  like auth.audit_log_entries_before including defaults,
  primary key (id, created_at)
) partition by range (created_at);
create index audit_logs_instance_id_idx on auth.audit_log_entries (instance_id);
-- For an account's export of its data.
create index audit_log_entries_actor_idx on auth.audit_log_entries ((payload ->> 'actor_id'));
create table auth.audit_log_entries_other partition of auth.audit_log_entries default;
do $$
declare
  next_month constant timestamptz := (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC';
begin
  execute format('alter table auth.audit_log_entries attach partition auth.audit_log_entries_before for values from (minvalue) to (%L)', next_month);
end
$$;
reset role;
grant select on auth.audit_log_entries to service_role;
