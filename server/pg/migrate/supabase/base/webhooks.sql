-- Database webhooks are triggers that call this, with URL, method, headers,
-- parameters and timeout as their arguments.
create schema if not exists supabase_functions;
grant usage on schema supabase_functions to anon, authenticated, service_role;
-- Upstream's function records its calls here. Ours does not; the table is for dumps.
create table if not exists supabase_functions.hooks (
  id bigserial primary key,
  hook_table_id integer not null,
  hook_name text not null,
  created_at timestamptz not null default now(),
  request_id bigint
);
create or replace function supabase_functions.http_request() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    url text := nullif(tg_argv[0], 'null');
    method text := nullif(tg_argv[1], 'null');
    headers jsonb := coalesce(nullif(tg_argv[2], 'null'), '{"Content-Type": "application/json"}');
    params jsonb := coalesce(nullif(tg_argv[3], 'null'), '{}');
    timeout integer := coalesce(nullif(tg_argv[4], 'null'), '1000');
  begin
    if url is null then
      raise exception 'url argument is missing';
    elsif method is null then
      raise exception 'method argument is missing';
    elsif method = 'GET' then
      perform net.http_get(url, params, headers, timeout);
    elsif method = 'POST' then
      perform net.http_post(url, jsonb_build_object('old_record', old, 'record', new, 'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema),
        params, headers, timeout);
    else
      raise exception 'method argument % is invalid', method;
    end if;
    return coalesce(new, old);
  end
  $$;
