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
