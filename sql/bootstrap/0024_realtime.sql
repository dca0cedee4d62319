-- Realtime's messages: policies on them decide who may listen and send on a private channel,
-- and what is inserted is sent to those who listen. The names are upstream's.
do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'supabase_realtime_admin') then
    create role supabase_realtime_admin nologin noinherit;
  end if;
exception when duplicate_object or unique_violation then
  null; -- another migrator was faster
end
$$;
grant supabase_realtime_admin to current_user;
grant usage, create on schema realtime to supabase_realtime_admin;

-- A project folder has made the table without partitions, before the platform made it.
do $$
begin
  if to_regclass('realtime.messages') is not null then
    alter table realtime.messages rename to messages_before;
    alter table realtime.messages_before rename constraint messages_pkey to messages_before_pkey;
  end if;
end
$$;

create table realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default timezone('utc', now()),
  inserted_at timestamp not null default timezone('utc', now()),
  id uuid not null default gen_random_uuid(),
  binary_payload bytea,
  primary key (id, inserted_at),
  constraint messages_payload_exclusive check (payload is null or binary_payload is null)
) partition by range (inserted_at);
create index messages_inserted_at_topic_index on realtime.messages (inserted_at desc, topic)
  where extension = 'broadcast' and private;
alter table realtime.messages enable row level security;
alter table realtime.messages owner to supabase_realtime_admin;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
comment on table realtime.messages is
  'Broadcasts from the database, kept for three days. SELECT policies decide who may listen on a private channel, INSERT policies who may send.';

-- Makes the partitions from yesterday to three days ahead and drops those whose messages are
-- all older than three days. Servers call it when they start and every hour. Senders are not
-- held up: attaching a partition allows inserts, and dropping one does not wait for long.
create function realtime.renew_message_partitions() returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    today constant date := timezone('utc', clock_timestamp())::date;
    day date;
    name text;
  begin
    -- One server at a time.
    perform pg_advisory_xact_lock(hashtext('realtime.renew_message_partitions'));
    for day in select today + n from generate_series(-1, 3) n loop
      name := 'messages_' || to_char(day, 'YYYY_MM_DD');
      if to_regclass(format('realtime.%I', name)) is null then
        execute format('create table realtime.%I (like realtime.messages including defaults including constraints)', name);
        execute format('alter table realtime.%I enable row level security', name);
        execute format('alter table realtime.messages attach partition realtime.%I for values from (%L) to (%L)', name, day, day + 1);
      end if;
    end loop;
    set local lock_timeout = '1s';
    for name in
      select c.relname from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'realtime.messages'::regclass and c.relname ~ '^messages_\d{4}_\d{2}_\d{2}$'
        and to_date(right(c.relname, 10), 'YYYY_MM_DD') < today - 3
    loop
      begin
        execute format('drop table realtime.%I', name);
      exception when lock_not_available then
        null; -- the next call tries again
      end;
    end loop;
  end
  $$;
alter function realtime.renew_message_partitions() owner to supabase_realtime_admin;
revoke execute on function realtime.renew_message_partitions() from public;
select realtime.renew_message_partitions();

-- Policies and messages of the table that a project folder has made.
do $$
declare
  p record;
begin
  if to_regclass('realtime.messages_before') is null then
    return;
  end if;
  for p in select * from pg_catalog.pg_policies where schemaname = 'realtime' and tablename = 'messages_before' loop
    execute format('create policy %I on realtime.messages as %s for %s to %s', p.policyname, p.permissive, p.cmd,
        (select string_agg(case role when 'public' then 'public' else quote_ident(role) end, ', ') from unnest(p.roles) role))
      || coalesce(' using (' || p.qual || ')', '') || coalesce(' with check (' || p.with_check || ')', '');
  end loop;
  insert into realtime.messages (topic, extension, payload, event, private, updated_at, inserted_at, id)
    select topic, extension, payload, event, private, updated_at, inserted_at, id from realtime.messages_before
    where inserted_at >= timezone('utc', now())::date - 1;
  drop table realtime.messages_before;
end
$$;

create or replace function realtime.topic() returns text
  language sql stable
  as $$ select nullif(current_setting('realtime.topic', true), '') $$;

create function realtime.send_message(p_payload jsonb, p_bytes bytea, p_event text, p_topic text, p_private boolean) returns void
  language plpgsql
  as $$
  declare
    message_id constant uuid := gen_random_uuid();
  begin
    perform set_config('realtime.topic', p_topic, true);
    insert into realtime.messages (id, payload, binary_payload, event, topic, private, extension)
    values (message_id, case when p_payload ? 'id' then p_payload else jsonb_set(p_payload, '{id}', to_jsonb(message_id)) end,
      p_bytes, p_event, p_topic, p_private, 'broadcast');
  exception when others then
    -- A change of a row must not fail because nobody can be told of it.
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
  end
  $$;
comment on function realtime.send_message(jsonb, bytea, text, text, boolean) is 'The body of send and send_binary.';

create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
  language sql volatile
  as $$ select realtime.send_message(payload, null, event, topic, private) $$;

create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
  language sql volatile
  as $$ select realtime.send_message(null, payload, event, topic, private) $$;

create or replace function realtime.broadcast_changes(
    topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record, level text default 'ROW') returns void
  language plpgsql
  as $$
  begin
    if level = 'STATEMENT' then
      raise exception 'function can only be triggered for each row, not for each statement';
    end if;
    perform realtime.send(jsonb_build_object('old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema),
      event_name, topic_name);
  end
  $$;

-- Begins to ask policies about a topic: the caller's transaction gets the topic, and one row
-- per extension to be selected, in a transaction that is rolled back. Only the role that signs
-- in for callers may call it, before it becomes the caller.
create function realtime.begin_policy_check(p_topic text, p_subject text, p_role text, p_ids uuid[], p_extensions text[]) returns void
  language sql volatile security definer
  set search_path = ''
  as $$
    select pg_catalog.set_config('realtime.topic', p_topic, true), pg_catalog.set_config('request.jwt.claim.sub', p_subject, true),
      pg_catalog.set_config('request.jwt.claim.role', p_role, true);
    insert into realtime.messages (id, topic, extension)
      select asked.id, p_topic, asked.extension from unnest(p_ids, p_extensions) asked (id, extension);
  $$;
alter function realtime.begin_policy_check(text, text, text, uuid[], text[]) owner to supabase_realtime_admin;
revoke execute on function realtime.begin_policy_check(text, text, text, uuid[], text[]) from public;
grant execute on function realtime.begin_policy_check(text, text, text, uuid[], text[]) to authenticator;
grant usage on schema realtime to authenticator;

-- Tells those who read the log that tables, policies or privileges have changed: in the log
-- itself, so that a change of a row that was committed after a REVOKE is never judged by what
-- was known before. Only a superuser makes event triggers; without it, nothing is kept in memory.
create function realtime.note_schema_change() returns event_trigger
  language plpgsql
  as $$
  begin
    if tg_event = 'sql_drop' and exists (select from pg_catalog.pg_event_trigger_dropped_objects() where not is_temporary)
      or tg_event = 'ddl_command_end' and exists (select from pg_catalog.pg_event_trigger_ddl_commands() where schema_name is distinct from 'pg_temp')
    then
      perform pg_catalog.pg_logical_emit_message(true, 'plaza_schema', '');
    end if;
  end
  $$;
do $$
begin
  create event trigger realtime_schema_change on ddl_command_end execute function realtime.note_schema_change();
  create event trigger realtime_schema_drop on sql_drop execute function realtime.note_schema_change();
exception when insufficient_privilege then
  null;
end
$$;

-- Upstream's internals, which dumps of its databases name. Plaza does not use them.
do $$
begin
  create type realtime.action as enum ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'ERROR');
  create type realtime.equality_op as enum ('eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in');
  create type realtime.user_defined_filter as (column_name text, op realtime.equality_op, value text);
exception when duplicate_object then
  null;
end
$$;
create table if not exists realtime.subscription (
  id bigint generated always as identity primary key,
  subscription_id uuid not null,
  entity regclass not null,
  filters realtime.user_defined_filter[] not null default '{}',
  claims jsonb not null,
  created_at timestamp not null default timezone('utc', now())
);
comment on table realtime.subscription is 'Of upstream; not used.';

do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime_messages_publication') then
    create publication supabase_realtime_messages_publication for table realtime.messages with (publish_via_partition_root = true);
  end if;
  -- Subscribers are told of generated columns, too; before version 18 the log does not have them.
  if current_setting('server_version_num')::int >= 180000 and pg_catalog.pg_has_role(
    (select pubowner from pg_catalog.pg_publication where pubname = 'supabase_realtime'), 'usage')
  then
    alter publication supabase_realtime set (publish_generated_columns = stored);
  end if;
end
$$;
