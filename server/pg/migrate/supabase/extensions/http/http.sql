-- http: requests whose response a statement waits for. PostgreSQL asks package
-- httpcall, to which it connects as dblink does to another database.
-- Source: types, functions and messages of pgsql-http 1.7.
create schema if not exists plaza;
-- How to reach the server. It has a password, so that only functions of ours may use it.
create table if not exists plaza.http_endpoint (conninfo text primary key, started_at timestamptz not null default now());
revoke all on plaza.http_endpoint from public;
do $$
declare
  is_super boolean := (select r.rolsuper from pg_catalog.pg_roles r where r.rolname = current_user);
begin
  if to_regtype('extensions.http_request') is null then
    create domain extensions.http_method as text;
    create type extensions.http_header as (field varchar, value varchar);
    create type extensions.http_request as (
      method extensions.http_method, uri varchar, headers extensions.http_header[], content_type varchar, content varchar);
    create type extensions.http_response as (status integer, content_type varchar, headers extensions.http_header[], content varchar);
  end if;
  if to_regprocedure('plaza.http_call(text, text)') is null then
    begin
      if is_super then
        execute $make$create function plaza.http_call(conninfo text, request text) returns setof record language c strict as '$libdir/dblink', 'dblink_record'$make$;
        revoke execute on function plaza.http_call(text, text) from public;
      end if;
    exception when undefined_file or feature_not_supported then
      raise notice 'this PostgreSQL has no library dblink: http() cannot send requests';
    end;
  end if;
end
$$;

create or replace function extensions.http(request extensions.http_request) returns extensions.http_response
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    setting constant jsonb := (select coalesce(jsonb_object_agg(o.curlopt, o.value), '{}') from extensions.http_list_curlopt() o);
    endpoint text;
    answer jsonb;
    reason text;
  begin
    if request.uri is null or request.method is null then
      raise exception using message = format('http_request.%s is NULL', case when request.uri is null then 'uri' else 'method' end);
    elsif request.content is not null and request.content_type is null then
      raise exception 'http_request.content_type is NULL';
    elsif request.content is null and upper(request.method) in ('PUT', 'POST') then
      raise exception 'http_request.content is NULL';
    elsif to_regprocedure('plaza.http_call(text, text)') is null then
      raise exception using errcode = '0A000', message = 'http() cannot send requests: PostgreSQL lets only a superuser install what it needs of dblink',
        hint = 'Use net.http_get() of pg_net, or a PostgreSQL that has the extension http.';
    end if;
    select e.conninfo into endpoint from plaza.http_endpoint e order by e.started_at desc limit 1;
    if endpoint is null then
      raise exception using errcode = '55000', message = 'http() cannot send requests: no plaza server serves this database';
    end if;
    begin
      execute 'select r.answer::jsonb from plaza.http_call($1, $2) as r (answer text)' into answer using endpoint, jsonb_build_object(
        'method', upper(request.method), 'url', request.uri, 'content', request.content,
        'headers', (select jsonb_agg(jsonb_build_array(h.field, h.value)) from unnest(request.headers
          || case when request.content is not null then extensions.http_header('Content-Type', request.content_type) end
          || case when setting ? 'CURLOPT_USERAGENT' then extensions.http_header('User-Agent', setting->>'CURLOPT_USERAGENT') end) h where h.field is not null),
        -- A statement that waits in dblink does not notice that it has been cancelled.
        'timeout_ms', least(coalesce(setting->>'CURLOPT_TIMEOUT_MS', (setting->>'CURLOPT_TIMEOUT') || '000', '5000')::integer,
          nullif(extract(epoch from current_setting('statement_timeout')::interval) * 1000, 0)::integer),
        'connect_ms', coalesce(setting->>'CURLOPT_CONNECTTIMEOUT_MS', (setting->>'CURLOPT_CONNECTTIMEOUT') || '000', '1000')::integer)::text;
    exception when sqlclient_unable_to_establish_sqlconnection then
      get stacked diagnostics reason = pg_exception_detail;
      raise exception using errcode = '08001', detail = reason,
        message = 'http() cannot send requests: PostgreSQL cannot connect to the plaza server, which must run on the same machine';
    end;
    if answer ? 'error' then
      raise exception '%', answer->>'error';
    end if;
    return ((answer->>'status')::integer, answer->>'content_type',
      array(select row(h->>0, h->>1)::extensions.http_header from jsonb_array_elements(answer->'headers') h), answer->>'content')::extensions.http_response;
  end
  $$;

create or replace function extensions.http_set_curlopt(curlopt varchar, value varchar) returns boolean
  language plpgsql
  set search_path = ''
  as $$
  begin
    if curlopt is null or value is null then
      return false;
    elsif upper(curlopt) not in ('CURLOPT_TIMEOUT', 'CURLOPT_TIMEOUT_MS', 'CURLOPT_CONNECTTIMEOUT', 'CURLOPT_CONNECTTIMEOUT_MS', 'CURLOPT_USERAGENT') then
      raise exception 'curl option ''%'' is not available for run-time configuration', curlopt;
    elsif upper(curlopt) <> 'CURLOPT_USERAGENT' and value !~ '^[0-9]{1,6}$' then
      raise exception 'invalid integer provided for ''%''', curlopt;
    end if;
    perform set_config('http.' || lower(curlopt), value, false);
    return true;
  end
  $$;
create or replace function extensions.http_reset_curlopt() returns boolean
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform set_config('http.' || lower(o.curlopt), '', false) from extensions.http_list_curlopt() o;
    return true;
  end
  $$;
create or replace function extensions.http_list_curlopt() returns table (curlopt text, value text)
  language sql stable
  set search_path = ''
  as $$
    select o.name, coalesce(nullif(current_setting('http.' || lower(o.name), true), ''), case when o.name = 'CURLOPT_TIMEOUT_MS' then nullif(current_setting('http.timeout_msec', true), '') end)
    from unnest('{CURLOPT_TIMEOUT,CURLOPT_TIMEOUT_MS,CURLOPT_CONNECTTIMEOUT,CURLOPT_CONNECTTIMEOUT_MS,CURLOPT_USERAGENT}'::text[]) o (name)
    where coalesce(nullif(current_setting('http.' || lower(o.name), true), ''), case when o.name = 'CURLOPT_TIMEOUT_MS' then nullif(current_setting('http.timeout_msec', true), '') end) is not null
  $$;

create or replace function extensions.urlencode(string bytea) returns text
  language sql immutable strict
  set search_path = ''
  as $$
    select coalesce(string_agg(
      case when code = 32 then '+' when code between 1 and 127 and chr(code) ~ '[A-Za-z0-9._~-]' then chr(code) else '%' || upper(lpad(to_hex(code), 2, '0')) end, '' order by place), '')
    from (select place, get_byte(string, place) as code from generate_series(0, length(string) - 1) place) codes
  $$;
create or replace function extensions.urlencode(string varchar) returns text
  language sql immutable strict
  set search_path = ''
  as $$ select extensions.urlencode(convert_to(string, 'utf8')) $$;
create or replace function extensions.urlencode(data jsonb) returns text
  language sql immutable strict
  set search_path = ''
  as $$
    select string_agg(extensions.urlencode(p.key::varchar) || '=' || coalesce(extensions.urlencode((data->>p.key)::varchar), ''), '&')
    from jsonb_each(data) p where p.key <> '' and jsonb_typeof(p.value) not in ('object', 'array')
  $$;
create or replace function extensions.http_header(field varchar, value varchar) returns extensions.http_header
  language sql immutable
  as $$ select field, value $$;
create or replace function extensions.http_headers(variadic args text[]) returns extensions.http_header[]
  language plpgsql immutable strict
  set search_path = ''
  as $$
  begin
    if array_length(args, 1) % 2 <> 0 then
      raise exception 'Arguments must be provided in key-value pairs';
    end if;
    return array(select row(args[n], args[n + 1])::extensions.http_header from generate_series(1, array_length(args, 1), 2) n);
  end
  $$;
create or replace function extensions.http_get(uri varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('GET', uri, null, null, null)::extensions.http_request) $$;
create or replace function extensions.http_get(uri varchar, data jsonb) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('GET', uri || '?' || extensions.urlencode(data), null, null, null)::extensions.http_request) $$;
create or replace function extensions.http_head(uri varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('HEAD', uri, null, null, null)::extensions.http_request) $$;
create or replace function extensions.http_post(uri varchar, content varchar, content_type varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('POST', uri, null, content_type, content)::extensions.http_request) $$;
create or replace function extensions.http_post(uri varchar, data jsonb) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('POST', uri, null, 'application/x-www-form-urlencoded', extensions.urlencode(data))::extensions.http_request) $$;
create or replace function extensions.http_put(uri varchar, content varchar, content_type varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('PUT', uri, null, content_type, content)::extensions.http_request) $$;
create or replace function extensions.http_patch(uri varchar, content varchar, content_type varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('PATCH', uri, null, content_type, content)::extensions.http_request) $$;
create or replace function extensions.http_delete(uri varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('DELETE', uri, null, null, null)::extensions.http_request) $$;
create or replace function extensions.http_delete(uri varchar, content varchar, content_type varchar) returns extensions.http_response
  language sql
  as $$ select extensions.http(row('DELETE', uri, null, content_type, content)::extensions.http_request) $$;
notify plaza_extensions, 'http';

-- Requests are sent with the rights of postgres, where that is no superuser.
do $$
begin
  if (select r.rolsuper from pg_catalog.pg_roles r where r.rolname = current_user)
    and exists (select from pg_catalog.pg_roles r where r.rolname = 'postgres' and not r.rolsuper)
  then
    alter function extensions.http(extensions.http_request) owner to postgres;
    grant usage on schema plaza to postgres;
    grant select, insert, update, delete on plaza.http_endpoint to postgres;
    if to_regprocedure('plaza.http_call(text, text)') is not null then
      grant execute on function plaza.http_call(text, text) to postgres;
    end if;
  end if;
end
$$;
