-- pg_net: requests that are sent after the transaction commits, and their
-- responses. package pgnet sends them and knows this stand-in by net._in_flight.
-- Source: tables, functions and messages of pg_net 0.20.
create schema if not exists net;
grant usage on schema net to anon, authenticated, service_role;
do $$
begin
  if to_regtype('net.http_method') is null then
    create domain net.http_method as text check (value ilike 'get' or value ilike 'post' or value ilike 'delete');
    create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
    create type net.http_response as (status_code integer, headers jsonb, body text);
    create type net.http_response_result as (status net.request_status, message text, response net.http_response);
  end if;
  -- An earlier stand-in kept requests and sent none. They are too old now.
  if to_regprocedure('net.enqueue(text, text, jsonb, jsonb, text, integer)') is not null then
    delete from net.http_request_queue;
    drop function net.enqueue(text, text, jsonb, jsonb, text, integer);
  end if;
end
$$;
-- Unlike pg_net's, the queue is logged: requests survive a crash.
create table if not exists net.http_request_queue (
  id bigserial primary key,
  method net.http_method not null,
  url text not null,
  headers jsonb,
  body bytea,
  timeout_milliseconds integer not null
);
alter table net.http_request_queue set logged;
alter table net.http_request_queue alter column method type net.http_method;
-- Responses are partitioned by hour, or by day if they are kept for days. Those of an earlier stand-in are the default partition.
do $$
begin
  if (select relkind = 'r' from pg_catalog.pg_class where oid = to_regclass('net._http_response')) then
    alter table net._http_response rename to _http_response_other;
    alter index net._http_response_created_idx rename to _http_response_other_created_idx;
    alter index net._http_response_id_idx rename to _http_response_other_id_idx;
  end if;
end
$$;
create table if not exists net._http_response (
  id bigint,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default now()
) partition by range (created);
create index if not exists _http_response_created_idx on net._http_response (created);
create index if not exists _http_response_id_idx on net._http_response (id);
create unlogged table if not exists net._http_response_other (like net._http_response including defaults);
do $$
begin
  if not (select relispartition from pg_catalog.pg_class where oid = 'net._http_response_other'::regclass) then
    alter table net._http_response attach partition net._http_response_other default;
  end if;
end
$$;
create or replace function net._renew_partitions(ttl interval) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform plaza.make_partitions('net._http_response', case when ttl > interval '2 days' then 'day' else 'hour' end, 2);
    perform plaza.drop_partitions('net._http_response', now() - ttl);
  end
  $$;
revoke execute on function net._renew_partitions(interval) from public;
-- The first partitions are made before anybody can wait for a response, which would keep them from being made.
do $$
begin
  perform plaza.make_partitions('net._http_response', 'hour', 2);
exception when lock_not_available then
  null; -- the server tries again
end
$$;
-- Requests that a server has taken and not answered. No request is sent twice:
-- after expires_at the answer is that it is unknown.
create table if not exists net._in_flight (
  id bigint primary key,
  expires_at timestamptz not null
);
grant select on net.http_request_queue, net._http_response to service_role;

create or replace function net._urlencode_string(string varchar) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select coalesce(string_agg(
      case when code < 128 and chr(code) ~ '[A-Za-z0-9._~-]' then chr(code) else '%' || upper(lpad(to_hex(code), 2, '0')) end, '' order by place), '')
    from (select place, get_byte(bytes, place) as code from convert_to(string, 'utf8') bytes, generate_series(0, length(bytes) - 1) place) codes
  $$;
create or replace function net._encode_url_with_params_array(url text, params_array text[]) returns text
  language plpgsql immutable
  set search_path = ''
  as $$
  declare
    parts text[] := regexp_match(url, '^([A-Za-z][A-Za-z0-9+.-]*://[^/?#\s]+)([^?#\s]*)(\?[^#\s]*)?(#\S*)?$');
    query text := array_to_string(params_array, '&');
  begin
    if parts is null then
      raise exception using errcode = '22023', message = 'URL using bad/illegal format or missing URL', detail = url;
    end if;
    if query <> '' then
      parts[3] := case when coalesce(parts[3], '') in ('', '?') then '?' else parts[3] || '&' end || query;
    end if;
    return parts[1] || coalesce(nullif(parts[2], ''), '/') || coalesce(parts[3], '') || coalesce(parts[4], '');
  end
  $$;

create or replace function net.wake() returns void
  language sql
  set search_path = ''
  as $$ select pg_notify('plaza_extensions', 'net') $$;
create or replace function net._wake() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$ begin perform net.wake(); return null; end $$;
create or replace trigger wake after insert on net.http_request_queue for each statement execute function net._wake();

-- The limits that pg_net does not have: how much may be queued, the size of a
-- body and how long a request may take.
create or replace function net._check_request() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    if new.timeout_milliseconds not between 1 and 600000 then
      raise exception using errcode = '22023', message = format('timeout_milliseconds is %s: use 1 to 600000', new.timeout_milliseconds);
    elsif length(new.body) > 64 * 1024 * 1024 then
      raise exception using errcode = '54000', message = 'the body of the request is larger than 64 MB';
    elsif new.id - (select min(q.id) from net.http_request_queue q) >= 100000 then
      raise exception using errcode = '53400', message = 'net.http_request_queue is full: 100000 requests wait';
    end if;
    return new;
  end
  $$;
create or replace trigger check_request before insert on net.http_request_queue for each row execute function net._check_request();

create or replace function net._enqueue(method text, url text, params jsonb, headers jsonb, body text, timeout_milliseconds integer) returns bigint
  language plpgsql
  set search_path = ''
  as $$
  declare
    made bigint;
  begin
    insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
    values (method, net._encode_url_with_params_array(url, array(
        select net._urlencode_string(p.key) || '=' || net._urlencode_string(p.value) from jsonb_each_text(params) p)),
      headers, convert_to(body, 'utf8'), timeout_milliseconds)
    returning id into made;
    return made;
  end
  $$;
revoke execute on function net._enqueue(text, text, jsonb, jsonb, text, integer) from public;
create or replace function net.http_get(url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000) returns bigint
  language sql security definer
  set search_path = ''
  as $$ select net._enqueue('GET', url, params, headers, null, timeout_milliseconds) $$;
create or replace function net.http_post(url text, body jsonb default '{}', params jsonb default '{}',
    headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000) returns bigint
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    type text := (select h.value from jsonb_each_text(headers) h where lower(h.key) = 'content-type' limit 1);
  begin
    if type <> 'application/json' then
      raise exception 'Content-Type header must be "application/json"';
    elsif type is null then
      headers := coalesce(headers, '{}') || '{"Content-Type": "application/json"}';
    end if;
    return net._enqueue('POST', url, params, headers, body::text, timeout_milliseconds);
  end
  $$;
create or replace function net.http_delete(url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000,
    body jsonb default null) returns bigint
  language sql security definer
  set search_path = ''
  as $$ select net._enqueue('DELETE', url, params, headers, body::text, timeout_milliseconds) $$;

create or replace function net._await_response(request_id bigint) returns boolean
  language plpgsql
  set search_path = ''
  as $$
  begin
    while not exists (select from net._http_response r where r.id = request_id) loop
      perform pg_sleep(0.05);
    end loop;
    return true;
  end
  $$;
create or replace function net._http_collect_response(request_id bigint, async boolean default true) returns net.http_response_result
  language plpgsql
  set search_path = ''
  as $$
  declare
    found net._http_response;
  begin
    if not async then
      perform net._await_response(request_id);
    end if;
    select * into found from net._http_response r where r.id = request_id;
    if found.id is null or found.error_msg is not null then
      return ('ERROR', coalesce(found.error_msg, 'request matching request_id not found'), null)::net.http_response_result;
    end if;
    return ('SUCCESS', 'ok', (found.status_code, found.headers, found.content)::net.http_response)::net.http_response_result;
  end
  $$;
create or replace function net.http_collect_response(request_id bigint, async boolean default true) returns net.http_response_result
  language plpgsql
  set search_path = ''
  as $$
  begin
    raise notice 'The net.http_collect_response function is deprecated.';
    return net._http_collect_response(request_id, async);
  end
  $$;

-- The server that sends requests shows itself by the name of its connection.
create or replace function net.check_worker_is_up() returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if not exists (select from pg_catalog.pg_stat_activity a where a.datname = current_database() and a.application_name like '%plaza_extensions') then
      raise exception using message = 'the pg_net background worker is not up',
        detail = 'no plaza server that sends requests is connected to this database';
    end if;
  end
  $$;
create or replace function net.wait_until_running() returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    while not exists (select from pg_catalog.pg_stat_activity a where a.datname = current_database() and a.application_name like '%plaza_extensions') loop
      perform pg_sleep(0.05);
      perform pg_catalog.pg_stat_clear_snapshot();
    end loop;
  end
  $$;
create or replace function net.worker_restart() returns boolean
  language sql
  set search_path = ''
  as $$ select net.wake(); select true $$;
revoke execute on all functions in schema net from public;
grant execute on function net.http_get(text, jsonb, jsonb, integer), net.http_post(text, jsonb, jsonb, jsonb, integer),
  net.http_delete(text, jsonb, jsonb, integer, jsonb) to anon, authenticated, service_role;
grant execute on all functions in schema net to service_role;
revoke execute on function net._enqueue(text, text, jsonb, jsonb, text, integer) from service_role;
notify plaza_extensions, 'net';
