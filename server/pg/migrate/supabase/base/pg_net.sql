-- Requests to the outside: pg_net's functions. Nothing here sends them; the
-- last thousand are kept to be looked at.
create schema if not exists net;
grant usage on schema net to anon, authenticated, service_role;
create unlogged table if not exists net.http_request_queue (
  id bigserial primary key,
  method text not null,
  url text not null,
  headers jsonb,
  body bytea,
  timeout_milliseconds integer not null
);
create unlogged table if not exists net._http_response (
  id bigint,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default now()
);

create or replace function net.enqueue(method text, url text, params jsonb, headers jsonb, body text, timeout_milliseconds integer) returns bigint
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    query text;
    made bigint;
  begin
    select string_agg(p.key || '=' || p.value, '&') into query from jsonb_each_text(params) p;
    insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
    values (method, url || coalesce('?' || query, ''), headers, convert_to(body, 'utf8'), timeout_milliseconds)
    returning id into made;
    delete from net.http_request_queue q where q.id <= made - 1000;
    return made;
  end
  $$;
create or replace function net.http_get(url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000) returns bigint
  language sql
  as $$ select net.enqueue('GET', url, params, headers, null, timeout_milliseconds) $$;
create or replace function net.http_post(url text, body jsonb default '{}', params jsonb default '{}',
    headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000) returns bigint
  language sql
  as $$ select net.enqueue('POST', url, params, headers, body::text, timeout_milliseconds) $$;
create or replace function net.http_delete(url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000,
    body jsonb default null) returns bigint
  language sql
  as $$ select net.enqueue('DELETE', url, params, headers, body::text, timeout_milliseconds) $$;

-- Database webhooks are triggers that call this, with URL, method, headers,
-- parameters and time-out as their arguments.
create schema if not exists supabase_functions;
grant usage on schema supabase_functions to anon, authenticated, service_role;
create or replace function supabase_functions.http_request() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    params jsonb := coalesce(nullif(tg_argv[3], 'null'), '{}');
    headers jsonb := coalesce(nullif(tg_argv[2], 'null'), '{"Content-Type": "application/json"}');
    timeout integer := coalesce(nullif(tg_argv[4], 'null'), '1000');
  begin
    if tg_argv[1] = 'GET' then
      perform net.http_get(tg_argv[0], params, headers, timeout);
    else
      perform net.http_post(tg_argv[0], jsonb_build_object('old_record', old, 'record', new, 'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema),
        params, headers, timeout);
    end if;
    return coalesce(new, old);
  end
  $$;
