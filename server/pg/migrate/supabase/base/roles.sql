-- Roles that dumps of a Supabase database name.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['dashboard_user', 'pgbouncer', 'supabase_functions_admin', 'supabase_read_only_user',
    'supabase_realtime_admin', 'supabase_replication_admin']
  loop
    begin
      if not exists (select from pg_catalog.pg_roles where rolname = wanted) then
        execute format('create role %I nologin', wanted);
      end if;
    exception when duplicate_object or unique_violation then
      null; -- another migrator was faster
    end;
  end loop;
end
$$;
