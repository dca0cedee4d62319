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
