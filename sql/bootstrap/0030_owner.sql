-- The role postgres, where it owns the database and is no superuser, as on Supabase: it gets
-- what Supabase's has. Instead of a list of tables of auth, storage and realtime that it may
-- write policies and triggers for, which takes Supabase's own library, it is a member of
-- their owners, who are no superusers either.
--
-- What belongs to an extension belongs to a superuser. This lets postgres use and grant it:
-- schemas, foreign data wrappers and tables, which it may only read, unless they are queues.
create function plaza.share_extensions() returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    one record;
  begin
    if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user)
      or not exists (select from pg_catalog.pg_roles where rolname = 'postgres' and not rolsuper)
    then
      return;
    end if;
    for one in
      select part.extname, object.type, object.identity
      from (
        select e.extname, d.classid, d.objid from pg_catalog.pg_depend d join pg_catalog.pg_extension e on e.oid = d.refobjid
        where d.refclassid = 'pg_catalog.pg_extension'::regclass and d.deptype = 'e'
        union all
        select extname, 'pg_catalog.pg_namespace'::regclass, extnamespace from pg_catalog.pg_extension where extnamespace <> 'pg_catalog'::regnamespace
      ) part, pg_catalog.pg_identify_object(part.classid, part.objid, 0) object
      where object.type in ('schema', 'foreign-data wrapper', 'table', 'view', 'sequence')
    loop
      if one.type = 'schema' then
        execute format('grant usage on schema %s to postgres with grant option', one.identity);
      elsif one.type = 'foreign-data wrapper' then
        execute format('grant usage on foreign data wrapper %s to postgres with grant option', one.identity);
      else
        execute format('grant %s on %s to postgres with grant option',
          case when one.extname in ('pg_net', 'pgmq', 'supabase_vault') then 'all' else 'select' end, one.identity);
      end if;
    end loop;
  end
  $$;
revoke execute on function plaza.share_extensions() from public;

do $$
declare
  name text;
begin
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) or not exists (
    select from pg_catalog.pg_database d join pg_catalog.pg_roles r on r.oid = d.datdba
    where d.datname = current_database() and r.rolname = 'postgres' and not r.rolsuper)
  then
    return;
  end if;

  grant anon, authenticated, service_role, authenticator, supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin
    to postgres with admin option;
  for name in select rolname from pg_catalog.pg_roles where rolname in ('pg_monitor', 'pg_read_all_data', 'pg_signal_backend', 'pg_create_subscription') loop
    execute format('grant %I to postgres', name);
  end loop;
  -- Source: supautils.privileged_role_allowed_configs, with names in place of pgrst.*.
  foreach name in array array['auto_explain.log_min_duration', 'deadlock_timeout', 'log_lock_waits', 'log_min_duration_statement', 'log_min_messages',
    'log_statement', 'log_temp_files', 'pgaudit.log', 'plan_filter.statement_cost_limit', 'safeupdate.enabled', 'session_replication_role',
    'track_functions', 'track_io_timing', 'wal_compression',
    'pgrst.client_error_verbosity', 'pgrst.db_aggregates_enabled', 'pgrst.db_anon_role', 'pgrst.db_extra_search_path', 'pgrst.db_hoisted_tx_settings',
    'pgrst.db_max_rows', 'pgrst.db_plan_enabled', 'pgrst.db_pre_config', 'pgrst.db_pre_request', 'pgrst.db_prepared_statements', 'pgrst.db_root_spec',
    'pgrst.db_schemas', 'pgrst.db_tx_end', 'pgrst.jwt_aud', 'pgrst.jwt_cache_max_entries', 'pgrst.jwt_role_claim_key', 'pgrst.jwt_secret',
    'pgrst.jwt_secret_is_base64', 'pgrst.openapi_mode', 'pgrst.openapi_security_active', 'pgrst.openapi_server_proxy_uri',
    'pgrst.server_cors_allowed_origins', 'pgrst.server_timing_enabled', 'pgrst.server_trace_header', 'pgrst.url_use_legacy_target_names']
  loop
    execute format('grant set on parameter %I to postgres', name);
  end loop;

  grant usage on schema plaza to postgres;
  grant execute on function plaza.share_extensions() to postgres;
  grant all on schema public, extensions to postgres with grant option;
  grant usage on schema auth, storage, realtime to postgres with grant option;
  alter publication supabase_realtime owner to postgres;
  alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges for role postgres in schema public grant all on functions to anon, authenticated, service_role;
  alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated, service_role;
end
$$;
