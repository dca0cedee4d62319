-- pgmq: queues in tables.
-- Source: schema, tables, functions and messages of pgmq 1.5; notifications of 1.7.
create schema if not exists pgmq;
create table if not exists pgmq.meta (
  queue_name varchar unique not null,
  is_partitioned boolean not null,
  is_unlogged boolean not null,
  created_at timestamptz not null default now()
);
create table if not exists pgmq.notify_insert_throttle (
  queue_name varchar primary key references pgmq.meta (queue_name) on delete cascade,
  throttle_interval_ms integer not null check (throttle_interval_ms >= 0),
  last_notified_at timestamptz not null default '-infinity'
);
do $$
begin
  if to_regtype('pgmq.message_record') is null then
    create type pgmq.message_record as (msg_id bigint, read_ct integer, enqueued_at timestamptz, vt timestamptz, message jsonb, headers jsonb);
    create type pgmq.queue_record as (queue_name varchar, is_partitioned boolean, is_unlogged boolean, created_at timestamptz);
    create type pgmq.metrics_result as (queue_name text, queue_length bigint, newest_msg_age_sec integer, oldest_msg_age_sec integer, total_messages bigint,
      scrape_time timestamptz, queue_visible_length bigint);
  end if;
end
$$;
-- As on Supabase: who else may use a queue is granted by its table, for which policies may be made, too.
grant usage on schema pgmq to anon, authenticated, service_role;
grant all on all tables in schema pgmq to service_role;
grant usage, select, update on all sequences in schema pgmq to anon, authenticated, service_role;
alter default privileges in schema pgmq grant all on tables to service_role;
alter default privileges in schema pgmq grant usage, select, update on sequences to anon, authenticated, service_role;

create or replace function pgmq.validate_queue_name(queue_name text) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if queue_name is null or queue_name = '' then
      raise exception 'queue name must not be empty';
    elsif length(queue_name) > 47 then
      raise exception 'queue name is too long, maximum length is 47 characters';
    end if;
  end
  $$;
-- The table of a queue (prefix q) or of its archive (prefix a).
create or replace function pgmq.format_table_name(queue_name text, prefix text) returns text
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    if queue_name ~ '\$|;|--|''' then
      raise exception 'queue name contains invalid characters: $, ;, --, or \''';
    end if;
    return lower(prefix || '_' || queue_name);
  end
  $$;
create or replace function pgmq._create(queue_name text, persistence text) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    queue text := pgmq.format_table_name(queue_name, 'q');
    archive text := pgmq.format_table_name(queue_name, 'a');
  begin
    perform pgmq.validate_queue_name(queue_name);
    perform pg_advisory_xact_lock(hashtext('pgmq.queue_' || lower(queue_name)));
    execute format('create %s table if not exists pgmq.%I (msg_id bigint primary key generated always as identity, read_ct integer not null default 0,
      enqueued_at timestamptz not null default now(), vt timestamptz not null, message jsonb, headers jsonb)', persistence, queue);
    execute format('create table if not exists pgmq.%I (msg_id bigint primary key, read_ct integer not null default 0,
      enqueued_at timestamptz not null default now(), archived_at timestamptz not null default now(), vt timestamptz not null, message jsonb, headers jsonb)', archive);
    execute format('create index if not exists %I on pgmq.%I (vt asc)', queue || '_vt_idx', queue);
    execute format('create index if not exists %I on pgmq.%I (archived_at)', 'archived_at_idx_' || lower(queue_name), archive);
    insert into pgmq.meta (queue_name, is_partitioned, is_unlogged) values (_create.queue_name, false, persistence <> '') on conflict do nothing;
  end
  $$;
create or replace function pgmq.create(queue_name text) returns void language sql set search_path = '' as $$ select pgmq._create(queue_name, '') $$;
create or replace function pgmq.create_non_partitioned(queue_name text) returns void language sql set search_path = '' as $$ select pgmq._create(queue_name, '') $$;
create or replace function pgmq.create_unlogged(queue_name text) returns void language sql set search_path = '' as $$ select pgmq._create(queue_name, 'unlogged') $$;
create or replace function pgmq.create_partitioned(queue_name text, partition_interval text default '10000', retention_interval text default '100000') returns void
  language plpgsql
  as $$ begin raise exception using errcode = '0A000', message = 'pg_partman is required for partitioned queues', hint = 'pgmq.create makes a queue without partitions.'; end $$;
create or replace function pgmq.convert_archive_partitioned(table_name text, partition_interval text default '10000', retention_interval text default '100000', leading_partition integer default 10) returns void
  language plpgsql
  as $$ begin raise exception using errcode = '0A000', message = 'pg_partman is required for partitioned queues'; end $$;
create or replace function pgmq.drop_queue(queue_name text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform pg_advisory_xact_lock(hashtext('pgmq.queue_' || lower(queue_name)));
    delete from pgmq.meta m where m.queue_name = drop_queue.queue_name;
    if not found then
      raise notice 'pgmq queue `%` does not exist', queue_name;
      return false;
    end if;
    execute format('drop table if exists pgmq.%I, pgmq.%I', pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a'));
    return true;
  end
  $$;
create or replace function pgmq.drop_queue(queue_name text, partitioned boolean) returns boolean language sql set search_path = '' as $$ select pgmq.drop_queue(queue_name) $$;
-- An archive belongs to no extension here, so there is nothing to detach it from.
create or replace function pgmq.detach_archive(queue_name text) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if to_regclass(format('pgmq.%I', pgmq.format_table_name(queue_name, 'a'))) is null then
      raise exception 'archive of queue "%" does not exist', queue_name;
    end if;
  end
  $$;
create or replace function pgmq.list_queues() returns setof pgmq.queue_record
  language sql
  set search_path = ''
  as $$ select m.queue_name, m.is_partitioned, m.is_unlogged, m.created_at from pgmq.meta m $$;

-- Sending. A batch has one header for each message, or none.
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz) returns setof bigint
  language plpgsql
  set search_path = ''
  as $$
  begin
    if msgs is null or array_length(msgs, 1) is null then
      raise exception 'msgs cannot be NULL or empty';
    elsif headers is not null and array_length(headers, 1) is distinct from array_length(msgs, 1) then
      raise exception 'headers and msgs must have the same length';
    end if;
    return query execute format('insert into pgmq.%I (vt, message, headers) select $3, m.message, $2[m.place] from unnest($1) with ordinality m (message, place) order by m.place returning msg_id',
      pgmq.format_table_name(queue_name, 'q')) using msgs, headers, delay;
  end
  $$;
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer) returns setof bigint
  language sql
  set search_path = ''
  as $$ select pgmq.send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay)) $$;
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) returns setof bigint language sql set search_path = '' as $$ select pgmq.send_batch(queue_name, msgs, null, delay) $$;
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer) returns setof bigint language sql set search_path = '' as $$ select pgmq.send_batch(queue_name, msgs, null, delay) $$;
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[]) returns setof bigint language sql set search_path = '' as $$ select pgmq.send_batch(queue_name, msgs, headers, clock_timestamp()) $$;
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint language sql set search_path = '' as $$ select pgmq.send_batch(queue_name, msgs, null, clock_timestamp()) $$;
create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz) returns setof bigint
  language sql
  set search_path = ''
  as $$ select pgmq.send_batch(queue_name, array[msg], array[headers], delay) $$;
create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer) returns setof bigint language sql set search_path = '' as $$ select pgmq.send_batch(queue_name, array[msg], array[headers], delay) $$;
create or replace function pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint language sql set search_path = '' as $$ select pgmq.send_batch(queue_name, array[msg], null, delay) $$;
create or replace function pgmq.send(queue_name text, msg jsonb, delay integer) returns setof bigint language sql set search_path = '' as $$ select pgmq.send_batch(queue_name, array[msg], null, delay) $$;
create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb) returns setof bigint language sql set search_path = '' as $$ select pgmq.send_batch(queue_name, array[msg], array[headers], clock_timestamp()) $$;
create or replace function pgmq.send(queue_name text, msg jsonb) returns setof bigint language sql set search_path = '' as $$ select pgmq.send_batch(queue_name, array[msg], null, clock_timestamp()) $$;

-- Reading. Rows that another transaction reads are skipped, so no message is read twice.
create or replace function pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb default '{}') returns setof pgmq.message_record
  language plpgsql
  set search_path = ''
  as $$
  begin
    return query execute format($q$
      with visible as (
        select msg_id from pgmq.%1$I where vt <= clock_timestamp() and ($3 = '{}' or message @> $3) order by msg_id limit $1 for update skip locked
      ), taken as (
        update pgmq.%1$I m set vt = clock_timestamp() + make_interval(secs => $2), read_ct = m.read_ct + 1
        from visible v where m.msg_id = v.msg_id
        returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers
      )
      select * from taken order by msg_id
      $q$, pgmq.format_table_name(queue_name, 'q')) using qty, vt, coalesce(conditional, '{}');
  end
  $$;
create or replace function pgmq.read_with_poll(queue_name text, vt integer, qty integer, max_poll_seconds integer default 5, poll_interval_ms integer default 100, conditional jsonb default '{}')
  returns setof pgmq.message_record
  language plpgsql
  set search_path = ''
  as $$
  declare
    stop_at timestamptz := clock_timestamp() + make_interval(secs => max_poll_seconds);
  begin
    loop
      return query select r.* from pgmq.read(queue_name, vt, qty, conditional) r;
      if found or clock_timestamp() >= stop_at then
        return;
      end if;
      perform pg_sleep(greatest(poll_interval_ms, 1) / 1000.0);
    end loop;
  end
  $$;
create or replace function pgmq.pop(queue_name text) returns setof pgmq.message_record
  language plpgsql
  set search_path = ''
  as $$
  begin
    return query execute format('delete from pgmq.%1$I where msg_id = (select msg_id from pgmq.%1$I where vt <= clock_timestamp() order by msg_id limit 1 for update skip locked)
      returning msg_id, read_ct, enqueued_at, vt, message, headers', pgmq.format_table_name(queue_name, 'q'));
  end
  $$;
create or replace function pgmq.set_vt(queue_name text, msg_id bigint, vt integer) returns setof pgmq.message_record
  language plpgsql
  set search_path = ''
  as $$
  begin
    return query execute format('update pgmq.%I set vt = clock_timestamp() + make_interval(secs => $2) where msg_id = $1
      returning msg_id, read_ct, enqueued_at, vt, message, headers', pgmq.format_table_name(queue_name, 'q')) using msg_id, vt;
  end
  $$;
create or replace function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint
  language plpgsql
  set search_path = ''
  as $$ begin return query execute format('delete from pgmq.%I where msg_id = any ($1) returning msg_id', pgmq.format_table_name(queue_name, 'q')) using msg_ids; end $$;
create or replace function pgmq.delete(queue_name text, msg_id bigint) returns boolean
  language sql
  set search_path = ''
  as $$ select exists (select from pgmq.delete(queue_name, array[msg_id])) $$;
create or replace function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint
  language plpgsql
  set search_path = ''
  as $$
  begin
    return query execute format('with taken as (delete from pgmq.%I where msg_id = any ($1) returning msg_id, vt, read_ct, enqueued_at, message, headers)
      insert into pgmq.%I (msg_id, vt, read_ct, enqueued_at, message, headers) select msg_id, vt, read_ct, enqueued_at, message, headers from taken returning msg_id',
      pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a')) using msg_ids;
  end
  $$;
create or replace function pgmq.archive(queue_name text, msg_id bigint) returns boolean
  language sql
  set search_path = ''
  as $$ select exists (select from pgmq.archive(queue_name, array[msg_id])) $$;
create or replace function pgmq.purge_queue(queue_name text) returns bigint
  language plpgsql
  set search_path = ''
  as $$
  declare
    removed bigint;
    queue text := pgmq.format_table_name(queue_name, 'q');
  begin
    execute format('select count(*) from pgmq.%I', queue) into removed;
    execute format('truncate table pgmq.%I', queue);
    return removed;
  end
  $$;

create or replace function pgmq.metrics(queue_name text) returns pgmq.metrics_result
  language plpgsql
  set search_path = ''
  as $$
  declare
    result pgmq.metrics_result;
    queue text := pgmq.format_table_name(queue_name, 'q');
  begin
    execute format('select $1, count(*), extract(epoch from now() - max(enqueued_at))::integer, extract(epoch from now() - min(enqueued_at))::integer, null::bigint, now(),
      count(*) filter (where vt <= now()) from pgmq.%I', queue) into result using queue_name;
    result.total_messages := coalesce(pg_sequence_last_value(pg_get_serial_sequence(format('pgmq.%I', queue), 'msg_id')::regclass), 0);
    return result;
  end
  $$;
create or replace function pgmq.metrics_all() returns setof pgmq.metrics_result
  language sql
  set search_path = ''
  as $$ select m.* from pgmq.meta q, pgmq.metrics(q.queue_name) m $$;

-- Notifications on the channel pgmq.q_<queue>.INSERT, not more often than the interval allows.
create or replace function pgmq.notify_queue_listeners() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    due boolean;
  begin
    select clock_timestamp() >= t.last_notified_at + make_interval(secs => t.throttle_interval_ms / 1000.0) into due
    from pgmq.notify_insert_throttle t where pgmq.format_table_name(t.queue_name, 'q') = tg_table_name for update skip locked;
    if due then
      update pgmq.notify_insert_throttle t set last_notified_at = clock_timestamp() where pgmq.format_table_name(t.queue_name, 'q') = tg_table_name;
      perform pg_notify('pgmq.' || tg_table_name || '.' || tg_op, null);
    end if;
    return null;
  end
  $$;
create or replace function pgmq.enable_notify_insert(queue_name text, throttle_interval_ms integer default 250) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if not exists (select from pgmq.meta m where m.queue_name = enable_notify_insert.queue_name) then
      raise exception 'queue "%" does not exist', queue_name;
    end if;
    insert into pgmq.notify_insert_throttle as t (queue_name, throttle_interval_ms) values (enable_notify_insert.queue_name, enable_notify_insert.throttle_interval_ms)
    on conflict on constraint notify_insert_throttle_pkey do update set throttle_interval_ms = excluded.throttle_interval_ms, last_notified_at = '-infinity';
    execute format('create or replace trigger trigger_notify_queue_insert_listeners after insert on pgmq.%I for each statement execute function pgmq.notify_queue_listeners()',
      pgmq.format_table_name(queue_name, 'q'));
  end
  $$;
create or replace function pgmq.disable_notify_insert(queue_name text) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    delete from pgmq.notify_insert_throttle t where t.queue_name = disable_notify_insert.queue_name;
    execute format('drop trigger if exists trigger_notify_queue_insert_listeners on pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  end
  $$;
